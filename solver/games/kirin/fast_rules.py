"""Kirin's rules as compiled kernels on integer words: legal cards, playing a card, table keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from solver.common import mask
from solver.games.kirin.deck import CANONICAL, CARDS, KIRIN, colour, is_kirin, of_colour, rank
from solver.games.kirin.rules import SEATS, State, colour_strength, qualifying, rank_strength
from solver.kernels.jit import inlined
from solver.kernels.words import Words, highest_one, popcount, trailing_zeros
from solver.search.rules import ATTEMPTS, FIRST_OWN, PROOF_NUMBERS, TABLE
from solver.search.trick_rules import NEED, NO, SCORE_WORDS, SWITCHES, UNKNOWN, YES

NUMBERS = 0x0FFFFFF00
TRUMPS = 0xF00000000
RANKED = NUMBERS | TRUMPS
# The kirin that set a direction, by direction (0 ascending, 1 descending).
ASCENDING_KIRIN = 0x55
DESCENDING_KIRIN = 0xAA


IN_ORDER = np.array(CANONICAL, np.int64)
# By card: its rank and colour, as in `deck`. The cards of each colour, and by card those of its colour.
RANK_OF, COLOUR_OF = (np.array([of(card) for card in range(CARDS)], np.int64) for of in (rank, colour))
COLOUR_SETS = np.array([of_colour(which) for which in range(4)], np.int64)
SAME_COLOUR = COLOUR_SETS[COLOUR_OF]


@inlined
def direction_after(trick: int, direction: int) -> int:
    """As in `rules`, by bits: its loop would make hints 6% slower."""
    kirin = trick & KIRIN
    if kirin == 0:
        return direction
    pair = (highest_one(kirin) if direction == 0 else trailing_zeros(kirin)) >> 1
    played = (kirin >> (2 * pair)) & 3
    return direction if played == 3 else played - 1


def _beating(than: int, direction: int) -> int:
    """The mask of the cards that beat the card `than` in a direction."""
    beaten = rank_strength(than, direction), colour_strength(than, direction)
    return mask(
        card
        for card in range(CARDS)
        if not is_kirin(card) and (rank_strength(card, direction), colour_strength(card, direction)) > beaten
    )


def _sets(relation: Callable[[int, int], int]) -> NDArray[np.int64]:
    """Tabulate the sets `relation(card, direction)` at [direction * 36 + card]."""
    return np.array([relation(card, direction) for direction in range(2) for card in range(CARDS)], np.int64)


# At [direction * 36 + card]: the cards that beat it; those that must follow it when it is led and, `ONLY_KIRIN`
# further on, the same by the option that a led kirin asks only for kirin.
ONLY_KIRIN = 2 * CARDS
STRONGER = _sets(_beating)
QUALIFYING = np.concatenate([_sets(qualifying), _sets(partial(qualifying, only_kirin=True))])


def _beaten(row: int) -> int:
    """The mask of the cards that a card beats; `row` is direction * 36 + card."""
    first = row // CARDS * CARDS
    return sum(1 << other for other in range(CARDS) if int(STRONGER[first + other]) >> row % CARDS & 1)


# At [direction * 36 + card]: the cards that it beats.
WEAKER = np.array([_beaten(row) for row in range(2 * CARDS)], np.int64)


# Words of `deal` after the search's own: the player (a seat), what scores for the player (a mask), whether the
# others are allies, the offset of a led card for what it asks for (0 or `ONLY_KIRIN`), and the four hands dealt
# (each card still to be played belongs to one).
PLAYER, OWN, ALLIES, ASKS, HANDS = range(SCORE_WORDS, SCORE_WORDS + 5)
# Words of proofs that forget who has played what (`forgetting`): the number of tricks from which they are tried,
# the cards and the seats forgotten now, the value of FINISHED at which a trial gives up, and statistics of the
# trials.
SUBSETS = 7  # of the other seats, except the empty one
FORGET_FROM, FORGOTTEN, FORGETS, FORGET_LIMIT, TRIALS = range(HANDS + 4, HANDS + 9)
SITUATIONS = 32  # who leads, the direction, what is needed
TRIAL_WORDS = 3 + 2 * SUBSETS * (1 + SITUATIONS)
# From FRAMES on there is room for the search of the last tricks, a node and its moves for each number of tricks,
# and again for proofs that forget.
LAST_TRICKS = 5
FORGET_TRICKS = 6
FRAMES = TRIALS + (FORGET_TRICKS + 1) * TRIAL_WORDS

# Words of a node, in searches and in rounds played out. LIVE: cards that may still be played. TRICK: the cards of
# the trick as a set. ORDER: the same in play order, six bits each, plus 1, the first lowest. STANDARD: the deal's
# ASKS, plus the led card if there is one. BEST and HOLDER: the winning card and who played it; -1 and the leader
# while there are only kirin.
LIVE, LEADER, DIRECTION, PLAYED, TRICK, ORDER, STANDARD, BEST, HOLDER = range(1, 10)
STATE_WORDS = 10
MOST_MOVES = 9
DEAL_WORDS = FRAMES + (LAST_TRICKS + FORGET_TRICKS + 1) * (STATE_WORDS + MOST_MOVES)
POINT_BITS = 4
KEY_BITS = 57
AHEAD, WAITING, LOST = range(3)  # the player's standing in a trick: is best, has yet to play, was beaten


def asks(only_kirin: bool) -> int:
    """Return the number to add to a led card to get the index of its row in `QUALIFYING`.

    `only_kirin` is the rule option under which only kirin qualify to follow a led kirin.
    """
    return ONLY_KIRIN if only_kirin else 0


@inlined
def legal(hand: int, standard: int, direction: int, spare: int) -> int:
    """The cards of a follower's hand that may be played on `standard`, a led card plus the deal's ASKS.

    `spare` is the number of surplus cards in `hand`, any of which may be dropped. A card counts as legal if it is
    legal for some choice of cards to drop.
    """
    qualifying = hand & QUALIFYING[direction * CARDS + standard]
    return int(qualifying if popcount(qualifying) > spare else hand)


@inlined
def strongest(cards: int, direction: int) -> int:
    """The strongest card of a set; if there are only kirin, any of them."""
    if direction == 0 or cards & RANKED == 0:
        return highest_one(cards)
    trumps = cards & TRUMPS
    return trailing_zeros(trumps if trumps != 0 else cards & NUMBERS)


@inlined
def weakest(cards: int, direction: int) -> int:
    """The weakest card of a set; a kirin if there is one."""
    if direction == 0 or cards & KIRIN != 0:
        return trailing_zeros(cards)
    numbers = cards & NUMBERS
    return highest_one(numbers if numbers != 0 else cards)


@inlined
def ahead_of(best: int, direction: int) -> int:
    """The cards that would beat the best card so far of a trick, `best` (-1: none yet)."""
    return int(STRONGER[direction * CARDS + best]) if best >= 0 else RANKED


@inlined
def stands(deal: Words, turn: int, played: int, best: int) -> int:
    """Return the player's standing in a trick after `played` cards, if the player plays in place `turn` (0 leads).

    While there are only kirin, nobody is ahead.
    """
    if turn >= played:
        return WAITING
    return AHEAD if best >= 0 and (deal[HANDS + deal[PLAYER]] >> best) & 1 else LOST


@inlined
def possible_directions(turning: int, direction: int) -> int:
    """Return the directions that are still possible, as two bits.

    `turning` has the cards in hands and in the trick.
    """
    if turning & (DESCENDING_KIRIN if direction == 0 else ASCENDING_KIRIN):
        return 3
    return 1 << direction


@inlined
def gained(own: int, trick: int, last: bool) -> int:
    """The points that a trick, perhaps the round's last, brings to the seat that takes it.

    `own` is what scores for the seat (`Order.scoring`): one point for each card, on which lower bounds rely.
    """
    return popcount(trick & own)


@inlined
def at_most(own: int, cards: int) -> int:
    """The most points that `cards`, those in hands and on the table, can still bring to a seat."""
    return popcount(cards & own)


@inlined
def seat_to_move(state: Words, at: int) -> int:
    return int((state[at + LEADER] + state[at + PLAYED]) & 3)


@inlined
def playable(hand: int, state: Words, at: int) -> int:
    """The cards of the hand of the seat to move that may be played."""
    return hand if state[at + PLAYED] == 0 else legal(hand, state[at + STANDARD], state[at + DIRECTION], 0)


@inlined
def candidates(deal: Words, state: Words, at: int) -> int:
    """The legal cards of the seat to move, as a set."""
    return playable(state[at + LIVE] & deal[HANDS + seat_to_move(state, at)], state, at)


@inlined
def listed(deal: Words, state: Words, at: int, out: Words, to: int) -> int:
    cards = candidates(deal, state, at)
    count = 0
    for index in range(CARDS):
        if (cards >> IN_ORDER[index]) & 1:
            out[to + count] = IN_ORDER[index]
            count += 1
    return count


@inlined
def boundary(deal: Words, state: Words, at: int) -> bool:
    return bool(state[at + PLAYED] == 0)


@inlined
def size(deal: Words, state: Words, at: int) -> int:
    """The number of tricks left, including an unfinished one.

    It is the number of cards in the hand of the seat that plays last in the trick.
    """
    return popcount(state[at + LIVE] & deal[HANDS + ((state[at + LEADER] + 3) & 3)])


@inlined
def maximises(deal: Words, state: Words, at: int) -> int:
    if deal[ALLIES] != 0 or seat_to_move(state, at) == deal[PLAYER]:
        return 1
    return 0


@inlined
def key(deal: Words, state: Words, at: int) -> int:
    """Return a node's table key: 39 bits between tricks.

    Within a trick, higher bits have its cards in play order.
    """
    return int(
        state[at + LIVE] | (state[at + LEADER] << 36) | (state[at + DIRECTION] << 38) | (state[at + ORDER] << 39)
    )


@inlined
def start_trick(state: Words, at: int, leader: int, direction: int, asked: int) -> None:
    """Clear the table for a new trick; `asked` is the deal's ASKS."""
    state[at + LEADER] = leader
    state[at + DIRECTION] = direction
    state[at + PLAYED] = 0
    state[at + TRICK] = 0
    state[at + ORDER] = 0
    state[at + STANDARD] = asked
    state[at + BEST] = -1
    state[at + HOLDER] = leader


@inlined
def lay(state: Words, at: int, card: int) -> None:
    """Play a card to the trick."""
    bit = 1 << card
    played = state[at + PLAYED]
    if played == 0:
        state[at + STANDARD] += card
    if bit & ahead_of(state[at + BEST], state[at + DIRECTION]):
        state[at + BEST] = card
        state[at + HOLDER] = seat_to_move(state, at)
    state[at + LIVE] &= ~bit
    state[at + TRICK] |= bit
    state[at + ORDER] |= (card + 1) << (6 * played)
    state[at + PLAYED] = played + 1


@inlined
def end_trick(state: Words, at: int, asked: int) -> int:
    """End a full trick; return the seat that takes it, or -1 if nobody does. `asked` is the deal's ASKS."""
    leader = state[at + HOLDER]
    taker = leader if state[at + BEST] >= 0 else -1
    start_trick(state, at, leader, direction_after(state[at + TRICK], state[at + DIRECTION]), asked)
    return int(taker)


@inlined
def play(deal: Words, state: Words, at: int, child: Words, to: int, card: int) -> None:
    """Write the node after `card` to `child`.

    The fourth card ends the trick, and the points that the player wins are subtracted from NEED.
    """
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    lay(child, to, card)
    if child[to + PLAYED] == 4:
        trick = child[to + TRICK]
        if end_trick(child, to, deal[ASKS]) == deal[PLAYER]:
            child[to + NEED] -= gained(deal[OWN], trick, child[to + LIVE] == 0)


@inlined
def in_play(deal: Words, state: Words, at: int) -> int:
    """The most points that the player can still win."""
    return at_most(deal[OWN], state[at + LIVE] | state[at + TRICK])


@inlined
def settle(deal: Words, state: Words, at: int) -> int:
    """Return YES or NO where it is cheap to find out whether the player reaches NEED, else UNKNOWN.

    It is cheap if nothing is needed, if more is needed than is in play, and in the last trick, where nobody has a
    choice.
    """
    if state[at + NEED] <= 0:
        return YES
    if state[at + PLAYED] == 0 and popcount(state[at + LIVE]) == 4:
        return last_trick(deal, state[at + LIVE], state[at + DIRECTION], state[at + NEED])
    return NO if state[at + NEED] > in_play(deal, state, at) else UNKNOWN


@inlined
def last_trick(deal: Words, live: int, direction: int, need: int) -> int:
    """Return YES or NO: whether the player reaches `need` points in the last trick."""
    if need <= 0:
        return YES
    if need > gained(deal[OWN], live, True):
        return NO
    mine = live & deal[HANDS + deal[PLAYER]]
    if mine & RANKED == 0 or STRONGER[direction * CARDS + highest_one(mine)] & live:
        return NO
    return YES


# ----------------------------------------------------------------------------------------------------
# Switches of Kirin's search: which of its parts are on (see `solver.search.rules`).


EQUIVALENT = 1 << FIRST_OWN  # of equivalent cards of a forgotten hand, only one is tried
CEILING = 1 << FIRST_OWN + 1  # an upper bound from the cards that can be caught
FLOOR = 1 << FIRST_OWN + 2  # a lower bound from the tricks that are certain
SURE = 1 << FIRST_OWN + 3  # a lower bound from a trick that nobody can take away
LAST = 1 << FIRST_OWN + 4  # the last tricks by nested loops
FORGET = 1 << FIRST_OWN + 5  # proofs that forget what some seats have played

ALL_SWITCHES = TABLE | PROOF_NUMBERS | ATTEMPTS | EQUIVALENT | CEILING | FLOOR | SURE | LAST | FORGET


# ----------------------------------------------------------------------------------------------------
# From a state of the rules to the words of the search.


def deal_words(state: State, player: int, colour: int, *, allies: bool) -> Words:
    """Return the constant words of the deal of `state`, for a player who collects `colour`.

    Hands include their cards on the table, so that every card has an owner; cards won earlier are in no hand.
    """
    deal = np.zeros(DEAL_WORDS, np.int64)
    deal[SWITCHES] = ALL_SWITCHES
    deal[FORGET_FROM] = LAST_TRICKS
    deal[PLAYER] = player
    deal[OWN] = state.rules.scoring(colour)
    deal[ALLIES] = int(allies)
    deal[ASKS] = asks(state.rules.only_kirin)
    for seat, hand in enumerate(state.hands):
        deal[HANDS + seat] = hand
    for turn, card in enumerate(state.trick):
        deal[HANDS + (state.leader + turn) % SEATS] |= 1 << card
    return deal


def node_words(state: State, deal: Words) -> Words:
    """Convert a state to a search node. Its NEED is 0; the caller must set it."""
    node = np.zeros(STATE_WORDS, np.int64)
    node[LIVE] = sum(deal[HANDS : HANDS + SEATS].tolist())
    start_trick(node, 0, state.leader, state.rules.direction, deal[ASKS])
    for card in state.trick:
        lay(node, 0, card)
    return node
