"""The command: where it listens, and what it says when it cannot."""

import socket
from pathlib import Path

import pytest

from dashboard.serving import is_loopback, listen
from simulator.cli import main
from simulator.errors import InvalidInputError
from tests.unit.dashboard.dashboard_runs import three_steps, write


def ends(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int | str | None, str]:
    """Return exit code and standard error of a command that does not serve."""
    with pytest.raises(SystemExit) as stopped:
        main(["dashboard", *args])
    return stopped.value.code, capsys.readouterr().err


def test_port_zero_takes_a_free_port() -> None:
    with listen("127.0.0.1", 0) as first, listen("127.0.0.1", 0) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_taken_port_is_refused_with_the_remedy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write(tmp_path / "a", three_steps())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = ends(capsys, str(tmp_path), "--port", port)
    assert code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in said
    assert "--port" in said
    assert "Traceback" not in said


def test_a_missing_folder_is_refused_with_the_command_that_makes_a_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, said = ends(capsys, str(tmp_path / "none"), "--port", "0")
    assert code == 2
    assert "no such folder; make a run with `paramscope simulate" in said


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, port: str) -> None:
    assert ends(capsys, str(tmp_path), "--port", port)[0] == 2


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"--host 256\.0\.0\.1: no such address"):
        listen("256.0.0.1", 0)


def test_only_loopback_addresses_are_private() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("192.0.2.1")
