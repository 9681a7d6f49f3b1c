"""One process that searches, for all tests of it: it takes two seconds to load the games."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

import athanor
from api.apart.process import Process
from api.config import Config
from api.starting.readiness import Readiness, Stage
from tests.api.support import warmed

_PATIENCE_SECONDS = 120


@pytest.fixture(scope="session")
def process() -> Iterator[Process]:
    """A process that has loaded all games."""
    warmed()
    readiness = Readiness(athanor.games())
    for name in athanor.games():
        readiness.enter(name, Stage.READY)
    with Process(Config(memory_mb=1024), readiness) as process:
        process.bound(512)
        until_ready(process)
        yield process


def until_ready(process: Process) -> None:
    end = time.monotonic() + _PATIENCE_SECONDS
    while not process.ready and time.monotonic() < end:
        time.sleep(0.02)
    assert process.ready
