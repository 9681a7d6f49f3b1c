"""The two kinds of Aqua Regia's positions, told apart by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Discriminator, Tag

from solver.games.aqua_regia.positions.known import KnownPosition, View


def _kind(data: Any) -> str:
    """Known or a view, by its keys."""
    if isinstance(data, BaseModel):
        return "seen" if isinstance(data, View) else "all-known"
    return "seen" if isinstance(data, Mapping) and "hand" in data and "hands" not in data else "all-known"


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")] | Annotated[View, Tag("seen")],
    Discriminator(_kind),
]
