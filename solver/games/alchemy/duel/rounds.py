"""Many rounds of a duel at once, played on by two players who each take what is best in the exchange.

A *world* is one way that the deck may lie. The arrays have a row a world. A match is the set of line cards that it
uses, as bits of their places; set 0 is to decline.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.cards.deck import COPIES, JOKER, KING
from solver.games.alchemy.cards.rules import DUEL_LINE, JOKER_POINTS, duel_min_line

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SETS = 1 << DUEL_LINE
_NO_MATCH = -(1 << 30)
_BITS: Ints = (np.arange(SETS)[:, None] >> np.arange(DUEL_LINE)) & 1  # (sets, places)
_SIZE: Ints = _BITS.sum(axis=1)
_ACES_SET = 6  # what four aces together are worth beside their own points


@dataclass
class Worlds:
    """Rounds in progress.

    `line` (worlds, 6) has ranks, 0 for an empty place; `deck` (worlds, cards) is in draw order, and `place` its
    next card. `hands`, the `aces` collected, and the `jokers` collected and `points` scored from here on have a
    column a player. `table` is how many jokers are set aside, `going` whether the round goes on.
    """

    line: Ints
    hands: Ints
    table: Ints
    deck: Ints
    place: Ints
    aces: Ints
    jokers: Ints
    points: Ints
    going: Flags

    @property
    def count(self) -> int:
        return len(self.line)


def fresh(decks: Ints) -> Worlds:
    """New rounds with these shuffled decks (worlds, cards), the first exchange flipped."""
    count = len(decks)
    empty = np.zeros((count, DUEL_LINE), np.int64)
    pair, none = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
    worlds = Worlds(
        empty, pair, none, decks, none.copy(), pair.copy(), pair.copy(), pair.copy(), np.ones(count, np.bool_)
    )  # fmt: skip
    flip(worlds)
    return worlds


def flip(worlds: Worlds) -> None:
    """Fill the lines and draw both hands; a round for which there are too few cards is over."""
    rows = np.arange(worlds.count)
    last = worlds.deck.shape[1] - 1
    for slot in range(DUEL_LINE):
        while True:
            wanted = worlds.going & (worlds.line[:, slot] == JOKER) & (worlds.place <= last)
            if not wanted.any():
                break
            drawn = worlds.deck[rows, np.minimum(worlds.place, last)]
            worlds.place[wanted] += 1
            worlds.table[wanted & (drawn == JOKER)] += 1
            worlds.line[wanted, slot] = drawn[wanted]
    enough = (worlds.line != JOKER).all(axis=1) & (worlds.place < last)
    worlds.going &= enough
    for player in range(2):
        drawn = worlds.deck[rows, np.minimum(worlds.place, last)] if last >= 0 else worlds.place
        worlds.hands[worlds.going, player] = drawn[worlds.going]
        worlds.place[worlds.going] += 1


def _sums(line: Ints) -> tuple[Ints, Ints]:
    """The sum of each set of the line (worlds, sets), and a word with bit s set where a part of it sums to s."""
    sums, parts = np.zeros((len(line), 1), np.int64), np.ones((len(line), 1), np.int64)
    for place in range(DUEL_LINE):
        rank = line[:, place][:, None]
        sums = np.concatenate([sums, sums + rank], axis=1)
        parts = np.concatenate([parts, parts | parts << rank], axis=1)  # half of all is below bit 40
    return sums, parts


def gains(worlds: Worlds, player: int) -> Ints:
    """What each set of the whole line scores as the player's match (worlds, sets); far below 0 if it is none."""
    line, hand = worlds.line, worlds.hands[:, player]
    sums, parts = _sums(line)
    spare = sums - hand[:, None]  # what the cards beside the hand have, less those against it
    matches = (spare >= 0) & (spare & 1 == 0) & (parts >> np.maximum(spare >> 1, 0) & 1 == 1)
    fewest = np.where(
        hand == JOKER,
        np.where(worlds.table > 0, duel_min_line(JOKER, 1), duel_min_line(JOKER, 0)),
        np.where(worlds.table > 0, duel_min_line(KING, 1), duel_min_line(KING, 0)),
    )
    matches &= fewest[:, None] <= _SIZE
    own = np.where(hand == JOKER, JOKER_POINTS, np.where(hand == KING, 2, 1)) + JOKER_POINTS * worlds.table
    aces = ((line == 1) @ _BITS.T) + (hand == 1)[:, None]
    before = worlds.aces[:, player][:, None]
    scored = _SIZE + ((line == KING) @ _BITS.T) + own[:, None]
    scored += _ACES_SET * ((before < COPIES) & (before + aces >= COPIES))
    scored = np.where(matches, scored, _NO_MATCH)
    scored[:, 0] = 0
    return scored


def replies(worlds: Worlds, theirs: Ints) -> Ints:
    """The most that the other player scores after each set was taken (worlds, sets), of their `gains`."""
    most = theirs.reshape(-1, *(2,) * DUEL_LINE).copy()
    for axis in range(1, DUEL_LINE + 1):
        lower, upper = np.take(most, 0, axis), np.take(most, 1, axis)
        most = np.stack([lower, np.maximum(lower, upper)], axis)
    left = most.reshape(-1, SETS)[:, ::-1].copy()  # of the sets within what is left
    left[worlds.table > 0, 1:] = 0  # with jokers set aside a match discards the rest of the line
    return left


def exchange(worlds: Worlds, first: int, grabbed: Ints | None = None, answer: Ints | None = None) -> None:
    """Play one exchange in the rounds that go on, and flip the next cards.

    `grabbed` (worlds,) is what the player who is first takes, by default the best for the exchange; `answer` what
    the other takes then, by default the best that is left.
    """
    rows, second = np.arange(worlds.count), 1 - first
    mine, theirs = gains(worlds, first), gains(worlds, second)
    if grabbed is None:
        grabbed = np.argmax(mine - replies(worlds, theirs), axis=1)
    if answer is None:
        free = (np.arange(SETS) & grabbed[:, None]) == 0
        free &= (np.arange(SETS) == 0) | (worlds.table == 0)[:, None] | (grabbed == 0)[:, None]
        answer = np.argmax(np.where(free, theirs, _NO_MATCH), axis=1)
    taken = np.zeros((worlds.count, DUEL_LINE), np.bool_)
    for player, used, scored in ((first, grabbed, mine), (second, answer, theirs)):
        places = _BITS[used] == 1
        goes = worlds.going & (used > 0)
        worlds.points[goes, player] += scored[rows, used][goes]
        ones = ((worlds.line == 1) & places).sum(axis=1) + (worlds.hands[:, player] == 1)
        worlds.aces[goes, player] += ones[goes]
        worlds.jokers[goes, player] += (worlds.table + (worlds.hands[:, player] == JOKER))[goes]
        taken |= places
    taken |= (worlds.table > 0)[:, None]
    worlds.line[taken & worlds.going[:, None]] = JOKER
    worlds.table[worlds.going] = 0
    flip(worlds)


def play_out(worlds: Worlds, first: int) -> None:
    """Play all rounds to their ends, the players taking turns at grabbing first."""
    while worlds.going.any():
        exchange(worlds, first)
        first = 1 - first
