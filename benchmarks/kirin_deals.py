"""Median, 90th percentile and worst of kirin's analyses over random deals: thread time, every move and the line.

``python -m benchmarks.kirin_deals [--deals 100] [--cards 8] [--model paranoid] [--seed 1] [--off SWITCH]…``
"""

from __future__ import annotations

import random
import time

import click
import numpy as np

from solver.games.kirin import bounds, kernel_last, kernel_moves, nodes, solve
from solver.games.kirin.guarantee import Guarantee
from solver.search import trick_ab, trick_pn
from solver.search.drive import Control
from tests.kirin_deals import full_deal

SWITCHES = {
    "equivalent": kernel_moves.EQUIVALENT,
    "ceiling": bounds.CEILING,
    "floor": bounds.FLOOR,
    "sure": bounds.SURE,
    "last": kernel_last.LAST,
    "table": trick_ab.TABLE,
    "proof-numbers": trick_pn.PROOF_NUMBERS,
    "attempts": trick_pn.ATTEMPTS,
}


@click.command()
@click.option("--deals", default=100)
@click.option("--cards", default=8)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(SWITCHES)), help="a part to leave out (values only)")
@click.option("--values", is_flag=True, help="every move's value, without the line")
def main(deals: int, cards: int, model: str, seed: int, off: tuple[str, ...], values: bool) -> None:
    """Time the analyses of random deals."""
    solve.warm()
    switches = nodes.ALL_SWITCHES & ~sum(SWITCHES[name] for name in off)
    rng = random.Random(seed)
    for _ in range(4):  # the table's memory, too
        solve.analyze(full_deal(random.Random(0), 8), Control())
    times, counts = [], []
    for _ in range(deals):
        position = full_deal(rng, cards)
        control = Control()
        begin = time.thread_time()
        if model == "maxn" or not (values or off):
            solve.analyze(position, control, model=model)
        else:
            seat = position.seat_to_move
            search = Guarantee(
                position.state,
                position.colours[seat],
                seat,
                allies=model == "ally",
                control=control,
                switches=switches,
            )
            search.moves(search.start)
        times.append(1e3 * (time.thread_time() - begin))
        counts.append(control.nodes)
    middle, high = np.percentile(times, [50, 90])
    click.echo(
        f"{model}, {cards} cards, {deals} deals{', without ' + ', '.join(off) if off else ''}: "
        f"median {middle:.2f} ms, p90 {high:.2f} ms, max {max(times):.0f} ms, sum {sum(times):.0f} ms, "
        f"{sum(counts) / 1e6:.2f} M nodes"
    )


if __name__ == "__main__":
    main()
