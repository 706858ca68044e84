"""Scenarios whose answer is known by arithmetic or theory, asked through the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from simulator.cli import cli


def simulated(tmp_path: Path, text: str, *options: str) -> dict[str, Any]:
    """Return what ``simulate --json`` prints for a scenario."""
    path = tmp_path / "scenario.yaml"
    path.write_text(text)
    done = CliRunner().invoke(cli, ["simulate", str(path), "--json", *options], catch_exceptions=False)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


ONE_BY_ONE = """\
name: one
cluster:
  ps: {tasks: 1, host: h}
  worker: {tasks: 1, host: h}
  hosts: {h: {nic: 1 Gbit/s}}
  network: {model: ideal, latency: 0 s}
workload:
  variables: [{name: w, shape: [25000000]}]
  compute: {forward: 40 ms, backward: 60 ms}
training: {last_step: 50}
"""


def test_one_worker_takes_wire_time_both_ways_and_compute(tmp_path: Path) -> None:
    # 25e6 float32 = 100 MB; 100 MB * 8 / 1 Gbit/s = 0.8 s each way; + 0.1 s of compute.
    step = simulated(tmp_path, ONE_BY_ONE)["step_time_s"]
    assert step["mean"] == pytest.approx(1.7, rel=1e-6)
    assert step["p99"] == pytest.approx(1.7, rel=1e-6)


def test_latency_counts_once_for_the_pull_and_once_for_the_push_in_the_ideal_network(tmp_path: Path) -> None:
    step = simulated(tmp_path, ONE_BY_ONE, "--set", "cluster.network.latency=10 ms")["step_time_s"]
    assert step["mean"] == pytest.approx(1.7 + 2 * 0.010, rel=1e-6)


def test_half_the_speed_doubles_the_compute_alone(tmp_path: Path) -> None:
    step = simulated(tmp_path, ONE_BY_ONE, "--set", "cluster.hosts.h.speed=0.5")["step_time_s"]
    assert step["mean"] == pytest.approx(1.6 + 2 * 0.1, rel=1e-6)


def test_inline_costs_add_to_a_step_of_one_worker(tmp_path: Path) -> None:
    # Each tensor costs its sender and its receiver; the gradient's apply costs the ps; one of each here.
    costs = {"session_start": 7, "session_end": 5, "message_send": 1, "message_receive": 2, "apply": 3}
    options = [word for name, ms in costs.items() for word in ("--set", f"workload.costs.{name}={ms} ms")]
    step = simulated(tmp_path, ONE_BY_ONE, *options)["step_time_s"]
    assert step["mean"] == pytest.approx(1.7 + (7 + 5 + 2 * (1 + 2) + 3) / 1e3, rel=1e-6)


def test_a_further_ps_costs_its_dispatch(tmp_path: Path) -> None:
    # Two ps: global_step takes the first, the variable the second; 0.8 s each way, 0.1 s compute, 5 ms more.
    options = ("--set", "cluster.ps.tasks=2", "--set", "workload.costs.session_per_ps=5 ms")
    assert simulated(tmp_path, ONE_BY_ONE, *options)["step_time_s"]["mean"] == pytest.approx(1.705, rel=1e-6)


def test_layers_overlap_transfers_with_compute(tmp_path: Path) -> None:
    # Two layers of 25 MB on one ps, FIFO channel (tcp), 1 Gbit/s, no costs: layer 1 is there after 0.2 s,
    # layer 2 at 0.4.  Forward 0.3 s a layer: 0.2-0.5, 0.5-0.8.  Backward 0.3 a layer: layer 2 0.8-1.1,
    # layer 1 1.1-1.4.  Push of layer 2 is hidden (1.1-1.3), of layer 1 0.2 s: 1.6.  Without overlap:
    # 0.4 + 1.2 + 0.4 = 2.0.
    zero = {
        **dict.fromkeys(("session_start", "session_end", "message_send", "message_receive", "apply"), "0 s"),
        **dict.fromkeys(("message_per_mib", "apply_per_mib", "compute_overhead", "session_per_ps"), "0 s"),
        "goodput": "1",
    }
    text = (
        ONE_BY_ONE.replace("model: ideal", "model: tcp")
        .replace("[{name: w, shape: [25000000]}]", "[{name: a/w, shape: [6250000]}, {name: b/w, shape: [6250000]}]")
        .replace("{forward: 40 ms, backward: 60 ms}", "{forward: 600 ms, backward: 600 ms}")
    )
    options = [word for name, value in zero.items() for word in ("--set", f"workload.costs.{name}={value}")]
    layered = simulated(tmp_path, text, *options)["step_time_s"]["mean"]
    serial = simulated(tmp_path, text, *options, "--set", "workload.compute.overlap=none")["step_time_s"]["mean"]
    assert layered == pytest.approx(1.6, rel=1e-6)
    assert serial == pytest.approx(2.0, rel=1e-6)


def test_identical_workers_with_exponential_compute_are_stale_by_the_others(tmp_path: Path) -> None:
    # Four memoryless workers, negligible network: between my read and my apply each of the other three
    # applies one gradient on average.
    text = """\
name: memoryless
cluster:
  ps: {tasks: 1, host: h}
  worker: {tasks: 4, host: h}
  hosts: {h: {nic: 100 Gbit/s}}
  network: {model: ideal, latency: 0 s}
workload:
  variables: [{name: w, shape: [10]}]
  compute: {forward: 50 ms, backward: 50 ms, distribution: {kind: exponential}}
training: {last_step: 20000}
"""
    document = simulated(tmp_path, text, "--replications", "1")
    assert document["staleness"]["mean"] == pytest.approx(3.0, abs=0.1)
    # Four workers of 10 steps a second.
    assert document["throughput"]["steps_per_s"] == pytest.approx(40, rel=0.03)


def test_kernels_and_biases_alternate_over_two_ps_as_tensorflow_places_them(tmp_path: Path) -> None:
    text = """\
name: alternating
cluster: {ps: {tasks: 2}, worker: {tasks: 1}, hosts: {default: {}}}
workload:
  variables:
    - {name: a/kernel, shape: [500000]}
    - {name: a/bias, shape: [2]}
    - {name: b/kernel, shape: [500000]}
    - {name: b/bias, shape: [2]}
training: {last_step: 50}
"""
    # global_step is created first and takes ps 0; then turns: both kernels on ps 1, both biases on ps 0.
    assert simulated(tmp_path, text)["placement"] == {
        "global_step": "/job:ps/task:0",
        "a/kernel": "/job:ps/task:1",
        "a/bias": "/job:ps/task:0",
        "b/kernel": "/job:ps/task:1",
        "b/bias": "/job:ps/task:0",
    }


def test_a_shared_ps_follows_mean_value_analysis(tmp_path: Path) -> None:
    """Closed queueing network: think time Z, the ps NIC out and in as processor-sharing stations.

    Product form holds for PS whatever the distribution (Baskett, Chandy, Muntz, Palacios 1975), and exact
    mean value analysis gives the throughput (Reiser, Lavenberg 1980).
    """
    workers, think, demand = 8, 0.1, 40e6 * 8 / 10e9
    queue = [0.0, 0.0]
    expected = 0.0
    for n in range(1, workers + 1):
        response = [demand * (1 + q) for q in queue]
        expected = n / (think + sum(response))
        queue = [expected * r for r in response]
    text = """\
name: shared
cluster:
  ps: {tasks: 1, host: h}
  worker: {tasks: 8, host: h}
  hosts: {h: {nic: 10 Gbit/s}}
  network: {model: ideal, latency: 0 s}
workload:
  variables: [{name: w, shape: [10000000]}]
  compute: {forward: 40 ms, backward: 60 ms, distribution: {kind: exponential}}
training: {last_step: 4000}
measure: {warmup_steps: 400}
"""
    document = simulated(tmp_path, text, "--replications", "5", "--trace", "none")
    # Five replications of 3600 steps: their interval is about 1 %.
    assert document["throughput"]["steps_per_s"] == pytest.approx(expected, rel=0.02)
