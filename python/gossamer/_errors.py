"""Errors and warnings of the library, with file and line."""
import warnings


class Message:
    """One message of the library.

    Attributes: ``file``, ``line``, ``column`` (from 1; 0: unknown), ``object`` ("body 'rod'" or None), ``text`` (error and
    remedy), ``remedy`` (the part of ``text`` that states what to do, or "") and ``count`` (number of repetitions of a
    warning; 0: a note).
    """

    __slots__ = ("status", "file", "line", "column", "object", "text", "count")

    def __init__(self, status, file, line, column, object, text, count):
        self.status = status
        self.file = file
        self.line = line
        self.column = column
        self.object = object
        self.text = text
        self.count = count

    @property
    def remedy(self):
        """The part of the text that states what to do, or ""."""
        return (self.text or "").partition("; ")[2]

    def __str__(self):
        place = self.file or ""
        if place and self.line:
            place += f":{self.line}" + (f":{self.column}" if self.column else "")
        return ": ".join(part for part in (place, self.object, self.text) if part)

    def __repr__(self):
        return f"Message({str(self)!r})"


class Error(Exception):
    """A call that failed.

    ``messages`` contains all error messages in order; ``file``, ``line``, ``column``, ``object``, ``message`` and ``remedy``
    are those of the first. ``status`` is the status code of the C library. If a run fails after it has begun, ``partial``
    contains its results so far, a :class:`Run`.
    """

    partial = None

    def __init__(self, text, status=0, messages=()):
        super().__init__(text)
        self.status = status
        self.messages = list(messages)
        first = self.messages[0] if self.messages else None
        self.file = first.file if first else None
        self.line = first.line if first else 0
        self.column = first.column if first else 0
        self.object = first.object if first else None
        self.message = first.text if first else text
        self.remedy = first.remedy if first else ""


class InputError(Error, ValueError):
    """A model or an argument is invalid."""


class UseError(Error, ValueError):
    """A function was called in an unsupported way."""


class FileError(Error):
    """A file cannot be read or written."""


class LimitError(Error):
    """A limit was exceeded."""


class SingularError(Error, ArithmeticError):
    """A matrix is singular."""


class ConvergenceError(Error, ArithmeticError):
    """An iteration did not converge."""


class NonfiniteError(Error, ArithmeticError):
    """A value is not finite."""


class Interrupted(Error):
    """A run was stopped by its progress function."""


class GossamerWarning(UserWarning):
    """A warning of the library."""


_CLASSES = {-2: InputError, -3: UseError, -4: FileError, -5: LimitError, -6: SingularError, 1: ConvergenceError,
            -7: ConvergenceError, -8: NonfiniteError, -9: Interrupted}


def make_error(status, sentence, messages):
    """The exception for a status code and its messages."""
    if status == -1:
        return MemoryError(sentence)
    said = [Message(*m) for m in messages]
    errors = [m for m in said if m.status != 0] or [m for m in said if m.count > 0]
    text = "\n".join(map(str, errors)) or sentence
    return _CLASSES.get(status, Error)(text, status, errors)


notes = []
"""Notes of the last calls (for example estimated errors of probes), at most 100."""


def give_warnings(messages):
    """Issue the warnings of a successful call and append its notes to :data:`notes`."""
    for m in (Message(*m) for m in messages):
        if m.count > 0:
            more = f" ({m.count} times)" if m.count > 1 else ""
            warnings.warn(str(m) + more, GossamerWarning, stacklevel=3)
        else:
            notes.append(m)
            del notes[:-100]
