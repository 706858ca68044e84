"""``paramscope compare``: real against predicted, or any two runs."""

from pathlib import Path

import click

from simulator.commands.options import json_option
from simulator.errors import ExitCode


@click.command("compare", short_help="Compare two runs, usually real and simulated; a gate for CI.")
@click.argument("first", type=click.Path(path_type=Path), metavar="RUN_DIR")
@click.argument("second", type=click.Path(path_type=Path), metavar="RUN_DIR")
@click.option("--budget", type=click.Path(path_type=Path), metavar="FILE", help="How far they may differ.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write comparison.json, comparison.md, junit.xml and report.html here.",
)
@json_option
def command(first: Path, second: Path, budget: Path | None, report: Path | None, as_json: bool) -> int:
    """Compare the second run with the first (give the real one first).

    Exit code 0: within the budget, or none given; 1: beyond it; 2: invalid input; 4: too little was measured.
    """
    from simulator.analysis.budget import Verdict
    from simulator.analysis.compare import compare
    from simulator.report.folder import check_report_folder, comparison_json, write_report
    from simulator.report.terminal import print_comparison
    from simulator.report.words import one_line
    from simulator.scenario.budget import load_budget
    from simulator.trace.folder import read_run

    limits = load_budget(budget) if budget is not None else None
    if report is not None:
        check_report_folder(report)
    comparison = compare(read_run(first), read_run(second), limits)
    if report is not None:
        write_report(report, comparison)
    for warning in comparison.warnings:
        click.echo(f"WARNING: {one_line(warning)}", err=True)
    for note in comparison.notes:
        click.echo(f"note: {one_line(note)}", err=True)
    for line in comparison.differences:
        click.echo(f"note: the scenarios differ in {one_line(line)}", err=True)
    if as_json:
        click.echo(comparison_json(comparison), nl=False)
    else:
        print_comparison(comparison)
    if report is not None:
        click.echo(f"report: {report / 'report.html'}", err=True)
    return ExitCode.GATE_FAILED if comparison.verdict is Verdict.FAIL else ExitCode.GOOD
