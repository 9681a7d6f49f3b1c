"""How answers and positions are shown to a person: labelled lines, and tables made from the fields of models.

Terminals, notebooks and ``str`` show the same lines and tables, each in its own format.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from typing import Any

from pydantic import BaseModel

from solver.common import one_after_another, width
from solver.language import say, say_many, say_of, translated

Rows = list[tuple[str, str]]

SHOWN = 10  # moves shown of an analysis, unless all are asked for
BEST = 3  # moves shown of a hint, likewise


Columns = Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text with column `labels` and rows of cells (`lines`).

    `numbers` has the indices of the right-aligned columns.
    """

    labels: Sequence[str]
    lines: Sequence[Sequence[str]]
    numbers: frozenset[int]


class Worded(BaseModel):
    """A model that can be shown on a single line, for example as a field of another model."""

    def one_line(self) -> str:
        """Return all fields on one line, as ``name=value``."""
        return " ".join(f"{name}={getattr(self, name)!r}" for name in type(self).model_fields)


@dataclass(frozen=True, slots=True)
class Part:
    """Part of an answer for display: labelled rows, and optionally a table.

    `more` is the number of further table rows that are not shown.
    """

    rows: Rows
    table: Table | None = None
    more: int = 0

    @property
    def below(self) -> str:
        """The note below the table that says how many rows are left out; empty if none are."""
        return say_many("… and {count} more", "… and {count} more", self.more) if self.more else ""


def fields_of(model: BaseModel, without: Container[str] = ()) -> Rows:
    """Return a model's fields as (label, text) rows, except those that are None or named in `without`."""
    shown = ((name, getattr(model, name)) for name in type(model).model_fields if name not in without)
    return [(label(name), text_of(value, name)) for name, value in shown if value is not None]


def table_of(entries: Sequence[Worded]) -> Table | None:
    """Return a numbered table with a row for each entry; None if there are no entries.

    Fields that add nothing get no column (see `shown_columns`).
    """
    if not entries:
        return None
    names = shown_columns(entries)
    right = {
        column
        for column, name in enumerate(names, start=1)
        if all(isinstance(getattr(entry, name), int | float | None) for entry in entries)
    }
    lines = [
        [str(number), *(text_of(getattr(entry, name), name) for name in names)]
        for number, entry in enumerate(entries, 1)
    ]
    return Table(["#", *(label(name).lower() for name in names)], lines, frozenset({0, *right}))


def columns_of(moves: Sequence[str], figures: Columns, shown: int) -> Table:
    """Return a numbered table of the first `shown` moves, with the given columns of figures."""
    texts = [moves, *(column for _, column in figures)]
    lines = [[str(number), *cells] for number, cells in enumerate(zip(*texts, strict=True), 1)]
    labels = ["#", say("move"), *(name for name, _ in figures)]
    return Table(labels, lines[:shown], frozenset({0, *range(2, len(labels))}))


def text_of(value: object, name: str = "") -> str:
    """Format the value of the field `name` for display."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        if name == "bounds":
            return span(value)
        if _holds_models(value):
            return "\n".join(map(text_of, value))
        nested = any(isinstance(item, tuple) for item in value)
        return ("; " if nested else " ").join(map(text_of, value)) or "–"
    if isinstance(value, Worded):
        return value.one_line()
    if name == "method" and isinstance(value, str):
        return method_text(value)
    return _outcomes().get(value, value) if isinstance(value, str) else str(value)


def label(name: str) -> str:
    """Return the label of a field for display, in the current language."""
    return translated(name.replace("_", " ").capitalize())


def method_text(method: str) -> str:
    """Translate the field `method` for display: the names of one or more search methods, separated by commas."""
    return one_after_another(map(translated, method.split(", ")))


def _outcomes() -> Mapping[str, str]:
    return {"won": say_of("an outcome", "won"), "lost": say_of("an outcome", "lost")}


def shown_columns(entries: Sequence[Worded]) -> list[str]:
    """Return the names of the fields that get a column in a table.

    Left out are fields that are None in every entry, `bounds` and `exact` if all entries are exact, and `method`
    if it is the same in all entries.
    """
    exact = all(getattr(entry, "exact", True) for entry in entries)
    names = []
    for name in type(entries[0]).model_fields:
        values = [getattr(entry, name) for entry in entries]
        if all(value is None for value in values) or (exact and name in ("bounds", "exact")):
            continue
        if name == "method" and len(set(values)) == 1:
            continue
        names.append(name)
    return names


def _rounded(value: float, digits: int) -> str:
    """Format a number with `digits` decimals; decimal halves are rounded up, as browsers do it."""
    exact = Decimal(repr(round(float(value), 9)))
    return str(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def figures(*values: float) -> list[str]:
    """Format mean points with one decimal, or with two if some of them would otherwise look equal."""
    for digits in (1, 2):
        texts = [_rounded(value, digits) for value in values]
        if len(set(texts)) == len(texts):
            break
    return [text if text.strip("-0.") else text.removeprefix("-") for text in texts]


def percent(value: float) -> str:
    """Format a probability (0 to 1) as a whole percentage, with one decimal below 5% and above 95%."""
    percentage = 100 * value
    text = f"{_rounded(percentage, 0 if 5 <= percentage <= 95 else 1)}%"
    if text in ("0.0%", "100.0%"):  # a rounded chance is neither certain nor hopeless
        sure = min(percentage, 100 - percentage) <= 1e-10
        return text.replace(".0", "") if sure else say("under 0.1%") if percentage < 50 else say("over 99.9%")
    return text.replace(".0%", "%")


def _holds_models(value: tuple[object, ...]) -> bool:
    return any(isinstance(item, Worded) or (isinstance(item, tuple) and _holds_models(item)) for item in value)


def span(bounds: tuple[Any, ...]) -> str:
    """Format a lower and an upper bound as text; one value if they are equal."""
    low, high = map(text_of, bounds)
    return low if low == high else f"{low} … {high}"


# ----------------------------------------------------------------------------------------------------
# Labelled lines and tables as plain text, and as HTML for notebooks.


def rows_text(rows: Rows) -> str:
    """Format labelled rows as plain text, with all values starting in the same column."""
    most = max((width(label) for label, _ in rows), default=0)
    lines = []
    for label, value in rows:
        first, *others = value.split("\n")
        lines.append(f"{_filled(label, most)}  {first}".rstrip())
        lines += [f"{'':<{most}}  {other}".rstrip() for other in others]
    return "\n".join(lines)


def rows_html(rows: Rows) -> str:
    """Format labelled rows as an HTML table. Everything is escaped: titles and card names may be untrusted."""
    cells = (f"<tr><th>{_html(label)}</th><td>{_html(value)}</td></tr>" for label, value in rows)
    return f"<table>{''.join(cells)}</table>"


def parts_text(parts: Sequence[Part]) -> str:
    """Format parts as plain text: the labelled rows of each, followed by its table."""
    blocks = []
    for part in parts:
        blocks += [rows_text(part.rows), _table_text(part.table) if part.table else "", part.below]
    return "\n\n".join(filter(None, blocks))


def parts_html(parts: Sequence[Part]) -> str:
    """Format parts as HTML tables, without scripts or styles."""
    blocks = []
    for part in parts:
        blocks += [rows_html(part.rows), _table_html(part.table) if part.table else "", _html(part.below)]
    return "".join(blocks)


def _table_text(table: Table) -> str:
    # A cell of several lines is joined into one.
    lines = [[cell.replace("\n", "; ") for cell in line] for line in (table.labels, *table.lines)]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            _filled(cell, most, right=column in table.numbers)
            for column, (cell, most) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _filled(text: str, most: int, *, right: bool = False) -> str:
    """Pad `text` with blanks to a width of `most` terminal columns, right-aligned if `right`."""
    blanks = " " * (most - width(text))
    return blanks + text if right else text + blanks


def _table_html(table: Table) -> str:
    head = "".join(f"<th>{_html(label)}</th>" for label in table.labels)
    lines = ("".join(f"<td>{_html(cell)}</td>" for cell in line) for line in table.lines)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")
