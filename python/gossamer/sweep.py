"""Parameter sweeps: many runs of one model, each in a separate process."""
import os

import numpy as np

from . import _core
from ._errors import FileError
from ._objects import Constant, whole
from ._progress import watching
from ._text import Table, flow
from .results import Run, _Folder


class Sweep(Constant):
    """Results of a sweep: ``rows`` contains a dict for each run, ``parameters`` the names of the varied parameters. Displayed as
    a table."""

    _remedy = "send its rows"

    def __init__(self, core, folder, kept, one_file=None):
        self.parameters = core.parameters
        self.rows = core.results()
        self.folder = folder
        self.one_file = one_file
        self._kept = kept
        for row in self.rows:
            row["probes"] = np.asarray(row["probes"])

    def __len__(self):
        return len(self.rows)

    def value(self, parameter):
        """Values of a varied parameter, one for each run; strings if they are not numbers."""
        if parameter not in self.parameters:
            raise KeyError(f"{parameter!r} does not vary; the varied parameters are {', '.join(self.parameters)}")
        texts = [row["values"][self.parameters.index(parameter)] for row in self.rows]
        try:
            return np.array([float(t) for t in texts])
        except ValueError:
            return np.array(texts)

    def probe(self, name, what="last"):
        """The last, least or largest value of a probe component ("tip.x") in each run; NaN for failed runs."""
        kinds = ("last", "least", "largest")
        if what not in kinds:
            raise ValueError(f"what must be one of {', '.join(kinds)}, not {what!r}")
        column = kinds.index(what)
        out = np.full(len(self.rows), np.nan)
        for i, row in enumerate(self.rows):
            if name in row["keys"]:
                out[i] = row["probes"][row["keys"].index(name), column]
        if not any(name in row["keys"] for row in self.rows):
            raise KeyError(f"no run has a probe {name!r}")
        return out

    def run(self, i):
        """The results of run i."""
        if not 0 <= whole(i, "the number of a run") < len(self.rows):
            raise IndexError(f"there is no run {i}; the sweep has {len(self.rows)}, from 0")
        row = self.rows[i]
        if self.one_file:
            raise ValueError(f"the runs of this sweep share one file, {self.one_file}; use members(probe)")
        if not row["has_results"]:
            raise ValueError(f"run {i} has no results: {row['failure']}")
        return Run(row["path"], self._kept)

    def members(self, probe):
        """For a sweep in one file: times (times), and the values of a probe in all runs (runs, times, components); NaN after
        the end of a run. Needs h5py."""
        if not self.one_file:
            raise ValueError("each run of this sweep has its own file; use run(i)")
        import h5py

        with h5py.File(self.one_file, "r") as file:
            if probe not in file["probes"]:
                raise KeyError(f"there is no probe {probe!r}; there are {', '.join(file['probes']) or 'none'}")
            return file["time"][()], file["probes"][probe][()]

    @property
    def failures(self):
        """Error messages of failed runs by run number."""
        return {i: row["failure"] for i, row in enumerate(self.rows) if row["failure"]}

    @property
    def table(self):
        """Varied parameters and the last values of all probes."""
        keys = next((row["keys"] for row in self.rows if row["keys"]), ())
        rows = [list(row["values"]) + [row["failure"] or "done"] + (list(row["probes"][:, 0]) if len(row["probes"]) else [])
                for row in self.rows]
        return Table(list(self.parameters) + ["run"] + list(keys), rows)

    def __str__(self):
        return str(self.table)

    __repr__ = __str__

    def _repr_html_(self):
        return self.table._repr_html_()


def sweep(model, vary, *, folder=None, jobs=None, reduced=False, until=None, draws=None, seed=1, independent=False,
          rom=None, one_file=False, resume=False, progress=None):
    """Run a model for all combinations of values: ``vary={"L": [1, 1.2], "n": [8, 16]}``, each run in a separate process.

    A value may be a string as in ``gossamer sweep --vary``: "0:1:11", "1e-3:1:7log", or random, "normal:1:0.1"; ``draws``
    is the number of random samples, ``seed`` their seed. ``folder``: output folder; default: a temporary one, deleted with
    the sweep. Other Python threads are blocked during the sweep.

    ``rom``: a stored reduced model (``system.save_reduced``) for all runs; the varied parameters must not change a body.
    ``one_file``: store the probes of all runs at output times in one file, ``folder/members.h5``; with ``rom`` the runs share
    matrices. ``resume``: skip the parts that an interrupted sweep has finished in ``folder``. The exception of an
    interrupted sweep has the finished runs as ``partial``.
    """
    if resume and (folder is None or not one_file):
        raise ValueError("resume continues a sweep in one file: give its folder and one_file=True")
    if not isinstance(vary, dict):
        raise TypeError("vary must be a dict of parameters and their values, {'L': [1, 1.2]}")
    if rom is not None and not os.path.isfile(rom):
        raise FileError(f"{os.fsdecode(rom)}: there is no such stored reduced model (System.save_reduced)")
    core = _core.Sweep(model)
    for name, values in vary.items():
        text = values if isinstance(values, str) else ",".join(flow(v) for v in np.asarray(values).tolist())
        core.vary(f"{name}={text}")
    if draws is not None:
        core.sample(int(draws), int(seed), bool(independent))
    kept = None if folder is not None else _Folder()
    place = os.fspath(folder) if folder is not None else kept.path
    core.prepare(place)
    one = os.path.join(os.fsdecode(place), "members.h5") if one_file else None
    try:
        with watching(progress, "sweep") as tell:
            core.run(jobs or os.cpu_count() or 1, bool(reduced), float(until or 0), tell,
                     os.fspath(rom) if rom is not None else b"", bool(one_file), bool(resume))
    except (Exception, KeyboardInterrupt) as error:
        try:
            error.partial = Sweep(core, place, kept, one)
        except Exception:
            pass  # no run has begun; raise the first error
        raise
    return Sweep(core, place, kept, one)
