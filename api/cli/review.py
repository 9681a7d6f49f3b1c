"""`athanor review`: what each move of a finished game gave away."""

from __future__ import annotations

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import INTERRUPTED, about
from api.cli.terminal.options import SEED, json_option, limit_of, nodes_option, plot_option, seconds_option


@click.command()
@click.argument("file")
@click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Only this round; the first is 1.")
@click.option("--seat", type=click.IntRange(0), metavar="N", help="Only the moves of this seat.")
@seconds_option("Of each hint and each analysis; default 0.3.", least=0.05, most=60)
@nodes_option("The same, in nodes of search.")
@click.option("--seed", type=SEED, default=0, help="Which hidden cards the hints sample.")
@click.option("--model", help="How the others play in the analyses with every card known.")
@plot_option("what each seat gave away, move by move")
@json_option()
@click.pass_context
def review(
    ctx: click.Context,
    file: str,
    number: int | None,
    seat: int | None,
    seconds: float | None,
    nodes: int | None,
    seed: int,
    model: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """What each move of a finished game gave away.

    FILE is a game that `athanor play` has kept, as JSON or as text. Every decision of every seat in the rounds
    that are over is compared with the best hint on what that seat knew and, apart from that, with the truth, every
    card known.
    """
    from api.cli.terminal import inputs, outputs
    from api.cli.terminal.console import output, searching
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt
    from athanor.reviews import SECONDS, Wish, review_of
    from athanor.sessions import Session, read_one

    if plot is not None:
        outputs.check(plot)
    limit = limit_of(SECONDS if seconds is None and nodes is None else seconds, nodes)
    wish = Wish(limit, seed, model, number, seat)
    with cancel_on_interrupt() as cancel:
        with about(inputs.name_of(file)):
            session = Session(read_one(inputs.read(file)))
        with searching("reviewing") as progress:
            found = apart(lambda: review_of(session, wish, progress, cancel))
        if plot is not None:
            from athanor import reviews
            from puzzles.format import replacing

            with outputs.writing(plot), replacing(plot) as temporary:
                reviews.plot(found, temporary, plot[-3:].lower())
        if as_json:
            echo(found.to_json())
        else:
            from api.cli.terminal.answers import show_parts

            show_parts(output(), found.parts())
        if cancel.is_set():
            ctx.exit(INTERRUPTED)
