"""Games of Aqua Regia played on by chance."""

from __future__ import annotations

import random
from typing import Any

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import KnownPosition


def play_randomly(at: KnownPosition, rng: random.Random) -> Any:
    """Every position of a game played at random from `at`, itself included."""
    yield at
    while legal := GAME.legal_moves(at):
        at = GAME.play(at, rng.choice(legal))  # type: ignore[assignment]
        yield at
