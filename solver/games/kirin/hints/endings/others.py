"""How likely the others play each card in an ending, as kernels. Cards as in `order`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.hints.deal_kernel import Setting
from solver.games.kirin.hints.players import KINDS, MOST, Room, expects, judge_kinds_of, new_room
from solver.games.kirin.hints.policy import ALL, COLOURS, colour_of
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel, lean

MOST_CARDS = 3  # in the hand
_KEPT = 1021  # replies


class Replies(NamedTuple):
    """How likely players play each legal card, kept for one turn, as most hands are those of several deals.

    By slot: the `keys` of a hand and a card set aside, the number of the turn, and the `chances`, by kind and
    card; `turn` is the number of this turn.
    """

    keys: Words
    turns: Words
    chances: Floats
    turn: Words
    room: Room


@kernel
def new_replies() -> Replies:
    """Room for replies."""
    return Replies(
        np.zeros(_KEPT, np.int64),
        np.zeros(_KEPT, np.int64),
        np.zeros((_KEPT, KINDS * MOST_CARDS)),
        np.zeros(1, np.int64),
        new_room(),
    )


@lean
def reply(setting: Setting, replies: Replies, hand: int, aside: int, gone: int, legal: int, table: Words) -> int:
    """The slot of `replies` with the chances of the legal cards of a hand, two or more, at this turn."""
    key = (hand << 6) | aside
    slot = key % _KEPT
    if replies.keys[slot] == key and replies.turns[slot] == replies.turn[0]:
        return int(slot)
    replies.keys[slot], replies.turns[slot] = key, replies.turn[0]
    room, ahead = replies.room, setting.ahead
    own = COLOURS[colour_of(aside)]
    unseen = ALL & ~hand & ~gone & ~(1 << aside)
    judge_kinds_of(hand, own, unseen, table, legal, setting.play, ahead, room)
    count = popcount(legal)
    for kind in range(KINDS):
        told = room.values[kind * MOST :]
        if expects(ahead, kind):
            to_chances(count, told)
        for place in range(count):
            replies.chances[slot, kind * MOST_CARDS + place] = told[place]
    return int(slot)
