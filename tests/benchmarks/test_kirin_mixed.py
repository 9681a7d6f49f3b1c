"""Learned players among those that hints of Kirin reckon with: how likely they would have done what was seen."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.kirin_mixed import AT_RANDOM, Mixed, learned_plays, new_eye, plausible_plays, watched
from benchmarks.kirin_tree import reading_of
from solver.common import Random, mask
from solver.games.kirin import GAME
from solver.games.kirin.fast_rules import INNER, to_inner
from solver.games.kirin.hint import Rounds
from solver.games.kirin.learned import chances
from solver.games.kirin.position import KnownPosition, fields_number, numbers
from solver.games.kirin.rollouts import SCORE, STATISTICS
from solver.games.kirin.worlds import deals
from solver.kernels.arrays import Floats
from tests.games.kirin.hints.views import played, seen_by
from tests.support.marks import in_python

pytestmark = [pytest.mark.small, in_python]


def test_worlds_count_by_what_a_learned_player_would_have_done_at_each_play() -> None:
    position, random = GAME.deal(4), Random(4)
    expected = [1.0] * 4  # of each seat's plays, one after the other, in the rounds' own views
    for _ in range(13):
        assert isinstance(position, KnownPosition)
        seat = position.seat_to_move
        moves = GAME.legal_moves(position)
        move = moves[random.below(len(moves))]
        if len(moves) > 1:
            told = chances(deals(seen_by(position, seat)).setting)
            expected[seat] *= (1 - AT_RANDOM) * told[INNER[move]] + AT_RANDOM / len(moves)
        position = GAME.play(position, move)
    assert isinstance(position, KnownPosition)
    setting = deals(seen_by(position, position.seat_to_move)).setting
    reading, looks = reading_of(setting), watched(setting)
    eye = new_eye(looks.net)
    for seat in range(4):
        hand = to_inner(mask(numbers(position.hands[seat])))
        aside = INNER[fields_number(position.declared[seat])]
        assert learned_plays(reading, looks, eye, seat, hand, aside) == pytest.approx(expected[seat], rel=1e-6)
        assert 0 < plausible_plays(reading, seat, hand, aside) <= 1


def test_who_expects_no_learned_players_judges_as_a_hint_does() -> None:
    position = played(3, 25)
    view = seen_by(position, position.seat_to_move)
    legal = GAME.legal_moves(view)

    def judged(rounds: Rounds) -> tuple[Floats, Floats]:
        results, weights = np.zeros((2, rounds.moves, STATISTICS)), np.ones(2)
        rounds.play(0, results, weights)
        return results[..., SCORE], weights

    usual, mixed = judged(Rounds(deals(view), legal, 5)), judged(Mixed(view, legal, 5, share=0.0))
    assert (mixed[0] == usual[0]).all()
    assert (mixed[1] == 1).all()
    assert (judged(Mixed(view, legal, 5))[1] != 1).all()
