"""Which of King × Alchemy's moves to look at, in which order."""

from __future__ import annotations

from solver.games.king.cards.deck import SUITS
from solver.games.king.fast_rules.dancer import names
from solver.games.king.fast_rules.kernel import (
    BEST,
    GAINED,
    HANDS,
    LEAD,
    LEADER,
    LIVE,
    NAMED,
    ORDER,
    PLAYED,
    PLAYER,
    PLAYERS,
    POINTS,
    PROBE_NODES,
    PROBE_TRICKS,
    THE_DANCER,
    card_at,
    maximises,
    offered,
    playable,
    seat_to_move,
)
from solver.games.king.fast_rules.switches import CONTEXTS
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import inlined, lean
from solver.search.tricks.words import SWITCHES


@inlined
def insert(out: Words, to: int, count: int, move: int, worth: int) -> int:
    """Sort a move in by its worth, kept above the move's code in one word."""
    word = (worth << 8) | move
    place = to + count
    while place > to and out[place - 1] < word:
        out[place] = out[place - 1]
        place -= 1
    out[place] = word
    return count + 1


@inlined
def context(deal: Words, state: Words, at: int) -> int:
    """The side to move, the suit led (or none), and whether the player is ahead, yet to play, or beaten."""
    side = maximises(deal, state, at)
    if deal[SWITCHES] & CONTEXTS == 0:
        return int(side)
    ahead = 0
    if state[at + PLAYED] != 0:
        place = deal[PLAYER] - state[at + LEADER]
        if place < 0:
            place += deal[PLAYERS]
        ahead = 1 if state[at + BEST] == deal[PLAYER] else 2 if place >= state[at + PLAYED] else 3
    return int(((state[at + LEAD] + 1) * 4 + ahead) * 2 + side)


@inlined
def probing(deal: Words, tricks: int) -> int:
    """The nodes that each of the opponents' moves first has, with so many tricks left."""
    return int(deal[PROBE_NODES]) if tricks >= deal[PROBE_TRICKS] else 0


@lean
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int, history: Words, past: int) -> int:
    """The plays of the seat to move, or the ways to share out a full trick that differ in the player's gain."""
    count = 0
    side = maximises(deal, state, at)
    if state[at + PLAYED] == deal[PLAYERS]:
        offer = offered(deal, state, at)
        order = state[at + ORDER]
        pair = state[at + BEST] == deal[PLAYER]
        for place in range(deal[PLAYERS]):
            if (offer >> card_at(order, place)) & 1 == 0:
                continue
            points = deal[POINTS + card_at(order, place)]
            if pair:
                for other in range(place):
                    if (offer >> card_at(order, other)) & 1:
                        move = GAINED + (1 << place) + (1 << other)
                        count = insert(out, to, count, move, points + deal[POINTS + card_at(order, other)])
            else:
                count = insert(out, to, count, GAINED + (1 << place), points if side == 1 else 1000 - points)
    else:
        hand = state[at + LIVE] & deal[HANDS + seat_to_move(deal, state, at)]
        cards = hand if state[at + PLAYED] == 0 else playable(deal, hand, state[at + LEAD])
        while cards != 0:
            card = trailing_zeros(cards)
            cards &= cards - 1
            if card != deal[THE_DANCER]:
                worth = 1 << 50 if card == first else int(history[past + card])
                count = insert(out, to, count, card, worth)
                continue
            suits = names(deal, state, at, hand)
            for suit in range(SUITS):
                if (suits >> suit) & 1:
                    move = NAMED + suit
                    worth = 1 << 50 if move == first else int(history[past + move])
                    count = insert(out, to, count, move, worth)
    for place in range(to, to + count):
        out[place] &= 255
    return count
