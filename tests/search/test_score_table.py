"""The trick search's table: what was put there is found, also after more of it came into use."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solver.games.kirin import fast_rules
from solver.games.kirin import search as kirin_search
from solver.games.kirin.rules import NOTHING, Order, State
from solver.kernels.words import Words
from solver.search import trick_rules
from solver.search.trick_rules import BUCKET, ENTRY, GENERATION, NEAR_WORDS, SPLIT, STORED, TABLE_WORDS

WORDS = 1 << 17


def words_of_a_deal(generation: int) -> Words:
    deal = kirin_search.search_words(State(Order(), NOTHING, 0, (), NOTHING), 0, 0, allies=False)
    deal[GENERATION] = generation
    deal[TABLE_WORDS] = WORDS >> 2
    return deal


@pytest.mark.small
def test_entries_are_found_after_the_table_has_widened() -> None:
    """Those of this deal are, far and near; those of another deal are not."""
    rng = random.Random(1)
    search = kirin_search.search().table
    remember, near_bucket = search.names["remember"], search.names["near_bucket"]
    table = np.zeros(NEAR_WORDS + WORDS, np.int64)
    deal, other = words_of_a_deal(700), words_of_a_deal(699)
    many = (WORDS >> 2) // ENTRY // trick_rules.ROOM
    keys = rng.sample(range(1, 1 << fast_rules.KEY_BITS), 2 * many)
    far, near = keys[: 3 * many // 2], keys[3 * many // 2 :]
    for key in far[many:]:
        remember(other, table, key, search.bucket_of(other, key), 2, 0, -1)
    for key in far[:many]:
        remember(deal, table, key, search.bucket_of(deal, key), 3, 1, -1)
    search.widen(deal, table)
    assert (deal[TABLE_WORDS], deal[SPLIT]) == (WORDS >> 2, 0)
    for key in near:
        remember(deal, table, key, near_bucket(deal, key, 2), 1, 1, -1)

    def found() -> tuple[list[int], list[int]]:
        return (
            [key for key in far if search.find(deal, table, key, search.bucket_of(deal, key)) >= 0],
            [key for key in near if search.find(deal, table, key, near_bucket(deal, key, 2)) >= 0],
        )

    before = found()
    assert len(before[0]) > 0.9 * many
    assert len(before[1]) > 0.9 * min(len(near), NEAR_WORDS // ENTRY)
    assert not set(before[0]) & set(far[many:])
    assert deal[STORED] >= len(before[0]) + len(before[1]) > many
    search.widen(deal, table)
    assert (WORDS >> 2) + deal[SPLIT] >= deal[STORED] * ENTRY * trick_rules.ROOM > (WORDS >> 2) + BUCKET
    split = found()
    assert before[1] == split[1]
    assert len(set(before[0]) - set(split[0])) < 0.01 * many
    deal[STORED] *= 4
    search.widen(deal, table)
    assert (deal[TABLE_WORDS], deal[SPLIT]) == (WORDS, 0)
    after = found()
    assert before[1] == after[1]
    assert len(set(before[0]) - set(after[0])) < 0.01 * many
    assert len({search.bucket_of(deal, key) // BUCKET for key in after[0]}) > many // 2


@pytest.mark.small
@pytest.mark.parametrize("shift", [0, 20, fast_rules.KEY_BITS - 11])
def test_keys_that_differ_in_a_few_bits_are_far_from_one_another(shift: int) -> None:
    """As the nodes do that have the same cards: their leader, direction and what is forgotten are high bits."""
    search = kirin_search.search().table
    deal = words_of_a_deal(1)
    rest = random.Random(shift).getrandbits(fast_rules.KEY_BITS) & ~(1023 << shift)
    buckets = {search.bucket_of(deal, rest | (bits << shift)) for bits in range(1024)}
    assert len(buckets) > 700
