"""Decks of King × Alchemy made to be hard: recipes that overlap, all worth about the same.

Whoever looks for the best compounding of many cards of such a deck must tell a great many ways apart that are
nearly as good. They are valid decks, of the size that users send.
"""

from __future__ import annotations

from typing import Any

from solver.common import Random
from solver.games.king.deck import SUIT_NAMES

_LETTERS = "FWEA"


def hard_deck(random: Random) -> dict[str, Any]:
    """A random hard deck, as the data that a position takes in place of a deck's name."""
    kinds = 3 + random.below(5)
    needs = 2 + random.below(2)
    carrying = 7 + random.below(4)  # of ten cards
    spread = 1 + random.below(4)
    ingredients = [f"i{number}" for number in range(kinds)]
    cards: list[dict[str, Any]] = [
        {"code": f"{letter}{number}", "kind": "material", "suit": letter, "number": number}
        for letter in _LETTERS
        for number in range(1, 12)
    ]
    for place, card in enumerate(cards):
        card["provides"] = ingredients[place % kinds if place < kinds else random.below(kinds)]
        if random.below(10) < carrying:
            made = [ingredients[random.below(kinds)] for _ in range(needs)]
            card["recipe"] = {"item": f"x{card['code']}", "needs": made, "bonus": 900 + random.below(spread)}
    cards += [{"code": f"T{number}", "kind": "trump", "number": number} for number in range(1, 6)]
    cards.append({"code": "D", "kind": "dancer", "number": 0})
    for card in cards:
        card |= {"name": card["code"], "vp": random.below(3)}
    return {"name": "hard", "suits": dict(zip(_LETTERS, SUIT_NAMES, strict=True)), "card": cards}
