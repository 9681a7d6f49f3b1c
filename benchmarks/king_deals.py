"""Median, 90th percentile and worst of king's values over random rounds, at the start of a trick: thread time.

The value for the seat that leads; with ``--moves`` every move's and the line. Rounds are dealt and played at
random up to so many cards a hand. ``--strength``: how the move found by sampling does against the proved ones.

``python -m benchmarks.king_deals [--deals 100] [--players 3] [--cards 6] [--model paranoid] [--off PART]…``
"""

from __future__ import annotations

import random
import time

import click
import numpy as np

from solver.games.king import analyze
from solver.games.king.analyze import sampled
from solver.games.king.fast_rules import ALL_SWITCHES, SWITCHES
from solver.games.king.maxn import MaxnScores
from solver.games.king.rules import State
from solver.games.king.search import PROVERS, PlayerScore
from solver.limits import Control, Limit
from tests.games.king.rounds import position_of, round_at


def measure(state: State, model: str, switches: int, *, moves: bool) -> tuple[float, int]:
    """Milliseconds and nodes of one question."""
    control = Control()
    begin = time.thread_time()
    if moves:
        analyze.analyze(position_of(state), control, model=model)
    else:
        with PROVERS.lend() as prover:
            if model == "maxn":
                MaxnScores(prover, state, control, switches=switches).scores(state)
            else:
                allies = model == "ally"
                search = PlayerScore(
                    prover, state, state.to_move, allies=allies, control=control, switches=switches
                )
                search.bounds(state)
    return 1e3 * (time.thread_time() - begin), control.nodes


def strength(states: list[State], model: str, seconds: float) -> str:
    """How often sampling finds a best move, and the points that its moves and random ones lose on the average."""
    hits, lost, random_lost = 0, 0.0, 0.0
    for state in states:
        seat = state.to_move
        with PROVERS.lend() as prover:
            search = PlayerScore(prover, state, seat, allies=model == "ally", control=Control())
            values = {move: low for move, (low, _) in search.moves().items()}
        means = sampled(state, seat, model, Control(Limit(seconds=seconds)))
        chosen = max(values, key=lambda move: means[move][seat] if move in means else -1.0)
        best = max(values.values())
        hits += values[chosen] == best
        lost += best - values[chosen]
        random_lost += best - sum(values.values()) / len(values)
    count = len(states)
    return (
        f"sampling for {seconds} s: a best move in {hits} of {count}, {lost / count:.2f} points lost, "
        f"a random move {random_lost / count:.2f}"
    )


@click.command()
@click.option("--deals", default=100)
@click.option("--players", default=3)
@click.option("--cards", default=6)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(SWITCHES)), help="a part to leave out (values only)")
@click.option("--moves", is_flag=True, help="every move's value, and the line")
@click.option("--strength", "seconds", type=float, help="compare a move sampled for so many seconds")
def main(
    deals: int,
    players: int,
    cards: int,
    model: str,
    seed: int,
    off: tuple[str, ...],
    moves: bool,
    seconds: float | None,
) -> None:
    """Time the analyses of random rounds."""
    analyze.warm()
    with PROVERS.lend() as prover:
        prover.table[:] = 0  # its memory, too
    switches = ALL_SWITCHES & ~sum(SWITCHES[name] for name in off)
    rng = random.Random(seed)
    states = [round_at(rng, players, cards) for _ in range(deals)]
    title = f"{model}, {players} players, {cards} cards, {deals} deals"
    if seconds is not None:
        click.echo(f"{title}: {strength(states, model, seconds)}")
        return
    found = [measure(state, model, switches, moves=moves) for state in states]
    times = [milliseconds for milliseconds, _ in found]
    middle, high = np.percentile(times, [50, 90])
    click.echo(
        f"{title}{', without ' + ', '.join(off) if off else ''}: median {middle:.2f} ms, p90 {high:.1f} ms, "
        f"max {max(times):.0f} ms, sum {sum(times):.0f} ms, {sum(count for _, count in found) / 1e6:.2f} M nodes"
    )


if __name__ == "__main__":
    main()
