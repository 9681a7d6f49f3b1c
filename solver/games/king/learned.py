"""What the learned player of King × Alchemy does that thinks no further than its network: a hint's first answer.

Networks that were taught by rounds of play judge the card that is to be played (`policy.npz`), the first card
that is picked (`picks.npz`), and what is taken and given (`takings.npz`); beside each a file tells how it was made
and how well it plays.

A choice is the same on every machine: what a network is told is rounded (`forward.tell`), and it adds in
an order of its own (`solver.hints.network`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.king.deck import CARDS, SUITS, TRUMP
from solver.games.king.fast_rules import (
    BEST,
    BEST_POWER,
    CAPTORS,
    LEAD,
    LEADER,
    LOWER,
    LOWEST,
    NAME,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    POINTS,
    STATE_WORDS,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    TRUMPED,
    card_at,
    points_of,
    seat_after,
    start_trick,
    winning_card,
)
from solver.games.king.players import (
    ALL_PLAYS,
    BONUSES,
    CARD_VALUES_KINDS,
    CARRIES,
    DEAD,
    FEATURES,
    MOST_LEFT,
    MOST_PLAYS,
    PICK_FEATURES,
    PICK_OWN,
    PROVIDES,
    RECIPES,
    RECIPROCAL,
    WIDEST,
    CardValues,
    Plays,
    Room,
    card_value,
    dearest,
    features,
    get,
    list_of,
    move_words,
    new_room,
    pick_features,
    pick_values,
    play_values,
    plays,
    row_of,
    setting,
    share_out,
)
from solver.games.king.players import PICK as WEIGHTS_PICK
from solver.games.king.position import PickView, View
from solver.games.king.rules import Move, Play
from solver.hints import network
from solver.hints.network import (
    Inputs,
    Network,
    Singles,
    evaluate,
    evaluate_further,
    evaluate_shared,
    inputs,
    read,
    tell,
)
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import kernel, lean

# ----------------------------------------------------------------------------------------------------
# What the learned player of King × Alchemy is told of a hand, as kernels: see `context_inputs`.


class Sight(NamedTuple):
    """A round as a seat sees it: values of cards with the piles of now, the trick, the piles and, by seat, the
    suits that it is known to hold no card of (bits). `worth` has room for what each unseen card is
    worth to it, then what each card that is not won yet would be by `reach`, which has room for that.
    """

    values: CardValues
    node: Words
    piles: Words
    voids: Words
    worth: Floats
    reach: Floats


@lean
def open_bonuses(sight: Sight, seat: int) -> tuple[float, float, float, float]:
    """The sums of the bonuses of a seat's recipes that lack no card, one, two, and three."""
    recipes, book = sight.values.recipes, sight.values.book
    row = row_of(recipes, seat)
    none, one, two, three = 0.0, 0.0, 0.0, 0.0
    for recipe in range(recipes[RECIPES]):
        lacking = book[row + recipe]
        bonus = recipes[BONUSES + recipe]
        if lacking == 0:
            none += bonus
        elif lacking == 1:
            one += bonus
        elif lacking == 2:
            two += bonus
        elif lacking == 3:
            three += bonus
    return none, one, two, three


@lean
def hand_inputs(sight: Sight, seat: int, hand: int, unseen: int, left: int, inputs: Inputs, at: int) -> None:
    """Note what is so of a hand: 12 inputs."""
    values = sight.values
    deal = values.deal
    row = row_of(values.recipes, seat)
    trumps = deal[SUIT_CARDS + TRUMP]
    dancer = deal[THE_DANCER]
    total, most, masters, strength = 0.0, 0.0, 0, 0.0
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = card_value(values, row, left, card)
        total += value
        most = max(most, value)
        suit = deal[SUIT + card]
        if suit < TRUMP:
            of_suit = unseen & deal[SUIT_CARDS + suit]
            above = popcount(of_suit & ~deal[LOWER + card])
            if above == 0:
                masters += 1
            strength += 1.0 - above * RECIPROCAL[popcount(of_suit) + 1]
    longest, empty = 0, 0
    for suit in range(SUITS):
        length = popcount(hand & deal[SUIT_CARDS + suit])
        longest = max(longest, length)
        if length == 0:
            empty += 1
    tell(inputs, at, 0.05 * total)
    tell(inputs, at + 1, 0.2 * most)
    tell(inputs, at + 2, 0.33 * masters)
    tell(inputs, at + 3, 0.25 * strength)
    tell(inputs, at + 4, 0.2 * longest)
    tell(inputs, at + 5, 0.33 * empty)
    tell(inputs, at + 6, 0.5 * popcount(hand & trumps))
    tell(inputs, at + 7, 0.2 * popcount(unseen & trumps))
    tell(inputs, at + 8, 1.0 * ((hand >> dancer) & 1))
    tell(inputs, at + 9, 1.0 * ((unseen >> dancer) & 1))
    tell(inputs, at + 10, 0.1 * left)
    tell(inputs, at + 11, 0.01 * left * left)


@lean
def suit_inputs(
    sight: Sight, seat: int, hand: int, unseen: int, left: int, suit: int, inputs: Inputs, at: int
) -> None:
    """Note what is so of a suit: 7 inputs."""
    values = sight.values
    deal = values.deal
    of_suit = deal[SUIT_CARDS + suit]
    row = row_of(values.recipes, seat)
    open_cards = unseen & of_suit
    many = popcount(open_cards)
    rest = hand & of_suit
    length = popcount(rest)
    top, masters, total = 0.0, 0, 0.0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        under = popcount(open_cards & deal[LOWER + card])
        top = max(top, (1 + under) * RECIPROCAL[many + 1])
        if under == many:
            masters += 1
        total += card_value(values, row, left, card)
    worth = 0.0
    rest = open_cards
    while rest != 0:
        worth += sight.worth[trailing_zeros(rest)]
        rest &= rest - 1
    void = 0
    for step in range(1, deal[PLAYERS]):
        void += (sight.voids[seat_after(deal, seat, step)] >> suit) & 1
    tell(inputs, at, 0.25 * length)
    tell(inputs, at + 1, top)
    tell(inputs, at + 2, 0.5 * masters)
    tell(inputs, at + 3, 0.1 * many)
    tell(inputs, at + 4, 0.1 * total)
    tell(inputs, at + 5, 0.2 * worth * RECIPROCAL[many])
    tell(inputs, at + 6, 0.33 * void)


# ----------------------------------------------------------------------------------------------------
# Which recipes a player of King × Alchemy may still complete, as kernels: by the cards that are left to be won.
#
# `card_values` counts what a recipe lacks; here it counts who may still get it. A card that is not yet won
# comes to
# a seat with a chance: one in the number of players, and for the own cards the more the higher they are. The
# chance
# of an ingredient is that of at least one of its cards, and that of a recipe the product of what it lacks. A
# card is
# worth its points, and as much as it raises these chances if it is won, over its being lost.


MOST = 64  # ingredients, and recipes, at most
# Of each seat the chances of its recipes; then those of the ingredients for the seat that asks, and for another
# one; then the chance of each card for the seat that asks.
MINE = 5 * MOST
THEIRS = MINE + MOST
COMES = THEIRS + MOST
REACH = COMES + CARDS
_LEAST = 0.01  # of an ingredient's chance: what nobody can get any more


@lean
def _ingredients(values: CardValues, cards: int, seat_asking: bool, reach: Floats) -> None:
    """Write the chances of the ingredients, for the seat that asks or another one."""
    recipes = values.recipes
    at = MINE if seat_asking else THEIRS
    for kind in range(recipes[CARD_VALUES_KINDS]):
        reach[at + kind] = 1.0
    share = RECIPROCAL[values.deal[PLAYERS]]
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        kind = recipes[PROVIDES + card]
        if kind < recipes[CARD_VALUES_KINDS]:
            reach[at + kind] *= 1.0 - (reach[COMES + card] if seat_asking else share)
    for kind in range(recipes[CARD_VALUES_KINDS]):
        reach[at + kind] = max(_LEAST, 1.0 - reach[at + kind])


@lean
def write_reach(values: CardValues, seat: int, hand: int, table: int, unseen: int, reach: Floats) -> None:
    """Write the chances of cards, ingredients and recipes. `hand`, `table` and `unseen` are masks."""
    deal, recipes, book = values.deal, values.recipes, values.book
    players = deal[PLAYERS]
    share = RECIPROCAL[players]
    rest = table | unseen
    while rest != 0:
        reach[COMES + trailing_zeros(rest)] = share
        rest &= rest - 1
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        suit = deal[SUIT + card]
        if suit < TRUMP:
            of_suit = unseen & deal[SUIT_CARDS + suit]
            reach[COMES + card] = (
                0.15 + 0.5 * popcount(of_suit & deal[LOWER + card]) * RECIPROCAL[popcount(of_suit)]
            )
        else:
            reach[COMES + card] = 0.7
    cards = hand | table | unseen
    _ingredients(values, cards, True, reach)
    _ingredients(values, cards, False, reach)
    for owner in range(players):
        row = row_of(recipes, owner)
        at = owner * MOST
        for recipe in range(recipes[RECIPES]):
            reach[at + recipe] = 1.0 if book[row + recipe] < DEAD else 0.0
        rest = cards
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            if recipes[CARRIES + card] < recipes[RECIPES]:
                reach[at + recipes[CARRIES + card]] *= reach[COMES + card] if owner == seat else share
        chances = MINE if owner == seat else THEIRS
        for kind in range(recipes[CARD_VALUES_KINDS]):
            entry = list_of(recipes, kind)
            units = book[row + recipes[RECIPES] + 1 + kind]
            for _ in range(recipes[WIDEST]):
                for _ in range(units, recipes[entry + 1]):
                    reach[at + recipes[entry]] *= reach[chances + kind]
                entry += 2


@lean
def expected_bonus(values: CardValues, owner: int, reach: Floats) -> float:
    """The bonuses of a seat's recipes, times their chances."""
    recipes = values.recipes
    total = 0.0
    for recipe in range(recipes[RECIPES]):
        total += recipes[BONUSES + recipe] * reach[owner * MOST + recipe]
    return total


@lean
def swing(values: CardValues, owner: int, seat: int, card: int, reach: Floats) -> float:
    """What it is worth to `owner` to win a card, over its being lost; `seat` is the one that asks."""
    deal, recipes, book = values.deal, values.recipes, values.book
    row = row_of(recipes, owner)
    at = owner * MOST
    comes = reach[COMES + card] if owner == seat else RECIPROCAL[deal[PLAYERS]]
    value = float(deal[POINTS + card])
    recipe = recipes[CARRIES + card]
    if recipe < recipes[RECIPES]:
        value += recipes[BONUSES + recipe] * reach[at + recipe] / comes
    kind = recipes[PROVIDES + card]
    if kind < recipes[CARD_VALUES_KINDS]:
        chance = reach[(MINE if owner == seat else THEIRS) + kind]
        without = max(_LEAST, 1.0 - (1.0 - chance) / (1.0 - comes))
        units = book[row + recipes[RECIPES] + 1 + kind]
        entry = list_of(recipes, kind)
        for _ in range(recipes[WIDEST]):
            if recipes[entry + 1] > units:
                value += recipes[BONUSES + recipes[entry]] * reach[at + recipes[entry]] * (1.0 - without) / chance
            entry += 2
    return value


# ----------------------------------------------------------------------------------------------------
# What the learned player of King × Alchemy is told of a choice between plays: what all of them share, as kernels.
#
# Nothing depends on a card's number in the deck: cards are told by what they can do and what they are worth, so
# that
# any deck can be played. The node of the trick on the table is that of `fast_rules.kernel`. Inputs are numbers of
# about 1; what divides them is as it was when the network learned.


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


# ----------------------------------------------------------------------------------------------------
# What the learned player of King × Alchemy is told of a pick and of a taking, as kernels.
#
# Each is tried, and what is told first is what `context_inputs` tells of the cards and piles after it, as if the
# seat led the next trick; the winner of a trick does. Then comes what the pick or the taking has of its own.


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
    layers: network.Room
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
    tell(inputs, at + 4, 1.0 if recipes[PROVIDES + card] < recipes[CARD_VALUES_KINDS] else 0.0)
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


# ----------------------------------------------------------------------------------------------------
# What the learned player of King × Alchemy is told of one play, as kernels: see `context_inputs`.


PLAY = 65  # inputs, after those that all plays share
PLAY_INPUTS = CONTEXT + PLAY


@lean
def play_inputs(
    sight: Sight, seat: int, hand: int, unseen: int, room: Room, place: int, best: float, inputs: Inputs
) -> None:
    """Note what play number `place` in `room` has of its own. `best` is the highest value of a play."""
    values, node = sight.values, sight.node
    deal, recipes = values.deal, values.recipes
    players = deal[PLAYERS]
    played = node[PLAYED]
    dancer = deal[THE_DANCER]
    left = popcount(hand)
    move = room.codes[place]
    card = dancer if move >= NAMED else move
    suit = move - NAMED if move >= NAMED else deal[SUIT + card]
    lead = suit if played == 0 else node[LEAD]
    own = card_value(values, row_of(recipes, seat), left, card)
    of_play = features(deal, node, hand, unseen, move, own, room.table)
    at = CONTEXT
    inputs.many[0] = 0
    for index in range(FEATURES):
        tell(inputs, at + index, of_play[index] * (1.0 if index == 0 or index == 4 else 0.5))
    at += FEATURES
    tell(inputs, at, max(-3.0, 0.1 * (room.values[place] - best)))
    tell(inputs, at + 1, 1.0 if room.values[place] == best else 0.0)
    # Whether a later seat holds a card that beats this one, if it may be played: what is known not to be held by a
    # seat is left out, and a beater of the lead suit counts only among seats that may hold it.
    trumps = deal[SUIT_CARDS + TRUMP]
    lower = deal[LOWER + card]
    beats = of_play[0] > 0.0 or of_play[4] > 0.0
    size = popcount(unseen)
    safe = 1.0
    hold = min(1.0, left * RECIPROCAL[size])
    strong = unseen & trumps
    if suit == TRUMP:
        strong = unseen & ((trumps & ~lower) | (1 << dancer))
    elif move >= NAMED:
        strong = 0
    suited = 0
    if suit == lead and suit < TRUMP:
        suited = unseen & deal[SUIT_CARDS + suit] & ~lower
    for step in range(played + 1, players):
        later = seat_after(deal, node[LEADER], step)
        many = popcount(strong)
        if suit < TRUMP and not (sight.voids[later] >> lead) & 1:
            many = popcount(suited)  # whoever follows suit will rather not spend a trump
            if many == 0:
                many = 1 if strong != 0 else 0
        for _ in range(many):
            safe *= 1.0 - hold
    tell(inputs, at + 2, safe if beats else 0.0)
    tell(inputs, at + 3, 1.0 if beats else 0.0)
    tell(inputs, at + 4, 0.2 * popcount(suited))
    tell(inputs, at + 5, 0.2 * deal[POINTS + card])
    tell(inputs, at + 6, 0.07 * recipes[BONUSES + recipes[CARRIES + card]])
    tell(inputs, at + 7, 1.0 if recipes[PROVIDES + card] < recipes[CARD_VALUES_KINDS] else 0.0)
    tell(inputs, at + 8, 0.2 * own)
    most, total = 0.0, 0.0
    for other in range(players):
        if other != seat:
            value = card_value(values, row_of(recipes, other), left, card)
            most = max(most, value)
            total += value
    tell(inputs, at + 9, 0.2 * most)
    tell(inputs, at + 10, 0.2 * total * RECIPROCAL[players - 1])
    gain, count, loss = 0.0, 0, 0.0
    if played != 0:
        winner = node[BEST]
        where = winner - node[LEADER]
        if where < 0:
            where += players
        if (deal[LOWER + card_at(node[ORDER], where)] >> card) & 1 and not beats:
            loss = card_value(values, row_of(recipes, winner), left, card)
            tell(inputs, at + 11, 0.2 * loss)
            tell(inputs, at + 12, 1.0)
        first, second = 0.0, 0.0
        for step in range(played):
            if (lower >> card_at(node[ORDER], step)) & 1:
                count += 1
                second = max(second, min(first, room.table[step]))
                first = max(first, room.table[step])
        gain = first + second
    if beats:
        tell(inputs, at + 13, 0.2 * gain)
        tell(inputs, at + 14, 0.5 * count)
        tell(inputs, at + 15, 0.2 * safe * (own + gain))
    share = RECIPROCAL[size]
    tell(inputs, at + 16, share * popcount(unseen & deal[CAPTORS + card]))
    tell(inputs, at + 17, share * popcount(unseen & lower))
    tell(inputs, at + 18, 0.02 * popcount(lower))
    of_suit = deal[SUIT_CARDS + suit]
    tell(inputs, at + 19, 0.33 * popcount(hand & of_suit & ~lower & ~(1 << card)))
    tell(inputs, at + 20, 0.2 * popcount(unseen & of_suit & ~lower))
    tell(inputs, at + 21, 0.1 * popcount(unseen & of_suit))
    tell(inputs, at + 22, 0.25 * popcount(hand & of_suit))
    void, void_later = 0, 0
    if suit < TRUMP:
        for step in range(1, players):
            void += (sight.voids[seat_after(deal, seat, step)] >> suit) & 1
        for step in range(played + 1, players):
            void_later += (sight.voids[seat_after(deal, node[LEADER], step)] >> suit) & 1
    tell(inputs, at + 23, 0.33 * void)
    tell(inputs, at + 24, 0.33 * void_later)
    tell(inputs, at + 25, 1.0 if suit == lead else 0.0)
    # What the hand keeps: the cards of the suit that nothing unseen in it beats.
    masters = 0
    rest = hand & of_suit & ~(1 << card) if suit < TRUMP else 0
    while rest != 0:
        kept = trailing_zeros(rest)
        rest &= rest - 1
        if unseen & of_suit & ~deal[LOWER + kept] == 0:
            masters += 1
    tell(inputs, at + 26, 0.5 * masters)
    tell(inputs, at + 27, 1.0 if beats and suit < TRUMP and suited == 0 else 0.0)
    tell(inputs, at + 28, 1.0 if count > 1 and beats else 0.0)
    # What cards are worth at once, where they complete a recipe, and what they would be with a whole deck to come.
    mine = row_of(recipes, seat)
    tell(inputs, at + 29, 0.2 * card_value(values, mine, 0, card))
    tell(inputs, at + 30, 0.2 * card_value(values, mine, MOST_LEFT - 1, card))
    most, total = 0.0, 0.0
    for other in range(players):
        if other != seat:
            value = card_value(values, row_of(recipes, other), 0, card)
            most = max(most, value)
            total += value
    tell(inputs, at + 31, 0.2 * most)
    tell(inputs, at + 32, 0.2 * total * RECIPROCAL[players - 1])
    capture, caught = 0.0, 0.0
    rest = unseen & lower
    while rest != 0:
        capture += sight.worth[trailing_zeros(rest)]
        caught += 1.0
        rest &= rest - 1
    if caught > 0.0:
        tell(inputs, at + 33, 0.3 * capture / caught)
        tell(inputs, at + 34, 0.3 * capture * share)
    if beats and played != 0:
        first, second = 0.0, 0.0
        for step in range(played):
            taken = card_at(node[ORDER], step)
            if (lower >> taken) & 1:
                value = card_value(values, mine, 0, taken)
                second = max(second, min(first, value))
                first = max(first, value)
        tell(inputs, at + 35, 0.2 * (first + second))
    if suit < TRUMP:
        top = 0.0
        rest = hand & of_suit & ~(1 << card)
        open_cards = unseen & of_suit
        while rest != 0:
            kept = trailing_zeros(rest)
            rest &= rest - 1
            under = popcount(open_cards & deal[LOWER + kept])
            top = max(top, (1 + under) * RECIPROCAL[popcount(open_cards) + 1])
        tell(inputs, at + 36, top)
        if beats and played != players - 1:
            tell(inputs, at + 37, safe)
    if played == 0:
        tell(inputs, at + 38, safe)
    if played != 0 and not beats:
        tell(inputs, at + 39, of_play[12])
    # What cards are worth by who may still get them.
    own_swing = sight.worth[CARDS + card]
    tell(inputs, at + 40, 0.2 * own_swing)
    most, total = 0.0, 0.0
    for other in range(players):
        if other != seat:
            value = swing(values, other, seat, card, sight.reach)
            most = max(most, value)
            total += value
    tell(inputs, at + 41, 0.2 * most)
    tell(inputs, at + 42, 0.2 * total * RECIPROCAL[players - 1])
    if played != 0 and loss > 0.0:
        tell(inputs, at + 43, 0.2 * swing(values, node[BEST], seat, card, sight.reach))
    swings = 0.0
    if beats:
        first, second = 0.0, 0.0
        for step in range(played):
            taken = card_at(node[ORDER], step)
            if (lower >> taken) & 1:
                value = sight.worth[CARDS + taken]
                second = max(second, min(first, value))
                first = max(first, value)
        swings = first + second
        tell(inputs, at + 44, 0.2 * swings)
        tell(inputs, at + 45, 0.2 * safe * (own_swing + swings))
        tell(inputs, at + 46, 0.2 * of_play[4] * (own_swing + swings))
    capture = 0.0
    rest = unseen & lower
    while rest != 0:
        capture += sight.worth[CARDS + trailing_zeros(rest)]
        rest &= rest - 1
    if caught > 0.0:
        tell(inputs, at + 47, 0.3 * capture / caught)
    if beats:
        tell(inputs, at + 48, safe * 0.3 * capture * share)


# ----------------------------------------------------------------------------------------------------
# The learned player of King × Alchemy at work, as a kernel: what it finds each play worth.
#
# That is what the network makes of the play (`play_inputs`), and what the plausible player finds it worth
# (`policy`)
# times the network's `trust`: points that it brings more than others of the same choice.


class Brain(NamedTuple):
    """The network, its `trust` in the plausible player (one number), and that one's `prepared` weights."""

    net: Network
    trust: Floats
    play: Plays


class Thought(NamedTuple):
    """Room to think: what the network is told, its layers, and what each play is found worth."""

    told: Inputs
    shared: Singles
    layers: network.Room
    worth: Floats


def thought(net: Network) -> Thought:
    """Room for the network."""
    shared = np.zeros(len(net.first_bias), np.float32)
    return Thought(inputs(PLAY_INPUTS), shared, network.room(net), np.zeros(MOST_PLAYS))


def sight(values: CardValues, node: Words, piles: Words, voids: Words) -> Sight:
    """A round as a seat sees it (`Sight`)."""
    return Sight(values, node, piles, voids, np.zeros(2 * CARDS), np.zeros(REACH))


def no_sight(values: CardValues) -> Sight:
    """Room for a round with these values, whose book is copied."""
    players = int(values.deal[PLAYERS])
    own = values._replace(book=values.book.copy())
    return sight(own, np.zeros(STATE_WORDS, np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64))


@lean
def think(
    brain: Brain, seen: Sight, seat: int, hand: int, unseen: int, count: int, room: Room, mind: Thought
) -> None:
    """Write what each of the first `count` plays in the codes of `room` is found worth to `mind.worth`.

    `hand` and `unseen` are masks. The plausible player's values are written to `room`.
    """
    play_values(seen.values, seen.node, seat, hand, unseen, brain.play, count, room)
    most = room.values[0]
    for place in range(1, count):
        most = max(most, room.values[place])
    context_inputs(seen, seat, hand, unseen, room, most, mind.told)
    evaluate_shared(brain.net, mind.told, mind.shared)
    for place in range(count):
        play_inputs(seen, seat, hand, unseen, room, place, most, mind.told)
        evaluate_further(brain.net, mind.shared, mind.told, mind.layers)
        mind.worth[place] = mind.layers.out[0] + brain.trust[0] * room.values[place]


# ----------------------------------------------------------------------------------------------------
# The learned player of King × Alchemy at a pick and at a taking, as kernels: what it finds each of them worth.
#
# That is what a network makes of it (`share_inputs`), and what the plausible player finds it worth times the
# network's `trust`: points that it leads to.


class Head(NamedTuple):
    """A network that judges picks or takings, and its `trust` in the plausible player (one number)."""

    net: Network
    trust: Floats


class Heads(NamedTuple):
    """What judges picks and takings, and the weights by which the trained player picks and plays (`prepared`)."""

    pick: Head
    take: Head
    picking: Floats
    play: Plays


def trial(values: CardValues, net: Network) -> Trial:
    """Room for a network of this size."""
    most = max(PICK_INPUTS, TAKE_INPUTS)
    return Trial(no_sight(values), new_room(), inputs(most), network.room(net), np.zeros(MOST_PLAYS))


@lean
def judge_picks(heads: Heads, seen: Sight, seat: int, hand: int, unseen: int, room: Room, trial: Trial) -> int:
    """Write the cards of a hand to the codes of `room`, what each is found worth as a pick to `trial.worth`.

    Returns how many there are. `hand` and `unseen` are masks. The plausible player's values are written to `room`.
    """
    count = pick_values(seen.values, seat, hand, heads.picking, room)
    best = room.values[0]
    for place in range(1, count):
        best = max(best, room.values[place])
    for place in range(count):
        pick_inputs(seen, seat, hand, unseen, room, place, best, heads.play, trial)
        evaluate(heads.pick.net, trial.told, trial.layers)
        trial.worth[place] = trial.layers.out[0] + heads.pick.trust[0] * room.values[place]
    return int(count)


@lean
def list_takings(seen: Sight, hand: int, room: Room, trial: Trial) -> int:
    """Write the `takings` of a judged full trick to the codes of `room`; return how many there are.

    Its values are 1 for what the plausible player takes, and 0 for the others.
    """
    node, after = seen.node, trial.after
    count = takings(seen, popcount(hand), room.codes, trial)
    copy_round(seen, after)
    share_out(after.values, after.node, after.piles, popcount(hand), -1, -1)
    winner = node[BEST]
    taken = after.piles[winner] & ~seen.piles[winner] & ~(1 << winning_card(seen.values.deal, node, 0))
    for place in range(count):
        room.values[place] = 1.0 if room.codes[place] & ((1 << GIVEN) - 1) == taken else 0.0
    return int(count)


@lean
def judge_takings(heads: Heads, seen: Sight, hand: int, unseen: int, room: Room, trial: Trial) -> int:
    """Write the `takings` of a judged full trick to the codes of `room`, their worth to `trial.worth`.

    Returns how many there are; the winner holds `hand`.
    """
    count = list_takings(seen, hand, room, trial)
    for place in range(count):
        by_rule = room.values[place]
        taking_inputs(seen, hand, unseen, room.codes[place], by_rule > 0.0, heads.play, trial)
        evaluate(heads.take.net, trial.told, trial.layers)
        trial.worth[place] = trial.layers.out[0] + heads.take.trust[0] * by_rule
    return count


# ----------------------------------------------------------------------------------------------------
# A view of King × Alchemy as the learned player's kernels read it.


def sight_of(view: View | PickView) -> Sight:
    """What a view tells."""
    given = setting(view)
    voids = np.zeros(view.players, np.int64)
    if isinstance(view, PickView):
        return sight(given.values, given.node, np.zeros(view.players, np.int64), voids)
    for seat in range(view.players):
        excluded = view.past.excluded(seat)
        for suit in range(SUITS):
            if excluded & view.full_deck.of_suit[suit]:
                voids[seat] |= 1 << suit
    return sight(given.values, given.node, np.array(view.piles, np.int64), voids)


_PLAYS, _PICKS, _TAKINGS = (Path(__file__).with_name(f"{name}.npz") for name in ("policy", "picks", "takings"))


@kernel
def alone(
    brain: Brain, seen: Sight, seat: int, hand: int, unseen: int, sure: float, room: Room, mind: Thought
) -> int:
    """Write the plays to the codes of `room` and their chances to `mind.worth`; return how many there are.

    `sure` is what a point more multiplies the log of a chance by.
    """
    count = plays(seen.values.deal, seen.node, hand, room.codes)
    think(brain, seen, seat, hand, unseen, count, room, mind)
    for place in range(count):
        mind.worth[place] *= sure
    to_chances(count, mind.worth)
    return count


@kernel
def pick_or_take(
    heads: Heads,
    seen: Sight,
    seat: int,
    hand: int,
    unseen: int,
    picks: bool,
    sure: float,
    room: Room,
    trial: Trial,
) -> int:
    """Write the picks, or the takings, to the codes of `room` and their chances to `trial.worth` (`alone`).

    Returns how many there are.
    """
    if picks:
        count = judge_picks(heads, seen, seat, hand, unseen, room, trial)
    else:
        count = judge_takings(heads, seen, hand, unseen, room, trial)
    for place in range(count):
        trial.worth[place] *= sure
    to_chances(count, trial.worth)
    return int(count)


@lru_cache(maxsize=1)
def policy() -> tuple[Brain, float]:
    """The network that judges plays with its trust, and how sure it is (`alone`)."""
    net, further = read(_PLAYS)
    return Brain(net, further["trust"].astype(np.float64), ALL_PLAYS), float(further["sure"][0])


@lru_cache(maxsize=1)
def heads() -> tuple[Heads, float, float]:
    """The networks that judge picks and takings, and how sure each is."""
    (pick, of_pick), (take, of_take) = read(_PICKS), read(_TAKINGS)
    made = Heads(
        Head(pick, of_pick["trust"].astype(np.float64)),
        Head(take, of_take["trust"].astype(np.float64)),
        np.array(WEIGHTS_PICK),
        ALL_PLAYS,
    )
    return made, float(of_pick["sure"][0]), float(of_take["sure"][0])


def chances(view: View | PickView, moves: Sequence[Move]) -> list[float]:
    """How likely the learned player makes each of the legal moves; its choice is the likeliest.

    Of names of the Dancer that lose alike it makes the first.
    """
    seen, room = sight_of(view), new_room()
    if isinstance(view, View) and not view.trick_is_full:
        brain, sure = policy()
        mind = thought(brain.net)
        count = alone(brain, seen, view.seat, view.hand_mask, view.unseen, sure, room, mind)
        worth = mind.worth
    else:
        judges, of_pick, of_take = heads()
        picks = isinstance(view, PickView)
        tried = trial(seen.values, judges.pick.net)
        asks = view.seat, view.hand_mask, view.unseen, picks, of_pick if picks else of_take
        count, worth = pick_or_take(judges, seen, *asks, room, tried), tried.worth
    made = dict(zip(room.codes[:count].tolist(), worth.tolist(), strict=False))
    return [made.get(code_of(view, move), 0.0) for move in moves]


def code_of(view: View | PickView, move: Move) -> int:
    """A move as the kernels write it to a `Room`."""
    first, given = move_words(view, move)
    return first if isinstance(move, Play) else first | (given + 1) << GIVEN
