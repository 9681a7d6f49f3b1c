"""The command `athanor decks`: list decks, check deck files, and enter a printed deck card by card."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal import (
    STDIN,
    CommandFailure,
    Commands,
    about,
    check_writable,
    echo,
    input_name,
    json_option,
    laid_out,
    leaves,
    output,
    read_input,
    show_rows,
    words_fit,
    write_text,
)
from solver.errors import AthanorError
from solver.language import say, say_many, translated
from solver.texts import plain, read_csv, write_csv

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from solver.decks import DeckKind, Listed, TableColumns

_FILE = re.compile(r"[./\\]")  # in a file's name, but not in a deck's


class _Decks(Commands):
    """A group whose first argument, if it is not a subcommand, is a deck, game or file to show."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, *ctx.help_option_names}
        if len([word for word in args if word[:1] != "-"]) > 1 and args[0] not in own:
            return super().parse_args(ctx, args)  # no deck, but a command, whose name is wrong
        return super().parse_args(ctx, args if args and args[0] in own else ["show", *args])


@click.group(cls=_Decks, invoke_without_command=True, subcommand_metavar="[NAME | FILE | new GAME | import FILE]")
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
def show(named: str | None, as_json: bool) -> None:
    """List the decks, or show the cards of a deck."""
    from api.models import decks_of
    from solver.decks import Listed, catalogue, folder, name_from, read

    if named is None:
        listed = catalogue()
        if as_json:
            echo(decks_of(listed).to_json())
            return
        _show_table(output(), [say("game"), say("name"), say("title"), say("source")], _catalogue(listed))
        echo(say("Your own decks: {folder}", folder=folder()))
        return

    found = [] if named == STDIN or os.path.exists(named) else _called(named, catalogue())
    if found and as_json:
        echo(decks_of(found).to_json())
        return
    if not found:
        with about(input_name(named)):
            game, deck, _ = read(read_input(named), name_from(named))
        found = [Listed(game, deck.name, input_name(named), deck)]
    if as_json:
        echo(decks_of(found).decks[0].to_json())
        return
    console = output()
    for number, one in enumerate(found):
        if one.error is not None:
            raise CommandFailure(f"{one.source}: {one.error}")
        assert one.deck is not None  # it has no error
        told = say("{title}: a deck of {game}, called {name}",
                   title=translated(one.deck.title), game=one.game, name=one.name)  # fmt: skip
        console.print(f"{chr(10) * bool(number)}{told}")
        show_cards(console, spoken(one.deck.rows()))


def _called(name: str, listed: Sequence[Listed]) -> list[Listed]:
    """Return the decks with this name or, if it is a game's name, all decks of the game.

    If there are none, `name` must look like a file's name: otherwise raises CommandFailure.
    """
    found = [one for one in listed if name in (one.name, one.game)]
    if not found and not _FILE.search(name):
        names = ", ".join(dict.fromkeys(one.name for one in listed))
        raise CommandFailure(say("there is no file or deck called {name}; decks: {names}", name=name, names=names))
    return found


def _catalogue(listed: list[Listed]) -> list[list[str]]:
    from solver.decks import SHIPPED

    rows = []
    for found in listed:
        title = translated(found.deck.title) if found.deck else say("cannot be used: {fault}", fault=found.error)
        source = say("shipped") if found.source == SHIPPED else found.source
        rows.append([found.game or "?", found.name, title, source])
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
# Adding a new deck: from a file, or entered card by card.


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
    _keep(path, text)
    echo(_kept_as(game, deck.name, path))


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


def _keep(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    check_writable(str(path))
    write_text(str(path), text)


def _kept_as(game: str, name: str, path: Path) -> str:
    return say(
        "Saved in {path}. Use it with --deck {name}, for example: athanor deal {game} --deck {name}",
        path=path,
        name=name,
        game=game,
    )


@decks.command()
@click.argument("game")
@click.option("--name", default="mine", show_default=True, help="The deck's name in positions.")
@click.option("--replace", is_flag=True, help="Replace a deck with this name.")
def new(game: str, name: str, replace: bool) -> None:
    """Enter a printed deck card by card, starting from the house deck.

    Every card is saved as soon as it is entered: leave with quit or Ctrl-C, and the same command continues.
    """
    from solver.decks import folder, kinds

    known = {kind.game: kind for kind in kinds()}
    if game not in known:
        message = say("you can't make decks for {game}, only for {games}",
                      game=game, games=say(" and ").join(known))  # fmt: skip
        raise CommandFailure(message)
    _free(game, name, replace)
    path = folder() / f"{name}.csv"
    entry = _Entry(known[game], path.with_name(f"{path.name}.part"))
    if entry.ask(name):
        _keep(path, entry.text())
        entry.part.unlink(missing_ok=True)
        echo(_kept_as(game, name, path))
    else:
        echo(
            say(
                "{done} of {all} cards are entered. To continue: athanor decks new {game} --name {name}",
                done=len(entry.done),
                all=len(entry.usual),
                game=game,
                name=name,
            )
        )


_CHANGE = re.compile(r"([^\s=]+)\s*=")


class _Entry:
    """A deck being entered card by card. `usual` holds the house deck's cards, `done` the entered cards by index.

    The cards entered so far are kept in the file `part`.
    """

    def __init__(self, kind: DeckKind[Any], part: Path) -> None:
        self.part = part
        self._kind = kind
        self._columns: TableColumns = kind.table
        self.usual = [{self._column(label): cell for label, cell in row.items()} for row in kind.house.rows()]
        for row in self.usual:
            if "needs" in row:
                row["needs"] = row["needs"].replace(", ", " + ")
        self.done: dict[int, dict[str, str]] = {}
        if part.exists():
            try:
                (_, labels), *rows = read_csv(part.read_text(encoding="utf-8-sig"))
                cards = zip(self.usual, rows, strict=False)
                self.done = {
                    place: {column: cells[labels.index(column)] for column in usual}
                    for place, (usual, (_, cells)) in enumerate(cards)
                }
            except (AthanorError, LookupError, ValueError):
                message = say("{path} is damaged; delete it to enter the deck from its first card", path=part)
                raise CommandFailure(message) from None

    def _column(self, label: str) -> str:
        return self._columns.column(label) or label

    def text(self) -> str:
        """Return the cards entered so far as CSV, in the order of the house deck."""
        written = io.StringIO()
        write_csv(written, list(self.usual[0]), (self.done[place] for place in sorted(self.done)))
        return written.getvalue()

    def ask(self, name: str) -> bool:
        """Ask for every missing card, and then again for wrong ones. Returns False if the player leaves before the
        end.
        """
        echo(
            say(
                "{count} cards, starting from the house deck. Press Enter to keep a card as it is, or type "
                'what is different, such as "{last}=2" ("-" for nothing). Also: back, list, quit.',
                last=list(self.usual[0])[-1],
                count=len(self.usual),
            )
        )
        if self.done:
            entered = len(self.done)
            echo(say_many("{count} card has been entered.", "{count} cards have been entered.", entered))
        place = len(self.done)
        while True:
            while place < len(self.usual):
                step = self._one(place)
                if step is None:
                    return False
                place = max(place + step, 0)
            wrong = self._wrong(name)
            if not wrong:
                return True
            for place in wrong:
                step = self._one(place)
                if step is None:
                    return False
            place = len(self.usual)

    def _one(self, place: int) -> int | None:
        """Ask for the card at index `place`. Returns 1 to go on, -1 to go back one card, and None to leave."""
        row = self.done.get(place, self.usual[place])
        while True:
            cells = list(row.values())
            echo(f"{place + 1}/{len(self.usual)}  {cells[0]}  {_in_words(list(row)[1:], cells[1:])}")
            try:
                typed = click.prompt(">", default="", show_default=False, prompt_suffix=" ").strip()
            except click.Abort:
                echo("")
                return None
            word = plain(typed).lower()
            if leaves(word):
                return None
            if word == "back":
                return -1
            if word == "list":
                show_cards(output(), [self.done[place] for place in sorted(self.done)] or [row])
                continue
            changed = self._changed(row, typed)
            if changed is not None:
                self.done[place] = changed
                _keep(self.part, self.text())
                return 1

    def _changed(self, row: dict[str, str], typed: str) -> dict[str, str] | None:
        """Return a copy of a card with the typed changes. If they cannot be read, prints why and returns None."""
        starts = list(_CHANGE.finditer(typed))
        if typed and (not starts or starts[0].start() > 0):
            echo(say('Type columns with their values, such as "{first}=…".', first=next(iter(row))))
            return None
        changed = dict(row)
        ends = [start.start() for start in starts[1:]] + [len(typed)]
        for start, end in zip(starts, ends, strict=False):
            column = self._column(start[1])
            if column not in row:
                echo(
                    say(
                        "There is no column {column}; columns: {known}.",
                        column=start[1],
                        known=", ".join(row),
                    )
                )
                return None
            cell = typed[start.end() : end].strip()
            changed[column] = "" if cell == "-" else cell
        return changed

    def _wrong(self, name: str) -> list[int]:
        """Print all faults of the deck, and return the indexes of the faulty cards.

        A fault of the deck as a whole counts as one of its last card.
        """
        from solver.decks import written
        from solver.errors import PositionError

        try:
            written(self.text(), name)
        except PositionError as found:
            places = set()
            for fault in found.faults:
                line = re.match(r"line (\d+)", fault.path)
                places.add(min(int(line[1]) - 2, len(self.usual) - 1) if line else len(self.usual) - 1)
                echo(str(fault))
            return sorted(places)
        return []
