"""Timed work: each kernel compared with a slower method.

Most are compared with the plain references of the tests, King × Alchemy's compounding of random sets of the house
deck with CP-SAT. They take turns in one process, in thread time; the median of the pairs' ratios
varies by 1 to 3%, where wall-clock times vary by half.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from solver import registry
from solver.common import Random, mask, members
from solver.games.alchemy.duel import analyze
from solver.games.alchemy.expectimax import COMPOSITION_NODES as OUTCOMES
from solver.games.alchemy.expectimax import Composition, Expectimax
from solver.games.alchemy.fast_rules import deal_worlds, lines
from solver.games.alchemy.known_stock import NODES, Search, solve_deals
from solver.games.alchemy.matches import Enumeration, begin
from solver.games.alchemy.moves import deal
from solver.games.alchemy.position import DuelPosition
from solver.games.alchemy.rules import SOLITAIRE
from solver.games.king.compounding import compound
from solver.games.king.compounding_kernel import ENDLESS, best, optimistic, tables, working_space
from solver.games.king.deck import CARDS, house
from solver.kernels.jit import lean
from solver.kernels.words import Words
from solver.limits import Control
from tests.games.aqua_regia.deals import ending as aqua_position
from tests.games.king.rounds import position_of as king_position
from tests.games.king.rounds import round_at
from tests.games.kirin.deals import letters, random_state
from tests.games.kirin.deals import position_of as kirin_position
from tests.reference import alchemy as reference
from tests.reference import aqua, king, kirin

PAIRS = 15
_SHORTEST = 0.01  # seconds of one timing; shorter work is repeated


@dataclass(frozen=True, slots=True)
class Ratio:
    """The result of one comparison. `nodes` are the kernel's nodes in one run; times are for one run."""

    name: str
    kernel_seconds: float
    reference_seconds: float
    ratio: float
    nodes: int

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.kernel_seconds


def _timed(work: Callable[[], object], repeats: int) -> float:
    """The thread's seconds for one run, averaged over several."""
    begin = time.thread_time()
    for _ in range(repeats):
        work()
    return (time.thread_time() - begin) / repeats


def _repeats(work: Callable[[], object]) -> int:
    """How often to run, so that one timing is long enough for the clock."""
    return max(1, round(_SHORTEST / max(_timed(work, 1), 1e-7)))


def compare(
    name: str,
    kernel: Callable[[], int],
    reference: Callable[[], object],
    *,
    scale: float = 1.0,
    pairs: int = PAIRS,
) -> Ratio:
    """Run both in turn. `scale` is the share of the kernel's work that the reference does, if it is slow."""
    nodes = kernel()
    reference()
    kernel_repeats, reference_repeats = _repeats(kernel), _repeats(reference)
    fast, slow = [], []
    for _ in range(pairs):
        fast.append(_timed(kernel, kernel_repeats))
        slow.append(_timed(reference, reference_repeats) / scale)
    return Ratio(name, median(fast), median(slow), median(s / f for f, s in zip(fast, slow, strict=True)), nodes)


Work = Callable[[], int]  # does the work once, and returns the number of nodes


def deals(variant: str, count: int) -> tuple[Work, Callable[[int], None]]:
    """Solving `count` deals by the kernel, and deal i by the reference."""
    rules = SOLITAIRE[variant]
    tables = lines(rules)
    decks = deal_worlds(np.array(rules.deck, np.int8) - 1, 1, 0, count)
    search = Search(tables)
    left = np.zeros(count, np.int8)

    def kernel() -> int:
        before = int(search.control[NODES])
        solve_deals(
            tables, decks, tables.cap,
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
    """All matches of a line: by the kernel, with preallocated arrays, and by the reference."""
    search = Enumeration(line, hand, 1)

    def kernel() -> int:
        begin(search.state, search.control)
        return search.step(1 << 40)[1]

    def slow() -> int:
        reference._matches.cache_clear()
        return len(reference.matches(line, hand, 1))

    return kernel, slow


def composition(variant: str) -> Work:
    """The dynamic program that starts from the first decision of a deal."""
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
    line, (mine, other) = EXCHANGE.line_ranks, EXCHANGE.drawn
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


def ending(game: str, players: int, cards: int, model: str) -> tuple[Work, Callable[[], object]]:
    """The value of every move of a random ending, by the game's analysis and by its reference.

    Each hand has `cards` cards; in Aqua Regia all hands together. Raises AssertionError if the values differ.
    """
    rng = random.Random(1)
    if game == "kirin":
        state, declared = random_state(rng, cards, played=0)
        position: Any = kirin_position(state, declared)

        def slow() -> list[Any]:
            kirin._one_player.cache_clear()
            kirin._maxn.cache_clear()
            return list(kirin.values(state, letters(declared), model).values())
    else:
        plain, known = (king, king._search) if game == "king" else (aqua, aqua._known)
        position = (
            king_position(round_at(rng, players, cards)) if game == "king" else aqua_position(rng, players, cards)
        )
        start = plain.load(position.model_dump(mode="json", exclude_none=True))

        def slow() -> list[Any]:
            known.cache_clear()
            return list(plain.values(*start, model).values())

    analyze = registry.game(game).analyze
    found = [entry.value for entry in analyze(position, Control(), model=model).moves]
    assert set(found) == set(slow()), position

    def fast() -> int:
        return analyze(position, Control(), model=model).nodes

    return fast, slow


SIZES = (15, 25, 35, 42, 50)
SETS = 2000  # by the kernel
_FEW = 10  # of them by the constraint solver


def random_sets(size: int, count: int) -> Words:
    """`count` random sets of `size` cards, as masks."""
    sets = []
    for number in range(count):
        cards = list(range(CARDS))
        Random(size, number).shuffle(cards)
        sets.append(mask(cards[:size]))
    return np.array(sets, np.int64)


@lean
def best_of_all(table: Words, work: Words, sets: Words) -> int:
    """The sum of the best bonuses."""
    total = 0
    for cards in sets:
        total += best(table, work, cards, ENDLESS)
    return total


@lean
def optimistic_of_all(table: Words, work: Words, sets: Words) -> int:
    """The sum of the optimistic bounds."""
    total = 0
    for cards in sets:
        total += optimistic(table, work, cards)
    return total


def compoundings(sets: Words, *, exact: bool = True) -> Callable[[], int]:
    """The kernel's work on these sets: best compoundings or, if not `exact`, bounds; it returns their number."""
    table, work = tables(house()), working_space()
    function = best_of_all if exact else optimistic_of_all

    def run() -> int:
        function(table, work, sets)
        return len(sets)

    return run


def constraint_solver(sets: Words) -> Callable[[], None]:
    """The constraint solver's work on the same sets, or on a part of them."""
    deck = house()

    def run() -> None:
        for cards in sets:
            compound(deck, list(members(int(cards))), Control())

    return run


def comparison(size: int) -> tuple[Callable[[], int], Callable[[], None], float]:
    """The kernel on all sets, the constraint solver on a few of them, and what share those are."""
    sets = random_sets(size, SETS)
    return compoundings(sets), constraint_solver(sets[:_FEW]), _FEW / SETS
