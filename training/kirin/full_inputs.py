"""What the critic sees of a round: every card, from the seat to move on, as under the ascending order."""

from __future__ import annotations

from solver.games.kirin.fast_rules import CARDS, STRONGER
from solver.games.kirin.learned import ASIDE, HANDS, IMAGES, LAID, add_cards, image_of_colour
from solver.games.kirin.players import BEST, DIRECTION, LEADER, PLAYED, colour_of
from solver.hints.network import Inputs, add_input
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

# By the seats from the one to move on: the cards held, the colours collected; the cards of the trick; its best
# card; for each own card the share of the others' cards that beat it; how many cards lie there, and are left in
# the hand.
HELD = 0
COLLECTS = HELD + 4 * CARDS
ON_TABLE = COLLECTS + 16
BEST_CARD = ON_TABLE + 3 * CARDS
BEATEN = BEST_CARD + CARDS
LYING = BEATEN + CARDS
LEFT = LYING + 4
FULL_INPUTS = LEFT + 9
MOST_FULL = 36 + 4 + 4 + 9 + 2  # that are not 0 at once


@lean
def full_inputs(state: Words, table: Words, inputs: Inputs) -> None:
    """Write what the critic sees when the seat to move has to decide."""
    direction = table[DIRECTION]
    seat = (table[LEADER] + table[PLAYED]) & 3
    inputs.many[0] = 0
    others = 0
    for step in range(4):
        other = (seat + step) & 3
        add_cards(inputs, state[HANDS + other], direction, HELD + step * CARDS)
        colour = image_of_colour(colour_of(state[ASIDE + other]), direction)
        add_input(inputs, COLLECTS + 4 * step + colour, 1.0)
        if step > 0:
            others |= state[HANDS + other]
            if state[LAID + other] >= 0:
                place = ON_TABLE + (step - 1) * CARDS
                add_input(inputs, place + IMAGES[direction * CARDS + state[LAID + other]], 1.0)
    if table[BEST] >= 0:
        add_input(inputs, BEST_CARD + IMAGES[direction * CARDS + table[BEST]], 1.0)
    scale = 1.0 / popcount(others) if others != 0 else 0.0
    hand = state[HANDS + seat]
    add_input(inputs, LYING + table[PLAYED], 1.0)
    add_input(inputs, LEFT + popcount(hand), 1.0)
    while hand != 0:
        card = trailing_zeros(hand)
        hand &= hand - 1
        share = scale * popcount(STRONGER[direction * CARDS + card] & others)
        add_input(inputs, BEATEN + IMAGES[direction * CARDS + card], share)
