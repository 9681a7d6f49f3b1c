"""`athanor analyze` and `athanor hint`: one question about one position."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal.failures import INTERRUPTED, about
from api.cli.terminal.options import SEED, file_argument, json_option, nodes_option, seconds_option

if TYPE_CHECKING:
    from pydantic import BaseModel

_all_option = click.option("--all", "every", is_flag=True, help="Show every move, not the first 40.")


@click.command()
@file_argument()
@click.option("--model", help="How the others are taken to play, in games that ask.")
@click.option("--player", type=click.IntRange(0), help="Whose value is asked for; default: the seat to move.")
@seconds_option("Give the best so far after S seconds.")
@nodes_option("Give the best so far after N nodes.")
@json_option()
@_all_option
def analyze(
    file: str,
    model: str | None,
    player: int | None,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    every: bool,
) -> None:
    """The exact value of a position with every card known, and of each move."""
    options = {"model": model, "player": player, "seconds": seconds, "nodes": nodes}
    ask("analyze", file, options, _shower(every), as_json=as_json)


@click.command()
@file_argument()
@click.option(
    "--worlds",
    type=click.IntRange(0, 2**31 - 1),
    metavar="N",
    help="How many layouts of the hidden cards; 0: an answer at once.",
)
@click.option("--seed", type=SEED, default=0, help="The same seed gives the same hint.")
@seconds_option("Think for at most S seconds, 0.05 to 60.", least=0.05, most=60)
@nodes_option("Search at most N nodes.")
@json_option()
@_all_option
def hint(
    file: str,
    worlds: int | None,
    seed: int,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    every: bool,
) -> None:
    """The best move for a player who does not see every card, and why."""
    options = {"worlds": worlds, "seed": seed, "seconds": seconds, "nodes": nodes}
    ask("hint", file, options, _shower(every), as_json=as_json)


def ask(
    kind: str,
    file: str,
    options: dict[str, Any],
    show: Callable[[BaseModel, Any, bool], None],
    *,
    as_json: bool,
    draw: Callable[[BaseModel, Any], None] = lambda position, found: None,
) -> None:
    """Print what `athanor.analyze`, `hint` or `compound` finds of the position in a file: JSON, or as `show` does.

    `show` gets the position, the answer, and whether Ctrl-C ended the search, whose best so far it is then. Before
    that, `draw` gets the position and the answer.
    """
    import athanor
    from api.cli.terminal import inputs
    from api.cli.terminal.console import searching
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt
    from athanor.questions import position_of
    from solver.common import visible

    name, content = inputs.name_of(file), inputs.read(file)
    searches: dict[str, Callable[..., Any]] = {
        "analyze": athanor.analyze,
        "hint": athanor.hint,
        "compound": athanor.compound,
    }
    with about(name):
        position = position_of(content)
    with cancel_on_interrupt() as cancel:
        with about(name), searching("searching") as progress:
            found: Any = apart(lambda: searches[kind](position, cancel=cancel, progress=progress, **options))
        draw(position, found)
        if as_json:
            sys.stdout.write(visible(found.to_json()) + "\n")
        else:
            show(position, found, cancel.is_set())
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)


def _shower(every: bool) -> Callable[[BaseModel, Any, bool], None]:
    def show(position: BaseModel, found: Any, cut: bool) -> None:
        from api.cli.terminal import answers
        from api.cli.terminal.console import output

        answers.show(output(), position, found, every=every, cut=cut)

    return show
