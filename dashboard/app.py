"""Puts the dashboard together."""

from collections.abc import Sequence
from typing import Any

import dash

from dashboard.store import RunStore


def create_app(store: RunStore, *, trusted_hosts: Sequence[str] | None = None) -> Any:
    raise NotImplementedError
