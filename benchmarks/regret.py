"""What hints lose in endings that can be solved: ``python -m benchmarks.regret kirin``.

An ending's solution is the best strategy without seeing the other hands, over all deals that agree with the view,
weighted by how likely they are, against others who play as the hint's model says. The regret of a hint is the best
value minus the value of its move, both with best play afterwards: the loss due to sampling and to finishing rounds
by rules of thumb. It is measured for ordinary hints, which solve such endings if their limit allows, and for hints
that only sample.

Endings of Kirin and King × Alchemy come from rounds of rule players, those of Aqua Regia from small random tables.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import click
import numpy as np

from benchmarks.arena import CONTESTS
from benchmarks.players import limit_of
from solver.hints.sampled import ALL_DEALS
from solver.limits import Control

NOTHING = 1e-7  # a regret of zero, apart from rounding
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Regret:
    """What the hint gives away in an ending (`lost`), and what the worst move would (`spread`); `cards` is the
    number of cards in the hand.
    """

    cards: int
    lost: float
    spread: float


def regret(values: Mapping[M, float], move: M, cards: int) -> Regret:
    """What a move gives away, given the values of all moves."""
    best = max(values.values())
    return Regret(cards, best - values[move], best - min(values.values()))


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--count", default=200, help="endings")
@click.option("--limit", default="hint:4000n", help="the hint, as in the arena")
@click.option("--seed", default=1)
def main(game: str, count: int, limit: str, seed: int) -> None:
    """Measure the regret of hints in endings."""
    contest, most = CONTESTS[game](), limit_of(limit)
    assert most is not None
    contest.game.warm()
    samplers = {"sampling": replace(contest.hints, ending=None), "hints": contest.hints}
    rows: dict[str, list[Regret]] = {name: [] for name in samplers}
    large = worked_out = 0
    for view in contest.endings(seed):
        values = contest.ending_values(view)
        if values is None:
            large += 1
            continue
        number = len(rows["hints"])
        for name, sampler in samplers.items():
            answer = sampler.hint(view, Control(most), others=contest.endings_against, seed=number)
            move = contest.game.parse_move(view, str(answer.best))
            rows[name].append(regret(values, move, len(view.hand)))
            worked_out += answer.method == ALL_DEALS
        if number + 1 == count:
            break
    unit = "of a win" if contest.game.name == "aqua-regia" else "points"
    click.echo(
        f"{game}, {limit}: {count} endings, {_at_stake(rows['hints'], unit)}; {worked_out} worked out by hints, "
        f"{large} larger ones left out"
    )
    for name, regrets in rows.items():
        for cards in sorted({entry.cards for entry in regrets}):
            of = [entry for entry in regrets if entry.cards == cards]
            click.echo(f"  {name}, {cards} cards: {len(of)} endings, {_at_stake(of, unit)}, {_lost(of, unit)}")
        click.echo(f"  {name}: {_lost(regrets, unit)}")


def _at_stake(found: Sequence[Regret], unit: str) -> str:
    return f"{np.mean([entry.spread for entry in found]):.2f} {unit} at stake"


def _lost(found: Sequence[Regret], unit: str) -> str:
    lost = [entry.lost for entry in found]
    none = sum(loss < NOTHING for loss in lost)
    return f"mean regret {np.mean(lost):.5f} {unit}, largest {max(lost):.4f}, none {none} times"


if __name__ == "__main__":
    main()
