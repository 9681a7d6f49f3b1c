"""Positions of Kirin played on by chance, and what a seat sees of them."""

from __future__ import annotations

from typing import Any

from solver.common import Random
from solver.games.kirin import GAME
from solver.games.kirin.position import KnownPosition, View
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


def late_view(seed: int, tricks: int) -> View:
    """A view of the seat to move after so many tricks, played at random."""
    random = Random(6, seed)
    position: Any = GAME.deal(seed)
    while len(position.history or ()) < tricks:
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
    assert isinstance(position, KnownPosition)
    view = GAME.view(position, position.seat_to_move)
    assert isinstance(view, View)
    return view
