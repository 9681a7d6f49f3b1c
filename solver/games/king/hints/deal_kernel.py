"""A question of King × Alchemy in words, and drawing the hidden hands of a world, as kernels."""

from __future__ import annotations

from solver.games.king.cards.rules import PLAYERS as SEATS
from solver.hints.worlds import deal as deal_number
from solver.kernels.arrays import Words
from solver.kernels.jit import kernel
from solver.kernels.rng import below, below_wide

# Words of a question: the seat that asks, its hand, what it is asked to do, and the cards that it sees elsewhere,
# those on the table included; then the size of each hand, and each pile.
SEAT, HAND, STAGE, GONE, SIZES = range(5)
MOST_SEATS = SEATS[1]
PILES = SIZES + MOST_SEATS
QUESTION_WORDS = PILES + MOST_SEATS

PICKING, PLAYING, SHARING = range(3)  # stages


@kernel
def draw_world(
    question: Words,
    players: int,
    cards: Words,
    groups: Words,
    strides: Words,
    ways: Words,
    random: Words,
    places: Words,
    hands: Words,
) -> None:
    """Draw one of the deals that agree with the question, each as likely as any other.

    Group g is the hand of the seat g + 1 after the one that asks. Without `ways` every card may be anywhere, and
    the places are shuffled (Fisher and Yates); otherwise a number is drawn and dealt.
    """
    seat = question[SEAT]
    if len(ways) == 0:
        at = 0
        for group in range(players - 1):
            for _ in range(question[SIZES + (seat + 1 + group) % players]):
                places[at] = group
                at += 1
        for last in range(len(cards) - 1, 0, -1):
            other = below(random, last + 1)
            places[last], places[other] = places[other], places[last]
    else:
        start = ways.shape[1] - 1
        deal_number(groups, strides, ways, start, below_wide(random, ways[0, start]), places)
    for other in range(players):
        hands[other] = 0
    hands[seat] = question[HAND]
    for index in range(len(cards)):
        hands[(seat + 1 + places[index]) % players] |= 1 << cards[index]
