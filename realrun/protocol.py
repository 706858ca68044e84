"""What the launcher and a task say to each other: JSON lines over a socket pair.

The socket doubles as a lifeline: when the launcher dies, the task reads end-of-file and ends too.
"""

import json
import socket
from typing import Any

Message = dict[str, Any]
_READ = 1 << 16


class TaskEnd:
    """The task's end; blocking."""

    def __init__(self, fd: int) -> None:
        self._socket = socket.socket(fileno=fd)
        self._file = self._socket.makefile("rb")

    def send(self, kind: str, **fields: Any) -> None:
        """Tell the launcher something; raises OSError when it is gone."""
        self._socket.sendall(json.dumps({"kind": kind, **fields}).encode() + b"\n")

    def wait(self) -> Message | None:
        """Return the next order, or None when the launcher is gone."""
        line = self._file.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()


class LauncherEnd:
    """The launcher's end; ``receive`` is called when the socket is readable."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self._buffer = bytearray()

    def send(self, kind: str, **fields: Any) -> None:
        """Give the task an order; a task that is gone is noticed elsewhere."""
        try:
            self.socket.sendall(json.dumps({"kind": kind, **fields}).encode() + b"\n")
        except OSError:
            return

    def receive(self) -> tuple[list[Message], bool]:
        """Return the messages that have arrived whole, and whether the task has closed its end."""
        try:
            data = self.socket.recv(_READ)
        except ConnectionError:
            data = b""
        self._buffer += data
        messages = []
        *lines, rest = bytes(self._buffer).split(b"\n")
        if lines:
            self._buffer = bytearray(rest)
            messages = [json.loads(line) for line in lines]
        return messages, not data
