"""Terminals: tables and text on stdout, progress on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from solver.common.control import Progress, ProgressCallback

_PLAIN_WIDTH = 120  # of tables that go to a file or a pipe


def output() -> Console:
    """Where answers are printed. Texts are never read as markup."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")  # rich would end the program, with exit code 1

    plain = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Output(markup=False, highlight=False, emoji=False, width=_PLAIN_WIDTH if plain else None)


@contextmanager
def _bar(label: str, hidden: bool = False) -> Iterator[Callable[[float | None, str, str], None] | None]:
    """A bar on stderr, and how to move it: the share done, its label, a note; None when it is no terminal."""
    if hidden or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, note="")

        def move(done: float | None, stage: str, note: str) -> None:
            total = None if done is None else 1.0
            bar.update(task, total=total, completed=done or 0.0, description=stage or label, note=note)

        yield move


@contextmanager
def searching(label: str) -> Iterator[ProgressCallback | None]:
    """A bar for a search's progress callback."""
    with _bar(label) as move:

        def report(found: Progress) -> None:
            if move is not None:
                move(found.done, found.stage, f"{found.nodes:,} nodes" if found.nodes else "")

        yield None if move is None else report


@contextmanager
def counting(label: str, total: int, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar for so many things done of `total`."""
    with _bar(label, hidden) as move:

        def report(done: int) -> None:
            if move is not None:
                move(done / max(total, 1), "", f"{done} of {total}")

        report(0)
        yield report
