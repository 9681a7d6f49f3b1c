"""The cards of King × Alchemy for the slow reference: the house deck, and decks as users write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

SUITS = "FWEA"  # Fire, Water, Earth, Wind: the order of a Dancer's namings
TRUMP, DANCER = "trump", "dancer"

# code, points, what it provides, then its recipe: bonus and needs
_HOUSE = """
F1 3 Sulfur
F2 3 Amber
F3 1 Calcination 5 Iron Vitriol
F4 2 Saltpetre
F5 2 Iron
F6 1 Fermentation 5 Vitriol Copper
F7 1 Cinnabar
F8 1 Copper
F9 0 Sublimation 5 Antimony Salt
F10 2 Gold
F11 0 Conjunction 7 Gold Silver
W1 3 Salt
W2 3 Quicksilver
W3 1 Dissolution 5 Saltpetre Vitriol
W4 2 Tin
W5 2 Vitriol
W6 1 Distillation 5 Amber Salt
W7 1 Silver
W8 1 Antimony
W9 0 Coagulation 5 Tin Lead
W10 1 Lead
W11 0 Separation 6 Cinnabar Sulfur
E1 3 Lead
E2 3 Iron
E3 1 Coagulation 5 Copper Tin
E4 2 Salt
E5 2 Copper
E6 1 Calcination 5 Lead Saltpetre
E7 1 Antimony
E8 1 Tin
E9 0 Conjunction 8 Quicksilver Silver Tin
E10 1 Silver
E11 0 Fermentation 9 Quicksilver Antimony Iron
A1 3 Saltpetre
A2 3 Vitriol
A3 1 Sublimation 5 Quicksilver Salt
A4 2 Sulfur
A5 2 Amber
A6 1 Separation 6 Silver Saltpetre
A7 1 Quicksilver
A8 1 Cinnabar
A9 0 Distillation 5 Vitriol Sulfur
A10 2 Gold
A11 0 Dissolution 9 Gold Saltpetre Salt
T1 1 - 9 Calcination Saltpetre Sulfur
T2 1 - 9 Distillation Amber Salt
T3 1 - 10 Separation Lead Silver
T4 1 - 12 Dissolution Gold Amber
T5 1 - 18 Conjunction Sublimation Quicksilver Sulfur
D 0 - 15 Fermentation Cinnabar Gold
"""


class Card(NamedTuple):
    code: str
    suit: str  # a letter of SUITS, TRUMP or DANCER
    number: int
    vp: int
    provides: str | None = None
    bonus: int = 0
    needs: tuple[str, ...] = ()  # empty: it carries no recipe


class Deck(tuple[Card, ...]):
    """The cards, and `rules`, the names of the disputed readings by which they are played."""

    rules: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self.rules == other.rules and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((super().__hash__(), self.rules))


def played_by(deck: Deck, rules: Iterable[str]) -> Deck:
    """The same cards, played by these readings."""
    found = Deck(deck)
    found.rules = frozenset(rules)
    return found


def _house() -> Deck:
    cards = []
    for row in _HOUSE.strip().splitlines():
        code, vp, provides, *recipe = row.split()
        suit = {"T": TRUMP, "D": DANCER}.get(code[0], code[0])
        number = 6 if suit == DANCER else int(code[1:])
        gives = None if provides == "-" else provides
        bonus = int(recipe[0]) if recipe else 0
        cards.append(Card(code, suit, number, int(vp), gives, bonus, tuple(recipe[1:])))
    return Deck(cards)


HOUSE = _house()


def deck_of(data: Mapping[str, Any]) -> Deck:
    """The deck of a deck's file, read."""
    cards = []
    for card in data["card"]:
        suit = card["kind"] if card["kind"] in (TRUMP, DANCER) else card["suit"]
        recipe = card.get("recipe", {"bonus": 0, "needs": ()})
        needs = tuple(recipe["needs"])
        cards.append(
            Card(card["code"], suit, card["number"], card["vp"], card.get("provides"), recipe["bonus"], needs)
        )
    return Deck(cards)


def index(deck: Deck, code: str) -> int:
    return [card.code for card in deck].index(code)
