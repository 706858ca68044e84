"""The command line as a whole: starts quickly, names the nearest command, ends with the codes of the contract."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from simulator.cli import cli, main
from simulator.errors import NothingMeasuredError, RunFailedError
from tests.builders import scenario_yaml

HEAVY = ("tensorflow", "dash", "scipy", "pandas", "pydantic", "plotly", "pyarrow", "numpy", "sklearn", "simpy")


def ends(*args: str | Path) -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as caught:
        main([*map(str, args)])
    code = caught.value.code
    assert isinstance(code, int)
    return code


def python(program: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.yaml"
    path.write_text(scenario_yaml())
    return path


def test_help_loads_nothing_heavy() -> None:
    program = f"""
import sys
from simulator.cli import main
try:
    main(["--help"])
except SystemExit:
    print("loaded:", sorted(set({HEAVY!r}) & set(sys.modules)))
"""
    done = python(program)
    assert "Predict, run and compare" in done.stdout
    assert done.stdout.splitlines()[-1] == "loaded: []", done.stderr


def test_simulate_needs_neither_tensorflow_nor_dash_nor_pandas(good: Path) -> None:
    program = f"""
import sys
from simulator.cli import main
try:
    main(["simulate", {str(good)!r}, "--json"])
except SystemExit as stop:
    print(stop.code, sorted({{"tensorflow", "dash", "pandas", "scipy", "sklearn", "plotly"}} & set(sys.modules)))
"""
    done = python(program)
    assert done.stdout.splitlines()[-1] == "0 []", done.stderr


def test_python_m_simulator_is_the_same_command(good: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "simulator", "validate", good], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"{good}: valid\n")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("simulat", "no command 'simulat'; did you mean 'simulate'?"),
        ("Validate", "did you mean 'validate'?"),
        ("run", "did you mean 'realrun'?"),
        ("xyz", "no command 'xyz'; there is: calibrate, compare"),
    ],
)
def test_an_unknown_command_is_answered_with_the_nearest(
    word: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends(word) == 2
    assert said in capsys.readouterr().err


def test_a_misspelt_option_is_answered_with_the_nearest(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("simulate", good, "--replicatons", "3") == 2
    assert "Did you mean '--replications'?" in capsys.readouterr().err


def test_every_command_of_the_entry_points_loads() -> None:
    context = click.Context(cli)
    names = cli.list_commands(context)
    assert {"simulate", "realrun", "calibrate", "compare", "validate", "schema", "dashboard"} <= set(names)
    for name in names:
        command = cli.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.short_help


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--version",), 0),
        (("--help",), 0),
        (("schema",), 0),
        ((), 2),
        (("simulate",), 2),
        (("simulate", "missing.yaml"), 2),
        (("validate", "missing.yaml"), 2),
        (("simulate", "missing.yaml", "--seed", "-1"), 2),
        (("compare", "missing", "missing"), 2),
    ],
    ids=str,
)
def test_exit_codes(args: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends(*args) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RunFailedError("a task died"), 3, "a task died"),
        (NothingMeasuredError("no step"), 4, "no step"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.exceptions.Abort(), 130, "interrupted"),
        (ModuleNotFoundError("no", name="tensorflow"), 2, "pip install 'paramscope[realrun]'"),
        (ModuleNotFoundError("no", name="dash.html"), 2, "pip install 'paramscope[dashboard]'"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_an_error_ends_with_its_code_and_one_sentence(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli, "main", fails)
    assert ends("simulate") == code
    assert said in capsys.readouterr().err


def test_an_error_of_ours_shows_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("no", name="numpyy")

    monkeypatch.setattr(cli, "main", fails)
    with pytest.raises(ModuleNotFoundError):
        main([])


def test_json_is_one_document_and_nothing_else(good: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["simulate", str(good), "--json", "--out", str(tmp_path / "run")])
    document = json.loads(done.stdout)
    assert document["schema"] == "paramscope/result/1"
    assert document["scenario"] == "built"


def test_a_reader_that_has_gone_is_no_failure_of_ours() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "simulator", "schema"], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    # 128 + SIGPIPE, as a shell reports it.
    assert (done.returncode, done.stderr) == (141, "")


def test_a_run_without_a_measured_step_ends_with_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Two equal workers without any noise end their steps, 1 and 2, in the same nanosecond: the warm-up ends when
    # the training does, and nothing is between them.
    path = tmp_path / "short.yaml"
    path.write_text(scenario_yaml(workers=2, last_step=2, warmup=1, cluster__network__model="ideal"))
    assert ends("simulate", path) == 4
    said = capsys.readouterr().err
    assert "no step was measured" in said
    assert "run more steps or lower measure.warmup_steps" in said
