"""``paramscope realrun``: run a scenario on a real TensorFlow cluster."""

import json
import time
from pathlib import Path

import click

from simulator.commands.options import json_option, out_option, scenario_argument, set_option


@click.command("realrun", short_help="Run a scenario on a real TensorFlow cluster.")
@scenario_argument
@click.option(
    "--launcher",
    type=click.Choice(["local", "netns", "ssh"]),
    default="local",
    show_default=True,
    help="Where the tasks run; netns and ssh are not supported yet.",
)
@set_option
@click.option("--steps", type=click.IntRange(1, 10**12), help="Replace training.last_step.")
@click.option("--timeout", default="600 s", show_default=True, metavar="T", help="End the run after this long.")
@out_option
@json_option
def command(
    scenario: Path,
    launcher: str,
    overrides: tuple[str, ...],
    steps: int | None,
    timeout: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run SCENARIO for real: one process a task, TensorFlow's own servers, training to its last step."""
    from realrun.run import run_for_real
    from simulator.errors import InvalidInputError
    from simulator.report.summary import summary_text
    from simulator.scenario.loader import load_scenario

    if launcher != "local":
        raise InvalidInputError(f"--launcher {launcher}: not supported yet; use local")
    seconds = seconds_of(timeout)
    clock = time.perf_counter()
    if steps is not None:
        overrides = (*overrides, f"training.last_step={steps}")
    loaded = load_scenario(scenario, overrides)
    need_tensorflow()
    real = run_for_real(
        loaded, timeout=seconds, out=out, progress=lambda text: click.echo(f"realrun: {text}", err=True)
    )
    if real.failure is not None:
        if out is not None:
            click.echo(f"run folder (incomplete): {out}", err=True)
        raise real.failure
    for note in real.run.info.notes:
        click.echo(f"note: {note}", err=True)
    document = {**(real.run.info.summary or {}), "wall_s": round(time.perf_counter() - clock, 3)}
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        click.echo(summary_text(document))
        if out is not None:
            click.echo(f"run folder: {out}", err=True)


def seconds_of(timeout: str) -> float:
    """Return ``--timeout`` in seconds; raise InvalidInputError."""
    from simulator.errors import InvalidInputError
    from simulator.units import QuantityError, parse_duration

    try:
        return parse_duration(timeout) / 1e9
    except QuantityError as error:
        raise InvalidInputError(f"--timeout: {error}") from None


def need_tensorflow() -> None:
    """Raise ModuleNotFoundError now, not in every task; importing it here would cost seconds."""
    from importlib.util import find_spec

    for name in ("tensorflow", "sklearn"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
