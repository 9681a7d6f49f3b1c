"""The last trick of a round, where nobody has a choice of cards: who wins it, who is the bottom, its worth."""

from __future__ import annotations

from solver.games.king.cards.deck import CARDS, TRUMP
from solver.games.king.fast_rules.kernel import (
    ALLIES,
    HANDS,
    LEADER,
    LIVE,
    LOWER,
    NO_BOTTOM,
    PILE,
    PLAYER,
    PLAYERS,
    POINTS,
    RANK,
    READINGS,
    SUIT,
    SUIT_CARDS,
    TRUMPED,
    WON,
    points_of,
    seat_after,
)
from solver.games.king.fast_rules.round_kernel import PILES, SCORES
from solver.games.king.search.bounds.bonus_cache import best_bonus
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean


@inlined
def judged(deal: Words, live: int, leader: int) -> int:
    """The winner's seat, the winning card above it (shifted by 3), the bottom's seat plus 1 (by 9), of one card a
    hand, the Dancer not among them."""
    lead = deal[SUIT + trailing_zeros(live & deal[HANDS + leader])]
    power = -1
    lowest = CARDS
    winner = 0
    won = 0
    bottom = -1
    seat = leader
    for _ in range(deal[PLAYERS]):
        card = trailing_zeros(live & deal[HANDS + seat])
        suit = deal[SUIT + card]
        rank = deal[RANK + card]
        if suit == lead and rank < lowest:
            lowest = rank
            bottom = seat
        if suit == TRUMP:
            rank += TRUMPED
        elif suit != lead:
            rank = -1
        if rank > power:
            power = rank
            winner = seat
            won = card
        seat = seat_after(deal, seat, 1)
    followed = popcount(live & deal[SUIT_CARDS + lead]) > 1
    if bottom == winner or (power >= TRUMPED and not followed and deal[READINGS] & NO_BOTTOM):
        bottom = -1
    return int(winner | (won << 3) | ((bottom + 1) << 9))


@inlined
def worth_with(deal: Words, state: Words, at: int, cards: int) -> int:
    """The player's score when it gains a set of cards more and the round is over."""
    return int(state[at + WON] + points_of(deal, cards) + best_bonus(deal, state[at + PILE] | cards))


@lean
def last_worth(deal: Words, state: Words, at: int) -> int:
    """The player's score from the boundary before the last trick, the Dancer being out."""
    live = state[at + LIVE]
    found = judged(deal, live, state[at + LEADER])
    player = deal[PLAYER]
    won = (found >> 3) & 63
    lower = live & deal[LOWER + won]
    if found & 7 == player:
        if popcount(lower) <= 2:
            return worth_with(deal, state, at, lower | (1 << won))
        most = 0
        firsts = lower
        while firsts != 0:
            first = firsts & -firsts
            firsts &= firsts - 1
            seconds = firsts
            while seconds != 0:
                second = seconds & -seconds
                seconds &= seconds - 1
                most = max(most, worth_with(deal, state, at, first | second | (1 << won)))
        return int(most)
    if found >> 9 != player + 1:
        return worth_with(deal, state, at, 0)
    offer = live & ~(1 << won)
    if popcount(lower) <= 2:
        offer &= ~lower
    if offer == 0:
        return worth_with(deal, state, at, 0)
    worth = -1
    while offer != 0:
        one = offer & -offer
        offer &= offer - 1
        this = worth_with(deal, state, at, one)
        if worth < 0 or (this > worth) == (deal[ALLIES] != 0):
            worth = this
    return int(worth)


@inlined
def received(deal: Words, stack: Words, node: int, seat: int, offer: int) -> int:
    """The least that a seat adds to its points by one of the cards of `offer`, and by compounding in the end."""
    pile = stack[node + PILES + seat]
    if offer == 0:
        return best_bonus(deal, pile)
    least = 1 << 40
    while offer != 0:
        card = trailing_zeros(offer)
        offer &= offer - 1
        least = min(least, deal[POINTS + card] + best_bonus(deal, pile | (1 << card)))
    return int(least)


@lean
def last_scores(deal: Words, stack: Words, node: int, out: int) -> None:
    """Write every seat's score from the boundary before the last trick, the Dancer being out.

    The winner takes what is worth most to it, then gives what is worth least to the bottom. What is equal to both
    is equal to everybody.
    """
    live = stack[node + LIVE]
    found = judged(deal, live, stack[node + LEADER])
    winner = found & 7
    won = (found >> 3) & 63
    bottom = (found >> 9) - 1
    for seat in range(deal[PLAYERS]):
        if seat != winner and seat != bottom:
            stack[out + seat] = stack[node + SCORES + seat] + best_bonus(deal, stack[node + PILES + seat])
    pile = stack[node + PILES + winner] | (1 << won)
    rest = live & ~(1 << won)
    most = -1
    least = 0
    firsts = live & deal[LOWER + won]
    while True:
        first = firsts & -firsts
        firsts &= firsts - 1
        seconds = firsts
        while True:
            second = seconds & -seconds
            seconds &= seconds - 1
            taken = first | second
            own = points_of(deal, taken) + best_bonus(deal, pile | taken)
            if own >= most:
                if bottom >= 0:
                    given = received(deal, stack, node, bottom, rest & ~taken)
                    least = given if own > most else min(least, given)
                most = own
            if seconds == 0:
                break
        if firsts & (firsts - 1) == 0:
            break
    stack[out + winner] = stack[node + SCORES + winner] + deal[POINTS + won] + most
    if bottom >= 0:
        stack[out + bottom] = stack[node + SCORES + bottom] + least
