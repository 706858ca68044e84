"""Run folders: written so that a crash at any moment leaves a complete run or one that says it is not."""

import fcntl
import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simulator.errors import InvalidInputError
from simulator.scenario.document import write_text
from simulator.scenario.loader import SCHEMA_LINE, dump_scenario, load_scenario
from simulator.scenario.scenario import Scenario
from simulator.trace.schema import KEPT, SCHEMA_VERSION, TABLES, Kind, TraceLevel

RUN_FILE = "run.json"
SCENARIO_FILE = "scenario.yaml"
PROVENANCE_FILE = "provenance.json"
# Everything a run folder may hold; a folder with anything else is not overwritten.
OWN_FILES = (RUN_FILE, SCENARIO_FILE, PROVENANCE_FILE, *(f"{name}.parquet" for name in TABLES))
OWN_FOLDERS = ("logs",)
MAX_RUN_FILE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What ``run.json`` says of a run."""

    kind: Kind
    complete: bool
    scenario: str
    seed: int
    replications: int
    trace: TraceLevel
    failure: str | None = None
    notes: tuple[str, ...] = ()
    learning: dict[str, float] | None = None  # real models: loss and accuracy
    summary: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the document that is written."""
        return {
            "schema": f"paramscope/run/{SCHEMA_VERSION}",
            "schema_version": SCHEMA_VERSION,
            "kind": self.kind.value,
            "complete": self.complete,
            "scenario": self.scenario,
            "seed": self.seed,
            "replications": self.replications,
            "trace": self.trace.value,
            "failure": self.failure,
            "notes": list(self.notes),
            "learning": self.learning,
            "summary": self.summary,
        }


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run: the scenario as run and its tables, in memory or read from a folder on demand."""

    info: RunInfo
    scenario: Scenario
    given: dict[str, pa.Table] = field(default_factory=dict)
    folder: Path | None = None

    def table(self, name: str) -> pa.Table:
        """Return table *name* (a key of schema.TABLES); an absent one is empty."""
        if name not in self.given:
            self.given[name] = self._read(name)
        return self.given[name]

    def _read(self, name: str) -> pa.Table:
        schema = TABLES[name]
        path = self.folder / f"{name}.parquet" if self.folder else None
        if path is None or not path.is_file():
            return schema.empty_table()
        try:
            table = pq.read_table(path)
            return table.select(schema.names).cast(schema)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise InvalidInputError(f"{path}: not a table of a run folder: {first}; write the run again") from None

    @cached_property
    def name(self) -> str:
        """How people refer to the run."""
        return self.folder.resolve().name if self.folder else self.scenario.name


def write_json(path: Path, document: Any) -> None:
    """Write *document* to *path* in one atomic step."""
    write_text(path, json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n")


def prepare_folder(path: Path) -> None:
    """Make *path* an empty run folder; raise InvalidInputError rather than delete what is not ours."""
    try:
        foreign = [
            p.name
            for p in sorted(path.iterdir())
            if p.name not in OWN_FILES and p.name not in OWN_FOLDERS and not p.name.endswith(".part")
        ]
        if foreign:
            raise InvalidInputError(
                f"{path}: holds something else than a run ({', '.join(foreign[:3])});"
                " give an empty or new folder for --out"
            )
        for own in sorted(path.iterdir()):
            if own.is_dir():
                for log in sorted(own.iterdir()):
                    log.unlink()
            else:
                own.unlink()
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be written: {error.strerror}; give another folder for --out") from None


class RunWriter:
    """Writes one run folder.  Until ``finish``, the folder says that it is incomplete."""

    def __init__(self, folder: Path, info: RunInfo, scenario: Scenario) -> None:
        self.folder = folder
        self._lock = _lock(folder)
        prepare_folder(folder)
        write_json(folder / RUN_FILE, info.as_json())
        text = SCHEMA_LINE.format("paramscope-scenario.json") + dump_scenario(scenario)
        (folder / SCENARIO_FILE).write_text(text, encoding="utf-8")

    def finish(self, info: RunInfo, tables: dict[str, pa.Table], provenance: dict[str, Any]) -> None:
        """Write the tables that the trace level keeps, the provenance, and last of all ``run.json``."""
        for name in KEPT[info.trace]:
            part = self.folder / f"{name}.parquet.part"
            pq.write_table(tables[name], part, compression="zstd")
            part.replace(self.folder / f"{name}.parquet")
        write_json(self.folder / PROVENANCE_FILE, provenance)
        write_json(self.folder / RUN_FILE, info.as_json())
        os.close(self._lock)


def _lock(folder: Path) -> int:
    """Return a lock on *folder* that ends with this process; raise InvalidInputError when another holds it."""
    try:
        if folder.exists() and not folder.is_dir():
            raise InvalidInputError(f"{folder}: is a file; give a folder for --out")
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InvalidInputError(
            f"{folder}: cannot be written: {error.strerror}; give another folder for --out"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise InvalidInputError(f"{folder}: another run is writing there; give another folder for --out") from None
    return lock


def read_run(folder: Path | str) -> Run:
    """Return the run in *folder*; raise InvalidInputError when it is none, or of a newer schema."""
    folder = Path(folder)
    path = folder / RUN_FILE
    if not folder.is_dir():
        raise InvalidInputError(f"{folder}: no such folder; give a folder written by simulate or realrun --out")
    try:
        if path.stat().st_size > MAX_RUN_FILE_BYTES:
            raise InvalidInputError(f"{path}: larger than any run.json of ours")
        document = json.loads(path.read_text(encoding="utf-8"))
        version = document["schema_version"]
        if not isinstance(version, int):
            raise TypeError("schema_version is not a number")
        if version > SCHEMA_VERSION:
            raise InvalidInputError(
                f"{folder}: written by a newer paramscope (schema {version}, this one reads up to"
                f" {SCHEMA_VERSION}); upgrade"
            )
        info = RunInfo(
            kind=Kind(document["kind"]),
            complete=bool(document["complete"]),
            scenario=str(document["scenario"]),
            seed=int(document["seed"]),
            replications=int(document["replications"]),
            trace=TraceLevel(document["trace"]),
            failure=document.get("failure"),
            notes=tuple(str(n) for n in document.get("notes", ())),
            learning=document.get("learning"),
            summary=document.get("summary"),
        )
    except FileNotFoundError:
        raise InvalidInputError(f"{folder}: not a run folder (no {RUN_FILE}); give one written by --out") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidInputError(f"{path}: not a run's {RUN_FILE} ({error!r:.80}); write the run again") from None
    return Run(info=info, scenario=load_scenario(folder / SCENARIO_FILE), folder=folder)
