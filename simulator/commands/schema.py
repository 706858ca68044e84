"""``paramscope schema``: the JSON Schema of the scenario file."""

import click


@click.command("schema", short_help="Print the JSON Schema of the scenario file.")
@click.option(
    "--of",
    type=click.Choice(["scenario", "profile", "budget"]),
    default="scenario",
    show_default=True,
    help="Which document.",
)
def command(of: str) -> None:
    """Print the JSON Schema (draft 2020-12) that editors use for completion."""
    import json

    from simulator.scenario.json_schema import document_schema

    click.echo(json.dumps(document_schema(of), indent=1))
