"""Stores for tests, and units that need no game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from athanor.jobs.file import JobError
from athanor.jobs.store import Chunk, Outcome, Store
from athanor.jobs.workers import Answering, ThreadTeam, work

UNITS = [json.dumps({"ask": "echo", "number": number}) for number in range(4)]


def echo(payload: str, cancel: threading.Event | None = None) -> Outcome:
    """A unit's result is what it asks."""
    return Outcome([payload], False)


def do(store: Store, answer: Answering | None = None, stop: Callable[[], bool] = lambda: False) -> int:
    """Answer what waits in this process; how many units that were."""
    before = answered(store)
    team = ThreadTeam(answer)
    try:
        work(store, team, stop=stop)
    finally:
        team.close()
    return answered(store) - before


def answered(store: Store) -> int:
    return sum(job.units.done + job.units.failed for job in store.jobs(most=100_000))


def claim(store: Store, units: int = 1) -> Chunk | None:
    """A chunk of so many units of the oldest job that has some."""
    found = store.claim([(job, units) for job in store.open() if job.waiting][:1])
    return next(iter(found), None)


def numbers(chunk: Chunk | None) -> list[int]:
    return [] if chunk is None else [number for number, _ in chunk.units]


def refused(call: Callable[..., object], *given: object, **more: object) -> JobError:
    with pytest.raises(JobError) as found:
        call(*given, **more)
    return found.value


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "jobs.sqlite")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 48 MiB."""
    command = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(command, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(folder: Path) -> None:
    """Fill the disk of a folder to its last byte."""
    with (folder / "other").open("wb", buffering=0) as other, suppress(OSError):
        while True:
            other.write(bytes(1 << 12))
