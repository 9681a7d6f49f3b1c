"""How often playing a hidden-stock solitaire by `hint` wins: ``python -m benchmarks.hidden_solitaire --help``.

Every game is played to its end by the rules, and every decision is a hint, as a user would get it. The share won
is printed as it is, and with the luck of the draw subtracted (a control variate with mean zero: the static table's
values at every drawn card), which needs about a twentieth of the games for the same interval.
"""

from __future__ import annotations

import argparse
import time
from math import sqrt

import numpy as np

from solver import registry
from solver.common import Z95, Random, wilson
from solver.games.alchemy.deck import Move
from solver.games.alchemy.expectimax import HiddenStock
from solver.games.alchemy.hidden_stock import evaluate
from solver.games.alchemy.rules import SOLITAIRE
from solver.games.alchemy.winrate import play
from solver.limits import Control, Limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=SOLITAIRE)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=0.005, help="the limit of a decision")
    parser.add_argument("--worlds", type=int, help="stocks sampled for a decision at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    variant = SOLITAIRE[options.variant]
    registry.game("alchemy").warm()
    won: list[bool] = []
    adjusted: list[float] = []
    times: list[float] = []

    def decide(stock: HiddenStock) -> Move:
        begin = time.perf_counter()
        chances = evaluate(stock, Control(Limit(seconds=options.seconds)), options.worlds)
        times.append(time.perf_counter() - begin)
        return chances.moves[0].option.move

    for number in range(options.games):
        deck = list(variant.deck)
        Random(options.seed, number).shuffle(deck)
        left, luck = play(variant, deck, decide)
        won.append(left == 0)
        adjusted.append((left == 0) - luck)
        if (number + 1) % 500 == 0 or number + 1 == options.games:
            low, high = wilson(sum(won), len(won))
            error = Z95 * np.std(adjusted, ddof=1) / sqrt(len(adjusted))
            print(
                f"{number + 1} games: won {np.mean(won):.4f} ({low:.4f}-{high:.4f}), luck taken off "
                f"{np.mean(adjusted):.5f} ± {error:.5f}; a decision: median {1e3 * np.median(times):.1f} ms, "
                f"99th percentile {1e3 * np.quantile(times, 0.99):.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
