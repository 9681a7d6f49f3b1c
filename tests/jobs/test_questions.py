"""From questions to units, and from units to the same lines each time."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import athanor
from api.cli.main import cli
from athanor import surveys
from athanor.jobs.questions import DEALS_A_UNIT, HINT_NODES, answer, payloads
from athanor.jobs.store import Outcome, Store
from solver.errors import AthanorError
from solver.games.alchemy.winrate import WinrateResult, winrate
from solver.positions import position_data
from tests.api.support import FREE, HIDDEN, KNOWN
from tests.jobs.support import clock, do, store

__all__ = ["clock", "store"]

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
    found = answer(unit)
    assert not found.failed
    assert answer(unit) == found
    assert '"seconds"' not in "".join(found.lines)


def test_an_analysis_is_that_of_the_front_door() -> None:
    (unit,) = payloads("analyze", [KNOWN])
    (line,) = answer(unit).lines
    wanted = athanor.analyze(KNOWN).to_dict()
    assert json.loads(line) == {key: value for key, value in wanted.items() if key != "seconds"}


def test_many_deals_are_several_units_with_the_same_deals() -> None:
    units = list(payloads("deal", [{"game": "kirin", "seed": 5, "number": 3, "deals": DEALS_A_UNIT + 1}]))
    assert len(units) == 2
    (last,) = answer(units[1]).lines
    found = json.loads(last)
    assert found["number"] == 3 + DEALS_A_UNIT
    assert athanor.parse(found["position"]) == athanor.deal("kirin", seed=5, number=3 + DEALS_A_UNIT)


@pytest.mark.parametrize(
    ("kind", "questions", "code", "path"),
    [
        ("win", [KNOWN], "unknown_value", "kind"),
        ("analyze", [KNOWN, {**KNOWN, "hand": "P"}], "illegal_card", "questions[1].hand"),
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
        list(payloads(kind, questions))
    assert (found.value.code, found.value.path) == (code, path)


def test_a_hint_of_no_worlds_is_the_first_answer() -> None:
    table = athanor.deal("king", seed=1, variant="unpicked")
    (unit,) = payloads("hint", [position_data(athanor.view(table, 0))], {"worlds": 0})
    (line,) = answer(unit).lines
    assert json.loads(line)["method"] == "policy"


def test_an_option_that_a_kind_does_not_take_is_refused() -> None:
    with pytest.raises(AthanorError) as found:
        list(payloads("deal", [{"game": "kirin"}], {"worlds": 5}))
    assert (found.value.code, found.value.path) == ("not_applicable", "questions[0].worlds")


def test_a_fault_is_in_the_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    (unit,) = payloads("analyze", [KNOWN])

    def fail(*given: Any, **more: Any) -> None:
        raise ZeroDivisionError("nothing")

    monkeypatch.setattr("athanor.questions.analyze", fail)
    outcome = answer(unit)
    assert outcome.failed
    assert json.loads(outcome.lines[0])["error"]["code"] == "internal_error"


# Surveys.

ASKED = {"game": "alchemy", "survey": "winrate", "variant": "alternative", "seed": 3}


def test_a_survey_is_cut_into_many_units() -> None:
    """A million deals are work for many processors, and a small part is not cut further."""
    units = [json.loads(unit) for unit in payloads("survey", [{**ASKED, "number": 5, "deals": 1_000_001}])]
    assert len(units) == 64
    assert units[0] == {"ask": "survey", **ASKED, "number": 5, "deals": 15_626}
    assert [unit["number"] for unit in units[1:]] == [unit["number"] + unit["deals"] for unit in units[:-1]]
    assert units[-1]["number"] + units[-1]["deals"] == 1_000_006
    usual = [json.loads(unit) for unit in payloads("survey", [{"game": "alchemy", "survey": "winrate"}])]
    assert {key: usual[0][key] for key in ("variant", "seed", "number", "deals")} == {
        "variant": "solo", "seed": 0, "number": 0, "deals": 10_000,
    }  # fmt: skip
    assert len(usual) == 10


def test_what_a_stopped_job_has_done_and_then_all_of_it(store: Store) -> None:
    """A job stopped between two units continues from there, and its counts are those of one unbroken run."""
    units = payloads("survey", [{**ASKED, "deals": 40}, {**ASKED, "number": 40, "deals": 60}])
    job, _ = store.submit("survey", units)

    def first_alone(payload: str, cancel: threading.Event) -> Outcome:
        return answer(payload) if store.job(job.id).units.done == 0 else Outcome([], not cancel.wait(60))

    assert do(store, first_alone, stop=lambda: store.job(job.id).units.done > 0) == 1
    _, part = surveys.together(result.result for result in store.results(job.id))
    assert part.to_dict()["deals"] == 40
    do(store)
    _, whole = surveys.together(result.result for result in store.results(job.id))
    unbroken = winrate("alternative", deals=100, seed=3)
    assert isinstance(whole, WinrateResult)
    without = {"seconds", "deals_per_second"}
    assert whole.model_dump(exclude=without) == unbroken.model_dump(exclude=without)


@pytest.mark.parametrize(
    ("question", "code", "path"),
    [
        ({**ASKED, "survey": "lead"}, "unknown_value", "questions[0].survey"),
        ({**ASKED, "variant": "duel"}, "unknown_value", "questions[0].variant"),
        ({**ASKED, "game": "whist"}, "unknown_game", "questions[0].game"),
        ({**ASKED, "deals": 0}, "out_of_range", "questions[0].deals"),
        ({"game": "alchemy"}, "missing_key", "questions[0].survey"),
    ],
)
def test_what_is_no_survey_is_refused_with_its_path(question: Any, code: str, path: str) -> None:
    with pytest.raises(AthanorError) as found:
        list(payloads("survey", [question]))
    assert (found.value.code, found.value.path) == (code, path)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], "wrong_size"),
        ([{"seed": 1, "number": 0}], "wrong_type"),
        ([7], "wrong_type"),
        ([{**ASKED, "number": 0, "deals": 5}], "wrong_type"),
        ([{**ASKED, "number": 0}, {**ASKED, "seed": 4}], "conflict"),
    ],
)
def test_rows_that_come_to_nothing_are_refused(rows: list[Any], code: str) -> None:
    with pytest.raises(AthanorError) as found:
        surveys.together(rows)
    assert found.value.code == code


def test_a_batch_of_a_survey_and_what_it_comes_to(tmp_path: Path) -> None:
    out = tmp_path / "won.ndjson"

    def run(*words: object, stdin: str | None = None) -> Any:
        return CliRunner().invoke(cli, [str(word) for word in words], input=stdin)

    asked = ("alchemy/winrate/alternative", "--deals", 50, "--seed", 3)
    found = run("batch", "survey", *asked, "--jobs", 1, "--out", out)
    assert found.exit_code == 0, found.output
    told = run("survey", out, "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["won"] == winrate("alternative", deals=50, seed=3).won
    followed = json.dumps({"id": 1, "unit": 0, "result": json.loads(out.read_text(encoding="utf-8"))})
    assert "Winnable" in run("survey", "-", stdin=followed).stdout
    nothing = run("survey", "-", stdin='{"unit": 1}\n')
    assert nothing.exit_code == 2
    assert "these are not the rows of a survey" in nothing.stderr
    assert run("batch", "survey", "alchemy/lead", "--out", out).exit_code == 2
