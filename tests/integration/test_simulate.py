"""``paramscope simulate`` as users and CI call it."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from simulator.trace.folder import read_run
from tests.integration.commands import PARAMSCOPE, Background, paramscope

CLASSIC = Path(__file__).parents[2] / "scenarios/classic-2ps-2workers.yaml"
SHORT = ("--set", "training.last_step=200", "--set", "measure.warmup_steps=20", "--replications", "2")
OUTSIDE = "provenance.json"


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name != OUTSIDE}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    folders = []
    for hash_seed in ("0", "1", "4711"):
        out = tmp_path / hash_seed
        subprocess.run(
            [*PARAMSCOPE, "simulate", CLASSIC, *SHORT, "--out", out],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
        folders.append(folder_bytes(out))
    assert folders[0] == folders[1] == folders[2]
    names = {"run.json", "scenario.yaml"} | {f"{t}.parquet" for t in ("steps", "spans", "updates", "links", "events")}
    assert set(folders[0]) == names


@pytest.mark.slow
def test_another_seed_gives_another_run(tmp_path: Path) -> None:
    documents = [json.loads(paramscope("simulate", CLASSIC, *SHORT, "--json", "--seed", s).stdout) for s in ("1", "2")]
    assert documents[0]["throughput"] != documents[1]["throughput"]


@pytest.mark.slow
def test_what_is_printed_does_not_depend_on_what_is_kept(tmp_path: Path) -> None:
    documents = {}
    for trace in ("none", "steps", "full"):
        out = tmp_path / trace
        done = paramscope("simulate", CLASSIC, *SHORT, "--json", "--trace", trace, "--out", out)
        documents[trace] = json.loads(done.stdout)
        kept = {p.stem for p in out.glob("*.parquet")}
        assert (
            kept
            == {
                "none": set(),
                "steps": {"steps", "updates", "events"},
                "full": {"steps", "spans", "updates", "links", "events"},
            }[trace]
        )
    for name in ("throughput", "staleness", "step_time_s", "placement", "global_step"):
        assert documents["none"][name] == documents["steps"][name] == documents["full"][name]


def test_json_is_one_document_with_the_fields_of_the_contract() -> None:
    done = paramscope("simulate", CLASSIC, *SHORT, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0
    expected = {"schema", "scenario", "kind", "seed", "replications", "complete", "throughput", "step_time_s"}
    expected |= {"staleness", "placement", "tasks", "phases_s", "bottleneck", "dropped_gradients", "lost_steps"}
    expected |= {"global_step", "wall_s", "simulated_s"}
    assert expected <= set(document)
    assert document["schema"] == "paramscope/result/1"
    assert set(document["tasks"]) == {f"/job:{job}/task:{i}" for job in ("ps", "worker") for i in (0, 1)}
    assert {"nic_out", "nic_in", "apply", "bytes_out", "bytes_in"} <= set(document["tasks"]["/job:ps/task:0"])
    low, high = document["throughput"]["ci95"]
    assert low < document["throughput"]["steps_per_s"] < high
    assert sum(document["phases_s"].values()) == pytest.approx(document["step_time_s"]["mean"], rel=0.02)


def test_too_few_steps_for_the_warm_up_measure_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = paramscope(
        "simulate", CLASSIC, "--set", "training.last_step=1", "--set", "measure.warmup_steps=0", "--out", out
    )
    # The only step is measured: something was.
    assert done.returncode == 0
    done = paramscope("simulate", CLASSIC, "--set", "training.last_step=5", "--set", "measure.warmup_steps=5")
    assert done.returncode == 2
    assert "leaves nothing" in done.stderr


@pytest.mark.slow
def test_ctrl_c_leaves_a_folder_that_says_it_is_incomplete(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Background(
        "simulate", CLASSIC, "--set", "training.last_step=10000000", "--out", out, tmp=tmp_path / "bg"
    ) as run:
        run.until(lambda: (out / "scenario.yaml").exists())
        run.process.send_signal(signal.SIGINT)
        assert run.ends() == 130
        assert "Traceback" not in run.said()
    assert not read_run(out).info.complete


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--replications", "0"], "replications"),
        (["--seed", "-1"], "seed"),
        (["--trace", "everything"], "trace"),
        (["--set", "cluster.worker.taks=3"], "did you mean 'tasks'"),
        (["--set", "nonsense"], "a.b.c=value"),
        (["--set", "workload.profile=no-such-file.yaml"], "cannot be read"),
    ],
)
def test_wrong_options_end_with_code_2_and_no_traceback(options: list[str], message: str) -> None:
    done = paramscope("simulate", CLASSIC, *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
