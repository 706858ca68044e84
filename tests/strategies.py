"""Hypothesis strategies: scenario files that are valid, and runs as tables."""

from typing import Any

from hypothesis import strategies as st

from simulator.scenario.workload import DType, Optimizer
from simulator.trace.recorder import Row
from simulator.units import format_duration, format_rate
from tests.builders import span_row, step_row, update_row

NAMES = st.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True)
VARIABLE_NAMES = st.from_regex(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]{0,12}", fullmatch=True)
HOST_NAMES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}", fullmatch=True)
DURATIONS = st.integers(0, 10**15).map(format_duration)
RATES = st.integers(1, 10**15).map(format_rate)
FACTORS = st.floats(1e-6, 1e6, exclude_min=True)
# Whatever YAML can hold between quotes.
TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")) | st.sampled_from("\n\t:#'\"{}[]"), max_size=40
)


def some(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Return mappings with any of *fields*."""
    return st.fixed_dictionaries({}, optional=fields)


DISTRIBUTIONS = st.one_of(
    st.fixed_dictionaries({}, optional={"kind": st.sampled_from(["deterministic", "exponential"])}),
    st.fixed_dictionaries({"kind": st.sampled_from(["lognormal", "gamma"]), "cv": st.floats(0, 100)}),
    st.fixed_dictionaries(
        {"kind": st.just("empirical"), "values": st.lists(st.floats(0, 1e6), min_size=1, max_size=3)}
    ),
)
COSTS = some(
    {
        **dict.fromkeys(("session_start", "message_send", "message_receive", "apply", "apply_per_mib"), DURATIONS),
        "goodput": st.floats(0, 1, exclude_min=True),
        "loopback": RATES,
    }
)
HOSTS = st.dictionaries(HOST_NAMES, some({"nic": RATES, "threads": st.integers(1, 64), "speed": FACTORS}), max_size=3)


@st.composite
def clusters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the cluster part, with everything in it that a scenario may say of one."""
    hosts: dict[str, Any] = draw(HOSTS)
    jobs: dict[str, dict[str, Any]] = {job: {"tasks": draw(st.integers(1, 4))} for job in ("ps", "worker")}
    for job in jobs.values() if hosts else ():
        job.update(draw(some({"host": st.sampled_from(sorted(hosts))})))
    cluster: dict[str, Any] = {**jobs, "hosts": hosts}
    tasks = [f"{name}:{i}" for name in jobs for i in range(jobs[name]["tasks"])]
    shuffled = draw(st.permutations(tasks))
    cut = draw(st.integers(0, len(tasks)))
    cluster["colocate"] = [group for group in (shuffled[:cut][:2], shuffled[:cut][2:]) if group]
    # Only what is a task's own even on a shared host.
    cluster["per_task"] = draw(st.dictionaries(st.sampled_from(tasks), some({"speed": FACTORS}), max_size=2))
    if draw(st.booleans()):
        ports = iter(range(2222, 2300))
        cluster["addresses"] = {
            name: [f"{name}{i}.example.com:{next(ports)}" for i in range(jobs[name]["tasks"])] for name in jobs
        }
    cluster["network"] = draw(some({"model": st.sampled_from(["tcp", "ideal"]), "latency": DURATIONS}))
    return cluster


VARIABLES = st.lists(
    st.fixed_dictionaries(
        {
            "name": VARIABLE_NAMES.filter(lambda n: n != "global_step"),
            "shape": st.lists(st.integers(1, 500), max_size=3),
        },
        optional={"dtype": st.sampled_from([d.value for d in DType])},
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda v: v["name"],
)
WORKLOADS = st.one_of(
    st.fixed_dictionaries({"model": st.just("digits-mlp")}), st.fixed_dictionaries({"variables": VARIABLES})
).flatmap(
    lambda trained: st.fixed_dictionaries(
        {k: st.just(v) for k, v in trained.items()},
        optional={
            "batch_size": st.integers(1, 10**9),
            "optimizer": st.sampled_from([o.value for o in Optimizer]),
            "learning_rate": FACTORS,
            "compute": some(
                {
                    "forward": DURATIONS,
                    "backward": DURATIONS,
                    "distribution": DISTRIBUTIONS,
                    "overlap": st.sampled_from(["none", "per_variable"]),
                }
            ),
            "costs": COSTS,
        },
    )
)


@st.composite
def scenario_documents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a valid scenario as plain data."""
    last = draw(st.integers(1, 10**12))
    return draw(
        st.fixed_dictionaries(
            {
                "name": NAMES,
                "cluster": clusters(),
                "workload": WORKLOADS,
                "training": st.just({"last_step": last}),
                "measure": some({"warmup_steps": st.integers(0, last - 1), "replications": st.integers(1, 100_000)}),
            },
            optional={"version": st.just(1), "description": TEXTS, "seed": st.integers(0, 2**63 - 1)},
        )
    )


TIMES = st.integers(0, 10**6)


@st.composite
def spans(draw: st.DrawFn) -> list[Row]:
    """Draw spans of a few lanes, many of which overlap."""
    drawn = draw(
        st.lists(
            st.tuples(
                st.sampled_from([("nic_in", "pull"), ("compute", "forward"), ("compute", "backward"), ("rpc", "wait")]),
                st.integers(0, 60),
                st.integers(1, 30),
                st.integers(0, 3),
            ),
            max_size=30,
        )
    )
    return [span_row(*kind, start, start + length, step=step) for kind, start, length, step in drawn]


@st.composite
def steps(draw: st.DrawFn) -> list[Row]:
    """Draw steps of one worker, one after the other."""
    rows, at = [], 0
    for local, (idle, length) in enumerate(
        draw(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 40)), max_size=8))
    ):
        rows.append(step_row(local, at + idle, at + idle + length))
        at += idle + length
    return rows


UPDATES = st.lists(st.builds(update_row, st.integers(0, 5), st.integers(0, 9), TIMES), max_size=10)
