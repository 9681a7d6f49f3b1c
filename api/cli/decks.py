"""The command `athanor decks`: list decks, check deck files, and keep a user's own decks."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from api.cli.terminal import (
    STDIN,
    CommandFailure,
    Commands,
    about,
    echo,
    input_name,
    json_option,
    laid_out,
    output,
    read_input,
    show_rows,
    words_fit,
    write_text,
)
from solver.language import say, translated
from solver.texts import game_typed

if TYPE_CHECKING:
    from rich.console import Console

    from solver.decks import Listed

_FILE = re.compile(r"[./\\]")  # in a file's name, but not in a deck's


class _Decks(Commands):
    """A group whose first argument, if it is not a subcommand, is a deck, game or file to show."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, *ctx.help_option_names}
        if len([word for word in args if word[:1] != "-"]) > 1 and args[0] not in own:
            return super().parse_args(ctx, args)  # no deck, but a command, whose name is wrong
        return super().parse_args(ctx, args if args and args[0] in own else ["show", *args])


@click.group(cls=_Decks, invoke_without_command=True, subcommand_metavar="[NAME | FILE | import FILE]")
def decks() -> None:
    """List the decks, or show the cards of a deck.

    NAME is a deck, or a game, all of whose decks are shown. FILE is a deck in TOML or in a table such as CSV; if
    it has errors, all of them are shown.

    Your own decks are the TOML and CSV files in the folder ATHANOR_DECKS, by default "decks" in Athanor's
    configuration folder.
    """


@decks.command(hidden=True)
@click.argument("named", metavar="[NAME | FILE]", required=False)
@json_option()
@click.option("--csv", "as_csv", is_flag=True, help="Write the deck as a table, to change in a spreadsheet.")
def show(named: str | None, as_json: bool, as_csv: bool) -> None:
    """List the decks, or show the cards of a deck."""
    from api.models import decks_of
    from solver.decks import SHIPPED, Listed, catalogue, folder, name_from, read, table_of

    if as_csv and named is None:
        raise CommandFailure(say("--csv writes one deck: give its name, its file or a game, for its house deck"))
    if named is None:
        listed = catalogue()
        if as_json:
            echo(decks_of(listed).to_json())
            return
        _show_table(output(), [say("game"), say("name"), say("title"), say("source")], _catalogue(listed))
        echo(say("Your own decks: {folder}", folder=folder()))
        return

    matching = [] if named == STDIN or os.path.exists(named) else _called(named, catalogue())
    if matching and as_json:
        echo(decks_of(matching).to_json())
        return
    if not matching:
        with about(input_name(named)):
            game, deck, _ = read(read_input(named), name_from(named))
        matching = [Listed(game, deck.name, input_name(named), deck)]
    if as_json:
        echo(decks_of(matching).decks[0].to_json())
        return
    if as_csv:
        shown, *others = [deck for deck in matching if deck.game != named or deck.source == SHIPPED]
        if others:
            raise CommandFailure(
                say("--csv writes one deck: give its name, its file or a game, for its house deck")
            )
        if shown.deck is None or shown.game is None:
            raise CommandFailure(f"{shown.source}: {shown.error}")
        click.echo(table_of(shown.game, shown.deck), nl=False)
        return
    console = output()
    for number, shown in enumerate(matching):
        if shown.error is not None:
            raise CommandFailure(f"{shown.source}: {shown.error}")
        assert shown.deck is not None  # it has no error
        heading = say("{title}: a deck of {game}, called {name}",
                   title=translated(shown.deck.title), game=shown.game, name=shown.name)  # fmt: skip
        console.print(f"{chr(10) * bool(number)}{heading}")
        show_cards(console, spoken(shown.deck.rows()))


def _called(name: str, listed: Sequence[Listed]) -> list[Listed]:
    """Return the decks with this name or, if it is a game's name, all decks of the game.

    If there are none, `name` must look like a file's name: otherwise raises CommandFailure.
    """
    matching = [deck for deck in listed if name == deck.name or game_typed(name) == deck.game]
    if not matching and not _FILE.search(name):
        names = ", ".join(dict.fromkeys(deck.name for deck in listed))
        raise CommandFailure(say("there is no file or deck called {name}; decks: {names}", name=name, names=names))
    return matching


def _catalogue(listed: list[Listed]) -> list[list[str]]:
    from solver.decks import SHIPPED

    rows = []
    for deck in listed:
        title = translated(deck.deck.title) if deck.deck else say("cannot be used: {fault}", fault=deck.error)
        source = say("shipped") if deck.source == SHIPPED else deck.source
        rows.append([deck.game or "?", deck.name, title, source])
    return rows


def spoken(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return a deck's rows in the current language: its columns, and the names of which translations are known."""
    return [{translated(column): _translated(cell) for column, cell in row.items()} for row in rows]


def _translated(cell: str) -> str:
    return ", ".join(translated(name) for name in cell.split(", ")) if cell else ""


def show_cards(console: Console, rows: Sequence[Mapping[str, str]]) -> None:
    """Print a deck's cards (at least one) as a table, or as one line of text per card if a table would break
    words.
    """
    columns, cells = list(rows[0]), [list(row.values()) for row in rows]
    if words_fit(columns, cells, console.width):
        _show_table(console, columns, cells)
        return
    show_rows(console, [(line[0], _in_words(columns[1:], line[1:])) for line in cells])


def _in_words(columns: Sequence[str], cells: Sequence[str]) -> str:
    """Join the non-empty cells of a card, each after its column's name."""
    return say("; ").join(f"{column} {cell}" for column, cell in zip(columns, cells, strict=True) if cell)


def _show_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    numbers = [
        index for index in range(len(columns)) if all(row[index].isdecimal() or not row[index] for row in rows)
    ]
    console.print(laid_out(columns, rows, console.width, numbers=numbers))


# ----------------------------------------------------------------------------------------------------
# Adding a new deck.


@decks.command("import")
@click.argument("file")
@click.option("--name", help="The deck's name in positions; by default the file's name.")
@click.option("--replace", is_flag=True, help="Replace a deck with this name.")
def import_(file: str, name: str | None, replace: bool) -> None:
    """Check a deck in TOML or in a table (CSV, or pasted from a spreadsheet), and keep it among your decks.

    \b
    A table names its columns in the first line, in any order, in English or Japanese:
      code,name,suit,number,points,provides,needs,item,bonus
      symbol,name,water,vapor,acid,…
    """
    from solver.decks import folder, name_from, table_csv, table_in, written

    text = read_input(file)
    with about(input_name(file)):
        game, deck, _ = written(text, name or name_from(file if file != STDIN else ""))
    _free(game, deck.name, replace)
    path, table = folder() / f"{deck.name}.toml", table_in(text)
    if table is not None:
        kind, separator = table
        path, text = folder() / f"{deck.name}.csv", table_csv(text, kind.table, separator)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(str(path), text)
    template = "Saved in {path}. Use it with --deck {name}, for example: athanor deal {game} --deck {name}"
    echo(say(template, path=path, name=deck.name, game=game))


def _free(game: str, name: str, replace: bool) -> None:
    """Check that a new deck can have this name. Raises CommandFailure if not.

    It must not look like a path, which `--deck` would read as a file. It must not be taken by another deck of the
    game; with `replace`, it may be the name of one of the user's own decks.
    """
    from solver.decks import SHIPPED, catalogue

    if "/" in name or os.sep in name:
        raise CommandFailure(say("{name} would be a file's name, not a deck's: give another --name", name=name))
    for other in catalogue():
        if (other.game, other.name) == (game, name) and (other.source == SHIPPED or not replace):
            if other.source == SHIPPED:
                message = say("{game} already has a deck called {name}: give another --name",
                              game=game, name=name)  # fmt: skip
            else:
                message = say("{game} already has a deck called {name}: give another --name, or --replace to put "
"this one in its place", game=game, name=name)  # fmt: skip
            raise CommandFailure(message)
