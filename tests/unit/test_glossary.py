"""docs/glossary.md has the words that traces and scenario files use."""

import re
from pathlib import Path

import pytest

from simulator.analysis.phases import PRECEDENCE
from simulator.scenario.training import Mode
from simulator.trace.schema import TABLES, Lane, Phase

PAGE = (Path(__file__).parents[2] / "docs/glossary.md").read_text()
WORDS = {word.strip(" `") for row in re.findall(r"^\| (.+?) \|", PAGE, re.MULTILINE) for word in row.split(",")}


@pytest.mark.parametrize("mode", [m.value for m in Mode])
def test_every_mode_is_explained(mode: str) -> None:
    assert mode in WORDS


@pytest.mark.parametrize("phase", [*PRECEDENCE, Phase.WAIT])
def test_every_phase_of_a_step_is_explained(phase: Phase) -> None:
    assert phase.value in WORDS


@pytest.mark.parametrize("word", ["job", "task", "coordinator", "step", "variable", "shard", "workload", "staleness"])
def test_the_words_of_the_conventions_are_explained(word: str) -> None:
    assert word in WORDS


def test_tables_and_lanes_are_named() -> None:
    for name in TABLES:
        assert name in PAGE
    assert {lane.value for lane in Lane} == {"client", "compute", "nic_out", "nic_in", "rpc", "apply"}
    for said in ("client", "compute", "NIC out", "NIC in", "RPC threads", "apply"):
        assert said in PAGE


def test_no_word_is_explained_twice() -> None:
    listed = [word for row in re.findall(r"^\| ([^|]+?) \| [A-Z]", PAGE, re.MULTILINE) for word in row.split(", ")]
    assert len(listed) == len(set(listed))
