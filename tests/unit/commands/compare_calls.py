"""Calls of ``paramscope compare`` as a user makes them, for the tests of it."""

from pathlib import Path

import pytest

from simulator.cli import main

ROOT = Path(__file__).parents[3]
DEFAULT = ROOT / "scenarios/budgets/default.yaml"


class Called:
    """Exit code and output of one call."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *args: object) -> None:
        with pytest.raises(SystemExit) as caught:
            main(["compare", *map(str, args)])
        self.code = caught.value.code
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.err
