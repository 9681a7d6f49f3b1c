"""Hints of King × Alchemy that play for the match before its last round."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import athanor
from solver.games.king.hint import Rounds
from solver.games.king.moves import legal_moves
from solver.games.king.position import View
from solver.games.king.rollouts import SCORES
from solver.games.king.worlds import deals
from tests.games.king.hints.views import to_move


def test_a_hint_plays_for_the_match_in_every_round_when_asked_to() -> None:
    view = to_move(4, 14)
    data: dict[str, Any] = json.loads(view.model_dump_json(exclude_none=True))
    chances = []
    for own in (0, 40, 60, 80, 900):
        totals = [own if seat == view.seat else 60 for seat in range(4)]
        asked = {**data, "totals": totals, "round": 2}
        found = athanor.hint({**asked, "for_match": True}, worlds=40).to_dict()
        chances.append(found["moves"][0]["mean"])
        assert found["moves"][0]["points"] > 1
        assert "points" not in athanor.hint(asked, worlds=5).to_dict()["moves"][0]
    assert sorted(set(chances)) == chances
    assert (chances[0] < 0.1, chances[-1]) == (True, 1)


def test_chances_are_counted_again_by_the_same_rounds_to_come() -> None:
    """A cause of a lead asks how likely the match is won in the same worlds with other scores."""
    view = to_move(4, 14)
    told = {"totals": [60, 60, 60, 60], "round": 2, "for_match": True}
    asked = athanor.parse({**json.loads(view.model_dump_json(exclude_none=True)), **told})
    assert isinstance(asked, View)
    rounds = Rounds(deals(asked), legal_moves(asked), 1)
    results = np.empty((6, rounds.moves, rounds.statistics))
    rounds.play(9, results, np.ones(6))
    worlds = np.array([4, 1])
    for move in range(rounds.moves):
        scores = results[worlds, move, SCORES : SCORES + 4]
        assert rounds.chances(9 + worlds, scores).tolist() == results[worlds, move, 0].tolist()
        scores[:, (view.seat + 1) % 4] += 900
        assert not rounds.chances(9 + worlds, scores).any()


def test_a_view_keeps_that_it_is_played_for_the_match() -> None:
    pick: Any = athanor.view(athanor.deal("king", seed=1, variant="unpicked"), 0)
    told = {"totals": [0, 0, 0, 0], "round": 1, "for_match": True, "rules": {"no_bottom_when_trumped": True}}
    view: Any = athanor.parse({**json.loads(pick.model_dump_json(exclude_none=True)), **told})
    assert athanor.parse(str(view)) == view
    others = [card for card in ("F1", "F2", "F7", "F5", "W2") if card not in view.hand][:3]
    after: Any = athanor.play(view, [view.hand[0], *others])
    assert (after.totals, after.round, after.for_match) == ((0, 0, 0, 0), 1, True)
    found = athanor.hint(after if after.seat_to_move == 0 else view, worlds=4).to_dict()
    assert all(0 <= move["mean"] <= 1 for move in found["moves"])
