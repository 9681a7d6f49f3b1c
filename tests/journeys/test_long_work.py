"""Long work that is interrupted: batches, jobs of a service, and what the version before has kept."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from solver import registry
from tests.journeys.people import COMMAND, Person, serving
from tests.journeys.table import GAMES, OLD_JOBS, OLD_KEY
from tests.support.places import ROOT

pytestmark = pytest.mark.slow

DEALS = 300
PATIENCE = 120  # seconds


def until(done: object) -> None:
    """Wait until a function returns something true."""
    assert callable(done)
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def cluster(person: Person) -> Iterator[str]:
    """The address of a cluster of dask: a scheduler and a worker, which have what the person installed."""
    about = person.folder / "scheduler.json"
    program = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nworkers", "1", "--nthreads", "1"]
    options = ["--scheduler-file", str(about), "--no-dashboard"]
    with ExitStack() as stack:
        for command in ([*program, "--host", "127.0.0.1", "--port", "0", *options], [*worker, *options]):
            process = stack.enter_context(
                subprocess.Popen(command, cwd=person.folder, env=person.environment, stderr=subprocess.DEVNULL)
            )
            stack.callback(process.kill)
            until(lambda: about.exists() and about.read_text(encoding="utf-8").endswith("}"))  # written whole
        yield json.loads(about.read_text(encoding="utf-8"))["address"]


def test_a_killed_batch_goes_on_and_opens_in_a_spreadsheet(person: Person) -> None:
    """What was killed and went on is what a cluster answers without a stop."""
    person.keeps("games.ndjson", "\n".join(json.dumps({"game": name, "deals": DEALS}) for name in GAMES))
    batch = ["batch", "deal", "games.ndjson", "--seed", "1"]
    here = [*batch, "--jobs", "1", "--out", "here.csv"]
    with subprocess.Popen([str(COMMAND), *here], cwd=person.folder, env=person.environment) as process:
        until(lambda: list(person.folder.glob("here.csv.*")) or process.poll() is not None)
        process.kill()
    if process.returncode:  # else it was done before it was killed
        person.types(*here)
    with cluster(person) as address:
        person.types(*batch, "--cluster", address, "--out", "there.csv")
    content = (person.folder / "here.csv").read_bytes()
    assert (person.folder / "there.csv").read_bytes() == content
    assert content.startswith(b"\xef\xbb\xbf")  # without it, Excel reads another encoding
    rows = list(csv.DictReader(content.decode("utf-8-sig").splitlines()))
    assert Counter(row["text"].split()[0] for row in rows) == dict.fromkeys(GAMES, DEALS)
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    assert in_a_spreadsheet(person, "here.csv", "text") == [row["text"] for row in rows]


def in_a_spreadsheet(person: Person, table: str, column: str) -> list[str]:
    """The cells of a column, as a spreadsheet reads the table."""
    if shutil.which("ssconvert") is None:
        pytest.skip("what a spreadsheet reads is looked at with Gnumeric's ssconvert, which is not installed")
    convert = ["ssconvert", "--import-encoding=UTF-8", table, "read.csv"]
    subprocess.run(convert, cwd=person.folder, env=person.environment, check=True, capture_output=True)
    read = csv.DictReader((person.folder / "read.csv").read_text(encoding="utf-8-sig").splitlines())
    return [row[column] for row in read]


# What is asked, where it is, and what a row of its table is known by, beside the question of one that is faulty.
ASKED = {
    "analyze": (["positions.ndjson", "--nodes", "20"], "text"),
    "hint": (["views.ndjson", "--nodes", "20"], "text"),
    "solve": ([str(ROOT / "docs/examples/kinds.toml"), "faulty.toml", "--nodes", "20"], "title"),
    "survey": (["alchemy/winrate/alternative", "surveys.ndjson", "--deals", "20", "--seed", "1"], "survey"),
}


@pytest.mark.parametrize("kind", ASKED)
def test_every_other_batch_goes_on_and_opens_in_a_spreadsheet(person: Person, kind: str) -> None:
    """One of its questions is faulty, which the table says, too."""
    files, column = ASKED[kind]
    for name, seat in (("positions.ndjson", None), ("views.ndjson", 0)):
        deals = [
            json.dumps({"game": game} | ({} if seat is None else {"seat": seat})) for game in registry.names()
        ]
        person.keeps("games.ndjson", "\n".join(deals))
        if name in files:
            person.types("batch", "deal", "games.ndjson", "--seed", "1", "--jobs", "1", "--out", name)
            with (person.folder / name).open("a", encoding="utf-8") as file:
                file.write("chess hand=1\n")
    person.keeps("faulty.toml", "puzzle = 7")
    person.keeps("surveys.ndjson", '{"game": "king"}')
    batch = ["batch", kind, *files, "--jobs", "1"]
    with subprocess.Popen(
        [str(COMMAND), *batch, "--out", "here.csv"], cwd=person.folder, env=person.environment
    ) as process:
        until(lambda: list(person.folder.glob("here.csv.*")) or process.poll() is not None)
        process.kill()
    if process.returncode < 0:
        person.types(*batch, "--out", "here.csv", code=2)
    person.types(*batch, "--out", "there.csv", code=2)
    content = (person.folder / "here.csv").read_bytes()
    assert (person.folder / "there.csv").read_bytes() == content
    rows = list(csv.DictReader(content.decode("utf-8-sig").splitlines()))
    assert rows[-1]["error_code"]
    assert not rows[0]["error_code"]
    assert [row["index"] for row in rows] == [str(index) for index in range(len(rows))]
    assert in_a_spreadsheet(person, "here.csv", column) == [row[column] for row in rows]


def test_jobs_outlive_their_service_and_those_of_an_earlier_version_are_refused(person: Person) -> None:
    """The file of these was written by a service of that version, and stays good for going back to it."""
    file = Path(person.environment["ATHANOR_JOBS"])
    kept = file.with_suffix(".before")
    with closing(sqlite3.connect(file)) as store:
        store.executescript((ROOT / "tests/data/jobs-5.sql").read_text(encoding="utf-8"))
        before = [*store.iterdump()]
    person.keeps("games.ndjson", "\n".join(json.dumps({"game": name}) for name in GAMES))
    submitted = ["jobs", "submit", "deal", "games.ndjson", "--deals", DEALS, "--json"]
    with serving(person):
        assert OLD_JOBS in person.types("jobs", "list", code=2).stderr
        assert OLD_JOBS in person.types(*submitted, code=2).stderr
        file.rename(kept)
        job = json.loads(person.gets(*submitted))["id"]
    with closing(sqlite3.connect(kept)) as store:
        assert [*store.iterdump()] == before
    with serving(person):
        done = person.types("jobs", "follow", job).stdout.splitlines()
    assert Counter(json.loads(line)["result"]["text"].split()[0] for line in done) == dict.fromkeys(GAMES, DEALS)


def test_a_game_that_was_saved_long_ago_goes_on_or_says_why_not(person: Person) -> None:
    saved = {"saved": "athanor play", "game": "kirin", "seed": 7, "seconds": 0.05, "moves": [["D6"]]}
    first = person.gets("play", "kirin", "--seed", 7, "--seconds", "0.05", "--save", "new.json", lines="1\nquit\n")
    assert "new.json" in first
    kept = json.loads((person.folder / "new.json").read_text(encoding="utf-8"))
    old = {key: value for key, value in kept.items() if key in saved}
    person.keeps("old.json", json.dumps(old))
    assert "old.json" in person.gets("play", "--resume", "old.json", lines="quit\n")
    person.keeps("older.json", json.dumps(old | {"clock": 20}))
    assert OLD_KEY in person.types("play", "--resume", "older.json", code=2).stderr
