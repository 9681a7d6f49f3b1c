"""A compounding question taken apart: carriers that compete for the same scarce ingredients belong together.

Parts share no scarce ingredient, so that the best ways to compound each part are together the best ways for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from solver.common.graphs import components
from solver.games.king.cards.deck import Deck
from solver.games.king.compounding.tables import demand, weight


@dataclass(frozen=True, slots=True)
class Carrier:
    """A card whose recipe could be made if no other were.

    `demand` has the units that it takes of each scarce ingredient, the card itself included. `must` says whether
    the card is to be used: made, or as an ingredient.
    """

    card: int
    weight: int
    bonus: int
    demand: tuple[tuple[str, int], ...]
    must: bool
    provides: str | None


@dataclass(frozen=True, slots=True)
class Part:
    """Carriers, in the deck's order, that compete for scarce ingredients.

    `supply` has for each of these how many cards provide it, `serving` how many of those must be used and can only
    serve as an ingredient.
    """

    carriers: tuple[Carrier, ...]
    supply: tuple[tuple[str, int], ...]
    serving: tuple[tuple[str, int], ...]


def carriers_of(deck: Deck, cards: Collection[int], must: Collection[int] = ()) -> dict[int, Counter[str]]:
    """The demand of each carrier among `cards` that could be made if no other were.

    A recipe without a bonus counts only when there are cards that must be used: it may use them.
    """
    supply = Counter(deck.cards[card].provides for card in cards)
    demands = {}
    for card in sorted(cards):
        recipe = deck.cards[card].recipe
        if recipe is not None and (recipe.bonus > 0 or must):
            units = demand(deck, card)
            if all(supply[need] >= count for need, count in units.items()):
                demands[card] = units
    return demands


def parts(deck: Deck, cards: Collection[int], must: Collection[int] = ()) -> list[Part]:
    """The independent parts of a set of cards, in the deck's order of their first carriers.

    A part without carriers has cards that must be used and that nothing could use.
    """
    carriers = carriers_of(deck, cards, must)
    supply = Counter(need for card in cards if (need := deck.cards[card].provides) is not None)
    total: Counter[str] = sum(carriers.values(), Counter())
    # A card that no recipe could use counts under the empty name, which no ingredient has.
    serving = Counter(deck.cards[card].provides or "" for card in must if card not in carriers)
    bound_to = {deck.cards[card].provides for card in must} | set(serving)
    scarce = {need for need in total if total[need] > supply[need] or need in bound_to}
    nodes: list[int | str] = [*carriers, *serving]
    linked: dict[int | str, list[int | str]] = {node: [] for node in nodes}
    for card, units in carriers.items():
        for need in units:
            if need in scarce:
                linked[card].append(need)
                linked.setdefault(need, []).append(card)
    independent = []
    for component in components(linked):
        members = sorted(node for node in component if isinstance(node, int))
        needs = sorted(node for node in component if isinstance(node, str))
        independent.append(
            Part(
                tuple(_carrier(deck, card, carriers[card], needs, must) for card in members),
                tuple((need, supply[need]) for need in needs),
                tuple((need, serving[need]) for need in needs if serving[need]),
            )
        )
    return sorted(independent, key=lambda part: [carrier.card for carrier in part.carriers])


def _carrier(deck: Deck, card: int, units: Counter[str], scarce: Iterable[str], must: Collection[int]) -> Carrier:
    recipe = deck.cards[card].recipe
    assert recipe is not None
    held = tuple((need, units[need]) for need in scarce if units[need])
    return Carrier(card, weight(deck, card), recipe.bonus, held, card in must, deck.cards[card].provides)
