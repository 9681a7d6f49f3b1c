"""How often a player wins a solitaire who follows the hint, the stock hidden; with the luck of the draw taken off.

The luck of a draw is what a fixed table of values says of the card that was drawn, less the mean over the cards
that could have been. Its expectation is zero however somebody plays, so the share won less the luck has the same
expectation as the share won, and varies far less: a control variate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

from solver.common.control import Control, Limit
from solver.common.rng import Random
from solver.common.stats import Z95
from solver.games.alchemy.cards.rules import SOLITAIRE, Turn, Variant, solitaire_play
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.hidden_stock.stock import HiddenStock, hidden_stock
from solver.games.alchemy.hidden_stock.tables import static_table
from solver.games.alchemy.hidden_stock.values import evaluate
from solver.games.alchemy.surveys.parts import in_order, without_gaps
from solver.games.alchemy.surveys.winrate import Share, share_of
from solver.protocol.survey import Row

NODES = 20_000  # of a hint: a few milliseconds

Decide = Callable[[HiddenStock], Move]


class Luck:
    """The luck of one game's draws by a fixed table of values."""

    def __init__(self, variant: Variant) -> None:
        self._table = static_table(variant)
        self._unseen = np.array([variant.deck.count(rank) for rank in range(1, variant.ranks + 1)], np.int64)
        self.total = 0.0

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

    def _value(self, cap: int, line: tuple[int, ...], left: int) -> float:
        return self._worth(cap, self._table.tables.number(line), left)

    def _hand_value(self, cap: int, line: tuple[int, ...], hand: int, left: int) -> float:
        if left == 0:
            return 1.0
        tables = self._table.tables
        key = tables.number(line) * tables.ranks + hand - 1
        best = 0.0
        for rest in tables.outcome[tables.start[key] : tables.start[key + 1]].tolist():
            if rest >= 0:
                best = max(best, self._worth(cap, rest, left))
            elif cap > 3:
                best = max(best, self._worth(cap - 1, ~rest, left))
        return best

    def _worth(self, cap: int, line: int, left: int) -> float:
        return float(self._table.values[left, self._table.plan.base[cap] + line]) if left > 1 else 1.0


class Game(NamedTuple):
    """How a game ended: the stock cards left, 0 for won; and the luck of its draws."""

    left: int
    luck: float


def play(variant: Variant, deck: list[int], decide: Decide) -> Game:
    """One game with a deck of ranks in draw order, played as `decide` says where there is a choice."""
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


def part(variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
    """A row for each deal: the stock cards left (0: won) by hints of NODES nodes, and the luck of its draws."""

    def decide(stock: HiddenStock) -> Move:
        return evaluate(stock, Control(Limit(nodes=NODES))).moves[0].move

    rules = SOLITAIRE[variant]
    for deal in range(number, number + deals):
        if control.cancelled():
            return
        deck = list(rules.deck)
        Random(seed, deal).shuffle(deck)
        yield {"number": deal, "deals": 1, **play(rules, deck, decide)._asdict()}


class ByHint(Share):
    """The share won by following hints; `adjusted` is the same with luck taken off, ± `half` at 95%."""

    variant: str
    seed: int
    finished: bool
    nodes: int
    adjusted: float | None
    half: float | None


def merged(variant: str, seed: int, rows: Iterable[Row]) -> ByHint:
    """What many games come to. Raises RequestError for a deal that is counted twice."""
    games = in_order(rows)
    rules = SOLITAIRE[variant]
    left = np.bincount([row["left"] for row in games], minlength=len(rules.deck) - rules.cap + 1)
    adjusted = np.array([(row["left"] == 0) - row["luck"] for row in games])
    return ByHint(
        variant=variant,
        seed=seed,
        finished=without_gaps(games),
        nodes=NODES,
        adjusted=float(adjusted.mean()) if games else None,
        half=Z95 * float(np.std(adjusted, ddof=1)) / sqrt(len(adjusted)) if len(games) > 1 else None,
        **share_of(len(games), left),
    )
