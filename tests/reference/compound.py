"""Compounding in King × Alchemy, slow and obvious: which recipes are made of which cards.

Written from the rules alone: a recipe's carrier and each of its ingredients are different cards, and none
serves twice. A card here is what it provides (or None), what its recipe needs (or nothing), and its bonus.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Card(NamedTuple):
    provides: str | None
    needs: tuple[str, ...] = ()
    bonus: int = 0


Made = tuple[int, tuple[int, ...]]  # a carrier and the cards it uses, by their places in the hand


def servings(hand: Sequence[Card], needs: Sequence[str], free: frozenset[int]) -> Iterator[frozenset[int]]:
    """Every set of free cards that gives each of the needs a card of its own."""
    if not needs:
        yield frozenset()
        return
    for card in sorted(free):
        if hand[card].provides == needs[0]:
            for others in servings(hand, needs[1:], free - {card}):
                yield others | {card}


def compoundings(hand: Sequence[Card]) -> Iterator[frozenset[Made]]:
    """Every way to make recipes of a hand, making none among them; some may come more than once."""

    def ways(carrier: int, free: frozenset[int]) -> Iterator[frozenset[Made]]:
        if carrier == len(hand):
            yield frozenset()
            return
        yield from ways(carrier + 1, free)
        if carrier in free and hand[carrier].needs:
            for uses in set(servings(hand, hand[carrier].needs, free - {carrier})):
                for others in ways(carrier + 1, free - uses - {carrier}):
                    yield others | {(carrier, tuple(sorted(uses)))}

    return ways(0, frozenset(range(len(hand))))


def bonus(hand: Sequence[Card], made: frozenset[Made]) -> int:
    return sum(hand[carrier].bonus for carrier, _ in made)


def best(hand: Sequence[Card]) -> int:
    """The best total bonus."""
    return max(bonus(hand, made) for made in compoundings(hand))
