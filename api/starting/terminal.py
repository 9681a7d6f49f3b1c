"""What a person at the terminal sees of the games that are made ready: a bar each, or lines in a pipe."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from api.starting.readiness import Progress, Readiness, Stage

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_LOOK_SECONDS = 0.25


@contextmanager
def shown(readiness: Readiness, stream: TextIO) -> Iterator[None]:
    """Within this, a stream is told what changes: only that the games are ready, when none has to be compiled."""
    ended = threading.Event()
    thread = threading.Thread(target=_show, args=(readiness, ended, stream), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(1.0)


def _show(readiness: Readiness, ended: threading.Event, stream: TextIO) -> None:
    while not ended.is_set() and not readiness.settled() and not _compiles(readiness):
        readiness.wait(_LOOK_SECONDS)
    if _compiles(readiness):
        _say(stream, "Compiling the games' kernels, this once. Rules, decks and deals can be asked for already.")
        if stream.isatty():
            _bars(readiness, ended, stream)
        else:
            _lines(readiness, ended, stream)
    if readiness.settled():
        broken = [name for name, found in readiness.progress().items() if found.stage is Stage.FAILED]
        _say(stream, f"Ready, but for {', '.join(broken)}." if broken else "All games are ready.")


def _say(stream: TextIO, line: str) -> None:
    print(line, file=stream, flush=True)


def _compiles(readiness: Readiness) -> bool:
    return any(found.stage is Stage.COMPILING for found in readiness.progress().values())


def _lines(readiness: Readiness, ended: threading.Event, stream: TextIO) -> None:
    """A line for every stage of every game."""
    told: dict[str, Progress] = {}
    while True:
        settled = readiness.settled()
        for name, found in readiness.progress().items():
            before = told.get(name)
            if found.stage is not Stage.WAITING and (before is None or before.stage is not found.stage):
                _say(stream, f"  {name}: {found.stage}{found.reason and f', {found.reason}'}")
            told[name] = found
        if settled or ended.is_set():
            return
        readiness.wait(_LOOK_SECONDS)


def _bars(readiness: Readiness, ended: threading.Event, stream: TextIO) -> None:
    """A bar for every game."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[stage]}"),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=Console(file=stream)) as bars:
        tasks = {name: bars.add_task(name, total=1.0, start=False, stage="") for name in readiness.progress()}
        while True:
            settled = readiness.settled()
            for name, found in readiness.progress().items():
                _draw(bars, tasks[name], found)
            if settled or ended.is_set():
                return
            readiness.wait(_LOOK_SECONDS)


def _draw(bars: Bars, task: TaskID, found: Progress) -> None:
    if found.stage is Stage.COMPILING:
        bars.start_task(task)
    done = 1.0 if found.stage in (Stage.LOADING, Stage.READY) else found.share
    hints = "; hints are ready" if found.hints and not found.settled else ""
    bars.update(task, completed=done, stage=(found.reason or found.stage.value) + hints)
    if found.settled:
        bars.stop_task(task)
