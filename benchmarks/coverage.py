"""How often hints' 95% intervals hold: ``python -m benchmarks.coverage kirin --worlds 25,50 --seeds 30``.

Rounds of trained rule players are stopped at a random choice, and a hint with few worlds is asked for with many
seeds. Each answer is compared with a reference of many worlds and another seed, which is never cut short: how
often is the reference within 1.96 `stderr` of a mean, and within 1.96 `gap_stderr` of the lead over another
move?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS
from benchmarks.players import Contest, named
from solver.answers import SampledHint
from solver.common import Random
from solver.hints.ranking import SURE, Shifted, Sums
from solver.hints.sampled import ALL_DEALS, GAMES_A_BATCH, Sampler
from solver.limits import Control

_REFERENCE_SEED = 1_000_003
_ROUNDING = 1e-8


class Held(NamedTuple):
    """The shares of a hint's intervals that hold, for means and for leads, and how many clear leads are wrong."""

    means: float
    leads: float
    reversed: int


def choices(contest: Contest, seed: int) -> Iterator[BaseModel]:
    """Yield, without end, the view of the seat to move at a random choice of each round."""
    random = Random(seed, 11)
    number = 0
    while True:
        players = [named(contest, "rule", number * contest.seats + seat) for seat in range(contest.seats)]
        views = []
        position = contest.deal(seed, number)
        while (turn := contest.to_move(position)) is not None:
            view = contest.game.view(position, turn)
            if len(contest.game.legal_moves(view)) > 1:
                views.append(view)
            position = contest.game.play(position, contest.decide(players[turn], position, turn))
        if views:
            yield views[random.below(len(views))]
        number += 1


def reference(sampler: Sampler[Any, Any], view: BaseModel, worlds: int, seed: int) -> dict[str, float]:
    """The mean of each move, by its text, over this number of worlds."""
    moves = sampler.legal_moves(view)
    rollouts = sampler.rollouts(view, moves, seed, "equal")
    sums = Sums(rollouts.moves, rollouts.statistics)
    batch = max(1, GAMES_A_BATCH // rollouts.moves)
    for first in range(0, worlds, batch):
        count = min(batch, worlds - first)
        results, weights = np.empty((count, rollouts.moves, rollouts.statistics)), np.ones(count)
        rollouts.play(first, results, weights)
        sums.add(results, weights, chained=rollouts.chained)
    odds = None if sampler.odds is None else sampler.odds(view, "equal")
    means = (sums if odds is None else Shifted(sums, odds)).means[:, 0]
    return {sampler.text(view, move): float(mean) for move, mean in zip(moves, means, strict=True)}


def held(found: SampledHint, values: dict[str, float]) -> Held:
    """The shares of a hint's intervals that contain the reference's `values`.

    Where the error is unknown, there is no interval, and it counts as holding.
    """

    def within(said: float, error: float | None, value: float) -> bool:
        return error is None or abs(said - value) <= SURE * error + _ROUNDING

    best, others = found.moves[0], found.moves[1:]
    lead = {move.move: values[best.move] - values[move.move] for move in others}
    return Held(
        float(np.mean([within(move.mean, move.stderr, values[move.move]) for move in found.moves])),
        float(np.mean([within(move.gap, move.gap_stderr, lead[move.move]) for move in others])),
        sum(lead[move.move] < 0 and not within(move.gap, move.gap_stderr, 0.0) for move in others),
    )


def described(rows: Sequence[Held]) -> str:
    """The mean shares that hold, and the number of clear leads that are reversed, in words."""
    means, leads, wrong = np.array(rows).T
    return f"means {means.mean():.1%}, leads {leads.mean():.1%}, {wrong.sum():.0f} clear leads the other way"


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--worlds", default="25,50,100,300,1000", help="numbers of worlds, with commas between")
@click.option("--seeds", default=30, help="of the hint at each position")
@click.option("--positions", default=20)
@click.option("--reference", "many", default=10_000, help="worlds of the reference")
@click.option("--seed", default=1, help="of the positions")
@click.option("--each", is_flag=True, help="print every position too")
def main(game: str, worlds: str, seeds: int, positions: int, many: int, seed: int, each: bool) -> None:
    """Print the shares of 95% intervals that hold, at random choices of rounds."""
    contest = CONTESTS[game]()
    contest.game.warm()
    sampler = contest.hints
    rows: dict[int, list[Held]] = {int(number): [] for number in worlds.split(",")}
    met = 0
    for view in choices(contest, seed):
        if met == positions:
            break
        if contest.game.hint(view, Control(), worlds=max(rows)).method == ALL_DEALS:
            continue
        met += 1
        values = reference(sampler, view, many, _REFERENCE_SEED)
        for number, all_held in rows.items():
            answers: list[Any] = [
                contest.game.hint(view, Control(), worlds=number, seed=seed) for seed in range(seeds)
            ]
            hits = [held(answer, values) for answer in answers]
            all_held += hits
            if each:
                click.echo(f"  {number} worlds, {len(values)} moves: {described(hits)}")
    for number, all_held in rows.items():
        click.echo(f"{game}, {number} worlds, {positions} positions: {described(all_held)}")


if __name__ == "__main__":
    main()
