"""`athanor decks`: which decks there are, and whether a file is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import about
from api.cli.terminal.options import json_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from solver.decks import Listed


@click.command()
@click.argument("file", required=False)
@json_option()
def decks(file: str | None, as_json: bool) -> None:
    """The decks that positions can name; with FILE, the cards of a deck in TOML, or what is wrong with it.

    Your own decks are the TOML files of the folder ATHANOR_DECKS, by default "decks" where Athanor is configured.
    """
    from api.cli.terminal.console import output
    from api.http.models import decks_of
    from solver.decks import Listed, catalogue, folder, read

    if file is None:
        listed = catalogue()
        if as_json:
            echo(decks_of(listed).to_json())
            return
        output().print(_catalogue(listed))
        echo(f"Your own decks: {folder()}")
        return

    from api.cli.terminal import inputs

    with about(inputs.name_of(file)):
        game, deck = read(inputs.read(file))
    if as_json:
        echo(decks_of([Listed(game, deck.name, inputs.name_of(file), deck)]).decks[0].to_json())
        return
    output().print(f"{deck.title}: a deck of {game}, called {deck.name}")
    rows = deck.rows()
    output().print(cards_table(rows))


def _catalogue(listed: list[Listed]) -> Table:
    rows = []
    for found in listed:
        title = found.deck.title if found.deck else f"cannot be used: {found.error}"
        rows.append([found.game or "?", found.name, title, found.source])
    return _table(["game", "name", "title", "source"], rows)


def cards_table(rows: Sequence[Mapping[str, str]]) -> Table:
    """A deck's cards, at least one."""
    return _table(list(rows[0]), [list(row.values()) for row in rows])


def _table(columns: list[str], rows: list[list[Any]]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        number = all(row[index].isdecimal() or not row[index] for row in rows)
        table.add_column(column, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
