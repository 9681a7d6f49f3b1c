"""One analysis on several cores, in wall-clock time: ``python -m benchmarks.threads``, on an idle machine.

Random positions of each game are analyzed with one thread and with several in turn. A position is hard if it takes
one thread at least ``--least`` seconds. ``work`` is the processor time with several threads divided by that with
one: the excess over 1 is work done twice. ``idle`` is the share of the threads' wall-clock time without work.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import click

from solver import registry
from solver.limits import Control
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import position_of, round_at
from tests.games.kirin.deals import full_deal

ROWS: dict[str, tuple[str, Callable[[random.Random], Any]]] = {
    "kirin, 8 cards": ("kirin", lambda rng: full_deal(rng, 8)),
    "king, 3 players, 9 cards": ("king", lambda rng: position_of(round_at(rng, 3, 9))),
    "king, 4 players, 7 cards": ("king", lambda rng: position_of(round_at(rng, 4, 7))),
    "king, 5 players, 6 cards": ("king", lambda rng: position_of(round_at(rng, 5, 6))),
    "aqua-regia, 2 players, 20 cards": ("aqua-regia", lambda rng: ending(rng, 2, 20)),
    "aqua-regia, 4 players, 20 cards": ("aqua-regia", lambda rng: ending(rng, 4, 20)),
}


class Took(NamedTuple):
    """The seconds of one analysis: wall-clock time, and the total of all its threads."""

    wall: float
    work: float


def timed(name: str, position: Any, threads: int) -> tuple[Took, Any]:
    """The time of an analysis, and the values that it finds."""
    game = registry.game(name)
    wall, work = time.perf_counter(), time.process_time()
    answer = game.analyze(position, Control(threads=threads))
    took = Took(time.perf_counter() - wall, time.process_time() - work)
    return took, (answer.value, sorted((entry.move, entry.bounds) for entry in answer.moves))


def told(title: str, pairs: list[tuple[Took, Took]], threads: int) -> str:
    """A summary of some pairs of runs with one thread and with several."""
    if not pairs:
        return f"  {title:5} none"
    one, several = (sum(pair[side].wall for pair in pairs) for side in (0, 1))
    work = sum(pair[1].work for pair in pairs) / sum(pair[0].work for pair in pairs)
    idle = 1 - sum(pair[1].work for pair in pairs) / (threads * several)
    middle = median(pair[0].wall / pair[1].wall for pair in pairs)
    return (
        f"  {title:5} {len(pairs):3} positions, {one:7.3f} s: {one / several:.2f} times as fast in sums, "
        f"{middle:.2f} in medians; work {work:.2f}, idle {idle:.0%}"
    )


@click.command()
@click.option("--threads", default=2)
@click.option("--positions", default=30, help="of each row")
@click.option("--least", default=0.2, help="seconds that a hard position takes")
@click.option("--seed", default=1)
@click.option("--only", default="", help="rows with this word in their name")
def main(threads: int, positions: int, least: float, seed: int, only: str) -> None:
    """Compare one thread with several."""
    for row, (name, make) in ROWS.items():
        if only not in row:
            continue
        registry.game(name).warm()
        rng = random.Random(seed)
        found: list[tuple[Took, Took]] = []
        for number in range(positions):
            position = make(rng)
            sides: list[Took] = []
            values = []
            order = (1, threads) if number % 2 else (threads, 1)
            for count in order:
                took, value = timed(name, position, count)
                sides.append(took)
                values.append(value)
            if values[0] != values[1]:
                raise click.ClickException(f"{row}: the values of position {number} of seed {seed} differ")
            found.append((sides[0], sides[1]) if order[0] == 1 else (sides[1], sides[0]))
        click.echo(row)
        click.echo(told("hard", [pair for pair in found if pair[0].wall >= least], threads))
        click.echo(told("easy", [pair for pair in found if pair[0].wall < least], threads))


if __name__ == "__main__":
    main()
