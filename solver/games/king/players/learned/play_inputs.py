"""What the learned player of King × Alchemy is told of one play, as kernels: see `context_inputs`."""

from __future__ import annotations

from solver.games.king.cards.deck import CARDS, TRUMP
from solver.games.king.fast_rules.kernel import (
    BEST,
    CAPTORS,
    LEAD,
    LEADER,
    LOWER,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    POINTS,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    card_at,
    seat_after,
)
from solver.games.king.players.card_values import (
    BONUSES,
    CARRIES,
    KINDS,
    MOST_LEFT,
    PROVIDES,
    card_value,
    row_of,
)
from solver.games.king.players.features import FEATURES, RECIPROCAL, features
from solver.games.king.players.learned.context_inputs import CONTEXT
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.reach import swing
from solver.games.king.players.policy import Room
from solver.hints.learned.forward import Inputs, tell
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

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
    tell(inputs, at + 7, 1.0 if recipes[PROVIDES + card] < recipes[KINDS] else 0.0)
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
