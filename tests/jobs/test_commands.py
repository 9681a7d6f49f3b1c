"""`athanor batch` and `athanor jobs`, run in this process."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.jobs import units_of
from api.cli.main import cli
from athanor.jobs import Store
from athanor.jobs.workers import Here
from tests.api.support import KNOWN
from tests.jobs.support import do


def athanor(*given: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in given], input=stdin)


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "jobs.sqlite"
    monkeypatch.setenv("ATHANOR_JOBS", str(path))
    return path


def test_a_batch_of_positions_as_text_and_as_json(tmp_path: Path) -> None:
    text = athanor("convert", json.dumps(KNOWN)).stdout
    (tmp_path / "lines").write_text(f"{text}\n{json.dumps(KNOWN)}\n")
    (tmp_path / "list.json").write_text(json.dumps([KNOWN, {"position": KNOWN, "nodes": 5000}], indent=1))
    out = tmp_path / "out.ndjson"
    found = athanor("batch", "analyze", tmp_path / "lines", tmp_path / "list.json", "--jobs", 1, "--out", out)
    assert found.exit_code == 0, found.output
    lines = out.read_text().splitlines()
    assert len(lines) == 4
    assert set(lines) == {lines[0]}
    assert json.loads(lines[0])["exact"]


def test_questions_are_read_as_they_are_needed(tmp_path: Path) -> None:
    """A file of a million positions is never held in memory."""
    text = athanor("convert", json.dumps(KNOWN)).stdout.strip()
    file, peaks = tmp_path / "lines", []
    for count in (200, 20_000):
        file.write_text("\n" + f"{text}\n" * count)
        tracemalloc.start()
        first, *_ = itertools.islice(units_of("analyze", [str(file)], None, {}), 100)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert json.loads(first)["ask"] == "analyze"
    assert peaks[1] < peaks[0] + 500_000 < file.stat().st_size


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"kirin hand=\xff", "lines: line 1: not UTF-8"),
        (json.dumps(KNOWN).encode() + b'\n{"game": ', "lines: line 2: "),
        (b'{"game": "kirin",\n"hand": }', "lines: line 1: "),
        (b'[{"game": "kirin"}]', "lines: question 1: "),
        (b'\n{"game": "kirin"}\n\n', "lines: "),
    ],
)
def test_a_fault_in_a_file_has_its_place(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "lines").write_bytes(content)
    found = athanor("batch", "analyze", tmp_path / "lines", "--out", tmp_path / "x.csv")
    assert found.exit_code == 2
    assert said in found.output.replace("\n", " "), found.output


def test_an_output_is_overwritten_only_if_that_is_said(tmp_path: Path) -> None:
    words = ("batch", "deal", "kirin", "--jobs", 1, "--out", tmp_path / "out.ndjson")
    assert athanor(*words).exit_code == 0
    found = athanor(*words, "--deals", 2)
    assert found.exit_code == 2
    assert "already exists" in found.output
    assert athanor(*words, "--deals", 2, "--overwrite").exit_code == 0
    assert len((tmp_path / "out.ndjson").read_text().splitlines()) == 2


def test_only_the_first_questions(tmp_path: Path) -> None:
    out = tmp_path / "out.ndjson"
    stdin = "\n".join(json.dumps({"game": game, "deals": 2}) for game in ("kirin", "king"))
    assert athanor("batch", "deal", "-", "--limit", 1, "--jobs", 1, "--out", out, stdin=stdin).exit_code == 0
    assert [json.loads(line)["position"]["game"] for line in out.read_text().splitlines()] == ["kirin"] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("analyze", "-", "--out", "x.ndjson"), "<stdin>: line 2: hand"),
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
    found = athanor("batch", *words, stdin=stdin)  # type: ignore[misc]
    assert found.exit_code == 2
    assert said in found.output
    assert list(tmp_path.iterdir()) == []


def test_a_job_from_submit_to_delete(jobs: Path) -> None:
    for _ in range(2):
        found = athanor("jobs", "submit", "deal", "kirin", "--deals", 2, "--key", "k", "--title", "two", "--json")
    job = json.loads(found.stdout)["id"]
    assert "waiting, 0 of 1" in athanor("jobs", "list").stdout
    assert athanor("jobs", "show", job).stdout == f"{job}: waiting, 0 of 1\n"
    do(Store(jobs))
    lines = [json.loads(line) for line in athanor("jobs", "follow", job).stdout.splitlines()]
    assert [line["result"]["number"] for line in lines] == [0, 1]
    assert len(athanor("jobs", "follow", job, "--after", str(lines[0]["id"])).stdout.splitlines()) == 1
    assert athanor("jobs", "work").exit_code == 0
    assert athanor("jobs", "delete", job).exit_code == 0
    assert athanor("jobs", "show", job).exit_code == 2


def test_a_cancelled_job_is_tried_again(jobs: Path) -> None:
    job = json.loads(athanor("jobs", "submit", "deal", "kirin", "--json").stdout)["id"]
    assert athanor("jobs", "cancel", job).stdout == f"{job}: cancelled, 0 of 1\n"
    assert athanor("jobs", "follow", job).exit_code == 2
    assert athanor("jobs", "retry", job).stdout == f"{job}: waiting, 0 of 1\n"


def test_a_file_that_is_no_store_is_said(jobs: Path) -> None:
    jobs.write_text("something else" * 100)
    found = athanor("jobs", "list")
    assert found.exit_code == 2
    assert "jobs.sqlite: the file of jobs is damaged" in found.output


def test_a_cluster_works_for_jobs(jobs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = json.loads(athanor("jobs", "submit", "deal", "kirin", "--json").stdout)["id"]
    there: list[str] = []

    @contextmanager
    def connected(address: str) -> Iterator[str]:
        there.append(address)
        yield "the client"

    monkeypatch.setattr("athanor.jobs.batches.connected", connected)
    monkeypatch.setattr("athanor.jobs.batches.Cluster", lambda client: Here())
    found = athanor("jobs", "work", "--cluster", "tcp://there:8786")
    assert found.exit_code == 0, found.output
    assert there == ["tcp://there:8786"]
    assert "done, 1 of 1" in athanor("jobs", "show", job).stdout
