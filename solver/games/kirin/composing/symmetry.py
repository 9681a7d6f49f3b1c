"""Which rounds of Kirin are the same puzzle: the seats turned round, and the order seen in the mirror.

The mirror exchanges Dragon with Tortoise, Bird with Tiger, 1 with 6, 2 with 5, 3 with 4, the two kirin of a
colour, and the two directions. What is stronger stays stronger, so every play stays what it was. No other exchange
of colours does that. Cards won before add the same to every value, and what others collect is nothing where one
seat's score counts alone: both are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.games.kirin.cards.deck import ASCENDING_KIRIN, COLOURS, DESCENDING, RANKS, TRUMP
from solver.games.kirin.cards.rules import SEATS
from solver.games.kirin.positions.fields import numbers
from solver.games.kirin.positions.known import KnownPosition

_DESCENDING_KIRIN = ASCENDING_KIRIN + 1
_MIRRORED = {TRUMP: TRUMP, ASCENDING_KIRIN: _DESCENDING_KIRIN, _DESCENDING_KIRIN: ASCENDING_KIRIN}


def mirrored(card: int) -> int:
    """The card that is in the other direction what this one is in its own."""
    colour, rank = divmod(card, len(RANKS))
    return (len(COLOURS) - 1 - colour) * len(RANKS) + _MIRRORED.get(rank, TRUMP - 1 - rank)


def key(position: KnownPosition, player: int, *, all_score: bool) -> str:
    """A text that positions share which are the same but for these symmetries; `all_score`: under `maxn`."""
    hands, trick = [numbers(hand) for hand in position.hands], position.plays
    collected = list(position.colours)
    direction = position.state.direction
    straight = _written(position.leader, direction, trick, hands, collected, player, all_score)
    other = _written(
        position.leader,
        DESCENDING - direction,
        [mirrored(card) for card in trick],
        [[mirrored(card) for card in hand] for hand in hands],
        [len(COLOURS) - 1 - colour for colour in collected],
        player,
        all_score,
    )
    return min(straight, other)


def _written(
    leader: int,
    direction: int,
    trick: Sequence[int],
    hands: Sequence[Sequence[int]],
    collected: Sequence[int],
    player: int,
    all_score: bool,
) -> str:
    """The position with the seats counted from the leader on."""
    seats = [(leader + step) % SEATS for step in range(SEATS)]
    colours = [collected[seat] for seat in seats] if all_score else [collected[player]]
    cards = [sorted(hands[seat]) for seat in seats]
    return f"{direction} {list(trick)} {cards} {colours} {(player - leader) % SEATS}"
