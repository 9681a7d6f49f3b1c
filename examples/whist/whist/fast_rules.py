"""Whist on machine words, for the search: `solver.search.trick_rules.ScoreRules` documents each function.

The cards dealt are renumbered from 0 to at most 31, by suit and in each suit from low to high. So a set of them
fits the low half of a word, and a card beats another of its suit when its number is higher.
"""

from __future__ import annotations

from solver.kernels.jit import inlined
from solver.kernels.rng import below, uniform
from solver.kernels.words import Words, highest_one, popcount, trailing_zeros
from solver.search.suits import relative, sure_tricks
from solver.search.trick_rules import NEED, NO, SCORE_WORDS, UNKNOWN, YES, bare, insert, write_members

# Words of a deal, after the search's own: the player, whose side wants tricks; whether the other side helps it;
# the suit of trumps (4: none); the cards of each suit, and an empty fifth suit; the hands, including each seat's
# card on the table. Tables of `relative` follow.
PLAYER, ALLIES, TRUMP, SUITS = range(SCORE_WORDS, SCORE_WORDS + 4)
HANDS = SUITS + 5
DEAL_WORDS = HANDS + 4
# Words of a node, after NEED: the cards in hands, who led, how many cards the trick has, the suit led, the card
# that wins so far, the trick's cards in play order (6 bits each: the card plus 1).
LIVE, LEADER, PLAYED, LED, BEST, ORDER = range(1, 7)
STATE_WORDS = 7
MOST_MOVES = 8
POINT_BITS = 4  # a score is at most 8
KEY_BITS = 34


@inlined
def seat_of(state: Words, at: int) -> int:
    return int((state[at + LEADER] + state[at + PLAYED]) & 3)


@inlined
def is_partner(deal: Words, seat: int) -> bool:
    """Whether a seat is on the player's side: partners sit opposite."""
    return bool((seat ^ deal[PLAYER]) & 1 == 0)


@inlined
def gained(deal: Words, taker: int) -> int:
    """The points that the player gets for a trick."""
    return int(is_partner(deal, taker))


@inlined
def legal(deal: Words, state: Words, at: int) -> int:
    """The legal cards of the seat to move, as a set."""
    hand = state[at + LIVE] & deal[HANDS + seat_of(state, at)]
    followers = hand & deal[SUITS + state[at + LED]] if state[at + PLAYED] > 0 else 0
    return int(followers if followers != 0 else hand)


@inlined
def beats(deal: Words, led: int, card: int, best: int) -> bool:
    """Whether a card wins against the best so far, which is a trump or of the suit led."""
    trumps = deal[SUITS + deal[TRUMP]]
    if (trumps >> card) & 1:
        return bool(card > best or (trumps >> best) & 1 == 0)
    suit = deal[SUITS + led]
    return bool(card > best and (suit >> card) & (suit >> best) & 1)


@inlined
def boundary(deal: Words, state: Words, at: int) -> bool:
    return bool(state[at + PLAYED] == 0)


@inlined
def size(deal: Words, state: Words, at: int) -> int:
    """The number of cards of the seat that plays last to this trick: each stands for a trick to come."""
    return popcount(state[at + LIVE] & deal[HANDS + ((state[at + LEADER] + 3) & 3)])


@inlined
def maximises(deal: Words, state: Words, at: int) -> int:
    return int(deal[ALLIES] != 0 or is_partner(deal, seat_of(state, at)))


@inlined
def key(deal: Words, state: Words, at: int) -> int:
    """The cards in hands (32 bits), by how they lie, and the leader (2), between two tricks."""
    return int(relative(deal, state[at + LIVE], SUITS, HANDS, DEAL_WORDS) | (state[at + LEADER] << 32))


@inlined
def play(deal: Words, state: Words, at: int, child: Words, to: int, card: int) -> None:
    leader, played, led, best = state[at + LEADER], state[at + PLAYED], state[at + LED], state[at + BEST]
    if played == 0:
        best = card
        for suit in range(4):
            if (deal[SUITS + suit] >> card) & 1:
                led = suit
    elif beats(deal, led, card, best):
        best = card
    child[to + NEED] = state[at + NEED]
    child[to + LIVE] = state[at + LIVE] & ~(1 << card)
    if played < 3:
        child[to + LEADER], child[to + PLAYED], child[to + LED] = leader, played + 1, led
        child[to + BEST], child[to + ORDER] = best, state[at + ORDER] | ((card + 1) << (6 * played))
        return
    for seat in range(4):
        if (deal[HANDS + seat] >> best) & 1:
            leader = seat
    child[to + NEED] -= gained(deal, leader)
    child[to + LEADER], child[to + PLAYED], child[to + LED] = leader, 0, 0
    child[to + BEST], child[to + ORDER] = 0, 0


OFTEN = 0.75


@inlined
def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """The player's highest card that wins so far, or else its lowest card; one time in four, any legal card."""
    count = write_members(legal(deal, state, at), out, to)
    if uniform(random) >= OFTEN:
        return int(out[to + below(random, count)])
    for place in range(to + count - 1, to - 1, -1):
        if state[at + PLAYED] == 0 or beats(deal, state[at + LED], out[place], state[at + BEST]):
            return int(out[place])
    return int(out[to])


# Optional rules: without them the search is only slower.


@inlined
def estimate(deal: Words, state: Words, at: int) -> int:
    """Whether the player's side reaches its goal: YES, NO or UNKNOWN, judged by the sure tricks of both sides."""
    if state[at + PLAYED] != 0:
        return UNKNOWN
    leader = state[at + LEADER]
    sure, lost = sure_tricks(deal, state[at + LIVE], SUITS, HANDS, deal[TRUMP], leader)
    if not is_partner(deal, leader):
        sure, lost = lost, sure
    if sure >= state[at + NEED]:
        return YES
    return NO if deal[ALLIES] == 0 and size(deal, state, at) - lost < state[at + NEED] else UNKNOWN


@inlined
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    """Write one card of each run of cards with no other player's card in between, since these are equivalent.

    `first` is written first. A leader begins with the best cards of its suits, then low cards of its partner's
    best suits; suits that an opponent trumps come later. The others win as cheaply as the next seat lets them, and
    leave the trick to a partner who wins it. Returns how many cards were written.
    """
    seat, live = seat_of(state, at), state[at + LIVE]
    played, led, best = state[at + PLAYED], state[at + LED], state[at + BEST]
    cards, trumps = legal(deal, state, at), deal[SUITS + deal[TRUMP]]
    after = live & deal[HANDS + ((seat + 1) & 3)]
    partner = deal[HANDS + ((seat + 2) & 3)]
    before = live & deal[HANDS + ((seat + 3) & 3)]
    others = live & ~deal[HANDS + seat]
    order = state[at + ORDER]
    while order != 0:
        others |= 1 << ((order & 63) - 1)
        order >>= 6
    threat = -1  # the best card with which the next seat may still beat another
    if 0 < played < 3:
        followers = after & deal[SUITS + led]
        threat = highest_one(followers if followers != 0 else after & trumps)
    helped = played > 1 and (partner >> best) & 1 != 0 and not (threat >= 0 and beats(deal, led, threat, best))
    count = 0
    for suit in range(4):
        group = deal[SUITS + suit]
        against = highest_one((after | before) & group)
        entry = highest_one(live & partner & group) > against
        ruffed = (after & group == 0 and after & trumps != 0) or (before & group == 0 and before & trumps != 0)
        rest = cards & group
        last = -1
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            previous, last = last, card
            if previous >= 0 and others & ((1 << card) - (1 << previous)) == 0:
                continue
            lower = popcount(live & group & ((1 << card) - 1))
            if card == first:
                score = 255
            elif played == 0:
                score = 70 + lower if card > against else (65 if entry else 40) - lower
                score -= 20 if ruffed else 0
            else:
                wins = beats(deal, led, card, best)
                safe = wins and not (threat >= 0 and beats(deal, led, threat, card))
                score = (80 if (not wins if helped else safe) else 40) - lower
            count = insert(out, to, count, card, score)
    return bare(out, to, count)
