"""Answers as text and tables for a person, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from solver.answers import Analysis, Answer, Hint, Part, Worded


def show(
    console: Console, position: BaseModel, answer: Analysis | Hint, *, every: bool = False, cut: bool = False
) -> None:
    """The position, the answer's sentences, and the moves best first. `cut`: Ctrl-C ended the search."""
    from solver.positions import game_of

    game = game_of(position)
    variant = f", {answer.variant}" if answer.variant else ""
    show_rows(console, [("Game", game.title + variant), *game.describe(position)])
    console.print()
    show_answer(console, answer, every=every, cut=cut)


def show_answer(
    console: Console,
    answer: Analysis | Hint,
    *,
    every: bool = False,
    cut: bool = False,
    numbers: Sequence[str] | None = None,
) -> None:
    """The answer's sentences and its moves, best first. `numbers`: what to call its moves instead of by ranks."""
    show_parts(console, answer.parts(cut=cut), every=every, numbers=numbers)


def show_parts(
    console: Console, parts: Sequence[Part], *, every: bool = True, numbers: Sequence[str] | None = None
) -> None:
    """Labelled lines, and the table that belongs to them. `numbers`: what to call the first table's entries."""
    for place, part in enumerate(parts):
        if place:
            console.print()
        show_rows(console, part.rows)
        _show_moves(console, part.entries, every=every, numbers=None if place else numbers)


def show_rows(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Labelled lines, the labels aligned."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(Text(label, style="bold"), text)
    console.print(grid)


def show_moves(console: Console, moves: Sequence[tuple[int, str]]) -> None:
    """Moves with their numbers, side by side."""
    from rich.columns import Columns
    from rich.text import Text

    console.print(Columns([Text(f"{number}: {move}") for number, move in moves], padding=(0, 3)))


def show_fields(console: Console, answer: Answer) -> None:
    """An answer without moves, such as a score: its fields, but for what is not known yet."""
    from solver.answers import fields_of

    show_rows(console, fields_of(answer))


def _show_moves(console: Console, moves: Sequence[Worded], *, every: bool, numbers: Sequence[str] | None) -> None:
    from api.cli.terminal.layout import laid_out
    from solver.answers import SHOWN, more_than_shown, table_of

    if not moves:
        return
    found = table_of(moves, None if every else SHOWN, numbers)
    console.print(laid_out(found.labels, found.lines, console.width, numbers=found.numbers))
    if not every and (more := more_than_shown(moves)):
        console.print(f"{more} (--all shows them)")
