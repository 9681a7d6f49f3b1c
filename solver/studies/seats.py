"""What a seat is worth: the value of the lead, of each place after the leader, and how far the models differ.

Each deal is analyzed once for every seat that may lead it, and the value of every seat is asked for under each
model: all exact. The value of the lead is what a seat's value is when it leads less what it is, in the same deal,
on average over the other leaders; so the luck of the cards is taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from solver.common.control import Control
from solver.common.rng import Random
from solver.protocol.answers import Analysis, Answer
from solver.protocol.survey import Row, Section
from solver.studies.estimates import Estimate, by_deal, estimate
from solver.studies.plot import bars

Values = NDArray[np.float64]  # (leaders, seats)

_ALL = ("paranoid", "ally", "maxn")


class SeatsResult(Answer):
    """Means over deals. `places` goes by the place after the leader, 0 for the leader, and by the model."""

    variant: str
    seed: int
    deals: int
    unit: str
    lead: tuple[Estimate, ...]
    places: tuple[Estimate, ...]
    differ: tuple[Estimate, ...]


@dataclass(frozen=True)
class Seats:
    """The survey of one game.

    ``positions(variant, random)`` deals cards and returns the position that each seat leads, by seat. `unit` is
    that of values. `models` are those that can be worked out in a variant; where none are named, all three.
    """

    positions: Callable[[str, Random], Sequence[BaseModel]]
    analyze: Callable[..., Analysis]
    unit: str
    models: Mapping[str, tuple[str, ...]]

    def part(self, variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
        """A row for each leader and seat of each deal, with the seat's value under each model."""
        models = self._of(variant)
        for deal in range(number, number + deals):
            positions = self.positions(variant, Random(seed, deal))
            for leader, position in enumerate(positions):
                values = {model: self._values(position, model, len(positions), control) for model in models}
                for player in range(len(positions)):
                    worth = {model: of_model[player] for model, of_model in values.items()}
                    yield {"number": deal, "deals": 1, "leader": leader, "player": player, **worth}

    def merged(self, variant: str, seed: int, rows: Iterable[Row]) -> SeatsResult:
        """What the rows come to. Raises RequestError for a deal that is counted twice."""
        models = self._of(variant)
        deals = [_tables(group, models) for group in by_deal(rows, ("leader", "player")).values()]
        places = range(deals[0][models[0]].shape[1])
        return SeatsResult(
            variant=variant,
            seed=seed,
            deals=len(deals),
            unit=self.unit,
            lead=tuple(
                estimate("the lead", [_lead(tables[model]) for tables in deals], model) for model in models
            ),
            places=tuple(
                estimate(_PLACES[place], [_at(tables[model], place) for tables in deals], model)
                for model in models
                for place in places
            ),
            differ=tuple(
                estimate("differ", [_differ(tables[one], tables[other]) for tables in deals], f"{one}, {other}")
                for one, other in combinations(models, 2)
            ),
        )

    def _of(self, variant: str) -> tuple[str, ...]:
        return self.models.get(variant, _ALL)

    def _values(self, position: BaseModel, model: str, seats: int, control: Control) -> list[float]:
        """The value of each seat."""
        if model == "maxn":
            with control.part() as part:
                scores = self.analyze(position, part, model=model).value
            return [float(score) for score in scores] if isinstance(scores, tuple) else [np.nan] * seats
        found = []
        for player in range(seats):
            with control.part() as part:
                value = self.analyze(position, part, model=model, player=player).value
            found.append(float(value) if isinstance(value, int | float) else np.nan)  # where it was cancelled
        return found


_PLACES = ("the leader", "1st after it", "2nd after it", "3rd after it", "4th after it")


def sections(result: SeatsResult) -> list[Section]:
    """The result for a person."""
    rows = [("Variant", result.variant), ("Deals", f"{result.deals:,}, seed {result.seed}")]
    places = [(f"{one.model}, {one.what}", one.figure) for one in result.places]
    return [
        Section(None, rows),
        Section(f"The value of the lead, in {result.unit}:", [(one.model, one.figure) for one in result.lead]),
        Section(f"The value of each place, in {result.unit}:", places),
        Section("How often the values of two models differ:", [(one.model, one.share) for one in result.differ]),
    ]


def plot(result: SeatsResult, target: Path) -> None:
    """Draw the value of each place under each model. Raises OSError, ValueError."""
    title = f"{result.variant}: {result.deals:,} deals, seed {result.seed}"
    bars(result.places, f"value in {result.unit}", title, target)


def _tables(rows: Iterable[Row], models: Iterable[str]) -> dict[str, Values]:
    """The values of one deal under each model, by leader and seat."""
    given = list(rows)
    seats = max(row["player"] for row in given) + 1
    if len(given) != seats * seats:
        raise ValueError("rows of the deal are missing")
    return {model: np.array([row[model] for row in given], np.float64).reshape(seats, seats) for model in models}


def _lead(values: Values) -> float:
    own = np.diag(values)
    others = (values.sum(axis=0) - own) / (len(values) - 1)
    return float(np.mean(own - others))


def _at(values: Values, place: int) -> float:
    seats = len(values)
    return float(np.mean([values[leader, (leader + place) % seats] for leader in range(seats)]))


def _differ(one: Values, other: Values) -> float:
    """The share of leaders and seats for which two models' values differ."""
    return float(np.mean(one != other))
