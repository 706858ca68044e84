"""What every process of one replication shares: clock, randomness, and the door for facts."""

from collections.abc import Generator
from typing import Any

import simpy

from simulator.rng import RandomStreams
from simulator.trace.recorder import Recorder
from simulator.trace.schema import Lane, Phase

# What a simpy process yields and gets back is untyped in simpy itself.
Activity = Generator[Any, Any, Any]


class Context:
    """Clock in float nanoseconds, rounded to whole ones where facts leave (monotone: order is kept)."""

    def __init__(
        self,
        env: simpy.Environment,
        streams: RandomStreams,
        recorder: Recorder,
        *,
        replication: int,
        stride: int,
    ) -> None:
        self.env = env
        self.streams = streams
        self.recorder = recorder
        self.replication = replication
        self._stride = stride

    def traced(self, step: int) -> bool:
        """Tell whether spans of a worker's local *step* are recorded: every stride-th, none for stride 0."""
        return self._stride > 0 and step % self._stride == 0

    def span(
        self,
        task: str,
        lane: Lane,
        phase: Phase,
        owner: tuple[str, int],
        start: float,
        end: float,
        *,
        variable: str = "",
        size: int = 0,
        peer: str = "",
    ) -> None:
        """Emit an interval of work of *owner*'s step, if that step is traced and the interval not empty."""
        if self.traced(owner[1]) and round(end) > round(start):
            self.recorder.spans.append(
                (task, lane.value, phase.value, *owner, variable, size, peer, round(start), round(end))
            )

    def event(self, task: str, kind: str, detail: str = "") -> None:
        """Emit a mark at the present moment."""
        self.recorder.events.append((self.replication, task, kind, round(self.env.now), detail))
