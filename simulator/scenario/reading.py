"""From YAML text to a document: safe, bounded, and nothing of the file is lost or guessed."""

import re
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from simulator.errors import DocumentError, Fault, InvalidInputError
from simulator.scenario.document import Document, Loc, Place

# Limits against files made to hurt (alias bombs, deep nesting); far above any real scenario.
MAX_FILE_BYTES = 16 << 20
MAX_NODES = 200_000
MAX_DEPTH = 40

_YAML_TAG = "tag:yaml.org,2002:"
# What plain YAML can say; any other tag asks for a type that our documents do not have.
_KNOWN_TAGS = {_YAML_TAG + name for name in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")}
# "<<" and "=" are words like any other here (YAML 1.2).
_KNOWN_TAGS |= {_YAML_TAG + name for name in ("merge", "value")}
_LINE_BREAK = re.compile("\r\n|\r|\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _TooMuchError(YAMLError):  # type: ignore[misc]  # ruamel has no types
    """The document passes a limit; stops the composer."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class _Limit:
    """Counts nodes and depth, so that a file made to hurt is refused before it does."""

    def __init__(self) -> None:
        self._nodes = 0

    def check(self, depth: int, place: Place) -> None:
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise _TooMuchError(f"nested deeper than {MAX_DEPTH} levels; write it plainly", place)
        if self._nodes > MAX_NODES:
            raise _TooMuchError(f"holds (or its aliases unfold to) more than {MAX_NODES} values", place)


class _Composer(Composer):  # type: ignore[misc]  # ruamel has no types
    """Composes nodes up to a limit.  An anchor may be given twice: YAML 1.2 lets the later one count."""

    def __init__(self, loader: Any = None) -> None:
        super().__init__(loader)
        self.warn_double_anchors = False
        self._limit = _Limit()
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        mark = self.parser.peek_event().start_mark
        self._depth += 1
        self._limit.check(self._depth, Place(line=mark.line + 1, column=mark.column + 1))
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


class _Builder:
    """Turns composed nodes into values, counting what an alias multiplies."""

    def __init__(self, yaml: YAML, document: Document) -> None:
        self._yaml = yaml
        self._doc = document
        self._limit = _Limit()

    def build(self, node: Node, loc: Loc, key: Place | None = None) -> Any:
        """Return the value of *node*; *key* is the place of its key."""
        mark = node.start_mark
        place = Place(line=mark.line + 1, column=mark.column + 1)
        if key is not None and isinstance(node, ScalarNode) and not node.value and node.style is None:
            place = key  # "name:" with nothing behind it; YAML's own mark is the next word
        self._limit.check(len(loc), place)
        self._doc.values[loc] = place
        tag = str(node.tag)
        if tag not in _KNOWN_TAGS:
            shown = tag.replace(_YAML_TAG, "!!")
            self._doc.fault(loc, f"the tag {shown} means nothing here; leave it out")
        if isinstance(node, SequenceNode):
            return [self.build(child, (*loc, i)) for i, child in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return self._mapping(node, loc)
        return self._scalar(node, tag, loc)

    def _mapping(self, node: MappingNode, loc: Loc) -> dict[Any, Any]:
        out: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            mark = key_node.start_mark
            place = Place(line=mark.line + 1, column=mark.column + 1)
            if not isinstance(key_node, ScalarNode):
                self._doc.values[(*loc, "?")] = place
                self._doc.fault((*loc, "?"), "a key is a word, not a list or mapping")
                continue
            # Every key of our documents is a word; 1: and true: are taken as written.
            key = _SURROGATE.sub("\ufffd", key_node.value)
            where = (*loc, key)
            if key in out:
                first = self._doc.keys[where]
                self._doc.keys[where] = place
                self._doc.fault(where, f"{key!r} is given twice (first in line {first.line}); keep one", of_key=True)
                self._doc.keys[where] = first
                continue
            self._doc.keys[where] = place
            out[key] = self.build(value_node, where, place)
        return out

    def _scalar(self, node: ScalarNode, tag: str, loc: Loc) -> Any:
        text: str = node.value
        if tag.endswith((":int", ":float")) and len(text) > 100:
            self._doc.fault(loc, f"a number of {len(text)} digits is larger than any this tool takes")
            return 0
        if _SURROGATE.search(text):
            self._doc.fault(loc, "holds half a character (a lone surrogate); write the whole one")
            return _SURROGATE.sub("\ufffd", text)
        if tag not in _KNOWN_TAGS or tag.endswith(":timestamp"):
            return text
        try:
            return self._yaml.constructor.construct_object(node)
        except (ValueError, YAMLError):
            return text


def parse(text: str, *, file: str) -> Document:
    """Parse one YAML document; raise DocumentError with line and column when it is not YAML."""
    lines = _LINE_BREAK.split(text)
    document = Document(file=file, lines=lines, data=None)
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _Composer
    try:
        node = yaml.compose(text)
        if node is not None:
            document.data = _Builder(yaml, document).build(node, ())
    except _TooMuchError as error:
        raise _not_yaml(document, error.message, error.place) from None
    except MarkedYAMLError as error:
        raise _not_yaml(document, f"not YAML: {_problem(error)}", _place(error.problem_mark)) from None
    except (YAMLError, ValueError) as error:
        before = _LINE_BREAK.split(text[: getattr(error, "position", 0) or 0])
        place = Place(line=len(before), column=len(before[-1]) + 1)
        raise _not_yaml(document, f"not YAML: {str(error).splitlines()[0]}", place) from None
    return document


def _place(mark: Any) -> Place:
    return Place(line=mark.line + 1, column=mark.column + 1) if mark else Place(line=1, column=1)


def _problem(error: MarkedYAMLError) -> str:
    """Return what is wrong, and where the thing that it breaks began."""
    if "\\t" in str(error.problem):
        return "a tab cannot stand here; indent with spaces"
    began = _place(error.context_mark)
    since = f" (it began in line {began.line}, column {began.column})" if error.context_mark else ""
    return " ".join(str(part) for part in (error.context, error.problem) if part) + since


def _not_yaml(document: Document, message: str, place: Place) -> DocumentError:
    fault = Fault(path="", message=message, line=place.line, column=place.column)
    return DocumentError(document.file, "YAML document", [fault], document.lines)


def read(path: Path, kind: str) -> Document:
    """Read and parse the file at *path*; raise InvalidInputError or DocumentError."""
    try:
        if path.is_dir():
            raise InvalidInputError(f"{path}: is a folder, not a {kind} file")
        with path.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror}; give the path of a {kind} file") from None
    except ValueError as error:  # a NUL in the path
        raise InvalidInputError(f"{str(path)!r}: cannot be read: {error}; give the path of a {kind} file") from None
    if len(raw) > MAX_FILE_BYTES:
        raise InvalidInputError(f"{path}: is larger than {MAX_FILE_BYTES >> 20} MiB; not a {kind}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = _LINE_BREAK.split(raw[: error.start].decode("latin-1"))
        where = f"{path}:{len(before)}:{len(before[-1]) + 1}"
        what = "UTF-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else f"not UTF-8 text (byte {error.start})"
        raise InvalidInputError(f"{where}: {what}; save the file as UTF-8") from None
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
