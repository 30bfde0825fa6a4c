"""Models: the user's description of a system."""
import inspect
import os

from . import _core
from ._text import Report, document, flow

SECTIONS = ("parameters", "materials", "sections", "meshes", "bodies", "joints", "loads", "heat", "piezo", "controllers",
            "probes", "events", "designs")


class Section:
    """A section of a model; sets entries: ``model.bodies["rod"] = {...}``."""

    def __init__(self, model, name):
        self._model, self._name = model, name

    def __setitem__(self, key, entry):
        self._model.set(f"{self._name}.{key}", entry)

    def __repr__(self):
        return f"<section {self._name} of {self._model!r}>"


class Model(_core.Model):
    """A model, read from a file or text or built by calls.

    ``Model()`` is empty; ``Model({...})`` is made from a dict with the structure of a model file. See :func:`load` for files
    and texts. Entries are set by sections or by paths:

    >>> import gossamer as gos
    >>> model = gos.Model({"name": "one mass"})
    >>> model.bodies["hub"] = {"type": "rigid", "mass": 2, "inertia": [1, 1, 1]}
    >>> model["bodies.hub.mass"] = 3.5
    >>> model["bodies.hub.mass"]
    '3.5'
    >>> model.check().bodies
    1
    """

    def __new__(cls, entries=None, *, folder="."):
        if entries is None:
            return super().__new__(cls)
        return super().__new__(cls, text=document(entries), name="model", folder=folder)

    def __repr__(self):
        return f"<Model {self.name!r}>"

    def __getattr__(self, name):
        if name in SECTIONS:
            return Section(self, name)
        raise AttributeError(f"a model has no {name!r}")

    def __dir__(self):
        return list(super().__dir__()) + list(SECTIONS)

    def set(self, path, value):
        """Set or replace the entry at a dotted path. A single word that is a declared parameter sets ``parameters.WORD``.
        Values are numbers, strings (expressions), lists, arrays and dicts."""
        super().set(path, flow(value))

    __setitem__ = set

    def __getitem__(self, path):
        """The text of the scalar at a dotted path, as written in the model."""
        text = super().get(path)
        if text is None:
            raise KeyError(path)
        return text

    def callback(self, name, function, derivative=None, probes=None):
        """Define ``{call: NAME, of: [probes]}`` in the model as ``function(t, y1, y2, ...)``. The function must be
        deterministic. ``derivative``: the same arguments, returns the sequence of derivatives with respect to each y; without
        it finite differences are used. ``probes``: number of y, if it cannot be derived from the function's signature.
        An exception in the function ends the run and is raised by it."""
        if probes is None:
            try:
                parameters = inspect.signature(function).parameters.values()
            except (TypeError, ValueError):
                raise TypeError("give the number of probes of the function by probes=") from None
            if any(p.kind is p.VAR_POSITIONAL for p in parameters):
                raise TypeError("give the number of probes of the function by probes=")
            probes = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters) - 1
        super().callback(name, function, probes, derivative)

    def law(self, name, *, signals, inputs, A=None, B=None, C=None, D=None, E=None, y0=None, u0=None, limit=None, period=0.0,
            delay=0.0):
        """Set the law of the controller ``name`` (type ``given``), continuous or sampled with ``period`` [s]:
        x' = A x + B (y - y0) + E (v - u0), u = u0 + C x + D (y - y0), where v is u saturated at ``limit``."""
        import numpy as np

        signals, inputs = tuple(signals), tuple(inputs)
        n = 0 if A is None else len(np.atleast_2d(np.asarray(A, float)))

        def columns(x, rows, cols, what):
            if x is None:
                return None
            x = np.asarray(x, float).reshape(rows, cols) if np.size(x) == rows * cols else None
            if x is None:
                raise ValueError(f"{what} must be {rows} x {cols}")
            return np.ascontiguousarray(x.T)

        ny, nu = len(signals), len(inputs)
        arrays = (columns(A, n, n, "A"), columns(B, n, ny, "B"), columns(E, n, nu, "E"), columns(C, nu, n, "C"),
                  columns(D, nu, ny, "D"), columns(y0, ny, 1, "y0"), columns(u0, nu, 1, "u0"), columns(limit, nu, 1, "limit"))
        super().law(name, n, signals, inputs, float(period), float(delay), arrays)

    def check(self):
        """Check the model. Raises an :class:`InputError` with a message for each error, otherwise returns the sizes of the
        model, displayed as a table."""
        return Report({k: (v, "") for k, v in super().check().items()}, f"model {self.name}: no errors")

    def system(self, reduced=False, threads=1, limit=0):
        """Compile the model to a :class:`System`. ``reduced``: to the reduced system, as ``gossamer run --reduced`` does.
        ``limit``: maximum number of unknowns (0: 12 million)."""
        from .system import System

        full = System(super().compile(bool(reduced), int(threads), float(limit)))
        if reduced and not (full.sizes["reduced"] and full.sizes["points"] == 0):
            return full.reduce(threads=threads)
        return full

    compile = system

    def run(self, reduced=False, path=None, **how):
        """Compile and run the model: ``model.system(reduced).run(path, ...)``, see :meth:`System.run`."""
        return self.system(reduced).run(path, **how)


def load(source, *, folder=None, **parameters):
    """A model from a file (a path), from YAML text (a string of several lines), or from a dict. Keywords set parameters.

    >>> import gossamer as gos
    >>> model = gos.load('''
    ... name: falling
    ... parameters: {m: 2}
    ... bodies:
    ...   stone: {type: rigid, mass: m, inertia: [1, 1, 1]}
    ... gravity: [0, 0, -9.81]
    ... ''', m=3)
    >>> model.system().sizes["mass"]
    3.0
    """
    if isinstance(source, dict):
        model = Model(source, folder=folder or ".")
    elif isinstance(source, str) and "\n" in source:
        model = _core.Model.__new__(Model, text=source, name="model", folder=folder or ".")
    elif isinstance(source, (str, bytes, os.PathLike)):
        model = _core.Model.__new__(Model, path=source)
    else:
        raise TypeError(f"a model is read from a path, a text or a dict, not from {type(source).__name__}")
    for name, value in parameters.items():
        model.set(f"parameters.{name}", value)
    return model
