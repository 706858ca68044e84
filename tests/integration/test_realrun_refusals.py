"""What ``paramscope realrun`` refuses before it starts a process."""

from pathlib import Path

import pytest

from tests.integration.commands import paramscope

CLASSIC = Path(__file__).parents[2] / "scenarios/classic-2ps-2workers.yaml"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--launcher", "netns"], "not supported yet"),
        (["--launcher", "docker"], "launcher"),
        (["--timeout", "-5 s"], "negative"),
        (["--steps", "0"], "steps"),
        (["--set", "training.mode=sync"], "not supported yet"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: list[str], message: str) -> None:
    out = tmp_path / "out"
    done = paramscope("realrun", CLASSIC, *options, "--out", out)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


def test_variables_of_whole_numbers_are_refused(tmp_path: Path) -> None:
    scenario = tmp_path / "whole.yaml"
    scenario.write_text(
        "name: whole\ncluster: {ps: {tasks: 1}, worker: {tasks: 1}, hosts: {default: {}}}\n"
        "workload: {variables: [{name: w, shape: [4], dtype: int32}]}\n"
    )
    done = paramscope("realrun", scenario)
    assert done.returncode == 2
    assert "whole numbers: w" in done.stderr


def test_a_folder_with_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    done = paramscope("realrun", CLASSIC, "--out", tmp_path)
    assert done.returncode == 2
    assert "thesis.tex" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]
