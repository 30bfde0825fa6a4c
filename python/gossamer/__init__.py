"""Gossamer: dynamics of flexible multibody systems with heat transfer, full and reduced.

    import gossamer as gos

    model = gos.load("pendulum.yaml", L=1.5)     # or YAML text, or a dict
    model.check()                                # reports all errors with file and line
    run = model.run()                            # results as numpy arrays
    run["tip"].x, run.time
    reduced = model.system(reduced=True)         # the reduced model; print(reduced.report)
    print(run.compare(reduced.run()))

The C library performs all computations; units are SI. Errors are exceptions (:class:`Error`) with file, line, object and
remedy. See ``help(gossamer.Model)``, ``System``, ``Stepper``, ``Run``, ``LinearModel``.
"""
from . import _core
from ._errors import (ConvergenceError, Error, FileError, GossamerWarning, InputError, Interrupted, LimitError, Message,
                      NonfiniteError, SingularError, UseError, give_warnings, make_error, notes)

_core.setup(make_error, give_warnings)

from . import entries  # noqa: E402
from .entries import *  # noqa: E402,F401,F403, one name for each section of a model
from .linear import LinearModel, Modes, Response, matrices, read_linear, state_space  # noqa: E402
from .model import Entry, Model, load  # noqa: E402
from .results import Comparison, Frame, Mesh, Picture, Record, Run, Series, open_run  # noqa: E402
from .sweep import Sweep, sweep  # noqa: E402
from .system import Equations, SparseMatrix, State, Stepper, System  # noqa: E402

# `load` reads models and also contains the load types: load.force(...)
for _name, _type in vars(entries.load).items():
    if not _name.startswith("_"):
        setattr(load, _name, _type)

__version__ = _core.version


def __getattr__(name):
    """Env is imported on first use, because gymnasium takes long to import."""
    if name == "Env":
        from .environment import Env

        globals()["Env"] = Env
        return Env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def describe(type=None):
    """Reference text of one entry type ("ancf_cable", "spherical", "material", ...), or of all types, as printed by
    ``gossamer help TYPE``."""
    return _core.help(type)


def versions():
    """Versions of the library and of its dependencies."""
    return _core.versions()


__all__ = ["Comparison", "ConvergenceError", "Entry", "Env", "Equations", "Error", "FileError", "Frame", "GossamerWarning",
           "InputError", "Interrupted", "LimitError", "LinearModel", "Mesh", "Message", "Model", "Modes", "NonfiniteError",
           "Picture", "Record", "Response", "Run", "Series", "SingularError", "SparseMatrix", "State", "Stepper", "Sweep", "System", "UseError",
           "describe", "load", "matrices", "notes", "open_run", "read_linear", "state_space", "sweep", "versions", "entries"]
__all__ += [name for name in entries.__all__ if name != "load"]
