"""`athanor analyze` and `athanor hint`: one question about one position."""

from __future__ import annotations

from typing import Any

import click

from api.cli.terminal.options import SEED, file_argument, json_option, local_option, nodes_option, seconds_option

_all_option = click.option("--all", "every", is_flag=True, help="Show every move, not the first 40.")


@click.command()
@file_argument()
@click.option("--model", help="How the others are taken to play, in games that ask.")
@click.option("--player", type=click.IntRange(0), help="Whose value is asked for; default: the seat to move.")
@seconds_option("Give the best so far after S seconds.")
@nodes_option("Give the best so far after N nodes.")
@json_option()
@_all_option
@local_option()
def analyze(
    file: str,
    model: str | None,
    player: int | None,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    every: bool,
    local: bool,
) -> None:
    """The exact value of a position with every card known, and of each move."""
    options = {"model": model, "player": player, "seconds": seconds, "nodes": nodes}
    _ask("analyze", file, options, as_json=as_json, every=every, local=local)


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
@local_option()
def hint(
    file: str,
    worlds: int | None,
    seed: int,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    every: bool,
    local: bool,
) -> None:
    """The best move for a player who does not see every card, and why."""
    options = {"worlds": worlds, "seed": seed, "seconds": seconds, "nodes": nodes}
    _ask("hint", file, options, as_json=as_json, every=every, local=local)


def _ask(kind: str, file: str, options: dict[str, Any], *, as_json: bool, every: bool, local: bool) -> None:
    from api.cli.asking.ask import ask
    from api.cli.asking.question import Question
    from api.cli.terminal import inputs

    name, content = inputs.name_of(file), inputs.read(file)
    question = Question(kind=kind, options=options, name=name, content=content, as_json=as_json, every=every)
    ask(question, local=local)
