"""Run ``paramscope`` as a user does, in a process of its own, and look for what it leaves behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PARAMSCOPE = (sys.executable, "-m", "simulator")


def paramscope(*args: str | Path, cwd: Path | None = None, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*PARAMSCOPE, *map(str, args)], capture_output=True, text=True, timeout=timeout, cwd=cwd, check=False
    )


class Background:
    """A command that runs beside the test, with a temporary folder of its own; killed at the end if need be."""

    def __init__(self, *args: str | Path, tmp: Path) -> None:
        tmp.mkdir(parents=True, exist_ok=True)
        self._log = tmp / "stderr.log"
        self.temporary = tmp / "temporary"
        self.temporary.mkdir()
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [*PARAMSCOPE, *map(str, args)],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env={**os.environ, "TMPDIR": str(self.temporary)},
            )

    def __enter__(self) -> "Background":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def said(self) -> str:
        """Return what it has printed to standard error so far."""
        return self._log.read_text()

    def until(self, condition: Callable[[], bool], seconds: float = 90) -> None:
        """Wait until *condition* holds; fail when the command ends or the time is over before that."""
        limit = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, f"ended early with {self.process.returncode}:\n{self.said()}"
            assert time.monotonic() < limit, f"still waiting after {seconds} s:\n{self.said()}"
            time.sleep(0.1)

    def ends(self, seconds: float = 60) -> int:
        """Wait for its end and return the exit code."""
        return self.process.wait(seconds)


def tasks_of(folder: Path) -> dict[str, int]:
    """Return the running task processes of the run that writes to *folder*, by task: the pid."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if "realrun.task_main" in words and any(w.startswith(str(folder)) for w in words):
                found[words[words.index("realrun.task_main") + 1]] = int(entry.name)
    return found


def gone(folder: Path, seconds: float = 10) -> bool:
    """Tell whether all tasks of the run in *folder* have ended, at the latest after *seconds*."""
    limit = time.monotonic() + seconds
    while tasks_of(folder):
        if time.monotonic() > limit:
            return False
        time.sleep(0.1)
    return True


KILL = signal.SIGKILL
