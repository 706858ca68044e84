"""Quantities with units: whole nanoseconds, whole bytes, bits per second.

YAML writes them as ``50 us``, ``4 MiB``, ``10 Gbit/s`` (a space is optional); everywhere else they are
plain integers in the unit of the type.  A bare number is refused, because nobody can tell what it means.
"""

import difflib
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

NS_PER_S = 1_000_000_000
BITS_PER_BYTE = 8
MIB = 1 << 20

_TIME = {"ns": 1, "us": 10**3, "ms": 10**6, "s": NS_PER_S, "min": 60 * NS_PER_S, "h": 3600 * NS_PER_S}
_SIZE = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
_RATE = {
    "bit/s": 1,
    "kbit/s": 10**3,
    "Mbit/s": 10**6,
    "Gbit/s": 10**9,
    "Tbit/s": 10**12,
    "B/s": 8,
    "kB/s": 8 * 10**3,
    "MB/s": 8 * 10**6,
    "GB/s": 8 * 10**9,
    "KiB/s": 8 * 2**10,
    "MiB/s": 8 * 2**20,
    "GiB/s": 8 * 2**30,
}

# Long enough for any training run (about 31 years); keeps every sum far below 2**63 ns.
MAX_NS = 10**18
MAX_BYTES = 2**60
MAX_BITS_PER_S = 10**18

_KINDS = {"duration": _TIME, "size": _SIZE, "rate": _RATE}

_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?"
_QUANTITY = re.compile(rf"\s*([+-]?{_NUMBER})\s*([A-Za-zµμ%/]*)\s*")

# What people write instead of ours; only used to suggest.
_ALIASES = {
    "sec": "s",
    "msec": "ms",
    "usec": "us",
    "µs": "us",
    "μs": "us",
    "m": "min",
    "second": "s",
    "seconds": "s",
    "minutes": "min",
    "hr": "h",
    "hour": "h",
    "hours": "h",
    "kb": "kB",
    "K": "KiB",
    "byte": "B",
    "bytes": "B",
}
# A small b is a bit: Gb/s and Gbps are eight times less than GB/s.
_BITS = re.compile(r"([kKMGTmgt]?)b(?:ps|/s|/sec)")


class QuantityError(ValueError):
    """A text is not a quantity of the wanted kind."""


def _suggest(unit: str, units: dict[str, int]) -> str | None:
    if _kind_of(unit) is not None:
        # A size where a rate is wanted; a size is no misspelt duration, though MiB looks like min.
        return f"{unit}/s" if f"{unit}/s" in units else None
    if unit in _ALIASES and _ALIASES[unit] in units:
        return _ALIASES[unit]
    bits = _BITS.fullmatch(unit)
    folded = f"{bits[1]}bit/s".lower() if bits else unit.replace("ps", "/s").lower().replace("bits", "bit")
    by_fold = {name.lower(): name for name in units}
    if folded in by_fold:
        return by_fold[folded]
    close = difflib.get_close_matches(folded, list(by_fold), n=1, cutoff=0.6)
    return by_fold[close[0]] if close else None


def _kind_of(unit: str) -> str | None:
    """Return the kind of quantity that *unit* belongs to."""
    return next((kind for kind, units in _KINDS.items() if unit in units), None)


def _parse(value: object, kind: str, units: dict[str, int], example: str, limit: int) -> int:
    listed = ", ".join(units)
    if not isinstance(value, str):
        shown = "nothing" if value is None else repr(value)
        raise QuantityError(f"{shown} is not a {kind}; write it with its unit, like {example} (units: {listed})")
    match = _QUANTITY.fullmatch(value) if len(value) <= 64 else None
    if match is None or not match[2]:
        raise QuantityError(f"{value[:64]!r} is not a {kind}; write it like {example} (units: {listed})")
    number, unit = match[1], match[2]
    if unit not in units:
        near, of = _suggest(unit, units), _kind_of(unit)
        hint = f"did you mean '{number} {near}'?" if near else f"units: {listed}"
        if of is not None:
            raise QuantityError(f"{value!r} is a {of}, not a {kind}; {hint}")
        raise QuantityError(f"{value!r} is not a {kind}: unknown unit {unit!r}; {hint}")
    try:
        exact = Decimal(number) * units[unit]
    except InvalidOperation:  # pragma: no cover - the pattern admits only decimals
        raise QuantityError(f"{value!r} is not a {kind}") from None
    if exact < 0:
        raise QuantityError(f"{value!r} is negative; a {kind} is not, write it like {example}")
    if exact > limit:
        raise QuantityError(f"{value!r} is larger than any {kind} this tool takes")
    whole = int(exact.to_integral_value())
    if exact > 0 and whole == 0:
        raise QuantityError(f"{value!r} is too small: the smallest {kind} is 1 {next(iter(units))}")
    return whole


def parse_duration(value: object) -> int:
    """Return *value* (``"50 us"``) in whole nanoseconds; raise QuantityError."""
    return _parse(value, "duration", _TIME, "50 us", MAX_NS)


def parse_size(value: object) -> int:
    """Return *value* (``"4 MiB"``) in whole bytes; raise QuantityError."""
    return _parse(value, "size", _SIZE, "4 MiB", MAX_BYTES)


def parse_rate(value: object) -> int:
    """Return *value* (``"10 Gbit/s"`` or ``"1.25 GB/s"``) in bits per second; raise QuantityError."""
    rate = _parse(value, "rate", _RATE, "10 Gbit/s", MAX_BITS_PER_S)
    if rate == 0:
        raise QuantityError(f"{value!r}: a rate is more than zero; write it like 10 Gbit/s")
    return rate


def _format(value: int, units: dict[str, int]) -> str:
    """Write *value* in the largest unit that keeps it whole, so that reading gives it back exactly."""
    best = next(iter(units))
    for name, factor in units.items():
        if value and value % factor == 0 and factor >= units[best]:
            best = name
    return f"{value // units[best]} {best}"


def format_duration(nanoseconds: int) -> str:
    """Return whole *nanoseconds* as YAML writes them, without loss."""
    return _format(nanoseconds, _TIME)


def format_size(size: int) -> str:
    """Return whole bytes as YAML writes them, without loss."""
    return _format(size, {k: v for k, v in _SIZE.items() if "i" in k or k == "B"})


def format_rate(bits_per_s: int) -> str:
    """Return bits per second as YAML writes them, without loss."""
    return _format(bits_per_s, {k: v for k, v in _RATE.items() if "bit" in k})


def _validator(parse: Callable[[object], int]) -> Callable[[Any], int]:
    def validate(value: Any) -> int:  # pydantic hands over whatever the file holds
        return parse(value)

    return validate


def _schema(units: dict[str, int], example: str, what: str) -> WithJsonSchema:
    pattern = rf"^\s*{_NUMBER}\s*({'|'.join(re.escape(u) for u in units)})\s*$"
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example], "description": what})


Nanoseconds = Annotated[
    int,
    BeforeValidator(_validator(parse_duration)),
    PlainSerializer(format_duration, return_type=str),
    _schema(_TIME, "50 us", "A duration with its unit"),
]
Bytes = Annotated[
    int,
    BeforeValidator(_validator(parse_size)),
    PlainSerializer(format_size, return_type=str),
    _schema(_SIZE, "4 MiB", "A size with its unit"),
]
BitsPerSecond = Annotated[
    int,
    BeforeValidator(_validator(parse_rate)),
    PlainSerializer(format_rate, return_type=str),
    _schema(_RATE, "10 Gbit/s", "A rate with its unit"),
]
