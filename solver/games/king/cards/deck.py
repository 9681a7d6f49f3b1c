"""King × Alchemy's decks: fifty cards, which are data. A card's number is its place in the deck's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from solver.common.masks import members
from solver.games.king.cards.readings import USUAL, KingReadings

if TYPE_CHECKING:
    from solver.games.king.cards.deck_data import DeckData

FIRE, WATER, EARTH, WIND, TRUMP, DANCER = range(6)
SUIT_NAMES = ("Fire", "Water", "Earth", "Wind")
SUITS = len(SUIT_NAMES)  # the suits that a Dancer can be named
CARDS = 50
SUIT_CARDS = 44
TRUMPS = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """An item made of `needs` (materials or methods; one may be needed twice), worth `bonus` points."""

    item: str
    needs: tuple[str, ...]
    bonus: int


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `suit` is FIRE … WIND, TRUMP or DANCER; `provides` is the ingredient that it can serve as."""

    code: str
    name: str
    kind: str
    suit: int
    number: int
    vp: int
    provides: str | None
    recipe: Recipe | None


@dataclass(frozen=True)
class Deck:
    """A valid deck, and the readings of the rules by which it is played.

    `suits` has the letters of Fire, Water, Earth and Wind, in this order.
    """

    name: str
    title: str
    suits: tuple[str, str, str, str]
    cards: tuple[Card, ...]
    readings: KingReadings = USUAL

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.cards))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each card, by its code."""
        return {card.code: number for number, card in enumerate(self.cards)}

    @cached_property
    def dancer(self) -> int:
        """The number of the Enchanted Dancer."""
        return next(number for number, card in enumerate(self.cards) if card.suit == DANCER)

    @cached_property
    def of_suit(self) -> tuple[int, ...]:
        """The mask of each suit's cards: FIRE … WIND, TRUMP, DANCER."""
        return tuple(
            sum(1 << number for number, card in enumerate(self.cards) if card.suit == suit) for suit in range(6)
        )

    def code(self, card: int) -> str:
        return self.cards[card].code

    def codes(self, cards: Iterable[int]) -> list[str]:
        return [self.cards[card].code for card in cards]

    def rows(self) -> list[dict[str, str]]:
        """The cards for a person: the cells of a table, by column."""
        return [
            {
                "card": card.code,
                "kind": card.kind,
                "name": card.name,
                "suit": SUIT_NAMES[card.suit] if card.suit < SUITS else "",
                "number": str(card.number),
                "points": str(card.vp),
                "provides": card.provides or "",
                "makes": card.recipe.item if card.recipe else "",
                "of": ", ".join(card.recipe.needs) if card.recipe else "",
                "bonus": str(card.recipe.bonus) if card.recipe else "",
            }
            for card in self.cards
        ]

    def vp(self, cards: int) -> int:
        """The victory points of a mask of cards."""
        return sum(self.cards[card].vp for card in members(cards))


@lru_cache(maxsize=64)
def read_by(deck: Deck, readings: KingReadings) -> Deck:
    """The same cards, played by these readings of the rules."""
    return deck if readings == deck.readings else replace(deck, readings=readings)


def of_data(data: DeckData) -> Deck:
    """The deck that validated data describe."""
    suit_of = {letter: SUIT_NAMES.index(name) for letter, name in data.suits.items()}
    fire, water, earth, wind = sorted(suit_of, key=suit_of.__getitem__)
    other = {"trump": TRUMP, "dancer": DANCER}
    cards = tuple(
        Card(
            code=card.code,
            name=card.name,
            kind=card.kind,
            suit=other[card.kind] if card.suit is None else suit_of[card.suit],
            number=card.number,
            vp=card.vp,
            provides=card.provides,
            recipe=Recipe(card.recipe.item, card.recipe.needs, card.recipe.bonus) if card.recipe else None,
        )
        for card in data.card
    )
    return Deck(data.name, data.title or data.name, (fire, water, earth, wind), cards)
