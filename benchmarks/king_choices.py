"""Choices of hints of King × Alchemy, judged by one of many games: ``python -m benchmarks.king_choices --help``.

At the choices of one of four trained rule players every hint that is named chooses, and the one that judges, with
other random numbers, tells how far its mean is behind the best, in points. A hint that judges as it chooses shows
what the luck of sampling costs. One that knows of what kind the others are, or whose own seat plays on better,
shows what a hint loses for not doing so. What the judge itself is wrong about does not show.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
import numpy as np

from benchmarks.arena import interval
from benchmarks.arena_king import KingContest
from benchmarks.arena_players import limit_of, named, parted
from solver.answers import SampledHint
from solver.games.king.hint import SAMPLER
from solver.games.king.position import PickView, View
from solver.limits import Control


def asked(name: str, view: View | PickView, seed: int) -> SampledHint:
    """The answer of a hint of the arena, such as own:600n, by sampling alone."""
    kind, _, _ = parted(name)
    sampler: Any = KingContest.sampled.get(kind, SAMPLER)
    alone = replace(sampler, ending=None, because=None)
    found: SampledHint = alone.hint(view, Control(limit_of(name)), seed=seed)
    return found


@click.command()
@click.option("--players", default=4)
@click.option("--one", multiple=True, default=["hint:600n", "hint:2000n", "hint:6000n"], help="who choose")
@click.option("--judge", default="hint:60000n")
@click.option("--deals", default=24)
@click.option("--again", default=1, help="how often each chooses, with other random numbers")
@click.option("--seed", default=9)
def main(players: int, one: tuple[str, ...], judge: str, deals: int, again: int, seed: int) -> None:
    """Print what each loses on average: a choice among three moves or more, and a round."""
    contest = KingContest(players)
    lost: dict[str, list[list[float]]] = {who: [[] for _ in range(deals)] for who in one}  # by deal
    for number in range(deals):
        position = contest.deal(seed, number)
        seats = [named(contest, "rule", seat) for seat in range(players)]
        while (seat := contest.to_move(position)) is not None:
            view = contest.game.view(position, seat)
            if seat == number % players and len(contest.game.legal_moves(view)) > 2:
                assert isinstance(view, View | PickView)
                means = {move.move: move.mean for move in asked(judge, view, seed).moves}
                for who, row in lost.items():
                    made = (str(asked(who, view, seed + 1 + turn).best) for turn in range(again))
                    row[number].append(max(means.values()) - float(np.mean([means[move] for move in made])))
            position = contest.game.play(position, contest.decide(seats[seat], position, seat))
    for who, row in lost.items():
        choice, around = interval([point for of_deal in row for point in of_deal])
        whole, half = interval([sum(of_deal) for of_deal in row])
        click.echo(f"{who:16} {choice:.3f} ± {around:.3f} points a choice, {whole:.2f} ± {half:.2f} a round")
        than = [sum(first) - sum(mine) for first, mine in zip(lost[one[0]], row, strict=True)]
        if who != one[0]:
            more, half = interval(than)
            click.echo(f"{'':16} {more:+.2f} ± {half:.2f} points a round more than {one[0]}")


if __name__ == "__main__":
    main()
