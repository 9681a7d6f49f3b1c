"""Positions of Kirin played on by chance, and what a seat sees of them."""

from __future__ import annotations

import random

from solver.games.kirin import GAME
from solver.games.kirin.positions.known import KnownPosition, View


def played(seed: int, cards: int) -> KnownPosition:
    """A round in which `cards` random cards have been played."""
    rng = random.Random(seed)
    position = GAME.deal(seed)
    for _ in range(cards):
        position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
    assert isinstance(position, KnownPosition)
    return position


def seen_by(position: KnownPosition, seat: int) -> View:
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    return view
