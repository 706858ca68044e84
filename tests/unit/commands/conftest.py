"""Run folders that commands are called with."""

from pathlib import Path

import pytest

from simulator.trace.schema import Kind
from tests.run_builder import steady_run, write_run


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """100 steps/s, staleness 0."""
    return write_run(tmp_path / "real", steady_run(Kind.REAL))


@pytest.fixture
def near(tmp_path: Path) -> Path:
    """The same, simulated."""
    return write_run(tmp_path / "near", steady_run())


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """125 steps/s: 25 % more."""
    return write_run(tmp_path / "far", steady_run(step_ms=8))
