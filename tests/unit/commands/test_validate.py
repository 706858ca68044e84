"""``paramscope validate``: every fault of a file at once, with its place and what to write instead.

The expected places were counted in tests/data/broken by hand.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from simulator.cli import cli
from tests.builders import scenario_data, scenario_yaml

BROKEN = Path(__file__).parents[2] / "data/broken"

# (line, column, path, a part of the message), in the order of the file.
FAULTS: dict[str, list[tuple[int, int, str, str]]] = {
    "1-typos": [
        (2, 1, "nme", "unknown field 'nme'; did you mean 'name'?"),
        (5, 7, "cluster.ps.tasks", "'tasks' is missing"),
        (5, 8, "cluster.ps.task", "did you mean 'tasks'?"),
        (6, 22, "cluster.worker.hsot", "did you mean 'host'?"),
        (7, 13, "cluster.network.latncy", "did you mean 'latency'?"),
        (9, 11, "cluster.hosts.gpu.nick", "did you mean 'nic'?"),
        (11, 37, "workload.variables[0].dtyp", "did you mean 'dtype'?"),
        (12, 3, "workload.batchsize", "did you mean 'batch_size'?"),
        (13, 1, "trainning", "did you mean 'training'?"),
    ],
    "2-units": [
        (7, 17, "cluster.hosts.node.nic", "unknown unit 'Gbps'; did you mean '10 Gbit/s'?"),
        (7, 33, "cluster.hosts.node.queue", "20 is not a duration; write it with its unit, like 50 us"),
        (9, 14, "cluster.network.latency", "unknown unit 'usec'; did you mean '100 us'?"),
        (11, 23, "cluster.per_task.worker:0.nic", "write it with its unit, like 10 Gbit/s"),
        (15, 14, "workload.compute.forward", "unknown unit 'msec'; did you mean '10 ms'?"),
        (16, 15, "workload.compute.backward", "20 is not a duration"),
        (18, 12, "workload.costs.apply", "'1 MiB' is a size, not a duration; units: ns, us, ms"),
        (19, 15, "workload.costs.loopback", "'20 GB' is a size, not a rate; did you mean '20 GB/s'?"),
        (20, 19, "workload.costs.message_send", "'ms 5' is not a duration; write it like 50 us"),
    ],
    "3-types": [
        (2, 7, "name", "12 is not a text; put it in quotes"),
        (3, 14, "description", "is not a text"),
        (4, 7, "seed", "'one' is not a whole number; write it like 4"),
        (6, 7, "cluster.ps", "2 is not a mapping; write fields with tasks, host"),
        (7, 19, "cluster.worker.tasks", "'2' is not a whole number"),
        (8, 10, "cluster.hosts", "is not a mapping; write it like {name: ...}"),
        (11, 7, "workload.variables[0]", "'dense' is not a mapping; write fields with name, shape"),
        (12, 24, "workload.variables[1].shape", "10 is not a list; write it like [a, b]"),
        (13, 25, "workload.variables[2].shape[0]", "1.5 is not a whole number"),
        (13, 30, "workload.variables[2].shape[1]", "'x' is not a whole number"),
        (14, 15, "workload.batch_size", "32.5 is not a whole number"),
        (15, 18, "workload.learning_rate", "'fast' is not a number; write it like 0.5"),
        (17, 14, "training.last_step", "True is not a whole number"),
        # YAML 1.2: yes is a word, not a truth.
        (18, 10, "measure", "'yes' is not a mapping; write fields with warmup_steps"),
    ],
    "4-ranges": [
        (3, 7, "seed", "-1 is out of range; it is at least 0"),
        (5, 15, "cluster.ps.tasks", "0 is out of range; it is at least 1"),
        (6, 19, "cluster.worker.tasks", "-3 is out of range"),
        (8, 17, "cluster.hosts.node.nic", "a rate is more than zero"),
        (8, 36, "cluster.hosts.node.threads", "it is at least 1"),
        (8, 46, "cluster.hosts.node.speed", "-1 is out of range; it is more than 0"),
        (9, 22, "cluster.network.latency", "'-1 ms' is negative"),
        (11, 33, "workload.variables[0].shape[0]", "it is at least 1"),
        (12, 15, "workload.batch_size", "it is at least 1"),
        (13, 18, "workload.learning_rate", "nan is not a finite number"),
        (14, 45, "workload.compute.distribution.cv", "inf is not a finite number"),
        (15, 20, "workload.costs.goodput", "1.5 is out of range; it is at most 1"),
        (16, 23, "training.last_step", "it is at least 1"),
        (17, 25, "measure.replications", "it is at least 1"),
        (17, 42, "measure.warmup_steps", "it is at least 0"),
    ],
    "5-twice": [
        (6, 22, "cluster.worker.tasks", "'tasks' is given twice (first in line 6); keep one"),
        (9, 8, "cluster.colocate[1][0]", "'worker:0' is already on a host"),
        (12, 13, "cluster.addresses.worker", "3 addresses for 2 worker tasks"),
        (12, 30, "cluster.addresses.worker[1]", "'localhost:2223' is given twice"),
        (12, 46, "cluster.addresses.worker[2]", "'localhost:2222' is given twice"),
        (17, 14, "workload.variables[2].name", "'dense/kernel' is already the name of variable 0"),
        (18, 1, "seed", "'seed' is given twice (first in line 3)"),
    ],
    "6-references": [
        (4, 24, "cluster.ps.host", "no host type 'cpu_nod' in cluster.hosts; did you mean 'cpu_node'?"),
        (5, 28, "cluster.worker.host", "no host type 'gpu' in cluster.hosts; there is: cpu_node"),
        (9, 5, "cluster.per_task.worker:2", "there is no task 'worker:2': job worker has tasks worker:0 to worker:1"),
        (10, 5, "cluster.per_task.worker1", "'worker1' is no task; write it like ps:0 or worker:1"),
        (11, 15, "cluster.colocate[0][0]", "there is no task 'ps:2'"),
        (13, 9, "cluster.addresses.ps", "1 address for 2 ps tasks"),
        (14, 13, "cluster.addresses.worker", "3 addresses for 2 worker tasks"),
        (14, 40, "cluster.addresses.worker[1]", "port 70000 is not between 1 and 65535"),
        (14, 67, "cluster.addresses.worker[2]", "'worker2' is no address; write it like ps0.example.com:2222"),
        (17, 14, "workload.variables[0].name", "'global_step' is created by the training itself"),
    ],
    "7-words": [
        (2, 10, "version", "2 is not one of the values allowed here; there is: 1"),
        (3, 7, "name", "'Words and Spaces' is no name; use small letters"),
        (7, 20, "cluster.network.model", "did you mean 'tcp'?"),
        (10, 14, "workload.variables[0].name", "'a b' is no name of a variable"),
        # All three begin like it and none is nearer than another.
        (10, 40, "workload.variables[0].dtype", "did you mean 'float16' or 'float32' or 'float64'?"),
        (11, 14, "workload.optimizer", "did you mean 'adagrad'?"),
        (13, 14, "workload.compute.overlap", "did you mean 'per_variable'?"),
        (14, 26, "workload.compute.distribution.kind", "did you mean 'lognormal'?"),
        (15, 18, "training.mode", "did you mean 'async'?"),
        (15, 43, "training.placement", "did you mean 'round_robin'?"),
    ],
    "8-missing": [
        (2, 1, "name", "'name' is missing; add it here"),
        (4, 3, "cluster.worker", "'worker' is missing"),
        (4, 7, "cluster.ps.tasks", "'tasks' is missing"),
        (7, 7, "workload.variables[0].shape", "'shape' is missing"),
        (8, 7, "workload.variables[1].name", "'name' is missing"),
        (10, 19, "workload.compute.distribution", "kind lognormal needs cv, like cv: 0.05"),
    ],
    "9-not-yet": [
        (7, 3, "workload.preset", "preset: not supported yet"),
        (9, 3, "training.mode", "a mode other than async: not supported yet"),
        # 4 of 2 workers is no fault: TensorFlow lets a worker give several gradients to one step.
        (10, 3, "training.replicas_to_aggregate", "not supported yet"),
        (11, 3, "training.staleness_bound", "belongs to mode ssp, and the mode is sync"),
        (11, 3, "training.staleness_bound", "not supported yet"),
        (12, 3, "training.checkpoint", "not supported yet"),
        (13, 1, "faults", "faults: not supported yet"),
        (14, 22, "faults[0].task", "there is no task 'ps:1'"),
    ],
    "10-contradictions": [
        (7, 3, "workload", "variables and model are given; give one of variables, preset, model"),
        (10, 19, "workload.compute.distribution", "kind exponential takes no cv; kind exponential takes no values"),
        (10, 56, "workload.compute.distribution.values", "either factors (1.1) or durations (33 ms), not both"),
        (13, 3, "training.partitioner", "a partitioner: not supported yet"),
        (13, 16, "training.partitioner", "give one partitioner"),
        (15, 17, "measure.warmup_steps", "the warm-up of 20 steps leaves nothing of 20 steps"),
    ],
}


def validate(*args: str | Path) -> Result:
    # Without standalone mode a command's return value is its exit code, as in simulator.cli.main.
    return CliRunner().invoke(cli, ["validate", *map(str, args)], standalone_mode=False)


def test_every_broken_file_has_its_faults_listed() -> None:
    assert sorted(p.stem for p in BROKEN.glob("*.yaml")) == sorted(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_all_faults_of_a_file_are_reported_at_once(name: str) -> None:
    done = validate(BROKEN / f"{name}.yaml", "--json")
    (file,) = json.loads(done.stdout)["files"]
    assert [(e["line"], e["column"], e["path"]) for e in file["errors"]] == [fault[:3] for fault in FAULTS[name]]
    for error, (*_, words) in zip(file["errors"], FAULTS[name], strict=True):
        assert words in error["message"]
    assert done.return_value == 2
    assert file["valid"] is False


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_shown_with_a_caret_under_its_place(name: str) -> None:
    path = BROKEN / f"{name}.yaml"
    done = validate(path)
    assert (done.return_value, done.stdout) == (2, "")
    shown = done.stderr.splitlines()
    count = len(FAULTS[name])
    assert shown[0] == f"{path}: not a valid scenario ({count} faults)"
    assert len(shown) == 1 + 3 * count
    for i, (line, column, where, words) in enumerate(FAULTS[name]):
        message, text, caret = shown[1 + 3 * i : 4 + 3 * i]
        assert message.startswith(f"{path}:{line}:{column}: ")
        assert message.endswith(f" @ {where}")
        assert words in message
        # What stands above the caret is what stands at that column of the file.
        assert text[caret.index("^") :].startswith(path.read_text().splitlines()[line - 1][column - 1 :][:5])


def test_good_files_and_broken_ones_each_get_their_answer(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_text(scenario_yaml())
    done = validate(good, BROKEN / "8-missing.yaml", good)
    assert done.return_value == 2
    assert done.stdout == f"{good}: valid\n" * 2
    assert "8-missing.yaml:2:1: 'name' is missing" in done.stderr


def test_a_good_file_ends_with_0(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(scenario_yaml())
    done = validate(tmp_path / "good.yaml", "--json")
    assert done.return_value == 0
    assert json.loads(done.stdout)["valid"] is True


def test_more_faults_than_anybody_reads_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "many.yaml"
    path.write_text(scenario_yaml() + "".join(f"x{i}: 1\n" for i in range(130)))
    done = validate(path)
    assert done.stderr.startswith(f"{path}: not a valid scenario (130 faults)")
    assert done.stderr.endswith("... and 30 more\n")
    assert len(json.loads(validate(path, "--json").stdout)["files"][0]["errors"]) == 130


def test_a_long_line_is_cut_around_the_caret(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    # JSON is YAML: all of it in one line.
    path.write_text(json.dumps(scenario_data(typo=1, description="x" * 300)))
    *_, text, caret = validate(path).stderr.splitlines()
    assert len(text) <= 110
    assert text[caret.index("^") :].startswith('"typo": 1')


def test_what_would_colour_the_terminal_is_not_printed(tmp_path: Path) -> None:
    path = tmp_path / "escape.yaml"
    path.write_text(scenario_yaml() + '"\\e[31mred": 1\n')
    done = validate(path)
    assert "\x1b" not in done.stderr
    assert "unknown field '\\x1b[31mred'" in done.stderr
