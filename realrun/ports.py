"""Free ports for the tasks, leased so that two runs at the same time never take the same."""

import random
import socket
from types import TracebackType

from simulator.errors import RunFailedError

# Below the kernel's range for outgoing connections (32768 and up), above the well-known services.
_RANGE = range(20_000, 32_000)
_TRIES = 2_000
LOOPBACK = "127.0.0.1"


class PortLease:
    """Ports that nobody listens on, each marked by a UDP socket of the same number while the lease lives.

    TensorFlow binds the TCP port itself and refuses to share it (no SO_REUSEPORT), so it cannot be held
    for it.  The UDP socket tells other runs of ours that the number is taken, leaves no file behind, and
    goes with the process however that ends.
    """

    def __init__(self, count: int) -> None:
        self.ports: list[int] = []
        self._marks: list[socket.socket] = []
        # Where a run starts to look is no part of its result, so it need not repeat.
        numbers = random.SystemRandom().sample(_RANGE, min(_TRIES, len(_RANGE)))
        for port in numbers:
            if len(self.ports) == count:
                return
            mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try:
                mark.bind((LOOPBACK, port))
            except OSError:
                mark.close()
                continue
            if _listening(port):
                mark.close()
                continue
            self.ports.append(port)
            self._marks.append(mark)
        if len(self.ports) < count:
            self.close()
            raise RunFailedError(f"no {count} free ports between {_RANGE.start} and {_RANGE.stop}; stop other servers")

    def close(self) -> None:
        """Give the ports back."""
        for mark in self._marks:
            mark.close()
        self._marks = []

    def __enter__(self) -> "PortLease":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _listening(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return True
    return False
