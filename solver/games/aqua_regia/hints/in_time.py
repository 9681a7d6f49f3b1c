"""Whether a hint of Aqua Regia has time for what nobody ends: one batch of games.

A deck of thousands of cards has games of thousands of moves, and a long history makes a chain of likely worlds
slow. A few steps and a few games, which are cut off if they take too long, tell what all of a batch takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from solver.common.control import Control
from solver.games.aqua_regia.hints.games import USUAL, Games, usual
from solver.games.aqua_regia.positions import moves
from solver.games.aqua_regia.positions.known import View
from solver.hints.simulate import GAMES_A_BATCH
from solver.inputs.errors import RequestError

_TIMING_SECONDS = 0.003  # for timing the chain, and the games
_MOST_GAMES = 8
_SAFE_SHARE = 0.6  # of the time that is left; the games of a batch may take longer than those that were timed
_LONGEST_BATCH = 2.0  # seconds in which nobody looks whether the client has gone


def games_at_once(view: View) -> int:
    """How many games are played between two looks at the time: fewer where a large deck makes them long."""
    return max(1, GAMES_A_BATCH * USUAL // max(USUAL, view.metals.size**2 * view.metals.copies))


def check_time(view: View, control: Control, seed: int) -> None:
    """Refuse at once a hint whose first batch would take longer than there is time. Raises RequestError."""
    if usual(view.metals):
        return
    legal = moves.legal_moves(view)
    if not legal:
        return
    games = Games(view, legal, seed)
    left = control.seconds_left()
    if left is None:
        return
    allowed = min(_LONGEST_BATCH, _SAFE_SHARE * left)
    count = max(len(legal), games_at_once(view))
    seconds = _chain_seconds(games)
    if seconds <= allowed:
        seconds += count * _game_seconds(games, (allowed - seconds) / count)
    if seconds > allowed:
        raise RequestError(
            "too_large",
            f"a hint takes a game played to its end after each of {len(legal)} moves: with these cards at least "
            f"{seconds:.2g} seconds at once, more than there is time for",
            "deck",
        )


def _chain_seconds(games: Games) -> float:
    """About how long a chain takes to its first world, by its first steps."""
    steps, all_steps = 4, games.steps
    while steps < all_steps:
        seconds = _seconds(partial(games.ends, None, steps=steps))[0]
        if seconds >= _TIMING_SECONDS:
            return seconds * all_steps / steps
        steps *= 4
    return _seconds(partial(games.ends, None))[0] if all_steps else 0.0


def _game_seconds(games: Games, allowed: float) -> float:
    """About how long a game takes, a mean over moves; at least that long where it is more than is `allowed`."""
    total, played, fuel = 0.0, 0, 16
    while played < min(_MOST_GAMES, games.moves) and (played == 0 or total < _TIMING_SECONDS):
        move = played * (games.moves - 1) // max(1, min(_MOST_GAMES, games.moves) - 1)
        seconds, ended = _seconds(partial(games.ends, move, fuel=fuel, steps=1))
        if not ended and seconds <= allowed:
            fuel *= 4
            continue
        total += seconds
        played += 1
    return total / played


def _seconds(work: Callable[[], bool]) -> tuple[float, bool]:
    """How long some work took, and what it returned."""
    begun = time.monotonic()
    done = work()
    return time.monotonic() - begun, done
