"""Conversion of values to YAML flow style, and tables for display."""
import html
import json
import math
import numbers
import os
from collections.abc import Mapping


def flow(value):
    """A Python value in YAML flow style.

    >>> flow({"from": [0, 0.5], "type": "revolute", "keep": True})
    '{from: [0, 0.5], type: "revolute", keep: true}'
    """
    return _flow(value, 0)


def _flow(value, depth):
    if depth > 60:
        raise ValueError("a model may have at most 64 levels of nesting")
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v, depth + 1)}" for k, v in value.items()) + "}"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not finite and cannot be used in a model")
        return repr(float(value))
    if hasattr(value, "tolist"):  # numpy arrays and scalars
        return _flow(value.tolist(), depth + 1)
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_flow(v, depth + 1) for v in value) + "]"
    raise TypeError(f"{type(value).__name__} cannot be used in a model: {value!r}")


def _key(key):
    if not isinstance(key, str):
        raise TypeError(f"keys of a model are strings, not {key!r}")
    return key if key.isidentifier() and key not in ("null", "true", "false") else json.dumps(key, ensure_ascii=False)


def document(model):
    """The text of a model given as a dict, one entry per line.

    >>> print(document({"name": "a", "bodies": {"hub": {"type": "rigid"}}}), end="")
    name: "a"
    bodies:
      hub: {type: "rigid"}
    """
    if not isinstance(model, Mapping):
        raise TypeError(f"a model is a dict, not {type(model).__name__}")
    lines = []
    for key, value in model.items():
        if isinstance(value, Mapping) and value:
            lines.append(f"{_key(key)}:")
            lines.extend(f"  {_key(k)}: {_flow(v, 2)}" for k, v in value.items())
        else:
            lines.append(f"{_key(key)}: {_flow(value, 1)}")
    return "\n".join(lines) + "\n" if lines else "{}\n"


def number(value):
    """A value in a table; floats with 6 digits."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


class Table:
    """Rows displayed as a table on terminals and in notebooks."""

    def __init__(self, columns, rows, title=""):
        self.columns, self.rows, self.title = list(columns), [list(r) for r in rows], title

    def __len__(self):
        return len(self.rows)

    def __str__(self):
        cells = [self.columns] + [[number(v) for v in row] for row in self.rows]
        widths = [max(len(str(row[k])) for row in cells) for k in range(len(self.columns))]
        lines = ["  ".join(str(v).ljust(w) for v, w in zip(row, widths)).rstrip() for row in cells]
        return "\n".join(([self.title] if self.title else []) + lines)

    __repr__ = __str__

    def _repr_html_(self):
        def row(tag, values):
            return "<tr>" + "".join(f"<{tag}>{html.escape(number(v))}</{tag}>" for v in values) + "</tr>"

        title = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        return "<table>" + title + row("th", self.columns) + "".join(row("td", r) for r in self.rows) + "</table>"


class Report(dict):
    """Report of a computation: items by name, also as attributes; displayed as a table.

    ``meaning`` describes each item.
    """

    def __init__(self, items, title=""):
        super().__init__((k, v[0]) for k, v in items.items())
        self.meaning = {k: v[1] for k, v in items.items()}
        self.title = title

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; there are {', '.join(self) or 'none'}") from None

    @property
    def table(self):
        """Name, value and meaning of the known items (0: unknown)."""
        return Table(("", "value", "meaning"), ([k, v, self.meaning[k]] for k, v in self.items() if v not in (0, "")), self.title)

    def __str__(self):
        return str(self.table)

    __repr__ = __str__

    def _repr_html_(self):
        return self.table._repr_html_()
