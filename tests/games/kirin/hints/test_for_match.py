"""Hints of Kirin that play for the match before its last round."""

from __future__ import annotations

import json
from typing import Any

import pytest

import athanor
from solver.errors import PositionError
from solver.games.kirin import GAME
from solver.games.kirin.hint import _whole_rounds
from tests.games.kirin.hints.views import late_view

LEVEL = (5, 5, 5, 5)


def told(view: Any, totals: tuple[int, ...], number: int, **more: Any) -> dict[str, Any]:
    return {**json.loads(view.model_dump_json(exclude_none=True)), "totals": totals, "round": number, **more}


def test_a_hint_plays_for_the_match_in_every_round_when_asked_to() -> None:
    view = late_view(3, 5)
    ahead, behind = [
        tuple(high if seat == view.seat else low for seat in range(4)) for high, low in ((6, 3), (3, 6))
    ]
    chances = []
    for totals in (behind, LEVEL, ahead):
        found = athanor.hint(told(view, totals, 2, for_match=True), worlds=150).to_dict()
        assert all(0 <= move["mean"] <= 1 <= move["points"] + 1 for move in found["moves"])
        chances.append(found["moves"][0]["mean"])
    assert 0 < chances[0] < chances[1] < chances[2] < 1
    early = athanor.hint(told(view, ahead, 1, for_match=True), worlds=150).to_dict()["moves"][0]["mean"]
    assert early < chances[2]  # a lead is worth less the more is to come
    for totals, chance in (((40, 0, 0, 0), 1), ((0, 40, 40, 40), 0)):
        mine = totals[-view.seat :] + totals[: -view.seat] if view.seat else totals
        sure = athanor.hint(told(view, mine, 2, for_match=True), worlds=30).to_dict()
        assert {move["mean"] for move in sure["moves"]} == {chance}


def test_it_changes_nothing_in_the_last_round_nor_where_it_is_not_asked_for() -> None:
    view = late_view(3, 5)
    for number, same in ((3, True), (2, False)):
        usual, always, off = (
            athanor.hint(told(view, LEVEL, number, **more), worlds=60).to_dict()["moves"]
            for more in ({}, {"for_match": True}, {"for_match": False})
        )
        assert off == usual
        assert (always == usual) is same


def test_who_plays_for_the_match_tells_how_it_stands() -> None:
    before = athanor.view(athanor.deal("kirin", seed=1, variant="undeclared"), 0)
    data = told(before, (3, 1, 4, 1), 2, for_match=True)
    view: Any = athanor.parse(data)
    assert " totals=3,1,4,1 round=2 for_match=yes " in str(view)
    assert str(athanor.parse(str(view))) == str(view)
    for _ in range(2):
        view = athanor.play(view, athanor.possible_moves(view)[0])
        assert (view.totals, view.round, view.for_match) == ((3, 1, 4, 1), 2, True)
    assert dict(GAME.describe(view))["Match"].endswith("; played for the match")
    for key in ("totals", "round"):
        with pytest.raises(PositionError) as found:
            athanor.parse({name: value for name, value in data.items() if name != key})
        assert (found.value.code, found.value.path) == ("missing_key", key)


def test_whole_rounds_are_rounds_of_kirin() -> None:
    rounds = _whole_rounds()
    assert rounds.min() >= 0
    assert (rounds == rounds.round()).all()
    assert (rounds.sum(axis=1) <= 32).all()  # nine cards of a colour, of which one is set aside
    assert 2 < rounds.mean() < 4
    assert abs(rounds.mean(axis=0) - rounds.mean()).max() < 1
