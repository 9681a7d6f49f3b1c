"""`athanor analyze` and `athanor hint`: one question about one position."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from api.cli.terminal.failures import INTERRUPTED, about
from api.cli.terminal.options import SEED, json_option, limit_of, nodes_option, seconds_option

if TYPE_CHECKING:
    from collections.abc import Callable

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
    import athanor

    ask = partial(athanor.analyze, model=model, player=player, limit=limit_of(seconds, nodes))
    _answer(file, ask, as_json=as_json, every=every)


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
    import athanor

    ask = partial(athanor.hint, worlds=worlds, seed=seed, limit=limit_of(seconds, nodes))
    _answer(file, ask, as_json=as_json, every=every)


def _answer(file: str, ask: Callable[..., Analysis | Hint], *, as_json: bool, every: bool) -> None:
    from api.cli.terminal import inputs
    from api.cli.terminal.answers import show
    from api.cli.terminal.console import output, searching
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt

    position = inputs.position(file)
    with cancel_on_interrupt() as cancel:
        with about(inputs.name_of(file)), searching("searching") as progress:
            answer = apart(lambda: ask(position, cancel=cancel, progress=progress))
        if as_json:
            click.echo(answer.to_json())
        else:
            show(output(), position, answer, every=every, cut=cancel.is_set())
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)
