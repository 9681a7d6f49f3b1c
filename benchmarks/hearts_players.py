"""Hearts of `examples/hearts`: the points that hints lose in a round against three of their own players.

    python -m benchmarks.hearts_players [--rounds 200] [--worlds 100]

The same deals are also played by such a player in place of the hints, and by hints whose players choose at random.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1] / "examples" / "hearts" / part) for part in (".", "tests")]

import test_hearts  # noqa: E402

from hearts.fast_rules import legal  # noqa: E402
from hearts.position import deal  # noqa: E402
from hearts.search import SEARCH  # noqa: E402
from solver.kernels.jit import inlined  # noqa: E402
from solver.kernels.rng import below, start_stream  # noqa: E402
from solver.kernels.words import Words  # noqa: E402
from solver.limits import Control  # noqa: E402
from solver.search.trick_rules import write_members  # noqa: E402
from solver.tricks import plain  # noqa: E402
from solver.tricks.moves import legal_moves, parse_move  # noqa: E402
from solver.tricks.plain import PlainSearch  # noqa: E402

TESTS: Any = test_hearts
SEED = 77


@inlined
def anything(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    return int(out[to + below(random, write_members(legal(deal, state, at), out, to))])


def lost(number: int, search: PlainSearch | None, worlds: int) -> int:
    """The points that one seat loses in a deal, with the hints of `search` or as a player."""
    now: plain.Round = deal(SEED, number=number)
    random = np.zeros(1, np.int64)
    start_stream(random, SEED, number)
    while moves := legal_moves(now):
        seat = now.seat_to_move
        if search is not None and seat == number % 4 and len(moves) > 1:
            view = plain.view(now, seat)
            card = parse_move(view, str(search.hint(view, Control(), worlds=worlds, seed=number).best))
        else:
            card = TESTS.chosen(now.state, random)
        now = plain.play(now, card)
    return -now.points[number % 4]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=100)
    options = parser.parse_args()
    rows = {"hints": SEARCH, "hints, random players": replace(SEARCH, policy=anything), "a player": None}
    for name, search in rows.items():
        points = np.array([lost(number, search, options.worlds) for number in range(options.rounds)])
        print(f"{name:22} {points.mean():5.2f} ± {points.std() / len(points) ** 0.5:.2f}")


if __name__ == "__main__":
    main()
