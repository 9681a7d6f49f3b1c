"""Decks by name: those shipped with Athanor, and TOML, CSV and TSV files in the user's own folder.

That folder is ``$ATHANOR_DECKS``, or ``decks`` in the user's configuration folder of Athanor. A bad file is
reported by name and does not affect the others.
"""

from __future__ import annotations

import csv
import io
import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast

from pydantic import AfterValidator, BaseModel, Discriminator, Field, GetCoreSchemaHandler, Tag, TypeAdapter
from pydantic_core import CoreSchema

from solver import registry
from solver.common import user_folder
from solver.errors import AthanorError, Fault, PositionError
from solver.findings import fault, validated, with_names
from solver.language import say

# ----------------------------------------------------------------------------------------------------
# Decks as tables: CSV files, and tables pasted from a spreadsheet or a web page.
#
# The first line has the column headings, in any order, in English or Japanese; each further line is a card.
# Whether cells are separated by tabs, commas, semicolons or bars is detected from the first line.


Row = Mapping[str, str]  # the cells of a line by column, without the empty ones

_LONGEST_HEADER = 4_000  # letters
_MOST_LINES = 1000
_SEPARATORS = "\t|;,"
_PARTS = re.compile(r"\s*[+＋/・、;]\s*")


@dataclass(frozen=True)
class TableColumns:
    """The columns of one game's deck tables.

    `names` maps each column to its alternative headings; `needed` are the required columns. `deck` converts the
    rows to the data of a deck as in a TOML file, but without the deck's name. `column_of` maps the keys of that
    data to columns.
    """

    names: Mapping[str, Sequence[str]]
    needed: Sequence[str]
    deck: Callable[[Sequence[Row]], dict[str, Any]]
    column_of: Mapping[str, str]

    def column(self, label: str) -> str | None:
        """Return the column with this heading; None if it is unknown."""
        plain = _plain(label)
        return next((name for name, others in self.names.items() if plain in (name, *others)), None)


def number(cell: str | None) -> int | str:
    """Convert a cell to a number (0 if the cell is missing).

    Text that is not a number is returned unchanged; the deck's own checks reject it.
    """
    if cell is None:
        return 0
    return int(cell) if cell.isascii() and cell.isdecimal() and len(cell) <= 6 else cell


def parts(cell: str | None) -> list[str]:
    """Split a cell such as ``Iron + Vitriol`` into its parts."""
    return [part for part in _PARTS.split(cell or "") if part]


def header(text: str, columns: TableColumns) -> str | None:
    """Return the character that separates the cells if the text is a table of this game; else None."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    if len(first) > _LONGEST_HEADER:
        return None
    for separator in _SEPARATORS:
        labels = [columns.column(label) for label in first.strip().strip("|").split(separator)]
        if sum(label is not None for label in labels) > len(columns.names) // 3:
            return separator
    return None


def data_of(text: str, columns: TableColumns, separator: str) -> tuple[dict[str, Any], list[int]]:
    """Convert a table to the data of a TOML deck; also return the line number of each card, counted from 1.

    Raises PositionError with all missing, unknown and repeated columns.
    """
    lines = list(islice(_lines(text, separator), _MOST_LINES + 1))
    at, labels = lines[0]
    found = [columns.column(label) for label in labels]
    faults = []
    for label, column in zip(labels, found, strict=True):
        if column is None and label:
            known = ", ".join(columns.names)
            message = say("there is no column {label}; the columns are {known}", label=repr(label), known=known)
            faults.append(Fault("unknown_key", message, _place(at)))
        elif column is not None and found.count(column) > 1:
            faults.append(Fault("conflict", say("the column {column} appears twice", column=column), _place(at)))
    faults += [
        Fault("missing_key", say("the column {column} is missing", column=column), _place(at))
        for column in columns.needed
        if column not in found
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
        raise PositionError.of(dict.fromkeys(faults))
    rows = [
        {column: cell for column, cell in zip(found, cells, strict=False) if column and cell.strip("-\N{EM DASH}")}
        for _, cells in lines[1:]
    ]
    return columns.deck(rows), [line for line, _ in lines[1:]]


def in_table(error: PositionError, columns: TableColumns, lines: Sequence[int]) -> PositionError:
    """Replace the paths in an error about a deck by lines and columns of its table.

    `lines` has the line number of each card.
    """
    return PositionError.of(fault._replace(path=_moved(fault.path, columns, lines)) for fault in error.faults)


def _moved(path: str, columns: TableColumns, lines: Sequence[int]) -> str:
    found = re.match(r"\w+\[(\d+)\]\.?(.*)", path)
    if found is None or int(found[1]) >= len(lines):
        return path
    key = re.sub(r"\[\d+\]$", "", found[2])
    return _place(lines[int(found[1])], columns.column_of.get(key, key))


def _place(line: int, column: str = "") -> str:
    return f"line {line}, {column}" if column else f"line {line}"


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty lines of a table with their numbers, except the dashes below a Markdown header."""
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        for cells in reader:
            trimmed = [unicodedata.normalize("NFKC", cell).strip() for cell in cells]
            if separator == "|" and trimmed and not trimmed[0] and not trimmed[-1]:
                trimmed = trimmed[1:-1]
            if any(cell.strip("-: ") for cell in trimmed):
                yield reader.line_num, trimmed
    except csv.Error as found:
        message = say("the table cannot be read: {why}", why=found)
        raise PositionError("invalid_text", message, _place(reader.line_num)) from None


def _plain(label: str) -> str:
    return re.sub(r"[\s_]+", "-", unicodedata.normalize("NFKC", label).strip().lower())


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
        found: WrittenDeck[D] = validated(self._adapter.validate_python, data)
        return found

    def read(self, data: object) -> D:
        """Like `written`, but returns the deck ready for use."""
        return self.written(data).deck

    @cached_property
    def house(self) -> D:
        """The shipped deck, which is used if a position names none."""
        file = resources.files(self.package).joinpath("decks", self.house_file)
        return self.read(tomllib.loads(file.read_text(encoding="utf-8")))

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


_Name = Annotated[str, Field(strict=True, min_length=1, max_length=80, examples=["house"])]
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
    data, lines = data_of(text, kind.table, separator)
    data = {"name": name, **data}
    try:
        return kind.game, kind.read(data), data
    except PositionError as found:
        raise in_table(found, kind.table, lines) from None


def table_in(text: str) -> tuple[DeckKind[Any], str] | None:
    """Return the kind of deck that a table describes, and its separator; None if the text is not a deck table."""
    found = ((kind, header(text, kind.table)) for kind in kinds())
    return next(((kind, separator) for kind, separator in found if separator is not None), None)


def _loaded(text: str) -> tuple[DeckKind[Any], dict[str, Any]]:
    """Parse a TOML deck; its keys show which kind of deck it is. Raises PositionError."""
    from solver import inputs

    try:
        data = inputs.loads_toml(text, _MOST_VALUES)
    except ValueError as found:  # TOMLDecodeError, or an integer of thousands of digits
        raise PositionError("invalid_toml", say("the deck is not TOML: {found}", found=found)) from None
    except RecursionError:
        raise PositionError("invalid_toml", say("the deck is nested too deeply")) from None
    for kind in kinds():
        if kind.key in data:
            return kind, data
    known = " or ".join(f"[[{kind.key}]] ({kind.game})" for kind in kinds())
    raise PositionError("missing_key", say("this is not a deck: it has no {known}", known=known))


@lru_cache(maxsize=64)
def read(content: bytes, name: str = OWN) -> tuple[str, AnyDeck, dict[str, Any]]:
    """Like `written`, but from a file's bytes."""
    return written(decoded(content), name)


def read_for(game: str, content: bytes, name: str = OWN) -> dict[str, Any]:
    """Read and check a deck of `game` from a file's bytes; return its data as positions store them.

    Raises PositionError if the deck is invalid or belongs to another game.
    """
    found, _, data = read(content, name)
    if found != game:
        raise PositionError("conflict", say("this is a deck of {found}, not of {game}", found=found, game=game))
    return data


def decoded(content: bytes) -> str:
    """Decode the content of a deck file: UTF-8 or, for a table, CP932. Raises PositionError."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as found:
        with suppress(UnicodeDecodeError):
            text = content.decode("cp932")  # the encoding of spreadsheets in Japan
            if table_in(text) is not None:
                return text
        message = say("the deck is not UTF-8: {reason} at byte {start}", reason=found.reason, start=found.start)
        raise PositionError("invalid_text", message) from None


def kinds() -> list[DeckKind[Any]]:
    """Return the kind of deck of every game in which users can choose the deck."""
    found = (registry.game(name).deck_kind for name in registry.names())
    return [kind for kind in found if kind is not None]


def catalogue() -> list[Listed]:
    """List every deck: the shipped ones, then the user's files by name. A bad file is listed with its error."""
    found = [Listed(kind.game, kind.house.name, SHIPPED, kind.house) for kind in kinds()]
    for path in _files():
        found.append(_listed(path, found))
    return found


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
    except PositionError as found:
        raise found.under("deck") from None


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
        except PositionError as found:
            raise fault(found.code, found.message) from None
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
        game, deck, _ = read(path.read_bytes(), path.stem)
    except AthanorError as error:
        return Listed(None, path.stem, path.name, error=error)
    except OSError as error:
        problem = PositionError("unreadable", say("it cannot be read: {reason}", reason=error.strerror))
        return Listed(None, path.stem, path.name, error=problem)
    for other in before:
        if other.deck is not None and (other.game, other.name) == (game, deck.name):
            whose = say("the shipped deck") if other.source == SHIPPED else other.source
            problem = PositionError(
                "conflict", say("{whose} already has the name {name!r}", whose=whose, name=deck.name), "name"
            )
            return Listed(game, deck.name, path.name, error=problem)
    return Listed(game, deck.name, path.name, deck)
