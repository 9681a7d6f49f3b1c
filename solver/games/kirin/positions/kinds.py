"""The four kinds of kirin's positions, told apart by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Discriminator, Tag

from solver.games.kirin.positions.declarations import DeclarePosition, DeclareView
from solver.games.kirin.positions.known import KnownPosition, View


def _kind(data: Any) -> str:
    """Which of the four a position is, by its keys."""
    if isinstance(data, BaseModel):
        return {KnownPosition: "all-known", DeclarePosition: "all-known before", View: "seen"}.get(
            type(data), "seen before"
        )
    if not isinstance(data, Mapping):
        return "all-known"
    keys = set(data)
    if "hand" in keys:
        return "seen" if keys & {"declared", "trick", "history"} else "seen before"
    declared = data.get("declared")
    if isinstance(declared, list | tuple) and all(declared):
        return "all-known"
    started = keys & {"direction", "trick", "won", "history"}
    return "all-known before" if "seat" in keys or not started else "all-known"


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")]
    | Annotated[DeclarePosition, Tag("all-known before")]
    | Annotated[View, Tag("seen")]
    | Annotated[DeclareView, Tag("seen before")],
    Discriminator(_kind),
]
