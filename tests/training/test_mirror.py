"""The mirror is exact: a round and its image, card by card, are the same to the networks and by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from solver.common import Random
from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.learned import (
    ASIDE,
    GONE,
    HANDS,
    LAID,
    MOST_SEAT,
    POINTS,
    ROUND_WORDS,
    SEAT_INPUTS,
    lay,
    mirrored,
    note_play,
    seat_inputs,
)
from solver.games.kirin.players import (
    BEST,
    DIRECTION,
    FEATURES,
    LEADER,
    PLAY,
    PLAYED,
    STANDARD,
    TABLE_WORDS,
    TRICK,
    legal_cards,
    open_table,
)
from solver.hints.network import Inputs, inputs
from solver.kernels.arrays import Floats, Words
from tests.support.marks import in_python
from training.kirin.full_inputs import FULL_INPUTS, MOST_FULL, full_inputs

pytestmark = [pytest.mark.small, in_python]
RULE = np.array(PLAY)


def _image(cards: int) -> int:
    return sum(1 << mirrored(card) for card in range(CARDS) if cards >> card & 1)


def _mirrored_round(state: Words, table: Words) -> tuple[Words, Words]:
    """The same round with each card's image in its place, under the other order."""
    other, beside = state.copy(), table.copy()
    for word in [*range(HANDS, ASIDE), *range(ASIDE + 4, LAID), GONE]:
        other[word] = _image(int(state[word]))
    for word in [*range(ASIDE, ASIDE + 4), *range(LAID, POINTS)]:
        other[word] = mirrored(int(state[word])) if state[word] >= 0 else -1
    beside[TRICK] = _image(int(table[TRICK]))
    beside[DIRECTION] = 1 - table[DIRECTION]
    for word in (STANDARD, BEST):
        beside[word] = mirrored(int(table[word])) if table[word] >= 0 else -1
    return other, beside


def _dense(found: Inputs, size: int) -> Floats:
    row = np.zeros(size)
    for index in range(found.many[0]):
        row[found.places[index]] += found.values[index]
    return row


def _seen(state: Words, table: Words, belief: Floats) -> tuple[Floats, Floats]:
    seat, full = inputs(MOST_SEAT), inputs(MOST_FULL)
    seat_inputs(state, table, belief, RULE, np.zeros(FEATURES), np.zeros(36), seat)
    full_inputs(state, table, full)
    return _dense(seat, SEAT_INPUTS), _dense(full, FULL_INPUTS)


@pytest.mark.parametrize("seed", range(2))
def test_a_round_and_its_image_are_the_same_all_the_way(seed: int) -> None:
    random = Random(seed)
    deck = list(range(CARDS))
    random.shuffle(deck)
    state, table = np.zeros(ROUND_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64)
    for seat in range(4):
        state[HANDS + seat] = sum(1 << card for card in deck[9 * seat + 1 : 9 * seat + 9])
        state[ASIDE + seat] = deck[9 * seat]
        state[LAID + seat] = -1
    open_table(table, random.below(4), 0)
    belief, image_belief, scratch = np.zeros(16), np.zeros(16), np.zeros(FEATURES)
    turned = 0
    while state[HANDS + ((table[LEADER] + table[PLAYED]) & 3)]:
        image, beside = _mirrored_round(state, table)
        here, there = _seen(state, table, belief), _seen(image, beside, image_belief)
        for one, other in zip(here, there, strict=True):
            assert np.allclose(one, other, atol=1e-6)
        hand = int(state[HANDS + ((table[LEADER] + table[PLAYED]) & 3)])
        legal = legal_cards(hand, table)
        assert legal_cards(_image(hand), beside) == _image(legal)
        cards = [card for card in range(CARDS) if legal >> card & 1]
        card = cards[random.below(len(cards))]
        note_play(state, table, card, RULE, scratch, belief)
        note_play(image, beside, mirrored(card), RULE, scratch, image_belief)
        assert np.allclose(image_belief.reshape(4, 4)[:, ::-1], belief.reshape(4, 4))
        lay(state, table, card)
        lay(image, beside, mirrored(card))
        again, table_again = _mirrored_round(state, table)
        assert (again == image).all()
        assert (table_again == beside).all()
        turned += int(table[DIRECTION])
    assert state[GONE] + sum(1 << int(card) for card in state[ASIDE : ASIDE + 4]) == (1 << CARDS) - 1
    assert turned > 0
