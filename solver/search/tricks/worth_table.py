"""A transposition table for nodes that need two words: bounds on a node's worth, and its best move.

The second word is a set, and of two nodes that differ by it alone the one with more in its set is worth at least
as much. So nodes with the same first word share a bucket, and their bounds serve one another.

An entry is four words: two of the key, the bounds with the move, and the generation, so that an entry is never
believed in another question and nothing needs clearing. The worth of a node is counted from what its key leaves
out (an *offset* that the game names), so that nodes which differ by that alone share an entry.
"""

from __future__ import annotations

from solver.kernels.jit import inlined
from solver.kernels.words import Words, wrapping_product
from solver.search.tricks.fail_soft_vocabulary import MOST_WORTH
from solver.search.tricks.words import GENERATION

ENTRY = 4  # words
BUCKET = 4 * ENTRY
WORTH_BITS = MOST_WORTH.bit_length()
MOVE_BITS = 8
EXACT = 1 << MOVE_BITS  # above any move
NEAR_WORDS = 1 << 18
_FEWEST_WORDS = 1 << 15


def sizes(megabytes: int) -> list[int]:
    """The sizes in words that a table may have, the largest first: powers of two.

    Buckets lie on cache lines if the table begins on one.
    """
    words = 1 << (megabytes << 17).bit_length() - 1
    return [words >> part for part in range(words.bit_length()) if words >> part >= _FEWEST_WORDS]


@inlined
def packed(lower: int, upper: int, move: int) -> int:
    """The data word of an entry; `move` is -1 for none."""
    return int(lower | (upper << WORTH_BITS) | ((move + 1) << (2 * WORTH_BITS)))


@inlined
def lower_of(data: int) -> int:
    return data & MOST_WORTH


@inlined
def upper_of(data: int) -> int:
    return (data >> WORTH_BITS) & MOST_WORTH


@inlined
def move_of(data: int) -> int:
    return (data >> (2 * WORTH_BITS)) - 1


@inlined
def wide_bucket(key: int, table: Words, left: int) -> int:
    """The word index of a bucket. The many nodes with few tricks left share a part that stays cached."""
    mixed = wrapping_product(key, 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    mixed = wrapping_product(mixed ^ (mixed >> 29), 0x1B03738712FAD5C9) & 0x7FFFFFFFFFFFFFFF
    part = len(table)
    if left <= 3:
        part = min(part, NEAR_WORDS if left <= 2 else 8 * NEAR_WORDS)
    return int(((mixed >> 20) * BUCKET) & (part - 1))


@inlined
def recall(
    deal: Words, table: Words, bucket: int, key: Words, at: int, out: Words, to: int, offset: int, related: bool
) -> int:
    """Tighten the bounds in `out` at `to` and `to` + 1 by what is known of the node whose key is in `key` at `at`.

    Returns its best move, -1 for none, plus `EXACT` when the node itself is known. If not, and `related`, the
    bounds and the move are those of nodes with the same first word that must be worth less or more.
    """
    first = key[at]
    second = key[at + 1]
    move = -1
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == first and table[entry + 3] == deal[GENERATION]:
            other = table[entry + 1]
            data = table[entry + 2]
            if other == second:
                out[to] = max(out[to], lower_of(data) + offset)
                out[to + 1] = min(out[to + 1], upper_of(data) + offset)
                return int(EXACT + move_of(data))
            if related:
                if move < 0:
                    move = move_of(data)
                if other & ~second == 0:
                    out[to] = max(out[to], lower_of(data) + offset)
                if second & ~other == 0:
                    out[to + 1] = min(out[to + 1], upper_of(data) + offset)
    return int(move)


@inlined
def put_wide(deal: Words, table: Words, bucket: int, first: int, second: int, data: int) -> None:
    """Write a node's data as the bucket's first entry; the others move on, and its own old one or the last goes.

    So the oldest goes, which depends on nothing that was searched for another question: their entries are as
    good as empty.
    """
    entry = bucket
    while entry < bucket + BUCKET - ENTRY:
        if table[entry] == first and table[entry + 1] == second and table[entry + 3] == deal[GENERATION]:
            break
        entry += ENTRY
    for word in range(entry + ENTRY - 1, bucket + ENTRY - 1, -1):
        table[word] = table[word - ENTRY]
    table[bucket] = first
    table[bucket + 1] = second
    table[bucket + 2] = data
    table[bucket + 3] = deal[GENERATION]
