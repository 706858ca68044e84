"""The process of one task: ``python -m realrun.task_main TASK CONFIG CONTROL_FD LAUNCHER_PID``.

It dies with its launcher: the kernel kills it when the launcher's thread ends (PR_SET_PDEATHSIG), and the
control socket ends with the launcher as well.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from realrun.protocol import TaskEnd

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def _die_with(launcher: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != launcher:
        os._exit(1)  # it died before the kernel was told


def main() -> None:
    """Run the task named on the command line."""
    task, config_path, fd, launcher = sys.argv[1:5]
    _die_with(int(launcher))
    control = TaskEnd(int(fd))
    config = json.loads(Path(config_path).read_text(encoding="utf-8"))
    if task.startswith("ps:"):
        _serve(task, config, control)
    else:
        from realrun.training import train

        train(task, config, control)


def _serve(task: str, config: dict[str, Any], control: TaskEnd) -> None:
    """A ps: start the server, join it, and do nothing else.  Orders come in on a thread beside it."""
    from realrun.server import start_server

    server = start_server(task, config)
    control.send("server")

    def obey() -> None:
        while (order := control.wait()) is not None:
            if order["kind"] == "cpu":
                control.send("cpu", seconds=time.process_time())
            if order["kind"] == "close":
                os._exit(0)  # join() never returns
        os._exit(1)

    threading.Thread(target=obey, daemon=True).start()
    server.join()


if __name__ == "__main__":
    main()
