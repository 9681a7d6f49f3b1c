"""`athanor compound`: the best compounding of a set of cards."""

from __future__ import annotations

import click

from api.cli.asking.compounds import SHOWN
from api.cli.terminal.options import file_argument, json_option, local_option, nodes_option, seconds_option


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
@local_option()
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
    local: bool,
) -> None:
    """The recipes that make most of a set of won cards."""
    from api.cli.asking.ask import ask
    from api.cli.asking.question import Question
    from api.cli.terminal import inputs, outputs

    if svg is not None:
        outputs.check(svg)
    wishes = {"must": must, "without": without, "best": best, "missing": missing}
    question = Question(
        kind="compound",
        options=wishes | {"seconds": seconds, "nodes": nodes},
        name=inputs.name_of(file),
        content=inputs.read(file),
        as_json=as_json,
        every=every,
        pictured=svg is not None,
    )
    ask(question, local=local, picture_path=svg)
