"""A toy game of tricks: four seats, partners, two suits of eight cards, no trumps; a trick counts one point.

It has the rules twice: in plain Python, and over the words of the score search.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from solver.common import members
from solver.kernels.jit import inlined
from solver.kernels.rng import below, uniform
from solver.kernels.words import Words, popcount, trailing_zeros
from solver.search.rules import PROOF_NUMBERS, TABLE
from solver.search.score_search import ScoreSearch, score_search
from solver.search.trick_rules import NEED, SCORE_WORDS, SWITCHES, ScoreRules, bare, insert, write_members

RANKS = 8
CARDS = 2 * RANKS
SEATS = 4
SUIT = (1 << RANKS) - 1

# Words of a deal: the side that scores (0 or 1), whether the other side helps it, and the four hands; of a node:
# cards left, leader, cards in the trick, the card that wins it so far with its seat.
SIDE, ALLIES, HANDS = range(SCORE_WORDS, SCORE_WORDS + 3)
DEAL_WORDS = HANDS + SEATS
LIVE, LEADER, PLAYED, BEST, HOLDER = range(1, 6)
STATE_WORDS = 6
MOST_MOVES = 8


@inlined
def seat_of(state: Words, at: int) -> int:
    return int((state[at + LEADER] + state[at + PLAYED]) & 3)


@inlined
def legal(deal: Words, state: Words, at: int) -> int:
    hand = deal[HANDS + seat_of(state, at)] & state[at + LIVE]
    follows = hand & (SUIT << (RANKS * (state[at + BEST] // RANKS)))
    return int(follows if state[at + PLAYED] > 0 and follows != 0 else hand)


@inlined
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    """Highest card first, behind `first`."""
    cards, count = legal(deal, state, at), 0
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        count = insert(out, to, count, card, CARDS if card == first else card)
    return bare(out, to, count)


@inlined
def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    seat = seat_of(state, at)
    best, holder = state[at + BEST], state[at + HOLDER]
    if state[at + PLAYED] == 0 or (best // RANKS == move // RANKS and move > best):
        best, holder = move, seat
    child[to + NEED] = state[at + NEED]
    child[to + LIVE] = state[at + LIVE] & ~(1 << move)
    child[to + LEADER] = state[at + LEADER]
    child[to + PLAYED] = state[at + PLAYED] + 1
    child[to + BEST] = best
    child[to + HOLDER] = holder
    if child[to + PLAYED] == SEATS:
        child[to + NEED] -= (holder & 1) == deal[SIDE]
        child[to + LEADER] = holder
        child[to + PLAYED] = 0
        child[to + BEST] = 0
        child[to + HOLDER] = 0


@inlined
def in_play(deal: Words, state: Words, at: int) -> int:
    return int((popcount(state[at + LIVE]) + state[at + PLAYED]) >> 2)


@inlined
def key(deal: Words, state: Words, at: int) -> int:
    found = state[at + LIVE]
    for word in (LEADER, PLAYED, BEST, HOLDER):
        found = found << 4 | state[at + word]
    return int(found << 1 | 1)


@inlined
def boundary(deal: Words, state: Words, at: int) -> bool:
    return bool(state[at + PLAYED] == 0)


@inlined
def size(deal: Words, state: Words, at: int) -> int:
    return popcount(state[at + LIVE]) >> 2


@inlined
def maximises(deal: Words, state: Words, at: int) -> int:
    return int(deal[ALLIES] != 0 or (seat_of(state, at) & 1) == deal[SIDE])


@inlined
def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """Three times in four the highest card, else any."""
    if uniform(random) < 0.75:
        moves(deal, state, at, out, to, -1)
        return int(out[to])
    count = write_members(legal(deal, state, at), out, to)
    return int(out[to + below(random, count)])


@cache
def search() -> ScoreSearch:
    return score_search(
        ScoreRules(
            game="toy",
            state_words=STATE_WORDS,
            most_moves=MOST_MOVES,
            point_bits=4,
            key_bits=40,
            boundary=boundary,
            size=size,
            maximises=maximises,
            play=play,
            key=key,
            in_play=in_play,
            legal=legal,
            moves=moves,
        )
    )


@dataclass(frozen=True)
class Round:
    """A round in plain Python: hands as masks, the cards of the trick, the tricks of each side."""

    hands: tuple[int, ...]
    leader: int = 0
    trick: tuple[int, ...] = ()
    tricks: tuple[int, int] = (0, 0)
    voids: tuple[int, ...] = (0, 0, 0, 0)  # cards that a seat has shown that it does not hold
    gone: int = 0  # cards played

    @property
    def to_move(self) -> int:
        return (self.leader + len(self.trick)) % SEATS

    def legal(self) -> list[int]:
        hand = self.hands[self.to_move]
        follows = [card for card in members(hand) if self.trick and card // RANKS == self.trick[0] // RANKS]
        return follows or list(members(hand))

    def play(self, card: int) -> Round:
        seat, trick = self.to_move, (*self.trick, card)
        hands = tuple(hand & ~(1 << card) if at == seat else hand for at, hand in enumerate(self.hands))
        missing = SUIT << RANKS * (trick[0] // RANKS) if card // RANKS != trick[0] // RANKS else 0
        voids = tuple(void | missing if at == seat else void for at, void in enumerate(self.voids))
        if len(trick) < SEATS:
            return replace(self, hands=hands, trick=trick, voids=voids, gone=self.gone | 1 << card)
        suit = [other for other in trick if other // RANKS == trick[0] // RANKS]
        winner = (self.leader + trick.index(max(suit))) % SEATS
        tricks = (self.tricks[0] + (winner % 2 == 0), self.tricks[1] + winner % 2)
        return Round(hands, winner, (), tricks, voids, self.gone | 1 << card)

    def excluded(self, seat: int) -> int:
        return self.voids[seat]


def started(seed: int, played: int) -> Round:
    """A round dealt at random in which so many random cards have been played."""
    rng = random.Random(seed)
    cards = rng.sample(range(CARDS), CARDS)
    now = Round(tuple(sum(1 << card for card in cards[seat::SEATS]) for seat in range(SEATS)))
    for _ in range(played):
        now = now.play(rng.choice(now.legal()))
    return now


def encode(state: Round) -> tuple[Words, Words]:
    deal, node = np.zeros(DEAL_WORDS, np.int64), np.zeros(STATE_WORDS, np.int64)
    deal[SWITCHES] = TABLE | PROOF_NUMBERS
    deal[SIDE] = state.to_move % 2
    for seat, hand in enumerate(state.hands):
        deal[HANDS + seat] = hand
        node[LIVE] |= hand
    node[NEED] = -state.tricks[state.to_move % 2]
    node[LEADER], node[PLAYED] = state.leader, len(state.trick)
    for place, card in enumerate(state.trick):
        if place == 0 or (card // RANKS == state.trick[0] // RANKS and card > node[BEST]):
            node[BEST], node[HOLDER] = card, (state.leader + place) % SEATS
    return deal, node
