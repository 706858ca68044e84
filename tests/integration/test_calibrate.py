"""``paramscope calibrate`` with bad input: refused before anything runs, nothing written."""

from pathlib import Path

import pytest

from tests.integration.commands import paramscope

CLASSIC = Path(__file__).parents[2] / "scenarios/classic-2ps-2workers.yaml"


def test_a_simulated_run_is_no_source_of_costs(tmp_path: Path) -> None:
    run, profile = tmp_path / "run", tmp_path / "profile.yaml"
    paramscope("simulate", CLASSIC, "--set", "training.last_step=150", "--out", run)
    done = paramscope("calibrate", CLASSIC, "--from", run, "-o", profile)
    assert done.returncode == 2
    assert "simulated" in done.stderr
    assert not profile.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--from", "nowhere"], "no such folder"),
        (["--steps", "10"], "steps"),
        (["--timeout", "soon"], "--timeout"),
        (["--timeout", "10"], "--timeout"),
        ([], "-o"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: list[str], message: str) -> None:
    profile = tmp_path / "profile.yaml"
    output: list[str | Path] = ["-o", profile] if options else []
    done = paramscope("calibrate", CLASSIC, *options, *output)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not profile.exists()


def test_a_file_that_is_no_profile_is_not_overwritten(tmp_path: Path) -> None:
    precious = tmp_path / "precious.yaml"
    precious.write_text("name: mine\n")
    done = paramscope("calibrate", CLASSIC, "-o", precious)
    assert done.returncode == 2
    assert "not a profile" in done.stderr
    assert precious.read_text() == "name: mine\n"


def test_a_folder_is_no_place_for_a_profile(tmp_path: Path) -> None:
    done = paramscope("calibrate", CLASSIC, "-o", tmp_path)
    assert done.returncode == 2
    assert "is a folder" in done.stderr
