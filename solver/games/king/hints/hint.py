"""`hint` for King × Alchemy: which card to play, to take and to give, or to pick, when the other hands are hidden.

Deals are drawn from those that agree with the view (`hidden`), each weighted by how likely the others would have
picked and played what they did (`inference`); in each, every legal move is made, and the round is finished by
plausible players (`player`, `rollouts`) who see their own cards only, and counted with the best compounding. So no
move profits from knowledge that nobody has, unlike a mean of double-dummy values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.common.control import Control
from solver.games.king.cards.rules import Move
from solver.games.king.hints.deals import Deals, agrees, deals
from solver.games.king.hints.likelihood import evidence_of
from solver.games.king.hints.reasons import reason
from solver.games.king.hints.rollouts import STATISTICS, play_worlds
from solver.games.king.hints.setting import setting
from solver.games.king.positions import moves as table
from solver.games.king.positions import seats
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints import ranking
from solver.hints.simulate import simulate
from solver.inputs.errors import RequestError
from solver.kernels.arrays import Floats
from solver.protocol.answers import SampledHint

METHOD = "sampled rounds"


class Rounds:
    """The table of a view (`solver.hints.simulate.Table`): rounds played on by plausible players."""

    statistics = STATISTICS

    def __init__(self, found: Deals, moves: Sequence[Move], seed: int, *, infer: bool = True) -> None:
        self.moves = len(moves)
        self._seed = seed
        self._setting = setting(found.view)
        self._moves = np.array([self._setting.words(move) for move in moves], np.int64)
        self._cards = np.array(found.cards, np.int64)
        self._allowed = np.array(found.groups, np.int64)
        self._evidence = evidence_of(found, self._setting)
        self.chained = infer and isinstance(found.view, View) and len(found.cards) > 1

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        play_worlds(
            self._evidence,
            self._setting.book,
            self._setting.node,
            self._moves,
            self._cards,
            self._allowed,
            self._seed,
            first,
            self.chained,
            results,
        )


def hint(
    view: View | PickView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> SampledHint:
    """The best move by its mean score of the round, every legal move with its standard errors.

    Raises RequestError when another seat is to move, and for a number of worlds that is out of range.
    """
    if view.seat_to_move != view.seat:
        raise RequestError("not_to_move", f"seat {view.seat_to_move} is to move, not seat {view.seat}", "seat")
    moves = table.legal_moves(view)
    if not moves:
        return ranking.answer(
            "king", view.seat, (), "The round is over.", method=METHOD, worlds=0, seed=seed, control=control
        )
    found = deals(view)
    assert agrees(found, found.drawn(seed, 0))
    sums = simulate(Rounds(found, moves, seed), control, worlds=worlds, threads=threads)
    texts = [table.format_move(view, move) for move in moves]
    ranked = ranking.ranked(sums, texts, METHOD)
    why = reason(view, texts, sums)
    return ranking.answer(
        "king", view.seat, ranked, why, method=METHOD, worlds=sums.worlds, seed=seed, control=control
    )


def warm() -> None:
    """Compile or load every kernel."""
    for variant in ("picked", "unpicked"):
        position = seats.deal(0, variant=variant)
        seen = seats.view(position, 0)
        hint(seen, Control(), worlds=1)
