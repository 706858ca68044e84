"""``paramscope simulate``: predict a scenario."""

import json
import sys
import time
from pathlib import Path

import click

from simulator.commands.options import json_option, out_option, scenario_argument, set_option


@click.command("simulate", short_help="Predict throughput and staleness of a scenario.")
@scenario_argument
@set_option
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Replace the scenario's seed.")
@click.option("--replications", type=click.IntRange(1, 100_000), help="Replace measure.replications.")
@click.option(
    "--trace",
    type=click.Choice(["none", "steps", "full"]),
    default="full",
    show_default=True,
    help="How much the run folder keeps.",
)
@out_option
@json_option
def command(
    scenario: Path,
    overrides: tuple[str, ...],
    seed: int | None,
    replications: int | None,
    trace: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Simulate SCENARIO and print what it predicts; with --out, write a run folder."""
    from datetime import UTC, datetime

    from simulator.provenance import provenance
    from simulator.report.summary import summary_text
    from simulator.run import simulate
    from simulator.scenario.loader import load_scenario
    from simulator.trace.folder import RunInfo, RunWriter
    from simulator.trace.schema import Kind, TraceLevel

    started, clock = datetime.now(UTC), time.perf_counter()
    loaded = load_scenario(scenario, overrides, seed=seed)
    level = TraceLevel(trace)
    count = replications or loaded.measure.replications
    writer = None
    if out is not None:
        info = RunInfo(
            kind=Kind.SIMULATED,
            complete=False,
            scenario=loaded.name,
            seed=loaded.seed,
            replications=count,
            trace=level,
        )
        writer = RunWriter(out, info, loaded)
    run = simulate(loaded, replications=count, trace=level, progress=_progress if sys.stderr.isatty() else None)
    assert run.info.summary is not None
    if writer is not None:
        writer.finish(run.info, {name: run.table(name) for name in run.given}, provenance(started))
    document = {**run.info.summary, "wall_s": round(time.perf_counter() - clock, 3)}
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        click.echo(summary_text(document))
        if out is not None:
            click.echo(f"run folder: {out}", err=True)


def _progress(finished: int, count: int) -> None:
    click.echo(f"\rreplication {finished + 1} of {count}", nl=finished + 1 == count, err=True)
