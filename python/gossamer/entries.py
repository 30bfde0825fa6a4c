"""Functions that make model entries: ``gossamer.body.ancf_beam(material="steel", ...)``, generated from the type registry.

Each function takes the keys of its type as keywords, rejects unknown ones, and returns a dict for a section. Keys that are
Python keywords get an underscore: ``from_``.

>>> import gossamer as gos
>>> gos.body.rigid(mass=2, inertia=[1, 1, 1])
{'type': 'rigid', 'mass': 2, 'inertia': [1, 1, 1]}
>>> gos.body.rigid(mass=2, inertai=[1, 1, 1])
Traceback (most recent call last):
    ...
TypeError: rigid has no key 'inertai'; did you mean 'inertia'?
"""
import difflib
import inspect
import keyword

from . import _core

def _own_name(section):
    """Name of the function of a section, its singular: bodies, body; meshes, mesh; analysis."""
    for plural, singular in (("ies", "y"), ("shes", "sh"), ("sis", "sis"), ("s", "")):
        if section.endswith(plural):
            return section[:-len(plural)] + singular
    return section


def _word(key):
    return key + "_" if keyword.iskeyword(key) else key


def _doc(doc, params, example):
    lines = [doc, ""]
    for name, kind, unit, limits, default, meaning, required, values in params:
        facts = [kind + (f" [{unit}]" if unit else "")] + ([limits] if limits else [])
        facts.append("required" if required else f"default {default}" if default is not None else "")
        lines.append(f"{_word(name)}: {', '.join(f for f in facts if f)}")
        if meaning:
            lines.append(f"    {meaning}")
        lines += [f"        {word}{f' [{unit}]' if unit else ''}: {doc}" for word, unit, doc, _ in values if doc]
    if example:
        lines += ["", "In a model file:", ""] + ["    " + line for line in example.rstrip("\n").split("\n")]
    return "\n".join(lines)


def _function(key, name, doc, params, example):
    """The function of one type; `key`: the key whose value is the type name; None: there is none."""
    own = [p for p in params if "." not in p[0] and p[0] != key]
    known = {_word(p[0]): p[0] for p in own}

    def entry(**keys):
        made = {} if key is None else {key: name}
        for word, value in keys.items():
            if word not in known:
                near = difflib.get_close_matches(word, known, 1)
                raise TypeError(f"{name} has no key {word!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
            if value is not None:
                made[known[word]] = value
        missing = [_word(p[0]) for p in own if p[6] and known[_word(p[0])] not in made]
        if missing:
            raise TypeError(f"{name} needs {', '.join(missing)}")
        return made

    entry.__name__ = entry.__qualname__ = name
    entry.__module__ = __name__
    entry.__doc__ = _doc(doc, params, example)
    parameter = inspect.Parameter
    entry.values = {_word(p[0]): [value[0] for value in p[7]] for p in own if p[7]}
    entry.__signature__ = inspect.Signature(
        [parameter(w, parameter.KEYWORD_ONLY, **({} if p[6] else {"default": None})) for w, p in zip(known, own)])
    return entry


class Types:
    """The types of a section; each is a function that makes an entry."""

    def __init__(self, section, name):
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"Entries of the section `{section}` of a model."

    def __getattr__(self, name):
        types = [k for k in vars(self) if not k.startswith("_")]
        near = difflib.get_close_matches(name, types, 1)
        remedy = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(types)}"
        raise AttributeError(f"there is no type {name!r} of {vars(self).get('__name__')}; {remedy}")

    def __repr__(self):
        return f"<types of {self.__name__}: {', '.join(k for k in vars(self) if not k.startswith('_'))}>"


class PlainTypes(Types):
    """The same for sections with a default type: calling the object makes an entry without type."""

    def __init__(self, section, name, plain):
        super().__init__(section, name)
        self.__doc__ = plain.__doc__
        self.__signature__ = plain.__signature__
        self._plain = plain

    def __call__(self, **keys):
        return self._plain(**keys)


def _key(section, name, example):
    """The key whose value is the type name: "type", "method", or None."""
    for key in ("type", "method"):
        if f"{key}: {name}" in (example or ""):
            return key
    return "method" if section == "reduction" else None


def _all():
    """Contents of this module: Types or a function by name."""
    types = {}
    for section, name, doc, example, params in _core.types():
        types.setdefault(section, []).append((name, doc, example, params))
    made = {}
    for section, entries in types.items():
        own = _own_name(section)
        if len(entries) == 1 and _key(section, *entries[0][::2][:2]) is None:
            name, doc, example, params = entries[0]
            made[own] = _function(None, own, doc, params, example)
        else:
            plain = [_function(None, own, doc, params, example) for name, doc, example, params in entries if name == own]
            made[own] = PlainTypes(section, own, plain[0]) if plain else Types(section, own)
            for name, doc, example, params in entries:
                if name == own:
                    continue
                setattr(made[own], _word(name), _function(_key(section, name, example) or "type", name, doc, params, example))
    return made


globals().update(_all())
__all__ = sorted(_all())
