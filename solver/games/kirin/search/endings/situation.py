"""Where a trick stands, in the groups that Kirin's static tests pass around. Cards are sets, as masks."""

from __future__ import annotations

from typing import NamedTuple


class Hands(NamedTuple):
    """The cards in all hands (`live`) and in the player's (`mine`); the directions that can still be in force."""

    live: int
    mine: int
    directions: int


class OnTable(NamedTuple):
    """An unfinished trick: its cards and direction, what would get ahead (`over`), and how the player stands."""

    cards: int
    direction: int
    over: int
    standing: int


class Followers(NamedTuple):
    """What the seats that have yet to play to the trick may do, the player left out.

    `against`: the cards that they may play. `forced`: those seats, as bits, that must play a card that scores for
    the player. `yet`: all of those seats, as bits; the player's own bit does not matter.
    """

    against: int
    forced: int
    yet: int
