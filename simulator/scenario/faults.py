"""Says in plain words what pydantic found wrong, and what to write instead."""

import difflib
import types
import typing
from enum import Enum
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.scenario.document import Document, Loc


def near(word: str, words: list[str]) -> str:
    """Return ``"; did you mean 'x'?"``, or the words there are."""
    close = difflib.get_close_matches(str(word), words, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = ", ".join(words[:20]) + (", ..." if len(words) > 20 else "")
    return f"; there is: {listed}" if words else ""


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


def _words(error: ErrorDetails, root: type[BaseModel], loc: Loc) -> str:
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        return f"unknown field {loc[-1]!r}" + near(str(loc[-1]), fields_at(root, loc[:-1]))
    if kind == "missing":
        return f"{loc[-1]!r} is missing; add it here"
    if kind in ("enum", "literal_error"):
        allowed = [w.strip(" '") for w in str(context["expected"]).replace(" or ", ", ").split(",")]
        return f"{_shown(value)} is not one of the values allowed here" + near(str(value), allowed)
    if kind == "value_error":
        return str(context["error"])
    if kind in ("int_type", "int_from_float", "int_parsing"):
        return f"{_shown(value)} is not a whole number; write it like 4"
    if kind in ("float_type", "float_parsing", "finite_number"):
        return f"{_shown(value)} is not a number; write it like 0.5"
    if kind in ("greater_than", "greater_than_equal", "less_than", "less_than_equal"):
        bound = context.get("ge", context.get("gt", context.get("le", context.get("lt"))))
        word = kind.replace("_", " ").replace("equal", "or equal")
        return f"{_shown(value)} is out of range; it is {word} to {bound}"
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        fields = fields_at(root, loc)
        hint = f" with {', '.join(fields[:8])}" if fields else ""
        return f"{_shown(value)} is not a mapping; write fields{hint}"
    if kind in ("tuple_type", "list_type"):
        return f"{_shown(value)} is not a list; write it like [a, b]"
    if kind == "string_type":
        return f"{_shown(value)} is not a text; put it in quotes"
    if kind == "string_pattern_mismatch":
        return f"{_shown(value)} is not written as it should be; it matches {context['pattern']}"
    if kind in ("too_short", "too_long", "string_too_long"):
        return error["msg"]
    return f"{error['msg']} (got {_shown(value)})"


def collect(error: ValidationError, root: type[BaseModel], document: Document) -> None:
    """Record every error of *error* as a fault of *document*, each place once."""
    seen: set[tuple[Loc, str]] = set()
    for detail in error.errors(include_url=False):
        loc = _clean(detail["loc"], document)
        message = _words(detail, root, loc)
        if (loc, message) in seen:
            continue
        seen.add((loc, message))
        document.fault(loc, message, of_key=detail["type"] == "extra_forbidden" or "[key]" in detail["loc"])


def allowed(enum: type[Enum]) -> list[str]:
    """Return the words of an enum."""
    return [str(member.value) for member in enum]
