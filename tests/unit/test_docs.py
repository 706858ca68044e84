"""What the documents say is what the commands do."""

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from simulator.cli import cli
from simulator.scenario.json_schema import DOCUMENTS, document_schema
from simulator.scenario.loader import loads_scenario

ROOT = Path(__file__).parents[2]
DOCUMENTED = ("README.md", "docs/**/*.md", "CHANGELOG.md")


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = {}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        found[name] = command
    return found


def documents() -> list[Path]:
    return [path for pattern in DOCUMENTED for path in sorted(ROOT.glob(pattern))]


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_option_is_in_its_section_of_the_reference(name: str) -> None:
    text = (ROOT / "docs/reference/commands.md").read_text()
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert section, f"commands.md has no section {name}"
    for parameter in commands()[name].params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f"`{option}`" in section, f"{name} {option} is not documented"


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_documented_option_exists(name: str) -> None:
    text = (ROOT / "docs/reference/commands.md").read_text()
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    known = {option for parameter in commands()[name].params for option in parameter.opts}
    assert set(re.findall(r"^\| `(--?[a-z]+)`", section, flags=re.MULTILINE)) <= known


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_help_and_is_in_the_readme(name: str) -> None:
    done = CliRunner().invoke(cli, [name, "--help"])
    assert done.exit_code == 0
    assert f"paramscope {name}" in (ROOT / "README.md").read_text()


def test_commands_in_documents_exist() -> None:
    known = set(commands())
    for path in documents():
        for block in re.findall(r"```console\n(.*?)```", path.read_text(), flags=re.DOTALL):
            for line in block.splitlines():
                words = line.removeprefix("$ ").split()
                if words[:1] == ["paramscope"]:
                    assert words[1] in known, f"{path}: {line}"


def test_paths_in_documents_exist() -> None:
    pattern = re.compile(r"(?<![\w/.])((?:simulator|realrun|dashboard|scenarios|tests|docs)/[\w./-]*[\w/])")
    for path in documents():
        for found in pattern.findall(path.read_text()):
            assert (ROOT / found).exists(), f"{path.name} names {found}"


def test_the_scenario_in_the_readme_is_valid() -> None:
    text = (ROOT / "README.md").read_text()
    for block in re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL):
        assert loads_scenario(block).name


def test_no_placeholder_is_left_in_documents() -> None:
    assert [path.name for path in documents() if "@@" in path.read_text()] == []


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_the_schema_files_for_editors_are_up_to_date(name: str) -> None:
    written = json.loads((ROOT / f"docs/reference/paramscope-{name}.json").read_text())
    assert written == document_schema(name), "run: make schema"


def test_every_direct_dependency_has_its_reason() -> None:
    text = (ROOT / "docs/dependencies.md").read_text()
    pyproject = (ROOT / "pyproject.toml").read_text()
    listed = pyproject.partition("dependencies = [")[2].partition("[project.scripts]")[0]
    for name in re.findall(r'"([a-z][a-z0-9.-]+)[<>=]', listed):
        assert name in text, f"docs/dependencies.md does not say why {name} is here"


def test_every_dependency_is_pinned() -> None:
    pins = {
        line.partition("==")[0].lower().replace("_", "-") for line in (ROOT / "constraints.txt").read_text().split()
    }
    pyproject = (ROOT / "pyproject.toml").read_text()
    listed = pyproject.partition("dependencies = [")[2].partition("[project.scripts]")[0]
    for name in re.findall(r'"([a-z][a-z0-9.-]+)[<>=]', listed):
        assert name.lower() in pins, f"constraints.txt does not pin {name}"
