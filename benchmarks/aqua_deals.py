"""How long Aqua Regia's endings take: thread time of the value for the dealer, and the share left open.

Seat 0 deals into water; the cards in no hand and not in the stock lie in the discard pile.

``python -m benchmarks.aqua_deals [--sizes 2x12,2x16+4,3x18] [--deals 100] [--seconds 10] [--model paranoid]
[--seed 1] [--off SWITCH]… [--moves]``
"""

from __future__ import annotations

import random
import time

import click
import numpy as np

from solver.games.aqua_regia import analyze
from solver.games.aqua_regia.fast_rules import ALL_SWITCHES, SWITCHES
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.search import PROVERS, Outcomes
from solver.limits import Control
from tests.games.aqua_regia.deals import ending

SIZES = "2x12,2x16,2x18,2x20,2x12+4,2x16+4,3x15,3x18,4x16,4x20"  # players x cards in hands + stock
_SLICE = 20_000  # nodes between two looks at the thread's clock


class ThreadControl(Control):
    """A limit of thread time, for a machine that does other work as well."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = time.thread_time() + seconds

    def drive(self, step, **_options):  # type: ignore[no-untyped-def]
        while time.thread_time() < self._end:
            finished, nodes = step(_SLICE)
            self.nodes += nodes
            if finished:
                return True
        return False


def value_of(position: KnownPosition, model: str, seconds: float, switches: int) -> tuple[bool, int]:
    """Whether the dealer's value was found, and the nodes looked at."""
    control = ThreadControl(seconds)
    with PROVERS.lend() as prover:
        search = Outcomes(prover, position.metals, position.state, model, control, switches=switches)
        return search.wins(search.start, position.seat_to_move) is not None, control.nodes


def every_move(position: KnownPosition, model: str) -> tuple[bool, int]:
    """The whole analysis: every move's value, and the line."""
    answer = analyze.analyze(position, Control(), model=model)
    return answer.exact, answer.nodes


@click.command()
@click.option("--sizes", default=SIZES)
@click.option("--deals", default=100)
@click.option("--seconds", default=10.0, help="of thread time a position, for the value alone")
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(SWITCHES)), help="a part to leave out")
@click.option("--moves", is_flag=True, help="every move's value and the line, without a limit")
def main(sizes: str, deals: int, seconds: float, model: str, seed: int, off: tuple[str, ...], moves: bool) -> None:
    """Time the values of random endings."""
    switches = ALL_SWITCHES & ~sum(SWITCHES[name] for name in off)
    analyze.warm()
    for number in range(20):  # the table's memory, too
        value_of(ending(random.Random(number), 2, 16), model, 1.0, switches)
    click.echo(f"{model}{', without ' + ', '.join(off) if off else ''}, {deals} deals a size")
    for size in sizes.split(","):
        players, _, rest = size.partition("x")
        cards, _, stock = rest.partition("+")
        rng = random.Random(seed)
        times, counts, left = [], [], 0
        for _ in range(deals):
            position = ending(rng, int(players), int(cards), int(stock or 0))
            begin = time.thread_time()
            if moves:
                found, nodes = every_move(position, model)
            else:
                found, nodes = value_of(position, model, seconds, switches)
            times.append(1e3 * (time.thread_time() - begin))
            counts.append(nodes)
            left += not found
        middle, high = np.percentile(times, [50, 90])
        click.echo(
            f"{size:>7}: median {middle:8.2f} ms, p90 {high:8.1f} ms, max {max(times):6.0f} ms, open {left:3}, "
            f"median {int(np.median(counts)):7,} nodes, {sum(counts) / sum(times) / 1e3:.2f} M nodes/s"
        )


if __name__ == "__main__":
    main()
