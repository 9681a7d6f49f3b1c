"""What answers and positions say to a person: labelled lines, and tables made from the fields of models.

Terminals, notebooks and ``str`` show the same lines and tables, each in its own way.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

Rows = list[tuple[str, str]]

SHOWN = 40  # moves, unless all are asked for


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text under labels. `numbers` are the columns, counted from 0, to be aligned to the right."""

    labels: Sequence[str]
    lines: Sequence[Sequence[str]]
    numbers: frozenset[int]


class Worded(BaseModel):
    """A model that can be told within a line of another one."""

    def one_line(self) -> str:
        """All that it says, in one line."""
        return " ".join(f"{name}={getattr(self, name)!r}" for name in type(self).model_fields)


@dataclass(frozen=True, slots=True)
class Part:
    """Labelled lines, and the entries of a table that belongs to them, such as an answer's moves."""

    rows: Rows
    entries: Sequence[Worded] = ()


def fields_of(model: BaseModel, without: Container[str] = ()) -> Rows:
    """A model's fields as labelled lines, but for those that are None and those of `without`."""
    shown = ((name, getattr(model, name)) for name in type(model).model_fields if name not in without)
    return [(label(name), text_of(value, name)) for name, value in shown if value is not None]


def table_of(entries: Sequence[Worded], shown: int | None = None, numbers: Sequence[str] | None = None) -> Table:
    """The first `shown` entries (None: all), at least one, as a table: numbers, and the fields worth a column.

    `numbers` has one for each entry; without them they are ranks.
    """
    names = _columns(entries)
    first = entries[:shown]
    right = {
        column
        for column, name in enumerate(names, start=1)
        if all(isinstance(getattr(entry, name), int | float | None) for entry in first)
    }
    lines = [
        [number, *(text_of(getattr(entry, name), name) for name in names)]
        for number, entry in zip(numbers or map(str, range(1, len(entries) + 1)), first, strict=False)
    ]
    return Table(["#", *(label(name).lower() for name in names)], lines, frozenset({0, *right}))


def more_than_shown(entries: Sequence[Worded]) -> str:
    """What is said below a table of the first `SHOWN` entries; empty when these are all."""
    rest = len(entries) - SHOWN
    return f"… and {rest:,} more of {len(entries):,}" if rest > 0 else ""


def text_of(value: object, name: str = "") -> str:
    """A field's value as text."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        if name == "bounds":
            return span(value)
        if _holds_models(value):
            return "\n".join(map(text_of, value))
        nested = any(isinstance(item, tuple) for item in value)
        return ("; " if nested else " ").join(map(text_of, value)) or "–"
    return value.one_line() if isinstance(value, Worded) else str(value)


def label(name: str) -> str:
    """A field's name for a person."""
    return name.replace("_", " ").capitalize()


def _columns(entries: Sequence[Worded]) -> list[str]:
    """The fields worth a column: those that say something, and not the same of every entry by definition."""
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


def _holds_models(value: tuple[object, ...]) -> bool:
    """Whether there are models in a tuple, or in tuples within: each is told on a line."""
    return any(isinstance(item, Worded) or (isinstance(item, tuple) and _holds_models(item)) for item in value)


def span(bounds: tuple[Any, ...]) -> str:
    """Bounds as text: one value where they are equal."""
    low, high = map(text_of, bounds)
    return low if low == high else f"{low} … {high}"
