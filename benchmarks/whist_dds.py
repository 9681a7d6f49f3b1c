"""Whist of `examples/whist` against Bo Haglund's DDS: processor time for every move's value in random endings.

    python -m benchmarks.whist_dds [--endings 300]

Both are warm and run in this thread, on the same endings in turn. Times are means in milliseconds per ending: for
DDS its function `solve_board` through endplay; for Athanor the search alone, and the whole answer (including a
line of best play).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "examples" / "whist" / part) for part in (".", "tests")]

import test_whist  # noqa: E402

from solver.limits import Control  # noqa: E402
from whist.search import SEARCH, encode  # noqa: E402

TESTS: Any = test_whist
COLUMNS = ("cards", "DDS", "search", "answer", "search / DDS")


class Clock:
    """The processor time of this thread spent in some calls, in milliseconds."""

    def __init__(self) -> None:
        self.spent = 0.0

    def time(self, function: Callable[..., Any], *arguments: Any) -> Any:
        begin = time.thread_time()
        result = function(*arguments)
        self.spent += 1000 * (time.thread_time() - begin)
        return result


def measure(cards: int, endings: int) -> list[float]:
    """The mean times of DDS, of the search, and of the whole answer."""
    rng = random.Random(cards)
    dds, search, answer = clocks = Clock(), Clock(), Clock()
    solve_board = TESTS.solve_board
    TESTS.solve_board = lambda board: dds.time(solve_board, board)
    try:
        with SEARCH.provers.lend() as prover:
            for _ in range(endings):
                now = TESTS.ending(rng, cards)
                TESTS.by_dds(now)
                encoded = encode(now.state, now.seat_to_move, False)
                search.time(prover.values, encoded.deal, encoded.start, Control())
                answer.time(SEARCH.analyze, now, Control())
    finally:
        TESTS.solve_board = solve_board
    return [clock.spent / endings for clock in clocks]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--endings", type=int, default=300, help="of each number of cards a hand")
    endings = parser.parse_args().endings
    SEARCH.warm()
    measure(8, 3)
    print(" ".join(f"{column:>12}" for column in COLUMNS))
    for cards in range(2, 9):
        times = measure(cards, endings)
        cells = [f"{cards}", *(f"{value:.2f}" for value in times), f"{times[1] / times[0]:.1f}"]
        print(" ".join(f"{cell:>12}" for cell in cells))


if __name__ == "__main__":
    main()
