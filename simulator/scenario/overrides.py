"""``--set a.b.c=value``: replaces a value of a document before it is validated."""

import re
from typing import Any

from simulator.errors import Fault, InvalidInputError
from simulator.scenario.document import Document, Loc, Place, dotted
from simulator.scenario.reading import parse

# Fault messages write variables[0]; --set takes that as well as variables.0.
_INDEX = re.compile(r"\[([0-9]+)\]")


def override(document: Document, assignment: str) -> None:
    """Apply one assignment to *document*; the value is YAML, faults in it name the option.

    Raises:
        InvalidInputError: it is not written ``a.b.c=value``, or points beside a list.
        DocumentError: the value is not YAML.
    """
    path, sep, text = assignment.partition("=")
    source = f"--set {assignment}"
    words = _INDEX.sub(r".\1", path).split(".")
    if not sep or not all(words):
        raise InvalidInputError(f"{source}: write it as --set a.b.c=value")
    loc = _locate(document, words, source)
    value = parse(text, file=source)
    holder: Any = document.data
    for step, here in enumerate(loc[:-1]):
        inner: Any = holder.get(here) if isinstance(holder, dict) else holder[here]
        if not isinstance(inner, dict | list):
            inner = {}
            holder[here] = inner
            document.values[loc[: step + 1]] = Place(source=source)
        holder = inner
    holder[loc[-1]] = value.data
    _forget(document, loc)
    document.keys[loc] = document.values[loc] = Place(source=source)
    # A key given twice inside the value, say.
    document.faults += [
        Fault(path=f"{dotted(loc)}{'.' if f.path else ''}{f.path}", message=f.message, source=source)
        for f in value.faults
    ]


def _locate(document: Document, words: list[str], source: str) -> Loc:
    """Return the path of *words*; what is inside a list is an index of it."""
    loc: Loc = ()
    target = document.data
    for word in words:
        if isinstance(target, list):
            index = int(word) if re.fullmatch(r"[0-9]{1,9}", word) else len(target)
            if index >= len(target):
                raise InvalidInputError(
                    f"{source}: {dotted(loc)} is a list of {len(target)}; {word[:20]!r} is not an index of it"
                    " (they count from 0)"
                )
            loc, target = (*loc, index), target[index]
        else:
            loc, target = (*loc, word), target.get(word) if isinstance(target, dict) else None
    return loc


def _forget(document: Document, loc: Loc) -> None:
    """Drop the places of what stood at *loc*."""
    for known in (document.keys, document.values):
        for stale in [k for k in known if k[: len(loc)] == loc]:
            del known[stale]
