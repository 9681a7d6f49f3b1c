"""Precomputed tables of all lines of a variant, used by every solitaire kernel.

A *line* is a multiset of up to `cap` ranks, numbered by size and then in colexicographic order of its ascending
ranks. Ranks count from 0 here.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.rules import Variant
from solver.kernels.jit import kernel
from solver.kernels.rng import shuffle, start_stream

LONGEST = 6


class Lines(NamedTuple):
    """The tables of a variant with M lines, R ranks and T turn outcomes.

    `digits` (M, 6) holds each line's ascending ranks, -1 beyond its `size` (M,). `offset` (8,) is the first line
    of each size. `insert` (M * R,) is the line with one more card, -1 if it would be too long.

    A turn with line t and drawn card r can leave the lines ``outcome[start[t * R + r] : start[t * R + r + 1]]``,
    where z >= 0 is the line left by a match (matches of more cards come first), and ``~z`` the line left by a
    discard if there is no match. `start` is (M * R + 1,), `outcome` (T,). Only lines of at least `shortest` cards,
    the shortest playable length, have outcomes. `meets` (M,) has bit r set if the whole line together with card r
    is a match.
    """

    ranks: int
    shortest: int
    cap: int
    digits: NDArray[np.int8]
    size: NDArray[np.int8]
    offset: NDArray[np.int64]
    insert: NDArray[np.int16]
    start: NDArray[np.int32]
    outcome: NDArray[np.int16]
    meets: NDArray[np.int16]

    def number(self, ranks: tuple[int, ...]) -> int:
        """Return the index, in these tables, of the line with the given ranks (1 to 13, in any order)."""
        line = 0
        for rank in ranks:
            line = int(self.insert[line * self.ranks + rank - 1])
        return line


@kernel
def _binomials(size: int) -> NDArray[np.int64]:
    table = np.zeros((size, LONGEST + 2), np.int64)
    for n in range(size):
        table[n, 0] = 1
        for k in range(1, LONGEST + 2):
            table[n, k] = 0 if n == 0 else table[n - 1, k - 1] + table[n - 1, k]
    return table


@kernel
def _build_lines(
    ranks: int, cap: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64], NDArray[np.int16]]:
    choose = _binomials(ranks + LONGEST + 1)
    offset = np.zeros(LONGEST + 2, np.int64)
    for length in range(cap + 1):
        offset[length + 1] = offset[length] + choose[ranks + length - 1, length]
    for length in range(cap + 1, LONGEST + 1):
        offset[length + 1] = offset[length]
    count = offset[cap + 1]
    digits = np.full((count, LONGEST), -1, np.int8)
    size = np.zeros(count, np.int8)
    insert = np.full(count * ranks, -1, np.int16)
    line = np.zeros(LONGEST + 1, np.int64)
    for index in range(count):
        length = 0
        while offset[length + 1] <= index:
            length += 1
        size[index] = length
        rest = index - int(offset[length])
        for slot in range(length - 1, -1, -1):
            rank = ranks - 1
            while choose[rank + slot, slot + 1] > rest:
                rank -= 1
            digits[index, slot] = rank
            rest -= int(choose[rank + slot, slot + 1])
        if length == cap:
            continue
        for rank in range(ranks):
            slot = length
            for other in range(length):
                line[other] = digits[index, other]
            while slot > 0 and line[slot - 1] > rank:
                line[slot] = line[slot - 1]
                slot -= 1
            line[slot] = rank
            number = int(offset[length + 1])
            for other in range(length + 1):
                number += int(choose[line[other] + other, other + 1])
            insert[index * ranks + rank] = number
    return digits, size, offset, insert


@kernel
def _hands_met(ranks: int, digits: NDArray[np.int8], size: NDArray[np.int8]) -> NDArray[np.int16]:
    """Return, for each line, which drawn cards match the whole line: bit r is set for a card of rank r + 1."""
    meets = np.zeros(len(size), np.int16)
    for index in range(len(size)):
        total = 0
        sums = np.int64(1)  # bit s: a part sums to s; half the sum of all cards is below bit 46
        for slot in range(size[index]):
            rank = int(digits[index, slot]) + 1
            total += rank
            sums |= sums << rank
        for hand in range(1, ranks + 1):
            if (total + hand) % 2 == 0 and hand <= total and (sums >> ((total - hand) // 2)) & 1:
                meets[index] |= np.int16(1 << (hand - 1))
    return meets


@kernel
def _parts(
    index: int,
    ranks: int,
    digits: NDArray[np.int8],
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    used: NDArray[np.int16],
    left: NDArray[np.int16],
) -> int:
    """List the distinct ways to take cards from a line; return how many there are.

    For each way, the cards taken and those left are written to `used` and `left`, each as the index of a line.
    """
    count = 0
    length = size[index]
    for mask in range(1 << length):
        taken = 0
        rest = 0
        ok = True
        for slot in range(length):
            rank = int(digits[index, slot])
            if (mask >> slot) & 1:
                # Of equal cards, the first ones are taken.
                if slot > 0 and digits[index, slot - 1] == rank and not (mask >> (slot - 1)) & 1:
                    ok = False
                    break
                taken = int(insert[taken * ranks + rank])
            else:
                rest = int(insert[rest * ranks + rank])
        if ok:
            used[count] = taken
            left[count] = rest
            count += 1
    return count


@kernel
def _build_outcomes(
    ranks: int,
    shortest: int,
    fewest: int,
    digits: NDArray[np.int8],
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    meets: NDArray[np.int16],
) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    lines = len(size)
    start = np.zeros(lines * ranks + 1, np.int32)
    used = np.zeros(1 << LONGEST, np.int16)
    left = np.zeros(1 << LONGEST, np.int16)
    outcome = np.zeros(1 << 16, np.int16)
    total = 0
    for index in range(lines):
        length = size[index]
        count = _parts(index, ranks, digits, size, insert, used, left) if length >= shortest else 0
        for hand in range(ranks):
            if total + (1 << LONGEST) > len(outcome):
                grown = np.zeros(2 * len(outcome), np.int16)
                for entry in range(total):  # no array assignment: Numba compiles its error message for 2 s
                    grown[entry] = outcome[entry]
                outcome = grown
            begin = total
            for taking in range(length, fewest - 1, -1):
                for part in range(count):
                    if size[used[part]] == taking and (meets[used[part]] >> hand) & 1:
                        outcome[total] = left[part]
                        total += 1
            if total == begin:
                for part in range(count):
                    if size[used[part]] == 1:
                        outcome[total] = ~left[part]
                        total += 1
            start[index * ranks + hand + 1] = total
    return start, outcome[:total].copy()


@cache
def lines(rules: Variant) -> Lines:
    """Return the tables of a variant; built on first use (tens of milliseconds), then shared."""
    digits, size, offset, insert = _build_lines(rules.ranks, rules.cap)
    meets = _hands_met(rules.ranks, digits, size)
    start, outcome = _build_outcomes(rules.ranks, rules.shortest, rules.min_line, digits, size, insert, meets)
    return Lines(rules.ranks, rules.shortest, rules.cap, digits, size, offset, insert, start, outcome, meets)


# ----------------------------------------------------------------------------------------------------
# Shuffled stocks by number, for kernels.


@kernel
def deal_worlds(cards: NDArray[np.int8], seed: int, first: int, count: int) -> NDArray[np.int8]:
    """Return shuffled stocks (count, cards): those with the numbers `first` to `first + count - 1` of a seed.

    The last card of a row is drawn first.
    """
    worlds = np.zeros((count, len(cards)), np.int8)
    state = np.zeros(1, np.int64)
    for world in range(count):
        start_stream(state, seed, first + world)
        for index in range(len(cards)):
            worlds[world, index] = cards[index]
        shuffle(state, worlds[world])
    return worlds
