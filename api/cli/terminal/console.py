"""Terminals: tables and text on stdout, progress on stderr."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from solver.limits import Progress, ProgressCallback

_PLAIN_WIDTH = 1_000_000  # of what goes to a file or a pipe: nothing is wrapped there


# What rich looks at in the environment.
_NAMES = ("COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


@dataclass(frozen=True, slots=True)
class Terminal:
    """What decides how a process prints: whether its output is a terminal, and of which kind and size."""

    tty: bool
    encoding: str
    width: int
    height: int
    environ: dict[str, str]

    @classmethod
    def here(cls) -> Terminal | None:
        """This process's. None for one of the kind that rich gives a size of its own."""
        environ = {name: os.environ[name] for name in _NAMES if name in os.environ}
        tty = sys.stdout.isatty()
        if environ.get("TERM", "").lower() in ("dumb", "unknown"):
            if tty or "FORCE_COLOR" in environ or "TTY_COMPATIBLE" in environ:
                return None
            environ.pop("TERM")
        width, height = _size()
        width = _PLAIN_WIDTH if _is_plain(tty, environ) else width
        return cls(tty, sys.stdout.encoding, width, height, environ)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready data that `from_dict` reads back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Terminal:
        return cls(**data)


def _is_plain(tty: bool, environ: Mapping[str, str]) -> bool:
    return not tty and "COLUMNS" not in environ


def _size() -> tuple[int, int]:
    """The columns and lines of the terminal, found as rich finds them."""
    found = (0, 0)
    for descriptor in (0, 1, 2):
        with suppress(OSError, ValueError):
            found = os.get_terminal_size(descriptor)
            break
    named = [os.environ.get(name, "") for name in ("COLUMNS", "LINES")]
    width, height = (int(text) if text.isdigit() else size for text, size in zip(named, found, strict=True))
    return width or 80, height or 25


def output(stream: IO[str] | None = None, terminal: Terminal | None = None) -> Console:
    """Where answers are printed: stdout, or a stream as if it were this terminal.

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

    if terminal is not None:
        return Output(
            file=stream,
            width=terminal.width,
            height=terminal.height,
            markup=False,
            highlight=False,
            emoji=False,
            _environ=terminal.environ,
        )
    width = _PLAIN_WIDTH if _is_plain(sys.stdout.isatty(), os.environ) else None
    return Output(markup=False, highlight=False, emoji=False, width=width)


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
