"""Run folders: written so that a crash at any moment leaves a complete run or one that says it is not."""

import fcntl
import json
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

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
# The files above, and what a writer that was killed leaves of them.
_OWN = re.compile(rf"\.?({'|'.join(map(re.escape, OWN_FILES))})(\.[0-9]+)?(\.part)?")
_LOG = re.compile(r"(ps|worker)-[0-9]+\.log|config\.json")
MAX_RUN_FILE_BYTES = 64 << 20

T = TypeVar("T")


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
            table = pq.read_table(path).select(schema.names).cast(schema)
            holes = [column for column in schema.names if table[column].null_count]
            if holes:
                raise ValueError(f"column {holes[0]} has empty cells")
            return table
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


def refuse_foreign(folder: Path) -> None:
    """Raise InvalidInputError when *folder* holds anything that no run wrote.

    A folder with a scenario.yaml and no run.json is where somebody keeps a scenario, not a run.
    """
    inside = sorted(folder.iterdir())
    foreign = [p.name for p in inside if not _is_ours(p)]
    if not foreign and not (folder / RUN_FILE).is_file():
        foreign = [p.name for p in inside if p.name in OWN_FILES]
    if foreign:
        raise InvalidInputError(
            f"{folder}: holds something else than a run ({', '.join(foreign[:3])});"
            " give an empty or new folder for --out"
        )


def _is_ours(path: Path) -> bool:
    if path.is_symlink():
        return False
    if path.is_dir():
        return path.name in OWN_FOLDERS and all(_LOG.fullmatch(p.name) and p.is_file() for p in path.iterdir())
    return _OWN.fullmatch(path.name) is not None


def clear(folder: Path, keep: tuple[str, ...]) -> None:
    """Delete what an earlier run left in *folder*, but for the files in *keep*."""
    for own in sorted(folder.iterdir()):
        if own.is_dir():
            for log in sorted(own.iterdir()):
                log.unlink()
        elif own.name not in keep:
            own.unlink()


class RunWriter:
    """Writes one run folder.  Until ``finish``, the folder says that it is incomplete."""

    def __init__(self, folder: Path, info: RunInfo, scenario: Scenario) -> None:
        self.folder = folder
        self._lock = _lock(folder)
        try:
            self._begin(info, SCHEMA_LINE.format("paramscope-scenario.json") + dump_scenario(scenario))
        except BaseException:
            os.close(self._lock)
            raise

    def _begin(self, info: RunInfo, scenario: str) -> None:
        try:
            refuse_foreign(self.folder)
            # In this order no moment shows an earlier run's run.json with fewer tables than it had.
            write_json(self.folder / RUN_FILE, info.as_json())
            write_text(self.folder / SCENARIO_FILE, scenario)
            clear(self.folder, keep=(RUN_FILE, SCENARIO_FILE))
        except OSError as error:
            raise _not_writable(self.folder, error) from None

    def finish(self, info: RunInfo, tables: dict[str, pa.Table], provenance: dict[str, Any]) -> None:
        """Write the tables that the trace level keeps, the provenance, and last of all ``run.json``."""
        try:
            for name in KEPT[info.trace]:
                part = self.folder / f"{name}.parquet.part"
                pq.write_table(tables[name], part, compression="zstd")
                part.replace(self.folder / f"{name}.parquet")
            write_json(self.folder / PROVENANCE_FILE, provenance)
            write_json(self.folder / RUN_FILE, info.as_json())
        except OSError as error:  # a full disk, say
            raise _not_writable(self.folder, error) from None
        finally:
            os.close(self._lock)


def _lock(folder: Path) -> int:
    """Return a lock on *folder* that ends with this process; raise InvalidInputError when another holds it."""
    try:
        if folder.exists() and not folder.is_dir():
            raise InvalidInputError(f"{folder}: is a file; give a folder for --out")
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _not_writable(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise InvalidInputError(f"{folder}: another run is writing there; give another folder for --out") from None
    return lock


def _not_writable(folder: Path, error: OSError) -> InvalidInputError:
    # pyarrow words it its own way, with a path in it.
    why = os.strerror(error.errno) if error.errno else str(error)
    return InvalidInputError(f"{folder}: cannot be written: {why}; give another folder for --out")


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
            failure=_optional(document, "failure", str),
            notes=tuple(str(n) for n in document.get("notes", ())),
            learning=_optional(document, "learning", dict),
            summary=_optional(document, "summary", dict),
        )
    except FileNotFoundError:
        raise InvalidInputError(f"{folder}: not a run folder (no {RUN_FILE}); give one written by --out") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidInputError(f"{path}: not a run's {RUN_FILE} ({error!r:.80}); write the run again") from None
    for name in ("steps", "updates") if info.complete and info.trace is not TraceLevel.NONE else ():
        # Without these an analysis would say "nothing happened"; without spans it says "not traced".
        if not (folder / f"{name}.parquet").is_file():
            raise InvalidInputError(f"{folder}/{name}.parquet: is missing from a complete run; write the run again")
    return Run(info=info, scenario=load_scenario(folder / SCENARIO_FILE), folder=folder)


def _optional(document: dict[str, Any], name: str, kind: type[T]) -> T | None:
    value = document.get(name)
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name} is not a {kind.__name__}")
    return value
