"""Real TensorFlow clusters, run through the command line: what they write, and what they leave behind."""

import json
import signal
from pathlib import Path

import numpy as np
import pytest

from simulator.trace.folder import read_run
from tests.integration.commands import Background, gone, paramscope, tasks_of

pytestmark = [pytest.mark.tf, pytest.mark.slow]

SCENARIO = """\
name: small
cluster:
  ps: {tasks: 2, host: h}
  worker: {tasks: 2, host: h}
  hosts: {h: {threads: 2}}
  colocate: [["ps:0", "ps:1", "worker:0", "worker:1"]]
workload:
  model: digits-mlp
  optimizer: adagrad
  learning_rate: 0.1
  compute: {forward: 5 ms, backward: 10 ms}
training: {last_step: 200}
measure: {warmup_steps: 20}
"""
# Long enough that nothing ends by itself before the test ends it.
ENDLESS = ("--set", "training.last_step=1000000")
ALL_TASKS = {"ps:0", "ps:1", "worker:0", "worker:1"}


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SCENARIO)
    return path


def training_in(run: Background) -> None:
    """Wait until the workers train."""
    run.until(lambda: "global step" in run.said())


def assert_incomplete_but_readable(folder: Path, *, with_steps: bool = True) -> None:
    run = read_run(folder)
    assert not run.info.complete
    assert (run.table("steps").num_rows > 0) is with_steps
    assert json.loads((folder / "run.json").read_text())["complete"] is False
    assert [p.name for p in folder.iterdir() if p.name.endswith(".part")] == []


def test_a_real_run_writes_what_the_contract_says(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = paramscope("realrun", scenario, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["kind"] == "real"
    assert document["complete"] is True
    # StopAtStepHook judges by the global step read at the start of a step (simulator/cluster/coordinator.py):
    # each of the two workers may finish its step and do one more, but the last step itself is only one.
    assert 200 <= document["global_step"] <= 203
    # Creation order global_step, hidden/kernel, hidden/bias, output/kernel, output/bias; turns from ps 0.
    assert document["placement"] == {
        "global_step": "/job:ps/task:0",
        "hidden/kernel": "/job:ps/task:1",
        "hidden/bias": "/job:ps/task:0",
        "output/kernel": "/job:ps/task:1",
        "output/bias": "/job:ps/task:0",
    }
    # Guessing gives 0.1; 200 steps on real digits learn most of them.
    assert document["learning"]["held_out_accuracy"] > 0.8
    # 15 ms of emulated compute are the least a step can take.
    assert document["step_time_s"]["p10"] > 0.015
    assert 0 < document["staleness"]["mean"] < 2
    run = read_run(out)
    updates = run.table("updates")
    for name in ("hidden/kernel", "hidden/bias", "output/kernel", "output/bias"):
        applied = np.sort(updates["version_applied"].to_numpy()[np.array(updates["shard"].to_pylist()) == name])
        # Counted atomically on the ps: every version once, none lost.
        assert applied.tolist() == list(range(len(applied)))
    phases = set(run.table("spans")["phase"].to_pylist())
    assert {"pull", "forward", "backward", "push", "apply"} <= phases
    pulled = run.table("spans").filter((run.table("spans")["phase"].to_numpy(zero_copy_only=False) == "pull").tolist())
    assert set(pulled["variable"].to_pylist()) == {"hidden/kernel", "hidden/bias", "output/kernel", "output/bias"}
    assert gone(out)


def test_a_synthetic_workload_runs_for_real(scenario: Path, tmp_path: Path) -> None:
    text = SCENARIO.replace(
        "  model: digits-mlp\n",
        "  variables: [{name: a/kernel, shape: [512, 1024]}, {name: a/bias, shape: [1024]}, {name: b, shape: [10]}]\n",
    )
    scenario.write_text(text)
    done = paramscope("realrun", scenario, "--steps", "80", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["placement"]["a/kernel"] == "/job:ps/task:1"
    assert "learning" not in document


def test_ctrl_c_leaves_nothing_behind(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Background("realrun", scenario, *ENDLESS, "--out", out, tmp=tmp_path / "bg") as run:
        training_in(run)
        assert set(tasks_of(out)) == ALL_TASKS
        run.process.send_signal(signal.SIGINT)
        assert run.ends() == 130
        assert gone(out)
        assert list(run.temporary.iterdir()) == []
    assert_incomplete_but_readable(out)


def test_ctrl_c_while_the_tasks_start_leaves_nothing_behind(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Background("realrun", scenario, *ENDLESS, "--out", out, tmp=tmp_path / "bg") as run:
        run.until(lambda: set(tasks_of(out)) == ALL_TASKS)
        run.process.send_signal(signal.SIGINT)
        assert run.ends() == 130
        assert gone(out)
        assert list(run.temporary.iterdir()) == []
    assert_incomplete_but_readable(out, with_steps=False)


def test_ctrl_c_in_a_calibration_leaves_no_profile_and_no_process(scenario: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile.yaml"
    with Background("calibrate", scenario, "--steps", "100000", "-o", profile, tmp=tmp_path / "bg") as run:
        training_in(run)
        # Without --out the run works in a temporary folder.
        assert set(tasks_of(run.temporary)) == {"ps:0", "worker:0"}
        run.process.send_signal(signal.SIGINT)
        assert run.ends() == 130
        assert gone(run.temporary)
        assert list(run.temporary.iterdir()) == []
        assert "Traceback" not in run.said()
    assert not profile.exists()


def test_a_timeout_ends_every_task(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Background("realrun", scenario, *ENDLESS, "--timeout", "14 s", "--out", out, tmp=tmp_path / "bg") as run:
        assert run.ends(90) == 3
        assert "timeout of 14 s" in run.said()
        assert gone(out)
        assert list(run.temporary.iterdir()) == []
    assert_incomplete_but_readable(out)


@pytest.mark.parametrize("victim", ["ps:0", "ps:1", "worker:0", "worker:1"])
def test_a_killed_task_ends_the_run(scenario: Path, tmp_path: Path, victim: str) -> None:
    out = tmp_path / "run"
    with Background("realrun", scenario, *ENDLESS, "--out", out, tmp=tmp_path / "bg") as run:
        training_in(run)
        import os

        os.kill(tasks_of(out)[victim], signal.SIGKILL)
        assert run.ends() == 3
        assert gone(out)
        assert list(run.temporary.iterdir()) == []
        job, index = victim.split(":")
        assert f"/job:{job}/task:{index} was killed by signal 9" in run.said()
        assert "Traceback" not in run.said().split("printed last")[0]
    assert_incomplete_but_readable(out)


def test_tasks_die_with_a_killed_launcher(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Background("realrun", scenario, *ENDLESS, "--out", out, tmp=tmp_path / "bg") as run:
        training_in(run)
        run.process.kill()
        run.process.wait()
        assert gone(out)
        assert list(run.temporary.iterdir()) == []
    # It could write nothing more; the folder says so.
    assert_incomplete_but_readable(out, with_steps=False)
    # And it can be used again.
    done = paramscope("simulate", scenario, "--out", out)
    assert done.returncode == 0, done.stderr


def test_two_runs_at_the_same_time_do_not_collide(scenario: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "a", tmp_path / "b"]
    runs = [
        Background("realrun", scenario, "--steps", "60", "--out", out, tmp=tmp_path / f"bg-{out.name}") for out in outs
    ]
    try:
        assert [run.ends(180) for run in runs] == [0, 0], "\n".join(run.said() for run in runs)
    finally:
        for run in runs:
            run.__exit__()
    assert all(read_run(out).info.complete for out in outs)


def test_the_prediction_of_the_classic_cluster_holds(tmp_path: Path) -> None:
    """The whole line of ``make demo``, with the bounds of issue 2: throughput 15 %, staleness 0.5, accuracy 0.85."""
    classic = Path("scenarios/classic-2ps-2workers.yaml")
    profile, real, predicted = tmp_path / "profile.yaml", tmp_path / "real", tmp_path / "predicted"
    calibrated = paramscope("calibrate", classic, "-o", profile)
    assert calibrated.returncode == 0, calibrated.stderr
    simulated = paramscope("simulate", classic, "--set", f"workload.profile={profile}", "--out", predicted)
    assert simulated.returncode == 0, simulated.stderr
    ran = paramscope("realrun", classic, "--out", real, "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["learning"]["held_out_accuracy"] > 0.85
    compared = paramscope("compare", real, predicted, "--json")
    assert compared.returncode == 0, compared.stderr
    metrics = {m["name"]: m for m in json.loads(compared.stdout)["metrics"]}
    assert abs(metrics["throughput.steps_per_s"]["relative"]) < 0.15
    assert abs(metrics["staleness.mean"]["difference"]) < 0.5
