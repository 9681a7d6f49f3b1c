"""One attack: rounds of many requests at once, each followed by a while in which requests are sent alone."""

from __future__ import annotations

import multiprocessing
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from tests.attack import leaving
from tests.attack.case import DEFAULT_SECONDS, HINT_SECONDS, MAX_SECONDS, Case, request
from tests.attack.cases import case
from tests.attack.clients import Tally, alone, attack
from tests.attack.server import Address
from tests.attack.sources.decks import DECKS
from tests.attack.watching import Watcher, memory_limit

# The first who asks for the puzzles of the collection waits until all are read: seconds, and once.
COLLECTION = Case("collection", request("GET", "/v1/puzzles"), 30.0)
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
                if fault := leaving.fault(self._address, self._seed, number):
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
