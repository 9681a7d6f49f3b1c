"""The transposition table: bounds on a node's points, its best move, and proof numbers of one question.

An entry is two words, key and data; four entries, one cache line, make a bucket. The key word holds the whole
node (`KEY_BITS`) and the low bits of the deal's generation, the data word the rest of the generation: so an
entry is never believed in another deal, and nothing needs clearing.

The many nodes with hardly a trick left have a part of their own, in front. Of the rest a deal begins with a part
that the processor's own caches serve better than the whole, and uses more as that fills.

Data, from bit 0: lower, upper, need (`POINT_BITS` each); best move + 1 (6); proof number, disproof number
(`PROOF_BITS` each, of the question `need`); generation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver.kernels.template import Instances
from solver.kernels.words import Words, wrapping_product
from solver.search.tricks.score_vocabulary import KEY_BITS, POINT_BITS
from solver.search.tricks.words import GENERATION, SPLIT, STORED, TABLE_WORDS

ENTRY = 2  # words
BUCKET = 8  # words
WORD_BITS = 63  # of a word that is not negative
MOVE_BITS = 6
NEAR_WORDS = 1 << 15
FIRST_WORDS = 1 << 18  # of a table, for a new deal
_FEWEST = 1 << 14  # entries
ROOM = 4  # a part is wide enough for one entry in so many places
PROOF_BITS = 15
MOST_PROOF = (1 << PROOF_BITS) - 1


def data_bits(point_bits: int) -> int:
    """The bits of a data word below the generation."""
    return 3 * point_bits + MOVE_BITS + 2 * PROOF_BITS


def generations(point_bits: int, key_bits: int) -> int:
    """How many deals can be told apart before the table must be cleared."""
    return 1 << max(0, 2 * WORD_BITS - key_bits - data_bits(point_bits))


def sizes(megabytes: int) -> list[int]:
    """The sizes in words that a table may have, the largest first: a power of two of entries, and the near ones.

    Buckets lie on cache lines if the table begins on one.
    """
    slots = 1 << ((megabytes << 20) // (8 * ENTRY)).bit_length() - 1
    return [NEAR_WORDS + (slots >> part) * ENTRY for part in range(slots.bit_length()) if slots >> part >= _FEWEST]


@dataclass(frozen=True)
class ScoreTable:
    """The table's kernels, instantiated for one game; the templates below say what each does.

    `score_table` makes it. A game's own kernels may use them, on the table of the search, for nodes with keys of
    their own: `names` has all of them as globals for templates.
    """

    bucket_of: Callable[[Words, int], int]
    find: Callable[[Words, Words, int, int], int]
    put: Callable[[Words, Words, int, int, int], None]
    widen: Callable[[Words, Words], None]
    names: dict[str, Any]


def score_table(game: str, key_bits: int, point_bits: int) -> ScoreTable:
    """Instantiate the table for one game. Compiles nothing yet."""
    made = Instances(game, {"KEY_BITS": key_bits, "POINT_BITS": point_bits})
    place = made.of(bucket_of)
    made.of(near_bucket)
    made.of(key_word)
    found = made.of(find)
    entered = made.of(put)
    widened = made.of(widen)
    made.of(bounded)
    made.of(remember)
    return ScoreTable(place, found, entered, widened, made.names)


# Templates from here on.


def bucket_of(deal: Words, node: int) -> int:
    """The word index of the bucket of a key. High bits of the product depend on the whole key."""
    mixed = wrapping_product(node ^ (node >> 32), 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    place = (mixed >> 36) * BUCKET
    bucket = place & (deal[TABLE_WORDS] - 1)
    if bucket < deal[SPLIT]:
        bucket = place & (2 * deal[TABLE_WORDS] - 1)
    return NEAR_WORDS + int(bucket)


def near_bucket(deal: Words, node: int, left: int) -> int:
    """The same for a boundary with `left` tricks: the many small ones have a part that stays in the cache."""
    bucket = bucket_of(deal, node)
    return bucket & (NEAR_WORDS - 1) if left <= 2 else bucket


def key_word(deal: Words, node: int) -> int:
    return int(node | ((deal[GENERATION] & ((1 << (63 - KEY_BITS)) - 1)) << KEY_BITS))


def find(deal: Words, table: Words, node: int, bucket: int) -> int:
    """The data word of a node, -1 when there is none."""
    word = key_word(deal, node)
    stamp = deal[GENERATION] >> (63 - KEY_BITS)
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == word:
            data = table[entry + 1]
            if data >> (3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS) == stamp:
                return int(data)
    return -1


def put(deal: Words, table: Words, node: int, bucket: int, data: int) -> None:
    """Write the data of a node (without the stamp): over its old ones, a stale entry, or an unlucky one.

    Which entry is unlucky depends on keys alone, so that what a search does never depends on what was searched
    before it.
    """
    word = key_word(deal, node)
    stamp = deal[GENERATION] >> (63 - KEY_BITS)
    victim = bucket
    luck = 1 << 62  # of the victim; negative for a stale entry
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == word:
            victim = entry
            luck = 0
            break
        if luck >= 0:
            resident = int(table[entry] & ((1 << KEY_BITS) - 1))
            mixed = int(wrapping_product(resident, 0x1E3779B97F4A7C15)) & 0x3FFFFFFFFFFFFFFF
            if (
                table[entry] >> KEY_BITS != word >> KEY_BITS
                or table[entry + 1] >> (3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS) != stamp
            ):
                mixed = -1
            if mixed < luck:
                luck = mixed
                victim = entry
    if luck < 0:
        deal[STORED] += 1
    table[victim] = word
    table[victim + 1] = data | (stamp << (3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS))


def widen(deal: Words, table: Words) -> None:
    """Use more of the table while what is in use is too full: one bucket after another becomes two.

    So no widening takes long, however large the table is (Litwin 1980: linear hashing).
    """
    stamp = deal[GENERATION] >> (63 - KEY_BITS)
    shift = 3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS
    while (
        deal[STORED] * (ROOM * ENTRY) > deal[TABLE_WORDS] + deal[SPLIT]
        and deal[TABLE_WORDS] < len(table) - NEAR_WORDS
    ):
        bucket = NEAR_WORDS + deal[SPLIT]
        deal[SPLIT] += BUCKET
        for entry in range(bucket, bucket + BUCKET, ENTRY):
            node = int(table[entry] & ((1 << KEY_BITS) - 1))
            data = table[entry + 1]
            if table[entry] == key_word(deal, node) and data >> shift == stamp:
                place = bucket_of(deal, node)
                if place != bucket:
                    table[entry] = 0
                    deal[STORED] -= 1
                    put(deal, table, node, place, data - (stamp << shift))
        if deal[SPLIT] == deal[TABLE_WORDS]:
            deal[TABLE_WORDS] *= 2
            deal[SPLIT] = 0


def bounded(data: int, need: int) -> int:
    """What an entry's bounds say of a question: 1 yes, 0 no, -1 nothing."""
    if data & ((1 << POINT_BITS) - 1) >= need:
        return 1
    if (data >> POINT_BITS) & ((1 << POINT_BITS) - 1) < need:
        return 0
    return -1


def remember(deal: Words, table: Words, node: int, bucket: int, need: int, answer: int, move: int) -> None:
    """Tighten a node's bounds by an answer, and keep the move that showed it (-1: none)."""
    data = find(deal, table, node, bucket)
    if data < 0:
        data = ((1 << POINT_BITS) - 1) << POINT_BITS
    lower = data & ((1 << POINT_BITS) - 1)
    upper = (data >> POINT_BITS) & ((1 << POINT_BITS) - 1)
    if answer == 1:
        lower = max(lower, need)
    else:
        upper = min(upper, need - 1)
    if move < 0:
        move = ((data >> (3 * POINT_BITS)) & ((1 << MOVE_BITS) - 1)) - 1
    put(deal, table, node, bucket, lower | (upper << POINT_BITS) | ((move + 1) << (3 * POINT_BITS)))
