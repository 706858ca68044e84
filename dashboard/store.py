"""Finds the runs of a folder and reads them; no path outside the folder is ever read."""

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from simulator.errors import InvalidInputError
from simulator.trace.folder import OWN_FILES, RUN_FILE, Run, read_run

MAX_DEPTH = 3
# Where the page and the errors tell people to put a run.
DEFAULT_OUT = "runs/first"
# Runs kept with their tables, and without; each as long as its files stay as they are.
KEPT_WITH_TABLES = 6
KEPT_FOR_LIST = 2000

Signature = tuple[tuple[str, int, int], ...]


class _Kept:
    """The last runs read, each with the signature of the files that it was read from."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._runs: OrderedDict[Path, tuple[Signature, Run]] = OrderedDict()
        self._lock = Lock()

    def read(self, folder: Path) -> Run:
        """Return the run in *folder*, anew when one of its files has changed."""
        now = signature(folder)
        with self._lock:
            found = self._runs.get(folder)
            if found is not None and found[0] == now:
                self._runs.move_to_end(folder)
                return found[1]
        run = read_run(folder)
        with self._lock:
            self._runs[folder] = (now, run)
            while len(self._runs) > self._size:
                self._runs.popitem(last=False)
        return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One folder of the list: a run (without its tables read), or what is wrong with it.

    ``changed`` is the time its ``run.json`` was last written, in seconds since 1970.
    """

    id: str
    changed: float
    run: Run | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        if (self.run is None) == (self.error is None):
            raise ValueError("an entry has either a run or an error")


class RunStore:
    """The runs below one folder, or the one run that the folder is."""

    def __init__(self, root: Path) -> None:
        """Take *root*; raise InvalidInputError when it is no folder."""
        if not root.is_dir():
            what = "is not a folder" if root.exists() else "no such folder"
            raise InvalidInputError(
                f"{root}: {what}; make a run with `paramscope simulate SCENARIO --out {DEFAULT_OUT}`,"
                " or give the folder that holds your runs"
            )
        self.root = root
        self._resolved = root.resolve()
        self._listed, self._read = _Kept(KEPT_FOR_LIST), _Kept(KEPT_WITH_TABLES)

    def entries(self) -> list[Entry]:
        """Return every run folder, the one written last first."""
        found = [self._entry(id_) for id_ in self._ids()]
        return sorted(found, key=lambda e: (-e.changed, e.id))

    def run(self, id_: str) -> Run:
        """Return run *id_*; raise InvalidInputError when there is none, or none that can be read."""
        return self._read.read(self._folder(id_))

    def _ids(self) -> list[str]:
        if (self.root / RUN_FILE).is_file():
            return [self._resolved.name]
        return [folder.relative_to(self.root).as_posix() for folder in _run_folders(self.root, MAX_DEPTH)]

    def _entry(self, id_: str) -> Entry:
        changed = 0.0
        try:
            folder = self._folder(id_)
            changed = (folder / RUN_FILE).stat().st_mtime
            return Entry(id=id_, changed=changed, run=self._listed.read(folder))
        except InvalidInputError as error:
            return Entry(id=id_, changed=changed, error=str(error))
        except OSError as error:  # went away, or may not be read
            return Entry(id=id_, changed=changed, error=f"{id_}: cannot be read: {error.strerror}")

    def _folder(self, id_: str) -> Path:
        """Return the folder of *id_*; raise InvalidInputError unless it lies inside the root, links followed."""
        if not valid_id(id_):
            raise InvalidInputError(f"{id_[:200]!r} is not the name of a run; choose one from the list")
        if (self.root / RUN_FILE).is_file():
            folder = self.root if id_ == self._resolved.name else None
        else:
            folder = self.root / id_
        if folder is None or not (folder / RUN_FILE).is_file():
            raise InvalidInputError(f"there is no run {id_!r} in {self.root}; choose one from the list")
        for path in (folder, *(folder / name for name in OWN_FILES)):
            if not path.resolve().is_relative_to(self._resolved):
                raise InvalidInputError(f"{id_}: {path.name} is a link that leads out of {self.root}; copy the run")
        return folder


def valid_id(id_: str) -> bool:
    """Tell whether *id_* can be the path of a run below the root: up to three plain names."""
    parts = id_.split("/")
    return len(parts) <= MAX_DEPTH and all(
        part not in ("", ".", "..") and "\\" not in part and part.isprintable() for part in parts
    )


def signature(folder: Path) -> Signature:
    """Return name, time (ns) and size of each file of a run; a file that is not there is left out."""
    out = []
    for name in OWN_FILES:
        try:
            found = (folder / name).stat()
        except OSError:
            continue
        out.append((name, found.st_mtime_ns, found.st_size))
    return tuple(out)


def _run_folders(folder: Path, depth: int) -> list[Path]:
    """Return the run folders up to *depth* levels below *folder*; runs hold no runs."""
    try:
        children = sorted(p for p in folder.iterdir() if not p.name.startswith(".") and p.is_dir())
    except OSError:
        return []  # may not be read: holds nothing for us
    out = []
    for child in children:
        if (child / RUN_FILE).is_file():
            out.append(child)
        elif depth > 1 and not child.is_symlink():
            out += _run_folders(child, depth - 1)
    return out
