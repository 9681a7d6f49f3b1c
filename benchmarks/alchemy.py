"""The work that alchemy's benchmarks time, one function a kernel, beside the same work by the slow reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.games.alchemy.duel import analyze
from solver.games.alchemy.expectimax import COMPOSITION_NODES as OUTCOMES
from solver.games.alchemy.expectimax import Composition, Expectimax
from solver.games.alchemy.fast_rules import deal_worlds, lines
from solver.games.alchemy.known_stock import NODES, Search, solve_deals
from solver.games.alchemy.matches import Enumeration, begin
from solver.games.alchemy.moves import deal
from solver.games.alchemy.position import DuelPosition
from solver.games.alchemy.rules import SOLITAIRE
from solver.limits import Control
from tests.reference import alchemy as reference

Work = Callable[[], int]  # does it once, and says how many nodes that took


def deals(variant: str, count: int) -> tuple[Work, Callable[[int], None]]:
    """Solve `count` deals by the kernel; and the reference's solution of deal i."""
    rules = SOLITAIRE[variant]
    tables = lines(rules)
    decks = deal_worlds(np.array(rules.deck, np.int8) - 1, 1, 0, count)
    search = Search(tables)
    left = np.zeros(count, np.int8)

    def kernel() -> int:
        before = int(search.control[NODES])
        solve_deals(
            *tables.turns, decks, tables.cap,
            search.stack, search.memo, search.control, left,
        )  # fmt: skip
        return int(search.control[NODES]) - before

    def slow(number: int) -> None:
        cards = (decks[number] + 1).tolist()
        cap = tables.cap
        found = reference.solitaire_left(variant, cap, cards[:cap], cards[cap], cards[cap + 1 :])
        assert min(found.values()) == left[number]

    return kernel, slow


def matches(line: list[int], hand: int) -> tuple[Work, Callable[[], int]]:
    """All matches of a line in the kernel, arrays made before; and by the reference."""
    search = Enumeration(line, hand, 1)

    def kernel() -> int:
        begin(search.state, search.control)
        return search.step(1 << 40)[1]

    def slow() -> int:
        reference._matches.cache_clear()
        return len(reference.matches(line, hand, 1))

    return kernel, slow


def composition(variant: str) -> Work:
    """The DP from the first decision of a deal."""
    rules = SOLITAIRE[variant]
    turn = deal(1, variant=variant).turn  # type: ignore[union-attr]
    unseen = [turn.stock.count(rank) for rank in range(1, rules.ranks + 1)]
    line = [turn.line.count(rank) for rank in range(1, rules.ranks + 1)]

    def kernel() -> int:
        table = Composition(rules, rules.cap, unseen, line)
        table.step(1 << 60)
        return int(table.control[OUTCOMES])

    return kernel


@dataclass(frozen=True)
class Ending:
    """A position late in a solitaire."""

    variant: str
    line: tuple[int, ...]
    hand: int
    unseen: tuple[int, ...]


# Ten unseen cards, all different ranks in `alternative`: the hardest for the memo.
TEN_UNSEEN = Ending("alternative", (2, 5, 8, 9), 4, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
FIVE_UNSEEN = Ending("alternative", (2, 5, 8, 9), 4, (1, 3, 6, 7, 10))


def expectimax(ending: Ending) -> tuple[Work, Callable[[], object]]:
    """The chance to win after each move, by the kernel and by the reference."""
    rules = SOLITAIRE[ending.variant]
    tables = lines(rules)
    counts = [ending.unseen.count(rank) for rank in range(1, rules.ranks + 1)]
    after = []
    for move in reference.solitaire_moves(ending.variant, ending.line, ending.hand):
        rest = list(ending.line)
        for rank in move[1]:
            rest.remove(rank)
        after.append((rules.cap - (move[0] == "discard"), tables.number(tuple(rest))))

    def kernel() -> int:
        search = Expectimax(rules, counts)
        nodes = 0
        for cap, line in after:
            search.enter(cap, line)
            finished = False
            while not finished:
                finished, spent = search.step(1 << 40)
                nodes += spent
        return nodes

    def slow() -> object:
        return reference.win_probability(ending.variant, rules.cap, ending.line, ending.hand, ending.unseen)

    return kernel, slow


EXCHANGE = DuelPosition(
    game="alchemy", variant="duel", line=("A", "2", "3", "4", "6", "9"), hand="7", opponent_hand="5",
    pile=("A", "A", "A"), opponent_pile=("K",),
)  # fmt: skip


def exchange() -> tuple[Work, Callable[[], object]]:
    """A duel's exchange in both orders of grabbing."""
    line, (mine, other) = EXCHANGE.line_ranks, EXCHANGE.hands
    pile, other_pile = EXCHANGE.piles

    def fast() -> int:
        return analyze(EXCHANGE, Control()).nodes

    def slow() -> object:
        reference._matches.cache_clear()
        return (
            reference.duel(line, mine, other, 0, pile, other_pile),
            reference.duel(line, other, mine, 0, other_pile, pile),
        )

    return fast, slow
