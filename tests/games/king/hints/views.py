"""Rounds of King × Alchemy played on by chance, and what a seat sees of them."""

from __future__ import annotations

from solver.games.king import GAME
from solver.games.king.position import KnownPosition, View
from tests.support import rounds


def played(seed: int, moves: int, players: int = 4) -> KnownPosition:
    """A round in which so many random moves, plays and takings, have been made."""
    position = rounds.played(rounds.Case("king", players, None), seed, moves)
    assert isinstance(position, KnownPosition)
    return position


def seen_by(position: KnownPosition, seat: int) -> View:
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    return view


def to_move(seed: int, moves: int, players: int = 4) -> View:
    position = played(seed, moves, players)
    return seen_by(position, position.seat_to_move)
