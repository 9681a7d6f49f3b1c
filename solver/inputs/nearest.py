"""The key that is meant by a misspelt one, or by another word for it: the nearest of those that its model has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel

_LONGEST = 40  # letters of a key that is compared with those that there are
_BEGINNING = 3  # letters, at least, of a key's beginning that means the key

# What players call the keys of positions besides; the first that there is of several is meant.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "aside": ("declared", "removed"),
    "cards": ("hand",),
    "colour": ("declared",),
    "color": ("declared",),
    "dealer": ("leader",),
    "drawn": ("hand",),
    "first": ("leader",),
    "lead": ("leader",),
    "me": ("seat",),
    "mine": ("hand",),
    "my_cards": ("hand",),
    "opponent": ("opponent_hand",),
    "piles": ("won",),
    "played": ("history", "moves"),
    "player": ("seat",),
    "row": ("line",),
    "scores": ("totals", "points"),
    "starter": ("leader",),
    "table": ("trick", "line"),
    "tricks": ("history",),
}


def nearest(key: str, keys: Collection[str]) -> tuple[str, str] | None:
    """The key that is meant by one that there is not, in letters of either case, and how that is said.

    It is another word for it, or differs by one letter, by two where it has six or more, or is the beginning of
    one key alone. Keys of one or two letters are like no other.
    """
    short = key[:_LONGEST].lower()
    for meant in _SYNONYMS.get(short, ()):
        if meant in keys:
            return meant, f"here it is called {meant}"
    if len(short) < _BEGINNING:
        return None
    found = [(_distance(short, other), other) for other in keys if abs(len(other) - len(short)) <= _most(short)]
    near = min(found, default=(len(short), ""))
    if near[0] <= _most(short):
        return near[1], f"{near[1]} is the nearest"
    whole = [other for other in keys if other.startswith(short)]
    return (whole[0], f"{whole[0]} is the nearest") if len(whole) == 1 else None


def _most(key: str) -> int:
    """How many letters may differ."""
    return 1 if len(key) < 2 * _BEGINNING else 2


def _distance(one: str, other: str) -> int:
    """How many letters must be put in, left out, changed, or exchanged with the next."""
    rows: list[list[int]] = [[*range(len(other) + 1)]]
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, meant in enumerate(other, start=1):
            best = min(row[j - 1] + 1, rows[-1][j] + 1, rows[-1][j - 1] + (letter != meant))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == meant:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def models_of(kind: Any) -> Iterator[type[BaseModel]]:
    """The models of a type: itself, or those of a union, of a list, and of what annotations are about."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    else:
        for part in get_args(kind):
            yield from models_of(part)


def keys_at(kind: Any, location: Sequence[int | str]) -> set[str]:
    """The keys of the models at a place in a type, by pydantic's location; steps that are no keys are tags."""
    models = list(models_of(kind))
    for step in location:
        inner = [model.model_fields[step].annotation for model in models if step in model.model_fields]
        if inner:
            models = [found for annotation in inner for found in models_of(annotation)]
    return {key for model in models for key in model.model_fields}
