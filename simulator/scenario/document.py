"""A YAML document as plain values, with the place of every key and value."""

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from simulator.errors import DocumentError, Fault

Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something stands; line and column count from 1, 0 outside the file."""

    line: int = 0
    column: int = 0
    source: str = ""


@dataclass(slots=True, kw_only=True)
class Document:
    """Plain values (``data``) and the places of keys and values by path."""

    file: str
    lines: list[str]
    data: Any
    keys: dict[Loc, Place] = field(default_factory=dict)
    values: dict[Loc, Place] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    _known: set[Fault] = field(default_factory=set)

    def place(self, loc: Loc, *, of_key: bool = False) -> Place:
        """Return the place of *loc*, or of the nearest thing around it that exists."""
        if of_key and loc in self.keys:
            return self.keys[loc]
        while loc:
            if loc in self.values:
                return self.values[loc]
            loc = loc[:-1]
        return self.values.get((), Place(line=1, column=1))

    def fault(self, loc: Loc, message: str, *, of_key: bool = False) -> None:
        """Record a fault at *loc*; the same one twice (by two checks, say) is one."""
        at = self.place(loc, of_key=of_key)
        fault = Fault(path=dotted(loc), message=message, line=at.line, column=at.column, source=at.source)
        if fault not in self._known:
            self._known.add(fault)
            self.faults.append(fault)

    def get(self, *loc: str | int) -> Any:
        """Return the value at *loc*, or None where the document has nothing (or something else)."""
        value = self.data
        for part in loc:
            if isinstance(value, dict):
                value = value.get(part)
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def raise_faults(self, kind: str) -> None:
        """Raise DocumentError when any fault was recorded."""
        if self.faults:
            raise DocumentError(self.file, kind, self.faults, self.lines)


def dotted(loc: Loc) -> str:
    """Return *loc* as people write it: ``workload.variables[0].shape``."""
    out = ""
    for part in loc:
        out += f"[{part}]" if isinstance(part, int) else (f".{part}" if out else str(part))
    return out


def dump(data: Any) -> str:
    """Return plain *data* as YAML: small lists and mappings on one line, no line folded."""
    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 4096
    out = io.StringIO()
    yaml.dump(data, out)
    text: str = out.getvalue()
    return text


def write_text(path: Path, text: str) -> None:
    """Write *text* to *path* in one atomic step."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
