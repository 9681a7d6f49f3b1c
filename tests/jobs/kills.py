"""Kills what does jobs at random moments, and looks whether every unit was done, and counted once.

``python -m tests.jobs.kills --kills 100``: a host process submits jobs, each under a key of its own, and runs the
workers, as a service does. Now and then ``kill -9`` ends a worker, the host, or all of them at once; a host that
was killed is started again, and submits its last job once more. With ``--forked`` there is no host: the workers
are forked from this process, which takes far less time: one owns the store, and the other takes over.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from athanor.jobs import store as jobs
from athanor.jobs.file import JobError
from athanor.jobs.store import FAILED, Store
from athanor.jobs.units import answer, payloads
from athanor.jobs.workers import ThreadTeam, serve, work

_WORKERS = 2
_UNITS = 100  # of a job
_DEALS = 10  # of a unit
_ENOUGH = ".enough"  # behind the store's name: a file that tells the host to submit no more


def units_of(number: int) -> list[str]:
    """The units of a job, which no other job has."""
    asked = [{"game": "kirin", "seed": number, "number": _DEALS * unit, "deals": _DEALS} for unit in range(_UNITS)]
    return list(payloads("deal", asked))


def submit(store: Store, number: int) -> bool:
    """Submit a job; whether it is new."""
    return store.submit("deal", units_of(number), key=f"job {number}")[1]


def host(path: str) -> None:
    """Submit jobs and run their workers, until told that it is enough and all is done."""
    store = Store(path)
    begun = len(store.jobs(most=100_000))
    if begun:
        assert not submit(store, begun - 1), "a repeated submit made a second job"
    over = threading.Event()
    thread = threading.Thread(target=serve, args=(store, _WORKERS, over))
    thread.start()
    while True:
        jobs = store.jobs(most=100_000)
        enough = os.path.exists(path + _ENOUGH)
        if not enough and sum(not job.over for job in jobs) < 2:
            submit(store, len(jobs))
        if enough and not store.open():
            over.set()
            thread.join()
            return
        time.sleep(0.05)


def kill_hosts(path: str, kills: int, dice: random.Random) -> tuple[Counter[str], list[float]]:
    """Run a host, and kill what runs. The answer counts the kinds of kills; and how long it took, after a kill of
    all, until a unit was done again."""
    counts: Counter[str] = Counter()
    recoveries: list[float] = []
    process = _host(path)
    store = Store(path)
    for _ in range(kills):
        time.sleep(dice.uniform(0, 4))
        workers = _children(process.pid)
        kind = dice.choice(("worker", "host", "all"))
        victims = dice.sample(workers, min(1, len(workers))) if kind == "worker" else []
        if kind != "worker" or not victims:
            kind = "host" if kind == "worker" else kind
            victims = [process.pid, *(workers if kind == "all" else [])]
        for victim in victims:
            _kill(victim)
        counts[kind] += 1
        if kind != "worker":
            process.wait()
            before = _done(store)
            begun = time.monotonic()
            process = _host(path)
            if kind == "all" and len(recoveries) < 10:
                while _done(store) == before:
                    time.sleep(0.05)
                recoveries.append(time.monotonic() - begun)
    Path(path + _ENOUGH).touch()
    assert process.wait() == 0
    return counts, recoveries


def kill_forks(path: str, kills: int, dice: random.Random) -> Counter[str]:
    """Fork owners, one of whom works, and kill one or all of them, again and again; then let them do the rest."""
    counts: Counter[str] = Counter()
    store = Store(path)
    # On a starved machine a fork may be killed before it has done a single unit, so none is given up.
    jobs.MOST_ATTEMPTS = 1_000_000
    submit(store, 0)  # which also loads here what the forks need
    number = 1
    running = [_forked(path) for _ in range(_WORKERS)]
    while sum(counts.values()) < kills:
        if not store.open():
            submit(store, number)
            number += 1
        time.sleep(dice.uniform(0, 0.3))
        kind = dice.choice(("worker", "all"))
        for victim in [dice.choice(running)] if kind == "worker" else list(running):
            running.remove(victim)
            _kill(victim)
            os.waitpid(victim, 0)
        counts[kind] += 1
        running += [_forked(path) for _ in range(_WORKERS - len(running))]
    while store.open():
        time.sleep(0.02)
    for victim in running:
        _kill(victim)
        os.waitpid(victim, 0)
    return counts


def faults(path: str) -> list[str]:
    """What is wrong with the jobs of a store in which nothing waits: units lost, or counted twice."""
    store = Store(path)
    found = []
    with store.file.reading() as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        keys = [row["key"] for row in db.execute("SELECT key FROM jobs ORDER BY number")]
        if keys != [f"job {number}" for number in range(len(keys))]:
            found.append(f"jobs are missing, or there twice: {keys}")
        for number, (job,) in enumerate(db.execute("SELECT number FROM jobs ORDER BY number").fetchall()):
            states = [row["state"] for row in db.execute("SELECT state FROM units WHERE job = ?", (job,))]
            lines = db.execute("SELECT unit, text FROM results WHERE job = ? ORDER BY id", (job,)).fetchall()
            if given_up := states.count(FAILED):
                found.append(f"job {number}: {given_up} units were given up")
            wanted = {(unit, line) for unit, text in enumerate(units_of(number)) for line in answer(text).lines}
            if Counter((row["unit"], row["text"]) for row in lines) != Counter(wanted):
                found.append(f"job {number}: {len(lines)} results, not the {len(wanted)} wanted")
    return found


def _host(path: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.jobs.kills", "--host", path])


def _forked(path: str) -> int:
    process = os.fork()
    if process == 0:
        try:
            while True:
                with suppress(JobError):  # another one works on the store
                    work(Store(path), ThreadTeam(), forever=True)
                time.sleep(0.01)
        finally:
            os._exit(1)
    return process


def _children(process: int) -> list[int]:
    """The fork server that a process has started, and the workers that this has."""
    found: list[int] = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # one that has just ended
            for child in map(int, children.read_text().split()):
                if b"forkserver" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found += [child, *_children(child)]
    return found


def _kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def _done(store: Store) -> int:
    return sum(job.units.done for job in store.jobs(most=100_000))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--forked", action="store_true")
    parser.add_argument("--host", metavar="PATH", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.host:
        host(given.host)
        return
    with tempfile.TemporaryDirectory(prefix="athanor-kills-") as folder:
        path = os.path.join(folder, "jobs.sqlite")
        begun = time.monotonic()
        recoveries: list[float] = []
        if given.forked:
            counts = kill_forks(path, given.kills, random.Random(given.seed))
        else:
            counts, recoveries = kill_hosts(path, given.kills, random.Random(given.seed))
        found = faults(path)
        count = len(Store(path).jobs(most=100_000))
        kinds = ", ".join(f"{count} of {kind}" for kind, count in sorted(counts.items()))
        print(f"{sum(counts.values())} kills ({kinds}) in {time.monotonic() - begun:.0f} s")
        print(f"{count} jobs of {_UNITS} units: {len(found)} faults")
        if recoveries:
            middle = sorted(recoveries)[len(recoveries) // 2]
            print(f"after a kill of all, a unit was done again in {middle:.1f} s (median of {len(recoveries)})")
        for fault in found:
            print(fault)
        sys.exit(bool(found))


if __name__ == "__main__":
    main()
