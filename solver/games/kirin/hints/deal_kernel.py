"""A view of kirin in words, and drawing the hidden cards of a world, as kernels. Cards as in `order`."""

from __future__ import annotations

from typing import NamedTuple

from solver.games.kirin.hints.ahead import Ahead
from solver.hints.deals import Numbering
from solver.hints.worlds import deal
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import inlined, kernel
from solver.kernels.rng import below_wide

# Words of a question: the seat that asks, its hand and the card that it has set aside (-1: not yet), the points
# that it has, the leader and the direction of the trick on the table, and the cards played before it; then the
# cards that each seat has won.
SEAT, HAND, ASIDE, POINTS, TRICK_LEADER, TRICK_DIRECTION, GONE, ARRANGEMENTS, PILES = range(9)
QUESTION_WORDS = PILES + 4


class Setting(NamedTuple):
    """What all worlds of a view share. It is only read.

    `question` has the words above. `tricks` has six words for each trick, the one on the table last: leader,
    direction, and four cards (-1: not played yet). `cards` are the unseen ones, and `numbering` says how they can
    be dealt. `play` and `declare` are the weights of who plays by rules, `ahead` is what is known of who looks
    ahead (`players`).
    """

    question: Words
    tricks: Words
    cards: Words
    numbering: Numbering
    play: Floats
    declare: Floats
    ahead: Ahead


@inlined
def lay_out(question: Words, cards: Words, places: Words, hands: Words, aside: Words, arrangement: int) -> None:
    """Write the hands (masks) and the cards set aside of a world, by seat; `places` has each unseen card's group.

    Groups 0 to 2 are the hands of the seats after the one that asks. These have set the cards of group 3 aside, in
    one of six orders: that of number `arrangement`.
    """
    seat = question[SEAT]
    for other in range(4):
        hands[other] = 0
    hands[seat] = question[HAND]
    aside[seat] = question[ASIDE]
    aside_so_far = 0
    for index in range(len(cards)):
        group = places[index]
        if group < 3:
            hands[(seat + 1 + group) & 3] |= 1 << cards[index]
        else:
            # The first card goes to one of three, the second to one of the two left.
            first = arrangement % 3
            if aside_so_far == 0:
                group = first
            elif aside_so_far == 1:
                group = (first + 1 + arrangement // 3) % 3
            else:
                group = (first + 2 - arrangement // 3) % 3
            aside[(seat + 1 + group) & 3] = cards[index]
            aside_so_far += 1


@kernel
def draw_world(setting: Setting, random: Words, places: Words, hands: Words, aside: Words) -> None:
    """Draw one of the deals that agree with the question, each as likely as any other.

    `random` is a stream's one word. Written are the group of each unseen card, and by seat the hands (masks) and
    the cards set aside.
    """
    question, numbering = setting.question, setting.numbering
    start = numbering.ways.shape[1] - 1
    rank = below_wide(random, numbering.ways[0, start] * question[ARRANGEMENTS])
    world = rank // question[ARRANGEMENTS]
    deal(numbering.groups, numbering.strides, numbering.ways, start, world, places)
    lay_out(question, setting.cards, places, hands, aside, rank % question[ARRANGEMENTS])
