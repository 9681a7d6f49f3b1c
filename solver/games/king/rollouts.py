"""Rounds of King × Alchemy played out by plausible players, in sampled worlds, as kernels."""

from __future__ import annotations

import numpy as np

from solver.games.king.compounding_kernel import PATIENCE, WORK_WORDS, best
from solver.games.king.deck import CARDS
from solver.games.king.fast_rules import (
    BEST,
    LEADER,
    NAMED,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    TABLES,
    THE_DANCER,
    points_of,
    seat_after,
)
from solver.games.king.players import (
    ALL,
    KINDS,
    PICK_FEATURES,
    CardValues,
    Plays,
    Room,
    Setting,
    choose,
    get,
    lose,
    new_room,
    pick_chances,
    play_chances,
    put,
    share_out,
)
from solver.games.king.worlds import (
    GONE,
    HAND,
    PICKING,
    PILES,
    PLAYING,
    SEAT,
    STAGE,
    Evidence,
    Question,
    Reading,
    begin_chain,
    draw,
    kinds_of,
    new_work,
    step_chain,
)
from solver.hints.policy import draw as draw_place
from solver.hints.sampled import Kept
from solver.hints.worlds import new_chain
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.rng import below
from solver.kernels.rng import start as start_stream
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# Statistics of a finished round, for the asking seat: its score; whether it took the trick on the table; the
# points it got of that trick; the bonuses it could make in the end. If there is room, the scores of all seats
# follow.
SCORE, TOOK, TRICK_POINTS, BONUS, SCORES = range(5)
STATISTICS = SCORES

TAKEN_BIT = 1 << CARDS  # along with the cards got of a trick: the seat took it


@inlined
def drawn_play(
    values: CardValues,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    by: Plays,
    room: Room,
    shares: Floats,
    random: Words,
) -> int:
    """The play of a seat, after drawing its kind of player by its `shares` (by seat and kind)."""
    kind = draw_place(KINDS, shares[seat * KINDS :], random)
    count = play_chances(values, node, seat, hand, unseen, by, room, kind)
    return int(room.codes[draw_place(count, room.values, random)])


@lean
def play_on(
    values: CardValues,
    node: Words,
    hands: Words,
    piles: Words,
    gone: int,
    by: Plays,
    room: Room,
    seat_asking: int,
    shares: Floats,
    random: Words,
) -> int:
    """Play the round to its end. `gone` has the cards that everybody sees. Returns the mask of the cards that
    `seat_asking` got of the first trick, with `TAKEN_BIT` if it took the trick.

    `hands` and `piles` are masks by seat; they change, as do the node and the book. The asking seat makes the
    plays that a trained player values most; the others draw theirs (`drawn_play`).
    """
    deal = values.deal
    first = -1
    while True:
        if node[PLAYED] == deal[PLAYERS]:
            before = piles[seat_asking]
            took = TAKEN_BIT if node[BEST] == seat_asking else 0
            share_out(values, node, piles, popcount(hands[node[BEST]]), -1)
            if first < 0:
                first = piles[seat_asking] & ~before | took
        seat = seat_after(deal, node[LEADER], node[PLAYED])
        hand = hands[seat]
        if hand == 0:
            return first
        unseen = ALL & ~gone & ~hand
        if seat == seat_asking:
            move = choose(values, node, seat, hand, unseen, by, room)
        else:
            move = drawn_play(values, node, seat, hand, unseen, by, room, shares, random)
        gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
        put(deal, node, hands, move)


@kernel
def play_worlds(
    question: Question,
    setting: Setting,
    evidence: Evidence,
    kept: Kept,
    moves: Words,
    seed: int,
    first: int,
    infer: bool,
    results: Floats,
    noted: Words,
) -> None:
    """Write the statistics of each move, played to the end of the round, in worlds from number `first` on.

    `moves` are codes: plays, picks or takings.
    `results` has a row per world with a row per move. `noted` has a row per world: its hands, then for each move
    the asking seat's final pile, then for each move what it got of the trick on the table, with `TAKEN_BIT` if it
    took the trick (all masks). If `noted` has room, the final pile and the score for each move and seat follow.
    With `infer`, the worlds are steps of one chain (see `worlds`); otherwise they are independent.
    """
    # Local names for everything that the loops read: in a kernel that allocates arrays, each access to a tuple
    # counts references.
    values, node, by, picking = setting
    deal, recipes, book, adds = values
    words, cards, numbering, _ = question
    players = deal[PLAYERS]
    seat = words[SEAT]
    random = np.zeros(1, np.int64)
    hands = np.zeros(players, np.int64)
    held = np.zeros(players, np.int64)
    won = np.zeros(players, np.int64)
    piles = np.zeros(players, np.int64)
    table = np.zeros(STATE_WORDS, np.int64)
    pages = np.zeros(len(book), np.int64)
    begun = np.zeros(len(book), np.int64)
    later = CardValues(deal, recipes, pages, adds)
    at_first = CardValues(deal, recipes, begun, adds)
    picks = np.zeros(players, np.int64)
    shares = np.zeros(players * KINDS)
    bonus_work = np.zeros(WORK_WORDS, np.int64)
    room = new_room()
    codes, chances = room.codes, room.values
    tables = deal[TABLES:]
    patience = tables[PATIENCE]
    got = players + len(moves)
    ends = got + len(moves)
    reading = Reading(question, evidence, new_work(hands, room, kept))
    chain = new_chain(cards, numbering.groups, np.arange(len(numbering.sizes)), random)
    boxes = chain.boxes
    start_stream(random, seed, first)
    if infer:
        begin_chain(reading, chain)
    for world in range(len(results)):
        if infer:
            for _ in range(1 + len(cards) // 3):
                step_chain(reading, chain)
            hands[seat] = words[HAND]
            for owner in range(players - 1):
                hands[seat_after(deal, seat, owner + 1)] = boxes[owner]
        else:
            start_stream(random, seed, first + world)
            draw(reading, chain)
        for step in range(1, players):
            other = seat_after(deal, seat, step)
            kinds_of(reading, other, hands[other], infer, shares[other * KINDS :])
        if words[STAGE] == PICKING:
            for step in range(1, players):
                other = seat_after(deal, seat, step)
                kind = draw_place(KINDS, shares[other * KINDS :], random)
                count = pick_chances(values, other, hands[other], picking[kind * PICK_FEATURES :], room)
                picks[other] = codes[draw_place(count, chances, random)]
                hands[other] &= ~(1 << picks[other])
        for other in range(players):
            noted[world, other] = hands[other]
        for word in range(len(book)):
            begun[word] = book[word]
        forgotten = 0  # the cards that are gone, which half a memory does not know
        if words[STAGE] != PICKING:
            forgotten = ALL & ~words[GONE]
            for other in range(players):
                forgotten &= ~hands[other]
        for other in range(players):
            won[other] = words[PILES + other]
        left = forgotten
        while left != 0:  # most are in a pile of somebody else, as likely in one as in another; some are discarded
            card, step = trailing_zeros(left), below(random, players)
            if step == 0:
                lose(at_first, card)
            else:
                other = seat_after(deal, seat, step)
                get(at_first, other, card)
                won[other] |= 1 << card
            left &= left - 1
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            gone = words[GONE] | forgotten
            for other in range(players):
                held[other] = hands[other]
                piles[other] = won[other]
            for word in range(STATE_WORDS):
                table[word] = node[word]
            for word in range(len(book)):
                pages[word] = begun[word]
            now = 0  # what the seat got of the trick on the table
            if words[STAGE] == PICKING:
                picks[seat] = moves[index]
                held[seat] &= ~(1 << picks[seat])
                for other in range(players):
                    piles[other] = 1 << picks[other]
                    gone |= 1 << picks[other]
                    get(later, other, picks[other])
            elif words[STAGE] == PLAYING:
                move = moves[index]
                gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
                put(deal, table, held, move)
            else:
                before = piles[seat]
                share_out(later, table, piles, popcount(held[seat]), moves[index])
                now = piles[seat] & ~before | TAKEN_BIT
            next_trick = play_on(later, table, held, piles, gone, by, room, seat, shares, random)
            if words[STAGE] == PLAYING:
                now = next_trick
            cards_got = now & ~TAKEN_BIT
            bonus = best(tables, bonus_work, piles[seat], patience)
            results[world, index, SCORE] = points_of(deal, piles[seat]) + bonus
            results[world, index, TOOK] = 1 if now != cards_got else 0
            results[world, index, TRICK_POINTS] = points_of(deal, cards_got)
            results[world, index, BONUS] = bonus
            noted[world, players + index] = piles[seat]
            noted[world, got + index] = now
            if results.shape[2] > STATISTICS:
                for other in range(players):
                    made = best(tables, bonus_work, piles[other], patience)
                    results[world, index, SCORES + other] = points_of(deal, piles[other]) + made
                    if noted.shape[1] > ends:
                        place = ends + 2 * (index * players + other)
                        noted[world, place] = piles[other]
                        noted[world, place + 1] = points_of(deal, piles[other]) + made
