"""Positions of Kirin played on by chance, and what a seat sees of them."""

from __future__ import annotations

from solver.games.kirin import GAME
from solver.games.kirin.positions.known import KnownPosition, View
from tests.support import rounds


def played(seed: int, cards: int) -> KnownPosition:
    """A round in which `cards` random cards have been played."""
    position = rounds.played(rounds.Case("kirin", None, None), seed, cards)
    assert isinstance(position, KnownPosition)
    return position


def seen_by(position: KnownPosition, seat: int) -> View:
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    return view
