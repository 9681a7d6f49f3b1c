"""A fourth kind of player in the hints of King × Alchemy: how likely it would have done what was seen."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.king_fourth import AT_RANDOM, SHARE, Fourth, learned_likelihood
from solver.common import Random
from solver.games.king import GAME
from solver.games.king.learned import chances, no_sight, thought
from solver.games.king.players import KINDS, TRAINED, new_room, setting
from solver.games.king.position import KnownPosition, View
from solver.games.king.rules import Play
from solver.games.king.worlds import deals, evidence_of, likelihood, new_work, picked
from solver.hints.sampled import new_kept
from tests.support.marks import in_python

pytestmark = pytest.mark.small


@in_python
def test_worlds_count_by_what_a_learned_player_would_have_done_at_each_play() -> None:
    position, random = GAME.deal(4, players=4, variant="picked"), Random(4)
    assert isinstance(position, KnownPosition)
    expected = [1.0] * 4  # of each seat's plays, one after the other, in the rounds' own views
    begun = position.state.hands
    for _ in range(15):
        moves = GAME.legal_moves(position)
        move = moves[random.below(len(moves))]
        if isinstance(move, Play) and len(moves) > 1:
            seat = position.seat_to_move
            view = GAME.view(position, seat)
            assert isinstance(view, View)
            told = chances(view, moves)
            # Names of the Dancer that lose alike are one choice.
            offered = sum(chance > 0 for chance in told)
            stands = told[moves.index(move)] or sum(
                chance
                for chance, other in zip(told, moves, strict=True)
                if isinstance(other, Play) and other.card == move.card
            )
            expected[seat] *= (1 - AT_RANDOM) * stands + AT_RANDOM / offered
        after = GAME.play(position, move)
        assert isinstance(after, KnownPosition)
        position = after
    seat = position.seat_to_move
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    assert not position.trick_is_full
    made = GAME.legal_moves(view)
    rounds = Fourth(deals(view), made, 1)
    evidence = evidence_of(view, setting(view))
    work = new_work(np.zeros(4, np.int64), new_room(), new_kept(KINDS))
    mind, sight = thought(rounds._learned.brain.net), no_sight(setting(view).values)
    weight = 1.0
    for other in range(4):
        if other != seat:
            hand = position.state.hands[other]
            dealt = begun[other] | int(evidence.picks[other])
            found = learned_likelihood(rounds._learned, evidence, work, sight, mind, other, hand)
            weight *= 1 - SHARE + SHARE * found / likelihood(evidence, work, other, hand)
            assert found / picked(evidence, other, dealt, TRAINED) == pytest.approx(expected[other], rel=1e-6)
    assert weight > 0
