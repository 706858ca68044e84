"""Says in plain words what pydantic found wrong, and what to write instead."""

import difflib
import types
import typing
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.scenario.base import PATTERN_WORDS
from simulator.scenario.document import Document, Loc


def near(word: str, words: list[str]) -> str:
    """Return ``"; did you mean 'x'?"``, or the words there are."""
    close = _closest(str(word)[:100].lower(), words)
    if close:
        return f"; did you mean {' or '.join(repr(c) for c in close)}?"
    listed = ", ".join(words[:20]) + (", ..." if len(words) > 20 else "")
    return f"; there is: {listed}" if words else ""


def _closest(word: str, words: list[str]) -> list[str]:
    """Return the words that are nearest to *word*: those that begin alike, else those spelled alike."""
    for candidate in words:
        if candidate.lower() == word:
            return [candidate]
    begin = [w for w in words if len(word) >= 3 and (w.lower().startswith(word) or word.startswith(w.lower()))]
    if begin:
        return begin[:3]
    score = {w: difflib.SequenceMatcher(None, word, w.lower()).ratio() for w in words}
    best = max(score.values(), default=0.0)
    return [w for w in words if score[w] == best][:3] if best >= 0.6 else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the document part somewhere inside *annotation*: itself, of an Optional, a list, a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    args = typing.get_args(annotation)
    if typing.get_origin(annotation) is dict:
        args = args[1:]
    if isinstance(annotation, types.GenericAlias | types.UnionType) or args:
        for arg in args:
            found = _model_in(arg)
            if found is not None:
                return found
    return None


def fields_at(root: type[BaseModel], loc: Loc) -> list[str]:
    """Return the names of the fields that may stand at *loc* of a document of type *root*."""
    part: type[BaseModel] | None = root
    for name in loc:
        if part is None:
            return []
        field = next((f for n, f in part.model_fields.items() if name in (n, f.alias)), None)
        if field is not None:
            part = _model_in(field.annotation)
        # An index or a key of a mapping: the part is the one found for its container.
    return [f.alias or n for n, f in part.model_fields.items()] if part else []


def _clean(loc: tuple[int | str, ...], document: Document) -> Loc:
    """Drop what pydantic adds to a place that is not in the document (union members, ``[key]``)."""
    out: list[str | int] = []
    for part in loc:
        if part == "[key]":
            continue
        here = document.get(*out)
        if isinstance(part, str) and not isinstance(here, dict) and here is not None:
            continue
        out.append(part)
    return tuple(out)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


Says = Callable[[ErrorDetails, type[BaseModel], Loc], str]
_RANGES = {
    "greater_than": "more than",
    "greater_than_equal": "at least",
    "less_than": "less than",
    "less_than_equal": "at most",
}


def _unknown(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    if loc[-1] == "<<":
        return "merging ('<<') is not part of the format; write the fields here"
    return f"unknown field {loc[-1]!r}" + near(str(loc[-1]), fields_at(root, loc[:-1]))


def _other_word(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    allowed = [w.strip(" '") for w in str(error["ctx"]["expected"]).replace(" or ", ", ").split(",")]
    return f"{_shown(error['input'])} is not one of the values allowed here" + near(str(error["input"]), allowed)


def _out_of_range(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    bound = next(error["ctx"][name] for name in ("ge", "gt", "le", "lt") if name in error["ctx"])
    whole = int(bound) if bound == int(bound) else bound
    return f"{_shown(error['input'])} is out of range; it is {_RANGES[error['type']]} {whole}"


def _no_part(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    fields = fields_at(root, loc)
    hint = f" with {', '.join(fields[:8])}" if fields else ""
    return f"{_shown(error['input'])} is not a mapping; write fields{hint}"


def _ill_written(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    pattern = str(error["ctx"]["pattern"])
    return f"{_shown(error['input'])} {PATTERN_WORDS.get(pattern, f'does not match {pattern}')}"


def _too_long(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    size, most = len(error["input"]), error["ctx"]["max_length"]
    return f"this has {size} {'characters' if isinstance(error['input'], str) else 'items'}; at most {most} are taken"


def _is_no(what: str) -> Says:
    return lambda error, root, loc: f"{_shown(error['input'])} is not {what}"


# pydantic's kinds of errors, and what we say of them.
_SAYS: dict[str, Says] = {
    "extra_forbidden": _unknown,
    "missing": lambda error, root, loc: f"{loc[-1]!r} is missing; add it here",
    "value_error": lambda error, root, loc: str(error["ctx"]["error"]),
    **dict.fromkeys(("enum", "literal_error"), _other_word),
    **dict.fromkeys(("int_type", "int_from_float", "int_parsing"), _is_no("a whole number; write it like 4")),
    **dict.fromkeys(("float_type", "float_parsing"), _is_no("a number; write it like 0.5")),
    "int_parsing_size": _is_no("a number this tool takes: it is too large"),
    "finite_number": _is_no("a finite number; write it like 0.5"),
    **dict.fromkeys(_RANGES, _out_of_range),
    "dict_type": _is_no("a mapping; write it like {name: ...}"),
    **dict.fromkeys(("model_type", "model_attributes_type"), _no_part),
    **dict.fromkeys(("tuple_type", "list_type"), _is_no("a list; write it like [a, b]")),
    "string_type": _is_no("a text; put it in quotes"),
    "string_pattern_mismatch": _ill_written,
    "too_short": lambda error, root, loc: "the list is empty; give at least one",
    **dict.fromkeys(("too_long", "string_too_long"), _too_long),
}
# Where nothing is given, these say it better themselves.
_ALSO_OF_NOTHING = ("extra_forbidden", "value_error")


def _words(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    if error["input"] is None and error["type"] not in _ALSO_OF_NOTHING:
        return f"{loc[-1] if loc else 'this'!r} has no value; give it one, or leave it out if it has a default"
    says = _SAYS.get(error["type"])
    return says(error, root, loc) if says else f"{error['msg']} (got {_shown(error['input'])})"


def collect(error: ValidationError, root: type[BaseModel], document: Document) -> None:
    """Record every error of *error* as a fault of *document*, each place once."""
    seen: set[tuple[Loc, str]] = set()
    for detail in error.errors(include_url=False):
        loc = _clean(detail["loc"], document)
        if detail["type"] == "too_short" and document.get(*loc):
            continue  # what it holds is invalid, and is reported as such
        message = _words(detail, root, loc)
        if (loc, message) in seen:
            continue
        seen.add((loc, message))
        document.fault(loc, message, of_key=detail["type"] == "extra_forbidden" or "[key]" in detail["loc"])
