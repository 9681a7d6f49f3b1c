"""A round of King × Alchemy with every seat's pile, over the search's words: its moves, and the node after one."""

from __future__ import annotations

from solver.games.king.cards.deck import SUITS
from solver.games.king.fast_rules.dancer import names
from solver.games.king.fast_rules.kernel import (
    BEST,
    HANDS,
    LEAD,
    LIVE,
    LOWER,
    LOWEST,
    NAMED,
    PLAYED,
    PLAYERS,
    POINTS,
    STATE_WORDS,
    THE_DANCER,
    TRICK,
    judge,
    lay,
    playable,
    seat_to_move,
    start_trick,
    winning_card,
)
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean

SEATS = 5  # at most
NOBODY = 63
TAKES = 1 << 7  # a taking: this, and above its bits the cards taken and given, six bits each, NOBODY for none
MOST_MOVES = 20  # plays; takings are fewer
# A node's words are those of `kernel`, with every seat's pile and points behind them.
PILES = STATE_WORDS
SCORES = PILES + SEATS
NODE_WORDS = SCORES + SEATS


@lean
def list_moves(deal: Words, stack: Words, node: int, out: Words, to: int) -> int:
    """Write the moves in canonical order to `out` from `to` on; return their number.

    Names of the Dancer that an earlier one stands for are left out.
    """
    count = 0
    if stack[node + PLAYED] < deal[PLAYERS]:
        hand = stack[node + LIVE] & deal[HANDS + seat_to_move(deal, stack, node)]
        cards = hand if stack[node + PLAYED] == 0 else playable(deal, hand, stack[node + LEAD])
        while cards != 0:
            card = trailing_zeros(cards)
            cards &= cards - 1
            if card != deal[THE_DANCER]:
                out[to + count] = card
                count += 1
                continue
            suits = names(deal, stack, node, hand)
            for suit in range(SUITS):
                if (suits >> suit) & 1:
                    out[to + count] = NAMED + suit
                    count += 1
        return count
    won = winning_card(deal, stack, node)
    lower = stack[node + TRICK] & deal[LOWER + won]
    rest = stack[node + TRICK] & ~(1 << won)
    taken = popcount(lower)
    firsts = lower
    while True:
        first = trailing_zeros(firsts) if taken > 0 else NOBODY
        firsts &= firsts - 1
        seconds = firsts
        while True:
            second = trailing_zeros(seconds) if taken > 1 else NOBODY
            seconds &= seconds - 1
            left = rest
            if taken > 0:
                left &= ~(1 << first)
            if taken > 1:
                left &= ~(1 << second)
            move = TAKES | (first << 8) | (second << 14)
            if stack[node + LOWEST] < 0 or left == 0:
                out[to + count] = move | (NOBODY << 20)
                count += 1
            else:
                while left != 0:
                    out[to + count] = move | (trailing_zeros(left) << 20)
                    count += 1
                    left &= left - 1
            if seconds == 0:
                break
        if taken < 2 or firsts & (firsts - 1) == 0:
            break
    return count


@inlined
def receive(deal: Words, stack: Words, node: int, seat: int, card: int) -> None:
    if card != NOBODY:
        stack[node + PILES + seat] |= 1 << card
        stack[node + SCORES + seat] += deal[POINTS + card]


@inlined
def make(deal: Words, stack: Words, node: int, to: int, move: int) -> None:
    """Write the node after a move. A full trick is judged; the winner is to take, if only in one way."""
    for word in range(NODE_WORDS):
        stack[to + word] = stack[node + word]
    if move & TAKES:
        winner = stack[node + BEST]
        receive(deal, stack, to, winner, winning_card(deal, stack, node))
        receive(deal, stack, to, winner, (move >> 8) & 63)
        receive(deal, stack, to, winner, (move >> 14) & 63)
        receive(deal, stack, to, stack[node + LOWEST], (move >> 20) & 63)
        start_trick(stack, to, winner)
        return
    lay(deal, stack, to, move)
    if stack[to + PLAYED] == deal[PLAYERS]:
        judge(deal, stack, to)
