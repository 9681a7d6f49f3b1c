"""Aqua Regia's deals and views, checked to be of the types that the tests read from."""

from __future__ import annotations

from typing import Any

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import KnownPosition, View


def dealt(*arguments: Any, **keys: Any) -> KnownPosition:
    found = GAME.deal(*arguments, **keys)
    assert isinstance(found, KnownPosition)
    return found


def seen(at: KnownPosition, seat: int) -> View:
    found = GAME.view(at, seat)
    assert isinstance(found, View)
    return found
