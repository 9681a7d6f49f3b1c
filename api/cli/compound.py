"""`athanor compound`: the best compounding of a set of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from api.cli.terminal.options import file_argument, json_option, nodes_option, seconds_option

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.table import Table

    from solver.answers import CompoundAnalysis, Made, Missing

SHOWN = 10  # missing cards, unless all are asked for


@click.command()
@file_argument()
@click.option(
    "--best", type=click.IntRange(1), default=1, metavar="K", help="The K best ways, which make different recipes."
)
@click.option("--must", multiple=True, metavar="CARD", help="Use this card, as a carrier or as an ingredient.")
@click.option("--without", multiple=True, metavar="CARD", help="Do not use this card; its own points count.")
@click.option("--missing", is_flag=True, help="Rank the other cards by what they would add.")
@click.option("--all", "every", is_flag=True, help=f"Show every missing card, not the first {SHOWN}.")
@click.option("--svg", metavar="PATH", help="Draw what can be made, and what is, as SVG.")
@seconds_option("Give the best so far after S seconds.")
@nodes_option("Give the best so far after N nodes.")
@json_option()
def compound(
    file: str,
    best: int,
    must: tuple[str, ...],
    without: tuple[str, ...],
    missing: bool,
    every: bool,
    svg: str | None,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
) -> None:
    """The recipes that make most of a set of won cards."""
    from api.cli.questions import ask
    from api.cli.terminal import outputs
    from api.cli.terminal.console import output

    if svg is not None:
        outputs.check(svg)
    wishes = {
        "must": must,
        "without": without,
        "best": best,
        "missing": missing,
        "seconds": seconds,
        "nodes": nodes,
    }

    def draw(position: BaseModel, found: CompoundAnalysis) -> None:
        from solver.positions import compounder

        if svg is not None:
            outputs.write(svg, compounder(position).picture(position, found))

    def show(position: BaseModel, found: CompoundAnalysis, cut: bool) -> None:
        show_compound(output(), position, found, every=every)

    ask("compound", file, wishes, show, as_json=as_json, draw=draw)


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
