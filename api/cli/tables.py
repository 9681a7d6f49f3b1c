"""`athanor moves`, `athanor after` and `athanor view`: what may happen, what then is, and what a seat sees."""

from __future__ import annotations

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import about
from api.cli.terminal.options import file_argument, json_option, text_option
from api.cli.terminal.outputs import tell


@click.command()
@file_argument()
@json_option()
def moves(file: str, as_json: bool) -> None:
    """The legal moves of a position or view, and who is to move.

    In a view in which another seat is to move: what that seat could be doing.
    """
    import json
    from dataclasses import asdict

    from api.cli.terminal import inputs
    from athanor.table import happenings

    with about(inputs.name_of(file)):
        found = happenings(inputs.position(file))
    if as_json:
        echo(json.dumps(asdict(found), ensure_ascii=False))
        return
    if found.to_move is None:
        echo("the round is over")
        return
    if found.moves:
        echo(f"Seat {found.to_move} is to move, and may do:")
        for move in found.moves:
            echo(f"  {move}")
    if found.possible:
        who = "Before that could be seen" if found.moves else f"Seat {found.to_move} could be seen to do"
        echo(f"{who}:")
        for move in found.possible:
            echo(f"  {move}")


@click.command()
@click.argument("words", metavar="FILE MOVE...", nargs=-1, required=True)
@text_option()
def after(words: tuple[str, ...], as_text: bool) -> None:
    """The position or view after moves.

    MOVEs are made in order. In a view they are what was seen: the moves of other seats, the cards turned up. Where
    two may be quicker, the seat stands before the move: 1:5+2=7.
    """
    import athanor
    from api.cli.terminal import inputs

    file, moves = inputs.before_moves(words)
    if not moves:
        raise click.UsageError("Missing argument 'MOVE...'.")
    with about(inputs.name_of(file)):
        found = athanor.play(inputs.position(file), moves)
    tell(found, as_text=as_text)


@click.command()
@file_argument()
@click.option("--seat", type=click.IntRange(0), default=0, show_default=True, help="Which player's view.")
@text_option()
def view(file: str, seat: int, as_text: bool) -> None:
    """What one player sees of a position."""
    import athanor
    from api.cli.terminal import inputs

    with about(inputs.name_of(file)):
        found = athanor.view(inputs.position(file), seat)
    tell(found, as_text=as_text)
