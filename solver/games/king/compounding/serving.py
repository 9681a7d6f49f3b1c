"""Which cards serve in the recipes that are made; the same cards each time."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from solver.games.king.cards.deck import Deck
from solver.protocol.compounding import Made


def served(deck: Deck, made: Iterable[int], cards: Iterable[int], must: Collection[int] = ()) -> tuple[Made, ...]:
    """The recipes of the carriers `made`, and the cards among `cards` that serve in each; there must be enough.

    The carriers take their ingredients one after the other, in the deck's order, and each takes the first card of
    the deck that provides what it needs; cards of `must` are taken before all others.
    """
    made = sorted(made)
    free = sorted(set(cards) - set(made), key=lambda card: (card not in must, card))
    recipes = []
    for carrier in made:
        recipe = deck.cards[carrier].recipe
        assert recipe is not None
        uses = []
        for need in recipe.needs:
            card = next(card for card in free if deck.cards[card].provides == need)
            free.remove(card)
            uses.append(deck.cards[card].code)
        code = deck.cards[carrier].code
        recipes.append(Made(card=code, item=recipe.item, uses=tuple(uses), bonus=recipe.bonus))
    return tuple(recipes)
