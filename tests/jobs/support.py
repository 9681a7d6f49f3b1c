"""Stores for tests, and units that need no game."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from athanor.jobs.storage.claims import Outcome
from athanor.jobs.storage.store import Store

UNITS = [json.dumps({"ask": "echo", "number": number}) for number in range(4)]


def echo(payload: str, cancel: threading.Event | None = None) -> Outcome:
    """A unit's result is what it asks."""
    return Outcome([payload], False)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "jobs.sqlite")
