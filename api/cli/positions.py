"""Commands about one position, record or deck: moves, after, view, rules, deal, score, convert, review."""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING, Any

import click

import athanor
from api.cli.terminal import (
    INTERRUPTED,
    Whole,
    about,
    before_moves,
    cancel_on_interrupt,
    check_writable,
    command,
    deck_option,
    echo,
    file_argument,
    game_argument,
    in_thread,
    input_name,
    jokers_option,
    json_option,
    nodes_option,
    output,
    plot_option,
    read_deck,
    read_decked,
    read_input,
    read_position,
    rules_option,
    searching,
    seconds_option,
    show_fields,
    show_parts,
    tell_position,
    text_option,
    with_jokers,
    write_text,
    writing,
)
from athanor import reviews
from athanor.reviews import SECONDS, Wish, puzzles_of, review_of
from athanor.table import drawn_seed
from solver import registry
from solver.language import say, say_many
from solver.registry import game_of

if TYPE_CHECKING:
    from solver.reviewing import Review


@click.command()
@file_argument
@json_option()
def moves(file: str, as_json: bool) -> None:
    """The legal moves of a position or view, and who is to move.

    If another seat is to move in a view, this lists the moves that it could make, as far as you know.
    """
    from athanor.table import moves as moves_of

    with about(input_name(file)):
        position = read_position(file)
        answer, notes = moves_of(position), game_of(position).notes(position)
    if as_json:
        echo(json.dumps(answer.to_dict(), ensure_ascii=False))
        return
    if answer.to_move is None:
        echo(say("the round is over"))
        return
    if answer.legal_moves:
        echo(say("Seat {seat} is to move. Its moves:", seat=answer.to_move))
        for move in answer.legal_moves:
            echo(f"  {move}")
    for sentence in notes:
        echo(sentence)
    if answer.possible_moves:
        if answer.legal_moves:
            echo(say("Before that, there could be:"))
        else:
            echo(say("What seat {seat} could do:", seat=answer.to_move))
        for move in answer.possible_moves:
            echo(f"  {move}")


@click.command()
@click.argument("words", metavar="FILE MOVE...", nargs=-1, required=True)
@text_option
def after(words: tuple[str, ...], as_text: bool) -> None:
    """The position or view after moves.

    MOVEs are made in order. In a view they are what was seen: the moves of other seats, the cards turned up. If
    two players can move first, put the seat in front of the move: 1:5+2=7.
    """
    file, moves = before_moves(words)
    if not moves:
        raise click.UsageError(say("Missing argument 'MOVE...'."))
    with about(input_name(file)):
        position = athanor.play(read_position(file), moves)
    tell_position(position, as_text=as_text)


@click.command()
@file_argument
@click.option("--seat", type=Whole(0), default=0, show_default=True, help="Which player's view.")
@text_option
def view(file: str, seat: int, as_text: bool) -> None:
    """What one player sees of a position."""
    with about(input_name(file)):
        seen = athanor.view(read_position(file), seat)
    tell_position(seen, as_text=as_text)


# ----------------------------------------------------------------------------------------------------
# `athanor rules`, `athanor deal` and `athanor score`.


@click.command()
@game_argument()
def rules(game: str) -> None:
    """The rules and rulings in force."""
    text = athanor.game(game).rules()
    if not sys.stdout.isatty():
        echo(text, nl=not text.endswith("\n"))
        return
    from rich.markdown import Markdown

    output().print(Markdown(text))


@command(
    "deal", rules_option, jokers_option, deck_option, text_option, subject=game_argument(), own=("deck", "rules")
)
def deal(
    game: str,
    deck: str | None,
    rules: dict[str, bool] | None,
    jokers: str | None,
    as_text: bool,
    **options: Any,
) -> None:
    seed = options.pop("seed")
    drawn = drawn_seed() if seed is None else seed
    chosen = read_deck(game, deck)
    position = athanor.deal(game, seed=drawn, deck=chosen, rules=with_jokers(rules, jokers), **options)
    if seed is None:
        echo(say("seed {seed}", seed=drawn), err=True)
    tell_position(position, as_text=as_text)


class _Score(click.Command):
    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help, followed by the record format of each game."""
        super().format_help_text(ctx, formatter)
        helps = [registry.game(name).record_help for name in registry.names()]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\b\n" + "\n".join(filter(None, helps)))


@click.command(cls=_Score)
@file_argument
@json_option()
def score(file: str, as_json: bool) -> None:
    """The score of a finished round or match.

    FILE (- for stdin) is a game saved by `athanor play` or `athanor watch`, or a record, as text or in JSON: the
    game, and how each round ended, seat by seat. Or it is a score sheet with the points of each round:
    points=3,1,2/0,4,1.
    """
    from athanor.sessions import Session, is_game, read_one

    content = read_decked(file)
    with about(input_name(file)):
        answer = Session(read_one(content)).score() if is_game(content) else athanor.score(content)
    if as_json:
        echo(answer.to_json())
    else:
        show_fields(output(), answer)


# ----------------------------------------------------------------------------------------------------
# `athanor convert`: converting positions, records and games between JSON and text.


@click.command()
@file_argument
def convert(file: str) -> None:
    """Convert JSON to text, or text to JSON.

    FILE is a position, a view or a record, or one or more games saved by `athanor play`: in text one after
    another, in JSON one per line. Everything is checked against the rules.
    """
    from athanor.questions import convert as converted

    content = read_decked(file)
    with about(input_name(file)):
        echo(converted(content))


# ----------------------------------------------------------------------------------------------------
# `athanor review`: what each move of a finished game gave away.


_REPORTS = (
    seconds_option("The time for each hint and each analysis; default 0.3.", least=0.05, most=60),
    nodes_option("The same limit, in search nodes."),
    plot_option("what each seat gave away, move by move"),
    click.option(
        "--html", metavar="FILE", help="Also write a report with graphs and pictures of the worst moments."
    ),
    click.option("--puzzles", metavar="FILE", help="Also write puzzles of the clear mistakes, for athanor train."),
    json_option(),
)


@command("review", *_REPORTS, subject=click.argument("file"), own=("seconds", "nodes"))
@click.pass_context
def review(
    ctx: click.Context,
    /,
    file: str,
    plot: str | None,
    html: str | None,
    puzzles: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Where a game was won or lost, with luck and mistakes separated.

    FILE is a game saved by `athanor play` or `athanor watch`, as JSON or as text, finished or not. Each decision
    is compared with the hint's best move, given what the seat knew, and separately with the best move when every
    card is known. A seat's score is the sum of what it could expect, its luck, what the other seats' moves gave
    it, and its own mistakes.
    """
    from athanor.sessions import Session, read_one
    from solver.limits import Limit

    for path in filter(None, (plot, html, puzzles)):
        check_writable(path)
    limit = Limit(seconds=options.pop("seconds"), nodes=options.pop("nodes"))
    wish = Wish(Limit(seconds=SECONDS) if limit == Limit() else limit, **options)
    with cancel_on_interrupt() as cancel:
        with about(input_name(file)):
            session = Session(read_one(read_input(file)))
        with searching(say("reviewing")) as progress:
            judged = in_thread(lambda: review_of(session, wish, progress, cancel))
        if plot is not None:
            from puzzles.format import replacing

            with writing(plot), replacing(plot) as temporary:
                reviews.plot(judged, temporary, plot[-3:].lower())
        if html is not None:
            from api.page.report import report

            write_text(html, report(judged))
        if puzzles is not None:
            _write_puzzles(puzzles, judged, wish.model, cancel)
        if as_json:
            echo(judged.to_json())
        else:
            show_parts(output(), judged.parts())
        if cancel.is_set():
            ctx.exit(INTERRUPTED)


def _write_puzzles(path: str, review: Review, model: str | None, cancel: threading.Event) -> None:
    from puzzles.format import dumps

    with searching(say("making puzzles")) as progress:
        collected = in_thread(lambda: puzzles_of(review, model=model, progress=progress, cancel=cancel))
    if collected is None:
        click.echo(say("No mistake in this game makes a puzzle with a proved solution."), err=True)
        return
    write_text(path, dumps(collected))
    count = len(collected.puzzle)
    click.echo(say_many("{path}: {count} puzzle", "{path}: {count} puzzles", count, path=path), err=True)
