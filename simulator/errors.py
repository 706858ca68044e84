"""Error types that a user can cause, and the exit code each one ends with (DESIGN section 5)."""

from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """What the process tells its caller."""

    GOOD = 0
    GATE_FAILED = 1
    INVALID = 2
    RUN_FAILED = 3
    NOTHING_MEASURED = 4
    INTERRUPTED = 130


class ParamscopeError(Exception):
    """Something a user can mend; shown without a traceback."""

    exit_code = ExitCode.INVALID


class InvalidInputError(ParamscopeError):
    """A file, option or folder is not what it should be."""


class RunFailedError(ParamscopeError):
    """The run itself failed: a task died, a timeout passed, a port was taken."""

    exit_code = ExitCode.RUN_FAILED


class NothingMeasuredError(ParamscopeError):
    """The run left nothing, or too little, to judge."""

    exit_code = ExitCode.NOTHING_MEASURED


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with a document, with its place and remedy.

    ``line`` and ``column`` count from 1; 0 means the place is not in the file (``--set``, say).
    """

    path: str
    message: str
    line: int = 0
    column: int = 0
    source: str = ""

    def __post_init__(self) -> None:
        if self.line < 0 or self.column < 0:
            raise ValueError("line and column count from 1 (0: not in the file)")


# More than this many faults are counted, not shown: nobody reads them, and JSON output has them all.
MAX_SHOWN = 100


class DocumentError(InvalidInputError):
    """A document has one or more faults; all of them are reported at once."""

    def __init__(self, file: str, kind: str, faults: list[Fault], lines: list[str]) -> None:
        self.file = file
        self.kind = kind
        self.faults = sorted(faults, key=lambda f: (f.line, f.column, f.path, f.message))
        self._lines = lines
        super().__init__(self._render())

    def _render(self) -> str:
        count = len(self.faults)
        out = [f"{self.file}: not a valid {self.kind} ({count} fault{'s' if count != 1 else ''})"]
        for fault in self.faults[:MAX_SHOWN]:
            place = f"{self.file}:{fault.line}:{fault.column}" if fault.line else fault.source or self.file
            out.append(_printable(f"{place}: {fault.message}" + (f" @ {fault.path}" if fault.path else "")))
            if 0 < fault.line <= len(self._lines):
                text = self._lines[fault.line - 1]
                # A caret under the place; a very long line is cut around it.
                left = max(0, fault.column - 60)
                out.append(f"  {fault.line:>5} | {_printable(text[left : left + 100])}")
                out.append(f"        | {' ' * (fault.column - 1 - left)}^")
        if count > MAX_SHOWN:
            out.append(f"... and {count - MAX_SHOWN} more")
        return "\n".join(out)

    def as_json(self) -> list[dict[str, object]]:
        """Return the faults as JSON objects: file, line, column, path, message."""
        return [
            {
                "file": fault.source or self.file,
                "line": fault.line or None,
                "column": fault.column or None,
                "path": fault.path,
                "message": fault.message,
            }
            for fault in self.faults
        ]


def _printable(text: str) -> str:
    """Return *text* with a blank for what would move a cursor or colour a terminal."""
    return "".join(c if c.isprintable() else " " for c in text)
