"""How often a player who follows hints wins a solitaire with hidden stock: ``python -m benchmarks.by_hint solo``.

The luck of a draw is the value of the drawn card in a fixed table, minus the mean over the possible cards. Its
expectation is zero however somebody plays, so the share won minus the luck has the same expectation as the share
won, with far less variance: a control variate.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import click
import numpy as np

from benchmarks.studies import Estimate, estimate
from solver.common import Random
from solver.games.alchemy.deck import Move
from solver.games.alchemy.expectimax import HiddenStock, hidden_stock, static_table
from solver.games.alchemy.hidden_stock import evaluate
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant, solitaire_play
from solver.limits import Control, Limit

NODES = 20_000  # per hint: a few milliseconds

Decide = Callable[[HiddenStock], Move]


class Luck:
    """The luck of a game's draws: how much they raised the chance to win, as valued by a fixed table."""

    def __init__(self, variant: Variant) -> None:
        self._table = static_table(variant)
        self._unseen = np.array([variant.deck.count(rank) for rank in range(1, variant.ranks + 1)], np.int64)
        self.total = 0.0

    def draw(self, cap: int, line: tuple[int, ...], card: int, *, hand: bool) -> None:
        """Record that `card` was drawn, to refill the line or as the hand of a full line."""
        left = int(self._unseen.sum()) - 1
        tables = self._table.tables
        value = {}
        for rank in (np.flatnonzero(self._unseen) + 1).tolist():
            if hand:
                value[rank] = self._of_turn(cap, tables.number(line) * tables.ranks + rank - 1, left)
            else:
                value[rank] = self._worth(cap, tables.number((*line, rank)), left)
        mean = sum(self._unseen[rank - 1] * worth for rank, worth in value.items()) / (left + 1)
        self.total += value[card] - mean
        self._unseen[card - 1] -= 1

    def _of_turn(self, cap: int, key: int, left: int) -> float:
        """Return the best outcome's value for a line and a hand, with `left` stock cards."""
        tables = self._table.tables
        if left == 0:
            return 1.0
        outcomes = tables.outcome[tables.start[key] : tables.start[key + 1]].tolist()
        if outcomes[0] < 0 and cap == tables.shortest:
            return 0.0
        return max(self._worth(cap - (rest < 0), rest if rest >= 0 else ~rest, left) for rest in outcomes)

    def _worth(self, cap: int, line: int, left: int) -> float:
        return float(self._table.values[left, self._table.plan.base[cap] + line]) if left > 1 else 1.0


class Game(NamedTuple):
    """A finished game: the stock cards left, 0 for a win, and the luck of its draws."""

    left: int
    luck: float


def play(variant: Variant, deck: list[int], decide: Decide) -> Game:
    """Play a game with a deck of ranks in draw order; `decide` is called when there is a choice."""
    luck = Luck(variant)
    _refill(luck, variant.cap, (), deck[: variant.cap])
    turn = Turn(variant.cap, tuple(deck[: variant.cap]), deck[variant.cap], tuple(deck[variant.cap + 1 :]))
    while turn.hand is not None:
        luck.draw(turn.cap, turn.line, turn.hand, hand=True)
        stock = hidden_stock(variant, turn, turn.stock, 0)
        options = stock.options()
        move = decide(stock) if len(options) > 1 and turn.stock else options[0].move
        after = solitaire_play(variant, turn, move)
        drawn = turn.stock[: len(turn.stock) - len(after.stock) - (after.hand is not None)]
        _refill(luck, after.cap, after.line[: len(after.line) - len(drawn)], drawn)
        turn = after
    return Game(0 if turn.won else len(turn.stock), luck.total)


def _refill(luck: Luck, cap: int, line: tuple[int, ...], drawn: Iterable[int]) -> None:
    for card in drawn:
        luck.draw(cap, line, card, hand=False)
        line = (*line, card)


def by_hint(variant: str, seed: int, number: int) -> Game:
    """Play a deal by following hints, each limited to NODES nodes."""

    def decide(stock: HiddenStock) -> Move:
        return evaluate(stock, Control(Limit(nodes=NODES))).moves[0].option.move

    rules = SOLITAIRE[variant]
    deck = list(rules.deck)
    Random(seed, number).shuffle(deck)
    return play(rules, deck, decide)


def won(games: Sequence[Game]) -> Estimate:
    """Return the share of the games won, with the luck of the draws subtracted."""
    return estimate([(game.left == 0) - game.luck for game in games])


@click.command()
@click.argument("variant", type=click.Choice(list(SOLITAIRE)))
@click.option("--deals", default=250)
@click.option("--seed", default=0)
@click.option("--jobs", default=os.cpu_count(), help="How many processes.")
def main(variant: str, deals: int, seed: int, jobs: int) -> None:
    """Measure how often hints win a solitaire."""
    with ProcessPoolExecutor(jobs) as pool:
        games = list(pool.map(partial(by_hint, variant, seed), range(deals)))
    print(f"{sum(game.left == 0 for game in games):,} of {deals:,} won; luck off {won(games)}")


if __name__ == "__main__":
    main()
