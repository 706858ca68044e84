"""Where a run comes from: versions, machine, command, wall-clock times.  Kept out of the compared files."""

import os
import platform
import shlex
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("paramscope", "simpy", "numpy", "pyarrow", "tensorflow_cpu", "tensorflow")


def provenance(started: datetime, **more: Any) -> dict[str, Any]:
    """Return the provenance of something that *started* then and ends now; *more* fields are added."""
    ended = datetime.now(UTC)
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "command": shlex.join(["paramscope", *sys.argv[1:]]),
        "started": started.isoformat(timespec="milliseconds"),
        "ended": ended.isoformat(timespec="milliseconds"),
        "wall_s": round((ended - started).total_seconds(), 3),
        "versions": versions,
        "machine": {
            "host": platform.node(),
            "platform": platform.platform(),
            "cpus": os.cpu_count(),
            "load_average": list(os.getloadavg()),
        },
        **more,
    }
