"""The transposition table of the proof-number search: two words of key, one of data.

Nodes of a climbing game do not fit one word, so the table keeps a digest of 112 bits, which the game makes with
a mixer that scatters every bit of the node (`solver.kernels.rng.mix`): of a billion nodes any two share it with a
chance of about 1 in 10**16. The rest of the second word is the generation, a number for each question's deal: an
entry is never believed in another deal, and nothing needs clearing.

Five entries, two cache lines, make a bucket. A deal begins with a part of the table that the processor's own
caches serve better than the whole, and uses more as that fills, so memory that a question does not need is never
touched.

Data, from bit 0: proof number, disproof number (`NUMBER_BITS` each), the work below the node (its logarithm, 6).
A full bucket gives up the entry with the least work below it. Which one that is depends on this deal's entries
alone, so what a search does never depends on what was searched before it.
"""

from __future__ import annotations

from solver.kernels.words import Words, highest_one
from solver.search.outcome.vocabulary import GENERATION, NUMBER_BITS, SPLIT, STORED, TABLE_WORDS

ENTRY = 3  # words
BUCKET = 16  # words
ENTRIES = 5 * ENTRY  # words of a bucket that hold entries
FIRST_WORDS = 1 << 18  # of a table, for a new deal
ROOM = 4  # a part is wide enough for one entry in so many places
DIGEST_BITS = 48  # of the second key word
GENERATIONS = 1 << 15
_FEWEST_WORDS = 1 << 15


def sizes(megabytes: int) -> list[int]:
    """The sizes in words that a table may have, the largest first: powers of two.

    Buckets lie on cache lines if the table begins on one.
    """
    words = 1 << (megabytes << 17).bit_length() - 1
    return [words >> part for part in range(words.bit_length()) if words >> part >= _FEWEST_WORDS]


# Templates from here on.


def bucket_of(deal: Words, first: int) -> int:
    """The word index of the bucket of a node, by the first word of its key."""
    place = (first & 0x00FFFFFFFFFFFFFF) * BUCKET  # as many bits of the key as cannot overflow
    bucket = place & (deal[TABLE_WORDS] - 1)
    if bucket < deal[SPLIT]:
        bucket = place & (2 * deal[TABLE_WORDS] - 1)
    return int(bucket)


def find(deal: Words, table: Words, first: int, second: int) -> int:
    """The data word of a node, -1 when there is none."""
    word = (second & ((1 << DIGEST_BITS) - 1)) | (deal[GENERATION] << DIGEST_BITS)
    bucket = bucket_of(deal, first)
    for entry in range(bucket, bucket + ENTRIES, ENTRY):
        if table[entry] == first and table[entry + 1] == word:
            return int(table[entry + 2])
    return -1


def keep(deal: Words, table: Words, first: int, second: int, proof: int, disproof: int, work: int) -> None:
    """Write the numbers of a node: over its old ones, a stale entry, or the one with the least work."""
    word = (second & ((1 << DIGEST_BITS) - 1)) | (deal[GENERATION] << DIGEST_BITS)
    bucket = bucket_of(deal, first)
    victim = bucket
    least = 1 << 62
    size = highest_one(work + 1)
    for entry in range(bucket, bucket + ENTRIES, ENTRY):
        if table[entry] == first and table[entry + 1] == word:
            victim = entry
            least = 0
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
    if least < 0:
        deal[STORED] += 1
        widen(deal, table)


def widen(deal: Words, table: Words) -> None:
    """Use more of the table while what is in use is too full: one bucket after another becomes two.

    So no widening takes long, however large the table is (Litwin 1980: linear hashing).
    """
    while deal[STORED] * (ROOM * ENTRY) > deal[TABLE_WORDS] + deal[SPLIT] and deal[TABLE_WORDS] < len(table):
        bucket = int(deal[SPLIT])
        deal[SPLIT] += BUCKET
        for entry in range(bucket, bucket + ENTRIES, ENTRY):
            # In the new bucket nothing is of this deal yet, so each entry that goes there finds its place free.
            if table[entry + 1] >> DIGEST_BITS == deal[GENERATION]:
                moved = bucket_of(deal, table[entry]) - bucket
                if moved != 0:
                    for at in range(entry, entry + ENTRY):
                        table[moved + at] = table[at]
                        table[at] = 0
        if deal[SPLIT] == deal[TABLE_WORDS]:
            deal[TABLE_WORDS] *= 2
            deal[SPLIT] = 0
