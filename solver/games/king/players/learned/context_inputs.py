"""What the learned player of King × Alchemy is told of a choice between plays: what all of them share, as kernels.

Nothing depends on a card's number in the deck: cards are told by what they can do and what they are worth, so that
any deck can be played. The node of the trick on the table is that of `fast_rules.kernel`. Inputs are numbers of
about 1; what divides them is as it was when the network learned.
"""

from __future__ import annotations

from solver.games.king.cards.deck import CARDS, SUITS, TRUMP
from solver.games.king.fast_rules.kernel import (
    BEST,
    BEST_POWER,
    CAPTORS,
    LEAD,
    LEADER,
    LOWER,
    NAME,
    ORDER,
    PLAYED,
    PLAYERS,
    SUIT_CARDS,
    TRICK,
    TRUMPED,
    card_at,
    points_of,
    seat_after,
)
from solver.games.king.players.card_values import (
    card_value,
    row_of,
)
from solver.games.king.players.features import RECIPROCAL
from solver.games.king.players.learned.hand_inputs import Sight, hand_inputs, open_bonuses, suit_inputs
from solver.games.king.players.learned.reach import expected_bonus, swing, write_reach
from solver.games.king.players.policy import Room
from solver.hints.learned.forward import Inputs, tell
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

CONTEXT = 89  # inputs


@lean
def trick_inputs(sight: Sight, seat: int, hand: int, unseen: int, room: Room, inputs: Inputs) -> None:
    """Note what is so of the cards on the table."""
    values, node = sight.values, sight.node
    deal = values.deal
    players = deal[PLAYERS]
    played = node[PLAYED]
    left = popcount(hand)
    lead = node[LEAD]
    of_lead = deal[SUIT_CARDS + lead]
    tell(inputs, 28, 1.0 if lead == TRUMP else 0.0)
    tell(inputs, 29, 1.0 if node[BEST_POWER] >= TRUMPED else 0.0)
    tell(inputs, 30, 1.0 if node[NAME] >= 0 else 0.0)
    tell(inputs, 31, 1.0 if node[NAME] >= 0 and node[TRICK] & deal[SUIT_CARDS + TRUMP] != 0 else 0.0)
    tell(inputs, 32, 0.2 * popcount(hand & of_lead))
    tell(inputs, 33, 0.1 * popcount(unseen & of_lead))
    tell(inputs, 34, 1.0 if lead < TRUMP and hand & of_lead != 0 else 0.0)
    void = 0
    for place in range(played + 1, players):
        void += (sight.voids[seat_after(deal, node[LEADER], place)] >> lead) & 1
    tell(inputs, 35, 0.5 * void)
    winner = node[BEST]
    place = winner - node[LEADER]
    if place < 0:
        place += players
    winning = card_at(node[ORDER], place)
    theirs = row_of(values.recipes, winner)
    first, second, third, sum_theirs, can = 0.0, 0.0, 0.0, 0.0, 0
    first_swing, second_swing, third_swing, swings = 0.0, 0.0, 0.0, 0.0
    for place in range(played):
        value = room.table[place]
        third = max(third, min(second, value))
        second = max(second, min(first, value))
        first = max(first, value)
        card = card_at(node[ORDER], place)
        value = swing(values, seat, seat, card, sight.reach)
        sight.worth[CARDS + card] = value
        third_swing = max(third_swing, min(second_swing, value))
        second_swing = max(second_swing, min(first_swing, value))
        first_swing = max(first_swing, value)
        if (deal[LOWER + winning] >> card) & 1:
            can += 1
            swings += swing(values, winner, seat, card, sight.reach)
            sum_theirs += card_value(values, theirs, left, card)
    tell(inputs, 83, 0.2 * first_swing)
    tell(inputs, 84, 0.2 * second_swing)
    tell(inputs, 85, 0.2 * third_swing)
    tell(inputs, 86, 0.1 * swings)
    tell(inputs, 87, 0.2 * swing(values, winner, seat, winning, sight.reach))
    tell(inputs, 88, 0.2 * sight.worth[CARDS + winning])
    tell(inputs, 36, 0.2 * first)
    tell(inputs, 37, 0.2 * second)
    tell(inputs, 38, 0.2 * third)
    tell(inputs, 39, 0.2 * card_value(values, row_of(values.recipes, seat), left, winning))
    tell(inputs, 40, 0.1 * sum_theirs)
    tell(inputs, 41, 0.5 * can)
    tell(inputs, 42, 0.02 * popcount(deal[LOWER + winning]))
    tell(inputs, 43, 0.1 * popcount(deal[CAPTORS + winning] & unseen))
    tell(inputs, 44, 0.1 * points_of(deal, sight.piles[winner]))
    beaters = unseen & deal[SUIT_CARDS + TRUMP]
    if node[BEST_POWER] >= TRUMPED:
        beaters &= ~deal[LOWER + winning]
    elif lead < TRUMP:
        beaters |= unseen & of_lead & ~deal[LOWER + winning]
    tell(inputs, 76, 0.1 * popcount(beaters))


@lean
def context_inputs(
    sight: Sight, seat: int, hand: int, unseen: int, room: Room, best: float, inputs: Inputs
) -> None:
    """Note what all plays share. The table's values in `room` are there already; `best` is the highest value."""
    values, node = sight.values, sight.node
    deal = values.deal
    players = deal[PLAYERS]
    played = node[PLAYED]
    left = popcount(hand)
    inputs.many[0] = 0
    tell(inputs, players - 3, 1.0)
    tell(inputs, 3 + (0 if played == 0 else 2 if played == players - 1 else 1), 1.0)
    tell(inputs, 6, 0.33 * (players - 1 - played))
    own = points_of(deal, sight.piles[seat])
    most, needs = 0, 0.0
    for other in range(players):
        if other != seat:
            most = max(most, points_of(deal, sight.piles[other]))
            needs = max(needs, open_bonuses(sight, other)[1])
    tell(inputs, 7, 0.1 * own)
    tell(inputs, 8, 0.1 * most)
    tell(inputs, 9, 0.05 * needs)
    tell(inputs, 10, 0.1 * popcount(sight.piles[seat]))
    none, one, two, three = open_bonuses(sight, seat)
    tell(inputs, 11, 0.05 * none)
    tell(inputs, 12, 0.05 * one)
    tell(inputs, 13, 0.05 * two)
    tell(inputs, 14, 0.05 * three)
    hand_inputs(sight, seat, hand, unseen, left, inputs, 15)
    tell(inputs, 27, 0.05 * best)
    row = row_of(values.recipes, seat)
    rest = unseen
    total, most_worth, at_once, swings = 0.0, 0.0, 0.0, 0.0
    table = node[TRICK]
    reach = sight.reach
    write_reach(values, seat, hand, table, unseen, reach)
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = card_value(values, row, left, card)
        sight.worth[card] = value
        total += value
        most_worth = max(most_worth, value)
        at_once += card_value(values, row, 0, card)
        sight.worth[CARDS + card] = swing(values, seat, seat, card, reach)
        swings += sight.worth[CARDS + card]
    share = RECIPROCAL[popcount(unseen)]
    tell(inputs, 77, 0.3 * share * swings)
    swings, most_swing, second_swing = 0.0, 0.0, 0.0
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = swing(values, seat, seat, card, reach)
        sight.worth[CARDS + card] = value
        swings += value
        second_swing = max(second_swing, min(most_swing, value))
        most_swing = max(most_swing, value)
    tell(inputs, 78, 0.05 * swings)
    tell(inputs, 79, 0.2 * most_swing)
    tell(inputs, 80, 0.2 * second_swing)
    tell(inputs, 81, 0.05 * expected_bonus(values, seat, reach))
    most_bonus = 0.0
    for other in range(players):
        if other != seat:
            most_bonus = max(most_bonus, expected_bonus(values, other, reach))
    tell(inputs, 82, 0.05 * most_bonus)
    tell(inputs, 45, 0.3 * share * total)
    tell(inputs, 46, 0.1 * most_worth)
    tell(inputs, 47, 0.3 * share * at_once)
    told_suits = 0
    for block in range(SUITS):
        # The suit led first, the others by their length.
        found, key = -1, -1
        for suit in range(SUITS):
            length = popcount(hand & deal[SUIT_CARDS + suit])
            if played != 0 and suit == node[LEAD]:
                length += CARDS
            if (told_suits >> suit) & 1 == 0 and length > key:
                found, key = suit, length
        told_suits |= 1 << found
        suit_inputs(sight, seat, hand, unseen, left, found, inputs, 48 + 7 * block)
    if played != 0:
        trick_inputs(sight, seat, hand, unseen, room, inputs)
