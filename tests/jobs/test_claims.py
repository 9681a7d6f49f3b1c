"""Units are done once, whoever dies or sleeps, and whatever a clock says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from athanor.jobs.storage import presence
from athanor.jobs.storage.claims import Claims, Outcome
from athanor.jobs.storage.store import Store
from athanor.jobs.storage.tables import Database
from athanor.jobs.workers.worker import work
from tests.jobs.support import UNITS, echo, store

__all__ = ["store"]

RESULT = Outcome(["{}"], False)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def claims(store: Store, clock: Clock) -> Claims:
    return Claims(store.database, clock=clock, lease=30)


def test_a_unit_has_one_claim(store: Store, claims: Claims) -> None:
    store.submit("echo", UNITS)
    found = [claims.claim(f"worker {number}") for number in range(5)]
    assert [claim and claim.number for claim in found] == [0, 1, 2, 3, None]


def test_a_lease_that_is_over_lets_another_in_and_the_first_out(
    store: Store, claims: Claims, clock: Clock
) -> None:
    job, _ = store.submit("echo", UNITS[:1])
    first = claims.claim("sleeper")
    assert first is not None
    clock.now += 29
    assert claims.claim("other") is None
    assert claims.renew(first)
    clock.now += 29
    assert claims.claim("other") is None
    clock.now += 2
    second = claims.claim("other")
    assert second is not None
    assert second.id == first.id
    assert not claims.renew(first)
    assert not claims.finish(first, RESULT)
    assert claims.finish(second, RESULT)
    assert not claims.finish(second, RESULT)
    assert len(store.results(job.id)) == 1


def test_a_clock_that_began_anew_ends_leases_from_before(store: Store, claims: Claims, clock: Clock) -> None:
    store.submit("echo", UNITS[:1])
    assert claims.claim("before the machine was restarted") is not None
    clock.now = 5.0
    assert claims.claim("after it") is not None


def test_a_unit_that_nobody_survives_is_given_up(store: Store, clock: Clock) -> None:
    claims = Claims(store.database, clock=clock, lease=30, attempts=3)
    job, _ = store.submit("echo", UNITS[:1])
    for _ in range(3):
        assert claims.claim("victim") is not None
        clock.now += 31
    assert claims.claim("victim") is None
    assert claims.bury() == 1
    assert store.job(job.id).status == "failed"
    (result,) = store.results(job.id)
    assert result.result["error"]["code"] == "worker_died"
    assert store.retry(job.id).status == "waiting"


def test_many_are_kept_and_claimed_at_once(store: Store, claims: Claims) -> None:
    job, _ = store.submit("echo", UNITS)
    first = claims.exchange_many([], "worker", 3)
    assert [claim.number for claim in first] == [0, 1, 2]
    rest = claims.exchange_many([(claim, RESULT) for claim in first], "worker", 3)
    assert [claim.number for claim in rest] == [3]
    assert claims.exchange_many([(claim, RESULT) for claim in first + rest], "worker", 3) == []
    assert store.job(job.id).status == "done"
    assert len(store.results(job.id)) == 4


def test_jobs_take_turns(store: Store, claims: Claims) -> None:
    store.submit("echo", UNITS)
    assert claims.claim("worker") is not None
    store.submit("echo", UNITS)
    found = [claims.claim("worker") for _ in range(4)]
    assert [claim and (claim.job, claim.number) for claim in found] == [(2, 0), (1, 1), (2, 1), (1, 2)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell of its processes")
def test_what_a_dead_process_held_is_put_back_at_once(store: Store) -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    place = presence.own_name().split("/")[0]
    start = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    name = f"{place}/{process.pid}/{start}"
    store.submit("echo", UNITS[:1])
    assert store.claims.claim(name) is not None
    assert store.claims.bury() == 0
    process.communicate(b"\n")
    assert store.claims.bury() == 1
    assert store.claims.claim("other") is not None


def test_a_process_is_known_by_its_start_too() -> None:
    own = presence.own_name()
    assert not presence.gone(own)
    assert not presence.gone("another machine's/1/2")
    assert not presence.gone("0123456789abcdef")
    if "/" in own:
        assert presence.gone(own + "0")


def test_nothing_is_kept_of_a_unit_that_was_lost(store: Store) -> None:
    job, _ = store.submit("echo", UNITS)

    def run(payload: str, lost: object) -> Outcome:
        if payload == UNITS[1]:
            store.claims.release(presence.own_name())  # as if it had been taken for dead
            store.claims.claim("other")
        return echo(payload)

    assert work(store, run=run) == 3
    assert [result.result["number"] for result in store.results(job.id)] == [0, 2, 3]
    store.claims.release("other")
    assert work(store, run=echo) == 1
    assert store.job(job.id).status == "done"


def test_a_lost_unit_is_ended_early(store: Store) -> None:
    job, _ = store.submit("echo", UNITS[:1])

    def run(payload: str, lost: object) -> Outcome:
        store.cancel(job.id)
        assert lost.wait(60)  # type: ignore[attr-defined]
        return echo(payload)

    assert work(store, run=run) == 0
    assert store.results(job.id) == []


def test_two_stores_of_a_file_share_its_units(store: Store) -> None:
    store.submit("echo", UNITS)
    other = Claims(Database(store.path, 64))
    claimed = [claims.claim("worker") for claims in (store.claims, other) * 2]
    assert sorted(claim.number for claim in claimed if claim) == [0, 1, 2, 3]


def test_many_leases_are_renewed_at_once(store: Store, claims: Claims, clock: Clock) -> None:
    store.submit("echo", UNITS)
    held = [claim for claim in (claims.claim("one"), claims.claim("one")) if claim is not None]
    lost = claims.claim("one")
    assert lost is not None
    claims.finish(lost, RESULT)
    clock.now += 20
    assert claims.renew_all([*held, lost]) == 2
    clock.now += 20
    assert claims.bury() == 0
    assert [claims.holds(claim) for claim in (*held, lost)] == [True, True, False]
