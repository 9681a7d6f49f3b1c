"""Endings of King × Alchemy worked out: never worse than the rounds that the hint samples of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from benchmarks.king import KingContest
from benchmarks.regret import regret
from solver.games.king import GAME, hint
from solver.games.king.position import View
from solver.games.king.worlds import deals
from solver.limits import Control
from tests.games.king.hints.plain_endings import Rules, weighted_worlds
from tests.reference.endings import Ending, TooLargeError

_SAMPLING = replace(hint.SAMPLERS["equal"], ending=None)


def endings(players: int, most: int) -> Iterator[View]:
    """Endings with at most so many deals."""
    return (view for view in KingContest(players).endings(2) if deals(view).total <= most)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_sampled_move_does_better_than_the_best_play_on(players: int) -> None:
    alike = 0
    for view in islice(endings(players, 30), 5):
        worlds = weighted_worlds(view)
        total = sum(world.weight for world in worlds)
        values = Ending(Rules(view.full_deck, view.seat)).moves(worlds)
        assert list(values) == list(GAME.legal_moves(view))
        answer = _SAMPLING.hint(view, Control(), worlds=3000, seed=3)
        for entry in answer.moves:
            move = GAME.parse_move(view, entry.move)
            exact = values[move] / total
            slack = 0.05 + 5 * (entry.stderr or 0.0)
            assert entry.mean <= exact + slack
            alike += entry.mean >= exact - slack
            found = regret(values, move, len(view.hand))
            assert -1e-9 <= found.lost <= found.spread + 1e-9
    assert alike > 5


def test_an_ending_may_be_too_large() -> None:
    view = next(endings(4, 120))
    with pytest.raises(TooLargeError):
        Ending(Rules(view.full_deck, view.seat), most=3).moves(weighted_worlds(view))
