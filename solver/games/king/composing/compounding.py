"""Compounding by rules of thumb: the dearest recipe first, or the one that brings most for each ingredient."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solver.games.king.cards.deck import Deck, Recipe
from solver.games.king.compounding.tables import demand

Rule = Callable[[Recipe], float]


def dear(recipe: Recipe) -> float:
    """What a greedy player goes by."""
    return recipe.bonus


def thrifty(recipe: Recipe) -> float:
    """What a thrifty one goes by."""
    return recipe.bonus / max(1, len(recipe.needs))


def by_rule(deck: Deck, cards: Sequence[int], rule: Rule) -> int:
    """The bonus of making, again and again, the recipe that is left and that a rule values most."""
    left = [deck.cards[card].provides for card in cards]
    recipes = {card: recipe for card in cards if (recipe := deck.cards[card].recipe)}
    total = 0
    for card in sorted(recipes, key=lambda card: (-rule(recipes[card]), card)):
        wanted = [need for need, units in demand(deck, card).items() for _ in range(units)]
        if all(left.count(need) >= wanted.count(need) for need in wanted):
            total += recipes[card].bonus
            for need in wanted:
                left.remove(need)
    return total
