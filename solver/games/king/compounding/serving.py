"""From the set of recipes that are made to the cards that serve in each, the same ones each time."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from solver.games.king.cards.deck import Deck
from solver.protocol.compounding import Made


def served(deck: Deck, made: Iterable[int], cards: Iterable[int], must: Collection[int] = ()) -> tuple[Made, ...]:
    """The recipes of the carriers `made`, of `cards`, which are enough for them.

    Carriers and needs in order take the first card of the deck that provides: one of `must` before all others.
    """
    made = sorted(made)
    free = sorted(set(cards) - set(made), key=lambda card: (card not in must, card))
    found = []
    for carrier in made:
        recipe = deck.cards[carrier].recipe
        assert recipe is not None
        uses = []
        for need in recipe.needs:
            card = next(card for card in free if deck.cards[card].provides == need)
            free.remove(card)
            uses.append(deck.cards[card].code)
        code = deck.cards[carrier].code
        found.append(Made(card=code, item=recipe.item, uses=tuple(uses), bonus=recipe.bonus))
    return tuple(found)
