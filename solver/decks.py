"""Decks by name: those shipped with Athanor, and TOML, CSV and TSV files in the user's own folder.

That folder is ``$ATHANOR_DECKS``, or ``decks`` in the user's configuration folder of Athanor. A bad file is
reported by name and does not affect the others.
"""

from __future__ import annotations

import io
import os
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from itertools import dropwhile, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar, cast

from pydantic import AfterValidator, BaseModel, Discriminator, Field, GetCoreSchemaHandler, Tag, TypeAdapter
from pydantic_core import CoreSchema

from solver import registry
from solver.common import user_folder
from solver.display import DeckColumn, DeckTable
from solver.errors import MOST_FAULTS, AthanorError, Fault, PositionError, reason_of
from solver.language import LANGUAGES, language, say, speaking, translated
from solver.strict_json import Text, loads_toml
from solver.texts import decoded, plain, read_csv, separator_of, toml_key, toml_value, unwrapped, write_csv
from solver.validation import at_most, fault, validated, with_names

if TYPE_CHECKING:
    from solver.game import Game

# ----------------------------------------------------------------------------------------------------
# Decks as tables: CSV files, and tables pasted from a spreadsheet or a web page.
#
# The first line has the column headings, in any order, in English or Japanese; each further line is a card.
# Whether cells are separated by tabs, commas, semicolons or bars is detected from the first line.


Row = Mapping[str, str]  # the cells of a line by column, without the empty ones

_LONGEST_HEADER = 4_000  # letters
_MOST_LINES = 1000
_FEWEST_COLUMNS = 2
_SEPARATORS = "\t|;,\uff5c\uff1b\uff0c"
_PARTS = re.compile("[+/,;\N{KATAKANA MIDDLE DOT}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH SOLIDUS}\N{FULLWIDTH COMMA}"
                    "\N{FULLWIDTH SEMICOLON}\N{IDEOGRAPHIC COMMA}]")  # fmt: skip
_NUMBER = re.compile(r"(\d{1,6})(?:[.,]0*)?", re.ASCII)


@dataclass(frozen=True)
class TableColumns:
    """The columns of one game's deck tables.

    `names` maps each column to its alternative headings; `needed` are the required columns, and the cells of those
    in `worded` are names, kept as they are written. `deck` converts the rows to the data of a deck as in a TOML
    file, but without the deck's name. `column_of` maps the keys of that data to columns. If all rows have a number
    in the column `order`, they are sorted by it.

    Cells of the columns `numbers` are numbers, those of `choices` one of some words, and those of `lists` several
    values of another column.
    """

    names: Mapping[str, Sequence[str]]
    needed: Sequence[str]
    worded: Sequence[str]
    deck: Callable[[Sequence[Row]], dict[str, Any]]
    column_of: Mapping[str, str]
    numbers: Sequence[str]
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lists: Mapping[str, str] = field(default_factory=dict)
    order: str | None = None

    def column(self, label: str) -> str | None:
        """Return the column with this heading; None if it is unknown."""
        return self._by_heading.get(_heading(label))

    @cached_property
    def _by_heading(self) -> Mapping[str, str]:
        return {_heading(other): name for name, others in self.names.items() for other in (name, *others)}

    def heading(self, column: str) -> str:
        """Return a column's heading in the current language."""
        if language() == "en":
            return column
        return next((other for other in self.names[column] if not other.isascii()), column)


class Doubles:
    """Finds what entries of a deck have twice. It is a fault of both: whoever changes one looks at that one."""

    def __init__(self) -> None:
        self._rows: dict[Hashable, int] = {}
        self._told: set[Hashable] = set()

    def add(self, key: Hashable, row: int) -> list[tuple[int, int]]:
        """Add what an entry has, and return the rows at fault now, each with another that has the same."""
        first = self._rows.setdefault(key, row)
        if first == row:
            return []
        found = [(row, first)] if key in self._told else [(row, first), (first, row)]
        self._told.add(key)
        return found


def number(cell: str | None) -> int | str:
    """Convert a cell to a number (0 if the cell is missing); a spreadsheet may write 1 as ``1.0``.

    Text that is not a number is returned unchanged; the deck's own checks reject it.
    """
    if cell is None:
        return 0
    matched = _NUMBER.fullmatch(cell)
    return cell if matched is None else int(matched[1])


def parts(cell: str | None) -> list[str]:
    """Split a cell such as ``Iron + Vitriol`` into its parts."""
    return [part.strip() for part in _PARTS.split(cell or "") if part.strip()]


def header(text: str, columns: TableColumns) -> str | None:
    """Return the character that separates the cells if the text is a table of this game; else None."""
    named, begun = separator_of(text[: _LONGEST_HEADER + 1])
    for separator in named or _SEPARATORS:
        first = next(iter(_first_line(begun, separator)), [])
        known = sum(columns.column(label) is not None for label in first)
        if known > len(columns.names) // 3:
            return separator
    return None


def _first_line(text: str, separator: str) -> Iterator[list[str]]:
    """Yield the cells of the first line that has any, unless it is too long for a heading."""
    with suppress(PositionError):
        for line, cells in _below_title(_lines(text, separator)):
            if len(text) <= _LONGEST_HEADER or line < text.count("\n") + 1:
                yield cells
            return


# Names a place in a deck's rows, for errors: a column of the row with this index or, with None, a key of the deck.
Where = Callable[[int | None, str], str]


def rows_in(text: str, columns: TableColumns, separator: str) -> tuple[list[Row], Where]:
    """Return the rows of a table, and what their lines and columns are called.

    Raises PositionError with all missing, unknown and repeated columns.
    """
    lines = list(islice(_below_title(_lines(separator_of(text)[1], separator)), _MOST_LINES + 1))
    at, labels = lines[0]
    headed = [columns.column(label) for label in labels]
    counts = Counter(headed)
    known = ", ".join(map(columns.heading, columns.names))
    faults = []
    for label, column in zip(labels, headed, strict=True):
        if column is None and label:
            message = say("there is no column {label}; the columns are {known}", label=repr(label), known=known)
            faults.append(Fault("unknown_key", message, _place(at)))
        elif column is not None and counts[column] > 1:
            faults.append(Fault("conflict", say("the column {column} appears twice", column=label), _place(at)))
    faults += [
        Fault("missing_key", say("the column {column} is missing", column=columns.heading(column)), _place(at))
        for column in columns.needed
        if column not in counts
    ]
    if len(lines) > _MOST_LINES:
        message = say("a deck has at most {most} lines", most=_MOST_LINES)
        faults.append(Fault("wrong_size", message, _place(lines[_MOST_LINES][0])))
    for line, cells in lines[1:]:
        if any(cells[len(labels) :]):
            message = say(
                "the row has {count} cells, but there are {columns} columns", count=len(cells), columns=len(labels)
            )
            faults.append(Fault("wrong_size", message, _place(line)))
    if faults:
        raise PositionError.of(dict.fromkeys(faults[:MOST_FAULTS]))
    rows = [_row(zip(headed, cells, strict=False), columns) for _, cells in lines[1:]]
    headings = {column: label for column, label in zip(headed, labels, strict=True) if column}

    def where(row: int | None, column: str) -> str:
        return column if row is None else _place(lines[row + 1][0], headings.get(column, column))

    return rows, where


def _row(cells: Iterable[tuple[str | None, str]], columns: TableColumns) -> Row:
    """Return the cells of a row by column: names as they are written, other cells in plain letters."""
    return {
        column: cell if column in columns.worded else plain(cell).strip()
        for column, cell in cells
        if column and plain(cell).strip("-")
    }


def _order(rows: Sequence[Row], columns: TableColumns) -> Sequence[int]:
    """Return the indices of the rows in the deck's order."""
    keys = [number(row.get(columns.order)) for row in rows] if columns.order else []
    if not keys or not all(isinstance(key, int) for key in keys):
        return range(len(rows))
    return sorted(range(len(rows)), key=keys.__getitem__)  # all are equal without such a column


def _in_rows(path: str, columns: TableColumns, order: Sequence[int], where: Where) -> str:
    """Return what the place at a path in a deck's data is called; `order` has the row of each card."""
    matched = re.match(r"\w+\[(\d+)\]\.?(.*)", path)
    if matched is None or int(matched[1]) >= len(order):
        return where(None, path)
    key = re.sub(r"\[\d+\]$", "", matched[2])
    return where(order[int(matched[1])], columns.column_of.get(key, key))


def _place(line: int, column: str = "") -> str:
    return f"line {line}, {column}" if column else f"line {line}"


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a table that have cells, with their numbers, except comments and what is below a Markdown
    header.
    """
    for line, cells in read_csv(text, separator):
        if separator == "|" and cells and not cells[0] and not cells[-1]:
            cells = cells[1:-1]
        if any(cell.strip("-: ") for cell in cells) and not cells[0].startswith("#"):
            yield line, cells


def _below_title(lines: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """Leave out lines with a single cell before the header: some programs write the table's name there."""
    return dropwhile(lambda line: sum(map(bool, line[1])) < _FEWEST_COLUMNS, lines)


def table_csv(text: str, columns: TableColumns, separator: str) -> str:
    """Return a table as CSV that a spreadsheet opens as it is."""
    (_, labels), *lines = _below_title(_lines(separator_of(text)[1], separator))
    return _csv(labels, (dict(zip(labels, cells, strict=False)) for _, cells in lines))


def table_of(game: str, deck: AnyDeck) -> str:
    """Return a deck of a game as CSV that a spreadsheet opens as it is, and that can be read as a table again."""
    columns = next(kind for kind in kinds() if kind.game == game).table
    return _csv_of(_rows(deck, columns), columns)


def _rows(deck: AnyDeck, columns: TableColumns) -> list[dict[str, str]]:
    """Return the cells of a deck's table by column."""
    return [
        {column: cell for label, cell in row.items() if (column := columns.column(label)) is not None}
        for row in deck.rows()
    ]


def _csv_of(rows: Sequence[Row], columns: TableColumns) -> str:
    headed = [{columns.heading(column): cell for column, cell in row.items()} for row in rows]
    return _csv(list(headed[0]), headed)


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    written = io.StringIO()
    write_csv(written, columns, rows)
    return written.getvalue()


def _heading(label: str) -> str:
    return "-".join(plain(label).lower().replace("_", " ").split())


# ----------------------------------------------------------------------------------------------------
# What a game whose cards are data declares about its decks, so that they can be listed, named and written.


class AnyDeck(Protocol):
    """What the decks of all games have in common."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    def rows(self) -> list[dict[str, str]]:
        """Return the cards for display, as rows of a table: the text of each column by its heading."""


D = TypeVar("D", bound=AnyDeck)
D_co = TypeVar("D_co", bound=AnyDeck, covariant=True)


class WrittenDeck(Protocol[D_co]):
    """A validated deck in the form in which users write it, in TOML or inside a position."""

    @property
    def deck(self) -> D_co: ...


@dataclass(frozen=True, eq=False)
class DeckKind(Generic[D]):
    """How the decks of one game are written, and the deck that is shipped with it (the house deck).

    `key` is the name of an array of tables that only this game's deck files have: ``card`` for ``[[card]]``.
    `data` is the pydantic type of a deck as users write it; it validates to a `WrittenDeck`. The house deck is the
    file `house_file` in the folder ``decks`` of `package`. `table` describes the columns of decks as tables.
    """

    game: str
    key: str
    data: Any
    package: str
    house_file: str
    table: TableColumns

    def written(self, data: object) -> WrittenDeck[D]:
        """Validate a deck from TOML- or JSON-like data.

        Raises PositionError, with the card and field in the message.
        """
        deck: WrittenDeck[D] = validated(self._adapter.validate_python, data)
        return deck

    def read(self, data: object) -> D:
        """Like `written`, but returns the deck ready for use."""
        return self.written(data).deck

    @cached_property
    def house(self) -> D:
        """The shipped deck, which is used if a position names none."""
        file = resources.files(self.package).joinpath("decks", self.house_file)
        return self.read(tomllib.loads(file.read_text(encoding="utf-8")))

    def spoken(self, word: str) -> str:
        """Return a word in the current language if it is, in any language, one of the house deck."""
        return translated(self._house_words.get(word, word))

    @cached_property
    def _house_words(self) -> Mapping[str, str]:
        """The words of the house deck, by what they are in each language."""
        rows = _rows(self.house, self.table)
        words = {word for row in rows for name in self.table.worded for word in (row.get(name) or "").split(", ")}
        found: dict[str, str] = {}
        for spoken in LANGUAGES:
            with speaking(spoken):
                found |= {translated(word): word for word in sorted(words) if word}
        return found

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.data)


FOLDER_VARIABLE = "ATHANOR_DECKS"
SHIPPED = "shipped"
OWN = "own"  # the name of a deck from a table without one
SUFFIXES = (".toml", ".csv", ".tsv")
_MOST_BYTES = 1 << 20  # of a deck's file
_MOST_VALUES = 20_000


def _tag(value: object) -> str:
    """Return "name" for a deck given by its name, and "deck" for one given in full."""
    return "deck" if isinstance(value, dict | BaseModel) else "name"


MOST_NAMED = 255  # letters of a deck's name: those of a file's


SentRows = Annotated[
    tuple[dict[str, Text], ...], Field(min_length=1, max_length=_MOST_LINES), at_most(_MOST_LINES)
]


def _name(text: str) -> str:
    if not text.isprintable() or text != " ".join(text.split()):
        message = say("{text!r} must be printable, without blanks at its ends or two together", text=text)
        raise fault("wrong_text", message)
    return text


def name_from(file: str) -> str:
    """Return the name of a deck in a table, from the name of its file."""
    return " ".join(Path(file).stem.split()) or OWN


_Name = Annotated[str, Field(strict=True, min_length=1, max_length=MOST_NAMED, examples=["house"])]
DeckName = Annotated[_Name, AfterValidator(_name)]  # of a deck as users write it
# A deck's name, or a deck of any game as users write it, which is checked once the game is known.
NamedDeck = Annotated[
    Annotated[_Name, Tag("name")] | Annotated[dict[str, Any], Tag("deck")],
    Discriminator(_tag),
]


@dataclass(frozen=True, slots=True)
class Listed:
    """A deck in the catalogue.

    `source` is "shipped" or the name of a file; `deck` is None if the file has an `error`.
    """

    game: str | None
    name: str
    source: str
    deck: AnyDeck | None = None
    error: AthanorError | None = None


def folder() -> Path:
    """Return the folder of the user's own decks, which may not exist."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    return user_folder("config") / "decks"


def written(text: str, name: str = OWN) -> tuple[str, AnyDeck, dict[str, Any]]:
    """Read a deck that is written in TOML or as a table.

    Returns its game, the deck, and its data as positions store them. `name` is the name for a deck from a table.
    Raises PositionError if the text is not a valid deck.
    """
    table = table_in(text)
    if table is None:
        kind, data = _loaded(text)
        return kind.game, kind.read(data), data
    kind, separator = table
    rows, where = rows_in(text, kind.table, separator)
    return kind.game, *_read_rows(kind, rows, where, name=name)


def deck_table(
    kind: DeckKind[Any], value: Any = None, rows: Sequence[Mapping[str, str]] | None = None, name: str = OWN
) -> DeckTable:
    """Return a deck as a table in the current language.

    The deck is given by its name or in full (`value`; the house deck by default), or by the `rows` of such a table
    and its `name`. Raises PositionError for an invalid deck: with paths such as ``rows[3].points`` if it was given
    by rows.
    """
    columns = kind.table

    def where(row: int | None, column: str) -> str:
        if row is None:
            return column if column == "name" else "rows"  # the name stands beside the rows
        return f"rows[{row}]{'.' if column else ''}{column}"

    def read(rows: Sequence[Mapping[str, str]], **head: str) -> tuple[AnyDeck, Mapping[str, Any]]:
        return _read_rows(kind, [_row(row.items(), columns) for row in rows], where, **head)

    deck, data = (deck_of(kind, chosen(kind, value)), value) if rows is None else read(rows, name=name)
    cells = [_spoken(row, kind) for row in _rows(deck, columns)]
    if not isinstance(data, Mapping):
        _, data = read(cells, name=deck.name, title=deck.title)
    return DeckTable(
        game=kind.game,
        name=deck.name,
        title=translated(deck.title) if deck is kind.house else deck.title,
        columns=tuple(_column(name, columns) for name in cells[0]),
        rows=tuple({column: cell for column, cell in row.items() if cell} for row in cells),
        deck=dict(data),
        csv=_csv_of(cells, columns),
        toml=_toml_of(kind.key, data),
    )


def _read_rows(kind: DeckKind[D], rows: Sequence[Row], where: Where, **head: str) -> tuple[D, dict[str, Any]]:
    """Return the deck of a table's rows, and its data, which begins with `head`.

    Raises PositionError for an invalid deck, or for cells that contradict one another.
    """
    order = _order(rows, kind.table)
    try:
        data = {**head, **kind.table.deck([rows[index] for index in order])}
        return kind.read(data), data
    except PositionError as error:
        raise PositionError.of(
            fault._replace(path=_in_rows(fault.path, kind.table, order, where)) for fault in error.faults
        ) from None


def _spoken(row: Row, kind: DeckKind[Any]) -> dict[str, str]:
    """Return a row with its choices and the house deck's words in the current language."""
    columns = kind.table
    return {
        column: ", ".join(kind.spoken(word) for word in cell.split(", "))
        if cell and (column in columns.choices or column in columns.worded)
        else cell
        for column, cell in row.items()
    }


def _column(name: str, columns: TableColumns) -> DeckColumn:
    choices = tuple(map(translated, columns.choices.get(name, ())))
    return DeckColumn(
        name=name,
        title=columns.heading(name),
        kind="number"
        if name in columns.numbers
        else "list"
        if name in columns.lists
        else "choice"
        if choices
        else "text",
        choices=choices,
        list_of=columns.lists.get(name),
    )


def _toml_of(key: str, data: Mapping[str, Any]) -> str:
    """Return the data of a deck as the text of a TOML file, with a section for each card."""
    head = [f"{toml_key(name)} = {toml_value(value)}" for name, value in data.items() if name != key]
    cards = [
        "\n".join([f"\n[[{key}]]", *(f"{toml_key(name)} = {toml_value(value)}" for name, value in card.items())])
        for card in data[key]
    ]
    return "\n".join([*head, *cards, ""])


def table_in(text: str) -> tuple[DeckKind[Any], str] | None:
    """Return the kind of deck that a table describes, and its separator; None if the text is not a deck table."""
    separators = ((kind, header(text, kind.table)) for kind in kinds())
    return next(((kind, separator) for kind, separator in separators if separator is not None), None)


def _loaded(text: str) -> tuple[DeckKind[Any], dict[str, Any]]:
    """Parse a TOML deck; its keys show which kind of deck it is. Raises PositionError."""
    try:
        data = loads_toml(text, _MOST_VALUES)
    except ValueError as error:  # TOMLDecodeError, or an integer of thousands of digits
        if "[[" not in text and len(text.splitlines()) > 1:
            raise _no_table() from None
        raise PositionError("invalid_toml", say("the deck is not TOML: {found}", found=reason_of(error))) from None
    except RecursionError:
        raise PositionError("invalid_toml", say("the deck is nested too deeply")) from None
    for kind in kinds():
        if kind.key in data:
            return kind, data
    known = " or ".join(f"[[{kind.key}]] ({kind.game})" for kind in kinds())
    raise PositionError("missing_key", say("this is not a deck: it has no {known}", known=known))


def _no_table() -> PositionError:
    columns = "; ".join(
        ", ".join(map(kind.table.heading, kind.table.names)) + f" ({kind.game})" for kind in kinds()
    )
    message = say(
        "this is no deck: the first line of a table names its columns, such as {columns}", columns=columns
    )
    return PositionError("invalid_toml", message)


@lru_cache(maxsize=64)
def read(content: bytes | str, name: str = OWN) -> tuple[str, AnyDeck, dict[str, Any]]:
    """Like `written`, but from a file's bytes or text."""
    return written(unwrapped(decoded(content)), name)


def read_for(game: str, content: bytes | str, name: str = OWN) -> dict[str, Any]:
    """Read and check a deck of `game` from a file's bytes or text; return its data as positions store them.

    Raises PositionError if the deck is invalid or belongs to another game.
    """
    meant, _, data = read(content, name)
    if meant != game:
        raise PositionError("conflict", say("this is a deck of {found}, not of {game}", found=meant, game=game))
    return data


def kind_of(game: Game) -> DeckKind[Any] | None:
    """Return how the game's decks are written, if users can choose the deck; else None."""
    return None if game.places.get("deck_kind") is None else game.find("deck_kind")


def kinds() -> list[DeckKind[Any]]:
    """Return the kind of deck of every game in which users can choose the deck."""
    declared = (kind_of(registry.game(name)) for name in registry.names())
    return [kind for kind in declared if kind is not None]


def catalogue() -> list[Listed]:
    """List every deck: the shipped ones, then the user's files by name. A bad file is listed with its error."""
    listed = [Listed(kind.game, kind.house.name, SHIPPED, kind.house) for kind in kinds()]
    for path in _files():
        listed.append(_listed(path, listed))
    return listed


def find(kind: DeckKind[D], name: str) -> D:
    """Return the deck of a game by its name. Raises PositionError if there is none or its file is bad."""
    if name == kind.house.name:
        return kind.house
    names: list[str] = []
    for listed in catalogue():
        if listed.deck is not None and listed.game == kind.game:
            if listed.name == name:
                return cast(D, listed.deck)
            names.append(listed.name)
        elif listed.error is not None and listed.name == name:
            message = say("{file} is not a deck: {error}", file=listed.source, error=listed.error)
            raise PositionError("unknown_deck", message)
    sentence = say("there is no deck of {game} called {name!r}", game=kind.game, name=name)
    raise PositionError("unknown_deck", with_names(sentence, name, names))


def deck_of(kind: DeckKind[D], value: str | WrittenDeck[D]) -> D:
    """Return the deck for the validated value of a `DeckField`.

    Raises PositionError if the named deck has been removed since.
    """
    return find(kind, value) if isinstance(value, str) else value.deck


def meant(kind: DeckKind[D], given: object) -> D:
    """Return the deck of an unchecked position; the house deck if the position has none or an invalid one.

    `given` is the position's `deck`: a name, or a deck as users write it.
    """
    if given is None:
        return kind.house
    try:
        return find(kind, given) if isinstance(given, str) else kind.read(given)
    except AthanorError:
        return kind.house


def chosen(kind: DeckKind[D], value: Any) -> Any:
    """Validate a choice of deck; return it as a position's `deck` stores it: a name, or a validated deck.

    `value` is a name, a deck as users write it, or None for the house deck. Raises PositionError, with paths below
    ``deck``, for anything else.
    """
    if value is None:
        return kind.house.name
    field = Annotated[Any, DeckField(kind)]
    try:
        return validated(TypeAdapter(field).validate_python, value)
    except PositionError as error:
        raise error.under("deck") from None


class DeckField:
    """Annotation for a position's deck: the name of a deck of one game, or a deck as users write it.

    ``deck: Annotated[str | DeckData, DeckField(KIND)]`` rejects unknown names; `deck_of` returns the deck.
    """

    def __init__(self, kind: DeckKind[Any]) -> None:
        self._kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        name = Annotated[_Name, AfterValidator(self._known)]
        either = Annotated[
            Annotated[name, Tag("name")] | Annotated[self._kind.data, Tag("deck")],  # type: ignore[name-defined]
            Discriminator(_tag),
        ]
        return handler.generate_schema(either)

    def _known(self, name: str) -> str:
        try:
            find(self._kind, name)
        except PositionError as error:
            raise fault(error.code, error.message) from None
        return name


def _files() -> Iterator[Path]:
    try:
        paths = sorted(folder().iterdir())
    except OSError:
        return
    for path in paths:
        if path.suffix in SUFFIXES and not path.name.startswith("."):
            yield path


def _listed(path: Path, before: list[Listed]) -> Listed:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_BYTES:
            raise PositionError(
                "wrong_size", say("it is not a file of at most {most_bytes:,} bytes", most_bytes=_MOST_BYTES)
            )
        game, deck, _ = read(path.read_bytes(), name_from(path.name))
    except AthanorError as error:
        return Listed(None, path.stem, path.name, error=error)
    except OSError as error:
        problem = PositionError("unreadable", say("it cannot be read: {reason}", reason=reason_of(error)))
        return Listed(None, path.stem, path.name, error=problem)
    for other in before:
        if other.deck is not None and (other.game, other.name) == (game, deck.name):
            whose = say("the shipped deck") if other.source == SHIPPED else other.source
            problem = PositionError(
                "conflict", say("{whose} already has the name {name!r}", whose=whose, name=deck.name), "name"
            )
            return Listed(game, deck.name, path.name, error=problem)
    return Listed(game, deck.name, path.name, deck)
