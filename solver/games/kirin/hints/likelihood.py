"""What the others have done tells of what they hold: how likely a seat would have done it. Cards as in `order`.

Each seat is taken to be of one of the kinds of `players`, to set aside and to play as these do, and now and then
at random: each kind's chance of all of its choices counts. Worlds by these chances come from the chain of
`solver.hints.chain`: boxes 0 to 2 are the hands of the seats after the one that asks, boxes 3 to 5 what they have
set aside.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from solver.games.kirin.hints.ahead import Ahead
from solver.games.kirin.hints.deal_kernel import SEAT, Setting, draw_world
from solver.games.kirin.hints.players import (
    BY_RULES,
    KINDS,
    MIXED,
    MOST,
    Room,
    expects,
    judge_kinds_of,
    new_room,
)
from solver.games.kirin.hints.policy import (
    ALL,
    COLOURS,
    TABLE_WORDS,
    colour_of,
    legal_cards,
    open_table,
    put,
    rank_of,
)
from solver.hints import chain as templates
from solver.hints.chain import Chain, new_chain
from solver.hints.kept import Kept, slot_of
from solver.hints.policy import mixed, to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined, kernel, lean

RANKS = 9  # of a colour, as `policy.rank_of` counts them
# Words of a play that was seen: the seat (-1: no play), its card, the cards played before it, and the table.
PLAYER, CARD, BEFORE, TABLE = range(4)
SEEN_WORDS = TABLE + TABLE_WORDS


class Evidence(NamedTuple):
    """What the seats are judged by: the plays that were seen, in rows, and what players of the kinds go by, as in
    the setting. `lifts` has by kind and rank exp(what a card set aside is worth less what it is worth kept).
    """

    seen: Words
    play: Floats
    declare: Floats
    ahead: Ahead
    lifts: Floats


class Work(NamedTuple):
    """What the kernels write to on the way.

    By kind of player, `chances` has how likely it is that a seat is of it and has chosen so. `kept` has such
    chances of hands that were judged before, with the same evidence; the rest need not be kept.
    """

    hands: Words
    aside: Words
    table: Words
    room: Room
    chances: Floats
    kept: Kept


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
                for word in range(TABLE_WORDS):
                    seen[row, TABLE + word] = table[word]
                gone |= 1 << card
                put(table, card)


@kernel
def new_work(hands: Words, aside: Words, table: Words, kept: Kept) -> Work:
    """Work with these words, and what was found before of the same view."""
    return Work(hands, aside, table, new_room(), np.zeros(KINDS), kept)


@kernel
def seen_plays(tricks: Words) -> Words:
    """The plays of the tricks, as `lay_seen` writes them."""
    seen = np.zeros((len(tricks) // 6 * 4, SEEN_WORDS), np.int64)
    lay_seen(tricks, np.zeros(TABLE_WORDS, np.int64), seen)
    return seen


@kernel
def evidence_of(setting: Setting) -> Evidence:
    """What the seats are judged by in a view."""
    lifts = np.zeros(KINDS * RANKS)
    for kind in range(KINDS):
        if expects(setting.ahead, kind):
            weights = setting.declare if kind == BY_RULES else setting.ahead.declare
            for rank in range(RANKS):
                lifts[kind * RANKS + rank] = exp(weights[RANKS + rank] - weights[rank])
    return Evidence(seen_plays(setting.tricks), setting.play, setting.declare, setting.ahead, lifts)


@lean
def declared(hand: int, aside: int, weights: Floats, lifts: Floats) -> float:
    """The chance that `aside` is the card of a hand of nine that is set aside by `policy.declare_values`."""
    total = 0.0
    chosen = 0.0
    for colour in range(4):
        cards = hand & COLOURS[colour]
        if cards == 0:
            continue
        kept = 0.0
        lift = 0.0
        while cards != 0:
            rank = rank_of(trailing_zeros(cards))
            cards &= cards - 1
            kept += weights[unsigned(rank)]
            lift += lifts[unsigned(rank)]
        kept = exp(kept)
        total += kept * lift
        if colour == colour_of(aside):
            chosen = kept * lifts[unsigned(rank_of(aside))]
    return chosen / total


@lean
def likelihood(seat: int, hand: int, aside: int, evidence: Evidence, work: Work) -> float:
    """How likely a seat that holds `hand` (a mask) now would have set `aside` aside and played what it did.

    How likely it is of each kind, and has done so, is written to the chances of `work`.
    """
    key = ((hand << 6) | aside) * 4 + seat + 1
    slot = slot_of(key)
    found = work.kept.chances[slot * KINDS :]
    if work.kept.keys[slot] != key:
        work.kept.keys[slot] = key
        judge_kinds(seat, hand, aside, evidence, work)
        for kind in range(KINDS):
            found[kind] = work.chances[kind]
    total = 0.0
    for kind in range(KINDS):
        work.chances[kind] = found[kind]
        total += found[kind]
    return float(total)


@lean
def judge_kinds(seat: int, hand: int, aside: int, evidence: Evidence, work: Work) -> None:
    """Write how likely a seat that holds `hand` now is of each kind and would have chosen as it did."""
    seen, ahead, table, room, chances = evidence.seen, evidence.ahead, work.table, work.room, work.chances
    for row in range(len(seen)):
        if seen[row, PLAYER] == seat:
            hand |= 1 << seen[row, CARD]
    nine = hand | (1 << aside)
    for kind in range(KINDS):
        chances[kind] = 0.0
        if expects(ahead, kind):
            weights = evidence.declare if kind == BY_RULES else ahead.declare
            chosen = declared(nine, aside, weights, evidence.lifts[kind * RANKS :])
            chances[kind] = ahead.expected[kind] * mixed(chosen, 1.0, MOST, MIXED[kind])
    own = COLOURS[colour_of(aside)]
    for row in range(len(seen)):
        if seen[row, PLAYER] != seat:
            continue
        for word in range(TABLE_WORDS):
            table[word] = seen[row, TABLE + word]
        card = seen[row, CARD]
        legal = legal_cards(hand, table)
        if legal & (legal - 1) != 0:
            unseen = ALL & ~hand & ~seen[row, BEFORE] & ~(1 << aside)
            judge_kinds_of(hand, own, unseen, table, legal, evidence.play, ahead, room)
            count = popcount(legal)
            place = popcount(legal & ((1 << card) - 1))
            for kind in range(KINDS):
                if expects(ahead, kind):
                    told = room.values[kind * MOST :]
                    to_chances(count, told)
                    chances[kind] *= mixed(told[place], 1.0, count, MIXED[kind])
        hand &= ~(1 << card)


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
