"""What must hold between the fields of a scenario, checked on the plain document.

These checks look at the document as written, not at validated values, so that a fault in one place hides
none in another.  What is not of the right type is passed over: pydantic reports it.
"""

import re
from typing import Any

from simulator.scenario.base import TASK_PATTERN
from simulator.scenario.document import Document, Loc
from simulator.scenario.faults import near
from simulator.scenario.scenario import DEFAULT_HOST, GLOBAL_STEP
from simulator.scenario.training import Training
from simulator.scenario.workload import DistributionKind, misfit
from simulator.units import QuantityError, parse_duration


def check(document: Document) -> None:
    """Record every contradiction between fields as a fault of *document*."""
    _hosts(document)
    _tasks(document)
    _addresses(document)
    _variables(document)
    _distribution(document)
    _training(document)


def _tasks_of(document: Document, job: str) -> int | None:
    tasks = document.get("cluster", job, "tasks")
    return tasks if isinstance(tasks, int) and not isinstance(tasks, bool) and tasks > 0 else None


def _hosts(document: Document) -> None:
    hosts = document.get("cluster", "hosts")
    known = list(hosts) if isinstance(hosts, dict) else []
    for job in ("ps", "worker"):
        host = document.get("cluster", job, "host")
        if isinstance(host, str) and host not in (*known, DEFAULT_HOST):
            document.fault(("cluster", job, "host"), f"no host type {host!r} in cluster.hosts" + near(host, known))


def _check_task(document: Document, loc: Loc, task: Any, *, of_key: bool = False) -> None:
    if not isinstance(task, str) or not re.fullmatch(TASK_PATTERN, task):
        return  # the pattern of the field says so
    job, _, index = task.partition(":")
    count = _tasks_of(document, job)
    if count is not None and int(index) >= count:
        document.fault(
            loc, f"there is no task {task!r}: job {job} has tasks {job}:0 to {job}:{count - 1}", of_key=of_key
        )


def _tasks(document: Document) -> None:
    per_task = document.get("cluster", "per_task")
    for task in per_task if isinstance(per_task, dict) else ():
        _check_task(document, ("cluster", "per_task", task), task, of_key=True)
    groups = document.get("cluster", "colocate")
    placed: dict[Any, Loc] = {}
    for i, group in enumerate(groups if isinstance(groups, list) else ()):
        for j, task in enumerate(group if isinstance(group, list) else ()):
            loc: Loc = ("cluster", "colocate", i, j)
            _check_task(document, loc, task)
            if isinstance(task, str) and task in placed:
                document.fault(loc, f"{task!r} is already on a host; a task stands in one colocate list, once")
            elif isinstance(task, str):
                placed[task] = loc
            if j > 0 and isinstance(task, str):
                _shares_a_host(document, task, group[0])
    faults = document.get("faults")
    for i, fault in enumerate(faults if isinstance(faults, list) else ()):
        if isinstance(fault, dict):
            _check_task(document, ("faults", i, "task"), fault.get("task"))


def _shares_a_host(document: Document, task: str, first: Any) -> None:
    """The host of colocated tasks is that of the first: what another says of the host would count for nothing."""
    for name in ("nic", "threads"):
        loc = ("cluster", "per_task", task, name)
        if document.get(*loc) is not None:
            document.fault(loc, f"{task!r} shares the host of {first!r}; give {name} for {first!r}", of_key=True)


def _addresses(document: Document) -> None:
    if not isinstance(document.get("cluster", "addresses"), dict):
        return
    seen: dict[str, Loc] = {}
    for job in ("ps", "worker"):
        listed = document.get("cluster", "addresses", job)
        count = _tasks_of(document, job)
        if not isinstance(listed, list):
            continue
        if count is not None and len(listed) != count:
            document.fault(
                ("cluster", "addresses", job),
                f"{len(listed)} address{'es' if len(listed) != 1 else ''} for {count} {job} tasks; give one for each",
            )
        for i, address in enumerate(listed):
            loc: Loc = ("cluster", "addresses", job, i)
            if not isinstance(address, str):
                continue
            port = address.rpartition(":")[2]
            if re.fullmatch("[0-9]{1,5}", port) and not 1 <= int(port) <= 65535:
                document.fault(loc, f"port {port} is not between 1 and 65535")
            if address in seen:
                document.fault(loc, f"{address!r} is given twice; two tasks cannot share an address")
            seen[address] = loc


def _variables(document: Document) -> None:
    workload = document.get("workload")
    if not isinstance(workload, dict):
        return
    given = [name for name in ("variables", "preset", "model") if workload.get(name) is not None]
    if len(given) != 1:
        what = f"{' and '.join(given)} are given" if given else "nothing is trained"
        document.fault(("workload",), f"{what}; give one of variables, preset, model")
    variables = workload.get("variables")
    names: dict[str, int] = {}
    for i, variable in enumerate(variables if isinstance(variables, list) else ()):
        name = variable.get("name") if isinstance(variable, dict) else None
        loc: Loc = ("workload", "variables", i, "name")
        if name == GLOBAL_STEP:
            document.fault(loc, f"{GLOBAL_STEP!r} is created by the training itself; leave it out")
        elif isinstance(name, str) and name in names:
            document.fault(loc, f"{name!r} is already the name of variable {names[name]}; names are unique")
        elif isinstance(name, str):
            names[name] = i


def _distribution(document: Document) -> None:
    """Say what does not fit the kind, even where pydantic stops at a bad value."""
    loc = ("workload", "compute", "distribution")
    given = document.get(*loc)
    kind = given.get("kind", DistributionKind.DETERMINISTIC.value) if isinstance(given, dict) else None
    if isinstance(given, dict) and kind in [known.value for known in DistributionKind]:
        message = misfit(kind, cv=given.get("cv") is not None, values=given.get("values") is not None)
        if message:
            document.fault(loc, message)
        values = given.get("values")
        if isinstance(values, list) and values and isinstance(values[0], str) and _no_compute(document):
            document.fault(
                (*loc, "values"), "durations of a step are split as forward and backward are; give these, too"
            )


def _no_compute(document: Document) -> bool:
    given = [document.get("workload", "compute", name) for name in ("forward", "backward")]
    try:
        return sum(parse_duration(value) for value in given if value is not None) == 0
    except QuantityError:
        return False  # reported as a bad quantity


def _training(document: Document) -> None:
    mode = document.get("training", "mode") or "async"
    for name, belongs in (("replicas_to_aggregate", "sync"), ("sync_rule", "sync"), ("staleness_bound", "ssp")):
        if document.get("training", name) is not None and mode != belongs:
            document.fault(("training", name), f"{name} belongs to mode {belongs}, and the mode is {mode}", of_key=True)
    if mode == "ssp" and document.get("training", "staleness_bound") is None:
        document.fault(("training", "mode"), "mode ssp needs staleness_bound")
    last, warmup = document.get("training", "last_step"), document.get("measure", "warmup_steps")
    last = Training().last_step if last is None else last
    if isinstance(warmup, int) and isinstance(last, int) and not isinstance(warmup, bool) and warmup >= last > 0:
        document.fault(
            ("measure", "warmup_steps"), f"the warm-up of {warmup} steps leaves nothing of {last} steps to measure"
        )
