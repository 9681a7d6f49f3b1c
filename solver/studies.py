"""Surveys over many deals: the value of each seat, and the value of a choice made before a round.

For the seats, each deal is analyzed once for every possible leader, for the exact value of every seat under each
model. The value of leading is a seat's value when it leads minus its average value when others lead the same deal,
which cancels the luck of the cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import sqrt
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from solver.answers import Analysis, Answer
from solver.common import Z95, Random, counted
from solver.errors import RequestError
from solver.game import Row, Section
from solver.language import say, translated
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# Means over deals with their intervals.


K = TypeVar("K")


class Estimate(Answer):
    """A mean over independent deals, and the half-width `half` of its 95% interval (None for a single deal).

    `what` and `model` name the quantity.
    """

    what: str
    model: str = ""
    mean: float
    half: float | None

    @property
    def figure(self) -> str:
        """The mean and its interval for display."""
        return f"{self.mean:.3f}" if self.half is None else f"{self.mean:.3f} ± {self.half:.3f}"

    @property
    def share(self) -> str:
        """The mean and its interval as percentages for display."""
        return f"{self.mean:.1%}" if self.half is None else f"{self.mean:.1%} ± {self.half:.1%}"


def estimate(what: str, values: Sequence[float], model: str = "") -> Estimate:
    """Return the mean of `values` (at least one, one per deal) with the half-width of its 95% interval."""
    half = Z95 * float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else None
    return Estimate(what=what, model=model, mean=float(np.mean(values)), half=half)


def by_deal(rows: Iterable[Row], key: Sequence[str]) -> Mapping[int, list[Row]]:
    """Group rows by the number of their deal; sort each group by the columns named in `key`.

    Raises RequestError if two rows of a deal have the same values in these columns.
    """
    ordered = sorted(rows, key=lambda row: (row["number"], *(row[name] for name in key)))
    found = {number: list(group) for number, group in groupby(ordered, key=lambda row: int(row["number"]))}
    for number, group in found.items():
        if len({tuple(row[name] for name in key) for row in group}) < len(group):
            raise RequestError("duplicate", say("deal {number} is counted twice", number=number))
    return found


def of_deals(variant: str, deals: int, seed: int) -> list[tuple[str, str]]:
    """Return labelled lines for display: the variant, the number of deals, and their seed."""
    return [
        (say("Variant"), variant),
        (say("Deals"), say("{count:,}, seed {seed}", count=deals, seed=seed)),
    ]


# ----------------------------------------------------------------------------------------------------
# Bar charts of estimates with their intervals.


def bars(estimates: Sequence[Estimate], unit: str, title: str, target: Path) -> None:
    """Draw the estimates as a bar chart, grouped by model, in the file `target`.

    Its suffix says whether it is PNG or SVG. `unit` labels the vertical axis. Raises OSError if the file cannot be
    written, ValueError for an unknown suffix.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    models = list(dict.fromkeys(one.model for one in estimates))
    labels = list(dict.fromkeys(one.what for one in estimates))
    width = 0.8 / len(labels)
    for index, label in enumerate(labels):
        of_label = {one.model: one for one in estimates if one.what == label}
        there = [place for place, model in enumerate(models) if model in of_label]
        heights = [of_label[models[place]].mean for place in there]
        halves = [of_label[models[place]].half or 0.0 for place in there]
        middle = [place + (index - (len(labels) - 1) / 2) * width for place in there]
        axes.bar(middle, heights, width, yerr=halves, capsize=3, label=label)
    axes.set_xticks(range(len(models)), models)
    axes.set_ylabel(unit)
    axes.set_title(title)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(target, dpi=150)


Values = NDArray[np.float64]  # (leaders, seats)

_ALL = ("paranoid", "ally", "maxn")


class SeatsResult(Answer):
    """Mean values of seats over many deals, under each model of how the others play.

    `lead` has, for each model, how much more a seat is worth when it leads than when another seat does. `places`
    has the value of each place, counted from the leader (place 0). `differ` has, for each pair of models, the
    share of values that are not the same.
    """

    variant: str
    seed: int
    deals: int
    unit: str
    lead: tuple[Estimate, ...]
    places: tuple[Estimate, ...]
    differ: tuple[Estimate, ...]


@dataclass(frozen=True)
class Seats:
    """The survey of what each seat is worth in one game.

    ``positions(variant, random)`` deals cards and returns, by seat, the position in which that seat leads. `unit`
    is the unit of the values. `models` maps a variant to the models that are feasible for it; for a variant that
    it does not list, all models are.
    """

    positions: Callable[[str, Random], Sequence[BaseModel]]
    analyze: Callable[..., Analysis]
    unit: str
    models: Mapping[str, tuple[str, ...]]

    def part(self, variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
        """Yield a row for each leader and seat of each of `deals` deals, starting with deal `number`.

        A row has the seat's value under each model.
        """
        models = self._of(variant)
        for deal in range(number, number + deals):
            positions = self.positions(variant, Random(seed, deal))
            for leader, position in enumerate(positions):
                values = {model: self._values(position, model, len(positions), control) for model in models}
                for player in range(len(positions)):
                    worth = {model: of_model[player] for model, of_model in values.items()}
                    yield {"number": deal, "deals": 1, "leader": leader, "player": player, **worth}

    def merged(self, variant: str, seed: int, rows: Iterable[Row]) -> SeatsResult:
        """Combine the rows of all parts. Raises RequestError for a deal that is counted twice."""
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
                estimate(PLACES[place], [_at(tables[model], place) for tables in deals], model)
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
        """Return the value of each seat under a model; NaN if the analysis was cancelled."""
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


PLACES = ("the leader", "1st after it", "2nd after it", "3rd after it", "4th after it")


def seats_sections(result: SeatsResult) -> list[Section]:
    places = [(f"{one.model}, {translated(one.what)}", one.figure) for one in result.places]
    unit = translated(result.unit)
    return [
        Section(None, of_deals(result.variant, result.deals, result.seed)),
        Section(
            say("The value of the lead, in {unit}:", unit=unit), [(one.model, one.figure) for one in result.lead]
        ),
        Section(say("The value of each place, in {unit}:", unit=unit), places),
        Section(
            say("How often the values of two models differ:"), [(one.model, one.share) for one in result.differ]
        ),
    ]


def seats_plot(result: SeatsResult, target: Path) -> None:
    """Draw the value of each place under each model as a bar chart in the file `target`. Raises as `bars` does."""
    title = f"{result.variant}: {result.deals:,} deals, seed {result.seed}"
    bars(result.places, f"value in {result.unit}", title, target)


def _tables(rows: Iterable[Row], models: Iterable[str]) -> dict[str, Values]:
    """Return the values in one deal by model, each an array (leaders, seats)."""
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
    """Return the share of leaders and seats for which two models' values differ."""
    return float(np.mean(one != other))


# ----------------------------------------------------------------------------------------------------
# What a choice before the round is worth: the best, an average and the worst one, and each kind of card.
#
# Where values are sampled estimates, the best choice is taken from a first estimate (`judged`), and its value from
# a second, independent one (`value`): the highest of several estimates would be biased upwards.


class ChoicesResult(Answer):
    """What a choice before the round is worth: means over deals, in points.

    `best`, `any` and `worst` are the values of the best, a random and the worst choice; `gain` is `best`
    minus `any`. `kinds` says how much better each kind of choice is than the average choice in the same deal.
    """

    variant: str
    seed: int
    deals: int
    best: Estimate
    any: Estimate
    worst: Estimate
    gain: Estimate
    kinds: tuple[Estimate, ...]


def merged(variant: str, seed: int, rows: Iterable[Row]) -> ChoicesResult:
    """Combine the rows of all parts: one row for each possible `move` in each deal.

    A row has the move's `value`, its `kind`, and `judged`, the estimate by which the best and the worst move of a
    deal are chosen. If `judged` is independent of `value`, that choice does not bias the mean values. Raises
    RequestError for a deal that is counted twice.
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


def choices_sections(result: ChoicesResult) -> list[Section]:
    chosen = (result.best, result.any, result.worst, result.gain)
    kinds = [(translated(one.what), f"{one.figure}  ({one.model})") for one in result.kinds]
    return [
        Section(None, of_deals(result.variant, result.deals, result.seed)),
        Section(
            say("The value of the choice, in points:"), [(translated(one.what), one.figure) for one in chosen]
        ),
        Section(say("How far each kind of card is above the overall mean:"), kinds),
    ]


def choices_plot(result: ChoicesResult, target: Path) -> None:
    """Draw how much better each kind of choice is than the average one, as a bar chart in the file `target`.

    Raises as `bars` does.
    """
    kinds = [one.model_copy(update={"model": ""}) for one in result.kinds]
    title = f"{result.variant}: {result.deals:,} deals, seed {result.seed}"
    bars(kinds, "points above the mean of all cards", title, target)
