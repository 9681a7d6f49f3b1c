"""`hint` for kirin: which card to play, or to set aside, when the other hands are hidden.

Deals are drawn from those that agree with the view (`hidden`), each weighted by how likely the others would
have set aside and played what they did; in each, every legal card is played, and the round is finished by
plausible players (`player`, `rollouts`) who see their own cards only. So no move profits from knowledge that
nobody has, unlike a mean of double-dummy values.
"""

from __future__ import annotations

import numpy as np

from solver.common.control import Control
from solver.games.kirin.cards.deck import name
from solver.games.kirin.fast_rules.order import INNER
from solver.games.kirin.hints.deals import Deals, agrees, deals
from solver.games.kirin.hints.reasons import reason
from solver.games.kirin.hints.rollouts import STATISTICS, play_worlds
from solver.games.kirin.hints.weights import DECLARE, PLAY
from solver.games.kirin.positions import moves as table
from solver.games.kirin.positions.known import DeclareView, View
from solver.hints import ranking
from solver.hints.simulate import simulate
from solver.inputs.errors import RequestError
from solver.kernels.arrays import Floats
from solver.protocol.answers import SampledHint

METHOD = "sampled rounds"


class Rounds:
    """The table of a view (`solver.hints.simulate.Table`): rounds played on by plausible players."""

    statistics = STATISTICS

    def __init__(self, found: Deals, cards: list[int], seed: int, *, infer: bool = True) -> None:
        self.moves = len(cards)
        self._deals = found
        self._cards = np.array([INNER[card] for card in cards], np.int64)
        self._seed = seed
        self.chained = infer and isinstance(found.view, View)
        self._play = np.array(PLAY)
        self._declare = np.array(DECLARE)

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        worlds = self._deals.worlds
        play_worlds(
            self._deals.question,
            self._deals.tricks,
            self._cards,
            self._deals.cards,
            worlds.groups,
            worlds.strides,
            worlds.ways,
            self._play,
            self._declare,
            self._seed,
            first,
            self.chained,
            results,
        )


def hint(
    view: View | DeclareView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> SampledHint:
    """The best card by its mean points of the round, every legal card with its standard errors.

    Raises RequestError when another seat is to move, and for a number of worlds that is out of range.
    """
    if view.seat_to_move != view.seat:
        raise RequestError("not_to_move", f"seat {view.seat_to_move} is to move, not seat {view.seat}", "seat")
    cards = list(table.legal_moves(view))
    if not cards:
        return ranking.answer(
            "kirin", view.seat, (), "The round is over.", method=METHOD, worlds=0, seed=seed, control=control
        )
    found = deals(view)
    assert agrees(found, seed % found.total)
    sums = simulate(Rounds(found, cards, seed), control, worlds=worlds, threads=threads)
    moves = ranking.ranked(sums, [name(card) for card in cards], METHOD)
    why = reason(view, cards, sums)
    return ranking.answer(
        "kirin", view.seat, moves, why, method=METHOD, worlds=sums.worlds, seed=seed, control=control
    )


def warm() -> None:
    """Compile or load every kernel."""
    for variant in ("declared", "undeclared"):
        hint(table.view(table.deal(0, variant=variant), 0), Control(), worlds=1)
