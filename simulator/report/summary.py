"""A result document as a few lines of text."""

from typing import Any


def summary_text(document: dict[str, Any]) -> str:
    """Return *document* (schema paramscope/result/1) for a terminal; every number with its unit."""
    throughput, step, stale = document["throughput"], document["step_time_s"], document["staleness"]
    ci = throughput["ci95"]
    between = f"  (95 % interval {ci[0]:.4g} to {ci[1]:.4g})" if ci else ""
    lines = [
        f"{document['scenario']}: {document['kind']}, {document['replications']} replication(s),"
        f" {document['measured_steps']} steps measured, global step {document['global_step']}",
        f"  throughput   {throughput['steps_per_s']:.4g} steps/s{between}",
        f"               {throughput['examples_per_s']:.4g} examples/s in the cluster,"
        f" {throughput['per_worker_examples_per_s']:.4g} examples/s a worker",
        f"  step time    mean {_ms(step['mean'])}, p10 {_ms(step['p10'])}, p50 {_ms(step['p50'])},"
        f" p90 {_ms(step['p90'])}, p99 {_ms(step['p99'])}",
    ]
    if stale["mean"] is not None:
        lines.append(
            f"  staleness    mean {stale['mean']:.3g} updates, p90 {stale['p90']}, p99 {stale['p99']},"
            f" max {stale['max']}"
        )
    if document["phases_s"]:
        phases = ", ".join(f"{name} {_ms(seconds)}" for name, seconds in document["phases_s"].items())
        lines.append(f"  a step is    {phases}")
    limit = document["bottleneck"]
    lines.append(f"  bottleneck   {limit['resource']}, used {limit['utilization']:.0%}. {limit['advice']}")
    learning = document.get("learning")
    if learning:
        lines.append("  learning     " + ", ".join(f"{name} {value:.4g}" for name, value in learning.items()))
    return "\n".join(lines)


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.4g} ms"
