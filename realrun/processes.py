"""Task processes: started in a group of their own, and always ended with it, by id."""

import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from realrun.protocol import LauncherEnd

_LOG_TAIL_LINES = 12
_LOG_TAIL_BYTES = 16_384
# A proxy between tasks of one cluster breaks gRPC ("http1.x server"); tasks talk directly.
_PROXIES = ("http_proxy", "https_proxy", "grpc_proxy", "all_proxy")


@dataclass(slots=True, kw_only=True)
class TaskProcess:
    """One running task."""

    task: str
    process: subprocess.Popen[bytes]
    channel: LauncherEnd
    log: Path

    def log_tail(self) -> str:
        """Return the last lines of what the task printed."""
        try:
            with self.log.open("rb") as stream:
                stream.seek(0, os.SEEK_END)
                stream.seek(max(0, stream.tell() - _LOG_TAIL_BYTES))
                lines = stream.read().decode(errors="replace").splitlines()
        except OSError:
            return ""
        return "\n".join(f"  | {line}" for line in lines[-_LOG_TAIL_LINES:])

    def kill(self) -> None:
        """End the task and everything it started, and wait until it is gone."""
        try:
            # Its process group has its own id for as long as it has not been waited for.
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.channel.socket.close()


def start_task(task: str, *, config: Path, log: Path) -> TaskProcess:
    """Start the process of *task* (``worker:1``), which reads the run's *config* and prints to *log*."""
    ours, theirs = socket.socketpair()
    try:
        env = {k: v for k, v in os.environ.items() if k.lower() not in _PROXIES}
        env |= {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "1", "PYTHONUNBUFFERED": "1"}
        with log.open("wb") as out:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "realrun.task_main",
                    task,
                    str(config),
                    str(theirs.fileno()),
                    str(os.getpid()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env=env,
            )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return TaskProcess(task=task, process=process, channel=LauncherEnd(ours), log=log)
