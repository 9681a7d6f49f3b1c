"""The key that is meant by a misspelt one: the nearest of those that its model has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel

_LONGEST = 40  # letters of a key that is compared with those that there are


def nearest(key: str, keys: Iterable[str]) -> str | None:
    """The nearest of some keys to one in letters of either case; None where none is near."""
    near = get_close_matches(key[:_LONGEST].lower(), sorted(keys), n=1)
    return near[0] if near else None


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
