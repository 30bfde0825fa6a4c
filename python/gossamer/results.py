"""Results of runs."""
import os
import shutil
import tempfile
import weakref

import numpy as np

from . import _core, plots
from ._objects import ArrayLike, Constant, NotPickled, listed, optional, whole
from ._progress import watching
from ._text import Table


class Series(ArrayLike):
    """Time history of a probe, used like the array of its ``values``: (times, components), for scalars (times,).

    ``t``: times [s]; ``rates``: time derivatives, NaN where none are stored (reactions, energies, accelerations); ``unit`` (one for all components, or one each: "K, K/m"), ``quantity`` and
    ``components``. A component is an attribute and a key with its name: ``tip.x``, ``tip["x"]``. Arrays are read-only memory
    of the library.
    """

    def __init__(self, info, time, values, rates, at):
        self.name, self.quantity, self.unit = info["name"], info["quantity"], info["unit"]
        self.components = info["components"]
        self.t = time
        rates = rates if info["rates"] else np.full_like(values, np.nan)
        scalar = len(self.components) == 1
        self.values = values[:, 0] if scalar else values
        self.rates = rates[:, 0] if scalar else rates
        self._at = at

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self.components:
                raise KeyError(f"{self.name} has the components {', '.join(self.components)}, not {key!r}")
            return self.values if self.values.ndim == 1 else self.values[:, self.components.index(key)]
        return self.values[key]

    def __getattr__(self, name):
        own = self.__dict__.get("components", ())
        if name in own:
            return self[name]
        kind = "is a scalar" if len(own) == 1 else f"has the components {', '.join(own)}"
        raise AttributeError(f"{self.__dict__.get('name')} {kind}; there is no {name!r}. All values are .values, their times .t")

    def __dir__(self):
        return list(super().__dir__()) + [c for c in self.components if c.isidentifier()]

    def at(self, t):
        """Value at a time, or at each of several times, interpolated between stored values."""
        if np.ndim(t) == 0:
            value = self._at(float(t))
            return value[0] if self.values.ndim == 1 else value
        return np.array([self.at(x) for x in np.asarray(t, float)])

    @property
    def labels(self):
        """Names of the columns: "tip.x", or "height" for a scalar."""
        return tuple(f"{self.name}.{c}" for c in self.components) if self.values.ndim == 2 else (self.name,)

    def to_pandas(self):
        """A pandas.DataFrame with the times as index and a column for each of ``labels``."""
        frame = optional("pandas", "python3-pandas", "to_pandas").DataFrame
        columns = np.array(self.values).reshape(len(self), -1)
        made = frame(columns, index=np.array(self.t), columns=list(self.labels))
        made.index.name = "t"
        made.attrs = {"quantity": self.quantity, "unit": self.unit}
        return made

    def to_xarray(self):
        """An xarray.DataArray with the coordinates ``t`` and, if there are several, ``component``."""
        array = optional("xarray", "python3-xarray", "to_xarray").DataArray
        coordinates = {"t": np.array(self.t), **({"component": list(self.components)} if self.ndim == 2 else {})}
        return array(np.array(self.values), coordinates, list(coordinates), self.name,
                     {"long_name": self.quantity, "units": self.unit})

    def plot(self, *, axes=None, **style):
        """Plot all components over time; see :meth:`Run.plot`."""
        return plots.histories([(self, "")], axes, style)

    def __repr__(self):
        return f"<{self.name}: {self.quantity} [{self.unit}], {', '.join(self.components)}, {len(self)} times>"


class Histories:
    """Base of results with time histories of probes by name."""

    def __getitem__(self, name):
        if name in self.names:
            return self._history(name)
        probe, _, component = name.rpartition(".") if isinstance(name, str) else ("", "", "")
        if probe in self.names:
            return self[probe][component]
        raise KeyError(f"there is no probe {name!r}; there are {listed(self.names)}")

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)

    def __bool__(self):
        return True

    def keys(self):
        """Names of the probes."""
        return self.names

    def values(self):
        """Series of all probes."""
        return [self[name] for name in self.names]

    def items(self):
        """Names and series of all probes."""
        return [(name, self[name]) for name in self.names]

    def _chosen(self, names):
        wrong = [n for n in names if n not in self.names]
        if wrong:
            raise KeyError(f"there is no probe {wrong[0]!r}; there are {listed(self.names)}")
        return [self[name] for name in names or self.names]

    def to_pandas(self, *names):
        """A pandas.DataFrame of these probes, or of all: a column for each component, the times as index."""
        pandas = optional("pandas", "python3-pandas", "to_pandas")
        made = pandas.concat([s.to_pandas() for s in self._chosen(names)], axis=1)
        made.attrs = {s.name: s.unit for s in self._chosen(names)}
        return made

    def to_xarray(self, *names):
        """An xarray.Dataset of these probes, or of all. Each vector has its own dimension of components."""
        xarray = optional("xarray", "python3-xarray", "to_xarray")
        arrays = {s.name: s.to_xarray() for s in self._chosen(names)}
        return xarray.Dataset({n: a.rename(component=f"{n}_component") if a.ndim == 2 else a for n, a in arrays.items()})

    def plot(self, *names, axes=None, **style):
        """Plot these probes, or all, over time: one pair of axes for each unit. ``axes``: draw into these instead; further
        keywords as of matplotlib. Returns a tuple of axes. Needs matplotlib.

        A name may be a component, "tip.x".
        """
        chosen = []
        for name in names or self.names:
            self[name]  # raises for unknown names
            probe, component = (name, "") if name in self.names else name.rsplit(".", 1)
            chosen.append((self[probe], component))
        return plots.histories(chosen, axes, style)


class Frame:
    """Nodal values at an output time: ``position``, ``displacement`` [m], ``velocity`` [m/s] (nodes, 3), ``temperature`` [K
    above the reference], ``temperature_rate`` [K/s] (nodes)."""

    def __init__(self, time, arrays):
        self.time = time
        self.position, self.displacement, self.velocity, self.temperature, self.temperature_rate = map(np.asarray, arrays)

    def __repr__(self):
        return f"<frame at {self.time:.6g} s, {len(self.position)} nodes>"


class Mesh:
    """Nodes of all bodies, numbered consecutively, and cells: ``nodes``, ``cell_offset``, ``cell_nodes``, ``cell_body``,
    ``bodies``, ``body_first_node``."""

    def __init__(self, items):
        self.nodes, self.bodies = items["nodes"], items["bodies"]
        for name in ("cell_offset", "cell_nodes", "cell_body", "body_first_node"):
            setattr(self, name, np.asarray(items[name]))

    @property
    def cells(self):
        """Node numbers of each cell."""
        return np.split(self.cell_nodes, self.cell_offset[1:-1]) if len(self.cell_body) else []

    def __repr__(self):
        return f"<mesh of {self.nodes} nodes, {len(self.cell_body)} cells, bodies {', '.join(self.bodies)}>"


class Run(Constant, Histories):
    """Results of a run: of :meth:`System.run`, or of a results file opened by :func:`open_run`.

    ``run["tip"]`` is the time history of a probe (:class:`Series`), ``run.time`` are the times, ``run.names`` all probes. A
    run is a mapping of its probes.
    Nodal fields are stored at the output times ``run.frame_times``: ``run.frame(k)``. Notebooks show the report of a run.
    """

    _remedy = "keep its file (run.save(path)) and open it there by open_run(path)"

    def __init__(self, path, folder=None):
        self._core = _core.results_open(path)
        self.path = os.fsdecode(path)
        self._index = {p["name"]: i for i, p in enumerate(self._core.probes)}
        self._series = {}
        self._folder = folder

    @property
    def info(self):
        """Model and its units, status, sizes, versions and statistics of the run."""
        return self._core.info

    @property
    def statistics(self):
        """Counts and wall times of the solution."""
        return self.info["statistics"]

    @property
    def complete(self):
        """Is the run complete?"""
        return self.info["complete"]

    @property
    def names(self):
        """Names of the probes."""
        return tuple(self._index)

    @property
    def time(self):
        """Times of the probes [s]."""
        return np.asarray(self._core.time)

    @property
    def frame_times(self):
        """Times of the fields [s]."""
        return np.asarray(self._core.frame_times)

    @property
    def mesh(self):
        """Nodes and cells, a :class:`Mesh`."""
        return Mesh(self._core.mesh)

    @property
    def events(self):
        """Events, limits crossed by signals: (name, time, rising)."""
        return self._core.events

    def _history(self, name):
        if name not in self._series:
            i = self._index[name]
            values, rates = self._core.probe(i)
            self._series[name] = Series(self._core.probes[i], self.time, np.asarray(values), np.asarray(rates),
                                        StoredSeries(self._core, i))
        return self._series[name]

    def frame(self, k=-1):
        """Nodal values at output time k (negative: from the end), a :class:`Frame`."""
        k = self._output(k)
        return Frame(float(self.frame_times[k]), self._core.frame(k))

    def _output(self, k):
        n, given = len(self.frame_times), whole(k, "the number of an output time")
        if not -n <= given < n:
            raise IndexError(f"there is no output time {given}; the run has {n}, see frame_times")
        return given % n

    @property
    def positions(self):
        """Positions of nodes at all output times (times, nodes, 3) [m]."""
        return np.array([self.frame(k).position for k in range(len(self.frame_times))])

    @property
    def temperatures(self):
        """Temperatures of nodes at all output times (times, nodes) [K above the reference]."""
        return np.array([self.frame(k).temperature for k in range(len(self.frame_times))])

    def field(self, name, k=-1):
        """A nodal field requested by the model (``output: {stress: true}``) at output time k (nodes, components)."""
        names = [f["name"] for f in self._core.fields]
        if name not in names:
            raise KeyError(f"there is no field {name!r}; there are {', '.join(names) or 'none'}")
        return np.asarray(self._core.field(names.index(name), self._output(k)))

    def _balances(self, which):
        rows = [self._core.balance(k)[which] for k in range(len(self.frame_times))]
        return {key: np.array([row[key] for row in rows]) for key in (rows[0] if rows else ())}

    @property
    def energy(self):
        """Energies and their balance at output times [J]: arrays by name."""
        return self._balances(0)

    @property
    def heat(self):
        """Heat and its balance at output times [J]: arrays by name."""
        return self._balances(1)

    def compare(self, other):
        """Compare ``other`` with this run, the reference: a :class:`Comparison`."""
        with watching(None, "comparing runs"):
            return Comparison(_core.compare(self._core, _run(other)._core))

    def report(self, *others, path=None):
        """HTML report of this run, and of other runs of the same model compared with it; returned as text, or written to
        ``path``."""
        with watching(None, "writing the report"):
            page = _core.report(tuple(os.fsencode(_run(r).path) for r in (self,) + others))
        if path is None:
            return page
        _write(path, page, *_PAGE)
        return path

    def view(self, against=None, path=None):
        """HTML page that shows the motion full-screen; returned as text, or written to ``path``.

        ``against``: another run of the same mesh; nodes can then be coloured by their distance from it.
        """
        with watching(None, "writing the view"):
            page = _core.view(*(os.fsencode(_run(r).path) for r in (self, against) if r is not None))
        if path is None:
            return page
        _write(path, page, *_PAGE)
        return path

    def picture(self, other=None):
        """Probe paths and deformed shapes as SVG, a :class:`Picture`; ``other`` is overlaid."""
        with watching(None, "drawing"):
            return Picture(_core.picture(self._core, *([_run(other)._core] if other is not None else [])))

    def write_vtu(self, path, t=None):
        """Write the mesh and its fields at a time (default: the last) as an unstructured grid for ParaView."""
        self._core.write_vtu(float(self.frame_times[-1]) if t is None else float(t), path)

    def save(self, path):
        """Copy the results file."""
        _core.copy_results(self.path, path)

    def _repr_html_(self):
        """The report with its scene, in an iframe."""
        import html

        return (f'<iframe srcdoc="{html.escape(self.report(), quote=True)}" style="width:100%;height:720px;border:0" '
                f'title="{html.escape(self.info["name"] or "run", quote=True)}"></iframe>')

    def __repr__(self):
        info = self.info
        return f"<Run of {info['name']!r}: {info['status']}, {info['rows']} times, probes {', '.join(self.names) or 'none'}>"


class Record(Histories):
    """A run in memory, made by :meth:`System.record`. ``record["tip"]`` is the time history of a probe (:class:`Series`),
    ``time`` are its times. Nodal values at ``frame_times``: ``positions`` [m], ``velocities`` [m/s] (times, nodes, 3),
    ``temperatures`` [K above the reference] (times, nodes), or (times, 0) without heat. Also ``events`` and
    ``statistics``. Records can be copied and pickled."""

    def __init__(self, system, parts):
        self.time, self.frame_times = (np.asarray(parts[name])[:, 0] for name in ("time", "frame_times"))
        self.positions, self.velocities, self.temperatures = (np.asarray(parts[name])
                                                              for name in ("positions", "velocities", "temperatures"))
        self.statistics = parts["statistics"]
        events = system._core.events
        self.events = tuple((events[int(i)][0], t, rising != 0) for i, t, rising in np.asarray(parts["events"]))
        values, rates, at = np.asarray(parts["values"]), np.asarray(parts["rates"]), 0
        self._series = {}
        for probe in system._core.probes:
            columns = slice(at, at + len(probe["components"]))
            at = columns.stop
            self._series[probe["name"]] = Series(probe, self.time, values[:, columns], rates[:, columns],
                                                 _Rows(self.time, values, rates, parts["starts"], columns, probe["rates"]))

    @property
    def names(self):
        """Names of the probes."""
        return tuple(self._series)

    def _history(self, name):
        return self._series[name]

    def __repr__(self):
        return f"<Record: {len(self.time)} times, probes {', '.join(self.names) or 'none'}>"


class StoredSeries(NotPickled):
    """Values of a probe of a results file between its times."""

    _remedy = "send its values and t"

    def __init__(self, core, probe):
        self.core, self.probe = core, probe

    def __deepcopy__(self, memo):
        return self

    def __call__(self, t):
        return np.asarray(self.core.probe_at(self.probe, t))


class _Rows:
    """Values of a probe of a record between its times, as for results files."""

    def __init__(self, time, values, rates, starts, columns, known):
        self.rows = [np.ascontiguousarray(x) for x in (time, values, rates, np.asarray(starts))]
        self.columns, self.known = columns, known

    def __call__(self, t):
        time = self.rows[0]
        if not time[0] <= t <= time[-1]:
            raise ValueError(f"{t:g} s is outside the run, {time[0]:g} to {time[-1]:g} s")
        rows = [x.view(np.uint8).reshape(-1).data if np.size(x) else b"" for x in self.rows]
        first, behind = self.columns.start, self.columns.stop
        return np.asarray(_core.record_at(*rows, first, behind - first, self.known, t))


def _run(run):
    if not isinstance(run, Run):
        raise TypeError(f"a Run is needed, not {type(run).__name__}")
    return run


# how a file begins, the mark of this program in it, what it is called
_PAGE = ("<!DOCTYPE html>", " - Gossamer</title>", "an HTML page of this program")
_PICTURE = ("<svg", "<!-- made by gossamer -->", "an SVG picture of this program")


def _write(path, text, magic, mark, kind):
    """Write a file; one that this program has not made is not replaced."""
    _core.write_text(os.fspath(path), text, magic, mark, kind)


class Picture(str):
    """A picture as SVG text; notebooks draw it."""

    def _repr_svg_(self):
        return str(self)

    def save(self, path):
        """Write the picture to a file."""
        _write(path, str(self), *_PICTURE)


class Comparison(dict):
    """Errors of a run relative to a reference, as printed by ``gossamer compare``: ``worst`` is the largest relative error,
    ``position`` and ``temperature`` are field errors, ``probes`` errors of probes. Displayed as a table."""

    @property
    def worst(self):
        """Largest relative error: of fields if the meshes are equal, otherwise of probes."""
        return self["worst"]

    @property
    def speed(self):
        """Solution time of the reference over that of the other run."""
        return self["time_a"] / self["time_b"] if self["time_b"] > 0 else float("nan")

    @property
    def table(self):
        """Errors of fields and probes."""
        rows = []
        for name in ("position", "temperature"):
            e = self[name]
            if self["same_mesh"] and (name == "position" or self["thermal"]):
                rows.append([name, e["max"], e["rms"], e["max"] / e["scale"] if e["scale"] > 0 else 0.0, ""])
        for p in self["probes"]:
            name = p["name"] + (f".{p['component']}" if p["component"] else "")
            rows.append([name, p["max"], p["rms"], p["max"] / p["scale"] if p["scale"] > 0 else 0.0, p["unit"]])
        return Table(("", "max", "rms", "relative", "unit"), rows)

    def __str__(self):
        return f"{self.table}\nsolved in {self['time_a']:.3g} s and {self['time_b']:.3g} s, {self.speed:.3g} times faster"

    __repr__ = __str__

    def _repr_html_(self):
        return self.table._repr_html_()


def open_run(path):
    """Open a results file of this package or of the program."""
    return Run(path)


class _Folder:
    """A temporary folder, deleted with the last reference to it."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="gossamer-")
        self._end = weakref.finalize(self, shutil.rmtree, self.path, True)
