"""`maxn`: everybody's scores when each seat wants the most for itself, exact by a dense memo.

The memo of seven cards a hand takes 54 MB, of eight 720 MB: more than `memo_megabytes` allows by default.
Beyond it, and when a limit comes first, each seat's score lies between what it can guarantee (`paranoid`) and
what it can reach with everybody's help (`ally`), under any way to break ties.
"""

from __future__ import annotations

import os
import threading

import numpy as np
from numpy.typing import NDArray

from solver.common.masks import members
from solver.common.threads import started
from solver.games.kirin.answers import Scores
from solver.games.kirin.cards.rules import SEATS, Masks, State, legal_moves, play, points
from solver.games.kirin.fast_rules.order import CARDS, INNER, QUALIFYING, RANKED, WEAKER
from solver.games.kirin.search.maxn.kernel import (
    CARD_WORDS,
    CHOOSE,
    FOLLOWERS,
    KIRIN_BIT,
    MOST_CARDS,
    NUMBER,
    POWER,
    SCORES,
    fill,
)
from solver.inputs.environment import whole_number
from solver.kernels.arrays import Words
from solver.search.budget import Part
from solver.search.memory.account import ACCOUNT
from solver.search.memory.settings import MEGABYTE, table_megabytes
from solver.search.memory.tables import new_table
from solver.tricks.maxn import merit

_MOST_THREADS = 1_000_000  # that may be named; the service has them for its requests
_SETS_A_WORKER = 500  # sets of hands, a few milliseconds


def memo_megabytes() -> int:
    """The most that a memo may take: 256 MB, or as much as the table of a search is allowed."""
    return max(256, table_megabytes())


def memo_threads() -> int:
    """How many threads fill a memo: ATHANOR_THREADS, by default 2, and no more than there are processors.

    Raises RequestError when the variable is no such number.
    """
    found = whole_number("ATHANOR_THREADS", 1, _MOST_THREADS)
    return min(2 if found is None else found, os.cpu_count() or 1)


def card_words(hands: list[list[int]], colours: Masks) -> Words:
    """The kernel's table of the cards in `hands`: for each seat a list in the deck's numbering, ascending."""
    words = np.zeros(SEATS * MOST_CARDS * CARD_WORDS, np.int64)
    for seat, hand in enumerate(hands):
        for place, card in enumerate(hand):
            at = (seat * MOST_CARDS + place) * CARD_WORDS
            inner = INNER[card]
            ranked = RANKED >> inner & 1
            for direction in range(2):
                row = direction * CARDS + inner
                words[at + POWER + direction] = 1 + int(WEAKER[row]).bit_count() if ranked else 0
                for other in range(SEATS):
                    words[at + FOLLOWERS + 4 * direction + other] = sum(
                        1 << index
                        for index, held in enumerate(hands[other])
                        if int(QUALIFYING[row]) >> INNER[held] & 1
                    )
            words[at + KIRIN_BIT] = 0 if ranked else 1 << inner
            words[at + SCORES] = sum(1 << 4 * other for other in range(SEATS) if colours[other] == card // 9)
    return words


class Memo:
    """The scores of every state between two tricks that can follow a root."""

    def __init__(self, root: State, colours: Masks, workers: int | None = None) -> None:
        self._hands = [list(members(hand)) for hand in root.hands]
        self._places = [{card: place for place, card in enumerate(hand)} for hand in self._hands]
        self._colours = colours
        self._cards = card_words(self._hands, colours)
        self._counts = np.array([len(hand) for hand in self._hands], np.int64)
        self._top = min(map(len, self._hands)) - (not root.trick)  # cards a hand after this trick
        self._levels: list[NDArray[np.uint16]] = [np.zeros(8, np.uint16)]
        self._next = 0  # the first set of hands to fill, of the level that is being filled; 0 between levels
        self._done = 0  # states
        self._workers = memo_threads() if workers is None else workers
        self._tricks: dict[State, Scores] = {}

    def _states(self, level: int) -> int:
        return 8 * int(np.prod([CHOOSE[count, level] for count in self._counts]))

    @property
    def megabytes(self) -> float:
        """How many megabytes the whole memo takes."""
        return sum(self._states(level) for level in range(1, self._top + 1)) * 2 / (1 << 20)

    def step(self, budget: int) -> tuple[bool, int]:
        """Go on for about `budget` states: see `solver.common.control`.

        Raises MemoryError where there is too little memory.
        """
        level = len(self._levels) - (self._next > 0)
        if level > self._top:
            return True, 0
        if self._next == 0:
            self._levels.append(new_table([self._states(level)], np.uint16))
        end = min(self._states(level) // 8, self._next + max(1, budget // 8))
        states = 8 * (end - self._next)
        self._fill(level, self._next, end)
        self._done += states
        self._next = end if 8 * end < self._states(level) else 0
        return self._next == 0 and level == self._top, states

    def _fill(self, level: int, begin: int, end: int) -> None:
        """Fill a part of a level, in several threads where it is worth their start."""
        workers = min(self._workers, 1 + (end - begin) // _SETS_A_WORKER)
        edges = [begin + (end - begin) * part // workers for part in range(workers + 1)]

        def work(part: int) -> None:
            fill(
                self._cards,
                self._counts,
                level,
                self._levels[level - 1],
                self._levels[level],
                np.zeros(2 * SEATS, np.int64),
                edges[part],
                edges[part + 1],
            )

        threads = [threading.Thread(target=work, args=(part,)) for part in range(1, workers)]
        for thread in threads:
            if not started(thread):
                thread.run()
        work(0)
        for thread in threads:
            if thread.ident is not None:
                thread.join()

    def share(self) -> float:
        """How much of the memo is full."""
        whole = sum(self._states(level) for level in range(1, self._top + 1))
        return self._done / whole if whole else 1.0

    def scores(self, state: State) -> Scores:
        """What each seat still wins after `state`, which follows the root; the memo must be full."""
        if state.trick:
            if state not in self._tricks:
                self._tricks[state] = max(
                    (scores for _, scores in self.moves(state)), key=lambda scores: merit(scores, state.to_move)
                )  # the first of equals: canonical
            return self._tricks[state]
        level = state.hands[0].bit_count()
        index = 0
        for seat in range(SEATS):
            subset = sum(1 << self._places[seat][card] for card in members(state.hands[seat]))
            index = index * int(CHOOSE[self._counts[seat], level]) + int(NUMBER[subset])
        word = int(self._levels[level][8 * index + 2 * state.leader + state.direction])
        return word & 15, word >> 4 & 15, word >> 8 & 15, word >> 12

    def moves(self, state: State) -> list[tuple[int, Scores]]:
        """Every legal card in canonical order, with what each seat wins from it on."""
        before = points(state.won, self._colours)
        scored = []
        for card in legal_moves(state):
            after = play(state, card)
            gained = points(after.won, self._colours)
            later = self.scores(after)
            total = [late + new - old for late, new, old in zip(later, gained, before, strict=True)]
            scored.append((card, (total[0], total[1], total[2], total[3])))
        return scored


def fits(memo: Memo) -> bool:
    """Whether the whole memo may be held, and may be had now."""
    return memo.megabytes <= min(memo_megabytes(), ACCOUNT.part / MEGABYTE)


def complete(memo: Memo, part: Part) -> bool:
    """Fill the memo; False when this part of a limit came first, or when there is too little memory."""
    try:
        return part.control.drive(
            memo.step, until=part.until, node_share=part.nodes(), stage="maxn", done=memo.share
        )
    except MemoryError:
        return False


def line(memo: Memo, state: State) -> list[int]:
    """The line of play to the end of the round, in which each seat plays the first of its best cards."""
    cards = []
    while not state.over:
        seat = state.to_move
        card, _ = max(memo.moves(state), key=lambda item: merit(item[1], seat))
        cards.append(card)
        state = play(state, card)
    return cards
