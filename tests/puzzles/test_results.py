"""Solved puzzles: what is confirmed, what is refuted, what is neither."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzles.check import solve_puzzle
from solver.answers import Analysis
from solver.games.alchemy import solving
from solver.games.alchemy.position import MatchesAnalysis, SolitaireHint, SolitaireHintMove
from solver.limits import Limit
from tests.puzzles.support import DEAL, DUEL, FEWEST, FREE, LOST, NO_MATCH, TIED, WON, puzzle, solved


@pytest.mark.parametrize(
    ("ask", "position", "solution"),
    [
        ("winnable", WON, {"winnable": True}),
        ("winnable", WON, {"value": "won"}),
        ("winnable", LOST, {"value": "lost", "winnable": False}),
        ("value", WON, {"value": "won"}),
        ("best-move", WON, {"best": ["2+4=6", "9+4=6+7"], "value": "won"}),
        ("best-move", LOST, {"best": ["discard K", "discard Q"], "value": "lost"}),
        ("value", DUEL, {"value": 7}),
        ("best-move", DUEL, {"best": ["A+2+3+Q=5+K"], "value": 7.0}),
        ("all-matches", FREE, {"value": 2}),
        ("all-matches", FREE, {"moves": ["4=A+3", "2+3=4+A"]}),
        ("all-matches", FREE, {"best": ["2+3=4+A", "3+A=4", "4=A+3"], "value": 2}),
        ("all-matches", NO_MATCH, {"value": 0, "moves": []}),
        ("all-matches", WON, {"moves": ["2+4=6", "9+4=6+7"], "value": 2}),
        ("all-matches", LOST, {"moves": [], "value": 0}),
        ("value", FEWEST, {"value": 1}),
        ("best-move", FEWEST, {"best": ["4=4"]}),
        ("best-move", TIED, {"best": ["2+A=3"]}),
        ("best-move", NO_MATCH | {"objective": "most-points"}, {"best": []}),
    ],
)
def test_confirmed(ask: str, position: dict[str, Any], solution: dict[str, object]) -> None:
    result = solved(ask, position, **solution)
    assert (result.status, result.confirmed, result.reason) == ("confirmed", True, None)
    assert result.answer is not None
    assert (result.nodes, result.seconds) == (result.answer.nodes, result.answer.seconds)


@pytest.mark.parametrize(
    ("ask", "position", "solution", "reason"),
    [
        ("winnable", WON, {"winnable": False}, "the value is won, not lost"),
        ("winnable", LOST, {"value": "won"}, "the value is lost, not won"),
        ("best-move", WON, {"best": ["2+4=6"]}, "6+7=4+9 is optimal too"),
        ("best-move", WON, {"best": []}, "6+7=4+9 is optimal too"),
        ("value", DUEL, {"value": 8}, "the value is 7, not 8"),
        ("value", DUEL, {"value": "7"}, "the value is 7, not 7"),
        ("best-move", DUEL, {"best": ["A+2+3+Q=5+K", "none"]}, "none is not optimal"),
        ("best-move", DUEL, {"best": ["A+2+3+Q=5+K"], "value": 6}, "the value is 7, not 6"),
        ("all-matches", FREE, {"value": 3}, "the value is 2, not 3"),
        ("all-matches", FREE, {"moves": ["4=A+3"]}, "4+A=2+3 is missing"),
        ("all-matches", LOST, {"moves": ["discard K"]}, "discard K is not a match"),
        ("best-move", FEWEST, {"best": ["4=A+3"]}, "4=A+3 is not optimal"),
        ("best-move", FEWEST, {"best": []}, "4=4 is optimal too"),
        (
            "value",
            NO_MATCH | {"objective": "most-points"},
            {"value": 1},
            "there is no move, so the value is not 1",
        ),
    ],
)
def test_refuted(ask: str, position: dict[str, Any], solution: dict[str, object], reason: str) -> None:
    result = solved(ask, position, **solution)
    assert (result.status, result.confirmed, result.reason) == ("refuted", False, reason)


def test_no_solution_stated() -> None:
    result = solved("best-move", WON)
    assert (result.status, result.confirmed) == ("solved", None)
    assert result.to_dict()["found"] == {"best": ["6=2+4", "6+7=4+9"], "value": "won"}
    assert solved("winnable", LOST).to_dict()["found"] == {"value": "lost", "winnable": False}
    assert solved("all-matches", FREE).to_dict()["found"] == {"value": 2, "moves": ["4+A=2+3", "4=A+3"]}
    assert solved("value", NO_MATCH | {"objective": "most-points"}).status == "solved"


def test_what_is_found_can_be_stated() -> None:
    for ask, position in (("best-move", WON), ("winnable", LOST), ("all-matches", FREE), ("value", DUEL)):
        found = solved(ask, position).to_dict()["found"]
        assert solved(ask, position, **found).confirmed is True


def test_an_ending_with_a_hidden_stock() -> None:
    unseen = ["6", "3", "4", "10", "9", "2", "6"]
    view = {
        "game": "alchemy", "variant": "alternative", "cap": 3,
        "line": ["3", "2", "4"], "hand": "5", "unseen": unseen,
    }  # fmt: skip
    result = solved("best-move", view)
    assert result.status == "solved"
    found = result.to_dict()["found"]
    assert found["best"] == ["5+2=3+4"]
    assert found["value"] == pytest.approx(43 / 70)
    assert solved("best-move", view, **found).confirmed is True
    assert solved("value", view, value=found["value"] + 1e-5).confirmed is False


def test_a_limit_that_ends_the_search_proves_nothing() -> None:
    stock = ["5", "Q", "3", "J", "8", "8", "2", "10", "K", "4", "6", "3", "J", "5", "A", "9", "Q", "7", "10", "2"]
    cases: list[dict[str, object]] = [{}, {"winnable": True}, {"winnable": False}]
    for stated in cases:
        result = solve_puzzle(puzzle("winnable", DEAL | {"stock": stock}, **stated), Limit(nodes=1))
        assert (result.status, result.confirmed, result.found) == ("unproved", None, None)
        assert result.reason is not None
        assert result.answer is not None
        assert not result.answer.exact


def test_bounds_refute_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def bounded(*args: object, **options: object) -> Analysis:
        return MatchesAnalysis(
            game="alchemy", to_move=0, exact=False, value=None, bounds=(3, 9), best=None, moves=(), line=(),
            nodes=1, seconds=0.0,
        )  # fmt: skip

    monkeypatch.setattr(solving, "answer", bounded)
    assert solved("all-matches", FREE, value=2).reason == "the value is between 3 and 9, not 2"
    assert solved("all-matches", FREE, value=10).confirmed is False
    assert solved("all-matches", FREE, value=4).status == "unproved"


def _hint(*chances: tuple[str, float], exact: bool) -> SolitaireHint:
    moves = [
        SolitaireHintMove(
            move=move, used=(), win_probability=chance, stderr=0.0, exact=exact, clairvoyant=None, method="test"
        )
        for move, chance in chances
    ]
    return SolitaireHint(
        game="alchemy", to_move=0, exact=exact, best=moves[0].move, moves=tuple(moves), reason="", method="test",
        worlds=0, seed=0, nodes=1, seconds=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("solution", "exact", "status"),
    [
        ({}, True, "solved"),
        ({}, False, "unproved"),
        ({"value": 0.75}, True, "confirmed"),
        ({"value": 0.7500001}, True, "confirmed"),
        ({"value": 0.75001}, True, "refuted"),
        ({"value": 0.75}, False, "unproved"),
        ({"best": ["6+7=4+9", "6=2+4"], "value": 0.75}, True, "confirmed"),
        ({"best": ["6=2+4"]}, True, "refuted"),
        ({"best": ["6+7=4+9", "6=2+4"]}, False, "unproved"),
    ],
)
def test_hidden_cards(
    monkeypatch: pytest.MonkeyPatch, solution: dict[str, object], exact: bool, status: str
) -> None:
    found = _hint(("6=2+4", 0.75), ("6+7=4+9", 0.75 - 1e-12), exact=exact)
    monkeypatch.setattr(solving, "answer", lambda *args, **options: found)
    view = {key: value for key, value in WON.items() if key != "stock"}
    assert solved("best-move", view, **solution).status == status


def test_a_forced_move_needs_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "answer", lambda *args, **options: _hint(("6=2+4", 0.5), exact=False))
    view = {key: value for key, value in WON.items() if key != "stock"}
    assert solved("best-move", view, best=["6=2+4"]).status == "confirmed"
    assert solved("best-move", view, best=["6=2+4"], value=0.5).status == "unproved"


def test_the_json_of_a_result() -> None:
    data = json.loads(solved("value", DUEL, value=7).to_json())
    assert list(data) == [
        "id", "title", "ask", "game", "status", "confirmed", "found", "answer", "nodes", "seconds"
    ]  # fmt: skip
    assert data["answer"]["moves"][0]["swing"] == 7
    assert data["answer"]["if_opponent_first"]["value"] == 8
