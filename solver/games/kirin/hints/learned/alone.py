"""What a player does that thinks no further than its network: a hint's first answer. Cards as in `order`.

The network (`policy.npz`; `policy.json` tells how it was made and how well it plays) was taught by self-play. It
sees what a seat sees (`seat_inputs`) and says of each card by how much it should be likelier than the plausible
player (`solver.games.kirin.hints.policy`) makes it. Which card to set aside it has not learned: that is the
plausible player's choice.

A choice is the same on every machine: what the network is told is rounded (`seat_inputs.rounded`), and it adds in
an order of its own (`solver.hints.learned.network`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.kirin.fast_rules.order import CARDS
from solver.games.kirin.hints.deal_kernel import ASIDE, HAND, SEAT, Setting
from solver.games.kirin.hints.learned import round_words
from solver.games.kirin.hints.learned.mirror import IMAGES
from solver.games.kirin.hints.learned.round_words import HANDS, LAID, ROUND_WORDS, lay
from solver.games.kirin.hints.learned.seat_inputs import MOST_SEAT, note_play, seat_inputs, told_of
from solver.games.kirin.hints.policy import (
    DIRECTION,
    FEATURES,
    LEADER,
    PLAYED,
    TABLE_WORDS,
    declare_values,
    open_table,
)
from solver.hints.learned.forward import Inputs, Room, evaluate, inputs, room
from solver.hints.learned.network import Network, read
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import kernel, lean

_WEIGHTS = Path(__file__).with_name("policy.npz")
_PLAYS = 8  # of a seat in a round
_NOWHERE = CARDS  # from here on bits stand for cards that nobody knows


class Thought(NamedTuple):
    """Room to think: a card's features, the cards' values, what the network is told, its layers."""

    scratch: Floats
    out: Floats
    seen: Inputs
    layers: Room


class Seen(NamedTuple):
    """A round as one seat sees it (`round_words`, the table's words), and what the plays tell of the colours."""

    state: Words
    table: Words
    belief: Floats


@lean
def logits(net: Network, trust: float, seen: Seen, rule: Floats, thought: Thought) -> int:
    """Write the legal cards' logs of chances, but for what they share, to `thought.out`; return the cards.

    `trust` is what the log of the plausible player's chance counts in the learned player's; `rule` has that one's
    weights.
    """
    out = thought.out
    direction = seen.table[DIRECTION]
    legal = seat_inputs(seen.state, seen.table, seen.belief, rule, thought.scratch, out, thought.seen)
    evaluate(net, thought.seen, thought.layers)
    rest = legal
    place = 0
    while rest != 0:
        image = IMAGES[direction * CARDS + trailing_zeros(rest)]
        rest &= rest - 1
        out[place] = thought.layers.out[image] + trust * told_of(out[place])
        place += 1
    return legal


@lean
def open_round(seen: Seen, leader: int, direction: int) -> None:
    """Begin a round of which nobody's cards are known. `seen` comes with zeros."""
    for seat in range(4):
        seen.state[LAID + seat] = -1
        # Of hands that nobody knows only the size counts.
        seen.state[HANDS + seat] = ((1 << _PLAYS) - 1) << _NOWHERE
    open_table(seen.table, leader, direction)


@lean
def see(seen: Seen, me: int, card: int, rule: Floats, scratch: Floats) -> None:
    """Play the next card. What it tells of its seat's colour is noted, but for the seat `me`, which looks on."""
    state, table = seen.state, seen.table
    seat = (table[LEADER] + table[PLAYED]) & 3
    if seat != me:
        note_play(state, table, card, rule, scratch, seen.belief)
        unknown = state[HANDS + seat]
        state[HANDS + seat] = unknown & (unknown - 1)
    lay(state, table, card)


@lean
def watch(setting: Setting, seen: Seen, scratch: Floats) -> None:
    """Play what the seat that asks has seen of the round."""
    question, tricks = setting.question, setting.tricks
    me = question[SEAT]
    open_round(seen, tricks[0], tricks[1])
    seen.state[round_words.ASIDE + me] = question[ASIDE]
    seen.state[HANDS + me] = question[HAND]
    for trick in range(len(tricks) // 6):
        for place in range(4):
            card = tricks[6 * trick + 2 + place]
            if card >= 0:
                see(seen, me, card, setting.play, scratch)


@kernel
def alone(net: Network, trust: Floats, setting: Setting, seen: Seen, thought: Thought) -> int:
    """Write the chance of each legal card to `thought.out`; return the cards. `seen` comes with zeros."""
    hand = setting.question[HAND]
    if setting.question[ASIDE] < 0:
        declare_values(hand, setting.declare, thought.out)
        to_chances(9, thought.out)
        return int(hand)
    watch(setting, seen, thought.scratch)
    legal = logits(net, trust[0], seen, setting.play, thought)
    to_chances(popcount(legal), thought.out)
    return legal


@lru_cache(maxsize=1)
def policy() -> tuple[Network, Floats]:
    """The network, and its trust in the plausible player (`logits`)."""
    net, further = read(_WEIGHTS)
    return net, further["trust"].astype(np.float64)


def chances(setting: Setting) -> dict[int, float]:
    """The chance of each card that may be played, or set aside, by its number in `order`."""
    net, trust = policy()
    seen = Seen(np.zeros(ROUND_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64), np.zeros(16))
    thought = Thought(np.zeros(FEATURES), np.zeros(CARDS), inputs(MOST_SEAT), room(net))
    legal = alone(net, trust, setting, seen, thought)
    cards = [card for card in range(CARDS) if legal >> card & 1]
    return dict(zip(cards, thought.out.tolist(), strict=False))
