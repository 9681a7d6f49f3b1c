"""What the others have done tells of what they hold: how likely a seat would have done it. Cards as in `order`.

Each seat is taken to set aside and to play as the plausible player of `policy` would, with one choice in ten made
at random. Worlds by these chances come from the chain of `solver.hints.chain`: boxes 0 to 2 are the hands of the
seats after the one that asks, boxes 3 to 5 what they have set aside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.hints.deal_kernel import SEAT, Setting, draw_world
from solver.games.kirin.hints.policy import (
    ALL,
    COLOURS,
    colour_of,
    declare_values,
    legal_cards,
    open_table,
    put,
    values,
)
from solver.hints import chain as templates
from solver.hints.chain import Chain, new_chain
from solver.hints.policy import mixed, to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, kernel, lean

MIXED = 0.1  # of each choice is taken to be made at random
# Words of a play that was seen: the seat (-1: no play), its card, the cards played before it, and the table.
PLAYER, CARD, BEFORE, TABLE = range(4)
SEEN_WORDS = TABLE + 7


class Evidence(NamedTuple):
    """What the seats are judged by: the plays that were seen, in rows, and the plausible player's weights."""

    seen: Words
    play: Floats
    declare: Floats


class Work(NamedTuple):
    """What the kernels write to on the way; it need not be kept."""

    hands: Words
    aside: Words
    table: Words
    features: Floats
    values: Floats


class Reading(NamedTuple):
    """The `game` of the chain."""

    setting: Setting
    evidence: Evidence
    work: Work


@lean
def lay_seen(tricks: Words, table: Words, seen: Words) -> None:
    """Write the plays of the tricks (leader, direction, four cards or -1 each) to the rows of `seen`."""
    gone = 0
    for trick in range(len(tricks) // 6):
        open_table(table, tricks[6 * trick], tricks[6 * trick + 1])
        for place in range(4):
            row = 4 * trick + place
            card = tricks[6 * trick + 2 + place]
            seen[row, PLAYER] = -1
            if card >= 0:
                seen[row, PLAYER] = (tricks[6 * trick] + place) & 3
                seen[row, CARD] = card
                seen[row, BEFORE] = gone
                for word in range(7):
                    seen[row, TABLE + word] = table[word]
                gone |= 1 << card
                put(table, card)


@lean
def likelihood(seat: int, hand: int, aside: int, evidence: Evidence, work: Work) -> float:
    """How likely a seat that holds `hand` (a mask) now would have set `aside` aside and played what it did."""
    seen, table, out = evidence.seen, work.table, work.values
    for row in range(len(seen)):
        if seen[row, PLAYER] == seat:
            hand |= 1 << seen[row, CARD]
    nine = hand | (1 << aside)
    declare_values(nine, evidence.declare, out)
    to_chances(9, out)
    chance = mixed(out[popcount(nine & ((1 << aside) - 1))], 1.0, 9, MIXED)
    own = COLOURS[colour_of(aside)]
    for row in range(len(seen)):
        if seen[row, PLAYER] != seat:
            continue
        for word in range(7):
            table[word] = seen[row, TABLE + word]
        card = seen[row, CARD]
        legal = legal_cards(hand, table)
        if legal & (legal - 1) != 0:
            unseen = ALL & ~hand & ~seen[row, BEFORE] & ~(1 << aside)
            values(hand, own, unseen, table, evidence.play, work.features, out)
            count = popcount(legal)
            to_chances(count, out)
            chance *= mixed(out[popcount(legal & ((1 << card) - 1))], 1.0, count, MIXED)
        hand &= ~(1 << card)
    return float(chance)


@lean
def draw_places(reading: Reading, chain: Chain) -> None:
    """Write the places of a uniform world."""
    setting, work = reading.setting, reading.work
    draw_world(setting, chain.random, chain.places, work.hands, work.aside)
    for step in range(1, 4):
        other = (setting.question[SEAT] + step) & 3
        for index in range(len(chain.cards)):
            if work.aside[other] == chain.cards[index]:
                chain.places[index] = step + 2


@inlined
def owner_likelihood(reading: Reading, chain: Chain, owner: int) -> float:
    """The likelihood of what the seat `owner` + 1 after the one that asks has done."""
    seat = (reading.setting.question[SEAT] + 1 + owner) & 3
    aside = trailing_zeros(chain.boxes[3 + owner])
    return likelihood(seat, chain.boxes[owner], aside, reading.evidence, reading.work)


@kernel
def open_chain(setting: Setting, random: Words) -> Chain:
    """A chain over the deals of the unseen cards, not begun yet."""
    # A card set aside was never held while it was played: group 3 stands for every such place.
    groups = setting.numbering.groups
    allowed = np.empty(len(groups), np.int64)
    for index in range(len(groups)):
        allowed[index] = (groups[index] & 7) | (56 if groups[index] & 8 else 0)
    return new_chain(setting.cards, allowed, np.arange(6) % 3, random)


begin_chain, step_chain = templates.chain_kernels("kirin", draw_places, owner_likelihood)
