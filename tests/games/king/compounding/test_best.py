"""Compounding against the slow reference and the kernel against the constraint solver, answers in full."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from solver.answers import Compounding, Made
from solver.common import Random
from solver.errors import RequestError
from solver.games.king.compounding import best, compound
from solver.games.king.deck import Deck, house
from solver.limits import Control, Limit
from tests.games.king.decks import as_reference, random_cards, random_deck, small_sets
from tests.reference import compound as slow
from tests.support.amounts import Amount
from tests.support.proved import Proved

PROVED = Proved("king_compounding")


def cases(count: int, seed: int) -> Iterator[tuple[Deck, Random, list[int]]]:
    for number in range(count):
        random = Random(seed, number)
        deck = house() if number % 4 == 0 else random_deck(random)
        for cards in small_sets(deck, random, 8, 6):
            yield deck, random, cards


class Reference:
    """Every set of recipes that a hand can make, and whether the cards of `must` can serve in it."""

    def __init__(self, deck: Deck, cards: list[int], must: list[int], without: list[int]) -> None:
        self.deck = deck
        usable = [card for card in cards if card not in without]
        self.allowed: dict[frozenset[int], bool] = {}
        for made in slow.compoundings(as_reference(deck, usable)):
            used = {usable[card] for carrier, uses in made for card in (carrier, *uses)}
            carriers = frozenset(usable[carrier] for carrier, _ in made)
            if must or all(self._bonus(card) for card in carriers):
                self.allowed[carriers] = self.allowed.get(carriers, False) or used >= set(must)

    def _bonus(self, card: int) -> int:
        recipe = self.deck.cards[card].recipe
        return recipe.bonus if recipe else 0

    def bonus(self, made: frozenset[int]) -> int:
        return sum(map(self._bonus, made))

    def _order(self, made: frozenset[int]) -> tuple[int, int, list[bool]]:
        recipes = [self.deck.cards[card].recipe for card in made]
        used = sum(1 + len(recipe.needs) for recipe in recipes if recipe)
        return -self.bonus(made), used, [card not in made for card in range(50)]

    def ways(self, count: int) -> list[frozenset[int]]:
        """The best sets of recipes, best first; of several, those to which none can be added."""
        found = [made for made, allowed in self.allowed.items() if allowed]
        if count > 1:
            found = [made for made in found if not self._extensible(made)]
        return sorted(found, key=self._order)[:count]

    def _extensible(self, made: frozenset[int]) -> bool:
        return any(
            made < more and len(more) == len(made) + 1 and self._bonus(*(more - made)) for more in self.allowed
        )


def check_recipes(deck: Deck, cards: list[int], recipes: tuple[Made, ...]) -> None:
    """Every card serves once, and each recipe has what it needs."""
    used = [code for made in recipes for code in (made.card, *made.uses)]
    assert len(used) == len(set(used))
    assert set(used) <= set(deck.codes(cards))
    for made in recipes:
        recipe = deck.cards[deck.index[made.card]].recipe
        assert recipe is not None
        assert tuple(deck.cards[deck.index[code]].provides for code in made.uses) == recipe.needs
        assert (made.item, made.bonus) == (recipe.item, recipe.bonus)


def carriers(deck: Deck, recipes: tuple[Made, ...]) -> frozenset[int]:
    return frozenset(deck.index[made.card] for made in recipes)


def check_total(deck: Deck, cards: list[int], found: Compounding) -> None:
    check_recipes(deck, cards, found.recipes)
    assert found.bonus == sum(made.bonus for made in found.recipes)
    assert found.vp == sum(deck.cards[card].vp for card in cards)
    assert found.total == found.vp + found.bonus


@pytest.mark.covered
@pytest.mark.small
def test_the_best_is_the_reference_s(amount: Amount) -> None:
    for deck, _, cards in cases(amount(60), 11):
        [made] = Reference(deck, cards, [], []).ways(1)
        found = best(deck, cards)
        check_total(deck, cards, found)
        assert carriers(deck, found.recipes) == made
        assert compound(deck, cards, Control()).recipes == found.recipes


def test_must_without_and_several_ways_are_the_reference_s() -> None:
    impossible = several = 0
    for deck, random, cards in cases(250, 12):
        must = [card for card in cards if random.below(5) == 0]
        without = [card for card in cards if card not in must and random.below(6) == 0]
        count = 1 + random.below(4)
        expected = Reference(deck, cards, must, without).ways(count)
        if not expected:
            impossible += 1
            with pytest.raises(RequestError) as caught:
                compound(deck, cards, Control(), must=must, without=without, count=count)
            assert (caught.value.code, caught.value.path) == ("impossible", "must")
            continue
        found = compound(deck, cards, Control(), must=must, without=without, count=count)
        assert found.exact
        assert found.bounds == (found.total, found.total)
        check_total(deck, cards, found)
        ways = found.ways if found.ways is not None else (found,)
        assert [carriers(deck, way.recipes) for way in ways] == expected
        several += len(expected) > 1
        for way in ways:
            check_recipes(deck, [card for card in cards if card not in without], way.recipes)
            used = {code for made in way.recipes for code in (made.card, *made.uses)}
            assert used >= set(deck.codes(must))
    assert impossible > 100
    assert several > 50


def test_missing_cards_are_ranked_by_what_they_add() -> None:
    for number in range(6):
        random = Random(13, number)
        deck = random_deck(random) if number % 2 else house()
        cards = random_cards(random, 12)
        found = compound(deck, cards, Control(), missing=True)
        assert found.missing is not None
        expected = {}
        for card in set(range(50)) - set(cards):
            more = best(deck, [*cards, card])
            expected[deck.cards[card].code] = (
                more.total - found.total,
                more.vp - found.vp,
                more.bonus - found.bonus,
            )
        assert {gain.card: (gain.gain, gain.vp, gain.bonus) for gain in found.missing} == expected
        order = [(-gain.gain, deck.index[gain.card]) for gain in found.missing]
        assert order == sorted(order)


def agree(seed: int, count: int) -> None:
    for number in range(count):
        random = Random(seed, number)
        deck = house() if number % 3 == 0 else random_deck(random)
        cards = random_cards(random, 15 + random.below(36))
        found = best(deck, cards)
        check_total(deck, cards, found)

        def check_by_solver(deck: Deck = deck, cards: list[int] = cards, found: Compounding = found) -> None:
            proved = compound(deck, cards, Control())
            assert proved.exact
            check_total(deck, cards, proved)
            assert proved.recipes == found.recipes

        PROVED.check(repr((as_reference(deck, list(range(50))), cards)), repr(found.recipes), check_by_solver)


def test_the_kernel_and_the_constraint_solver_agree() -> None:
    agree(14, 150)


@pytest.mark.slow
def test_the_kernel_and_the_constraint_solver_agree_on_thousands() -> None:
    agree(16, 2000)
    PROVED.check_record()


def test_the_whole_house_deck_makes_108() -> None:
    found = compound(house(), range(50), Control())
    assert (found.bonus, found.exact) == (108, True)
    assert found.recipes == best(house(), range(50)).recipes


def test_a_limit_gives_proved_bounds() -> None:
    cut = 0
    for number in range(8):
        deck = house() if number == 0 else random_deck(Random(15, number))
        cards = list(range(50))
        exact = best(deck, cards)
        for limit in (Limit(nodes=1), Limit(seconds=0.001)):
            found = compound(deck, cards, Control(limit), count=3, missing=True)
            check_total(deck, cards, found)
            assert found.bounds[0] == found.total <= exact.total <= found.bounds[1]
            assert not found.exact or found.bounds[0] == found.bounds[1]
            cut += not found.exact
    assert cut > 0


def test_a_cancelled_question_has_an_answer_too() -> None:
    cancel = threading.Event()
    cancel.set()
    found = compound(house(), list(range(50)), Control(cancel=cancel))
    check_total(house(), list(range(50)), found)
    assert not found.exact
    assert found.bounds[0] <= best(house(), range(50)).total <= found.bounds[1]
    with pytest.raises(RequestError, match="limit") as caught:
        compound(house(), list(range(50)), Control(cancel=cancel), must=[0])
    assert caught.value.code == "limit_reached"


def test_nothing_makes_nothing() -> None:
    found = compound(house(), [], Control(), count=2)
    assert (found.vp, found.bonus, found.total, found.recipes) == (0, 0, 0, ())
    assert best(house(), []).recipes == ()
