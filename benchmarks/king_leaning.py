"""A hint of King × Alchemy whose means lean to what the networks find moves worth, as a player of the arena."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.games.king.hint import SAMPLER
from solver.games.king.learned import chances, heads, policy
from solver.games.king.moves import legal_moves
from solver.games.king.position import PickView, View
from solver.games.king.rules import Move, Taking
from solver.limits import Control, Limit

_OFF = 0.5  # how far the networks are off about a move, in points: a guess
_NOTHING_KNOWN = 100.0  # points


def leaning(view: View | PickView, limit: Limit, seed: int, off: float = _OFF) -> Move:
    """The best move by how far moves are behind the hint's best: what the hint and the networks say of that, each
    counted by its squared error. The networks are taken to be off by `off` points.
    """
    moves = list(legal_moves(view))
    if len(moves) == 1:
        return moves[0]
    found = SAMPLER.hint(view, Control(limit), seed=seed)
    told = {move.move: move for move in found.moves}
    texts = [SAMPLER.text(view, move) for move in moves]
    worth = worths(view, moves)
    best = texts.index(found.moves[0].move)
    behind = np.array([told[text].behind for text in texts])
    errors = np.array([_error(told[text].behind_stderr) for text in texts])
    leant = (behind * off**2 + (worth[best] - worth) * errors**2) / (off**2 + errors**2)
    return moves[int(np.argmin(np.round(leant, 9)))]


def _error(stderr: float | None) -> float:
    return _NOTHING_KNOWN if stderr is None else stderr


def worths(view: View | PickView, moves: Sequence[Move]) -> np.ndarray:
    """What the networks find moves worth, in points more than some number; of takings, whatever is given, for
    that they do not judge.
    """
    if isinstance(view, PickView):
        sure = heads()[1]
    elif view.trick_is_full:
        sure = heads()[2]
    else:
        sure = policy()[1]
    best: dict[object, float] = {}
    for move, chance in zip(moves, chances(view, moves), strict=True):
        best[_alike(view, move)] = max(best.get(_alike(view, move), 0.0), chance)
    return np.log(np.maximum([best[_alike(view, move)] for move in moves], 1e-300)) / sure


def _alike(view: View | PickView, move: Move) -> object:
    """What is equal for moves that the networks do not tell apart."""
    if isinstance(move, Taking):
        return move.taken
    if isinstance(view, View) and view.trick:
        return move.card, move.suit == view.plays[0].suit
    return move
