"""Hearts on machine words, for the search: `solver.search.trick_rules.ScoreRules` documents each function.

The cards dealt are renumbered from 0, by suit and in each suit from low to high. The search counts what the player
is sure to keep: it begins with all points lost that the player may still lose, and gives back those that others
take. As long as somebody may shoot the moon, nothing is sure.
"""

from __future__ import annotations

from solver.kernels.jit import inlined
from solver.kernels.rng import below, uniform
from solver.kernels.words import Words, popcount, trailing_zeros
from solver.search.suits import relative
from solver.search.trick_rules import NEED, SCORE_WORDS, bare, insert, write_members

# Words of a deal, after the search's own: the player; whether the others help; the number of cards; whether the
# round has just begun, and whether a heart was played before; the two of clubs, as a set; the cards of each suit;
# the hands, including each seat's card on the table; the queen of spades, as a set. Tables of `relative` follow.
PLAYER, ALLIES, CARDS, FIRST, BROKEN, TWO, SUITS = range(SCORE_WORDS, SCORE_WORDS + 7)
HEARTS = SUITS + 2
SPADES = SUITS + 3
HANDS = SUITS + 4
QUEEN = HANDS + 4
DEAL_WORDS = QUEEN + 1
# Words of a node, after NEED: the cards in hands, who led, how many cards the trick has, the suit led, the card
# that wins so far, the trick's cards in play order (6 bits each: the card plus 1), who took points.
LIVE, LEADER, PLAYED, LED, BEST, ORDER, TAKER = range(1, 8)
STATE_WORDS = 8
NOBODY, SEVERAL = 0, 5  # values of TAKER besides a seat plus 1; SEVERAL also where nobody can shoot the moon
MOST_POINTS = 26
MOST_MOVES = 13
POINT_BITS = 5
KEY_BITS = 58
MOST_IN_KEYS = 32  # cards of a deal; with more, only nodes between two tricks have keys


@inlined
def seat_of(state: Words, at: int) -> int:
    return int((state[at + LEADER] + state[at + PLAYED]) & 3)


@inlined
def first_of(hand: int, cards: int) -> int:
    """The cards of a hand that are in a set or, if there are none, the hand."""
    return int(hand & cards if hand & cards != 0 else hand)


@inlined
def legal(deal: Words, state: Words, at: int) -> int:
    """The legal cards of the seat to move, as a set."""
    live = state[at + LIVE]
    hand = live & deal[HANDS + seat_of(state, at)]
    first = deal[FIRST] != 0 and popcount(live) > deal[CARDS] - 4
    if state[at + PLAYED] > 0:
        hand = first_of(hand, deal[SUITS + state[at + LED]])
    elif first and hand & deal[TWO] != 0:
        return int(deal[TWO])
    elif deal[BROKEN] == 0 and live & deal[HEARTS] == deal[HEARTS]:
        hand = first_of(hand, ~deal[HEARTS])
    return first_of(hand, ~(deal[HEARTS] | deal[QUEEN])) if first else int(hand)


@inlined
def beats(deal: Words, led: int, card: int, best: int) -> bool:
    return bool(card > best and (deal[SUITS + led] >> card) & 1)


@inlined
def cost(deal: Words, cards: int) -> int:
    """The points that a set of cards costs."""
    return popcount(cards & deal[HEARTS]) + (13 if cards & deal[QUEEN] != 0 else 0)


@inlined
def on_table(state: Words, at: int) -> int:
    order = state[at + ORDER]
    cards = 0
    while order != 0:
        cards |= 1 << ((order & 63) - 1)
        order >>= 6
    return cards


@inlined
def gained(deal: Words, taker: int, seat: int, lost: int, left: int) -> int:
    """The points that are now sure to be kept by the player, after `seat` took cards that cost `lost`.

    `taker` is who took points before, and `left` what the cards still to be won cost.
    """
    player = deal[PLAYER]
    if taker == SEVERAL:
        return 0 if seat == player else lost
    if taker == NOBODY or taker == seat + 1:
        return MOST_POINTS if left == 0 and seat == player else 0
    # The moon is out of reach from now on: what the player has not taken yet, and will not, is kept.
    if taker == player + 1:
        return lost
    return MOST_POINTS - left - (lost if seat == player else 0)


@inlined
def at_most(deal: Words, taker: int, left: int) -> int:
    """The most points that can still become sure, if the cards still to be won cost `left`."""
    return MOST_POINTS if left > 0 and taker != SEVERAL else left


@inlined
def boundary(deal: Words, state: Words, at: int) -> bool:
    return bool(state[at + PLAYED] == 0)


@inlined
def size(deal: Words, state: Words, at: int) -> int:
    """The number of cards of the seat that plays last to this trick: each stands for a trick to come."""
    return popcount(state[at + LIVE] & deal[HANDS + ((state[at + LEADER] + 3) & 3)])


@inlined
def in_play(deal: Words, state: Words, at: int) -> int:
    return at_most(deal, state[at + TAKER], cost(deal, state[at + LIVE] | on_table(state, at)))


@inlined
def maximises(deal: Words, state: Words, at: int) -> int:
    return int(deal[ALLIES] != 0 or seat_of(state, at) == deal[PLAYER])


@inlined
def key(deal: Words, state: Words, at: int) -> int:
    """The cards in hands, the leader (2 bits), who took points (3), the trick's cards in order (18).

    Between two tricks, it is how the cards lie that counts.
    """
    live = state[at + LIVE]
    if state[at + PLAYED] == 0:
        live = relative(deal, live, SUITS, HANDS, DEAL_WORDS)
    upper = state[at + LEADER] | (state[at + TAKER] << 2) | (state[at + ORDER] << 5)
    return int(live | (upper << deal[CARDS]))


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
    trick = on_table(state, at) | (1 << card)
    child[to + NEED] = state[at + NEED]
    child[to + TAKER] = state[at + TAKER]
    child[to + LIVE] = state[at + LIVE] & ~(1 << card)
    if played < 3:
        child[to + LEADER], child[to + PLAYED], child[to + LED] = leader, played + 1, led
        child[to + BEST], child[to + ORDER] = best, state[at + ORDER] | ((card + 1) << (6 * played))
        return
    for seat in range(4):
        if (deal[HANDS + seat] >> best) & 1:
            leader = seat
    child[to + LEADER], child[to + PLAYED], child[to + LED] = leader, 0, 0
    child[to + BEST], child[to + ORDER] = 0, 0
    lost, taker = cost(deal, trick), child[to + TAKER]
    if lost > 0:
        child[to + NEED] -= gained(deal, taker, leader, lost, cost(deal, child[to + LIVE]))
        child[to + TAKER] = leader + 1 if taker == NOBODY or taker == leader + 1 else SEVERAL


@inlined
def worth(deal: Words, state: Words, at: int, card: int) -> int:
    """How good a card looks to the seat to move, which sees its hand, the table, and which cards were played.

    It leads low, and not into the queen of spades; it plays under the best card, as high as it can; it throws away
    what may cost most; and if it must win the trick, it does so with its highest card when it plays last.
    """
    live = state[at + LIVE]
    others = live & ~deal[HANDS + seat_of(state, at)]
    led, bit = state[at + LED], 1 << card
    suit = 0
    for other in range(4):
        if deal[SUITS + other] & bit:
            suit = deal[SUITS + other]
    lower, higher = popcount(others & suit & (bit - 1)), popcount(others & suit & ~(bit - 1))
    queen = others & deal[QUEEN]
    over = queen != 0 and suit == deal[SPADES] and bit > queen
    if state[at + PLAYED] == 0:
        if lower + higher == 0 or bit == deal[QUEEN]:
            return -200
        return 3 * higher - 10 * lower - (60 if over else 0) - (5 if suit == deal[HEARTS] else 0)
    if suit != deal[SUITS + led]:
        if bit == deal[QUEEN]:
            return 400
        return 200 if over else 10 * lower + (100 if suit == deal[HEARTS] else 0)
    if not beats(deal, led, card, state[at + BEST]):
        return 100 + card + (300 if bit == deal[QUEEN] else 0)
    last = state[at + PLAYED] == 3
    return (card if last else -card) - (200 if bit == deal[QUEEN] else 50 if over and not last else 0)


RANDOM_SHARE = 0.1


@inlined
def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """The card of `worth`'s choice or, one time in ten, any legal card."""
    count = write_members(legal(deal, state, at), out, to)
    if uniform(random) < RANDOM_SHARE:
        return int(out[to + below(random, count)])
    best, most = out[to], -1000
    for place in range(to, to + count):
        value = worth(deal, state, at, out[place])
        if value > most:
            best, most = out[place], value
    return int(best)


# Optional rules: without them the search is only slower.


@inlined
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    """Write one card of each run of cards with no other player's card in between, since these are equivalent.

    `first` is written first, then the others as `worth` has it: the player's best card, and the others' worst.
    Returns how many cards were written.
    """
    cards = legal(deal, state, at)
    others = (state[at + LIVE] & ~deal[HANDS + seat_of(state, at)]) | on_table(state, at) | deal[QUEEN]
    count = 0
    for suit in range(4):
        rest = cards & deal[SUITS + suit]
        last = -1
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            before, last = last, card
            if before >= 0 and others & ((2 << card) - (1 << before)) == 0 and card != first:
                continue
            count = insert(out, to, count, card, 4096 if card == first else worth(deal, state, at, card))
    return bare(out, to, count)
