"""What a seat, or a choice before the round, is worth: ``python -m benchmarks.studies king/seats/4``.

A deal is analyzed once for every possible leader, for the exact value of every seat under each model. The lead is
worth a seat's value when it leads minus its average value when others lead the same deal, which cancels the luck
of the cards.

Of choices, `judged` is the value by which the best and the worst are chosen, and `value` what they are worth: the
highest of several sampled estimates would be biased upwards, so these two are independent then.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

import athanor

MODELS = ("paranoid", "ally", "maxn")
CARDS = {
    "kirin": {"ending": 5},
    "king": {"3": 5, "4": 4, "5": 3},
    "aqua-regia": {"2": 6, "3": 4, "4": 3},
}  # of a hand
FIELDS = ("water", "acid", "aqua-regia")
WORLDS = 400  # of a hint about a pick
Z95 = 1.959964


class Estimate(NamedTuple):
    """A mean over deals with the half-width of its 95% interval, which is NaN for a single deal."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.half:.3f}"


def estimate(values: Sequence[float]) -> Estimate:
    half = Z95 * float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return Estimate(float(np.mean(values)), half)


# ----------------------------------------------------------------------------------------------------
# Seats.


def led(game: str, variant: str, seed: int, number: int) -> list[Any]:
    """Return one deal as positions that differ in their leader alone, with few cards so that analyses are fast."""
    rng = random.Random(f"{seed} {number}")
    size = CARDS[game].get(variant)
    if game == "kirin":
        deal = athanor.deal(game, seed=seed, number=number).model_dump()
        hands = [hand[:size] for hand in deal["hands"]]
        fixed = {"direction": "ascending", "hands": hands, "declared": deal["declared"]}
        return [athanor.parse({"game": game, "leader": leader, **fixed}) for leader in range(len(hands))]
    position: Any = athanor.deal(game, seed=seed, number=number, players=int(variant))
    players = range(int(variant))
    if game == "king":
        while position.trick or len(position.hands[0]) > (size or 0):
            position = athanor.play(position, [rng.choice(athanor.legal_moves(position))])
        fixed = {"deck": "house", "hands": position.hands, "won": position.won}
        return [athanor.parse({"game": game, "leader": leader, **fixed}) for leader in players]
    hands = [hand[:size] for hand in position.hands]
    discard = [*(card for hand in position.hands for card in hand[size:]), *position.stock]
    fixed = {"field": rng.choice(FIELDS), "hands": hands, "discard": discard}
    return [athanor.parse({"game": game, "turn": leader, **fixed}) for leader in players]


def values_of(position: Any, model: str, seats: int) -> list[float]:
    """Return the value of each seat under a model."""
    if model == "maxn":
        return list(map(float, athanor.analyze(position, model=model).value))  # type: ignore[arg-type]
    values = [athanor.analyze(position, model=model, player=player).value for player in range(seats)]
    return [float(value) for value in values]  # type: ignore[arg-type]


def seats(deals: Sequence[Mapping[str, Any]]) -> dict[str, Estimate]:
    """Return the value of the lead and of each place after the leader, and how often the models differ.

    Each of the `deals` has an array (leaders, seats) of values by model.
    """
    results: dict[str, Estimate] = {}
    for model in deals[0]:
        tables = [np.array(deal[model], np.float64) for deal in deals]
        count = len(tables[0])
        own = [np.diag(table) for table in tables]
        others = [(table.sum(axis=0) - lead) / (count - 1) for table, lead in zip(tables, own, strict=True)]
        results[f"{model}, the lead"] = estimate(
            [float(np.mean(lead - rest)) for lead, rest in zip(own, others, strict=True)]
        )
        for offset in range(count):
            turned = [
                float(np.mean([table[leader, (leader + offset) % count] for leader in range(count)]))
                for table in tables
            ]
            results[f"{model}, place {offset}"] = estimate(turned)
    for first, other in combinations(deals[0], 2):
        differ = [float(np.mean(np.array(deal[first]) != np.array(deal[other]))) for deal in deals]
        results[f"{first}, {other} differ"] = estimate(differ)
    return results


def seats_study(game: str, variant: str, numbers: Iterable[int], seed: int) -> dict[str, Estimate]:
    models = MODELS[:2] if variant == "deal" else MODELS  # nobody proves `maxn` of a whole deal in time
    deals = []
    for number in numbers:
        positions = led(game, variant, seed, number)
        deals.append({m: [values_of(position, m, len(positions)) for position in positions] for m in models})
    return seats(deals)


# ----------------------------------------------------------------------------------------------------
# A card that is set aside (Kirin), or picked (King).


class Choice(NamedTuple):
    move: str
    kind: str
    value: float
    judged: float


def declarations(variant: str, seed: int, number: int) -> Iterator[Choice]:
    """Yield each card that seat 0 may set aside, once the others have set random cards aside."""
    rng = random.Random(f"{seed} {number}")
    position: Any = athanor.deal("kirin", seed=seed, number=number, variant="undeclared")
    aside = ["", *(rng.choice(hand) for hand in position.hands[1:])]
    hands = [
        [card for card in hand if card != set_aside] for hand, set_aside in zip(position.hands, aside, strict=True)
    ]
    asked = {**position.model_dump(), "seat": 0, "leader": rng.randrange(4), "hands": hands, "declared": aside}
    colours = Counter(card[0] for card in hands[0])
    for move in athanor.analyze(athanor.parse(asked), model=variant).moves:
        value = float(move.value)  # type: ignore[arg-type]
        yield Choice(move.move, f"with {colours[move.move[0]] - 1} of its colour", value, value)


def picks(variant: str, seed: int, number: int) -> Iterator[Choice]:
    """Yield each card that seat 0 may pick, judged by one hint and valued by another."""
    view = athanor.view(
        athanor.deal("king", seed=seed, number=number, players=int(variant), variant="unpicked"), 0
    )
    first, second = (athanor.hint(view, worlds=WORLDS, seed=sample).moves for sample in (0, 1))
    judged = {move.move: move.mean for move in first}
    for move in second:
        kind = "the Dancer" if move.move == "D" else "a trump" if move.move[0] == "T" else "a suit card"
        yield Choice(move.move, kind, move.mean, judged[move.move])


def choices(deals: Iterable[Sequence[Choice]]) -> dict[str, Estimate]:
    """Return what the best, any and the worst choice are worth, and how far each kind is above the mean."""
    gains: dict[str, list[float]] = defaultdict(list)
    for deal in deals:
        mean = sum(choice.value for choice in deal) / len(deal)
        best = max(deal, key=lambda choice: choice.judged).value
        gains["the best"].append(best)
        gains["any"].append(mean)
        gains["the worst"].append(min(deal, key=lambda choice: choice.judged).value)
        gains["the best over any"].append(best - mean)
        for kind in sorted({choice.kind for choice in deal}):
            of_kind = [choice.value for choice in deal if choice.kind == kind]
            gains[kind].append(sum(of_kind) / len(of_kind) - mean)
    return {what: estimate(values) for what, values in gains.items()}


def choices_study(deal: Callable[[str, int, int], Iterator[Choice]]) -> Callable[..., dict[str, Estimate]]:
    return lambda variant, numbers, seed: choices([list(deal(variant, seed, number)) for number in numbers])


STUDIES: dict[str, Callable[..., dict[str, Estimate]]] = {
    **{
        f"{game}/seats/{variant}": partial(seats_study, game, variant)
        for game, variants in (("kirin", ("deal", "ending")), ("king", "345"), ("aqua-regia", "234"))
        for variant in variants
    },
    **{f"kirin/declaration/{model}": partial(choices_study(declarations), model) for model in MODELS[:2]},
    **{f"king/pick/{players}": partial(choices_study(picks), players) for players in "345"},
}


def draw(results: Mapping[str, Estimate], title: str, target: Path) -> None:
    """Draw the results as a bar chart."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    means, halves = zip(*results.values(), strict=True)
    axes.barh(list(results), means, xerr=halves, capsize=3)
    axes.set_title(title)
    figure.savefig(target, dpi=150)


@click.command()
@click.argument("study", type=click.Choice(list(STUDIES)))
@click.option("--deals", default=30)
@click.option("--seed", default=1)
@click.option("--plot", type=click.Path(path_type=Path))
def main(study: str, deals: int, seed: int, plot: Path | None) -> None:
    """Measure what a seat or a choice before the round is worth."""
    results = STUDIES[study](numbers=range(deals), seed=seed)
    for what, result in results.items():
        print(f"{what:30} {result}")
    if plot is not None:
        draw(results, f"{study}: {deals} deals, seed {seed}", plot)


if __name__ == "__main__":
    main()
