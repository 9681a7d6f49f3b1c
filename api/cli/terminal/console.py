"""Terminals: tables and text on stdout, progress on stderr."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from solver.limits import Progress, ProgressCallback

_PLAIN_WIDTH = 1_000_000  # of what goes to a file or a pipe: nothing is wrapped there


def output(stream: IO[str] | None = None, width: int | None = None) -> Console:
    """Where answers are printed: stdout, or a stream as if it were a terminal of this width.

    Texts are never read as markup, and what would steer the terminal is shown escaped.
    """
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

    from solver.common import visible

    class Output(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(visible(text), **options)

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            # Of texts that were made elsewhere; those of tables have been measured by now.
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(visible(segment.text), segment.style)

        def print(self, *objects: Any, **options: Any) -> None:
            if self.width < _PLAIN_WIDTH:
                super().print(*objects, **options)
                return
            with self.capture() as printed:
                super().print(*objects, **options)
            # Cells are filled up to the widest one, which may be very wide here.
            self.file.write(re.sub(" +$", "", printed.get(), flags=re.MULTILINE))

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")  # rich would end the program, with exit code 1

    if width is None and not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        width = _PLAIN_WIDTH
    return Output(file=stream, markup=False, highlight=False, emoji=False, width=width)


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text on stdout or stderr as it is, but for what would steer the terminal."""
    import click

    from solver.common import visible

    click.echo(visible(text), err=err, nl=nl)


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
