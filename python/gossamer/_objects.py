"""Copies of objects, refused pickling, optional packages."""
import importlib
import operator

import numpy as np


class NotPickled:
    """Base of objects with memory of the library. Pickling is refused; ``_remedy`` states what to use instead."""

    __slots__ = ()
    _remedy = "send its arrays instead"

    def __reduce_ex__(self, protocol):
        raise TypeError(f"{type(self).__name__} objects cannot be pickled: {self._remedy}")


class Constant(NotPickled):
    """Base of immutable objects: a copy is the object itself."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ArrayLike(np.lib.mixins.NDArrayOperatorsMixin):
    """Base of named results: computes, compares and converts as the array ``values``."""

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype) if copy or dtype is not None else self.values

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        arrays = [x.values if isinstance(x, ArrayLike) else x for x in inputs]
        return getattr(ufunc, method)(*arrays, **kwargs)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __bool__(self):
        return bool(self.values)

    @property
    def shape(self):
        """Shape of ``values``."""
        return self.values.shape

    @property
    def ndim(self):
        """Number of dimensions of ``values``."""
        return self.values.ndim

    @property
    def size(self):
        """Number of ``values``."""
        return self.values.size

    @property
    def dtype(self):
        """Type of ``values``."""
        return self.values.dtype

    def min(self, *args, **kwargs):
        """Least of ``values``; arguments as of numpy."""
        return self.values.min(*args, **kwargs)

    def max(self, *args, **kwargs):
        """Largest of ``values``; arguments as of numpy."""
        return self.values.max(*args, **kwargs)


def whole(value, what):
    """A whole number, or a TypeError."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be a whole number, not {value!r}") from None


def band_of(band):
    """(lowest, highest) frequency [Hz] of an argument."""
    try:
        low, high = (float(f) for f in band)
    except (TypeError, ValueError):
        raise ValueError(f"a band must be (lowest, highest) frequency [Hz], not {band!r}") from None
    return low, high


def optional(module, package, user):
    """An optional package, or an ImportError with the remedy."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ImportError(f"{user} needs {name}, which is not installed: apt install {package}, or pip install {name}",
                          name=name) from None


def listed(names, most=12):
    """Names as a list for messages."""
    names = list(names)
    return (", ".join(map(str, names[:most])) + (f", ... ({len(names)})" if len(names) > most else "")) or "none"
