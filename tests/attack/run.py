"""One attack: rounds of many requests at once, each followed by a while in which requests are sent alone."""

from __future__ import annotations

import json
import multiprocessing
import random
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from solver.common import Random
from tests.attack.addresses import LastJob
from tests.attack.case import DEFAULT_SECONDS, HINT_SECONDS, MAX_SECONDS, Case, request
from tests.attack.cases import case
from tests.attack.decks import DECKS
from tests.attack.positions import moment
from tests.attack.replies import BUSY, Connection, faults, late
from tests.attack.server import Address, Held, Watcher, memory_limit, processor_seconds
from tests.support.hard_decks import hard_deck

# The clients: processes, each with some connections, that send one request after the other.


NOISE_SECONDS = 0.5  # how late an answer may come among many others before it is asked for once more, alone
_TRIES = 4
_JOB = LastJob()  # of the clients of this process


@dataclass
class Tally:
    """What became of some requests."""

    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    over: list[float] = field(default_factory=list)  # seconds over the limit; negative where in time
    faults: list[tuple[int, str]] = field(default_factory=list)  # by the numbers of the cases
    again: list[int] = field(default_factory=list)  # late or turned away: to be asked once more, alone
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, other: Tally) -> None:
        self.statuses += other.statuses
        self.over += other.over
        self.faults += other.faults
        self.again += other.again

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "lock"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__ |= state | {"lock": threading.Lock()}


def attack(host: str, port: int, seed: int, numbers: range, connections: int) -> Tally:
    """Send the cases of these numbers over so many connections at once."""
    tally = Tally()
    threads = [
        threading.Thread(target=_one, args=(host, port, seed, numbers[place::connections], tally))
        for place in range(connections)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return tally


def alone(address: Address, asked: Case) -> list[str]:
    """The faults of a case that is sent while nothing else is: now it has to be in time, and not turned away.

    It is in time, too, if the service did not get the processor for longer than the case may take, within reason;
    for which the time that it waited for one does not count.
    """
    found: list[str] = []
    for again in range(_TRIES):  # the machine may be busy with something else
        connection = Connection(address.host, address.port)
        before = processor_seconds(address)
        with Held(address) if again else nullcontext() as held:
            replies = connection.ask(asked)
        spent = processor_seconds(address) - before
        waited = held.seconds if held is not None else 0.0
        connection.close()
        found = [fault for reply in replies for fault in faults(asked, reply)]
        if found:
            return found
        found = [f"the status {BUSY} without any load" for reply in replies if reply.status == BUSY]
        if asked.whole:
            found += [
                f"{reply.seconds:.3f} s, {spent:.2f} s of processor time, where {asked.seconds:.3f} s is allowed"
                for reply in replies
                if late(asked, reply) and (spent > asked.seconds or late(asked, reply, NOISE_SECONDS + waited))
            ]
        if not found:
            break
    return found


def _one(host: str, port: int, seed: int, numbers: Iterable[int], tally: Tally) -> None:
    connection = Connection(host, port)
    for number in numbers:
        try:
            asked = _JOB.named(case(seed, number))
        except Exception as found:  # a fault of the attack's own must not end it
            with tally.lock:
                tally.faults.append((number, f"cannot be made: {found!r}"))
            continue
        try:
            replies = connection.ask(asked)
        except OSError as found:
            with tally.lock:
                tally.faults.append((number, f"no connection: {found}"))
            connection.close()
            continue
        with tally.lock:
            for reply in replies:
                _JOB.learn(asked, reply.status, reply.body)
                tally.statuses[asked.kind, reply.status] += 1
                tally.faults += [(number, fault) for fault in faults(asked, reply)]
                if asked.whole:
                    tally.over.append(reply.seconds - asked.seconds)
                    if reply.status == BUSY or late(asked, reply, NOISE_SECONDS):
                        tally.again.append(number)
            if not replies:
                tally.statuses[asked.kind, 0] += 1
    connection.close()


# Clients who ask for something long and leave: 0.3 s later the service has nothing to do any more.


_STAY_SECONDS = 0.15
_QUIET_SECONDS = 0.3  # after which the processor has to be quiet,
_HELD_SECONDS = 5.0  # and at most so much later where other programs hold the service up,
_WATCHED_SECONDS = 0.4  # for so long
_BUSY_SECONDS = 0.06  # of processor time in it is too much: the system counts in hundredths


def long_question(seed: int, number: int) -> bytes:
    """A request that may take as long as the service allows."""
    rng = random.Random(f"leaving/{seed}/{number}")
    limit = {"seconds": MAX_SECONDS}
    choice = rng.random()
    if choice < 0.2:
        deck = hard_deck(Random(rng.randrange(1 << 40)))
        position: dict[str, Any] = {"game": "king", "deck": deck, "cards": [card["code"] for card in deck["card"]]}
        return _posted("/v1/compound", {"position": position, "limit": limit, "missing": rng.random() < 0.5})
    if choice < 0.3:
        line = [rng.choice(("A", "2", "3", "5", "8", "Q", "K")) for _ in range(24)]
        free = {"game": "alchemy", "variant": "free", "min_line": 1, "line": line, "hand": "K"}
        return _posted("/v1/analyze", {"position": free, "limit": limit})
    position = moment(rng)
    if choice < 0.45:
        puzzle = {"id": "a", "title": "Leaving", "ask": "best-move", "position": position}
        return _posted(
            "/v1/solve",
            {"puzzle": [{**puzzle, "id": str(n)} for n in range(9)], "limit": {"seconds": MAX_SECONDS}},
        )
    address = "/v1/hint" if "hand" in position and "stock" not in position else "/v1/analyze"
    body: dict[str, Any] = {"position": position, "limit": limit}
    if address == "/v1/analyze" and rng.random() < 0.5:
        body["model"] = rng.choice(("paranoid", "maxn"))
    return _posted(address, body)


def taken_after(address: Address, sent: bytes, *, reset: bool) -> float:
    """The processor time that the service takes in 0.4 s, from 0.3 s after a client who asked this has left.

    Where other programs keep the service from ending what it is at, it has so much longer for that.
    """
    client = socket.create_connection((address.host, address.port))
    client.sendall(sent)
    time.sleep(_STAY_SECONDS)
    if reset:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    with Held(address) as held:
        client.close()
        time.sleep(_QUIET_SECONDS)
        time.sleep(min(held.seconds, _HELD_SECONDS))
    before = processor_seconds(address)
    time.sleep(_WATCHED_SECONDS)
    return processor_seconds(address) - before


def leaving_fault(address: Address, seed: int, number: int) -> str:
    """What is wrong when the client of this number leaves; empty if nothing is."""
    taken = taken_after(address, long_question(seed, number), reset=bool(number % 2))
    return f"{taken:.2f} s of processor time after its client left" if taken > _BUSY_SECONDS else ""


def _posted(address: str, body: object) -> bytes:
    return request("POST", address, json.dumps(body).encode())


# Rounds.


# The first who asks for the puzzles of the collection waits until all are read: seconds, and once.
COLLECTION = Case("collection", request("GET", "/v1/puzzles?solutions=true&limit=1000"), 30.0)
_PORTION = 400  # requests that a process sends before it tells what became of them
_AGAIN = 60  # requests of a round that are sent once more, alone
_SINGLE = 20  # others of a round that are sent alone, for their times
_LEAVERS = 10  # clients of a round that leave
_LOGGED = re.compile(r"Traceback \(most recent|a request failed|solving a puzzle file failed|\w+Error:")


def settings(folder: Path) -> dict[str, str]:
    """What a service is attacked with: short limits, decks to name, and jobs in a folder of their own."""
    return {
        "ATHANOR_DEFAULT_SECONDS": str(DEFAULT_SECONDS),
        "ATHANOR_HINT_SECONDS": str(HINT_SECONDS),
        "ATHANOR_MAX_SECONDS": str(MAX_SECONDS),
        "ATHANOR_DECKS": str(DECKS),
        "ATHANOR_JOBS": str(folder / "jobs.sqlite"),
    }


@dataclass
class Report:
    """What an attack found."""

    tally: Tally = field(default_factory=Tally)
    violations: list[str] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    most_megabytes: float = 0.0
    alone: int = 0
    left: int = 0
    unjudged: int = 0  # late or turned away among others, and not sent once more
    next: int = 0  # the number of the first request that was not sent

    @property
    def requests(self) -> int:
        return sum(self.tally.statuses.values())


class Attack:
    """The attack on one service. `rounds` yields, after each round, what was found so far."""

    def __init__(self, address: Address, seed: int, first: int, processes: int, connections: int) -> None:
        self.report = Report()
        self._address = address
        self._seed = seed
        self._next = first
        self._processes = processes
        self._connections = connections
        self._logged = 0
        self._memory = memory_limit(address)

    def rounds(self, count: int | None, seconds: float, round_seconds: float) -> Iterator[Report]:
        """Send cases until there were `count`, or for so many seconds."""
        end = time.monotonic() + seconds
        last = None if count is None else self._next + count
        with ProcessPoolExecutor(self._processes, multiprocessing.get_context("spawn")) as pool:
            while (left := end - time.monotonic()) > 0 and (last is None or self._next < last):
                begun = self._next
                tally = self._crowd(pool, last, min(left, round_seconds))
                self._judge(tally, begun)
                yield self.report

    def _crowd(self, pool: ProcessPoolExecutor, last: int | None, seconds: float) -> Tally:
        """A round of many clients at once, with the service's health watched."""
        tally, running = Tally(), set[Future[Tally]]()
        end = time.monotonic() + seconds
        with Watcher(self._address) as watcher:
            while running or time.monotonic() < end:
                while time.monotonic() < end and len(running) < 2 * self._processes:
                    first = self._next
                    self._next = first + _PORTION if last is None else min(first + _PORTION, last)
                    if first == self._next:
                        end = 0.0
                        break
                    running.add(
                        pool.submit(
                            attack, self._address.host, self._address.port, self._seed,
                            range(first, self._next), self._connections,
                        )
                    )  # fmt: skip
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for finished in done:
                    tally.add(finished.result())
        self.report.health += watcher.health
        self.report.late += watcher.late
        self.report.most_megabytes = max(self.report.most_megabytes, watcher.most_megabytes)
        return tally

    def _judge(self, tally: Tally, begun: int) -> None:
        """What was wrong in a round; and once more, alone, what could not be judged beside others."""
        report = self.report
        for number, fault in tally.faults:
            self._violation(number, fault)
        rng = random.Random(begun)
        rng.shuffle(tally.again)
        report.unjudged += max(0, len(tally.again) - _AGAIN)
        for number in (*tally.again[:_AGAIN], *(rng.randrange(begun, self._next) for _ in range(_SINGLE))):
            report.alone += 1
            for fault in alone(self._address, case(self._seed, number)):
                self._violation(number, fault)
        if self._address.process is not None:
            for number in range(report.left, report.left + _LEAVERS):
                report.left += 1
                if fault := leaving_fault(self._address, self._seed, number):
                    report.violations.append(f"leaving client {number} of seed {self._seed}: {fault}")
        if self._memory and report.most_megabytes > self._memory:
            report.violations.append(f"{report.most_megabytes:,.0f} MiB where {self._memory:,.0f} are allowed")
        report.violations += self._from_log()
        report.tally.add(tally)
        report.next = self._next

    def _violation(self, number: int, fault: str) -> None:
        try:
            asked = case(self._seed, number)
        except Exception as found:  # it has been told that it cannot be made
            self.report.violations.append(f"--seed {self._seed} --first {number}: {found!r}")
            return
        self.report.violations.append(
            f"--seed {self._seed} --first {number} ({asked.kind}): {fault}\n  {asked.shown}"
        )

    def _from_log(self) -> list[str]:
        """What the service wrote to its log that tells of a fault of its own."""
        if self._address.log is None:
            return []
        lines = self._address.log.read_text(errors="replace").splitlines()
        new, self._logged = lines[self._logged :], len(lines)
        return [f"log: {line}" for line, _ in Counter(filter(_LOGGED.search, new)).most_common(9)]


# What several runs add up to: a file with a line for each run, from which the next one goes on.


@dataclass(frozen=True, slots=True)
class Sums:
    """What was found by some requests of a seed: those from number `first` up to, not with, `next`."""

    seed: int
    first: int
    next: int
    requests: int
    seconds: float
    refused: int  # 503
    broken: int  # 5xx, but neither 503 nor 501, which is an answer to framings that the service does not know
    unanswered: int
    late: int  # by more than `NOISE_SECONDS`, beside all others
    violations: int
    health: int  # questions for the service's health
    slow_health: int  # those that took more than 100 ms
    left: int  # clients that left
    most_megabytes: float

    def __add__(self, other: Sums) -> Sums:
        found = asdict(self)
        for name, value in asdict(other).items():
            found[name] = max(found[name], value) if name in _GREATEST else found[name] + value
        return Sums(**found | {"seed": self.seed, "first": min(self.first, other.first)})


_GREATEST = ("next", "most_megabytes")


def sums_of(report: Report, seed: int, first: int, following: int, seconds: float) -> Sums:
    """What a report found so far, by requests from `first` up to `following`."""
    statuses = report.tally.statuses
    return Sums(
        seed=seed,
        first=first,
        next=following,
        requests=report.requests,
        seconds=round(seconds, 1),
        refused=sum(count for (_, status), count in statuses.items() if status == 503),
        broken=sum(count for (_, status), count in statuses.items() if status >= 500 and status not in (501, 503)),
        unanswered=sum("no answer" in fault for _, fault in report.tally.faults),
        late=sum(over > NOISE_SECONDS for over in report.tally.over),
        violations=len(report.violations),
        health=len(report.health),
        slow_health=sum(seconds > 0.1 for seconds in report.health),
        left=report.left,
        most_megabytes=round(report.most_megabytes),
    )


class Ledger:
    """The file, with a line of JSON for each run; that of the run that goes on is written anew each round."""

    def __init__(self, path: Path, seed: int) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path.exists() else []
        self._before = [Sums(**json.loads(line)) for line in lines]
        self._mine = [run for run in self._before if run.seed == seed]

    @property
    def next(self) -> int:
        """The number with which the next run begins."""
        return max((run.next for run in self._mine), default=0)

    def keep(self, found: Sums) -> Sums:
        """Write down what a run has found so far; what all runs of its seed have, it included."""
        lines = [json.dumps(asdict(run)) for run in (*self._before, found)]
        self._path.write_text("\n".join(lines) + "\n")
        return sum(self._mine, start=found)
