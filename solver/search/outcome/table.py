"""The transposition table of the proof-number search: two words of key, one of data.

Nodes of a climbing game do not fit one word, so the table keeps a digest of 112 bits, which the game makes with
a mixer that scatters every bit of the node (`solver.kernels.rng.mix`): of a billion nodes any two share it with a
chance of about 1 in 10**16. The rest of the second word is the generation, a number for each question's deal: an
entry is never believed in another deal, and nothing needs clearing.

Data, from bit 0: proof number, disproof number (`NUMBER_BITS` each), the work below the node (its logarithm, 6).
A full window of entries gives up the one with the least work below it. Which one that is depends on this deal's
entries alone, so what a search does never depends on what was searched before it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kernels.arrays import Words
from solver.kernels.bits import highest_one
from solver.search.outcome.vocabulary import GENERATION, NUMBER_BITS

ENTRY = 3  # words
WINDOW = 4  # entries that a node may be in
DIGEST_BITS = 48  # of the second key word
GENERATIONS = 1 << 15


def empty_table(megabytes: int) -> NDArray[np.int64]:
    """A zeroed table of at most so many megabytes."""
    return np.zeros((megabytes << 20) // 8 // ENTRY * ENTRY, np.int64)


# Templates from here on.


def slot_of(first: int, table: Words) -> int:
    """The word index of the window of a node, by the first word of its key."""
    slots = len(table) // ENTRY - WINDOW + 1
    return int(((first & 0x7FFFFFFF) * slots >> 31) * ENTRY)


def find(deal: Words, table: Words, first: int, second: int) -> int:
    """The data word of a node, -1 when there is none."""
    word = (second & ((1 << DIGEST_BITS) - 1)) | (deal[GENERATION] << DIGEST_BITS)
    slot = slot_of(first, table)
    for entry in range(slot, slot + WINDOW * ENTRY, ENTRY):
        if table[entry] == first and table[entry + 1] == word:
            return int(table[entry + 2])
    return -1


def keep(deal: Words, table: Words, first: int, second: int, proof: int, disproof: int, work: int) -> None:
    """Write the numbers of a node: over its old ones, a stale entry, or the one with the least work."""
    word = (second & ((1 << DIGEST_BITS) - 1)) | (deal[GENERATION] << DIGEST_BITS)
    slot = slot_of(first, table)
    victim = slot
    least = 1 << 62
    size = highest_one(work + 1)
    for entry in range(slot, slot + WINDOW * ENTRY, ENTRY):
        if table[entry] == first and table[entry + 1] == word:
            victim = entry
            size = max(size, table[entry + 2] >> (2 * NUMBER_BITS))
            break
        value = -1
        if table[entry + 1] >> DIGEST_BITS == deal[GENERATION]:
            value = table[entry + 2] >> (2 * NUMBER_BITS)
        if value < least:
            least = value
            victim = entry
    table[victim] = first
    table[victim + 1] = word
    table[victim + 2] = proof | (disproof << NUMBER_BITS) | (size << (2 * NUMBER_BITS))
