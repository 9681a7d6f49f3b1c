"""Decks for King × Alchemy: the house deck's data, random ones stranger than any printed one, sets of cards."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from solver.common import Random
from solver.games.king.deck import CARDS, KIND, SUIT_NAMES, Deck
from tests.reference import compound as slow

TEXT = resources.files("solver.games.king").joinpath("decks", "king-house.toml").read_text(encoding="utf-8")


def house_data() -> dict[str, Any]:
    """The data of the deck that is shipped, to be changed."""
    return tomllib.loads(TEXT)


def random_deck(random: Random) -> Deck:
    """Uneven supply, repeated needs, any card providing or carrying, few recipes or many."""
    ingredients = [f"i{number}" for number in range(1 + random.below(25))]
    providing, carrying = 4 + random.below(7), 2 + random.below(8)  # of ten cards
    most_needs = 1 + random.below(4)
    cards: list[dict[str, Any]] = []
    for letter in "FWEA":
        for number in range(1, 12):
            kind = "method" if random.below(2) else "material"
            cards.append({"code": f"{letter}{number}", "kind": kind, "suit": letter, "number": number})
    cards += [{"code": f"T{number}", "kind": "trump", "number": number} for number in range(1, 6)]
    cards.append({"code": "D", "kind": "dancer", "number": random.below(12)})
    for card in cards:
        card |= {"name": card["code"], "vp": random.below(4)}
        if random.below(10) < providing:
            # The first ones are the common ones.
            card["provides"] = ingredients[random.below(1 + random.below(len(ingredients)))]
    provided = sorted({card["provides"] for card in cards if "provides" in card})
    for card in cards:
        if provided and random.below(10) < carrying:
            needs = [provided[random.below(len(provided))] for _ in range(1 + random.below(most_needs))]
            card["recipe"] = {"item": "item of " + card["code"], "needs": needs, "bonus": random.below(12)}
    suits = dict(zip("FWEA", SUIT_NAMES, strict=True))
    return KIND.read({"name": "random", "suits": suits, "card": cards})


def random_cards(random: Random, size: int) -> list[int]:
    """So many different cards, in the deck's order."""
    cards = list(range(CARDS))
    random.shuffle(cards)
    return sorted(cards[:size])


def as_reference(deck: Deck, cards: list[int]) -> list[slow.Card]:
    """The cards as the slow reference takes them."""
    hand = []
    for card in (deck.cards[card] for card in cards):
        recipe = card.recipe
        needs, bonus = (recipe.needs, recipe.bonus) if recipe else ((), 0)
        hand.append(slow.Card(card.provides, needs, bonus))
    return hand


def small_sets(deck: Deck, random: Random, largest: int, count: int) -> list[list[int]]:
    """Sets of up to `largest` cards: by turns any cards, and carriers with some of the cards that they need."""
    sizes = [random.below(largest + 1) for _ in range(count)]
    return [
        _connected(deck, random, size) if number % 2 else random_cards(random, size)
        for number, size in enumerate(sizes)
    ]


def _connected(deck: Deck, random: Random, size: int) -> list[int]:
    wanted: list[int] = []
    order = list(range(CARDS))
    random.shuffle(order)
    for card in order:
        recipe = deck.cards[card].recipe
        if recipe:
            wanted.append(card)
            for need in recipe.needs:
                wanted += [c for c in range(CARDS) if deck.cards[c].provides == need][: 1 + random.below(2)]
    return sorted(list(dict.fromkeys(wanted))[:size])
