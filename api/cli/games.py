"""`athanor rules`, `athanor deal` and `athanor score`."""

from __future__ import annotations

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import about
from api.cli.terminal.options import (
    SEED,
    deck_option,
    file_argument,
    game_argument,
    jokers_option,
    json_option,
    rules_option,
    text_option,
    with_jokers,
)
from api.cli.terminal.outputs import tell


@click.command()
@game_argument()
def rules(game: str) -> None:
    """The rules and rulings in force."""
    import sys

    import athanor

    text = athanor.game(game).rules()
    if not sys.stdout.isatty():
        echo(text, nl=not text.endswith("\n"))
        return
    from rich.markdown import Markdown

    from api.cli.terminal.console import output

    output().print(Markdown(text))


@click.command()
@game_argument()
@click.option("--seed", type=SEED, help="The same seed gives the same deal for ever; default: a new one.")
@click.option("--number", type=SEED, default=0, help="Which deal of the seed.")
@click.option("--players", type=click.IntRange(1), help="How many players.")
@click.option("--variant", help="Of a game with variants.")
@deck_option()
@rules_option()
@jokers_option()
@click.option("--seat", type=click.IntRange(0), help="Only what the player in this seat sees.")
@text_option()
def deal(
    game: str,
    seed: int | None,
    number: int,
    players: int | None,
    variant: str | None,
    deck: str | None,
    rules: dict[str, bool] | None,
    jokers: str | None,
    seat: int | None,
    as_text: bool,
) -> None:
    """A fresh deal, as a position."""
    import secrets

    import athanor
    from api.cli.terminal import inputs

    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    chosen = inputs.deck(game, deck)
    position = athanor.deal(
        game,
        seed=drawn,
        number=number,
        players=players,
        variant=variant,
        deck=chosen,
        rules=with_jokers(rules, jokers),
    )
    if seat is not None:
        position = athanor.view(position, seat)
    if seed is None:
        echo(f"seed {drawn}", err=True)
    tell(position, as_text=as_text)


class _Score(click.Command):
    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help, and what each game's records hold."""
        from solver import registry

        super().format_help_text(ctx, formatter)
        told = [registry.game(name).record_help for name in registry.names()]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\b\n" + "\n".join(filter(None, told)))


@click.command(cls=_Score)
@file_argument()
@json_option()
def score(file: str, as_json: bool) -> None:
    """The score of a finished round, or of a match of several.

    FILE (- for stdin) is a record as text or in JSON: the game, and what is left of each round, seats in order. Or
    it is a score sheet, the points of each round: points=3,1,2/0,4,1.
    """
    import athanor
    from api.cli.terminal import inputs
    from api.cli.terminal.answers import show_fields
    from api.cli.terminal.console import output

    record = inputs.record(file)
    with about(inputs.name_of(file)):
        found = athanor.score(record)
    if as_json:
        echo(found.to_json())
    else:
        show_fields(output(), found)
