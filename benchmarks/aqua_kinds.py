"""Of which kind hints of Aqua Regia take players to be: ``python -m benchmarks.aqua_kinds --help``.

In games of equal players each seat that is to choose looks at the others who have made so many choices. What is
told is how likely these are of each kind, on average over 40 likely worlds of the seat that looks, and over the
views.
"""

from __future__ import annotations

from collections import defaultdict

import click
import numpy as np

from benchmarks.arena_aqua import AquaContest
from benchmarks.arena_players import named
from solver.games.aqua_regia.moves import legal_moves
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rollouts import STEPS, WARMING, Chain, Games, begin_chain, new_chain, step_chain
from solver.games.aqua_regia.worlds import Evidence, evidence
from solver.kernels.arrays import Floats
from solver.kernels.rng import start

CHOICES = (2, 5, 10, 15)
WORLDS = 40


def shares_in(found: Evidence, chain: Chain) -> Floats:
    """How likely each seat is of each kind, a row a seat, on average over worlds of a chain."""
    warming, total = WARMING * found.owned, np.zeros_like(chain.shares)
    for step in range(warming + WORLDS * STEPS):
        step_chain(found, chain, min(1.0, step / warming))
        if step >= warming and step % STEPS == 0:
            total += chain.shares
    shares: Floats = total / total.sum(1, keepdims=True)
    return shares


@click.command()
@click.option("--who", default="greedy", help="who plays, as the arena names players")
@click.option("--players", default=3)
@click.option("--deals", "count", default=25)
@click.option("--seed", default=77)
def main(who: str, players: int, count: int, seed: int) -> None:
    """Print how likely the others are of each kind, by how many choices they have made."""
    contest = AquaContest(players)
    rows: dict[int, list[Floats]] = defaultdict(list)
    for number in range(count):
        position = contest.deal(seed, number)
        table = [named(contest, who, number * players + seat) for seat in range(players)]
        made = [0] * players
        while (seat := contest.to_move(position)) is not None:
            view = contest.game.view(position, seat)
            assert isinstance(view, View)
            seen = [other for other in range(players) if other != seat and made[other] in CHOICES]
            found = evidence(view, number) if seen else None
            if found is not None:
                chain = new_chain(found, Games(view, legal_moves(view)[:1], number).setting)
                start(chain.random, seed, number)
                begin_chain(seat, found, chain)
                shares = shares_in(found, chain)
                for other in seen:
                    rows[made[other]].append(shares[other])
            position = contest.game.play(position, contest.decide(table[seat], position, seat))
            made[seat] += 1
    click.echo(f"{who}, {players} players, {count} deals: trained, looks ahead, greedy, random")
    for choices in sorted(rows):
        means = ", ".join(f"{share:.2f}" for share in np.mean(rows[choices], axis=0))
        click.echo(f"after {choices:2} choices: {means} ({len(rows[choices])} views)")


if __name__ == "__main__":
    main()
