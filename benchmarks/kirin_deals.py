"""Median, 90th percentile and worst of kirin's analyses over random deals: thread time, every move and the line.

``python -m benchmarks.kirin_deals [--deals 100] [--cards 8] [--model paranoid] [--seed 1] [--off SWITCH]…``

``--threads 2`` analyzes the same deals in one thread and in so many, by the wall clock.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np

from solver.games.kirin import analyze
from solver.games.kirin.fast_rules import ALL_SWITCHES, SWITCHES
from solver.games.kirin.search import PROVERS, player_score
from solver.limits import Control
from tests.games.kirin.deals import full_deal


def compare(deals: int, cards: int, model: str, seed: int, threads: int) -> None:
    """Analyze the deals in one thread, in `threads`, and in one again."""
    rng = random.Random(seed)
    positions = [full_deal(rng, cards) for _ in range(deals)]
    took = []
    for count in (1, threads, 1):
        with ThreadPoolExecutor(count) as pool:
            for _ in pool.map(
                lambda _: analyze.analyze(full_deal(random.Random(0), cards), Control()), range(count)
            ):
                pass  # each thread's table
            begin = time.perf_counter()
            for _ in pool.map(lambda position: analyze.analyze(position, Control(), model=model), positions):
                pass
            took.append(time.perf_counter() - begin)
    alone = (took[0] + took[2]) / 2
    click.echo(
        f"{model}, {cards} cards, {deals} deals: {deals / alone:.1f} deals a second in one thread, "
        f"{deals / took[1]:.1f} in {threads}: {alone / took[1]:.2f} times"
    )


@click.command()
@click.option("--deals", default=100)
@click.option("--cards", default=8)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(SWITCHES)), help="a part to leave out (values only)")
@click.option("--values", is_flag=True, help="every move's value, without the line")
@click.option("--threads", default=1, help="compare so many threads with one, by the wall clock")
def main(deals: int, cards: int, model: str, seed: int, off: tuple[str, ...], values: bool, threads: int) -> None:
    """Time the analyses of random deals."""
    analyze.warm()
    if threads > 1:
        compare(deals, cards, model, seed, threads)
        return
    switches = ALL_SWITCHES & ~sum(SWITCHES[name] for name in off)
    rng = random.Random(seed)
    for _ in range(4):  # the table's memory, too
        analyze.analyze(full_deal(random.Random(0), 8), Control())
    times, counts = [], []
    for _ in range(deals):
        position = full_deal(rng, cards)
        control = Control()
        begin = time.thread_time()
        if model == "maxn" or not (values or off):
            analyze.analyze(position, control, model=model)
        else:
            seat = position.seat_to_move
            with PROVERS.lend() as prover:
                player_score(
                    prover,
                    position.state,
                    position.colours[seat],
                    seat,
                    allies=model == "ally",
                    control=control,
                    switches=switches,
                ).moves()
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
