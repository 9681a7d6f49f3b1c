"""`athanor decks`: which decks there are, and whether a file is one."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import CommandFailure, about
from api.cli.terminal.options import json_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from solver.decks import Listed

_FILE = re.compile(r"[./\\]")  # what a file's name has and a deck's has not


@click.command()
@click.argument("named", metavar="[NAME | FILE]", required=False)
@json_option()
def decks(named: str | None, as_json: bool) -> None:
    """The decks that positions can name; with NAME, of a deck or a game, the cards of these decks.

    With FILE, the cards of a deck in TOML, or what is wrong with it.

    Your own decks are the TOML files of the folder ATHANOR_DECKS, by default "decks" where Athanor is configured.
    """
    from api.cli.terminal.console import output
    from api.models import decks_of
    from solver.decks import Listed, catalogue, folder, read

    if named is None:
        listed = catalogue()
        if as_json:
            echo(decks_of(listed).to_json())
            return
        _show_table(output(), ["game", "name", "title", "source"], _catalogue(listed))
        echo(f"Your own decks: {folder()}")
        return

    from api.cli.terminal import inputs

    found = [] if named == inputs.STDIN or os.path.exists(named) else _called(named, catalogue())
    if found and as_json:
        echo(decks_of(found).to_json())
        return
    if not found:
        with about(inputs.name_of(named)):
            game, deck = read(inputs.read(named))
        found = [Listed(game, deck.name, inputs.name_of(named), deck)]
    if as_json:
        echo(decks_of(found).decks[0].to_json())
        return
    console = output()
    for number, one in enumerate(found):
        if one.error is not None:
            raise CommandFailure(f"{one.source}: {one.error}")
        assert one.deck is not None  # it has no error
        console.print(f"{chr(10) * bool(number)}{one.deck.title}: a deck of {one.game}, called {one.name}")
        show_cards(console, one.deck.rows())


def _called(name: str, listed: Sequence[Listed]) -> list[Listed]:
    """The decks of a name, or of the game that has it. Raises CommandFailure where there is none, nor a file."""
    found = [one for one in listed if name in (one.name, one.game)]
    if not found and not _FILE.search(name):
        names = ", ".join(dict.fromkeys(one.name for one in listed))
        raise CommandFailure(f"there is no file {name}, and no deck is called so; there is {names}")
    return found


def _catalogue(listed: list[Listed]) -> list[list[str]]:
    rows = []
    for found in listed:
        title = found.deck.title if found.deck else f"cannot be used: {found.error}"
        rows.append([found.game or "?", found.name, title, found.source])
    return rows


def show_cards(console: Console, rows: Sequence[Mapping[str, str]]) -> None:
    """A deck's cards, at least one: a table or, where that would part words, a line of words for each card."""
    from api.cli.terminal.answers import show_rows
    from api.cli.terminal.layout import words_fit

    columns, cells = list(rows[0]), [list(row.values()) for row in rows]
    if words_fit(columns, cells, console.width):
        _show_table(console, columns, cells)
        return
    show_rows(console, [(line[0], _in_words(columns[1:], line[1:])) for line in cells])


def _in_words(columns: Sequence[str], cells: Sequence[str]) -> str:
    """What is known of a card, one after the other."""
    return "; ".join(f"{column} {cell}" for column, cell in zip(columns, cells, strict=True) if cell)


def _show_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from api.cli.terminal.layout import laid_out

    numbers = [
        index for index in range(len(columns)) if all(row[index].isdecimal() or not row[index] for row in rows)
    ]
    console.print(laid_out(columns, rows, console.width, numbers=numbers))
