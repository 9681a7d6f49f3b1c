"""King's first tricks, where nothing can be proved: is a short search's best move among the best of a long search?

``python -m benchmarks.estimates``: random rounds with full and nearly full hands, for 3, 4 and 5 players in turn.
Each is analyzed with few nodes and with many. A position counts as agreeing if the short search's best move is
among the `--top` best of the long one, or has the same value there. Limits are in nodes, so that other work on the
machine changes nothing: 33 million nodes take about a second. Positions that the short search proves are left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import click

from solver.games.king import analyze as king
from solver.games.king.position import KingAnalysis, Round
from solver.limits import Control, Limit
from tests.games.king.rounds import position_of, round_at

HANDS = ((3, 14), (4, 11), (5, 9), (3, 13), (4, 10), (5, 8))  # players, cards of each
_CLOSE = 1e-9


def positions(count: int, seed: int) -> Iterator[Round]:
    """Random positions at the start of a trick, with the numbers of players and cards in `HANDS` in turn."""
    rng = random.Random(seed)
    for number in range(count):
        yield position_of(round_at(rng, *HANDS[number % len(HANDS)]))


def worth(analysis: KingAnalysis, move: str) -> float:
    """The value of a move for the seat to move if it is proved, otherwise the estimate."""
    rated = next(entry for entry in analysis.moves if entry.move == move)
    if rated.exact:
        assert isinstance(rated.value, int)
        return rated.value
    return -1.0 if rated.estimate is None else rated.estimate


def compared(position: Round, model: str, short: int, long: int) -> tuple[int, float, float, float] | None:
    """The rank of the short search's best move in the long one, what it loses there, and the seconds of both.

    None if the short search proves the position's value.
    """
    begin = time.thread_time()
    quick = king.analyze(position, Control(Limit(nodes=short)), model=model)
    middle = time.thread_time()
    if quick.value is not None:
        return None
    slow = king.analyze(position, Control(Limit(nodes=long)), model=model)
    end = time.thread_time()
    assert quick.best is not None
    mine = worth(slow, quick.best)
    better = [least for entry in slow.moves if (least := worth(slow, entry.move)) > mine + _CLOSE]
    return 1 + len(better), max(better, default=mine) - mine, middle - begin, end - middle


@click.command()
@click.option("--count", default=60)
@click.option("--seed", default=1)
@click.option("--model", default="paranoid")
@click.option("--nodes", default=40_000_000, help="of the short search")
@click.option("--long", "most", default=2_000_000_000, help="nodes of the long search")
@click.option("--top", default=2)
@click.option("--processes", default=1)
def main(count: int, seed: int, model: str, nodes: int, most: int, top: int, processes: int) -> None:
    """Compare the best moves of short searches with the ranking of long ones."""
    king.warm()
    drawn = list(positions(count, seed))
    with ProcessPoolExecutor(processes) as pool:
        asked = [pool.submit(compared, position, model, nodes, most) for position in drawn]
        ranks = []
        for number, future in enumerate(asked):
            players, cards = HANDS[number % len(HANDS)]
            both = future.result()
            if both is None:
                click.echo(f"{players} players, {cards:2} cards: proved")
                continue
            rank, lost, quick, slow = both
            ranks.append((rank, lost))
            agreeing = sum(rank <= top for rank, _ in ranks)
            click.echo(
                f"{players} players, {cards:2} cards: place {rank}, {lost:.2f} points less; {quick:.1f} and "
                f"{slow:.1f} s; so far {agreeing} of {len(ranks)} among the best {top}"
            )


if __name__ == "__main__":
    main()
