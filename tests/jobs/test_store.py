"""Jobs in their file: submitted once, followed, cancelled, tried again, deleted; and a file that fails says so."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from athanor.jobs.errors import JobError
from athanor.jobs.storage.claims import Outcome
from athanor.jobs.storage.retention import prune
from athanor.jobs.storage.store import Store
from athanor.jobs.workers.worker import work
from tests.jobs.support import UNITS, echo, store

__all__ = ["store"]


def _refused(call: object, *given: object) -> JobError:
    with pytest.raises(JobError) as found:
        call(*given)  # type: ignore[operator]
    return found.value


def test_a_job_is_done_and_told_in_order(store: Store) -> None:
    job, new = store.submit("echo", UNITS, title="four")
    assert new
    assert (job.status, job.total, job.units.waiting) == ("waiting", 4, 4)
    assert work(store, run=echo) == 4
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
    assert store.submit("echo", UNITS, key="mine") == (job, False)
    assert store.submit("echo", UNITS)[1]
    assert _refused(lambda: store.submit("echo", UNITS[:2], key="mine")).code == "conflict"
    assert len(store.jobs()) == 2


def test_what_is_cancelled_is_not_done_until_it_is_tried_again(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    claim = store.claims.claim("worker")
    assert claim is not None
    assert store.cancel(job.id).status == "cancelled"
    assert not store.claims.holds(claim)
    assert not store.claims.finish(claim, Outcome(["{}"], False))
    assert work(store, run=echo) == 0
    assert store.results(job.id) == []
    assert store.retry(job.id).status == "waiting"
    assert work(store, run=echo) == 4
    assert store.job(job.id).status == "done"


def test_what_failed_is_tried_again_alone(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    work(store, run=lambda payload, lost: Outcome([payload], payload == UNITS[2]))
    assert (store.job(job.id).status, store.job(job.id).units.failed) == ("failed", 1)
    assert store.retry(job.id).units.waiting == 1
    assert len(store.results(job.id)) == 3
    assert work(store, run=echo) == 1
    assert store.job(job.id).status == "done"
    assert [text for _, text in store.ordered(job.id)] == UNITS


def test_a_deleted_job_leaves_nothing(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    other, _ = store.submit("echo", UNITS)
    work(store, run=echo)
    store.delete(job.id)
    assert _refused(store.job, job.id).code == "no_job"
    assert [known.id for known in store.jobs()] == [other.id]
    with sqlite3.connect(store.path) as file:
        assert file.execute("select count(*) from units").fetchone() == (4,)
        assert file.execute("select count(*) from results").fetchone() == (4,)


def test_an_id_is_never_used_again(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    work(store, run=echo)
    last = store.results(job.id)[-1].id
    store.delete(job.id)
    again, _ = store.submit("echo", UNITS)
    work(store, run=echo)
    assert store.results(again.id)[0].id > last


def test_sizes_are_bounded(store: Store) -> None:
    assert _refused(store.submit, "echo", []).code == "wrong_size"
    assert _refused(lambda: store.submit("echo", UNITS, key="k" * 300)).path == "key"


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "jobs.sqlite", megabytes=1)
    job, _ = store.submit("echo", UNITS)
    assert _refused(store.submit, "echo", ["x" * 100_000] * 20).code == "store_full"
    assert [known.id for known in store.jobs()] == [job.id]
    big, _ = store.submit("echo", ["x" * 100_000] * 8)
    claim = store.claims.claim("worker")
    assert claim is not None
    assert _refused(store.claims.finish, claim, Outcome(["x" * 300_000], False)).code == "store_full"
    assert store.claims.holds(claim)
    store.delete(big.id)
    assert store.claims.finish(claim, Outcome(["{}"], False))


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite"
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 100)
    assert _refused(Store(path).jobs).code == "store_damaged"
    other = tmp_path / "other.sqlite"
    store = Store(other)
    store.submit("echo", UNITS * 100)
    store.close()
    content = bytearray(other.read_bytes())
    content[8192 : len(content) - 4096 : 7] = b"?" * len(content[8192 : len(content) - 4096 : 7])
    other.write_bytes(content)
    assert _refused(Store(other).database.check).code == "store_damaged"


def test_a_file_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("pragma user_version = 99")
    assert _refused(Store(path).jobs).code == "store_unreadable"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert _refused(Store(tmp_path / "file" / "jobs.sqlite").jobs).code == "store_unreadable"


def test_old_jobs_are_deleted_unless_the_clock_jumped(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.submit("echo", UNITS)
    work(store, run=echo)
    store.submit("echo", UNITS)  # has not ended
    day, wall, steady = 86_400.0, store_now(store), 1_000.0

    def look(days_later: float, seconds_passed: float) -> int:
        return prune(
            store, days=30, wall=lambda: wall + days_later * day, monotonic=lambda: steady + seconds_passed
        )

    assert look(0, 0) == 0
    assert look(40, 60) == 0  # forty days in a minute
    assert "set forward" in caplog.text
    assert look(-1, 120) == 0
    assert "set back" in caplog.text
    assert look(29, 120 + 30 * day) == 0
    assert look(31, 120 + 32 * day) == 1
    assert len(store.jobs()) == 1


def store_now(store: Store) -> float:
    with sqlite3.connect(store.path) as file:
        (found,) = file.execute("select created from jobs").fetchone()
    return float(found)
