"""What the learned player of King × Alchemy is told of a pick and of a taking, as kernels.

Each is tried, and what is told first is what `context_inputs` tells of the cards and piles after it, as if the
seat led the next trick; the winner of a trick does. Then comes what the pick or the taking has of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.games.king.cards.deck import CARDS
from solver.games.king.fast_rules.kernel import (
    BEST,
    CAPTORS,
    LEADER,
    LOWER,
    LOWEST,
    PLAYERS,
    POINTS,
    STATE_WORDS,
    SUIT,
    SUIT_CARDS,
    TRICK,
    points_of,
    start_trick,
    winning_card,
)
from solver.games.king.players.card_values import (
    BONUSES,
    CARRIES,
    KINDS,
    MOST_LEFT,
    PROVIDES,
    RECIPES,
    CardValues,
    card_value,
    dearest,
    get,
    row_of,
)
from solver.games.king.players.learned.context_inputs import CONTEXT, context_inputs
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.reach import expected_bonus
from solver.games.king.players.pick_policy import PICK_FEATURES, PICK_OWN, pick_features
from solver.games.king.players.policy import Plays, Room, play_values, plays
from solver.games.king.players.take_policy import share_out
from solver.hints.learned import forward
from solver.hints.learned.forward import Inputs, tell
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

PICK = 20  # inputs of a pick, after those of the cards and piles
TAKE = 15  # of a taking
PICK_INPUTS, TAKE_INPUTS = CONTEXT + PICK, CONTEXT + TAKE
GIVEN = CARDS  # a taking's code: the cards taken (a mask), and above them one more than the card given, or 0


class Trial(NamedTuple):
    """Room to try a pick or a taking: the round `after` it, the plays to lead with then, what the network is told,
    its layers, and what each pick or taking is found `worth`.
    """

    after: Sight
    leads: Room
    told: Inputs
    layers: forward.Room
    worth: Floats


@lean
def copy_round(of: Sight, to: Sight) -> None:
    """Make a round like another."""
    for word in range(len(of.values.book)):
        to.values.book[word] = of.values.book[word]
    for word in range(STATE_WORDS):
        to.node[word] = of.node[word]
    for seat in range(len(of.piles)):
        to.piles[seat] = of.piles[seat]
        to.voids[seat] = of.voids[seat]


@lean
def _tell_after(trial: Trial, seat: int, hand: int, unseen: int, play: Plays) -> None:
    """Note what is so after it. `play` are the `prepared` weights of the plausible player."""
    after, leads = trial.after, trial.leads
    best = 0.0
    if hand != 0:
        count = plays(after.values.deal, after.node, hand, leads.codes)
        play_values(after.values, after.node, seat, hand, unseen, play, count, leads)
        best = leads.values[0]
        for place in range(1, count):
            best = max(best, leads.values[place])
    context_inputs(after, seat, hand, unseen, leads, best, trial.told)


@lean
def _most_of_others(values: CardValues, seat: int, left: int, card: int) -> float:
    """What a card is worth to the one of the others to whom it is worth most."""
    most = 0.0
    for other in range(values.deal[PLAYERS]):
        if other != seat:
            most = max(most, card_value(values, row_of(values.recipes, other), left, card))
    return most


@lean
def pick_inputs(
    sight: Sight,
    seat: int,
    hand: int,
    unseen: int,
    room: Room,
    place: int,
    best: float,
    play: Plays,
    trial: Trial,
) -> None:
    """Note what there is to know of picking the card number `place` in `room`; its value is there, too.

    `best` is the highest value of a card. `hand` and `unseen` are masks before the pick; nobody has picked yet.
    """
    card = room.codes[place]
    after, inputs = trial.after, trial.told
    copy_round(sight, after)
    values = sight.values
    deal, recipes = values.deal, values.recipes
    get(after.values, seat, card)
    after.piles[seat] = 1 << card
    start_trick(after.node, 0, seat)
    rest = hand & ~(1 << card)
    _tell_after(trial, seat, rest, unseen, play)
    left = popcount(rest)
    pick_features(values, seat, hand, left, card, room.table)
    at = CONTEXT
    for index in range(PICK_FEATURES):
        tell(inputs, at + index, room.table[index] * (0.2 if index == PICK_OWN else 1.0))
    at += PICK_FEATURES
    row = row_of(recipes, seat)
    of_suit = deal[SUIT_CARDS + deal[SUIT + card]]
    lower = deal[LOWER + card]
    tell(inputs, at, max(-3.0, 0.05 * (room.values[place] - best)))
    tell(inputs, at + 1, 1.0 if room.values[place] == best else 0.0)
    tell(inputs, at + 2, 0.2 * deal[POINTS + card])
    tell(inputs, at + 3, 0.07 * recipes[BONUSES + recipes[CARRIES + card]])
    tell(inputs, at + 4, 1.0 if recipes[PROVIDES + card] < recipes[KINDS] else 0.0)
    tell(inputs, at + 5, 0.2 * card_value(values, row, 0, card))
    tell(inputs, at + 6, 0.2 * card_value(values, row, MOST_LEFT - 1, card))
    tell(inputs, at + 7, 0.02 * popcount(lower))
    tell(inputs, at + 8, 0.05 * popcount(deal[CAPTORS + card] & unseen))
    tell(inputs, at + 9, 0.33 * popcount(rest & of_suit & ~lower))
    first = seat - sight.node[LEADER]
    tell(inputs, at + 10, 0.33 * (first + deal[PLAYERS] if first < 0 else first))
    tell(inputs, at + 11, 1.0 if first == 0 else 0.0)


@lean
def takings(sight: Sight, left: int, codes: Words, trial: Trial) -> int:
    """Write the ways to take from a judged full trick to `codes`; return how many there are.

    As many cards as can be are taken, up to two. What is given is what is worth least to the bottom, for the own
    points hardly depend on it. `left` cards are left in the hand.
    """
    node, after = sight.node, trial.after
    deal = sight.values.deal
    won, bottom = winning_card(deal, node, 0), node[LOWEST]
    others = node[TRICK] & ~(1 << won)
    lower = others & deal[LOWER + won]
    count = 0
    firsts = lower
    while True:
        first = firsts & -firsts
        firsts &= firsts - 1
        seconds = firsts
        while True:
            second = seconds & -seconds
            seconds &= seconds - 1
            codes[count] = first | second
            if bottom >= 0 and others & ~(first | second) != 0:
                copy_round(sight, after)
                rest = first | second | (1 << won)
                while rest != 0:
                    get(after.values, node[BEST], trailing_zeros(rest))
                    rest &= rest - 1
                given = dearest(after.values, bottom, left, others & ~(first | second), -1.0)
                codes[count] |= (given + 1) << GIVEN
            count += 1
            if seconds == 0:
                break
        if firsts & (firsts - 1) == 0:
            return count


@lean
def taking_inputs(
    sight: Sight, hand: int, unseen: int, code: int, by_rule: bool, play: Plays, trial: Trial
) -> None:
    """Note what there is to know of a taking of the winner of the trick, who holds `hand`."""
    after, inputs = trial.after, trial.told
    values, node = sight.values, sight.node
    deal, recipes = values.deal, values.recipes
    seat, bottom = node[BEST], node[LOWEST]
    left = popcount(hand)
    taken = code & ((1 << GIVEN) - 1)
    given = (code >> GIVEN) - 1
    lost = node[TRICK] & ~(taken | (1 << winning_card(deal, node, 0)))
    copy_round(sight, after)
    share_out(after.values, after.node, after.piles, left, taken, given)
    _tell_after(trial, seat, hand, unseen, play)
    row = row_of(recipes, seat)
    at = CONTEXT
    own, at_once, denied, carriers = 0.0, 0.0, 0.0, 0
    rest = taken
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        own += card_value(values, row, left, card)
        at_once += card_value(values, row, 0, card)
        denied += _most_of_others(values, seat, left, card)
        if recipes[CARRIES + card] < recipes[RECIPES]:
            carriers += 1
    tell(inputs, at, 0.2 * own)
    tell(inputs, at + 1, 0.2 * at_once)
    tell(inputs, at + 2, 0.2 * points_of(deal, taken))
    tell(inputs, at + 3, 0.2 * denied)
    tell(inputs, at + 4, 0.5 * carriers)
    if given >= 0:
        lost &= ~(1 << given)
        theirs = row_of(recipes, bottom)
        tell(inputs, at + 5, 1.0)
        tell(inputs, at + 6, 0.2 * card_value(values, theirs, left, given))
        tell(inputs, at + 7, 0.2 * card_value(values, theirs, 0, given))
        tell(inputs, at + 8, 0.2 * card_value(values, row, left, given))
        tell(inputs, at + 9, 0.1 * points_of(deal, after.piles[bottom]))
        tell(inputs, at + 10, 0.05 * expected_bonus(after.values, bottom, after.reach))
    own, most, others = 0.0, 0.0, 0.0
    while lost != 0:
        card = trailing_zeros(lost)
        lost &= lost - 1
        own += card_value(values, row, left, card)
        most += _most_of_others(values, seat, left, card)
    tell(inputs, at + 11, 0.2 * own)
    tell(inputs, at + 12, 0.2 * most)
    for other in range(deal[PLAYERS]):
        if other != seat:
            others += expected_bonus(after.values, other, after.reach)
    tell(inputs, at + 13, 0.02 * others)
    tell(inputs, at + 14, 1.0 if by_rule else 0.0)
