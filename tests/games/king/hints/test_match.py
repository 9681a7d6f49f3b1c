"""Hints of King × Alchemy in the round that decides the match: the chance to win it or to share the win."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import athanor
from solver.errors import PositionError
from solver.games.king import GAME
from solver.games.king.hint import Rounds, own_points
from solver.games.king.moves import earned
from solver.games.king.position import KnownPosition, View
from solver.games.king.rollouts import SCORE, SCORES
from solver.games.king.rules import TRICKS, State, legal_moves, play
from solver.games.king.worlds import deals
from solver.limits import Control
from tests.games.king.hints.views import to_move

WORLDS = 4


def of_match(view: View, totals: list[int], number: int = 3) -> View:
    data = json.loads(view.model_dump_json(exclude_none=True))
    found = athanor.parse({**data, "totals": totals, "round": number})
    assert isinstance(found, View)
    return found


def endings(state: State) -> set[tuple[int, ...]]:
    """The scores of all seats that a state can lead to."""
    if state.over:
        return {tuple(earned(state.deck, 0, pile, Control()).total for pile in state.won)}
    return set().union(*(endings(play(state, move)) for move in legal_moves(state)))


@pytest.mark.small
@pytest.mark.parametrize("players", [3, 4])
def test_the_scores_of_all_seats_can_come_about_and_tell_who_wins(players: int) -> None:
    length = TRICKS[players] * (players + 1)
    for seed in range(3):
        view = of_match(to_move(seed, length - 2, players), [40, 41, 39, 40][:players])
        found, moves = deals(view), list(GAME.legal_moves(view))
        playing = Rounds(found, moves, seed, infer=False)
        results = np.zeros((WORLDS, len(moves), playing.statistics))
        playing.play(0, results, np.ones(WORLDS))
        for world in range(WORLDS):
            position = found.position(found.drawn(seed, world))
            assert isinstance(position, KnownPosition)
            for index, move in enumerate(moves):
                told = results[world, index]
                scores = tuple(told[SCORES : SCORES + players].tolist())
                assert scores in endings(play(position.state, move))
                assert told[own_points(view)] == scores[view.seat]
                final = [before + score for before, score in zip(view.totals or (), scores, strict=True)]
                assert told[SCORE] == (final[view.seat] == max(final))


def test_a_hint_goes_by_the_match_in_its_last_round_alone() -> None:
    view = to_move(4, 7)
    usual = athanor.hint(view, nodes=400, seed=2).to_dict()
    assert athanor.hint(of_match(view, [1, 2, 3, 4], 2), nodes=400, seed=2).to_dict()["moves"] == usual["moves"]
    means = {move["move"]: move["mean"] for move in usual["moves"]}
    deciding = athanor.hint(of_match(view, [40, 40, 40, 40]), nodes=400, seed=2).to_dict()
    for move in deciding["moves"]:
        assert 0 <= move["mean"] <= 1
        assert move["points"] == pytest.approx(means[move["move"]])
    assert "% to " in deciding["reason"]
    ahead = [900 if seat == view.seat else 0 for seat in range(4)]
    sure = athanor.hint(of_match(view, ahead), nodes=200).to_dict()
    assert {move["mean"] for move in sure["moves"]} == {1.0}


def test_a_view_keeps_how_the_match_stands() -> None:
    pick: Any = athanor.view(athanor.deal("king", seed=1, variant="unpicked"), 0)
    data = {**json.loads(pick.model_dump_json(exclude_none=True)), "totals": [30, 31, 32, 33], "round": 2}
    view: Any = athanor.parse(data)
    assert " totals=30,31,32,33 round=2 " in str(view)
    assert str(athanor.parse(str(view))) == str(view)
    others = [card for card in ("F1", "F2", "F7", "F5", "W2") if card not in view.hand][:3]
    after: Any = athanor.play(view, [view.hand[0], *others])
    assert (after.totals, after.round) == ((30, 31, 32, 33), 2)
    assert any(label == "Match" for label, _ in GAME.describe(after))
    for key, wrong in (("round", 4), ("totals", [1, 2, 3])):
        with pytest.raises(PositionError) as found:
            athanor.parse({**data, key: wrong})
        assert found.value.path == key
