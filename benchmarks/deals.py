"""How long analyses of random positions take: median, 90th percentile and worst, in thread time.

``python -m benchmarks.deals kirin``: rounds, every move and the line. ``--threads 2`` analyzes the same deals with
one thread and with two, in wall-clock time.

``python -m benchmarks.deals king``: the value for the leading seat, at the start of a trick; with ``--moves``
every move's value and the line. Rounds are dealt and played at random down to the given number of cards in a hand.
``--strength``: how the move found by sampling compares with the proved ones.

``python -m benchmarks.deals aqua-regia``: endings, the value for the dealer, and the share left open. Seat 0 deals
into water; cards that are neither in a hand nor in the stock are in the discard pile.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np

from solver.games.aqua_regia import analyze as aqua_regia_analyze
from solver.games.aqua_regia.fast_rules import ALL_SWITCHES as ALL_OF_AQUA
from solver.games.aqua_regia.fast_rules import SWITCHES as AQUA_SWITCHES
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.search import PROVERS as AQUA_PROVERS
from solver.games.aqua_regia.search import Outcomes
from solver.games.king import analyze as king_analyze
from solver.games.king.analyze import MaxnScores, sampled
from solver.games.king.fast_rules import ALL_SWITCHES as ALL_OF_KING
from solver.games.king.fast_rules import SWITCHES as KING_SWITCHES
from solver.games.king.rules import State
from solver.games.king.search import PROVERS as KING_PROVERS
from solver.games.king.search import PlayerScore
from solver.games.kirin import analyze
from solver.games.kirin.fast_rules import ALL_SWITCHES as ALL_OF_KIRIN
from solver.games.kirin.fast_rules import SWITCHES as KIRIN_SWITCHES
from solver.games.kirin.search import PROVERS as KIRIN_PROVERS
from solver.games.kirin.search import player_score as kirin_score
from solver.limits import Control, Limit
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import position_of, round_at
from tests.games.kirin.deals import full_deal


@click.group()
def main() -> None:
    """Time the analyses of random positions."""


def compare_threads(deals: int, cards: int, model: str, seed: int, threads: int) -> None:
    """Analyze the deals with one thread, with `threads`, and with one again."""
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


@main.command()
@click.option("--deals", default=100)
@click.option("--cards", default=8)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(KIRIN_SWITCHES)), help="left out (values only)")
@click.option("--values", is_flag=True, help="every move's value, without the line")
@click.option("--threads", default=1, help="compare so many threads with one, by the wall clock")
def kirin(deals: int, cards: int, model: str, seed: int, off: tuple[str, ...], values: bool, threads: int) -> None:
    """Time the analyses of random deals."""
    analyze.warm()
    if threads > 1:
        compare_threads(deals, cards, model, seed, threads)
        return
    switches = ALL_OF_KIRIN & ~sum(KIRIN_SWITCHES[name] for name in off)
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
            with KIRIN_PROVERS.lend() as prover:
                kirin_score(
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


def measure(state: State, model: str, switches: int, *, moves: bool) -> tuple[float, int]:
    """Milliseconds and nodes of one question."""
    control = Control()
    begin = time.thread_time()
    if moves:
        king_analyze.analyze(position_of(state), control, model=model)
    else:
        with KING_PROVERS.lend() as prover:
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
    """How often sampling finds a best move, and the average points lost by its moves and by random ones."""
    hits, lost, random_lost = 0, 0.0, 0.0
    for state in states:
        seat = state.to_move
        with KING_PROVERS.lend() as prover:
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


@main.command()
@click.option("--deals", default=100)
@click.option("--players", default=3)
@click.option("--cards", default=6)
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(KING_SWITCHES)), help="left out (values only)")
@click.option("--moves", is_flag=True, help="every move's value, and the line")
@click.option("--strength", "seconds", type=float, help="compare a move sampled for so many seconds")
def king(
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
    king_analyze.warm()
    with KING_PROVERS.lend() as prover:
        prover.table[:] = 0  # its memory, too
    switches = ALL_OF_KING & ~sum(KING_SWITCHES[name] for name in off)
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


def value_of(position: KnownPosition, model: str, seconds: float, switches: int) -> tuple[bool, int]:
    """Whether the dealer's value was found, and the number of nodes."""
    control = ThreadControl(seconds)
    with AQUA_PROVERS.lend() as prover:
        search = Outcomes(prover, position.metals, position.state, model, control, switches=switches)
        return search.wins(search.start, position.seat_to_move) is not None, control.nodes


def every_move(position: KnownPosition, model: str) -> tuple[bool, int]:
    """The whole analysis: every move's value, and the line."""
    answer = aqua_regia_analyze.analyze(position, Control(), model=model)
    return answer.exact, answer.nodes


@main.command()
@click.option("--sizes", default=SIZES)
@click.option("--deals", default=100)
@click.option("--seconds", default=10.0, help="of thread time a position, for the value alone")
@click.option("--model", default="paranoid")
@click.option("--seed", default=1)
@click.option("--off", multiple=True, type=click.Choice(list(AQUA_SWITCHES)), help="left out")
@click.option("--moves", is_flag=True, help="every move's value and the line, without a limit")
def aqua_regia(
    sizes: str, deals: int, seconds: float, model: str, seed: int, off: tuple[str, ...], moves: bool
) -> None:
    """Time the values of random endings."""
    switches = ALL_OF_AQUA & ~sum(AQUA_SWITCHES[name] for name in off)
    aqua_regia_analyze.warm()
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
