"""Each kernel's time, compared with a slower method: ``python -m benchmarks.kernels``.

Most are compared with the plain references of the tests, King × Alchemy's compounding of random sets of the house
deck with CP-SAT. They take turns in one process, in thread time; the median of the pairs' ratios varies by 1 to
3%, where wall-clock times vary by half. A slow reference does only a part of the work, and its time is scaled up.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, NamedTuple

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
from solver.games.alchemy.position import Round
from solver.games.alchemy.rules import SOLITAIRE
from solver.games.king.compounding import ENDLESS, bonus_of, compound, tables, working_space
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
Work = Callable[[], object]


class Compared(NamedTuple):
    """A kernel's work, which returns the number of nodes, and a slower method to compare it with, if there is one.

    The slower method (`reference`) does only this `share` of the work.
    """

    name: str
    kernel: Callable[[], int]
    reference: Work | None = None
    share: float = 1.0


def _timed(work: Work, repeats: int) -> float:
    """The thread's seconds for one run, averaged over several."""
    begin = time.thread_time()
    for _ in range(repeats):
        work()
    return (time.thread_time() - begin) / repeats


def _repeats(work: Work) -> int:
    """How often to run, so that one timing is long enough for the clock."""
    return max(1, round(_SHORTEST / max(_timed(work, 1), 1e-7)))


def described(compared: Compared) -> str:
    """Run both in turn, and return the row of the table."""
    name, kernel, reference, share = compared
    nodes, repeats = kernel(), _repeats(kernel)
    often = 0 if reference is None else _repeats(reference)
    fast, slow = [], []
    for _ in range(PAIRS):
        fast.append(_timed(kernel, repeats))
        if reference is not None:
            slow.append(_timed(reference, often) / share)
    seconds = median(fast)
    beside = f"{'':14} {'':9}"
    if slow:
        ratio = median(other / quick for quick, other in zip(fast, slow, strict=True))
        beside = f"{1e3 * median(slow):11.2f} ms {ratio:8.0f}x"
    return f"{name:42} {1e6 * seconds:8.1f} µs {beside} {nodes:9,} {nodes / seconds / 1e6:7.1f} M"


def deals(variant: str, count: int, few: int) -> Compared:
    """The kernel that solves deals: `count` of them, of which the reference solves the first `few`."""
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

    def slow() -> None:
        for deck, expected in zip(decks[:few], left, strict=False):
            cards = (deck + 1).tolist()
            cap = tables.cap
            remaining = reference.solitaire_left(variant, cap, cards[:cap], cards[cap], cards[cap + 1 :])
            assert min(remaining.values()) == expected

    return Compared(f"{variant}: {count} deals, stock known", kernel, slow, few / count)


def matches(line: list[int], hand: int, *, plain: bool = True) -> Compared:
    """The kernel that lists all matches of a line and a hand; without a reference unless `plain`."""
    search = Enumeration(line, hand, 1)

    def kernel() -> int:
        begin(search.state, search.control)
        return search.step(1 << 40)[1]

    def slow() -> int:
        reference._matches.cache_clear()
        return len(reference.matches(line, hand, 1))

    return Compared(f"matches of {len(line)} cards", kernel, slow if plain else None)


def composition(variant: str) -> Compared:
    """The dynamic program for the first decision of a deal; without a reference."""
    rules = SOLITAIRE[variant]
    turn = deal(1, variant=variant).turn
    unseen = [turn.stock.count(rank) for rank in range(1, rules.ranks + 1)]
    line = [turn.line.count(rank) for rank in range(1, rules.ranks + 1)]

    def kernel() -> int:
        table = Composition(rules, rules.cap, unseen, line)
        table.step(1 << 60)
        return int(table.control[OUTCOMES])

    return Compared(f"{variant}: composition DP", kernel)


def expectimax(unseen: tuple[int, ...], *, plain: bool = True) -> Compared:
    """The kernel for the chance to win after each move of a late position; without a reference unless `plain`."""
    variant, line, hand = "alternative", (2, 5, 8, 9), 4
    rules = SOLITAIRE[variant]
    tables = lines(rules)
    counts = [unseen.count(rank) for rank in range(1, rules.ranks + 1)]
    after = []
    for move in reference.solitaire_moves(variant, line, hand):
        rest = list(line)
        for rank in move[1]:
            rest.remove(rank)
        after.append((rules.cap - (move[0] == "discard"), tables.number(tuple(rest))))

    def kernel() -> int:
        search = Expectimax(rules, counts)
        nodes = 0
        for cap, number in after:
            search.enter(cap, number)
            finished = False
            while not finished:
                finished, spent = search.step(1 << 40)
                nodes += spent
        return nodes

    def slow() -> object:
        return reference.win_probability(variant, rules.cap, line, hand, unseen)

    return Compared(f"expectimax, {len(unseen)} unseen", kernel, slow if plain else None)


EXCHANGE = Round(
    game="alchemy", variant="duel", line=("A", "2", "3", "4", "6", "9"), hand="7", opponent_hand="5",
    pile=("A", "A", "A"), opponent_pile=("K",),
)  # fmt: skip


def exchange() -> Compared:
    """The analysis of an exchange in a duel.

    The reference solves it twice, as either player may be the first to take a match.
    """
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

    return Compared("duel exchange", fast, slow)


def ending(game: str, players: int, cards: int, model: str) -> Compared:
    """The analysis of a random ending: the value of every move.

    `cards` is the number of cards in each hand, but in Aqua Regia in all hands together. Raises AssertionError if
    the reference finds other values.
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
    values = [entry.value for entry in analyze(position, Control(), model=model).moves]
    assert set(values) == set(slow()), position

    def fast() -> int:
        return analyze(position, Control(), model=model).nodes

    return Compared(f"{game} {model}: {players} players, {cards} cards", fast, slow)


@lean
def best_of_all(table: Words, work: Words, sets: Words) -> int:
    """Return the sum of the best bonuses of `sets`, each a mask of cards.

    `table` and `work` are arguments of `bonus_of`.
    """
    total = 0
    for cards in sets:
        total += bonus_of(table, work, cards, ENDLESS)
    return total


def compounding(size: int, count: int, few: int) -> Compared:
    """The best compounding of `count` random sets of `size` cards; CP-SAT does the first `few`."""
    sets = np.zeros(count, np.int64)
    for number in range(count):
        cards = list(range(CARDS))
        Random(size, number).shuffle(cards)
        sets[number] = mask(cards[:size])
    deck = house()
    table, work = tables(deck), working_space()

    def kernel() -> int:
        best_of_all(table, work, sets)
        return count

    def solver() -> None:
        for cards in sets[:few]:
            compound(deck, list(members(int(cards))), Control())

    return Compared(f"compound {count} sets of {size}", kernel, solver, few / count)


ROWS: dict[str, Callable[[], Compared]] = {
    "deals of solo": partial(deals, "solo", 2000, few=1),
    "deals of alternative": partial(deals, "alternative", 2000, few=20),
    "matches of 6": partial(matches, [1, 3, 5, 7, 9, 13], 10),
    "matches of 9": partial(matches, [1, 2, 3, 4, 5, 7, 9, 11, 13], 10),
    "matches of 20": partial(
        matches, [1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 8, 9, 9, 9, 11, 11, 12, 12, 13], 6, plain=False
    ),
    "composition of solo": partial(composition, "solo"),
    "composition of alternative": partial(composition, "alternative"),
    "expectimax of 5": partial(expectimax, (1, 3, 6, 7, 10)),
    # all different: the hardest for the memo
    "expectimax of 10": partial(expectimax, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), plain=False),
    "exchange": exchange,
    "kirin paranoid": partial(ending, "kirin", 4, 4, "paranoid"),
    "kirin maxn": partial(ending, "kirin", 4, 3, "maxn"),
    "king paranoid": partial(ending, "king", 4, 3, "paranoid"),
    "king maxn": partial(ending, "king", 4, 3, "maxn"),
    "aqua-regia paranoid": partial(ending, "aqua-regia", 2, 10, "paranoid"),
    "aqua-regia maxn": partial(ending, "aqua-regia", 3, 9, "maxn"),
    **{f"compound {size}": partial(compounding, size, 2000, few=10) for size in (15, 25, 35, 42, 50)},
}


def main() -> None:
    for game in ("alchemy", "kirin", "king", "aqua-regia"):
        registry.game(game).warm()
    print(f"{'':42} {'kernel':>11} {'reference':>14} {'ratio':>9} {'nodes':>9} {'nodes/s':>9}")
    for make in ROWS.values():
        print(described(make()), flush=True)


if __name__ == "__main__":
    main()
