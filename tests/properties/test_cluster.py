"""Invariants that every simulated run keeps, whatever the scenario."""

from collections import defaultdict

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.analysis.phases import step_phases
from simulator.analysis.result import result
from simulator.analysis.usage import usage
from simulator.analysis.window import windows
from simulator.run import simulate
from simulator.scenario.loader import loads_scenario
from simulator.scenario.resolve import goodput
from simulator.scenario.scenario import Scenario


@st.composite
def small_scenarios(draw: st.DrawFn) -> Scenario:
    """Clusters of a few tasks in which every mechanism can take part."""
    ps, workers = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    sizes = draw(st.lists(st.sampled_from([1, 10, 5_000, 400_000]), min_size=1, max_size=5))
    variables = ", ".join(f"{{name: layer{i // 2}/v{i}, shape: [{n}]}}" for i, n in enumerate(sizes))
    kind = draw(st.sampled_from(["{kind: deterministic}", "{kind: exponential}", "{kind: lognormal, cv: 0.3}"]))
    tasks = [f'"ps:{i}"' for i in range(ps)] + [f'"worker:{i}"' for i in range(workers)]
    together = draw(st.lists(st.sampled_from(tasks), unique=True, max_size=4))
    text = f"""\
name: drawn
seed: {draw(st.integers(0, 1000))}
cluster:
  ps: {{tasks: {ps}, host: h}}
  worker: {{tasks: {workers}, host: h}}
  hosts: {{h: {{nic: {draw(st.sampled_from([100, 1000, 10000]))} Mbit/s, threads: {draw(st.integers(1, 4))}}}}}
  colocate: [{"[" + ", ".join(together) + "]" if together else ""}]
  network: {{model: {draw(st.sampled_from(["ideal", "tcp"]))}, latency: {draw(st.integers(0, 500))} us}}
workload:
  variables: [{variables}]
  optimizer: {draw(st.sampled_from(["sgd", "adagrad", "adam"]))}
  compute:
    forward: {draw(st.integers(0, 5))} ms
    backward: {draw(st.integers(1, 5))} ms
    distribution: {kind}
    overlap: {draw(st.sampled_from(["none", "per_variable"]))}
training: {{last_step: {draw(st.integers(5, 40))}}}
measure: {{warmup_steps: 0, replications: 2}}
"""
    return loads_scenario(text)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_scenarios())
def test_a_run_keeps_its_invariants(scenario: Scenario) -> None:
    run = simulate(scenario)
    spans = run.table("spans").to_pylist()
    steps = run.table("steps").to_pylist()
    assert steps
    first = [s for s in steps if s["replication"] == 0]

    # Spans of one slot never overlap, and none is negative.
    ends: dict[tuple[str, str, int], int] = {}
    for s in sorted(spans, key=lambda s: (s["start"], s["end"])):
        slot = (s["task"], s["lane"], s["slot"])
        assert s["end"] > s["start"] >= ends.get(slot, 0)
        ends[slot] = s["end"]

    # No byte is lost or made: every step pulls and pushes each variable once, out here and in there.
    whole = sum(v.size for v in scenario.variables)
    moved: dict[tuple[str, str], int] = defaultdict(int)
    for s in spans:
        moved[s["lane"], s["phase"]] += s["bytes"]
    if len(scenario.machines()) == scenario.cluster.ps.tasks + scenario.cluster.worker.tasks:
        for lane in ("nic_out", "nic_in"):
            for phase in ("pull", "push"):
                assert moved[lane, phase] == whole * len(first)

    # No transfer beats its link.
    nic = {t: m.nic for m in scenario.machines() for t in m.tasks}
    host = {t: m.name for m in scenario.machines() for t in m.tasks}

    def short(path: str) -> str:
        return path.replace("/job:", "").replace("/task", "")

    for s in spans:
        a, b = short(s["task"]), short(s["peer"]) if s["peer"] else ""
        if s["bytes"] and host[a] != host[b]:
            rate = min(nic[a], nic[b]) * goodput(scenario)
            assert s["end"] - s["start"] >= s["bytes"] * 8e9 / rate - 1

    # Every version of a variable is applied once, in order; staleness is what was applied in between.
    for replication in (0, 1):
        for variable in scenario.variables:
            mine = [
                u
                for u in run.table("updates").to_pylist()
                if u["replication"] == replication and u["shard"] == variable.name
            ]
            assert [u["version_applied"] for u in mine] == list(range(len(mine)))
            assert all(u["staleness"] == u["version_applied"] - u["version_read"] >= 0 for u in mine)
        written = sorted(s["global_step_written"] for s in steps if s["replication"] == replication)
        assert written == list(range(1, len(written) + 1))
        assert scenario.training.last_step <= written[-1]

    # Steps of one worker follow one another; the phases of a step sum to it; nothing is used beyond 100 %.
    window = windows(run)[0]
    rows, phases = step_phases(run, window)
    length = np.array([steps[int(r)]["end"] - steps[int(r)]["start"] for r in rows])
    assert (phases.sum(axis=1) == length).all()
    for use in usage(run, window).values():
        assert all(0 <= getattr(use, name) <= 1 for name in ("nic_out", "nic_in", "apply", "compute", "cpu"))
    by_worker: dict[str, int] = {}
    for s in sorted(first, key=lambda s: s["start"]):
        assert s["start"] >= by_worker.get(s["task"], 0)
        by_worker[s["task"]] = s["end"]
    assert result(run)["complete"] is True


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_scenarios())
def test_the_same_seed_gives_the_same_tables(scenario: Scenario) -> None:
    first, second = simulate(scenario), simulate(scenario)
    for name in first.given:
        assert first.table(name).equals(second.table(name))
    assert first.info == second.info
