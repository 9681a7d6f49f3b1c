"""The compounding kernels against the slow reference, on the house deck and on random decks."""

from __future__ import annotations

import pytest

from solver.common import Random, mask, members
from solver.games.king.compounding_kernel import (
    ENDLESS,
    best,
    optimistic,
    reduced,
    renumbered,
    tables,
    working_space,
)
from solver.games.king.deck import Deck, house
from tests.games.king.decks import as_reference, random_cards, random_deck, small_sets
from tests.reference import compound as slow
from tests.support.amounts import Amount


def decks(count: int, seed: int) -> list[Deck]:
    return [house() if number % 4 == 0 else random_deck(Random(seed, number)) for number in range(count)]


@pytest.mark.covered
@pytest.mark.small
def test_best_is_the_reference_s(amount: Amount) -> None:
    work = working_space()
    positive = 0
    for number, deck in enumerate(decks(amount(120), 1)):
        for cards in small_sets(deck, Random(2, number), 9, 12):
            expected = slow.best(as_reference(deck, cards))
            assert best(tables(deck), work, mask(cards), ENDLESS) == expected
            positive += expected > 0
    assert positive > amount(300)


@pytest.mark.small
def test_optimistic_is_never_too_low(amount: Amount) -> None:
    work = working_space()
    for number, deck in enumerate(decks(amount(60), 3)):
        for cards in small_sets(deck, Random(4, number), 50, amount(30)):
            exact = best(tables(deck), work, mask(cards), ENDLESS)
            assert exact <= optimistic(tables(deck), work, mask(cards))


@pytest.mark.small
def test_a_reduced_set_is_worth_the_same_with_whatever_joins_it(amount: Amount) -> None:
    work = working_space()
    sizes = [0, 0]
    for number, deck in enumerate(decks(amount(60), 5)):
        table = tables(deck)
        original = {int(renumbered(table, 1 << card)): card for card in range(50)}
        random = Random(6, number)
        possible = random_cards(random, 6 + random.below(10))
        different: dict[int, set[int]] = {}
        for cards in small_sets(deck, random, 14, amount(40)):
            own = mask(card for card in cards if card not in possible)
            key = int(reduced(table, own, mask(possible)))
            instead = mask(original[1 << place] for place in members(key))
            assert instead & mask(possible) == 0
            different.setdefault(key, set()).add(own)
            joining = [mask(card for card in possible if random.below(2)) for _ in range(8)]
            for joined in [0, mask(possible), *joining]:
                assert best(table, work, own | joined, ENDLESS) == best(table, work, instead | joined, ENDLESS)
        sizes[0] += len(different)
        sizes[1] += sum(map(len, different.values()))
    assert sizes[0] < sizes[1]


@pytest.mark.covered
@pytest.mark.small
def test_more_cards_are_never_worse(amount: Amount) -> None:
    work = working_space()
    for number, deck in enumerate(decks(amount(40), 7)):
        cards = random_cards(Random(8, number), 50)
        values = [best(tables(deck), work, mask(cards[:size]), ENDLESS) for size in range(51)]
        assert values == sorted(values)
