"""Units are done once, whoever dies or sleeps, in turn for all clients, and quickly."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from athanor.jobs import store as store_module
from athanor.jobs import workers
from athanor.jobs.file import JobError
from athanor.jobs.store import Job, Outcome, Store
from athanor.jobs.units import payloads
from athanor.jobs.workers import Done, Processes, Team, ThreadTeam, answers, serve, work
from solver.errors import AthanorError
from tests.jobs.support import UNITS, claim, do, echo, numbers, refused, store
from tests.support import places

__all__ = ["store"]

RESULT = Outcome(["{}"], False)
PATIENCE_SECONDS = 120
ON_LINUX = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the system does not tell of its processes"
)


# Claims.


def test_one_process_works_on_a_store(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    other = Store(store.path)
    with store.owned():
        assert [numbers(claim(store)) for _ in range(5)] == [[0], [1], [2], [3], []]
        assert refused(do, other, echo).code == "store_busy"
        assert other.job(job.id).units.running == 4  # others may look
    assert do(other, echo) == 4


def test_a_store_whose_owner_cannot_be_known_is_not_worked_on(store: Store) -> None:
    Path(f"{store.path}-owner").mkdir()  # or a file that only root may open
    store.submit("echo", UNITS)
    faults: list[AthanorError | None] = []
    over = threading.Event()

    def record(fault: AthanorError | None) -> None:
        faults.append(fault)
        over.set()

    serve(store, 1, over, record)
    assert [isinstance(fault, JobError) and fault.code for fault in faults] == ["store_unreadable"]


def test_what_a_dead_owner_had_claimed_is_done_again(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)
    chunk = claim(store, 3)
    assert chunk is not None
    with store.owned():
        assert store.job(job.id).units.waiting == 4
        again = claim(store)  # alone: one of the three may have been its death
        assert numbers(again) == [0]
        assert again is not None
        store.keep([(again, [RESULT]), (again, [RESULT])])
        assert len(store.results(job.id)) == 1
        assert [numbers(claim(store, 9)) for _ in range(3)] == [[1], [2], [3]]
    assert store.job(job.id).units.waiting == 3


def test_what_nobody_survives_is_given_up_and_those_beside_it_are_done(store: Store) -> None:
    """After a chunk has killed its worker, its units are claimed one by one, so only the culprit is given up."""
    job, _ = store.submit("echo", ['{"question": "the one"}'] * 4)
    deaths = 0
    while (chunk := claim(store, units=4)) is not None:
        if 2 in numbers(chunk):
            deaths += 1
            store.keep([(chunk, None)])
        else:
            store.keep([(chunk, [RESULT] * len(chunk.units))])
    assert deaths == store_module.MOST_ATTEMPTS
    found = store.job(job.id)
    assert (found.status, found.units.done, found.units.failed) == ("failed", 3, 1)
    (result,) = [result for result in store.results(job.id) if result.index == 2]
    assert result.result["error"]["code"] == "worker_died"
    assert result.result["question"] == "the one"
    assert store.retry(job.id).units.waiting == 1


def test_what_is_left_of_a_chunk_waits_again_and_others_run_on(store: Store) -> None:
    job, _ = store.submit("echo", UNITS * 2)
    first, second = claim(store, 2), claim(store, 2)
    assert first is not None
    assert second is not None
    store.keep([(first, [])])
    around = claim(store, 4)
    assert numbers(around) == [0, 1, 4, 5]
    assert around is not None
    store.keep([(around, [RESULT])])
    store.keep([(second, [RESULT] * 2)])
    assert [result.index for result in store.results(job.id)] == [0, 2, 3]
    assert store.job(job.id).units.model_dump() == {
        "waiting": 5, "running": 0, "done": 3, "failed": 0, "cancelled": 0,
    }  # fmt: skip


# Turns.


class Told(Team):
    """A team of one that needs no time; a unit of a client takes as long as `seconds` says."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self.done: list[str] = []  # the client of each unit

    def free(self, running: int) -> int:
        return 1

    def submit(self, payloads: list[str]) -> Future[Done]:
        taken = [self._seconds.get(client, 1.0) for client in payloads]
        self.done += payloads
        future: Future[Done] = Future()
        future.set_result(Done([RESULT] * len(taken), sum(taken), sum(taken)))
        return future


def submitted(store: Store, client: str, units: int) -> str:
    """Submit a job whose units say whose they are."""
    return store.submit("echo", [client] * units, client=client)[0].id


def served(
    store: Store, count: int, seconds: dict[str, float] | None = None, before: Callable[[], object] = lambda: None
) -> Counter[str]:
    """Do chunks of at most a second; how many units of each client. `before` each something may happen."""
    team = Told(seconds or {})
    turns = iter(range(count))

    def stop() -> bool:
        before()
        return next(turns, None) is None

    work(store, team, stop=stop)
    return Counter(team.done)


@pytest.mark.parametrize("client", ["anna", "bert"])
def test_a_stream_of_small_jobs_starves_nobody(store: Store, client: str) -> None:
    """One unit a job, a job a turn: the four units of one that came first are done all the same."""
    job = submitted(store, "anna", 4)
    served(store, 12, before=lambda: submitted(store, client, 1))
    if client != "anna":
        assert store.job(job).units.done == 4
    else:  # jobs of one client take turns
        assert store.job(job).units.done >= 2


def test_a_large_job_starves_no_small_one(store: Store) -> None:
    submitted(store, "anna", 100)
    small: list[str] = []
    turns = iter(range(100))

    def before() -> None:
        if next(turns) == 10:
            small.extend(submitted(store, client, 1) for client in ("anna", "bert"))

    served(store, 16, before=before)
    assert [store.job(job).status for job in small] == ["done", "done"]


def test_clients_share_time_and_not_units(store: Store) -> None:
    """Whoever asks for long units gets as much of the processors as others; what was not used is no claim."""
    submitted(store, "quick", 200)
    turns = iter(range(100))

    def before() -> None:
        if next(turns) == 20:
            submitted(store, "slow", 200)

    found = served(store, 86, {"quick": 1.0, "slow": 10.0}, before)
    assert 4 <= found["slow"] <= 8


# Work.


def test_chunks_take_about_as_long_as_they_should(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """They grow from one unit on, and one transaction keeps many."""
    monkeypatch.setattr(ThreadTeam, "seconds", 0.1)
    job, _ = store.submit("echo", UNITS * 250)
    sizes: list[int] = []
    submit = ThreadTeam.submit

    def counting(team: ThreadTeam, payloads: list[str]) -> object:
        sizes.append(len(payloads))
        return submit(team, payloads)

    monkeypatch.setattr(ThreadTeam, "submit", counting)

    def answer(payload: str, cancel: object) -> Outcome:
        time.sleep(0.001)
        return Outcome([payload], False)

    assert do(store, answer) == 1000
    assert sizes[0] == 1
    assert max(sizes) > 20
    assert len(sizes) < 100
    assert [result.index for result in store.results(job.id)] == list(range(1000))


def test_a_chunk_ends_when_its_time_is_over() -> None:
    """However little was known of its units."""

    def slow(payload: str, cancel: object) -> Outcome:
        time.sleep(0.02)
        return RESULT

    found = answers(UNITS, 0.01, threading.Event(), slow)
    assert len(found.outcomes) == 1


def test_what_is_kept_when_work_is_stopped(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)

    def answer(payload: str, cancel: threading.Event) -> Outcome:
        if payload == UNITS[1]:
            assert cancel.wait(60)
        return echo(payload)

    assert do(store, answer, stop=lambda: store.job(job.id).units.done > 0) == 1
    assert store.job(job.id).units.running == 0
    assert do(store, echo) == 3
    assert [text for _, text in store.ordered(job.id)] == UNITS


def test_a_cancelled_job_ends_what_runs(store: Store) -> None:
    job, _ = store.submit("echo", UNITS[:1])

    def answer(payload: str, cancel: threading.Event) -> Outcome:
        store.cancel(job.id)
        assert cancel.wait(60)
        return echo(payload)

    assert do(store, answer) == 0
    assert store.results(job.id) == []


def test_a_job_tried_again_at_once_blames_no_unit(store: Store) -> None:
    """The worker that is killed when a job is cancelled did not die of its unit, which may run again already."""
    job, _ = store.submit("deal", payloads("deal", [{"game": "kirin", "deals": 100}]))
    cancelled: list[Job] = []

    def cancel() -> None:
        if not cancelled and store.job(job.id).units.running:
            cancelled.append(store.cancel(job.id))
            store.retry(job.id)

    with closing(Processes(2)) as team:
        assert work(store, team, report=cancel)
    assert cancelled
    assert store.job(job.id).status == "done"
    with store.file.reading() as db:
        assert db.execute("SELECT max(deaths) FROM units").fetchone()[0] == 0


def test_a_result_without_room_is_made_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    job, _ = store.submit("echo", UNITS)

    def full(done: object) -> None:
        raise JobError("store_full", "no room")

    with monkeypatch.context() as patched:
        patched.setattr(store, "keep", full)
        assert refused(do, store, echo).code == "store_full"
    assert store.job(job.id).units.waiting == 4
    assert do(store, echo) == 4


@pytest.mark.slow
def test_quick_units_cost_little(store: Store) -> None:
    """To hand one to one of two processes, and to keep what it comes to, takes less than a millisecond."""
    team = Processes(2)
    try:
        for count in (300, 1000):  # the first of them start the processes
            questions = [{"game": "kirin", "number": count + n} for n in range(count)]
            job, _ = store.submit("deal", payloads("deal", questions))
            begun, spent = time.monotonic(), time.process_time()
            assert work(store, team)
            spent = time.process_time() - spent
    finally:
        team.close()
    assert store.job(job.id).units.done == 1000
    print(f"{time.monotonic() - begun:.3f} ms a unit, {spent:.3f} ms of this process")
    assert spent / 1000 < 0.001


@contextmanager
def serving(store: Store) -> Iterator[None]:
    over = threading.Event()
    thread = threading.Thread(target=serve, args=(store, 1, over))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _wait(until: Callable[[], object]) -> None:
    latest = time.monotonic() + PATIENCE_SECONDS
    while not until():
        assert time.monotonic() < latest
        time.sleep(0.02)


def _workers() -> list[int | None]:
    return [process.pid for process in multiprocessing.active_children()]


@pytest.mark.parametrize("name", ["SIGKILL", pytest.param("SIGSTOP", marks=pytest.mark.slow)])
def test_a_service_does_what_waits_though_workers_are_killed_or_stopped(tmp_path: Path, name: str) -> None:
    if not hasattr(signal, name):
        pytest.skip("this system has no such signal")
    store = Store(tmp_path / "jobs.sqlite")
    with serving(store):
        time.sleep(0.1)
        assert _workers() == []  # there is no work
        job, _ = store.submit("deal", payloads("deal", [{"game": "kirin", "deals": 3_000}]))
        _wait(lambda: store.job(job.id).units.done)
        (first,) = _workers()
        assert first is not None
        os.kill(first, getattr(signal, name))
        _wait(lambda: store.job(job.id).over)
        assert _workers() not in ([], [first])
        _wait(lambda: not Path(f"/proc/{first}").exists())  # no zombie either
        other, _ = store.submit("deal", payloads("deal", ["king"]))
        _wait(lambda: store.job(other.id).over)
    assert [result["number"] for result in _results(store, job.id)] == list(range(3_000))
    assert _workers() == []


def _results(store: Store, job: str) -> list[dict[str, int]]:
    return [json.loads(text) for _, text in store.ordered(job)]


def test_a_store_that_cannot_be_used_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_FAULT_SECONDS", 0.01)
    path = tmp_path / "jobs.sqlite"
    path.write_bytes(b"no store" * 1000)
    with serving(Store(path)):
        _wait(lambda: caplog.records)
        time.sleep(0.2)
    assert ["damaged" in record.getMessage() for record in caplog.records] == [True]


def test_a_script_need_not_guard_its_start(tmp_path: Path) -> None:
    """Processes do not run the script that starts them once more, and end with it."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import athanor
            print("begun")
            athanor.batch("deal", [{"game": "kirin", "deals": 300}], "out.ndjson", jobs=2)
        """)
    )
    found = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(places.ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    assert (found.stdout, found.stderr) == ("begun\n", "")
    assert len((tmp_path / "out.ndjson").read_text().splitlines()) == 300


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@ON_LINUX
def test_killed_workers_lose_nothing() -> None:
    command = [sys.executable, "-m", "tests.jobs.kills", "--forked", "--kills", "8"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "0 faults" in found.stdout


# What jobs may take.


def test_a_worker_notes_what_a_chunk_took() -> None:
    def busy(payload: str, cancel: object) -> Outcome:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return Outcome([payload], True)

    assert answers(UNITS[:2], 1.0, threading.Event(), busy).cpu >= 0.04


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold a process to RLIMIT_DATA")
def test_the_memory_of_a_worker_is_bounded() -> None:
    code = (
        "import numpy; from athanor.jobs.settings import bound_memory; bound_memory()\n"
        "numpy.zeros(600 << 20, numpy.uint8); print('beside')\n"
        "try: numpy.zeros(1200 << 20, numpy.uint8)\n"
        "except MemoryError: print('refused')"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=places.ROOT,
        env={"ATHANOR_MEMORY_MB": "64", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert found.stdout.split() == ["beside", "refused"]
