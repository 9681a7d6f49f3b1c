"""Hints of Kirin in the round that decides the match: the chance to win it or to share the win."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import athanor
from solver.common import members
from solver.errors import PositionError
from solver.games.kirin import GAME
from solver.games.kirin.deck import colour
from solver.games.kirin.fast_rules import DECK
from solver.games.kirin.hint import OWN_POINTS, Rounds
from solver.games.kirin.position import View, fields_number
from solver.games.kirin.rules import SEATS, State, points
from solver.games.kirin.worlds import SCORE, SCORES, STATISTICS, deals, draw_world
from solver.kernels.rng import start
from tests.games.kirin.hints.views import late_view

WORLDS = 60


def of_match(view: View, totals: tuple[int, ...], number: int = 3) -> View:
    found = athanor.parse(
        {**json.loads(view.model_dump_json(exclude_none=True)), "totals": totals, "round": number}
    )
    assert isinstance(found, View)
    return found


@pytest.mark.small
@pytest.mark.parametrize("totals", [(0, 0, 0, 0), (9, 10, 11, 8), (30, 2, 30, 29)])
def test_the_last_trick_in_each_world_by_the_rules(totals: tuple[int, ...]) -> None:
    for seed in range(4):
        view = of_match(late_view(seed, 7), totals)
        dealt = deals(view)
        (card,) = (fields_number(text) for text in view.hand)
        playing = Rounds(dealt, [card], 5, infer=False)
        results = np.zeros((WORLDS, 1, playing.statistics))
        playing.play(0, results, np.ones(WORLDS))
        words, places = np.zeros(1, np.int64), np.zeros(len(dealt.cards), np.int64)
        hands, aside = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
        for world in range(WORLDS):
            start(words, 5, world)
            draw_world(dealt.setting, words, places, hands, aside)
            held = tuple(sum(1 << DECK[one] for one in members(int(hand))) for hand in hands)
            state = State(view.past.rules, tuple(held), view.leader, (), view.past.won)
            while not state.over:
                state = state.after(state.moves()[0])
            scores = points(state.won, [colour(DECK[int(one)]) for one in aside])
            found = results[world, 0]
            assert found[SCORES : SCORES + SEATS].tolist() == list(scores)
            assert found[OWN_POINTS] == scores[view.seat]
            final = [before + score for before, score in zip(totals, scores, strict=True)]
            assert found[SCORE] == (final[view.seat] == max(final))


def test_a_hint_goes_by_the_match_in_its_last_round_alone() -> None:
    view = late_view(3, 3)
    usual = athanor.hint(view, nodes=2000, seed=2).to_dict()
    for told in (of_match(view, (9, 10, 11, 8), 2), view.model_copy(update={"totals": (9, 10, 11, 8)})):
        again = athanor.hint(told, nodes=2000, seed=2).to_dict()
        assert again["moves"] == usual["moves"]
        assert "points" not in again["moves"][0]
    deciding = athanor.hint(of_match(view, (9, 10, 11, 8)), nodes=2000, seed=2).to_dict()
    means = {move["move"]: move["mean"] for move in usual["moves"]}
    for move in deciding["moves"]:
        assert 0 <= move["mean"] <= 1
        assert move["points"] == pytest.approx(means[move["move"]])
    assert "points" not in deciding["reason"]
    ahead, behind = [0] * SEATS, [40] * SEATS
    ahead[view.seat], behind[view.seat] = 40, 0
    for totals, chance in ((ahead, 1.0), (behind, 0.0)):
        sure = athanor.hint(of_match(view, tuple(totals)), nodes=500).to_dict()
        assert {move["mean"] for move in sure["moves"]} == {chance}


def test_a_view_keeps_how_the_match_stands() -> None:
    before = athanor.view(athanor.deal("kirin", seed=1, variant="undeclared"), 0)
    data = {**json.loads(before.model_dump_json(exclude_none=True)), "totals": [3, 1, 4, 1], "round": 3}
    view: Any = athanor.parse(data)
    assert " totals=3,1,4,1 round=3 " in str(view)
    assert str(athanor.parse(str(view))) == str(view)
    for _ in range(2):
        view = athanor.play(view, athanor.possible_moves(view)[0])
        assert (view.totals, view.round) == ((3, 1, 4, 1), 3)
    assert ("Match", "round 3 of 3; points before it: seat 0 3, seat 1 1, seat 2 4, seat 3 1") in GAME.describe(
        view
    )
    for key, wrong in (("round", 4), ("round", 0), ("totals", [1, 2, 3]), ("totals", [1, 2, 3, -1])):
        with pytest.raises(PositionError) as found:
            athanor.parse({**data, key: wrong})
        assert found.value.path.startswith(key)


def test_without_the_match_nothing_more_is_kept() -> None:
    assert Rounds(deals(late_view(1, 5)), [0], 1).statistics == STATISTICS
