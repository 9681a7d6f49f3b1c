"""The kinds of King × Alchemy's positions, told apart by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Discriminator, Tag

from solver.games.king.positions.known import KnownPosition, View
from solver.games.king.positions.picks import CardSet, PickPosition, PickView

_TAGS = {KnownPosition: "all-known", PickPosition: "all-known before", View: "seen", PickView: "seen before"}


def _kind(data: Any) -> str:
    """Which kind a position is, by its keys."""
    if isinstance(data, BaseModel):
        return _TAGS.get(type(data), "a set of cards")
    if not isinstance(data, Mapping):
        return "all-known"
    if "cards" in data:
        return "a set of cards"
    kind = "seen" if "hand" in data else "all-known"
    return f"{kind} before" if "stage" in data else kind


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")]
    | Annotated[PickPosition, Tag("all-known before")]
    | Annotated[View, Tag("seen")]
    | Annotated[PickView, Tag("seen before")]
    | Annotated[CardSet, Tag("a set of cards")],
    Discriminator(_kind),
]
