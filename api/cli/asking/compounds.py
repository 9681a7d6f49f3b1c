"""The best compounding of a set of cards, as text and tables for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.table import Table

    from solver.answers import CompoundAnalysis, Made, Missing

SHOWN = 10  # missing cards, unless all are asked for


def show_compound(console: Console, position: BaseModel, answer: CompoundAnalysis, *, every: bool) -> None:
    """The cards, what they make, and what one card more would add."""
    from api.cli.terminal.answers import show_rows
    from solver.positions import game_of

    game = game_of(position)
    show_rows(console, [("Game", game.title), *game.describe(position)])
    console.print()
    low, high = answer.bounds
    proof = "exact" if answer.exact else f"none: the limit ended the search; the total is {low} to {high}"
    total = f"{answer.total}: {answer.vp} for the cards, {answer.bonus} for recipes"
    rows = [("Total", total), ("Proof", proof), ("Search", f"{answer.nodes:,} nodes in {answer.seconds:.3f} s")]
    show_rows(console, rows)
    for rank, way in enumerate(answer.ways or (answer,), start=1):
        if answer.ways is not None:
            console.print(f"\nWay {rank}: {way.total}, {way.bonus} for recipes")
        console.print(_recipes(way.recipes) if way.recipes else "No recipe can be made.")
    if answer.missing is not None:
        shown = answer.missing if every else answer.missing[:SHOWN]
        console.print("\nOne more card would add:")
        console.print(_missing(shown))
        if len(shown) < len(answer.missing):
            console.print(f"… and {len(answer.missing) - len(shown)} more (--all shows them)")


def _recipes(recipes: Sequence[Made]) -> Table:
    table = _table(["card", "makes", "of"], ["bonus"])
    for made in recipes:
        table.add_row(made.card, made.item, " ".join(made.uses), str(made.bonus))
    return table


def _missing(cards: Sequence[Missing]) -> Table:
    table = _table(["card"], ["total", "for the card", "for recipes"])
    for card in cards:
        table.add_row(card.card, str(card.gain), str(card.vp), str(card.bonus))
    return table


def _table(words: Sequence[str], numbers: Sequence[str]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in words:
        table.add_column(name, overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right")
    return table
