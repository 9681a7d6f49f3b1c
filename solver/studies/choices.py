"""What a choice before the round is worth: the best, any, the worst, and each kind of card.

Where values are estimates by sampling, the best choice is the one of a first estimate (`judged`), and its value is
that of a second, independent one (`value`): the highest of several estimates would be too high.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from solver.common.words import counted
from solver.protocol.answers import Answer
from solver.protocol.survey import Row, Section
from solver.studies.estimates import Estimate, by_deal, estimate
from solver.studies.plot import bars


class ChoicesResult(Answer):
    """Means over deals, in points. `kinds` has by how much a choice of a kind is above the mean of its deal's."""

    variant: str
    seed: int
    deals: int
    best: Estimate
    any: Estimate
    worst: Estimate
    gain: Estimate
    kinds: tuple[Estimate, ...]


def merged(variant: str, seed: int, rows: Iterable[Row]) -> ChoicesResult:
    """What rows come to that have the `value` of each `move` of a deal, what it was `judged` by, and its `kind`.

    Raises RequestError for a deal that is counted twice.
    """
    deals = by_deal(rows, ("move",)).values()
    best, mean, worst = [], [], []
    kinds: dict[str, list[float]] = defaultdict(list)
    for moves in deals:
        values = [float(row["value"]) for row in moves]
        judged = [float(row["judged"]) for row in moves]
        best.append(values[judged.index(max(judged))])
        worst.append(values[judged.index(min(judged))])
        mean.append(sum(values) / len(values))
        for kind in dict.fromkeys(str(row["kind"]) for row in moves):
            of_kind = [float(row["value"]) for row in moves if row["kind"] == kind]
            kinds[kind].append(sum(of_kind) / len(of_kind) - mean[-1])
    return ChoicesResult(
        variant=variant,
        seed=seed,
        deals=len(deals),
        best=estimate("the best", best),
        any=estimate("any, at random", mean),
        worst=estimate("the worst", worst),
        gain=estimate("the best over any", [high - low for high, low in zip(best, mean, strict=True)]),
        kinds=tuple(estimate(kind, kinds[kind], counted(len(kinds[kind]), "deal")) for kind in sorted(kinds)),
    )


def sections(result: ChoicesResult) -> list[Section]:
    """The result for a person."""
    rows = [("Variant", result.variant), ("Deals", f"{result.deals:,}, seed {result.seed}")]
    chosen = (result.best, result.any, result.worst, result.gain)
    kinds = [(one.what, f"{one.figure}  ({one.model})") for one in result.kinds]
    return [
        Section(None, rows),
        Section("The value of the choice, in points:", [(one.what, one.figure) for one in chosen]),
        Section("By how much a kind of card is above the mean of all:", kinds),
    ]


def plot(result: ChoicesResult, target: Path) -> None:
    """Draw how much each kind of card is worth. Raises OSError, ValueError."""
    kinds = [one.model_copy(update={"model": ""}) for one in result.kinds]
    title = f"{result.variant}: {result.deals:,} deals, seed {result.seed}"
    bars(kinds, "points above the mean of all cards", title, target)
