"""The shipped scenarios are valid, open with a sentence, and show what they say."""

from pathlib import Path
from typing import Any

import pytest

from simulator.run import simulate
from simulator.scenario.budget import load_budget
from simulator.scenario.loader import load_scenario
from simulator.trace.schema import TraceLevel

ROOT = Path(__file__).parents[2]
SCENARIOS = [p for p in sorted((ROOT / "scenarios").rglob("*.yaml")) if "budgets" not in p.parts]
TUTORIAL = ROOT / "scenarios/tutorial"


# A third of the steps tell the same.
SHORT = "training.last_step=800"


def predicted(name: str, *overrides: str) -> dict[str, Any]:
    run = simulate(load_scenario(TUTORIAL / name, overrides), replications=2, trace=TraceLevel.STEPS)
    assert run.info.summary is not None
    return run.info.summary


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: p.stem)
def test_a_scenario_is_valid_and_opens_with_a_sentence_and_its_schema(path: Path) -> None:
    assert load_scenario(path).name
    lines = path.read_text().splitlines()
    assert lines[0].startswith("# ")
    assert lines[0].endswith(".")
    schema = next(line for line in lines if line.startswith("# yaml-language-server: $schema="))
    assert (path.parent / schema.partition("=")[2]).is_file()


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios/budgets").glob("*.yaml")), ids=lambda p: p.stem)
def test_a_budget_is_valid_and_opens_with_a_sentence(path: Path) -> None:
    assert load_budget(path).metrics
    assert path.read_text().startswith("# ")


def test_step_1_takes_1_7_s_of_which_the_accelerator_works_6_percent() -> None:
    document = predicted("1-one-worker.yaml")
    assert document["step_time_s"]["mean"] == pytest.approx(1.7, rel=1e-6)
    assert document["tasks"]["/job:worker/task:0"]["compute"] == pytest.approx(0.1 / 1.7, abs=0.001)
    assert "nic" in document["bottleneck"]["resource"]


def test_step_2_doubles_the_steps_and_makes_gradients_one_version_stale() -> None:
    one = predicted("2-two-workers.yaml", "cluster.worker.tasks=1")
    two = predicted("2-two-workers.yaml")
    # Only the few ms outside the accelerator are shared.
    assert two["throughput"]["steps_per_s"] == pytest.approx(2 * one["throughput"]["steps_per_s"], rel=0.02)
    assert one["staleness"]["mean"] == 0
    assert two["staleness"]["mean"] == pytest.approx(1, abs=0.1)
    assert "/job:worker" in two["bottleneck"]["resource"]


def test_step_3_never_passes_what_the_nic_of_the_ps_carries() -> None:
    # 40 MB each way a step: 10 Gbit/s x 0.957 / (40 MB x 8) = 29.9 steps/s.
    rates = [
        predicted("3-the-ps-is-full.yaml", SHORT, f"cluster.worker.tasks={n}")["throughput"]["steps_per_s"]
        for n in (4, 8, 16)
    ]
    assert rates == sorted(rates)
    assert rates[2] < 30
    # Four times the workers, far from four times the steps.
    assert rates[2] < 2 * rates[0]
    assert predicted("3-the-ps-is-full.yaml", SHORT)["bottleneck"]["resource"].startswith("/job:ps/task:0 nic")


def test_step_4_has_all_kernels_on_one_ps_and_without_biases_on_both() -> None:
    document = predicted("4-two-ps.yaml", SHORT)
    kernels = {task for name, task in document["placement"].items() if name.endswith("kernel")}
    assert kernels == {"/job:ps/task:1"}
    one_ps = predicted("3-the-ps-is-full.yaml", SHORT)["throughput"]["steps_per_s"]
    # The second ps carries only biases: no gain beyond what differs between the two files' small tensors.
    assert document["throughput"]["steps_per_s"] == pytest.approx(one_ps, rel=0.1)
    spread = predicted("3-the-ps-is-full.yaml", SHORT, "cluster.ps.tasks=2")["throughput"]["steps_per_s"]
    assert spread > 1.4 * one_ps


def test_step_5_makes_the_slow_workers_gradients_about_twelve_versions_old() -> None:
    run = simulate(load_scenario(TUTORIAL / "5-a-slow-worker.yaml"), replications=1)
    updates = run.table("updates").to_pylist()
    slow = [u["staleness"] for u in updates if u["worker"] == "/job:worker/task:3"]
    fast = [u["staleness"] for u in updates if u["worker"] != "/job:worker/task:3"]
    assert sum(slow) / len(slow) == pytest.approx(12, abs=1.5)
    assert sum(fast) / len(fast) < 3
