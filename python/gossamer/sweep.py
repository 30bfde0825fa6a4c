"""Many runs of one model, each in a process of its own."""
import os

import numpy as np

from . import _core
from ._progress import watching
from ._text import Table, flow
from .results import Run, _Folder


class Sweep:
    """What came of many runs: ``rows`` has a dict for each, ``parameters`` names what varies. Prints as a table."""

    def __init__(self, core, folder, kept):
        self.parameters = core.parameters
        self.rows = core.results()
        self.folder = folder
        self._kept = kept
        for row in self.rows:
            row["probes"] = np.asarray(row["probes"])

    def __len__(self):
        return len(self.rows)

    def value(self, parameter):
        """Values of what varies, one a run; texts where they are no numbers."""
        if parameter not in self.parameters:
            raise KeyError(f"{parameter!r} does not vary; {', '.join(self.parameters)} do")
        texts = [row["values"][self.parameters.index(parameter)] for row in self.rows]
        try:
            return np.array([float(t) for t in texts])
        except ValueError:
            return np.array(texts)

    def probe(self, name, what="last"):
        """The last, least or largest value of a component of a probe ("tip.x") in each run; not a number where a run
        failed."""
        column = ("last", "least", "largest").index(what)
        out = np.full(len(self.rows), np.nan)
        for i, row in enumerate(self.rows):
            if name in row["keys"]:
                out[i] = row["probes"][row["keys"].index(name), column]
        if not any(name in row["keys"] for row in self.rows):
            raise KeyError(f"no run has a probe {name!r}")
        return out

    def run(self, i):
        """The results of run i."""
        row = self.rows[i]
        if not row["has_results"]:
            raise ValueError(f"run {i} has no results: {row['failure']}")
        return Run(row["path"], self._kept)

    @property
    def failures(self):
        """Why runs did not come to their end: texts by their numbers."""
        return {i: row["failure"] for i, row in enumerate(self.rows) if row["failure"]}

    @property
    def table(self):
        """What varies, and the last values of all probes."""
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
          progress=None):
    """Run a model for all combinations of values: ``vary={"L": [1, 1.2], "n": [8, 16]}``, each in a process of its own.

    A value may be a text as ``gossamer sweep --vary`` takes it: "0:1:11", "1e-3:1:7log", or at random "normal:1:0.1"; then
    ``draws`` says how often, with ``seed``. ``folder``: where results go, without it one that goes with the sweep. Other
    threads of Python wait meanwhile.
    """
    core = _core.Sweep(model)
    for name, values in vary.items():
        text = values if isinstance(values, str) else ",".join(flow(v) for v in np.asarray(values).tolist())
        core.vary(f"{name}={text}")
    if draws is not None:
        core.sample(int(draws), int(seed), bool(independent))
    kept = None if folder is not None else _Folder()
    place = os.fspath(folder) if folder is not None else kept.path
    core.prepare(place)
    with watching(progress) as tell:
        core.run(jobs or os.cpu_count() or 1, bool(reduced), float(until or 0), tell)
    return Sweep(core, place, kept)
