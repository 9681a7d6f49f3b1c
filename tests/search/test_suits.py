"""What games of suits state in a line, against plain Python on small random deals."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from solver.kernels.words import Words
from solver.search.suits import relative, room, sure_tricks

pytestmark = pytest.mark.small

SUITS, HANDS = 1, 6  # indexes in a deal: five suits, of which the last is empty, then the hands


def dealt(random: Random, lengths: list[int], hands: int) -> tuple[Words, list[list[int]], list[int]]:
    """A deal of suits of these lengths: its words, each suit from low to high, and who holds each card."""
    cards = iter(range(sum(lengths)))
    suits = [[next(cards) for _ in range(length)] for length in lengths]
    holders = [number % hands for number in range(sum(lengths))]
    random.shuffle(holders)
    words = [sum(1 << card for card in suit) for suit in suits]
    held = [sum(1 << card for card, owner in enumerate(holders) if owner == hand) for hand in range(hands)]
    deal = [0, *words, *([0] * (HANDS - SUITS - len(suits))), *held, *([0] * room(lengths))]
    return np.array(deal, np.int64), suits, holders


def test_sets_of_cards_that_lie_alike_are_the_same() -> None:
    random = Random(1)
    for _ in range(60):
        deal, suits, holders = dealt(random, [random.randint(1, 4) for _ in range(random.randint(1, 4))], 4)
        lies: dict[int, list[list[int]]] = {}
        for _ in range(60):
            live = random.getrandbits(len(holders))
            key = relative(deal, live, SUITS, HANDS, HANDS + 4)
            for cards in (live, key):
                order = [[holders[card] for card in suit if cards >> card & 1] for suit in suits]
                assert lies.setdefault(key, order) == order
            assert relative(deal, key, SUITS, HANDS, HANDS + 4) == key <= live
        assert len(set(map(str, lies.values()))) == len(lies)


def most(suits: list[list[int]], holders: list[int], trump: int, live: int, leader: int) -> int:
    """How many tricks the leader's side wins at best, by trying every card."""
    suit_of = {card: number for number, suit in enumerate(suits) for card in suit}

    @cache
    def value(live: int, first: int, played: tuple[int, ...]) -> int:
        if not live and not played:
            return 0
        seat = (first + len(played)) % 4
        hand = [card for card, owner in enumerate(holders) if owner == seat and live >> card & 1]
        hand = [card for card in hand if played and suit_of[card] == suit_of[played[0]]] or hand
        values = []
        for card in hand:
            trick = (*played, card)
            if len(trick) < 4:
                values.append(value(live & ~(1 << card), first, trick))
                continue
            best = max(trick, key=lambda one: (suit_of[one] == trump, suit_of[one] == suit_of[trick[0]], one))
            won = (holders[best] - leader) % 2 == 0
            values.append(won + value(live & ~(1 << card), holders[best], ()))
        return max(values) if (seat - leader) % 2 == 0 else min(values)

    return value(live, leader, ())


def test_sure_tricks_are_won() -> None:
    random = Random(2)
    found = np.zeros(2, int)
    for _ in range(150):
        tricks = random.choice([1, 2, 2, 3])
        cuts = sorted(random.choices(range(4 * tricks + 1), k=3))
        lengths = [high - low for low, high in zip([0, *cuts], [*cuts, 4 * tricks], strict=True)]
        deal, suits, holders = dealt(random, lengths, 4)
        trump, leader, live = random.randrange(5), random.randrange(4), (1 << 4 * tricks) - 1
        sure, lost = sure_tricks(deal, live, SUITS, HANDS, trump, leader)
        assert sure <= most(suits, holders, trump, live, leader) <= tricks - lost
        found += sure > 0, lost > 0
    assert (found > 20).all()
