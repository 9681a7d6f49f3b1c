"""The clients of the attack: processes, each with some connections, that send one request after the other."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field

from tests.attack.case import Case
from tests.attack.cases import case
from tests.attack.checks import BUSY, faults, late
from tests.attack.replies import Connection
from tests.attack.server import Address
from tests.attack.sources.jobs import LastJob
from tests.attack.watching import Held, processor_seconds

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
