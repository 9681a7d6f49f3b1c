"""Rounds of King × Alchemy played to the end by plausible players, in sampled worlds, as kernels."""

from __future__ import annotations

import numpy as np

from solver.games.king.compounding.kernel import WORK_WORDS, best
from solver.games.king.fast_rules.kernel import (
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
from solver.games.king.hints.card_values import get
from solver.games.king.hints.deal_kernel import GONE, HAND, PICKING, PILES, PLAYING, SEAT, STAGE
from solver.games.king.hints.likelihood import KINDS, Evidence, Reading, Work, begin_chain, draw, step_chain
from solver.games.king.hints.pick_policy import pick_chances
from solver.games.king.hints.policy import ALL, MOST_PLAYS, SCRATCH, choose
from solver.games.king.hints.take_policy import put, share_out
from solver.hints.chain import new_chain
from solver.hints.policy import draw as draw_place
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream

# Statistics of a finished round, for the seat that asks: the round's score; whether it took the trick on the
# table; the victory points that it got of that trick; the bonuses of what it could make in the end.
SCORE, TOOK, TRICK_POINTS, BONUS = range(4)
STATISTICS = 4


@lean
def play_on(
    deal: Words,
    recipes: Words,
    book: Words,
    adds: Floats,
    node: Words,
    hands: Words,
    piles: Words,
    gone: int,
    weights: Floats,
    codes: Words,
    scratch: Floats,
    out: Floats,
    seat_asking: int,
) -> int:
    """Play the round to its end. `gone` has the cards that everybody sees. Returns what became of the first trick.

    That is twice the points that `seat_asking` got of it, and one more if it took it.
    """
    told = -1
    while True:
        if node[PLAYED] == deal[PLAYERS]:
            before = piles[seat_asking]
            took = 1 if node[BEST] == seat_asking else 0
            share_out(deal, recipes, book, node, piles, popcount(hands[node[BEST]]), adds, -1, -1)
            if told < 0:
                told = 2 * points_of(deal, piles[seat_asking] & ~before) + took
        seat = seat_after(deal, node[LEADER], node[PLAYED])
        hand = hands[seat]
        if hand == 0:
            return told
        move = choose(
            deal, recipes, book, adds, node, seat, hand, ALL & ~gone & ~hand, weights, codes, scratch, out
        )
        gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
        put(deal, node, hands, move)


@kernel
def play_worlds(
    given: Evidence,
    book: Words,
    node: Words,
    moves: Words,
    cards: Words,
    allowed: Words,
    seed: int,
    first: int,
    infer: bool,
    results: Floats,
) -> None:
    """The statistics of each move played to the end of the round, in worlds number `first` and on.

    `node` is the trick on the table, judged if full, and `book` that of the piles. A move is a row of `moves`: a
    play's code; a card picked; the cards taken and the card given (-1: none). `cards` are the unseen cards, each
    `allowed` in a mask of hands. With `infer` the worlds are steps of one chain (see `likelihood`), otherwise each
    is drawn for itself.
    """
    deal, recipes, adds, weights, picking, question = (
        given.deal, given.recipes, given.adds, given.play, given.pick, given.question,
    )  # fmt: skip
    players = deal[PLAYERS]
    seat = question[SEAT]
    random = np.zeros(1, np.int64)
    hands = np.zeros(players, np.int64)
    held = np.zeros(players, np.int64)
    piles = np.zeros(players, np.int64)
    table = np.zeros(STATE_WORDS, np.int64)
    codes = np.zeros(MOST_PLAYS, np.int64)
    pages = np.zeros(len(book), np.int64)
    picks = np.zeros(players, np.int64)
    scratch = np.zeros(SCRATCH)
    out = np.zeros(MOST_PLAYS)
    work = np.zeros(WORK_WORDS, np.int64)
    reading = Reading(given, Work(hands, codes, scratch, np.zeros(KINDS * MOST_PLAYS), np.zeros(KINDS)))
    chain = new_chain(cards, allowed, np.arange(players - 1), random)
    start_stream(random, seed, first)
    if infer:
        begin_chain(reading, chain)
    for world in range(len(results)):
        if infer:
            for _ in range(1 + len(cards) // 3):
                step_chain(reading, chain)
            hands[seat] = question[HAND]
            for owner in range(players - 1):
                hands[seat_after(deal, seat, owner + 1)] = chain.boxes[owner]
        else:
            start_stream(random, seed, first + world)
            draw(reading, chain)
        if question[STAGE] == PICKING:
            for step in range(1, players):
                other = seat_after(deal, seat, step)
                count = pick_chances(deal, recipes, book, adds, other, hands[other], picking, codes, scratch, out)
                picks[other] = codes[draw_place(count, out, random)]
                hands[other] &= ~(1 << picks[other])
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            gone = question[GONE]
            for other in range(players):
                held[other] = hands[other]
                piles[other] = question[PILES + other]
            for word in range(STATE_WORDS):
                table[word] = node[word]
            for word in range(len(book)):
                pages[word] = book[word]
            told = 0
            if question[STAGE] == PICKING:
                picks[seat] = moves[index, 0]
                held[seat] &= ~(1 << picks[seat])
                for other in range(players):
                    piles[other] = 1 << picks[other]
                    gone |= 1 << picks[other]
                    get(deal, recipes, pages, other, picks[other])
            elif question[STAGE] == PLAYING:
                move = moves[index, 0]
                gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
                put(deal, table, held, move)
            else:
                before = piles[seat]
                left = popcount(held[seat])
                share_out(deal, recipes, pages, table, piles, left, adds, moves[index, 0], moves[index, 1])
                told = 2 * points_of(deal, piles[seat] & ~before) + 1
            later = play_on(
                deal, recipes, pages, adds, table, held, piles, gone, weights, codes, scratch, out, seat
            )
            if question[STAGE] == PLAYING:
                told = later
            bonus = best(deal[TABLES:], work, piles[seat])
            results[world, index, SCORE] = points_of(deal, piles[seat]) + bonus
            results[world, index, TOOK] = told & 1
            results[world, index, TRICK_POINTS] = told >> 1
            results[world, index, BONUS] = bonus
