"""What the others have done tells of what they hold: how likely a seat with some hand would have done it.

A seat is taken to pick and to play by a softmax of the values of `policy`, and now and then at random. It is of
one of some kinds (`kinds`), and which one its own choices tell: each kind's chance of all of them counts. What it
takes and gives says nothing: that goes by the piles, which everybody sees. Worlds by these chances come from the
chain of `solver.hints.chain`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.cards.deck import CARDS, DANCER, TRUMP
from solver.games.king.fast_rules.kernel import (
    LEAD,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    SUIT_CARDS,
    THE_DANCER,
    card_at,
    seat_after,
)
from solver.games.king.hints.deal_kernel import MOST_SEATS, SEAT, Question, draw_world
from solver.games.king.hints.evidence import (
    BEFORE,
    CODE,
    MOST_TRICKS,
    NODE,
    PICK_SHARES,
    SEEN_WORDS,
    Evidence,
)
from solver.games.king.players.ahead import own_inputs, shared_inputs, think_of_choice, think_of_play
from solver.games.king.players.features import features
from solver.games.king.players.kinds import MIXED
from solver.games.king.players.policy import (
    AHEAD,
    ALL,
    KINDS,
    MOST_PLAYS,
    PLAY_WEIGHTS,
    Room,
    context_of,
    plays,
    row_of_weights,
    weighted,
)
from solver.hints import chain as templates
from solver.hints.chain import Chain
from solver.hints.kept import Kept, slot_of
from solver.hints.policy import mixed, to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, kernel, lean


class Work(NamedTuple):
    """What the kernels write to on the way; it need not be kept.

    `hands` by seat, `room` for a choice, and by kind the `shares` of the plays and the `chances` of all choices
    (each times how many players of the kind are expected).
    """

    hands: Words
    room: Room
    shares: Floats
    chances: Floats
    kept: Kept


class Reading(NamedTuple):
    """The `game` of the chain."""

    question: Question
    evidence: Evidence
    work: Work


@kernel
def new_work(hands: Words, room: Room, kept: Kept) -> Work:
    """Work with these hands, this room and what was found before of the same view."""
    return Work(hands, room, np.zeros(KINDS * MOST_PLAYS), np.zeros(KINDS), kept)


@lean
def draw(reading: Reading, chain: Chain) -> None:
    """Write the places of a uniform world."""
    players = reading.evidence.deal[PLAYERS]
    draw_world(reading.question, players, chain.random, chain.places, reading.work.hands)


@lean
def picked(evidence: Evidence, seat: int, dealt: int, kind: int) -> float:
    """How likely a kind of player would have picked from the cards dealt what it did (`picking`)."""
    deal, pick = evidence.deal, evidence.picks[seat]
    shares = evidence.shares[kind * PICK_SHARES :]
    chosen = 0.0
    total = 0.0
    for suit in range(DANCER + 1):
        cards = dealt & deal[SUIT_CARDS + suit]
        if cards == 0:
            continue
        times = shares[CARDS + popcount(cards) - 1] if suit < TRUMP else 1.0
        if pick & cards != 0:
            chosen = times * shares[trailing_zeros(pick)]
        while cards != 0:
            total += times * shares[trailing_zeros(cards)]
            cards &= cards - 1
    return float(mixed(chosen, total, popcount(dealt), MIXED[kind]))


@inlined
def stands_for(node: Words, move: int, code: int) -> bool:
    """Whether an offered play stands for the one made: one name of the Dancer does for all that lose."""
    lead = NAMED + node[LEAD]
    loses = move >= NAMED and code >= NAMED and node[PLAYED] != 0 and move != lead and code != lead
    return bool(move == code or loses)


@lean
def likelihood(evidence: Evidence, work: Work, seat: int, hand: int) -> float:
    """How likely a seat that holds `hand` (a mask) now would have picked and played what it did."""
    key = hand * MOST_SEATS + seat + 1
    slot = slot_of(key)
    kept = work.kept.chances[slot * KINDS :]
    if work.kept.keys[slot] != key:
        work.kept.keys[slot] = key
        judge_kinds(evidence, work, seat, hand)
        for kind in range(KINDS):
            kept[kind] = work.chances[kind]
    total = 0.0
    for kind in range(KINDS):
        work.chances[kind] = kept[kind]
        total += kept[kind]
    return float(total)


@lean
def judge_kinds(evidence: Evidence, work: Work, seat: int, hand: int) -> None:
    """Write how likely each kind of player that holds `hand` now would have done what the seat did, times how many
    players of it are expected, to the chances of `work`.
    """
    deal, codes, table, shares = evidence.deal, work.room.codes, work.room.table, work.shares
    dancer = deal[THE_DANCER]
    net = evidence.plays.ahead
    thinks = len(net.last) != 0
    first = seat * MOST_TRICKS
    last = first + evidence.counts[seat]
    for row in range(first, last):
        code = evidence.seen[row * SEEN_WORDS + CODE]
        hand |= 1 << (dancer if code >= NAMED else code)
    for kind in range(KINDS):
        work.chances[kind] = picked(evidence, seat, hand | evidence.picks[seat], kind)
    for row in range(first, last):
        code = evidence.seen[row * SEEN_WORDS + CODE]
        node = evidence.seen[row * SEEN_WORDS + NODE :]
        count = plays(deal, node, hand, codes)
        if count > 1:
            at = row * CARDS
            order = node[ORDER]
            for place in range(node[PLAYED]):
                table[place] = evidence.card_values[at + card_at(order, place)]
            unseen = ALL & ~evidence.seen[row * SEEN_WORDS + BEFORE] & ~hand
            start = row_of_weights(deal, node, popcount(hand))
            context = context_of(deal, node)
            if thinks:
                shared_inputs(deal, node, hand, unseen, table, work.room.ahead.shared)
                think_of_choice(net, context, work.room.ahead)
            done = 0
            for place in range(count):
                move = codes[place]
                own = evidence.card_values[at + (dancer if move >= NAMED else move)]
                of_play = features(deal, node, hand, unseen, move, own, table)
                for kind in range(KINDS):
                    if kind == AHEAD and thinks:
                        own_inputs(deal, node, hand, unseen, move, of_play, work.room.ahead.own)
                        shares[kind * MOST_PLAYS + place] = think_of_play(net, context, work.room.ahead)
                    else:
                        shares[kind * MOST_PLAYS + place] = weighted(
                            of_play, evidence.plays.weights, kind * PLAY_WEIGHTS + start
                        )
                if stands_for(node, move, code):
                    done = place
            for kind in range(KINDS):
                own_shares = shares[kind * MOST_PLAYS :]
                to_chances(count, own_shares)
                work.chances[kind] *= mixed(own_shares[done], 1.0, count, MIXED[kind])
        hand &= ~(1 << (dancer if code >= NAMED else code))
    for kind in range(KINDS):
        work.chances[kind] *= evidence.expected[kind]


@lean
def kinds_of(reading: Reading, seat: int, hand: int, infer: bool, shares: Floats) -> None:
    """Write how likely a seat that holds `hand` is of each kind; without `infer`, how many are expected."""
    evidence, work = reading.evidence, reading.work
    total = 1.0
    if infer:
        total = likelihood(evidence, work, seat, hand)
    else:
        for kind in range(KINDS):
            work.chances[kind] = evidence.expected[kind]
    for kind in range(KINDS):
        shares[kind] = work.chances[kind] / total


@inlined
def owner_likelihood(reading: Reading, chain: Chain, owner: int) -> float:
    """The likelihood of what the seat `owner` + 1 after the one that asks has done."""
    seat = seat_after(reading.evidence.deal, reading.question.words[SEAT], owner + 1)
    return likelihood(reading.evidence, reading.work, seat, chain.boxes[owner])


begin_chain, step_chain = templates.chain_kernels("king", draw, owner_likelihood)
