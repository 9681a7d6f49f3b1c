"""Which rounds of King × Alchemy are the same puzzle: seats turned round, and suits exchanged where cards allow.

Suits differ by what their cards are worth, provide and make. They may be exchanged where that leaves every number
with the same points, and every recipe with the same bonus, once the ingredients are renamed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations

from solver.common.masks import members
from solver.games.king.cards.deck import SUITS, Deck
from solver.games.king.cards.rules import State


@lru_cache(maxsize=8)
def symmetries(deck: Deck) -> tuple[tuple[int, ...], ...]:
    """Every true exchange of suits, as the card that each card becomes; the first leaves all as they are."""
    found = []
    for suits in permutations(range(SUITS)):
        cards = _exchanged(deck, suits)
        if cards is not None and _is_true(deck, cards):
            found.append(cards)
    return tuple(found)


def _exchanged(deck: Deck, suits: Sequence[int]) -> tuple[int, ...] | None:
    """What each card becomes when suits are exchanged; None where a suit lacks a number of another one."""
    places = {(card.suit, card.number): number for number, card in enumerate(deck.cards)}
    found = [
        places.get((suits[card.suit], card.number) if card.suit < SUITS else (card.suit, card.number), -1)
        for card in deck.cards
    ]
    return None if -1 in found else tuple(found)


def _is_true(deck: Deck, cards: Sequence[int]) -> bool:
    """Whether an exchange of cards keeps points, ingredients and recipes, the ingredients being renamed."""
    names: dict[str | None, str | None] = {}
    for card, other in enumerate(cards):
        was, now = deck.cards[card], deck.cards[other]
        if was.vp != now.vp or names.setdefault(was.provides, now.provides) != now.provides:
            return False
    if names.get(None) is not None or len(set(names.values())) < len(names):
        return False
    return all(_same_recipe(deck, card, other, names) for card, other in enumerate(cards))


def _same_recipe(deck: Deck, card: int, other: int, names: Mapping[str | None, str | None]) -> bool:
    was, now = deck.cards[card].recipe, deck.cards[other].recipe
    if was is None or now is None:
        return was is now
    needs = Counter(names.get(need, need) for need in was.needs)
    return was.bonus == now.bonus and needs == Counter(now.needs)


def key(state: State, player: int, about_others: object) -> str:
    """A text that rounds share which are the same but for these symmetries."""
    suits = {card: spec.suit for card, spec in enumerate(state.deck.cards)}
    seats = [(state.leader + step) % state.players for step in range(state.players)]
    images = []
    for cards in symmetries(state.deck):
        suit_of = {suits[card]: suits[other] for card, other in enumerate(cards)}
        trick = [(cards[play.card], suit_of[play.suit]) for play in state.trick]
        hands = [sorted(cards[card] for card in members(state.hands[seat])) for seat in seats]
        won = [sorted(cards[card] for card in members(state.won[seat])) for seat in seats]
        images.append(f"{trick} {hands} {won}")
    return f"{state.deck.name} {about_others} {seats.index(player)} {min(images)}"


def key_of_cards(deck: Deck, cards: Sequence[int]) -> str:
    """A text that sets of cards share which are the same but for an exchange of suits."""
    return f"{deck.name} {min(sorted(image[card] for card in cards) for image in symmetries(deck))}"
