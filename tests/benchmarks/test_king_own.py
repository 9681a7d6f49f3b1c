"""Hints of King × Alchemy whose own seat plays on by its networks, and hints that see all cards."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import king_own
from benchmarks.arena_king import KingContest, first, learned
from benchmarks.king_own import OwnRounds
from benchmarks.king_sighted import as_it_lies
from solver.common import Random
from solver.games.king import GAME
from solver.games.king.players import ALL_PLAYS, KINDS, TRAINED
from solver.games.king.position import KnownPosition, View
from tests.support.marks import in_python

pytestmark = pytest.mark.small


@in_python
@pytest.mark.parametrize("made", [30, 34])  # a lead, and a taking
def test_a_round_is_played_on_as_its_players_would_that_are_asked_at_every_turn(
    made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others draw their plays: with weights so large they draw what they value most."""
    monkeypatch.setattr(king_own, "ALL_PLAYS", ALL_PLAYS._replace(weights=1e6 * ALL_PLAYS.weights))
    position = GAME.deal(4, players=4, variant="picked")
    random = Random(5)
    for _ in range(made):
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
    assert isinstance(position, KnownPosition)
    seat = position.seat_to_move
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    deal = as_it_lies(position, view)
    assert deal.total == 1
    assert [set(hand) for hand in deal.position(deal.drawn(1, 0)).hands] == [set(hand) for hand in position.hands]
    moves = GAME.legal_moves(view)
    assert len(moves) > 1
    rounds = OwnRounds(deal, moves, 1, expected=np.eye(KINDS)[TRAINED])
    results = np.empty((1, len(moves), rounds.statistics))
    rounds.play(0, results, np.ones(1))
    contest = KingContest(4)
    for index, move in enumerate(moves):
        played = GAME.play(position, move)
        while (turn := contest.to_move(played)) is not None:
            seen = GAME.view(played, turn)
            assert isinstance(seen, View)
            played = GAME.play(played, first(seen) if turn == seat else learned(seen, random))
        assert results[0, index, 0] == contest.scores(played)[seat]
