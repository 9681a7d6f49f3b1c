"""How long analyses of random positions take: median, 90th percentile and worst, in thread time.

``python -m benchmarks.deals kirin``: rounds, the value of every move, and a line of best play.

``python -m benchmarks.deals king``: the value for the seat that leads, at the start of a trick. Rounds are
dealt and played at random until each hand has a given number of cards.

``python -m benchmarks.deals aqua-regia``: endings, the value for the dealer, and the share left open. Seat 0 deals
into water; cards that are neither in a hand nor in the stock are in the discard pile.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import click
import numpy as np

from solver.games.aqua_regia import analyze as aqua_regia_analyze
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.search import PROVERS as AQUA_PROVERS
from solver.games.aqua_regia.search import Outcomes
from solver.games.king import analyze as king_analyze
from solver.games.king.analyze import MaxnScores
from solver.games.king.rules import State
from solver.games.king.search import PROVERS as KING_PROVERS
from solver.games.king.search import PlayerScore
from solver.games.kirin import analyze
from solver.games.kirin.position import KnownPosition as KirinPosition
from solver.limits import Control
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import round_at
from tests.games.kirin.deals import full_deal

Answer = tuple[bool, int]  # whether it is proved, and the nodes looked at


@click.group()
def main() -> None:
    """Time the analyses of random positions."""


def report(title: str, questions: Sequence[Callable[[], Answer]]) -> None:
    """Time each question, and print the distribution of the times."""
    times, counts, left = [], [], 0
    for question in questions:
        begin = time.thread_time()
        proved, nodes = question()
        times.append(1e3 * (time.thread_time() - begin))
        counts.append(nodes)
        left += not proved
    middle, high = np.percentile(times, [50, 90])
    click.echo(
        f"{title}, {len(times)} deals: median {middle:.2f} ms, p90 {high:.2f} ms, max {max(times):.0f} ms, "
        f"sum {sum(times):.0f} ms, open {left}, {sum(counts) / 1e6:.2f} M nodes"
    )


@main.command()
@click.option("--deals", default=100)
@click.option("--cards", default=8)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
def kirin(deals: int, cards: int, model: str, seed: int) -> None:
    """Time the analyses of random deals."""
    analyze.warm()
    for _ in range(4):  # the table's memory, too
        analyze.analyze(full_deal(random.Random(0), 8), Control())
    rng = random.Random(seed)
    report(f"{model}, {cards} cards", [partial(whole_round, full_deal(rng, cards), model) for _ in range(deals)])


def whole_round(position: KirinPosition, model: str) -> Answer:
    """Analyze a round of Kirin: the value of every move, and a line of best play."""
    answer = analyze.analyze(position, Control(), model=model)
    return answer.exact, answer.nodes


def king_value(state: State, model: str) -> Answer:
    """Compute the value for the seat to move."""
    control = Control()
    with KING_PROVERS.lend() as prover:
        if model == "maxn":
            MaxnScores(prover, state, control).scores(state)
        else:
            PlayerScore(prover, state, state.to_move, allies=model == "ally", control=control).bounds(state)
    return True, control.nodes


@main.command()
@click.option("--deals", default=100)
@click.option("--players", default=3)
@click.option("--cards", default=6)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
def king(deals: int, players: int, cards: int, model: str, seed: int) -> None:
    """Time the values of random rounds."""
    king_analyze.warm()
    with KING_PROVERS.lend() as prover:
        prover.table[:] = 0  # its memory, too
    rng = random.Random(seed)
    questions = [partial(king_value, round_at(rng, players, cards), model) for _ in range(deals)]
    report(f"{model}, {players} players, {cards} cards", questions)


SIZES = "2x12,2x16,2x18,2x20,2x12+4,2x16+4,3x15,3x18,4x16,4x20"  # players x cards in hands + stock
_SLICE = 20_000  # nodes between two looks at the thread's clock


class ThreadControl(Control):
    """A limit on thread time, for a machine that is also doing other work."""

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


def aqua_value(position: KnownPosition, model: str, seconds: float) -> Answer:
    """Compute the dealer's value, for at most `seconds` of thread time."""
    control = ThreadControl(seconds)
    with AQUA_PROVERS.lend() as prover:
        search = Outcomes(prover, position.metals, position.state, model, control)
        return search.wins(search.start, position.seat_to_move) is not None, control.nodes


@main.command()
@click.option("--sizes", default=SIZES)
@click.option("--deals", default=100)
@click.option("--seconds", default=10.0, help="of thread time a position")
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
def aqua_regia(sizes: str, deals: int, seconds: float, model: str, seed: int) -> None:
    """Time the values of random endings."""
    aqua_regia_analyze.warm()
    for number in range(20):  # the table's memory, too
        aqua_value(ending(random.Random(number), 2, 16), model, 1.0)
    for size in sizes.split(","):
        players, _, rest = size.partition("x")
        cards, _, stock = rest.partition("+")
        rng = random.Random(seed)
        endings = [ending(rng, int(players), int(cards), int(stock or 0)) for _ in range(deals)]
        report(f"{model}, {size}", [partial(aqua_value, position, model, seconds) for position in endings])


if __name__ == "__main__":
    main()
