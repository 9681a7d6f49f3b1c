"""`athanor play`: a game in the terminal against players that use the hint, which can be left and gone on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import INTERRUPTED, CommandFailure, about
from api.cli.terminal.options import (
    SEED,
    deck_option,
    game_argument,
    jokers_option,
    rules_option,
    seconds_option,
    with_jokers,
)

if TYPE_CHECKING:
    from api.cli.playing.files import File
    from athanor.sessions import Session

_LATEST = ""  # `--resume` without a file
_SECONDS = 0.3
# What is fixed once a game has begun.
_OF_THE_GAME = (
    "seed",
    "number",
    "players",
    "variant",
    "deck",
    "rules",
    "jokers",
    "seat",
    "rounds",
    "for_match",
    "save",
)


@click.command()
@game_argument()
@click.option("--seed", type=SEED, help="The same seed gives the same deals; default: a new one.")
@click.option("--number", type=SEED, default=0, help="Which deal of the seed the first round is.")
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many players.")
@click.option("--variant", help="Of a game with variants.")
@deck_option()
@rules_option()
@jokers_option()
@click.option("--seat", type=click.IntRange(0), default=0, metavar="N", help="Where you sit; the default is 0.")
@click.option("--rounds", type=click.IntRange(1), metavar="N", help="At most N rounds; default: a whole match.")
@click.option("--for-match", is_flag=True, help="Hints go by the match in all rounds; else in the last.")
@seconds_option(f"Of a choice of the others, and of a hint; default {_SECONDS}.", least=0.05, most=60)
@click.option("--forced", is_flag=True, help="Make yourself also the moves that are the only legal ones.")
@click.option("--save", metavar="FILE", help="Keep the game there; default: in your state folder.")
@click.option(
    "--resume",
    metavar="[FILE]",
    is_flag=False,
    flag_value=_LATEST,
    help="Go on with the game kept there; without FILE, with the one that was played last.",
)
@click.pass_context
def play(
    ctx: click.Context, /, game: str, seconds: float | None, forced: bool, resume: str | None, **options: Any
) -> None:
    """Play in the terminal against players that use the hint, each from what it sees.

    Type help for the commands; hint, why, undo and quit are among them. The game is kept after every move, so
    that Ctrl-C loses nothing.
    """
    from api.cli.playing.table import Table

    try:
        if resume is None:
            session, file = _new(game, seconds, forced, options)
        else:
            session, file = _resumed(ctx, game, seconds, forced, resume)
        table = Table(session, file)
    except KeyboardInterrupt:
        click.echo("\ninterrupted", err=True)
        ctx.exit(INTERRUPTED)
    try:
        table.run()
    except KeyboardInterrupt:
        table.leave()
        ctx.exit(INTERRUPTED)


def _new(game: str, seconds: float | None, forced: bool, options: dict[str, Any]) -> tuple[Session, File]:
    import secrets
    from pathlib import Path

    from api.cli.playing.files import File, free_path
    from api.cli.terminal import inputs, outputs
    from athanor.sessions import Saved, Session

    save = options.pop("save")
    options["for_match"] = options["for_match"] or None
    options["deck"] = inputs.deck(game, options["deck"])
    options["rules"] = with_jokers(options["rules"], options.pop("jokers"))
    if options["seed"] is None:
        options["seed"] = secrets.randbelow(1 << 32)
    session = Session(Saved(game=game, seconds=seconds or _SECONDS, **options), forced=forced)
    if save is None:
        file = File(free_path(game, options["seed"]), named=False)
    else:
        if Path(save).exists():
            raise CommandFailure(f"{save} is there already; --resume {save} goes on with a game kept there")
        outputs.check(save)
        file = File(Path(save), named=True)
    others = session.round.players - 1
    seat = f"; you are seat {session.seat}" if others else ""
    echo(f"{session.game.title}, seed {options['seed']}{seat}. Type a move, or help.")
    return session, file


def _resumed(
    ctx: click.Context, game: str, seconds: float | None, forced: bool, resume: str
) -> tuple[Session, File]:
    from pathlib import Path

    from api.cli.playing.files import File, folder, latest_path
    from api.cli.terminal import inputs
    from athanor.sessions import Session, read_one

    for name in _OF_THE_GAME:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            option = f"--{name.replace('_', '-')}"
            raise CommandFailure(f"{option} is of a new game; a game that is gone on with keeps its own")
    path = latest_path(game) if resume == _LATEST else Path(resume)
    if path is None:
        raise CommandFailure(f"no game of {game} is kept in {folder()}")
    with about(str(path)):
        saved = read_one(inputs.read(str(path)))
        if saved.game != game:
            raise CommandFailure(f"{path}: this is a game of {saved.game}, not of {game}")
        if saved.dealt:
            raise CommandFailure(f"{path}: a game of a real table is reviewed (athanor review), not played on")
        if seconds is not None:
            saved = saved.model_copy(update={"seconds": seconds})
        session = Session(saved, forced=forced)
    echo(f"{session.game.title}, seed {saved.seed}; {session.count} moves were made")
    return session, File(path, named=folder() not in path.parents)
