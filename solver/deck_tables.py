"""Decks as tables: CSV files, and tables pasted from a spreadsheet or a web page.

The first line has the column headings, in any order, in English or Japanese; each further line is a card. Whether
cells are separated by tabs, commas, semicolons or bars is detected from the first line.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from solver.errors import Fault, PositionError
from solver.language import say

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
