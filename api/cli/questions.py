"""`athanor analyze` and `athanor hint`: one question about one position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from api.cli.terminal.failures import INTERRUPTED, about
from api.cli.terminal.options import SEED, json_option, limit_of, nodes_option, seconds_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.protocol.answers import Analysis, Hint

_all_option = click.option("--all", "every", is_flag=True, help="Show every move, not the first 40.")


@click.command()
@click.argument("file")
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
    from solver.positions import game_of

    _ask(
        file,
        lambda position, control: game_of(position).analyze(position, control, model=model, player=player),
        seconds,
        nodes,
        as_json,
        every,
    )


@click.command()
@click.argument("file")
@click.option(
    "--worlds", type=click.IntRange(1, 2**31 - 1), metavar="N", help="How many layouts of the hidden cards."
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
    from solver.positions import game_of

    _ask(
        file,
        lambda position, control: game_of(position).hint(position, control, worlds=worlds, seed=seed),
        seconds,
        nodes,
        as_json,
        every,
    )


def _ask(
    file: str,
    question: Callable[[BaseModel, Control], Analysis | Hint],
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    every: bool,
) -> None:
    from api.cli.terminal import inputs
    from api.cli.terminal.answers import show
    from api.cli.terminal.console import output, searching
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt
    from solver.common.control import Control, Limit
    from solver.positions import game_of

    position = inputs.position(file)
    with cancel_on_interrupt() as cancel:
        with about(inputs.name_of(file)), searching("searching") as progress:
            # Loading kernels is no part of the search's time; without a limit of it, those needed here will do.
            if seconds is not None:
                apart(game_of(position).warm)
            else:
                apart(lambda: question(position, Control(Limit(nodes=1), cancel)))
            control = Control(limit_of(seconds, nodes), cancel, progress)
            answer = apart(lambda: question(position, control))
        if as_json:
            click.echo(answer.to_json())
        else:
            show(output(), position, answer, every=every, cut=cancel.is_set())
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)
