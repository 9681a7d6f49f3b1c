"""Batches: stopped and gone on with, the output is the same as without a stop."""

from __future__ import annotations

import csv
import json
from functools import partial
from pathlib import Path

import pytest

import athanor
from athanor.jobs import outputs
from athanor.jobs.batches import SUFFIX, Batch
from athanor.jobs.questions import payloads
from athanor.jobs.store import JobError
from solver.errors import AthanorError
from tests.api.support import KNOWN

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


def test_a_stopped_batch_goes_on_to_the_same_output(tmp_path: Path) -> None:
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
    with pytest.raises(AthanorError, match="whist"):
        athanor.batch("deal", ["kirin"] * 5 + ["whist"], tmp_path / "out.ndjson")
    assert list(tmp_path.iterdir()) == []


def test_a_table_has_a_column_for_each_key_and_for_errors(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    batch = Batch(
        "analyze", [*payloads("analyze", [KNOWN]), '{"ask":"analyze","position":"kirin seat=9"}'], str(out)
    )
    assert batch.run(1)
    assert batch.finish() == 1
    with out.open(encoding="utf-8", newline="") as file:
        good, bad = csv.DictReader(file)
    assert (good["unit"], good["game"], good["exact"], good["error_code"]) == ("0", "alchemy", "true", "")
    assert json.loads(good["moves"])[0]["move"] == good["best"]
    assert (bad["unit"], bad["game"]) == ("1", "")
    assert bad["error_code"] != ""


def test_parquet_has_the_same_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    _output(tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["unit", "seed", "number", "text", "position"]
    assert table["number"].to_pylist() == [0, 1, 2, 3, 4, 5] * 2


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
