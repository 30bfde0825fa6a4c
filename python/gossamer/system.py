"""Compiled systems, states and time stepping."""
import numbers
import os

import numpy as np

from . import _core
from ._objects import Constant, NotPickled
from ._progress import watching
from ._text import Report
from .results import Mesh, Record, Run, _Folder

# numbers of the words of options: {"analysis": {"dynamic": 0, ...}, ...}
_WORDS = {"analysis" if key == "type" else key: {word: number for word, *_, number in values}
          for section, *_, keys in _core.types() if section == "analysis" for key, *_, values in keys if values}


def _options(options):
    """Options with words of choices replaced by their numbers."""
    made = {}
    for name, value in options.items():
        if isinstance(value, str):
            words = _WORDS.get(name)
            if words is None or value not in words:
                raise ValueError(f"{name}: " + (f"must be one of {', '.join(words)}, not {value!r}" if words else
                                                f"must be a number, not {value!r}"))
            value = words[value]
        elif not isinstance(value, (bool, numbers.Real)):
            raise TypeError(f"{name}: must be a number, not {value!r}")
        elif name in _WORDS and value not in _WORDS[name].values():
            raise ValueError(f"{name}: must be one of {', '.join(_WORDS[name])}, not {value!r}")
        made[name] = value
    return made


def _find(name, names, what):
    if name not in names:
        raise KeyError(f"there is no {what} {name!r}; there are {', '.join(names) or 'none'}")
    return names[name]


class System(Constant):
    """A compiled model, immutable. May be used by several states, runs and threads at the same time."""

    _remedy = "send its model's to_dict() and compile it there"

    def __init__(self, core):
        if not isinstance(core, _core.System):
            raise TypeError("a system is made by Model.system()")
        self._core = core
        self._probes = {p["name"]: i for i, p in enumerate(core.probes)}
        self._inputs = {name: i for i, (name, _) in enumerate(core.inputs)}
        self._coordinates = None

    @property
    def name(self):
        """Name of the model."""
        return self._core.name

    @property
    def text(self):
        """Text of the model including settings."""
        return self._core.text

    @property
    def sizes(self):
        """Numbers of entries and unknowns; displayed as a table."""
        return Report({k: (v, "") for k, v in self._core.sizes.items()})

    @property
    def options(self):
        """Solution options: ``analysis`` of the model with defaults. :meth:`run` and :meth:`stepper` accept each as a
        keyword."""
        return self._core.options

    @property
    def probes(self):
        """Probes (outputs): dicts by name."""
        return {p["name"]: p for p in self._core.probes}

    @property
    def inputs(self):
        """Inputs and their units."""
        return dict(self._core.inputs)

    @property
    def coordinates(self):
        """Names of coordinates and their numbers of components."""
        return {name: n for name, _, n in self._core.coordinates}

    @property
    def events(self):
        """Events, limits of signals: (name, limit, whether the run ends there)."""
        return self._core.events

    @property
    def mesh(self):
        """Nodes and cells, a :class:`Mesh`."""
        return Mesh(self._core.mesh)

    @property
    def report(self):
        """Report of the reduction and its error; displayed as a table. Empty for systems that are not reduced."""
        items = self._core.reduction
        return Report(items if items["number"][0] else {}, f"{self.name}, reduced")

    def run(self, path=None, *, until=None, progress=None, threads=1, **options):
        """Run the analysis and return its results, a :class:`Run`.

        ``path``: results file (HDF5); default: in a temporary folder that is deleted with the run. ``until``: end time [s]
        instead of the model's. ``progress``: True, False, a function of (fraction, seconds, text) that returns False to stop,
        or None: a bar on terminals and in notebooks. Further keywords are :attr:`options`, for example ``step=1e-3`` or
        ``integrator="bdf"``. Other Python threads continue during the run; Ctrl-C stops it.
        """
        folder = None
        if path is None:
            folder = _Folder()
            path = os.path.join(folder.path, "run.h5")
        until = 0.0 if until is None else float(until)
        if until < 0 or until != until:
            raise ValueError("until must be a time > 0")
        before = os.stat(path) if os.path.exists(path) else None
        try:
            with watching(progress, "run") as tell:
                self._core.run(path, _options(options), until, tell, int(threads))
        except (Exception, KeyboardInterrupt) as error:
            try:
                after = os.stat(path)
                if before is None or (after.st_ino, after.st_mtime_ns) != (before.st_ino, before.st_mtime_ns):
                    error.partial = Run(path, folder)
            except Exception:
                pass  # no results; raise the first error
            raise
        return Run(path, folder)

    def record(self, *, until=None, progress=None, threads=1, **options):
        """Run the analysis and keep its results in memory: a :class:`Record`. Keywords as for :meth:`run`.

        For many short runs without files. Reports and pictures need a file. The exception of a failed or interrupted run has
        its results so far as ``partial``.
        """
        until = 0.0 if until is None else float(until)
        if until < 0 or until != until:
            raise ValueError("until must be a time > 0")
        with watching(progress, "run") as tell:
            try:
                return Record(self, self._core.record(_options(options), until, tell, int(threads)))
            except BaseException as error:
                parts = error.__dict__.pop("_computed", None)
                error.partial = None if parts is None else Record(self, parts)
                raise

    def reduce(self, progress=None, threads=1, runs=0, compare=True):
        """The reduced system defined by ``reduction`` of the model; see its ``report`` for sizes and error.

        ``runs``: the number of runs that it will serve, which limits the work of the reduction; 0: unknown. ``compare``:
        methods of given order run the analysis in full and reduced, so that the error is known. ``report.refused`` is the
        reason not to use the model (unknown error, missed tolerance, more costly than the full model), or empty.
        """
        if not runs >= 0:
            raise ValueError("runs must be a number of runs, or 0 if it is unknown")
        with watching(progress, "reduction") as tell:
            return System(self._core.reduce(tell, int(threads), float(runs), bool(compare)))

    def save_reduced(self, path):
        """Store the reduction of this system, for :meth:`load_reduced` with other loads, and for the program."""
        self._core.rom_save(path)

    def load_reduced(self, path):
        """This system with a stored reduction."""
        return System(self._core.rom_load(path))

    def state(self):
        """The initial state, a :class:`State`."""
        return State(self, self._core.state())

    def equations(self):
        """The equations of the system, for evaluation of residuals and Jacobians."""
        return Equations(self)

    def stepper(self, inputs=(), outputs=(), *, state=None, ramp=False, **options):
        """A :class:`Stepper` for stepping in a loop."""
        return Stepper(self, inputs, outputs, state=state, ramp=ramp, **options)

    def linearise(self, state=None, *, at=None, equilibrium=False, **options):
        """The linear model at a state; without one at the initial state, at the state of the analysis at time ``at`` [s], or
        at the static ``equilibrium`` (with spin_x, ...: the steady rotation)."""
        from .linear import LinearModel

        with watching(None, "linearisation"):
            if state is not None:
                return LinearModel(self._core.linearise(_state(state)._core))
            kind, time = (2, 0.0) if equilibrium else (0, 0.0) if at is None else (1, float(at))
            return LinearModel(self._core.linearise(self._core.state(), kind, _options(options), time))

    def modes(self, n=10, *, damped=False, **where):
        """The n lowest modes, as computed by ``gossamer modes``; keywords as for :meth:`linearise`."""
        return self.linearise(**where).modes(n, damped=damped)

    def __repr__(self):
        s = self._core.sizes
        kind = "reduced" if s["reduced"] else "full"
        return f"<System {self.name!r}: {kind}, {s['coordinates']} coordinates, {s['temperatures']} temperatures>"


def _state(state):
    if not isinstance(state, State):
        raise TypeError(f"a State is needed, not {type(state).__name__}")
    return state


class _Inputs:
    """Inputs of a state by name."""

    __slots__ = ("_state",)

    def __init__(self, state):
        self._state = state

    def __getitem__(self, name):
        return self._state._core.input(_find(name, self._state.system._inputs, "input"))

    def __setitem__(self, name, value):
        self._state._core.set_input(_find(name, self._state.system._inputs, "input"), float(value))

    def __iter__(self):
        return iter(self._state.system._inputs)

    def __len__(self):
        return len(self._state.system._inputs)

    def __repr__(self):
        return repr({name: self[name] for name in self})


class State(NotPickled):
    """Complete state of a system. ``state["tip"]`` is the value of a probe, ``state.rate("tip")`` its rate,
    ``state.inputs["torque"] = 2`` sets an input from this time on."""

    _remedy = "send values of its coordinates"

    def __init__(self, system, core):
        self.system, self._core = system, core

    @property
    def time(self):
        """Time [s]."""
        return self._core.time

    @property
    def inputs(self):
        """Values of inputs by name. Values that are set remain constant."""
        return _Inputs(self)

    def set_input(self, name, value, until=None):
        """Set an input at once, or linearly until a time [s]."""
        self._core.set_input(_find(name, self.system._inputs, "input"), float(value), until)

    def __getitem__(self, name):
        value = np.asarray(self._core.probe(_find(name, self.system._probes, "probe"))[0])
        return float(value[0]) if len(value) == 1 else value

    def rate(self, name):
        """Time derivative of a probe."""
        rate = np.asarray(self._core.probe(_find(name, self.system._probes, "probe"))[1])
        return float(rate[0]) if len(rate) == 1 else rate

    def _coordinate(self, name):
        if self.system._coordinates is None:
            self.system._coordinates = {c[0]: i for i, c in enumerate(self.system._core.coordinates)}
        if name not in self.system._coordinates:
            raise KeyError(f"there is no coordinate {name!r}; System.coordinates lists them")
        return self.system._coordinates[name]

    def coordinate(self, name):
        """Value and rate of a coordinate, for example "rod.node(3).position"."""
        value, rate = self._core.coordinate(self._coordinate(name))
        return np.asarray(value), np.asarray(rate)

    def set_coordinate(self, name, value=None, rate=None):
        """Set value and rate of a coordinate; then call :meth:`settle` to satisfy the constraints."""
        def numbers(x):
            return None if x is None else np.ascontiguousarray(np.atleast_1d(x), dtype=float)

        self._core.set_coordinate(self._coordinate(name), numbers(value), numbers(rate))

    def settle(self):
        """Project the state onto the constraints with the smallest change. Returns the change."""
        return self._core.settle()

    def equilibrium(self, **options):
        """Solve for the static equilibrium at the time of the state. Returns statistics of the solution."""
        with watching(None, "equilibrium"):
            return self._core.equilibrium(_options(options))

    @property
    def energy(self):
        """Energies [J]."""
        return self._core.balance()[0]

    @property
    def heat(self):
        """Heat [J]."""
        return self._core.balance()[1]

    @property
    def momentum(self):
        """Linear [kg m/s] and angular momentum about the origin [kg m^2/s]."""
        p, h = self._core.momentum()
        return np.array(p), np.array(h)

    @property
    def positions(self):
        """Positions of nodes (nodes, 3) [m]."""
        return np.asarray(self._core.nodes()[0])

    @property
    def temperatures(self):
        """Mean temperatures of nodes (nodes) [K above the reference]."""
        return np.asarray(self._core.nodes()[2])

    def copy(self):
        """A copy of the state."""
        return State(self.system, self._core.copy())

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def assign(self, other):
        """Assign the values of another state of the same system."""
        self._core.assign(_state(other)._core)

    def __repr__(self):
        return f"<State of {self.system.name!r} at {self.time:.6g} s>"


class SparseMatrix:
    """A sparse matrix in compressed columns, like scipy.sparse.csc_matrix: ``shape``, ``indptr``, ``indices``, ``data``."""

    def __init__(self, shape, indptr, indices, data):
        self.shape, self.indptr, self.indices, self.data = shape, indptr, indices, data

    def toarray(self):
        """The dense array."""
        full = np.zeros(self.shape)
        columns = np.repeat(np.arange(self.shape[1]), np.diff(self.indptr)) if len(self.indptr) else []
        full[self.indices, columns] = self.data
        return full

    @property
    def nnz(self):
        """Number of stored entries."""
        return len(self.data)

    def __repr__(self):
        return f"<sparse matrix {self.shape[0]} x {self.shape[1]}, {self.nnz} entries>"


def sparse(rows, columns, start, row, value):
    """A matrix in compressed columns, of scipy.sparse if installed."""
    start, row, value = np.asarray(start), np.asarray(row), np.asarray(value)
    if len(start) == 0:
        start = np.zeros(columns + 1, np.int32)
    try:
        from scipy.sparse import csc_matrix
    except ImportError:
        return SparseMatrix((rows, columns), start, row, value)
    return csc_matrix((value, row, start), shape=(rows, columns))


class Equations(Constant):
    """The equations of a system (theory guide) in the order force rows, heat rows, constraints.

    Each call takes a state; ``t``, ``q``, ``v``, ``a``, ``T``, ``Td``, ``lam``, ``lam_T`` override its values.
    """

    _remedy = "send its residuals and Jacobians"
    _NAMES = ("q", "v", "a", "T", "Td", "lam", "lam_T")

    def __init__(self, system):
        if not isinstance(system, System):
            raise TypeError(f"a System is needed, not {type(system).__name__}")
        self.system = system
        self._core = _core.Equations(system._core)

    def at(self, state):
        """Values of a state: arrays by name."""
        got = self._core.at(_state(state)._core)
        point = {name: np.asarray(x) for name, x in zip(self._NAMES, got[1:])}
        return {"t": got[0], **point}

    def _point(self, point):
        t = point.pop("t", None)
        wrong = set(point) - set(self._NAMES)
        if wrong:
            raise TypeError(f"keywords are t, {', '.join(self._NAMES)}, not {', '.join(sorted(wrong))}")
        return tuple(None if point.get(n) is None else np.ascontiguousarray(point[n], float) for n in self._NAMES), t

    def residual(self, state, **point):
        """The residual (n)."""
        arrays, t = self._point(point)
        return np.asarray(self._core.residual(_state(state)._core, arrays, t))

    def jacobian(self, state, by_rate=0.0, by_acceleration=0.0, **point):
        """Derivative of the residual with respect to (q, T, lam, lam_T), plus by_rate times that with respect to (v, Td),
        plus by_acceleration times that with respect to a: a scipy.sparse matrix, or a :class:`SparseMatrix` without scipy."""
        arrays, t = self._point(point)
        n, start, row, value = self._core.jacobian(_state(state)._core, arrays, t, float(by_rate), float(by_acceleration))
        if start is None:
            full = np.asarray(value).reshape(n, n)  # column by column
            row, col = np.nonzero(full.T)
            order = np.lexsort((row, col))
            row, col = row[order], col[order]
            start = np.searchsorted(col, np.arange(n + 1)).astype(np.int32)
            return sparse(n, n, start, row.astype(np.int32), full.T[row, col])
        return sparse(n, n, start, row, value)


class Stepper(NotPickled, _core.Stepper):
    """Time stepping in a loop, with inputs and outputs.

    ``inputs``: names of inputs; ``outputs``: probes or their components, "tip" or "tip.y", with an apostrophe their rates:
    "angle'". Their values are the arrays ``u`` and ``y``. Write to ``u`` (NaN: the model determines the input) or pass the
    inputs to ``step(h, *inputs)`` or ``advance(t, *inputs)``, which return ``y``, always the same array. Inputs are constant
    during a step; with ``ramp`` they change linearly and reach the given values at its end. The step is subdivided by error
    control; with the option ``step=`` the substeps are fixed.

    >>> import gossamer as gos
    >>> model = gos.load('''
    ... bodies: {cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}}
    ... loads: {push: {type: force, on: cart, value: [0, 0, 0]}}
    ... probes: {place: {at: cart, quantity: position}}
    ... analysis: {end: 10, step: 0.01}
    ... ''')
    >>> run = model.system().stepper(inputs=["push.x"], outputs=["place.x", "place.x'"])
    >>> for k in range(100):
    ...     y = run.step(0.01, 4.0)
    >>> print(f"{run.time:.2f} s: {y[0]:.4f} m, {y[1]:.4f} m/s")
    1.00 s: 1.0000 m, 2.0000 m/s
    """

    _remedy = "save() is a state from which restore() continues"

    def __new__(cls, system, inputs=(), outputs=(), *, state=None, ramp=False, **options):
        if not isinstance(system, System):
            raise TypeError(f"a System is needed, not {type(system).__name__}")
        inputs = (inputs,) if isinstance(inputs, str) else tuple(inputs)
        outputs = (outputs,) if isinstance(outputs, str) else tuple(outputs)
        state = system.state() if state is None else _state(state)
        numbers = tuple(_find(name, system._inputs, "input") for name in inputs)
        names, wanted = [], []
        for name in outputs:
            for full, probe, component, rate in _outputs(system, name):
                names.append(full)
                wanted.append((probe, component, rate))
        self = super().__new__(cls, system._core, state._core, _options(options), numbers, tuple(wanted), ramp)
        self.system, self.state, self.inputs, self.outputs = system, state, inputs, tuple(names)
        self.u, self.y = np.asarray(self._u), np.asarray(self._y)
        self.y.flags.writeable = False
        self._answer(self.y)
        return self

    def __init__(self, *_, **__):
        pass

    @property
    def events(self):
        """Events since the last access: (name, time, rising)."""
        names = [e[0] for e in self.system.events]
        return [(names[i], t, rising) for i, t, rising in self._events()]

    @property
    def statistics(self):
        """Counts of steps and iterations."""
        return self._statistics

    def save(self):
        """A state from which :meth:`restore` continues with identical bits."""
        self._keep()
        return self.state.copy()

    def __copy__(self):
        raise TypeError(f"a Stepper cannot be copied: {self._remedy}")

    def __deepcopy__(self, memo):
        return self.__copy__()

    def restore(self, state):
        """Continue from a saved state, or from any state of the system. Returns the outputs there."""
        return self._restore(_state(state)._core)

    def __repr__(self):
        return f"<Stepper of {self.system.name!r} at {self.time:.6g} s, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"


def _outputs(system, name):
    """(full name, probe, component, rate) of each component selected by an output name."""
    if not isinstance(name, str):
        raise TypeError(f"an output name must be a string, not {name!r}")
    rate = name.endswith("'")
    plain = name[:-1] if rate else name
    probes = system._core.probes
    probe, dot, component = plain.rpartition(".")
    if plain in system._probes:
        i = system._probes[plain]
        many = len(probes[i]["components"]) > 1
        return [((f"{plain}.{c}" if many else plain) + ("'" if rate else ""), i, k, rate)
                for k, c in enumerate(probes[i]["components"])]
    if dot and probe in system._probes:
        i = system._probes[probe]
        if component in probes[i]["components"]:
            return [(name, i, probes[i]["components"].index(component), rate)]
        raise KeyError(f"{probe} has the components {', '.join(probes[i]['components'])}, not {component!r}")
    raise KeyError(f"there is no probe {plain!r}; there are {', '.join(system._probes) or 'none'}")
