"""``--set a.b.c=value``: what it sets, and that its faults name the option and no line of the file."""

from pathlib import Path

import pytest

from simulator.errors import DocumentError, InvalidInputError
from simulator.scenario.loader import load_scenario
from simulator.scenario.scenario import Scenario
from tests.builders import scenario_yaml


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "f.yaml"
    path.write_text(scenario_yaml(shapes={"a": [1], "b": [2]}))
    return path


def refusal(file: Path, *assignments: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        load_scenario(file, assignments)
    return str(caught.value).replace(f"{file.parent}/", "")


def test_a_value_is_replaced(file: Path) -> None:
    assert load_scenario(file, ["cluster.worker.tasks=4"]).cluster.worker.tasks == 4


def test_the_last_assignment_counts(file: Path) -> None:
    assert load_scenario(file, ["seed=1", "seed=2"]).seed == 2
    assert load_scenario(file, ["seed=1"], seed=7).seed == 7


def test_a_part_that_the_file_leaves_out_is_made(file: Path) -> None:
    made = load_scenario(file, ["cluster.network.latency=1 ms", "cluster.per_task.worker:0.speed=0.5"])
    assert made.cluster.network.latency == 1_000_000
    assert made.host_type("worker:0").speed == 0.5


@pytest.mark.parametrize("path", ["workload.variables.1.shape", "workload.variables[1].shape"])
def test_an_index_is_written_with_a_dot_or_in_brackets(file: Path, path: str) -> None:
    def shapes(made: Scenario) -> list[tuple[int, ...]]:
        return [v.shape for v in made.variables]

    assert shapes(load_scenario(file, [f"{path}=[7, 8]"])) == [(1,), (7, 8)]


def test_a_whole_part_is_written_as_yaml(file: Path) -> None:
    made = load_scenario(file, ["cluster.worker={tasks: 3}", 'description="a\\tb: c"'])
    assert made.cluster.worker.tasks == 3
    assert made.description == "a\tb: c"


@pytest.mark.parametrize("assignment", ["a", "=1", "", "a..b=1", ".a=1", "a.=1"])
def test_what_is_no_assignment_is_refused(file: Path, assignment: str) -> None:
    assert refusal(file, assignment) == f"--set {assignment}: write it as --set a.b.c=value"


@pytest.mark.parametrize("index", ["2", "-1", "x", "²", "9" * 5000])
def test_what_is_no_index_of_a_list_is_refused(file: Path, index: str) -> None:
    said = refusal(file, f"workload.variables.{index}.shape=[1]")
    assert f"workload.variables is a list of 2; {index[:20]!r} is not an index of it (they count from 0)" in said


# Assignment; what is said after "--set <assignment>: ".
FAULTS = {
    "cluster.worker.tasks=x": "'x' is not a whole number; write it like 4 @ cluster.worker.tasks",
    "cluster.worker.tasks=": "'tasks' has no value; give it one, or leave it out if it has a default"
    " @ cluster.worker.tasks",
    "cluster.worker.taks=4": "unknown field 'taks'; did you mean 'tasks'? @ cluster.worker.taks",
    "clutser.worker.tasks=4": "unknown field 'clutser'; did you mean 'cluster'? @ clutser",
    "cluster.network.latency=5": "5 is not a duration; write it with its unit, like 50 us",
    "cluster.ps.tasks.x=1": "{'x': 1} is not a whole number; write it like 4 @ cluster.ps.tasks",
    "cluster.worker.host=gpu": "no host type 'gpu' in cluster.hosts @ cluster.worker.host",
    "cluster.worker={tasks: 1, tasks: 2}": "'tasks' is given twice (first in line 1); keep one @ cluster.worker.tasks",
    # The file has cluster.worker.tasks in a line of its own, which is no longer the one at fault.
    "cluster.worker={tasks: x}": "'x' is not a whole number; write it like 4 @ cluster.worker.tasks",
    "workload.variables.1.name=a": "'a' is already the name of variable 0; names are unique",
    "training.mode=sync": "a mode other than async: not supported yet; leave it out @ training.mode",
}


@pytest.mark.parametrize("assignment", FAULTS)
def test_a_fault_names_the_option_and_no_line(file: Path, assignment: str) -> None:
    with pytest.raises(DocumentError) as caught:
        load_scenario(file, [assignment])
    assert f"--set {assignment}: {FAULTS[assignment]}" in str(caught.value)
    for fault in caught.value.as_json():
        assert (fault["file"], fault["line"], fault["column"]) == (f"--set {assignment}", None, None)


def test_a_value_that_is_not_yaml_is_refused_with_its_place(file: Path) -> None:
    assert "--set seed=[1:1:3: not YAML: " in refusal(file, "seed=[1")


def test_faults_of_file_and_options_come_together(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(scenario_yaml(seed=-1))
    said = refusal(path, "cluster.ps.tasks=0")
    assert "f.yaml: not a valid scenario (2 faults)" in said
    assert "--set cluster.ps.tasks=0: 0 is out of range" in said
    assert "-1 is out of range; it is at least 0 @ seed" in said


def test_a_profile_is_looked_for_beside_the_file_or_from_here_when_set(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here/p.yaml").write_text("costs: {apply: 7 us}\n")
    monkeypatch.chdir(tmp_path / "here")
    assert load_scenario(file, ["workload.profile=p.yaml"]).workload.costs.apply == 7_000
    (tmp_path / "p.yaml").write_text("costs: {apply: 9 us}\n")
    file.write_text(scenario_yaml(workload__profile="p.yaml"))
    assert load_scenario(file).workload.costs.apply == 9_000
