"""A transposition table for nodes that need two words: bounds on a node's worth, and its best move.

An entry is four words: two of the key, the bounds with the move, and the generation, so that an entry is never
believed in another question and nothing needs clearing. Two entries make a bucket, one cache line. The worth of
a node is counted from what its key leaves out (an *offset* that the game names), so that nodes which differ by
that alone share an entry.
"""

from __future__ import annotations

import mmap

import numpy as np
from numpy.typing import NDArray

from solver.search.jit import inlined
from solver.search.trick import GENERATION, Words

ENTRY = 4  # words
BUCKET = 8  # words
WORTH_BITS = 27
MOST_WORTH = (1 << WORTH_BITS) - 1
MOVE_BITS = 8
NEAR_WORDS = 1 << 16


def aligned_table(megabytes: int) -> NDArray[np.int64]:
    """A zeroed table of a power of two of words, at most this large, buckets on cache lines."""
    words = 1 << ((megabytes << 17).bit_length() - 1)
    memory = mmap.mmap(-1, 8 * words)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)  # fewer misses of the address cache: a probe is one miss, not two
    return np.frombuffer(memory, np.int64)


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
def wide_bucket(key0: int, key1: int, table: Words, left: int) -> int:
    """The word index of a key's bucket. The many nodes with few tricks left share a part that stays in the cache."""
    mixed = ((int(key0) ^ (int(key1) * 0x2545F4914F6CDD1D)) * 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 29)) * 0x1B03738712FAD5C9) & 0x7FFFFFFFFFFFFFFF
    part = len(table)
    if left <= 3:
        part = min(part, NEAR_WORDS if left <= 2 else 8 * NEAR_WORDS)
    return int(((mixed >> 20) * BUCKET) & (part - 1))


@inlined
def find_wide(deal: Words, table: Words, key0: int, key1: int, bucket: int) -> int:
    """The data word of a node, -1 when there is none."""
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == key0 and table[entry + 1] == key1 and table[entry + 3] == deal[GENERATION]:
            return int(table[entry + 2])
    return -1


@inlined
def put_wide(deal: Words, table: Words, key0: int, key1: int, bucket: int, data: int) -> None:
    """Write a node's data: over its old ones, else into the first entry, whose own moves to the second.

    So the older of two goes, which depends on nothing that was searched for another question: their entries
    are as good as empty.
    """
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == key0 and table[entry + 1] == key1 and table[entry + 3] == deal[GENERATION]:
            table[entry + 2] = data
            return
    for word in range(bucket, bucket + ENTRY):
        table[word + ENTRY] = table[word]
    table[bucket] = key0
    table[bucket + 1] = key1
    table[bucket + 2] = data
    table[bucket + 3] = deal[GENERATION]
