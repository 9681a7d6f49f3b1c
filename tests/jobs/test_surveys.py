"""Surveys as jobs and batches: cut into units, done, told together; and what is none is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import cli
from athanor import surveys
from athanor.jobs.questions import payloads
from athanor.jobs.storage.store import Store
from athanor.jobs.workers.units import run
from athanor.jobs.workers.worker import work
from solver.errors import AthanorError
from solver.games.alchemy.winrate import WinrateResult, winrate
from tests.jobs.support import store

__all__ = ["store"]

ASKED = {"game": "alchemy", "survey": "winrate", "variant": "alternative", "seed": 3}


def test_a_survey_is_cut_into_units_of_its_own_size() -> None:
    units = [json.loads(unit) for unit in payloads("survey", [{**ASKED, "number": 5, "deals": 2_000_001}])]
    ranges = [(unit["number"], unit["deals"]) for unit in units]
    assert ranges == [(5, 1_000_000), (1_000_005, 1_000_000), (2_000_005, 1)]
    assert units[0] == {"ask": "survey", **ASKED, "number": 5, "deals": 1_000_000}
    (usual,) = payloads("survey", [{"game": "alchemy", "survey": "winrate"}])
    assert {key: json.loads(usual)[key] for key in ("variant", "seed", "number", "deals")} == {
        "variant": "solo", "seed": 0, "number": 0, "deals": 100_000,
    }  # fmt: skip


def test_what_a_stopped_job_has_done_and_then_all_of_it(store: Store) -> None:
    """A job stopped between two units goes on from there, and its counts are those of one unbroken run."""
    units = payloads("survey", [{**ASKED, "deals": 40}, {**ASKED, "number": 40, "deals": 60}])
    job, _ = store.submit("survey", units)
    done: list[str] = []

    def one(payload: str, cancel: Any) -> Any:
        done.append(payload)
        return run(payload, cancel)

    work(store, run=one, stop=lambda: bool(done))
    assert store.job(job.id).units.done == 1
    _, part = surveys.together(result.result for result in store.results(job.id))
    assert part.to_dict()["deals"] == 40
    work(store, run=one)
    assert len(done) == 2
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
        payloads("survey", [question])
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

    def athanor(*words: object, stdin: str | None = None) -> Any:
        return CliRunner().invoke(cli, [str(word) for word in words], input=stdin)

    asked = ("alchemy/winrate/alternative", "--deals", 50, "--seed", 3)
    found = athanor("batch", "survey", *asked, "--jobs", 1, "--out", out)
    assert found.exit_code == 0, found.output
    told = athanor("survey", out, "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["won"] == winrate("alternative", deals=50, seed=3).won
    followed = json.dumps({"id": 1, "unit": 0, "result": json.loads(out.read_text(encoding="utf-8"))})
    assert "Winnable" in athanor("survey", "-", stdin=followed).stdout
    nothing = athanor("survey", "-", stdin='{"unit": 1}\n')
    assert nothing.exit_code == 2
    assert "these are not the rows of a survey" in nothing.stderr
    assert athanor("batch", "survey", "alchemy/lead", "--out", out).exit_code == 2
