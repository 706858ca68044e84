"""``paramscope validate``: check scenario files."""

import json
from pathlib import Path
from typing import Any

import click

from simulator.commands.options import json_option, set_option
from simulator.errors import ExitCode


@click.command("validate", short_help="Check scenario files and report every fault.")
@click.argument("scenarios", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="SCENARIO...")
@set_option
@json_option
def command(scenarios: tuple[Path, ...], overrides: tuple[str, ...], as_json: bool) -> int:
    """Check SCENARIO files; report every fault with line, column and remedy (exit code 2 when there is one)."""
    from simulator.errors import DocumentError, InvalidInputError
    from simulator.scenario.loader import load_scenario

    code = ExitCode.GOOD
    documents: list[dict[str, Any]] = []
    for path in scenarios:
        errors: list[dict[str, Any]] = []
        try:
            load_scenario(path, overrides)
            if not as_json:
                click.echo(f"{path}: valid")
        except InvalidInputError as error:
            code = ExitCode.INVALID
            errors = (
                error.as_json()
                if isinstance(error, DocumentError)
                else [{"file": str(path), "line": None, "column": None, "path": "", "message": str(error)}]
            )
            if not as_json:
                click.echo(str(error), err=True)
        documents.append({"file": str(path), "valid": not errors, "errors": errors})
    if as_json:
        click.echo(
            json.dumps(
                {"schema": "paramscope/validate/1", "valid": code == ExitCode.GOOD, "files": documents}, indent=1
            )
        )
    return code
