"""``paramscope calibrate``: measure the costs of one worker and one ps."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.commands.options import scenario_argument, set_option

if TYPE_CHECKING:
    from simulator.scenario.scenario import Scenario
    from simulator.trace.folder import Run

# A default run trains for about this long, within these numbers of steps.
_TRAIN_S = 15
_STEPS = (150, 400)
_WARMUP_STEPS = 40


@click.command("calibrate", short_help="Measure the costs of one worker and one ps.")
@scenario_argument
@click.option(
    "--from",
    "from_run",
    type=click.Path(path_type=Path),
    metavar="RUN_DIR",
    help="Take the costs from this real run of one ps and one worker instead of a new one.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The profile to write.")
@set_option
@click.option(
    "--steps",
    type=click.IntRange(_WARMUP_STEPS + 20, 10**6),
    help="Steps of each run; default about 15 s of them.",
)
@click.option("--timeout", default="600 s", show_default=True, metavar="T", help="End each run after this long.")
def command(
    scenario: Path,
    from_run: Path | None,
    output: Path,
    overrides: tuple[str, ...],
    steps: int | None,
    timeout: str,
) -> None:
    """Measure what messages, applies and the start and end of a step cost for SCENARIO on this machine.

    Trains SCENARIO for real with one worker and one ps, and again with all its ps when there are more, and
    writes a profile that scenarios name under workload.profile.
    """
    from realrun.calibration import calibrated
    from simulator.scenario.document import write_text
    from simulator.scenario.loader import load_scenario
    from simulator.scenario.profile import dump_profile
    from simulator.trace.folder import read_run

    loaded = load_scenario(scenario, overrides)
    _check_output(output)
    if from_run is not None:
        run, spread, measured = read_run(from_run), None, {"run": str(from_run)}
    else:
        run, spread, measured = _measure(loaded, steps, timeout)
    profile = calibrated(run, measured, spread)
    write_text(
        output,
        "# Measured by paramscope calibrate; a scenario names this file under workload.profile.\n"
        + dump_profile(profile),
    )
    for name, fit in profile.fits.items():
        click.echo(
            f"{name:18s} {fit.mean_us:9.1f} us on average (sd {fit.sd_us:.1f}, {fit.samples} samples)",
            err=True,
        )
    click.echo(f"profile: {output}", err=True)


def _measure(scenario: "Scenario", steps: int | None, timeout: str) -> tuple["Run", "Run | None", dict[str, Any]]:
    """Run one worker for real, with one ps and with all; return both runs and their provenance."""
    from datetime import UTC, datetime

    from realrun.commands.realrun import need_tensorflow, seconds_of
    from simulator.provenance import provenance

    need_tensorflow()
    seconds = seconds_of(timeout)
    compute = scenario.workload.compute
    wanted = round(_TRAIN_S * 1e9 / (compute.forward + compute.backward + 5e6))
    last_step = steps or min(max(wanted, _STEPS[0]), _STEPS[1])
    started, load = datetime.now(UTC), os.getloadavg()[0]
    every = scenario.cluster.ps.tasks
    run = _run(scenario, 1, last_step, seconds)
    spread = _run(scenario, every, last_step, seconds) if every > 1 else None
    notes = [note for real in (run, spread) if real is not None for note in real.info.notes]
    return run, spread, provenance(started, load_average_before=load, notes=notes)


def _run(scenario: "Scenario", ps: int, last_step: int, seconds: float) -> "Run":
    """Train *scenario* with one worker and its first *ps* ps."""
    from realrun.calibration import one_worker
    from realrun.run import run_for_real

    click.echo(f"calibrate: one worker, {ps} ps, {last_step} steps", err=True)
    real = run_for_real(
        one_worker(scenario, ps=ps, last_step=last_step, warmup=_WARMUP_STEPS),
        timeout=seconds,
        out=None,
        progress=lambda text: click.echo(f"calibrate: {text}", err=True),
    )
    if real.failure is not None:
        raise real.failure
    for note in real.run.info.notes:
        click.echo(f"note: {note}", err=True)
    return real.run


def _check_output(path: Path) -> None:
    """Refuse a place that cannot be written, or a file that is no profile, before anything runs."""
    from simulator.errors import InvalidInputError
    from simulator.scenario.profile import load_profile

    if path.is_dir():
        raise InvalidInputError(f"{path}: is a folder; give a file for -o")
    if path.exists():
        try:
            load_profile(path)
        except InvalidInputError:
            raise InvalidInputError(f"{path}: exists and is not a profile; give another file for -o") from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be written: {error.strerror}; give another file for -o") from None
    if not os.access(path.parent, os.W_OK):
        raise InvalidInputError(f"{path}: cannot be written: its folder is read-only; give another file for -o")
