"""Errors a user can cause: an exit code each, and faults in the order of the file."""

import pytest

from simulator.errors import (
    DocumentError,
    ExitCode,
    Fault,
    InvalidInputError,
    NothingMeasuredError,
    ParamscopeError,
    RunFailedError,
)


def test_each_error_has_the_exit_code_of_the_contract() -> None:
    codes = {kind: kind("x").exit_code for kind in (InvalidInputError, RunFailedError, NothingMeasuredError)}
    assert codes == {InvalidInputError: 2, RunFailedError: 3, NothingMeasuredError: 4}
    assert ParamscopeError("x").exit_code == 2
    assert (ExitCode.GOOD, ExitCode.GATE_FAILED, ExitCode.INTERRUPTED) == (0, 1, 130)


def fault(line: int, column: int, message: str = "bad", **more: str) -> Fault:
    return Fault(path=more.get("path", ""), message=message, line=line, column=column, source=more.get("source", ""))


def test_faults_are_shown_in_the_order_of_the_file() -> None:
    error = DocumentError(
        "f.yaml", "scenario", [fault(2, 5, "third"), fault(1, 3, "first"), fault(2, 1, "second")], ["abc", "defgh"]
    )
    assert str(error).splitlines() == [
        "f.yaml: not a valid scenario (3 faults)",
        "f.yaml:1:3: first",
        "      1 | abc",
        "        |   ^",
        "f.yaml:2:1: second",
        "      2 | defgh",
        "        | ^",
        "f.yaml:2:5: third",
        "      2 | defgh",
        "        |     ^",
    ]


def test_one_fault_is_one_and_what_is_not_in_the_file_has_no_line() -> None:
    error = DocumentError("f.yaml", "scenario", [fault(0, 0, path="seed", source="--set seed=x")], [])
    assert str(error) == "f.yaml: not a valid scenario (1 fault)\n--set seed=x: bad @ seed"
    assert error.as_json() == [{"file": "--set seed=x", "line": None, "column": None, "path": "seed", "message": "bad"}]


def test_a_place_beyond_the_end_is_named_without_its_text() -> None:
    assert str(DocumentError("f", "scenario", [fault(3, 1)], ["a"])).splitlines()[1:] == ["f:3:1: bad"]


def test_tabs_before_the_place_take_one_column_each() -> None:
    *_, text, caret = str(DocumentError("f", "scenario", [fault(1, 3)], ["\t\tx: 1"])).splitlines()
    assert text[caret.index("^")] == "x"


def test_a_fault_has_no_negative_place() -> None:
    with pytest.raises(ValueError, match="count from 1"):
        fault(-1, 0)
