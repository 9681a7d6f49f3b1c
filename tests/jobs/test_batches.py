"""From questions to units, from units to the same lines each time, and batches that a stop does not change."""

from __future__ import annotations

import csv
import itertools
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import athanor
from api.cli.jobs import units_in
from api.cli.main import cli
from athanor import surveys
from athanor.asking import QUESTIONS
from athanor.jobs import outputs
from athanor.jobs.batches import SUFFIX, Batch
from athanor.jobs.file import JobError
from athanor.jobs.store import Outcome, Store
from athanor.jobs.units import DEALS_A_UNIT, HINT_NODES, answer, payloads
from athanor.jobs.workers import ThreadTeam
from solver.answers import WinrateResult
from solver.errors import AthanorError
from solver.games.alchemy.winrate import winrate
from solver.positions import position_data
from tests.api.support import DUEL, FREE, HIDDEN, KNOWN
from tests.jobs.support import do, store
from tests.support.places import ROOT
from tests.support.tracing import traced

__all__ = ["store"]
HIDDEN_TEXT = str(athanor.parse(HIDDEN))
PUZZLE = {"id": "one", "title": "One", "ask": "winnable", "position": KNOWN}


def test_a_unit_says_all_there_is_to_know() -> None:
    (unit,) = payloads("analyze", [KNOWN], {"limit": {"nodes": 500}})
    assert set(json.loads(unit)) == {"ask", "path", "bare", "position", "limit"}
    (own,) = payloads("analyze", [{"position": KNOWN, "limit": {"nodes": 7}}], {"limit": {"nodes": 500}})
    assert json.loads(own)["limit"] == {"nodes": 7}
    (hint,) = payloads("hint", [HIDDEN])
    assert json.loads(hint)["limit"] == {"nodes": HINT_NODES}


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
        ("analyze", [{"position": {**KNOWN, "hand": "P"}}], "illegal_card", "questions[0].position.hand"),
        ("solve", [{"puzzle": {**PUZZLE, "ask": "what"}}], "unknown_value", "questions[0].puzzle.ask"),
        ("analyze", [HIDDEN], "not_playable", "questions[0]"),
        ("hint", [FREE], "not_playable", "questions[0]"),
        ("hint", [{"position": HIDDEN, "model": "ally"}], "unknown_key", "questions[0].model"),
        ("deal", [{"game": "chess"}], "unknown_game", "questions[0].game"),
        ("deal", [{"game": "kirin", "deals": 0}], "out_of_range", "questions[0].deals"),
        ("solve", [{**PUZZLE, "ask": "what"}], "unknown_value", "questions[0].ask"),
        ("analyze", [7], "wrong_type", "questions[0]"),
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
    assert (found.value.code, found.value.path) == ("not_applicable", "worlds")


def test_a_fault_is_in_the_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    (unit,) = payloads("analyze", [KNOWN])

    def fail(*given: Any, **more: Any) -> None:
        raise ZeroDivisionError("nothing")

    monkeypatch.setattr(QUESTIONS["analyze"], "ask", fail)
    outcome = answer(unit)
    assert outcome.failed
    assert json.loads(outcome.lines[0])["error"]["code"] == "internal_error"


# Surveys.
ASKED = {"game": "alchemy", "survey": "winrate", "variant": "alternative", "seed": 3}


def test_a_survey_is_cut_into_many_units() -> None:
    """A million deals are work for many processors, and a small part is not cut further."""
    units = [json.loads(unit) for unit in payloads("survey", [{**ASKED, "number": 5, "deals": 1_000_001}])]
    assert len(units) == 64
    first = {"ask": "survey", "path": "questions[0]", **ASKED, "number": 5, "deals": 15_626}
    assert units[0] == first
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
        ({**ASKED, "game": "chess"}, "unknown_game", "questions[0].game"),
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
    followed = json.dumps({"id": 1, "index": 0, "result": json.loads(out.read_text(encoding="utf-8"))})
    assert "Winnable" in run("survey", "-", stdin=followed).stdout
    nothing = run("survey", "-", stdin='{"unit": 1}\n')
    assert nothing.exit_code == 2
    assert "these are not the rows of a survey" in nothing.stderr
    assert run("batch", "survey", "alchemy/lead", "--out", out).exit_code == 2


# Batches.


UNITS = [
    unit
    for game in ("kirin", "king")
    for unit in payloads(
        "deal", [{"game": game, "seed": 1, "number": 2 * place, "deals": 2} for place in range(3)]
    )
]


def _output(path: Path, kind: str = "deal", units: list[str] = UNITS, jobs: int = 1) -> bytes:
    batch = Batch(kind, units, str(path))
    assert batch.run(jobs)
    assert batch.finish() == 0
    return path.read_bytes()


def _more_than(batch: Batch, done: int) -> bool:
    return batch.store.job(batch.job.id).units.done > done


def test_a_stopped_batch_goes_on_to_the_same_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadTeam, "seconds", 0.0)  # a unit at a time, as if each took long
    whole = _output(tmp_path / "whole.ndjson")
    assert [json.loads(line)["number"] for line in whole.splitlines()] == [0, 1, 2, 3, 4, 5] * 2
    out = tmp_path / "stopped.ndjson"
    told: list[tuple[int, int]] = []
    for _ in range(2):
        batch = Batch("deal", UNITS, str(out))
        done = batch.store.job(batch.job.id).units.done
        stop = partial(_more_than, batch, done)
        assert not batch.run(1, stop=stop, report=lambda *share: told.append(share))
        batch.store.close()
    assert 0 < told[-1][0] < told[-1][1] == len(UNITS)
    assert not out.exists()
    assert Path(f"{out}{SUFFIX}").exists()
    assert _output(out, jobs=2) == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stopped.ndjson", "whole.ndjson"]


def test_what_is_unfinished_is_not_taken_for_another_batch(tmp_path: Path) -> None:
    out = str(tmp_path / "out.ndjson")
    Batch("deal", UNITS, out).store.close()
    with pytest.raises(JobError, match="other questions"):
        Batch("deal", UNITS[:2], out)


def test_nor_for_one_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = str(tmp_path / "out.ndjson")
    Batch("deal", UNITS, out).store.close()
    monkeypatch.setattr("athanor.jobs.batches.stamp", lambda: "other")
    with pytest.raises(JobError, match="another version"):
        Batch("deal", UNITS, out)


def test_a_finished_batch_is_not_overwritten_unless_that_is_said(tmp_path: Path) -> None:
    out = tmp_path / "out.ndjson"
    whole = _output(out)
    for units in (UNITS, UNITS[:2]):
        with pytest.raises(JobError, match="already exists"):
            Batch("deal", units, str(out))
        assert [path.name for path in tmp_path.iterdir()] == ["out.ndjson"]
        assert out.read_bytes() == whole
    with pytest.raises(JobError, match="already exists"):
        athanor.batch("deal", ["kirin"], out)
    assert athanor.batch("deal", ["kirin"], out, overwrite=True)
    assert out.read_bytes() != whole


def test_what_was_killed_between_its_output_and_its_end_only_ends(tmp_path: Path) -> None:
    out = tmp_path / "out.ndjson"
    batch = Batch("deal", UNITS, str(out))
    assert batch.run(1)
    outputs.write(str(out), lambda: batch.store.ordered(batch.job.id))
    batch.store.close()
    whole = out.read_bytes()
    assert _output(out) == whole
    assert [path.name for path in tmp_path.iterdir()] == ["out.ndjson"]


def test_a_faulty_question_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(AthanorError, match="chess"):
        athanor.batch("deal", ["kirin"] * 5 + ["chess"], tmp_path / "out.ndjson")
    assert list(tmp_path.iterdir()) == []


def test_a_table_has_a_column_for_each_key_and_for_errors(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    batch = Batch(
        "analyze", [*payloads("analyze", [KNOWN]), '{"ask":"analyze","position":"kirin seat=9"}'], str(out)
    )
    assert batch.run(1)
    assert batch.finish() == 1
    with out.open(encoding="utf-8-sig", newline="") as file:
        good, bad = csv.DictReader(file)
    assert (good["index"], good["game"], good["exact"], good["error_code"]) == ("0", "alchemy", "true", "")
    assert json.loads(good["moves"])[0]["move"] == good["best"]
    assert (bad["index"], bad["game"]) == ("1", "")
    assert bad["error_code"] != ""


def test_parquet_has_the_same_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    _output(tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["index", "seed", "number", "text", "position"]
    assert table["number"].to_pylist() == [0, 1, 2, 3, 4, 5] * 2


def test_figures_are_numbers_where_none_is_known(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    out = tmp_path / "values.parquet"
    line = str(athanor.deal("kirin", seed=1))
    assert command("batch", "analyze", "--nodes", 2, "--jobs", 1, "--out", out, stdin=line).exit_code == 0
    table = parquet.read_table(out)
    assert [table[name].to_pylist() for name in ("mean", "stderr")] == [[None], [None]]
    assert {str(table.schema.field(name).type) for name in ("mean", "stderr")} == {"double"}


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("suffix", ["ndjson", "csv", "parquet"])
def test_deals_are_questions_about_positions(tmp_path: Path, suffix: str) -> None:
    """Whatever format they are written in, and however many games they are of."""
    if suffix == "parquet":
        pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    deals, out = tmp_path / f"deals.{suffix}", tmp_path / "out.ndjson"
    games = ("kirin", "alchemy", "king", "aqua-regia")
    found = command("batch", "deal", *games, "--deals", 2, "--seed", 3, "--jobs", 1, "--out", deals)
    assert found.exit_code == 0, found.output
    found = command("batch", "analyze", deals, "--nodes", 20, "--jobs", 1, "--out", out)
    assert found.exit_code == 0, found.output
    texts = [str(athanor.deal(game, seed=3, number=number)) for game in games for number in range(2)]
    assert [json.loads(line)["text"] for line in out.read_text().splitlines()] == texts


def test_a_deal_is_a_question_of_a_job_and_may_have_options() -> None:
    deal = json.loads(answer(next(iter(payloads("deal", [{"game": "alchemy", "seed": 7}])))).lines[0])
    (alone,) = payloads("analyze", [{"position": deal["position"]}])
    assert list(payloads("analyze", [deal])) == [alone]
    (unit,) = payloads(
        "hint", [{"seed": 9, "number": 4, "text": HIDDEN_TEXT, "position": HIDDEN, "limit": {"nodes": 50}}]
    )
    assert {key: json.loads(unit)[key] for key in ("position", "limit")} == {
        "position": HIDDEN_TEXT, "limit": {"nodes": 50},
    }  # fmt: skip
    assert json.loads(unit)["seed"] == 0  # that of the deal is not that of the hint


@pytest.mark.parametrize(
    ("more", "code", "path"),
    [
        ({"text": "kirin hand=D1"}, "conflict", "questions[0].text"),
        ({"text": 7}, "conflict", "questions[0].text"),
        ({"text": HIDDEN_TEXT, "numbr": 1}, "unknown_key", "questions[0].numbr"),
        ({"number": 1}, "unknown_key", "questions[0].number"),  # no deal: it has no text
    ],
)
def test_what_only_looks_like_a_deal_is_refused(more: Any, code: str, path: str) -> None:
    with pytest.raises(AthanorError) as found:
        list(payloads("hint", [{"position": HIDDEN, **more}]))
    assert (found.value.code, found.value.path) == (code, path)


@pytest.mark.parametrize("name", ["kirin-view", "king-view", "aqua-view", "duel-race"])
def test_a_table_of_hints_has_the_mean_of_the_best_move(tmp_path: Path, name: str) -> None:
    position = ROOT / f"docs/examples/{name}.json"
    for suffix in ("ndjson", "csv"):
        out = tmp_path / f"out.{suffix}"
        found = command("batch", "hint", position, "--nodes", 200, "--jobs", 1, "--out", out)
        assert found.exit_code == 0, found.output
    hint = json.loads((tmp_path / "out.ndjson").read_text())
    (row,) = _table(tmp_path / "out.csv")
    (best,) = (move for move in hint["moves"] if move["move"] == row["best"])
    mean = next(best[key] for key in ("mean", "win_probability", "swing") if best.get(key) is not None)
    assert (row["index"], row["best"], float(row["mean"])) == ("0", hint["best"], mean)
    assert float(row["stderr"]) == (best.get("stderr") or 0.0)


LAST_CARDS = {"game": "king", "deck": "house", "leader": 0, "trick": [], "hands": [["F1"], ["F2"], ["F3"]]}


@pytest.mark.parametrize(
    ("position", "options"),
    [(KNOWN, {}), (DUEL, {}), (LAST_CARDS, {}), (LAST_CARDS, {"model": "maxn"})],
)
def test_a_proved_value_is_a_mean_without_an_error(tmp_path: Path, position: Any, options: Any) -> None:
    out = tmp_path / "out.csv"
    assert athanor.batch("analyze", [position], out, **options)
    (row,) = _table(out)
    value = athanor.analyze(position, **options).value
    if isinstance(value, tuple):  # of each seat
        value = value[int(row["to_move"])]
    assert (float(row["mean"]), float(row["stderr"])) == ({"won": 1, "lost": 0}.get(str(value), value), 0)


@pytest.mark.parametrize(
    ("kind", "name", "content", "place"),
    [
        ("analyze", "lines", f"\n{athanor.parse(KNOWN)}\n", "lines: line 2"),
        ("deal", "games", '\n\n{"game": "kirin"}\n', "games: line 3"),
        ("solve", "a.toml", f'[[puzzle]]\nid="x"\ntitle="X"\nask="winnable"\nposition="{athanor.parse(KNOWN)}"',
         "a.toml: x"),
    ],
)  # fmt: skip
def test_a_failed_unit_names_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str, content: str, place: str
) -> None:
    """Its line in the file, or its puzzle's ID."""

    def fail(*given: Any, **more: Any) -> None:
        raise MemoryError

    (tmp_path / name).write_text(content)
    units = list(units_in(kind, [str(tmp_path / name)], None, {}))
    for asked in ("analyze", "deal"):
        monkeypatch.setattr(QUESTIONS[asked], "ask", fail)
    monkeypatch.setattr("athanor.jobs.units.solve_puzzle", fail)
    for suffix in ("ndjson", "csv"):
        batch = Batch(kind, units, str(tmp_path / f"out.{suffix}"))
        assert batch.run(1)
        assert batch.finish() == 1
    row = json.loads((tmp_path / "out.ndjson").read_text())
    (line,) = _table(tmp_path / "out.csv")
    assert row["error"]["code"] == line["error_code"] == "out_of_memory"
    assert row["question"] == line["question"] == f"{tmp_path}/{place}"


_LINE = str(athanor.parse(KNOWN))
_BROKEN = f'[[puzzle]]\nid = "y"\n[[puzzle]]\nid = "x"\ntitle = "X"\nask = "winnable"\nposition = "{_LINE}"'
_ENTRY = json.dumps({"position": _LINE})


@pytest.mark.parametrize(
    ("kind", "name", "content", "faults"),
    [
        ("analyze", "lines", f"kirin hand=D1 seat=9\n{_LINE}\n7\n", ["lines: line 1", None, "lines: line 3"]),
        ("hint", "known", f"king hand=F1\n{HIDDEN_TEXT}", ["known: line 1", None]),
        ("analyze", "cut", f"{_ENTRY[:20]}\n{_ENTRY}\n{_ENTRY[:-1]}", ["cut: line 1", None, "cut: line 3"]),
        ("analyze", "list", f'["chess hand=1", "{_LINE}"]', ["list: question 1", None]),
        ("analyze", "indented", f"[\n  {_ENTRY},\n  {_ENTRY},\n]", ["indented"]),
        ("analyze", "whole", f"[\n  {_ENTRY},\n  {_ENTRY}\n]", [None, None]),
        ("analyze", "table.csv", f'text\n"{_LINE}"\nking hand=XX\n', [None, "table.csv: line 3"]),
        ("deal", "games", '{"game": "go"}\n{"game": }\n"kirin"', ["games: line 1", "games: line 2", None]),
        ("survey", "surveys", '{"game": "king"}', ["surveys: line 1"]),
        ("solve", "a.toml", _BROKEN, ["a.toml: y", None]),
        ("solve", "b.toml", "puzzle = 7", ["b.toml"]),
    ],
)  # fmt: skip
def test_a_faulty_question_leaves_the_others_to_be_answered(
    tmp_path: Path, kind: str, name: str, content: str, faults: list[str | None]
) -> None:
    """In a terminal, as over HTTP; the fault is shown at once, too, before hours of work."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    limit = () if kind in ("deal", "survey") else ("--nodes", 20)
    found = command("batch", kind, tmp_path / name, *limit, "--jobs", 1)
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    named = [None if fault is None else f"{tmp_path}/{fault}" for fault in faults]
    assert [row.get("question") for row in rows] == named
    assert ["error" in row for row in rows] == [fault is not None for fault in faults]
    assert [name for name in named if name] == [
        name for name in named if name and f"Error: {name}: " in found.stderr
    ]
    assert found.exit_code == (2 if any(faults) else 0)


def test_only_the_first_faulty_questions_are_shown(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", store.path)
    found = command("jobs", "submit", "deal", stdin='{"game": "chess"}\n' * 8 + '{"game": "kirin"}\n')
    assert (found.exit_code, found.stderr.count("chess")) == (0, 5)
    assert "and 3 more are faulty" in found.stderr
    assert "0 of 9" in found.stdout


def test_other_names_are_no_outputs(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="ndjson"):
        Batch("deal", UNITS, str(tmp_path / "out.txt"))


def test_python_asks_the_same(tmp_path: Path) -> None:
    position = athanor.deal("kirin", seed=3)
    told: list[tuple[int, int]] = []
    done = athanor.batch(
        "deal",
        ["kirin", {"game": "king", "deals": 2}],
        tmp_path / "out.ndjson",
        seed=3,
        progress=lambda *s: told.append(s),
    )
    assert done
    assert told[-1] == (2, 2)
    lines = [json.loads(line) for line in (tmp_path / "out.ndjson").read_text().splitlines()]
    assert athanor.parse(lines[0]["position"]) == position
    assert [line["number"] for line in lines] == [0, 0, 1]


# `athanor batch` and `athanor jobs`.


def command(*given: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in given], input=stdin)


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "jobs.sqlite"
    monkeypatch.setenv("ATHANOR_JOBS", str(path))
    return path


def test_a_batch_of_positions_as_text_and_as_json(tmp_path: Path) -> None:
    text = command("convert", json.dumps(KNOWN)).stdout
    (tmp_path / "lines").write_text(f"{text}\n{json.dumps(KNOWN)}\n")
    (tmp_path / "list.json").write_text(
        json.dumps([KNOWN, {"position": KNOWN, "limit": {"nodes": 5000}}], indent=1)
    )
    out = tmp_path / "out.ndjson"
    found = command("batch", "analyze", tmp_path / "lines", tmp_path / "list.json", "--jobs", 1, "--out", out)
    assert found.exit_code == 0, found.output
    lines = out.read_text().splitlines()
    assert len(lines) == 4
    assert set(lines) == {lines[0]}
    assert json.loads(lines[0])["exact"]


def test_questions_are_read_as_they_are_needed(tmp_path: Path) -> None:
    """A file of a million positions is never held in memory."""
    text = command("convert", json.dumps(KNOWN)).stdout.strip()
    file, peaks = tmp_path / "lines", []
    for count in (200, 20_000):
        file.write_text("\n" + f"{text}\n" * count)
        with traced() as peak:
            first, *_ = itertools.islice(units_in("analyze", [str(file)], None, {}), 100)
            peaks.append(peak())
        assert json.loads(first)["ask"] == "analyze"
    assert peaks[1] < peaks[0] + 500_000 < file.stat().st_size


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"kirin hand=\xff", "lines: line 1: this is not UTF-8"),
        (json.dumps(KNOWN).encode() + b'\n{"game": ', "lines: line 2: "),
        (b'{"game": "kirin",\n"hand": }', "lines: the position is not JSON: Expecting value: line 2"),
        (b'[{"game": "kirin"}]', "lines: question 1: "),
        (b'\n{"game": "kirin"}\n\n', "lines: "),
    ],
)
def test_a_fault_in_a_file_has_its_place(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "lines").write_bytes(content)
    found = command("batch", "analyze", tmp_path / "lines", "--out", tmp_path / "x.csv")
    assert found.exit_code == 2
    assert said in found.output.replace("\n", " "), found.output


def test_one_batch_is_piped_into_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    deals = command("batch", "deal", "kirin", "alchemy", "--deals", 2, "--seed", 3, "--jobs", 1)
    assert deals.exit_code == 0, deals.output
    assert len(deals.stdout.splitlines()) == 4
    found = command("batch", "analyze", "--nodes", 20, "--jobs", 1, stdin=deals.stdout)
    assert found.exit_code == 0, found.output
    texts = [json.loads(line)["text"] for line in found.stdout.splitlines()]
    assert texts == [json.loads(line)["text"] for line in deals.stdout.splitlines()]
    assert list(tmp_path.iterdir()) == []
    faulty = command("batch", "analyze", "--nodes", 20, "--jobs", 1, stdin=deals.stdout + "kirin seat=9\n")
    assert (faulty.exit_code, faulty.stdout.splitlines()[:4]) == (2, found.stdout.splitlines())
    assert "<stdin>: line 5: " in faulty.stderr


def test_an_output_is_overwritten_only_if_that_is_said(tmp_path: Path) -> None:
    words = ("batch", "deal", "kirin", "--jobs", 1, "--out", tmp_path / "out.ndjson")
    assert command(*words).exit_code == 0
    found = command(*words, "--deals", 2)
    assert found.exit_code == 2
    assert "already exists" in found.output
    assert command(*words, "--deals", 2, "--overwrite").exit_code == 0
    assert len((tmp_path / "out.ndjson").read_text().splitlines()) == 2


def test_only_the_first_questions(tmp_path: Path) -> None:
    out = tmp_path / "out.ndjson"
    stdin = "\n".join(json.dumps({"game": game, "deals": 2}) for game in ("kirin", "king"))
    assert command("batch", "deal", "-", "--limit", 1, "--jobs", 1, "--out", out, stdin=stdin).exit_code == 0
    assert [json.loads(line)["position"]["game"] for line in out.read_text().splitlines()] == ["kirin"] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("analyze", "-", "--out", "x.txt", "--limit", "1"), "ends in .ndjson, .csv, .parquet"),
        (("analyze", "-", "--deals", "3", "--out", "x.csv"), "--deals does not apply to analyze"),
        (("solve", "nowhere", "--out", "x.csv"), "nowhere"),
        (("analyze", "/dev/null", "--out", "x.csv"), "no question"),
    ],
)
def test_what_cannot_be_asked_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: object, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    stdin = f"{json.dumps(KNOWN)}\n{json.dumps({**KNOWN, 'hand': 'P'})}\n"
    found = command("batch", *words, stdin=stdin)  # type: ignore[misc]
    assert found.exit_code == 2
    assert said in found.output
    assert list(tmp_path.iterdir()) == []


def test_a_job_from_submit_to_delete(jobs: Path) -> None:
    for _ in range(2):
        found = command("jobs", "submit", "deal", "kirin", "--deals", 2, "--key", "k", "--title", "two", "--json")
    job = json.loads(found.stdout)["id"]
    assert "waiting, 0 of 1" in command("jobs", "list").stdout
    assert command("jobs", "show", job).stdout == f"{job}: waiting, 0 of 1\n"
    do(Store(jobs))
    lines = [json.loads(line) for line in command("jobs", "follow", job).stdout.splitlines()]
    assert [line["result"]["number"] for line in lines] == [0, 1]
    assert len(command("jobs", "follow", job, "--after", str(lines[0]["id"])).stdout.splitlines()) == 1
    assert command("jobs", "work").exit_code == 0
    assert command("jobs", "delete", job).exit_code == 0
    assert command("jobs", "show", job).exit_code == 2


def test_work_waits_for_whoever_works_already(jobs: Path) -> None:
    job = json.loads(command("jobs", "submit", "deal", "kirin", "--json").stdout)["id"]
    held = threading.Event()

    def own() -> None:
        with Store(jobs).owned():
            held.set()
            time.sleep(0.5)

    with ThreadPoolExecutor() as elsewhere:
        elsewhere.submit(own)
        held.wait()
        found = command("jobs", "work")
    assert found.exit_code == 0
    assert found.stderr == "Waiting: another process, such as `athanor serve`, already works on these jobs.\n"
    assert "done, 1 of 1" in command("jobs", "show", job).stdout


def test_a_cancelled_job_is_tried_again(jobs: Path) -> None:
    job = json.loads(command("jobs", "submit", "deal", "kirin", "--json").stdout)["id"]
    assert command("jobs", "cancel", job).stdout == f"{job}: cancelled, 0 of 1\n"
    assert command("jobs", "follow", job).exit_code == 2
    assert command("jobs", "retry", job).stdout == f"{job}: waiting, 0 of 1\n"


def test_a_file_that_is_no_store_is_said(jobs: Path) -> None:
    jobs.write_text("something else" * 100)
    found = command("jobs", "list")
    assert found.exit_code == 2
    assert "jobs.sqlite: the file of jobs is damaged" in found.output


def test_a_cluster_works_for_jobs(jobs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = json.loads(command("jobs", "submit", "deal", "kirin", "--json").stdout)["id"]
    there: list[str] = []

    @contextmanager
    def connected(address: str) -> Iterator[str]:
        there.append(address)
        yield "the client"

    monkeypatch.setattr("athanor.jobs.batches.connected", connected)
    monkeypatch.setattr("athanor.jobs.batches.Cluster", lambda client: ThreadTeam())
    found = command("jobs", "work", "--cluster", "tcp://there:8786")
    assert found.exit_code == 0, found.output
    assert there == ["tcp://there:8786"]
    assert "done, 1 of 1" in command("jobs", "show", job).stdout
