"""How long analyses of random positions take: median, 90th percentile and maximum, in thread time.

``python -m benchmarks.deals kirin`` analyzes rounds: the value of every move, and a line of best play.

``python -m benchmarks.deals king`` computes the value for the seat that leads, at the start of a trick. Rounds are
dealt and played at random until each hand has a given number of cards.

``python -m benchmarks.deals aqua-regia`` computes the dealer's value in endings, and prints how many are still
open when the time is up. Seat 0 deals and the field is water; cards that are neither in a hand nor in the stock
are in the discard pile.

``python -m benchmarks.deals threads`` compares one thread with several, in turn on the same positions of each game
and in wall-clock time; it needs an idle machine. A position is hard if it takes one thread at least ``--least``
seconds. ``work`` is the processor time with several threads divided by that with one: the excess over 1 is work
done twice. ``idle`` is the share of the threads' wall-clock time without work.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import click
import numpy as np

from solver.game import Game
from solver.games.aqua_regia import GAME as AQUA_REGIA
from solver.games.aqua_regia.position import Round as AquaRound
from solver.games.aqua_regia.search import PROVERS as AQUA_PROVERS
from solver.games.aqua_regia.search import Outcomes
from solver.games.king import GAME as KING
from solver.games.king.analyze import PROVERS as KING_PROVERS
from solver.games.king.analyze import MaxnScores, PlayerScore
from solver.games.king.rules import State
from solver.games.kirin import GAME as KIRIN
from solver.games.kirin.analyze import analyze as kirin_analyze
from solver.games.kirin.position import Round
from solver.limits import Control
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import position_of, round_at
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
    KIRIN.warm()
    for _ in range(4):  # the table's memory, too
        kirin_analyze(full_deal(random.Random(0), 8), Control())
    rng = random.Random(seed)
    report(f"{model}, {cards} cards", [partial(whole_round, full_deal(rng, cards), model) for _ in range(deals)])


def whole_round(position: Round, model: str) -> Answer:
    """Analyze a round of Kirin: the value of every move, and a line of best play.

    Returns whether it is proved, and the number of nodes.
    """
    answer = kirin_analyze(position, Control(), model=model)
    return answer.exact, answer.nodes


def king_value(state: State, model: str) -> Answer:
    """Compute the value for the seat to move, and count the nodes."""
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
    KING.warm()
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


def aqua_value(position: AquaRound, model: str, seconds: float) -> Answer:
    """Compute the dealer's value, for at most `seconds` of thread time.

    Returns whether it is proved, and the number of nodes.
    """
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
    AQUA_REGIA.warm()
    for number in range(20):  # the table's memory, too
        aqua_value(ending(random.Random(number), 2, 16), model, 1.0)
    for size in sizes.split(","):
        players, _, rest = size.partition("x")
        cards, _, stock = rest.partition("+")
        rng = random.Random(seed)
        endings = [ending(rng, int(players), int(cards), int(stock or 0)) for _ in range(deals)]
        report(f"{model}, {size}", [partial(aqua_value, position, model, seconds) for position in endings])


ROWS: dict[str, tuple[Game, Callable[[random.Random], Any]]] = {
    "kirin, 8 cards": (KIRIN, lambda rng: full_deal(rng, 8)),
    "king, 3 players, 9 cards": (KING, lambda rng: position_of(round_at(rng, 3, 9))),
    "king, 4 players, 7 cards": (KING, lambda rng: position_of(round_at(rng, 4, 7))),
    "king, 5 players, 6 cards": (KING, lambda rng: position_of(round_at(rng, 5, 6))),
    "aqua-regia, 2 players, 20 cards": (AQUA_REGIA, lambda rng: ending(rng, 2, 20)),
    "aqua-regia, 4 players, 20 cards": (AQUA_REGIA, lambda rng: ending(rng, 4, 20)),
}


class Took(NamedTuple):
    """The seconds of one analysis: wall-clock time, and the total of all its threads."""

    wall: float
    work: float


def timed(game: Game, position: Any, threads: int) -> tuple[Took, Any]:
    """The time of an analysis, and the values that it finds."""
    wall, work = time.perf_counter(), time.process_time()
    answer = game.analyze(position, Control(threads=threads))
    took = Took(time.perf_counter() - wall, time.process_time() - work)
    return took, (answer.value, sorted((entry.move, entry.bounds) for entry in answer.moves))


def told(title: str, pairs: list[tuple[Took, Took]], threads: int) -> str:
    """A summary of some pairs of runs with one thread and with several."""
    if not pairs:
        return f"  {title:5} none"
    single, several = (sum(pair[side].wall for pair in pairs) for side in (0, 1))
    work = sum(pair[1].work for pair in pairs) / sum(pair[0].work for pair in pairs)
    idle = 1 - sum(pair[1].work for pair in pairs) / (threads * several)
    middle = median(pair[0].wall / pair[1].wall for pair in pairs)
    return (
        f"  {title:5} {len(pairs):3} positions, {single:7.3f} s: {single / several:.2f} times as fast in sums, "
        f"{middle:.2f} in medians; work {work:.2f}, idle {idle:.0%}"
    )


@main.command()
@click.option("--threads", "count", default=2)
@click.option("--positions", default=30, help="of each row")
@click.option("--least", default=0.2, help="seconds that a hard position takes")
@click.option("--seed", default=1)
@click.option("--only", default="", help="rows with this word in their name")
def threads(count: int, positions: int, least: float, seed: int, only: str) -> None:
    """Compare one thread with several."""
    for row, (game, make) in ROWS.items():
        if only not in row:
            continue
        game.warm()
        rng = random.Random(seed)
        pairs: list[tuple[Took, Took]] = []
        for number in range(positions):
            position = make(rng)
            order = (1, count) if number % 2 else (count, 1)
            runs = {size: timed(game, position, size) for size in order}
            (single, values), (several, same) = runs[1], runs[count]
            if values != same:
                raise click.ClickException(f"{row}: the values of position {number} of seed {seed} differ")
            pairs.append((single, several))
        click.echo(row)
        click.echo(told("hard", [pair for pair in pairs if pair[0].wall >= least], count))
        click.echo(told("easy", [pair for pair in pairs if pair[0].wall < least], count))


if __name__ == "__main__":
    main()
