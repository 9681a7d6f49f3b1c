"""From questions to units, and from units to the same lines each time."""

from __future__ import annotations

import json
from typing import Any

import pytest

import athanor
from athanor.jobs.questions import DEALS_A_UNIT, HINT_NODES, payloads
from athanor.jobs.workers.units import run
from solver.errors import AthanorError
from solver.positions import position_data
from tests.api.support import FREE, HIDDEN, KNOWN

PUZZLE = {"id": "one", "title": "One", "ask": "winnable", "position": KNOWN}


def test_a_unit_says_all_there_is_to_know() -> None:
    (unit,) = payloads("analyze", [KNOWN], {"nodes": 500})
    assert set(json.loads(unit)) == {"ask", "position", "nodes"}
    (own,) = payloads("analyze", [{"position": KNOWN, "nodes": 7}], {"nodes": 500})
    assert json.loads(own)["nodes"] == 7
    (hint,) = payloads("hint", [HIDDEN])
    assert json.loads(hint)["nodes"] == HINT_NODES


@pytest.mark.parametrize(
    ("kind", "question"), [("analyze", KNOWN), ("hint", HIDDEN), ("solve", PUZZLE), ("deal", {"game": "kirin"})]
)
def test_a_unit_comes_to_the_same_each_time(kind: str, question: Any) -> None:
    (unit,) = payloads(kind, [question])
    found = run(unit)
    assert not found.failed
    assert run(unit) == found
    assert '"seconds"' not in "".join(found.lines)


def test_an_analysis_is_that_of_the_front_door() -> None:
    (unit,) = payloads("analyze", [KNOWN])
    (line,) = run(unit).lines
    wanted = athanor.analyze(KNOWN).to_dict()
    assert json.loads(line) == {key: value for key, value in wanted.items() if key != "seconds"}


def test_many_deals_are_several_units_with_the_same_deals() -> None:
    units = payloads("deal", [{"game": "kirin", "seed": 5, "number": 3, "deals": DEALS_A_UNIT + 1}])
    assert len(units) == 2
    (last,) = run(units[1]).lines
    found = json.loads(last)
    assert found["number"] == 3 + DEALS_A_UNIT
    assert athanor.parse(found["position"]) == athanor.deal("kirin", seed=5, number=3 + DEALS_A_UNIT)


@pytest.mark.parametrize(
    ("kind", "questions", "code", "path"),
    [
        ("win", [KNOWN], "unknown_value", "kind"),
        ("analyze", [KNOWN, {**KNOWN, "hand": "P"}], "illegal_card", "questions[1].position.hand"),
        ("analyze", [HIDDEN], "not_playable", "questions[0]"),
        ("hint", [FREE], "not_playable", "questions[0]"),
        ("hint", [{"position": HIDDEN, "model": "ally"}], "unknown_key", "questions[0].model"),
        ("deal", [{"game": "whist"}], "unknown_game", "questions[0].game"),
        ("deal", [{"game": "kirin", "deals": 0}], "out_of_range", "questions[0].deals"),
        ("solve", [{**PUZZLE, "ask": "what"}], "unknown_value", "questions[0].puzzle.ask"),
        ("analyze", [7], "wrong_type", "questions[0].position"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_path(kind: str, questions: Any, code: str, path: str) -> None:
    with pytest.raises(AthanorError) as found:
        payloads(kind, questions)
    assert (found.value.code, found.value.path) == (code, path)


def test_a_hint_of_no_worlds_is_the_first_answer() -> None:
    table = athanor.deal("king", seed=1, variant="unpicked")
    (unit,) = payloads("hint", [position_data(athanor.view(table, 0))], {"worlds": 0})
    (line,) = run(unit).lines
    assert json.loads(line)["method"] == "policy"


def test_an_option_that_a_kind_does_not_take_is_refused() -> None:
    with pytest.raises(AthanorError) as found:
        payloads("deal", [{"game": "kirin"}], {"worlds": 5})
    assert (found.value.code, found.value.path) == ("not_applicable", "questions[0].worlds")


def test_a_fault_is_in_the_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    (unit,) = payloads("analyze", [KNOWN])

    def fail(*given: Any, **more: Any) -> None:
        raise ZeroDivisionError("nothing")

    monkeypatch.setattr("athanor.questions.analyze", fail)
    outcome = run(unit)
    assert outcome.failed
    assert json.loads(outcome.lines[0])["error"]["code"] == "internal_error"
