"""How often playing a hidden-stock solitaire by `hint` wins: ``python -m benchmarks.hidden_solitaire --help``.

Every game is played to its end by the rules, each decision asked of the hint as a user would. The share won is
given as it is and with the luck of the draw taken off (a control variate with mean zero, by the static table's
values at every drawn card), which needs some twenty times fewer games for the same interval.
"""

from __future__ import annotations

import argparse
import time
from math import sqrt

import numpy as np

from solver import registry
from solver.common.control import Control, Limit
from solver.common.rng import Random
from solver.common.stats import Z95, wilson
from solver.games.alchemy.cards.rules import SOLITAIRE, Turn, Variant, solitaire_play
from solver.games.alchemy.hidden_stock.tables import static_table
from solver.games.alchemy.positions.moves import solitaire_position


class Luck:
    """The luck of one game's draws by a fixed table of values; its expectation is zero for any play."""

    def __init__(self, variant: Variant, deck: list[int]) -> None:
        self._table = static_table(variant)
        self._unseen = np.bincount(np.array(deck), minlength=variant.ranks + 1)[1:].astype(np.int64)
        self.total = 0.0

    def _value(self, cap: int, line: tuple[int, ...], left: int) -> float:
        if left <= 1:
            return 1.0
        node = self._table.plan.base[cap] + self._table.tables.number(line)
        return float(self._table.values[left, node])

    def _hand_value(self, cap: int, line: tuple[int, ...], hand: int, left: int) -> float:
        tables, base = self._table.tables, self._table.plan.base
        if left == 0:
            return 1.0
        key = tables.number(line) * tables.ranks + hand - 1
        best = 0.0
        for rest in tables.outcome[tables.start[key] : tables.start[key + 1]].tolist():
            if rest >= 0:
                best = max(best, float(self._table.values[left, base[cap] + rest]) if left > 1 else 1.0)
            elif cap > 3:
                best = max(best, float(self._table.values[left, base[cap - 1] + ~rest]) if left > 1 else 1.0)
        return best

    def draw(self, cap: int, line: tuple[int, ...], card: int, *, hand: bool) -> None:
        """`card` is drawn into the line, or as the hand of a full one."""
        left = int(self._unseen.sum()) - 1
        value = {}
        for rank in range(1, len(self._unseen) + 1):
            if self._unseen[rank - 1]:
                value[rank] = (
                    self._hand_value(cap, line, rank, left) if hand else self._value(cap, (*line, rank), left)
                )
        mean = sum(self._unseen[rank - 1] * worth for rank, worth in value.items()) / (left + 1)
        self.total += value[card] - mean
        self._unseen[card - 1] -= 1


def play(variant: Variant, deck: list[int], limit: Limit, worlds: int | None) -> tuple[bool, float, list[float]]:
    """One game by the hint: won or not, the luck of its draws, and the seconds of each decision."""
    game = registry.game("alchemy")
    luck = Luck(variant, deck)
    line: tuple[int, ...] = ()
    for card in deck[: variant.cap]:
        luck.draw(variant.cap, line, card, hand=False)
        line = (*line, card)
    turn = Turn(variant.cap, line, deck[variant.cap], tuple(deck[variant.cap + 1 :]))
    times = []
    discarded: list[int] = []
    while turn.hand is not None:
        luck.draw(turn.cap, turn.line, turn.hand, hand=True)
        position = game.view(solitaire_position(variant, turn, discarded), 0)
        moves = game.legal_moves(position)
        if len(moves) > 1 and turn.stock:
            begin = time.perf_counter()
            hint = game.hint(position, Control(limit), worlds=worlds)
            times.append(time.perf_counter() - begin)
            move = game.parse_move(position, hint.best or "")
        else:
            move = moves[0]
        after = solitaire_play(variant, turn, move)
        drawn = turn.stock[: len(turn.stock) - len(after.stock) - (after.hand is not None)]
        line = tuple(after.line[: len(after.line) - len(drawn)])
        for card in drawn:
            luck.draw(after.cap, line, card, hand=False)
            line = (*line, card)
        discarded += [*move.used, turn.hand]
        turn = after
    return bool(turn.won), luck.total, times


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
    for number in range(options.games):
        deck = variant.deck
        Random(options.seed, number).shuffle(deck)
        result, luck, seconds = play(variant, deck, Limit(seconds=options.seconds), options.worlds)
        won.append(result)
        adjusted.append(result - luck)
        times += seconds
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
