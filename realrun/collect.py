"""From what the workers report to the tables of a run folder."""

from typing import Any

from simulator.scenario.scenario import Scenario
from simulator.trace.recorder import Recorder

Row = list[Any]


class Collector:
    """Takes the workers' reports; the tables are the same as the simulator's."""

    def __init__(self, scenario: Scenario) -> None:
        self.recorder = Recorder()
        self._names = [v.name for v in scenario.variables]
        self._local: dict[str, int] = {}
        self.global_step = 0

    def steps(self, worker: str, rows: list[Row]) -> None:
        """Take finished steps of *worker*: start, end, global step read, written, traced, versions per variable."""
        for start, end, read, written, traced, versions in rows:
            step = self._local.get(worker, 0)
            self._local[worker] = step + 1
            self.global_step = max(self.global_step, written)
            self.recorder.steps.append((0, worker, step, read, written, start, end, bool(traced)))
            for name, (version_read, before) in zip(self._names, versions, strict=True):
                self.recorder.updates.append(
                    (0, worker, step, name, version_read, before, before - version_read, end, False)
                )

    def spans(self, spans: list[Row]) -> None:
        """Take the spans of traced steps."""
        self.recorder.spans += [tuple(span) for span in spans]

    def event(self, task: str, kind: str, time: int, detail: str = "") -> None:
        """Take a mark."""
        self.recorder.events.append((0, task, kind, time, detail))
