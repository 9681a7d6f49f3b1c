"""What several runs of the attack add up to: a file with a line for each run, from which the next one goes on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.attack.clients import NOISE_SECONDS
from tests.attack.run import Report


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
