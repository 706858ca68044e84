"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

C = TypeVar("C", bound=Callable[..., Any])

SET_HELP = "Override a field of the scenario, like cluster.worker.tasks=4; repeatable."


def scenario_argument(command: C) -> C:
    """The scenario file."""
    return click.argument("scenario", type=click.Path(path_type=Path))(command)


def set_option(command: C) -> C:
    """``--set a.b.c=value``, repeatable."""
    return click.option("--set", "overrides", metavar="A.B.C=VALUE", multiple=True, help=SET_HELP)(command)


def json_option(command: C) -> C:
    """``--json``: one JSON document on standard output and nothing else."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")(command)


def out_option(command: C) -> C:
    """``--out DIR``: where the run folder goes."""
    return click.option("--out", type=click.Path(path_type=Path), help="Write the run folder here.")(command)
