"""Models: the user's description of a system."""
import inspect
import json
import os
from collections.abc import MutableMapping
from types import MappingProxyType

from . import _core
from ._errors import InputError
from ._objects import NotPickled, listed
from ._progress import watching
from ._text import Report, document, flow

SECTIONS = ("parameters", "materials", "sections", "meshes", "bodies", "joints", "loads", "heat", "piezo", "controllers",
            "probes", "events", "designs", "initial", "analysis", "output", "orbit")


class _List(tuple):
    """A list of a model. It cannot be changed in place; equal to lists and tuples with the same items."""

    def __eq__(self, other):
        return tuple.__eq__(self, tuple(other)) if isinstance(other, (list, tuple)) else NotImplemented

    __hash__ = tuple.__hash__


def _constant(value):
    """A value of a model without parts that can be changed in place."""
    if isinstance(value, dict):
        return MappingProxyType({k: _constant(v) for k, v in value.items()})
    return _List(map(_constant, value)) if isinstance(value, list) else value


class Entry(NotPickled, MutableMapping):
    """A section of a model or one of its entries: a dict that reads and changes the model.

    >>> import gossamer as gos
    >>> model = gos.Model({"bodies": {"hub": {"type": "rigid", "mass": 2, "inertia": [1, 1, 1]}}})
    >>> model.bodies["hub"]["mass"] = "2*m"
    >>> model.bodies["hub"]
    {'type': 'rigid', 'mass': '2*m', 'inertia': [1, 1, 1]}
    >>> model.bodies["wheel"] = model.bodies["hub"]
    >>> del model.bodies["hub"]
    >>> list(model.bodies)
    ['wheel']
    """

    __slots__ = ("_model", "_path")
    _remedy = "send its to_dict()"

    def __init__(self, model, path):
        self._model, self._path = model, path

    def to_dict(self):
        """A copy as dict."""
        value = self._model._value(self._path)
        if value is None and "." not in self._path:
            return {}  # a section without entries
        if not isinstance(value, dict):
            raise KeyError(f"the model has no entry {self._path!r} any more")
        return value

    def _below(self, key):
        if not isinstance(key, str):
            raise TypeError(f"keys of a model are strings, not {key!r}")
        if not key or "." in key:
            raise KeyError(f"{key!r} is not a key of {self._path}: keys are not empty and have no dots")
        return f"{self._path}.{key}"

    def __getitem__(self, key):
        path, entries = self._below(key), self.to_dict()
        if key not in entries:
            raise KeyError(f"{self._path} has no {key!r}; it has {listed(entries)}")
        return Entry(self._model, path) if isinstance(entries[key], dict) else _constant(entries[key])

    def __setitem__(self, key, value):
        self._model.set(self._below(key), value)

    def __delitem__(self, key):
        self[key]
        self._model.remove(self._below(key))

    def __iter__(self):
        return iter(self.to_dict())

    def __len__(self):
        return len(self.to_dict())

    def __repr__(self):
        return repr(self.to_dict())

    __hash__ = None


class Model(NotPickled, _core.Model):
    """A model, read from a file or text or built by calls.

    ``Model()`` is empty; ``Model({...})`` is made from a dict with the structure of a model file. See :func:`load` for files
    and texts. Entries are read, set and deleted by sections (:class:`Entry`) or by paths. Models with the same entries and
    functions are equal; ``model.copy()`` is independent.

    >>> import gossamer as gos
    >>> model = gos.Model({"name": "one mass"})
    >>> model.bodies["hub"] = {"type": "rigid", "mass": 2, "inertia": [1, 1, 1]}
    >>> model["bodies.hub.mass"] = 3.5
    >>> model["bodies.hub.mass"], model.bodies["hub"]["mass"]
    (3.5, 3.5)
    >>> other = model.copy()
    >>> del other.bodies["hub"]
    >>> other == model, list(model.bodies)
    (False, ['hub'])
    >>> model.check().bodies
    1
    """

    _remedy = "send to_dict() and use Model(...) there, or send the path of its file"

    def __new__(cls, entries=None, *, folder="."):
        if entries is None:
            return super().__new__(cls)
        return super().__new__(cls, text=document(entries), name="model", folder=folder)

    def __repr__(self):
        return f"<Model {self.name!r}>"

    def __getattr__(self, name):
        if name in SECTIONS:
            return Entry(self, name)
        raise AttributeError(f"a model has no {name!r}; its sections are {', '.join(SECTIONS)}")

    def __setattr__(self, name, value):
        if name in SECTIONS:
            self.set(name, value)
        else:
            super().__setattr__(name, value)

    def __dir__(self):
        return list(super().__dir__()) + list(SECTIONS)

    def set(self, path, value):
        """Set or replace the entry at a dotted path. A single word that is a declared parameter sets ``parameters.WORD``.
        Values are numbers, strings (expressions), lists, arrays, dicts and entries of models."""
        super().set(path, flow(value))

    __setitem__ = set

    def _value(self, path):
        """The entry at a dotted path (None: all) as Python objects; None if it does not exist."""
        try:
            return json.loads(super().json(path))
        except InputError:
            return None

    def _path(self, path):
        """The path of an entry; a single word may be a parameter."""
        if not isinstance(path, str):
            raise TypeError(f"the path of an entry is a string like 'bodies.rod', not {path!r}")
        for full in (path,) if "." in path else (path, "parameters." + path):
            if super().get(full) is not None:
                return full
        above = path.rpartition(".")[0]
        while above and not isinstance(self._value(above), dict):
            above = above.rpartition(".")[0]
        there = f"{above} has {listed(self._value(above))}" if above else f"it has {listed(self)}"
        raise KeyError(f"the model has no entry {path!r}; {there}")

    def __getitem__(self, path):
        """The entry at a dotted path: a number, text, list, true or false, None, or an :class:`Entry`."""
        path = self._path(path)
        value = self._value(path)
        return Entry(self, path) if isinstance(value, dict) else _constant(value)

    def __delitem__(self, path):
        super().remove(self._path(path))

    def __contains__(self, path):
        try:
            return self._path(path) is not None
        except KeyError:
            return False

    def __iter__(self):
        return iter(self.to_dict())

    def keys(self):
        """Names of the sections and settings that the model has."""
        return self.to_dict().keys()

    def get(self, path, default=None):
        """The entry at a dotted path, or the default."""
        return self[path] if path in self else default

    def to_dict(self):
        """The model as a dict, in the order of its file. ``Model(model.to_dict())`` has the same entries."""
        return self._value(None)

    def _functions(self):
        """Functions and control laws given by calls, by name."""
        return self.__dict__.setdefault("_given", {})

    def __eq__(self, other):
        if not isinstance(other, Model):
            return NotImplemented
        return self.to_dict() == other.to_dict() and self._functions() == other._functions()

    __hash__ = None

    def copy(self):
        """An independent copy with the same functions."""
        copy = super()._copy()
        copy._functions().update(self._functions())
        return copy

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

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
        self._functions()["call", name] = (function, derivative, probes)

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
        law = (n, signals, inputs, float(period), float(delay))
        super().law(name, *law, arrays)
        self._functions()["law", name] = law + tuple(None if x is None else x.tobytes() for x in arrays)

    def check(self):
        """Check the model. Raises an :class:`InputError` with a message for each error, otherwise returns the sizes of the
        model, displayed as a table."""
        with watching(None, "checking the model"):
            sizes = super().check()
        return Report({k: (v, "") for k, v in sizes.items()}, f"model {self.name}: no errors")

    def system(self, reduced=False, threads=1, limit=0):
        """Compile the model to a :class:`System`. ``reduced``: to the reduced system, as ``gossamer run --reduced`` does.
        ``limit``: maximum number of unknowns (0: 12 million)."""
        from .system import System

        with watching(None, "compiling the model"):
            full = System(super().compile(bool(reduced), int(threads), float(limit)))
        if reduced and not (full.sizes["reduced"] and full.sizes["points"] == 0):
            return full.reduce(threads=threads)
        return full

    compile = system

    def run(self, reduced=False, path=None, **how):
        """Compile and run the model: ``model.system(reduced).run(path, ...)``, see :meth:`System.run`."""
        return self.system(reduced).run(path, **how)


def load(source, *, folder=None, **parameters):
    """A model from a file (a path), from YAML text (a string of several lines), or from a dict. Keywords set parameters that the
    model declares.

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
        if name not in model.parameters:
            raise KeyError(f"the model has no parameter {name!r}; it has {listed(model.parameters)}")
        model.parameters[name] = value
    return model
