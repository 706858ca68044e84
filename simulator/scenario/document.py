"""A YAML document as plain values, with the place of every key and value."""

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from simulator.errors import DocumentError, Fault, InvalidInputError

# Limits against files made to hurt (alias bombs, deep nesting); far above any real scenario.
MAX_FILE_BYTES = 16 << 20
MAX_NODES = 500_000
MAX_DEPTH = 40

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
        """Record a fault at *loc*."""
        at = self.place(loc, of_key=of_key)
        self.faults.append(Fault(path=dotted(loc), message=message, line=at.line, column=at.column, source=at.source))

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

    def set(self, assignment: str) -> None:
        """Apply one ``--set a.b.c=value``; the value is YAML, faults in it name the option."""
        path, sep, text = assignment.partition("=")
        source = f"--set {assignment}"
        if not sep or not path or not all(path.split(".")):
            raise InvalidInputError(f"{source}: write it as --set a.b.c=value")
        parts: list[str | int] = []
        target = self.data
        for part in path.split("."):
            if isinstance(target, list):
                if not part.isdecimal() or int(part) >= len(target):
                    at = dotted(tuple(parts))
                    raise InvalidInputError(
                        f"{source}: {at} is a list of {len(target)}; {part!r} is not an index of it"
                    )
                parts.append(int(part))
                target = target[int(part)]
            else:
                parts.append(part)
                target = target.get(part) if isinstance(target, dict) else None
        value = parse(text, file=source).data
        holder: Any = self.data
        for step, here in enumerate(parts[:-1]):
            inner: Any = holder.get(here) if isinstance(holder, dict) else holder[here]
            if not isinstance(inner, dict | list):
                inner = {}
                holder[here] = inner
                self.values[tuple(parts[: step + 1])] = Place(source=source)
            holder = inner
        holder[parts[-1]] = value
        loc = tuple(parts)
        for known in (self.keys, self.values):
            for stale in [k for k in known if k[: len(loc)] == loc]:
                del known[stale]
        self.keys[loc] = self.values[loc] = Place(source=source)

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


class _Builder:
    """Turns composed nodes into values, counting what an alias multiplies."""

    def __init__(self, yaml: YAML, document: Document) -> None:
        self._yaml = yaml
        self._doc = document
        self._nodes = 0

    def build(self, node: Node, loc: Loc) -> Any:
        self._nodes += 1
        mark = node.start_mark
        place = Place(line=mark.line + 1, column=mark.column + 1)
        if self._nodes > MAX_NODES or len(loc) > MAX_DEPTH:
            raise InvalidInputError(
                f"{self._doc.file}:{place.line}:{place.column}: the document is nested deeper than {MAX_DEPTH} levels"
                f" or unfolds to more than {MAX_NODES} values; write it plainly"
            )
        self._doc.values[loc] = place
        if isinstance(node, SequenceNode):
            return [self.build(child, (*loc, i)) for i, child in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return self._mapping(node, loc)
        assert isinstance(node, ScalarNode)
        return self._scalar(node, loc)

    def _mapping(self, node: MappingNode, loc: Loc) -> dict[Any, Any]:
        out: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            mark = key_node.start_mark
            if not isinstance(key_node, ScalarNode):
                self._doc.values[(*loc, "?")] = Place(line=mark.line + 1, column=mark.column + 1)
                self._doc.fault((*loc, "?"), "a key is a word, not a list or mapping")
                continue
            # Every key of our documents is a word; 1: and true: are taken as written.
            key = key_node.value
            where = (*loc, key)
            place = Place(line=mark.line + 1, column=mark.column + 1)
            if key in out:
                first = self._doc.keys[where]
                self._doc.faults.append(
                    Fault(
                        path=dotted(where),
                        message=f"{key!r} is given twice (first in line {first.line}); keep one",
                        line=place.line,
                        column=place.column,
                    )
                )
                continue
            self._doc.keys[where] = place
            out[key] = self.build(value_node, where)
        return out

    def _scalar(self, node: ScalarNode, loc: Loc) -> Any:
        if node.tag.endswith((":int", ":float")) and len(node.value) > 100:
            self._doc.fault(loc, f"a number of {len(node.value)} digits is larger than any this tool takes")
            return 0
        if node.tag.endswith((":timestamp", ":binary")) or not node.tag.startswith("tag:yaml.org,2002:"):
            return node.value
        try:
            return self._yaml.constructor.construct_object(node)
        except (ValueError, YAMLError):
            return node.value


def parse(text: str, *, file: str) -> Document:
    """Parse one YAML document; raise DocumentError with line and column when it is not YAML."""
    lines = text.splitlines()
    document = Document(file=file, lines=lines, data=None)
    yaml = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(text)
        if node is not None:
            document.data = _Builder(yaml, document).build(node, ())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(part) for part in (error.context, error.problem) if part)
        fault = Fault(
            path="",
            message=f"not YAML: {what}",
            line=mark.line + 1 if mark else 1,
            column=mark.column + 1 if mark else 1,
        )
        raise DocumentError(file, "YAML document", [fault], lines) from None
    except (YAMLError, ValueError) as error:
        position = getattr(error, "position", 0) or 0
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        fault = Fault(path="", message=f"not YAML: {str(error).splitlines()[0]}", line=line, column=max(1, column))
        raise DocumentError(file, "YAML document", [fault], lines) from None
    except RecursionError:
        raise InvalidInputError(f"{file}:1:1: the document is nested too deeply; write it plainly") from None
    return document


def read(path: Path, kind: str) -> Document:
    """Read and parse the file at *path*; raise InvalidInputError or DocumentError."""
    try:
        if path.is_dir():
            raise InvalidInputError(f"{path}: is a folder, not a {kind} file")
        with path.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror}; give the path of a {kind} file") from None
    if len(raw) > MAX_FILE_BYTES:
        raise InvalidInputError(f"{path}: is larger than {MAX_FILE_BYTES >> 20} MiB; not a {kind}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidInputError(f"{path}:{line}:1: not UTF-8 text (byte {error.start})") from None
    document = parse(text, file=str(path))
    if not isinstance(document.data, dict):
        document.fault((), f"a {kind} is a mapping of fields, not {_kind_of(document.data)}")
        document.raise_faults(kind)
    return document


def _kind_of(value: Any) -> str:
    if value is None:
        return "an empty file"
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else "a single value"


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
