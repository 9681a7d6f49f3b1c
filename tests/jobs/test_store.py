"""Jobs in their file: submitted once, followed, cancelled, tried again, deleted; and a file that fails says so."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from athanor.jobs import file as file_module
from athanor.jobs import store as module
from athanor.jobs.file import JobError
from athanor.jobs.store import Outcome, Store
from tests.jobs.support import UNITS, claim, do, echo, fill, refused, small_disk, store
from tests.support.places import ROOT
from tests.support.tracing import traced

__all__ = ["small_disk", "store"]


def test_a_job_is_done_and_told_in_order(store: Store) -> None:
    job, new = store.submit("echo", UNITS, title="four")
    assert new
    assert (job.status, job.total, job.units.waiting) == ("waiting", 4, 4)
    assert do(store, echo) == 4
    job = store.job(job.id)
    assert (job.status, job.units.done) == ("done", 4)
    assert job.ended is not None
    results = store.results(job.id)
    assert [result.result["number"] for result in results] == [0, 1, 2, 3]
    assert store.results(job.id, after=results[1].id) == results[2:]
    assert store.results(job.id, most=1) == results[:1]
    assert list(store.follow(job.id, after=results[0].id)) == results[1:]


def test_a_key_makes_a_repeated_submit_the_same_job(store: Store) -> None:
    job, _ = store.submit("echo", UNITS, key="mine")
    assert store.submit("echo", iter(UNITS), key="mine") == (job, False)
    assert store.submit("echo", UNITS, key="mine", client="another")[1]
    assert store.submit("echo", UNITS)[1]
    assert refused(store.submit, "echo", UNITS[:2], key="mine").code == "conflict"
    assert len(store.jobs()) == 3


def test_of_two_who_submit_the_same_at_once_one_job_is_kept(store: Store) -> None:
    def units() -> Iterator[str]:
        yield UNITS[0]
        store.submit("echo", [UNITS[0]], key="mine")

    assert not store.submit("echo", units(), key="mine")[1]
    assert len(store.jobs()) == 1


def test_what_is_cancelled_is_not_done_until_it_is_tried_again(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    chunk = claim(store)
    assert chunk is not None
    assert store.cancel(job.id).status == "cancelled"
    assert store.open() == []
    store.keep([(chunk, [Outcome(["{}"], False)])])
    assert do(store, echo) == 0
    assert store.results(job.id) == []
    assert store.retry(job.id).status == "waiting"
    assert do(store, echo) == 4
    assert store.job(job.id).status == "done"


def test_what_failed_is_tried_again_alone(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    do(store, lambda payload, cancel: Outcome([payload], payload == UNITS[2]))
    assert (store.job(job.id).status, store.job(job.id).units.failed) == ("failed", 1)
    assert store.retry(job.id).units.waiting == 1
    assert len(store.results(job.id)) == 3
    assert do(store, echo) == 1
    assert store.job(job.id).status == "done"
    assert [text for _, text in store.ordered(job.id)] == UNITS


def test_a_deleted_job_leaves_nothing(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    other, _ = store.submit("echo", UNITS)
    do(store, echo)
    last = store.results(other.id)[-1].id
    assert store.delete(job.id).status == "done"
    assert refused(store.job, job.id).code == "no_job"
    assert [known.id for known in store.jobs()] == [other.id]
    with sqlite3.connect(store.path) as file:
        assert file.execute("select count(*) from units").fetchone() == (4,)
        assert file.execute("select count(*) from results").fetchone() == (4,)
    store.delete(other.id)
    again, _ = store.submit("echo", UNITS)
    do(store, echo)
    assert store.results(again.id)[0].id > last  # an id is never used again


def test_only_who_sent_a_job_changes_it(store: Store) -> None:
    job, _ = store.submit("echo", UNITS, client="anna")
    for change in (store.cancel, store.retry, store.delete):
        assert refused(change, job.id, client="bert").code == "not_yours"
    assert store.job(job.id) == job
    assert store.cancel(job.id, client="anna").status == "cancelled"
    assert store.retry(job.id).status == "waiting"  # by an administrator
    store.delete(job.id, client="anna")


def test_sizes_are_bounded(store: Store) -> None:
    assert refused(store.submit, "echo", []).code == "wrong_size"
    assert refused(store.submit, "echo", UNITS, key="k" * 300).path == "key"
    assert refused(store.submit, "echo", UNITS, most=3).code == "too_large"
    assert store.submit("echo", UNITS, most=4)[1]


def test_many_units_are_written_as_they_come(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory that a submit takes does not grow with the job, and a job that is not whole is none."""
    peaks = []
    for count in (5_000, 50_000):
        with traced() as peak:
            job, _ = store.submit("echo", (f"unit {number}" for number in range(count)))
            peaks.append(peak())
        assert job.units.waiting == count
    assert peaks[1] < 2 * peaks[0]

    def broken() -> Iterator[str]:
        yield from (f"unit {number}" for number in range(5_000))
        assert len(store.jobs()) == 2
        raise ValueError("a faulty question")

    with pytest.raises(ValueError, match="faulty"):
        store.submit("echo", broken())
    assert len(store.jobs()) == 2
    with sqlite3.connect(store.path) as file:
        assert file.execute("select count(*) from units").fetchone() == (55_000,)


def test_a_client_has_a_share_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "jobs.sqlite", megabytes=4)
    monkeypatch.setattr(module, "MOST_JOBS_OF_A_CLIENT", 3)
    monkeypatch.setattr(module, "MOST_UNITS_OF_A_CLIENT", 20)
    for _ in range(3):
        store.submit("echo", UNITS, client="anna")
    assert "3 jobs" in refused(store.submit, "echo", UNITS, client="anna").message
    assert "20 units" in refused(store.submit, "echo", UNITS * 6, client="bert").message
    found = refused(store.submit, "echo", ["x" * 300_000] * 4, client="carl")
    assert (found.code, "kB of questions" in found.message) == ("share_full", True)
    assert store.submit("echo", ["x" * 300_000] * 4)[1]  # the owner of the file has no share
    assert len(store.jobs()) == 4
    store.delete(store.jobs(client="anna")[0].id)
    assert store.submit("echo", UNITS, client="anna")[1]


def test_results_count_in_the_share(tmp_path: Path) -> None:
    """A small question may have a large answer: what is over its client's share is cancelled, and says why."""
    store = Store(tmp_path / "jobs.sqlite", megabytes=16)
    job, _ = store.submit("echo", UNITS * 30, client="anna")
    do(store, lambda payload, cancel: Outcome(['{"x":"' + "x" * 100_000 + '"}'], False))
    job = store.job(job.id)
    assert job.status == "cancelled"
    assert 40 <= job.units.done < 90  # the chunk at hand is kept whole
    assert job.reason is not None
    assert "delete some" in job.reason
    assert refused(store.submit, "echo", UNITS, client="anna").code == "share_full"
    assert store.submit("echo", UNITS, client="bert")[1]


def test_the_log_is_bounded_though_somebody_always_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_module, "_LONGEST_LOG", 1 << 20)
    store = Store(tmp_path / "jobs.sqlite", megabytes=2)
    job, _ = store.submit("echo", UNITS)
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            with store.file.reading() as db:
                db.execute("SELECT * FROM jobs").fetchall()
                time.sleep(0.02)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(20):
            store.delete(store.submit("echo", ["x" * 50_000] * 4)[0].id)
            assert store.file.size() <= 4 << 20  # the file, the log, and a transaction
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert store.job(job.id) == job


def test_a_file_shrinks_in_a_few_steps(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "jobs.sqlite")) as store:
        job, _ = store.submit("echo", ["x" * 5_000] * 400)  # 800 pages
        steps: list[str] = []
        with store.file.reading() as db:
            db.set_trace_callback(steps.append)  # the connection at hand is used again
        store.delete(job.id)
        assert 0 < len([step for step in steps if "vacuum" in step]) <= 4


def test_a_full_store_is_said_and_loses_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "jobs.sqlite", megabytes=1)
    job, _ = store.submit("echo", UNITS)
    assert refused(store.submit, "echo", ["x" * 100_000] * 20).code == "store_full"
    assert [known.id for known in store.jobs()] == [job.id]
    big, _ = store.submit("echo", ["x" * 100_000] * 5)
    chunk = claim(store)
    assert chunk is not None
    assert refused(store.keep, [(chunk, [Outcome(["x" * 500_000], False)])]).code == "store_full"
    assert store.job(job.id).units.running == 1
    store.delete(big.id)
    store.keep([(chunk, [Outcome(["{}"], False)])])
    assert store.job(job.id).units.done == 1


@pytest.mark.parametrize("reopened", [False, True])
def test_on_a_full_disk_jobs_are_deleted_as_the_message_advises(small_disk: Path, reopened: bool) -> None:
    store = Store(small_disk / "jobs.sqlite", megabytes=1024)
    job, _ = store.submit("echo", ["x" * 100_000] * 30)
    fill(small_disk)
    found = refused(store.submit, "echo", ["x" * 100_000] * 30)
    assert (found.code, "delete jobs" in found.message) == ("store_full", True)
    if reopened:
        store.close()
        store = Store(small_disk / "jobs.sqlite", megabytes=1024)
    store.delete(job.id)
    assert store.submit("echo", ["x" * 100_000])[1]
    store.close()


@pytest.mark.parametrize(("units", "size"), [(1, 100_000), (200, 1_000), (500, 20_000), (1, 1_500_000)])
def test_deleting_the_job_that_filled_the_disk_frees_it(small_disk: Path, units: int, size: int) -> None:
    with closing(Store(small_disk / "jobs.sqlite", megabytes=1024)) as store:
        free = shutil.disk_usage(small_disk).free
        job, _ = store.submit("echo", ["{}"] * (2 * free // size))
        with store.owned(), suppress(JobError):
            while chunks := store.claim([(store.open()[0], units)]):
                store.keep([(chunk, [Outcome(["x" * size], False)] * len(chunk.units)) for chunk in chunks])
        fill(small_disk)
        store.delete(job.id)
        spare = (small_disk / "jobs.sqlite-spare").stat().st_size
        assert shutil.disk_usage(small_disk).free > free - spare - (1 << 20)
        assert store.submit("echo", ["x" * 100_000] * 100)[1]


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite"
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 100)
    assert refused(Store(path).jobs).code == "store_damaged"
    other = tmp_path / "other.sqlite"
    store = Store(other)
    job, _ = store.submit("echo", ["x" * 1000] * 100)
    do(store, echo)
    store.close()
    with other.open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 8 * 4096)
    assert refused(list, Store(other).ordered(job.id)).code == "store_damaged"


@pytest.mark.parametrize(
    "script", ["pragma user_version = 2", "pragma user_version = 99", "create table others (a)"]
)
def test_a_file_of_another_format_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    path = tmp_path / "jobs.sqlite"
    monkeypatch.setenv("ATHANOR_JOBS", str(path))
    with sqlite3.connect(path) as file:
        file.execute(script)
    found = refused(Store(path).jobs)
    assert (found.code, "move it away" in found.message) == ("store_unreadable", True)
    assert str(tmp_path) not in found.message  # a service tells it to strangers


def test_a_file_of_an_earlier_version_is_left_as_it_is(tmp_path: Path) -> None:
    """The version that made it can finish its jobs afterwards; moved away, it is in nobody's way."""
    path = tmp_path / "jobs.sqlite"
    with closing(sqlite3.connect(path)) as file:
        file.executescript((ROOT / "tests/data/jobs-5.sql").read_text(encoding="utf-8"))
        before = list(file.iterdump())
    with closing(Store(path)) as store:
        assert refused(store.jobs).code == "store_unreadable"
        assert refused(store.submit, "echo", UNITS).code == "store_unreadable"
        with closing(sqlite3.connect(path)) as file:
            assert list(file.iterdump()) == before
            assert file.execute("PRAGMA user_version").fetchone() == (5,)
        for part in tmp_path.glob("jobs.sqlite*"):
            part.rename(part.with_name(part.name.replace("jobs", "old")))
        assert store.submit("echo", UNITS)[0].units.waiting == len(UNITS)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refused(Store(tmp_path / "file" / "jobs.sqlite").jobs).code == "store_unreadable"


def test_old_jobs_are_deleted(store: Store) -> None:
    store.submit("echo", UNITS)
    do(store, echo)
    waiting, _ = store.submit("echo", UNITS)
    half_deleted, _ = store.submit("echo", UNITS)
    with sqlite3.connect(store.path) as file:
        file.execute("delete from jobs where id = ?", (half_deleted.id,))
    assert store.prune(days=1) == 0
    assert store.prune(days=0) == 1
    assert [job.id for job in store.jobs()] == [waiting.id]
    with sqlite3.connect(store.path) as file:
        assert file.execute("select count(*) from units").fetchone() == (4,)
        assert file.execute("select count(*) from results").fetchone() == (0,)


def test_a_store_in_figures(store: Store) -> None:
    store.submit("echo", UNITS)
    do(store, lambda payload, cancel: Outcome([payload], payload == UNITS[0]))
    store.submit("echo", UNITS[:3])
    claim(store)
    found = store.held()
    assert (found.waiting, found.running, found.failed) == (2, 1, 1)
    assert 0 <= found.oldest_seconds < 60
    assert found.bytes > 4096


def test_the_schema_counts_what_is_there(store: Store) -> None:
    """Whatever is done to units, the figures in the job's row are those of its units and results."""
    job, _ = store.submit("echo", UNITS * 5)
    chunks = [claim(store, 3), claim(store, 4), claim(store, 2)]
    store.keep([(chunks[0], [Outcome(["{}"], False), Outcome(["{}", "[]"], True)])])  # type: ignore[list-item]
    store.keep([(chunks[1], None)])  # type: ignore[list-item]
    store.cancel(job.id)
    store.retry(job.id)
    claim(store, 6)
    with store.owned():
        claim(store, 2)
    with sqlite3.connect(store.path) as file:
        counted = dict(file.execute("select state, count(*) from units group by state").fetchall())
        (size,) = file.execute("select bytes from jobs").fetchone()
    assert store.job(job.id).units.model_dump() == {
        name: counted.get(state, 0) for state, name in enumerate(module.STATES)
    }
    assert size == len("".join(UNITS * 5)) + len("{}{}[]")
