"""The rules of Kirin in plain Python: legal cards, winners of tricks, reversals of the order, and points.

Source: the Kirin rulebook and the rulings in `rules.md`. Uses no search and no NumPy. Sets of cards are bit masks
(see `deck`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Annotated

from pydantic import Field

from solver.codec import OrText
from solver.common import mask
from solver.games.kirin.deck import (
    ASCENDING,
    CARDS,
    DIRECTIONS,
    KIRIN,
    TRUMP,
    colour,
    is_kirin,
    members,
    names,
    of_colour,
    rank,
)
from solver.language import say
from solver.rule_options import ANY_ON, Option, Readings
from solver.tricks.positions import Past
from solver.tricks.rules import CardRules, CardState

ROUNDS = 3  # of a match
SEATS = 4
HAND = 9  # cards dealt to each player
TRICKS = 8  # one card of each hand is set aside
MOST_POINTS = 8  # that tricks can bring a seat, which has set one card of its colour aside

Masks = tuple[int, int, int, int]
NOTHING: Masks = (0, 0, 0, 0)


def four(items: Iterable[int]) -> Masks:
    """Return four integers as a tuple of exactly four, for the type checker."""
    first, second, third, fourth = items
    return first, second, third, fourth


def colour_strength(card: int, direction: int) -> int:
    """Return the strength of a card's colour, 0 to 3: D > S > B > G ascending, the reverse descending."""
    return 3 - colour(card) if direction == ASCENDING else colour(card)


def rank_strength(card: int, direction: int) -> int:
    """Return the strength of a card's rank: 0 for a kirin, 7 for a trump, 1 to 6 for a number.

    A number n has strength n if the order is ascending, and 7 - n if it is descending.
    """
    if is_kirin(card):
        return 0
    if rank(card) == TRUMP:
        return 7
    return 1 + rank(card) if direction == ASCENDING else 6 - rank(card)


@cache
def qualifying(standard: int, direction: int, only_kirin: bool = False) -> int:
    """Return the mask of the cards that may follow the led card `standard`; who has none may play any card.

    With `only_kirin`, only kirin must follow a led kirin (`KirinReadings.led_kirin_asks_only_kirin`).
    """
    cards = 0
    for card in range(CARDS):
        stronger = colour_strength(card, direction) > colour_strength(standard, direction)
        higher = rank_strength(card, direction) > rank_strength(standard, direction)
        if only_kirin and is_kirin(standard):
            higher = False
        if stronger and (is_kirin(card) or higher):
            cards |= 1 << card
    return cards


def direction_after(trick: int, direction: int) -> int:
    """Return the direction in force after a trick, given as a mask.

    The kirin of the strongest colour sets it. It stays if both kirin of that colour, or no kirin, were played.
    """
    kirin = trick & KIRIN
    if kirin == 0:
        return direction
    for step in range(4):
        played = (kirin >> 2 * (3 - step if direction == 0 else step)) & 3
        if played:
            return direction if played == 3 else played - 1
    return direction


@dataclass(frozen=True)
class Order(CardRules):
    """The rules of a trick in the order given by `direction`, and the options (`qualifying`, `score`)."""

    direction: int = ASCENDING
    only_kirin: bool = False
    as_played: int = 0
    declared_counts: bool = False

    players = SEATS
    deck = tuple(names(range(CARDS)))
    members = staticmethod(members)
    hand_size = TRICKS

    def playable(self, hand: int, trick: Sequence[int]) -> int:
        if not trick:
            return hand
        return hand & qualifying(trick[0], self.direction, self.only_kirin) or hand

    def winner(self, trick: Sequence[int]) -> int | None:
        if all(is_kirin(card) for card in trick):
            return None
        return max(
            range(len(trick)),
            key=lambda place: (
                rank_strength(trick[place], self.direction),
                colour_strength(trick[place], self.direction),
            ),
        )

    def after(self, trick: Sequence[int]) -> Order:
        return replace(self, direction=direction_after(mask(trick), self.direction))

    def scoring(self, collected: int) -> int:
        """Return what scores for a seat that collects this colour, as a mask of cards."""
        return of_colour(collected)

    @property
    def fields(self) -> Mapping[str, object]:
        return {"direction": DIRECTIONS[self.direction]}

    @property
    def in_force(self) -> str:
        return say("ascending") if self.direction == ASCENDING else say("descending")

    def no_card(self, text: str) -> str:
        return say("{text!r} is not a card; cards are like D6 ST B+", text=text)


State = CardState[Order]


def score(played: State | Past[int, Order], seat: int, collected: int) -> int:
    """Count the points so far of a seat that collects a colour."""
    rules = played.rules
    return rules.declared_counts + (played.won[seat] & rules.scoring(collected)).bit_count()


def points(played: State | Past[int, Order], colours: Sequence[int], counted: bool = False) -> Masks:
    """Count each seat's points so far, by the colour it collects; if `counted`, the card set aside is one."""
    extra = counted and not played.rules.declared_counts
    return four(extra + score(played, seat, collected) for seat, collected in enumerate(colours))


def at_most(state: State, collected: int) -> int:
    """Return the most points that a seat which collects a colour can win from a state on."""
    return ((sum(state.hands) | mask(state.trick)) & state.rules.scoring(collected)).bit_count()


# ----------------------------------------------------------------------------------------------------
# The disputed readings of Kirin's rulebook, as options.


class KirinReadings(Readings):
    """Options for rules of Kirin that can be read in two ways; all are off by default."""

    declared_counts: Annotated[
        Option, Field(description="the card set aside counts as won by its owner: one point for everybody")
    ] = False
    led_kirin_asks_only_kirin: Annotated[
        Option, Field(description="a led kirin has no rank, so only kirin of a stronger colour qualify")
    ] = False


RulesField = Annotated[KirinReadings | None, ANY_ON, OrText("declared_counts")]


def order_of(rules: KirinReadings | None, direction: int = ASCENDING, as_played: Iterable[int] = ()) -> Order:
    """Return the rules of a trick, with these options; by default of a round's first trick.

    `as_played` has the cards that were played against the rules (`Order.as_played`).
    """
    if rules is None:
        return _order(direction, False, mask(as_played), False)
    return _order(direction, rules.led_kirin_asks_only_kirin, mask(as_played), rules.declared_counts)


_order = lru_cache(maxsize=256)(Order)  # nearly all positions have the same few
