"""Model players of King × Alchemy, as kernels: they see their own hand and the open cards, and do not search.

A play's value is a weighted sum of `features`; the weights depend on the place in the trick (first, between, last)
and, linearly, on the number of cards left in the hand. Hints assume that the others choose their plays at random,
with probabilities proportional to exp(value), and that the asking seat makes the play with the highest value. One
kind of player gets its values from a small network instead. Cards are valued with `CardValues`; the trick on the
table is a node of `fast_rules`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.common import Others, members
from solver.games.king.compounding import KEPT_DECKS
from solver.games.king.deck import CARDS, SUITS, TRUMP, Deck
from solver.games.king.fast_rules import (
    BEST,
    BEST_POWER,
    LATE_TRUMP,
    LEAD,
    LOWER,
    LOWEST,
    LOWEST_RANK,
    NAME,
    NAMED,
    NOBODY,
    ORDER,
    PILES,
    PLAYED,
    PLAYERS,
    POINTS,
    RANK,
    READINGS,
    SCORES,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    TRUMPED,
    card_at,
    gain,
    names_following,
    playable,
    start_trick,
    winning_card,
    write_plays,
)
from solver.games.king.rules import TAKEN
from solver.hints.network import UNITS, Chooser, ChooserScratch, Singles, chooser_kernels, read_chooser
from solver.hints.policy import to_chances
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# ----------------------------------------------------------------------------------------------------
# The features of a play, as kernels.


Features = tuple[float, ...]

RECIPROCAL = np.array([0.0, *(1.0 / count for count in range(1, CARDS + 2))])  # divisions are slow

# Features of a play. "Wins" is the chance that no card of the later seats beats it, if they draw at random from
# the unseen cards; "sharp" is the same if later seats follow suit.
WINS = 0
WINS_OWN = 1  # wins, times the card's worth
WINS_TABLE = 2  # wins, times the worth of the two best cards on the table that it could take
WINS_LATER = 3  # wins, times the number of later cards that it could still take
SHARP = 4
SHARP_GAIN = 5  # sharp, times the worth of the card and of those that it could take
NUMBER = 6  # of a suit card: the share of its suit below it
HEIGHT = 7  # of a suit card: the share of its suit's unseen cards below it
IS_TRUMP = 8
TRUMP_NUMBER = 9  # the share of the trumps below it
IS_DANCER = 10
OWN = 11  # the card's worth
BOTTOM = 12  # the chance to be the bottom
BOTTOM_TABLE = 13  # the same, times the worth of the worst card on the table
VOID = 14  # the hand has no other card of the suit
LENGTH = 15  # the cards of the suit that stay in the hand
FEATURES = 16


@inlined
def features(deal: Words, node: Words, hand: int, unseen: int, move: int, own: float, table: Floats) -> Features:
    """Compute the features of a play, as a tuple, which compiled code keeps in registers.

    `unseen` is the mask of the cards that the player has not seen, `own` the worth of the card played, and
    `table` has the worth of each card on the table.
    """
    dancer = deal[THE_DANCER]
    named = move >= NAMED
    card = dancer if named else move
    suit = move - NAMED if named else deal[SUIT + card]
    played = node[PLAYED]
    later = deal[PLAYERS] - 1 - played
    lead = suit if played == 0 else node[LEAD]
    rank = deal[RANK + card]
    lower = deal[LOWER + card]
    trumps = deal[SUIT_CARDS + TRUMP]
    of_suit = deal[SUIT_CARDS + suit]
    scale = RECIPROCAL[popcount(unseen)]
    late = deal[READINGS] & LATE_TRUMP != 0  # a trump after the Dancer beats it

    number = 0.0
    height = 0.0
    trump = 0.0
    trump_number = 0.0
    void = 0.0
    length = 0.0
    beats = False
    beaters = 0
    followed = 0  # unseen cards of the lead suit
    if named:
        if node[TRICK] & trumps != 0:
            beats = True
        elif suit == lead:
            beats = 2 * rank > node[BEST_POWER]
            followed = unseen & of_suit
            beaters = followed & ~lower
            if late:
                beaters |= unseen & trumps
    elif suit == TRUMP:
        beats = (late or node[NAME] < 0) and TRUMPED + rank > node[BEST_POWER]
        beaters = unseen & ((trumps & ~lower) | (1 << dancer))
        trump = 1.0
        trump_number = popcount(lower & trumps) * RECIPROCAL[popcount(trumps) - 1]
    else:
        if suit == lead:
            beats = 2 * rank + 1 > node[BEST_POWER]
            followed = unseen & of_suit
            beaters = (followed & ~lower) | (unseen & trumps)
            if deal[RANK + dancer] > rank:
                beaters |= unseen & (1 << dancer)
        number = popcount(lower & of_suit) * RECIPROCAL[popcount(of_suit) - 1]
        height = popcount(lower & of_suit & unseen) * RECIPROCAL[popcount(of_suit & unseen)]
        stay = popcount(hand & of_suit) - 1
        length = 0.2 * stay
        void = 1.0 if stay == 0 else 0.0

    wins = 0.0
    sharp = 0.0
    first = 0.0
    second = 0.0
    yet = 0.0
    if beats:
        chance = 1.0 - scale * popcount(beaters)
        follows = (1.0 - popcount(beaters & followed) * RECIPROCAL[popcount(followed) + 1]) * (
            1.0 - scale * popcount(beaters & ~followed)
        )
        wins = 1.0
        sharp = 1.0
        for _ in range(later):
            wins *= chance
            sharp *= follows
        takable = 0
        order = node[ORDER]
        for turn in range(played):
            can = (lower >> card_at(order, turn)) & 1
            takable += can
            value = table[turn] if can else 0.0
            second = max(second, min(first, value))
            first = max(first, value)
        yet = min(2.0 - min(takable, 2), later * scale * popcount(unseen & lower))
    gain = first + second

    bottom = 0.0
    worst = 0.0
    lowest = suit == lead and rank <= node[LOWEST_RANK]
    if node[NAME] == lead and node[TRICK] & trumps == 0 and rank >= deal[RANK + dancer]:
        lowest = False  # whether the Dancer on the table is lower, also with the same number
    if lowest:
        bottom = 1.0 - wins
        below = 1.0 - scale * popcount(unseen & lower & of_suit)
        for _ in range(later):
            bottom *= below
        worst = own
        for turn in range(played):
            worst = min(worst, table[turn])
    return (
        wins,
        wins * own,
        wins * gain,
        wins * yet,
        sharp,
        sharp * (own + gain),
        number,
        height,
        trump,
        trump_number,
        1.0 if named else 0.0,
        own,
        bottom,
        bottom * worst,
        void,
        length,
    )


# ----------------------------------------------------------------------------------------------------
# A player of King × Alchemy who looks ahead, as kernels: a small network that imitates hints.
#
# The network (`solver.hints.network`) was trained on hints' plays in rounds among themselves; `ahead.json` says
# how well it does. It judges each play from its `features` and from quick counts: the cards of its suit in the
# hand and among the unseen ones, the trumps, what stays the highest. The contexts are the places in the trick:
# leads, between, last.


SHARED = 12  # inputs shared by all plays of a choice
AHEAD_OWN = FEATURES + 12  # inputs of a play

think_of_choice, think_of_play = chooser_kernels("king_ahead", SHARED, AHEAD_OWN)


@inlined
def shared_inputs(deal: Words, node: Words, hand: int, unseen: int, table: Floats, out: Singles) -> None:
    """Write the network inputs that all plays of a choice share. `table` is as in `features`."""
    trumps = deal[SUIT_CARDS + TRUMP]
    highest = 0  # cards without a higher unseen card of their suit
    for suit in range(SUITS):
        cards = hand & deal[SUIT_CARDS + suit]
        hidden = unseen & deal[SUIT_CARDS + suit]
        while cards != 0:
            card = trailing_zeros(cards)
            cards &= cards - 1
            if hidden & ~deal[LOWER + card] == 0:
                highest += 1
    worth = 0.0
    for turn in range(node[PLAYED]):
        worth += table[turn]
    out[0] = 0.1 * popcount(hand)
    out[1] = 0.3 * popcount(hand & trumps)
    out[2] = 0.3 * popcount(unseen & trumps)
    out[3] = (hand >> deal[THE_DANCER]) & 1
    out[4] = (unseen >> deal[THE_DANCER]) & 1
    out[5] = 0.2 * highest
    out[6] = 0.3 * node[PLAYED]
    out[7] = 0.3 * (deal[PLAYERS] - 1 - node[PLAYED])
    out[8] = 0.1 * worth
    out[9] = 1.0 if deal[PLAYERS] == 3 else 0.0
    out[10] = 1.0 if deal[PLAYERS] == 5 else 0.0
    out[11] = 1.0 if node[TRICK] & trumps != 0 else 0.0


@inlined
def own_inputs(
    deal: Words, node: Words, hand: int, unseen: int, move: int, of_play: Features, out: Singles
) -> None:
    """Write the network inputs for one play, given its features."""
    named = move >= NAMED
    card = deal[THE_DANCER] if named else move
    suit = move - NAMED if named else deal[SUIT + card]
    lower = deal[LOWER + card]
    bit = 1 << card
    of_suit = deal[SUIT_CARDS + suit] & ~bit
    others = hand & of_suit
    hidden = unseen & of_suit
    highest = hidden & ~lower == 0
    takable = 0
    order = node[ORDER]
    for turn in range(node[PLAYED]):
        takable += (lower >> card_at(order, turn)) & 1
    # No loop: a tuple's element at an index that varies takes a jump.
    out[0], out[1], out[2], out[3] = of_play[0], of_play[1], of_play[2], of_play[3]
    out[4], out[5], out[6], out[7] = of_play[4], of_play[5], of_play[6], of_play[7]
    out[8], out[9], out[10], out[11] = of_play[8], of_play[9], of_play[10], of_play[11]
    out[12], out[13], out[14], out[15] = of_play[12], of_play[13], of_play[14], of_play[15]
    out[FEATURES] = 0.2 * popcount(hidden & ~lower)
    out[FEATURES + 1] = 0.2 * popcount(hidden & lower)
    out[FEATURES + 2] = 0.3 * popcount(others & ~lower)
    out[FEATURES + 3] = 0.3 * popcount(others & lower)
    out[FEATURES + 4] = 1.0 if highest else 0.0
    out[FEATURES + 5] = 0.2 * popcount(hidden) if highest else 0.0
    out[FEATURES + 6] = 0.05 * popcount(unseen & lower & ~deal[SUIT_CARDS + TRUMP])
    out[FEATURES + 7] = 0.5 * takable
    out[FEATURES + 8] = 1.0 if node[PLAYED] != 0 and suit == node[LEAD] else 0.0
    out[FEATURES + 9] = 0.1 * popcount(hidden)
    out[FEATURES + 10] = 0.1 * deal[RANK + card]
    out[FEATURES + 11] = 0.1 * popcount(hand & lower)


# ----------------------------------------------------------------------------------------------------
# The worth of a card to a player by its points and the recipes that it helps, as kernels.
#
# A recipe that lacks m cards (including its carrier) counts as bonus * q**m, so a card that it lacks adds bonus *
# (q**(m - 1) - q**m); these are added up over all recipes, although a card serves only one. q is the chance to get
# a missing card: it falls with the number of cards left to play.


CARD_VALUES_KINDS, RECIPES, WIDEST, PROVIDES = range(4)
CARRIES = PROVIDES + CARDS
BONUSES = CARRIES + CARDS
DEAD = 64
LACKING = 8  # a recipe that lacks this many cards, or more, counts nothing
MOST_LEFT = 16


class CardValues(NamedTuple):
    """Data for computing what a card is worth to a seat.

    `deal` is the deal's array of constants (`fast_rules.deal_words`), and `adds` what a missing card adds (see
    `additions`).

    `recipes` has the numbers of ingredients and recipes, and the most recipes that need one ingredient; for each
    card the ingredient that it provides and the recipe that it carries; the bonuses; and for each ingredient the
    list of recipes that need it, with the number of units. Where there is none, the index is one past the last,
    which stands for a recipe without a bonus or an ingredient that nothing needs. The lists are padded with such
    recipes to equal length.

    `book` changes as cards are played: a row per seat, with how many cards each recipe lacks (`DEAD` more if the
    carrier is lost to the seat), and the units that the seat has of each ingredient.
    """

    deal: Words
    recipes: Words
    book: Words
    adds: Floats


@lru_cache(maxsize=KEPT_DECKS)
def recipes_of(deck: Deck) -> Words:
    """The recipes of a deck as the flat array described in `CardValues`. Read-only."""
    kinds = sorted({card.provides for card in deck.cards if card.provides is not None})
    carriers = [number for number, card in enumerate(deck.cards) if card.recipe is not None]
    needs = {number: Counter(recipe.needs) for number in carriers if (recipe := deck.cards[number].recipe)}
    lists = [
        [(recipe, needs[card][kind]) for recipe, card in enumerate(carriers) if needs[card][kind]]
        for kind in kinds
    ]
    widest = max(map(len, lists), default=0)
    nothing = len(carriers), 0
    words = [len(kinds), len(carriers), widest]
    words += [len(kinds) if card.provides is None else kinds.index(card.provides) for card in deck.cards]
    words += [carriers.index(number) if number in needs else len(carriers) for number in range(CARDS)]
    words += [recipe.bonus for number in carriers if (recipe := deck.cards[number].recipe)] + [0]
    for entries in (*lists, []):
        words += [word for entry in entries + [nothing] * (widest - len(entries)) for word in entry]
    recipes = np.array(words, np.int64)
    recipes.flags.writeable = False
    return recipes


def additions(hope: float, players: int) -> Floats:
    """How much getting one missing card of a recipe raises the chance to complete the recipe, as a flat table.

    The card is worth this share of the recipe's bonus. The table has a row for each number of cards left in a
    hand, and a column for each number of cards that the recipe lacks. `hope` is the chance to get a missing card
    when all cards are still to be played.
    """
    shares = np.zeros((MOST_LEFT, LACKING + 1))
    for left in range(MOST_LEFT):
        chance = min(0.9, hope * left * players / 45)
        for lacking in range(1, LACKING):
            shares[left, lacking] = chance ** (lacking - 1) - chance**lacking
    return shares.ravel()


def book_of(deck: Deck, piles: tuple[int, ...], lost: int) -> Words:
    """Build the `book` of `CardValues` for these piles (masks by seat).

    `lost` is the mask of the cards that are out of play without having been won.
    """
    recipes, needs = recipes_of(deck), [1 + len(card.recipe.needs) for card in deck.cards if card.recipe]
    book = np.zeros((len(piles), int(row_of(recipes, 1))), np.int64)
    book[:, : len(needs)] = needs
    words = np.zeros(PLAYERS + 1, np.int64)
    words[PLAYERS] = len(piles)
    values = CardValues(words, recipes, book.ravel(), np.zeros(0))
    for seat, pile in enumerate(piles):
        for card in members(pile):
            get(values, seat, card)
    for card in members(lost):
        lose(values, card)
    return values.book


@inlined
def row_of(recipes: Words, seat: int) -> int:
    return int(seat * (recipes[RECIPES] + recipes[CARD_VALUES_KINDS] + 2))


@inlined
def lose(values: CardValues, card: int) -> None:
    """Record that a card is out of play."""
    recipe = values.recipes[CARRIES + card]
    if recipe < values.recipes[RECIPES]:
        for seat in range(values.deal[PLAYERS]):
            values.book[row_of(values.recipes, seat) + recipe] += DEAD


@inlined
def get(values: CardValues, seat: int, card: int) -> None:
    """Record that a seat has won a card."""
    recipes, book = values.recipes, values.book
    row = row_of(recipes, seat)
    recipe = recipes[CARRIES + card]
    if recipe < recipes[RECIPES]:
        lose(values, card)
        book[row + recipe] -= DEAD + 1
    kind = recipes[PROVIDES + card]
    units = book[row + recipes[RECIPES] + 1 + kind]
    book[row + recipes[RECIPES] + 1 + kind] = units + 1
    entry = list_of(recipes, kind)
    for _ in range(recipes[WIDEST]):
        if units < recipes[entry + 1]:
            book[row + recipes[entry]] -= 1
        entry += 2


@inlined
def win(values: CardValues, node: Words, seat: int, card: int) -> None:
    """Record that a seat has won a card, also in a node of a round."""
    gain(values.deal, node, PILES + seat, SCORES + seat, 1 << card)
    get(values, seat, card)


@inlined
def list_of(recipes: Words, kind: int) -> int:
    """The index in `recipes` where the list for an ingredient starts."""
    return int(BONUSES + recipes[RECIPES] + 1 + 2 * recipes[WIDEST] * kind)


@inlined
def card_value(values: CardValues, row: int, left: int, card: int) -> float:
    """The value of a card that nobody has won, for the seat whose row of the book starts at `row`.

    `left` is the number of cards left in a hand.
    """
    deal, recipes, book, adds = values
    value = float(deal[POINTS + card])
    at = left * (LACKING + 1)
    recipe = recipes[CARRIES + card]
    bonus = recipes[BONUSES + recipe]
    value += bonus * adds[at + min(book[row + recipe], LACKING)]
    kind = recipes[PROVIDES + card]
    units = book[row + recipes[RECIPES] + 1 + kind]
    entry = list_of(recipes, kind)
    for _ in range(recipes[WIDEST]):  # a fixed number of steps: no branch to mispredict
        recipe = recipes[entry]
        bonus = recipes[BONUSES + recipe]
        lacking = min(book[row + recipe], LACKING)
        if units >= recipes[entry + 1]:
            lacking = LACKING
        value += bonus * adds[at + lacking]
        entry += 2
    return float(value)


@lean
def dearest(values: CardValues, seat: int, left: int, cards: int, sign: float) -> int:
    """The card of a mask that is worth most to a seat, or least if `sign` is -1; in a tie, the first."""
    row = row_of(values.recipes, seat)
    chosen = -1
    most = 0.0
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        value = sign * card_value(values, row, left, card)
        if chosen < 0 or value > most:
            chosen = card
            most = value
    return chosen


TRAINED, THRIFTY, AHEAD = range(3)  # the kinds of players
KINDS = 3

ALL = (1 << CARDS) - 1
CONTEXTS = 3  # lead, between, last
SCALE = 0.1  # of the cards left

MOST = 20  # choices: the plays of a seat, one per card and four for the Dancer; fewer picks or takings
LEAST = 0.001  # of the chance of the likeliest play: less likely plays are never drawn
PLAY_WEIGHTS = MOST_LEFT * CONTEXTS * FEATURES  # of a kind, after `prepared`
_TABLE = 8  # the worth of the cards on the table; the features of a pick


class Plays(NamedTuple):
    """The parameters of all kinds of players for valuing plays.

    `weights` has the `prepared` weights of one kind after another; `ahead` is the network of the player who looks
    ahead.
    """

    weights: Floats
    ahead: Chooser


class Scratch(NamedTuple):
    """Scratch memory for a choice.

    `codes` has the moves. `values` has their values, and later their probabilities: those of `MOST` moves for each
    kind of player. `table` has the worth of the cards on the table, and `ahead` is memory for the player who looks
    ahead.
    """

    codes: Words
    table: Floats
    values: Floats
    ahead: ChooserScratch


def new_scratch() -> Scratch:
    ahead = ChooserScratch(
        np.zeros(SHARED, np.float32),
        np.zeros(AHEAD_OWN, np.float32),
        np.zeros(UNITS, np.float32),
        np.zeros(UNITS, np.float32),
    )
    return Scratch(np.zeros(MOST, np.int64), np.zeros(_TABLE), np.zeros(KINDS * MOST), ahead)


def prepared(weights: tuple[float, ...]) -> Floats:
    """The feature weights for each number of cards left in the hand and each place in the trick.

    For each place, `weights` has the constants, then the slopes per ten cards in hand. The result is a flat array.
    """
    parts = np.array(weights, np.float64).reshape(CONTEXTS, 2, FEATURES)
    left = SCALE * np.arange(MOST_LEFT)
    rows: Floats = parts[None, :, 0] + left[:, None, None] * parts[None, :, 1]
    return np.ascontiguousarray(rows).ravel()


@inlined
def weighted(of_play: Features, weights: Floats, at: int) -> float:
    """The value of a play: the sum of its features times the weights that start at `at`."""
    # Four sums in parallel, so that additions do not wait for one another.
    first = of_play[0] * weights[at]
    second = of_play[1] * weights[at + 1]
    third = of_play[2] * weights[at + 2]
    fourth = of_play[3] * weights[at + 3]
    first += of_play[4] * weights[at + 4]
    second += of_play[5] * weights[at + 5]
    third += of_play[6] * weights[at + 6]
    fourth += of_play[7] * weights[at + 7]
    first += of_play[8] * weights[at + 8]
    second += of_play[9] * weights[at + 9]
    third += of_play[10] * weights[at + 10]
    fourth += of_play[11] * weights[at + 11]
    first += of_play[12] * weights[at + 12]
    second += of_play[13] * weights[at + 13]
    third += of_play[14] * weights[at + 14]
    fourth += of_play[15] * weights[at + 15]
    return float((first + second) + (third + fourth))


@inlined
def context_of(deal: Words, node: Words) -> int:
    """The place in the trick of the next play: 0 for the lead, 2 for the last, 1 for those between."""
    played = node[PLAYED]
    return 0 if played == 0 else 2 if played == deal[PLAYERS] - 1 else 1


@inlined
def row_of_weights(deal: Words, node: Words, left: int) -> int:
    """The start of the `prepared` weights for the next place in the trick and `left` cards in the hand."""
    return int((left * CONTEXTS + context_of(deal, node)) * FEATURES)


@inlined
def plays(deal: Words, node: Words, hand: int, codes: Words) -> int:
    """Write the candidate plays to `codes`, in canonical order; return their number.

    When following, only one of the suits that are equivalent names for the Dancer is included.
    """
    if node[PLAYED] == 0:
        return write_plays(deal, hand, (1 << SUITS) - 1, codes, 0)
    lead = node[LEAD]
    return write_plays(deal, playable(deal, hand, lead), names_following(deal, hand, lead), codes, 0)


@lean
def value_plays(
    values: CardValues,
    worths: Floats,
    known: bool,
    count: int,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    by: Plays,
    kinds: int,
    room: Scratch,
) -> None:
    """Write the value of each of the first `count` plays in `room.codes`, for each kind of player in `kinds`.

    The values of a kind begin at index kind * `MOST` of `room.values`. `hand`, `unseen` and `kinds` are masks.
    If it is `known` what each card is worth to the seat, `worths` has that.
    """
    deal, table, order = values.deal, room.table, node[ORDER]
    left, row = popcount(hand), row_of(values.recipes, seat)
    at, context = row_of_weights(deal, node, left), context_of(deal, node)
    for turn in range(node[PLAYED]):
        card = card_at(order, turn)
        table[turn] = worths[card] if known else card_value(values, row, left, card)
    looks_ahead = (kinds >> AHEAD) & 1 != 0
    if looks_ahead:
        shared_inputs(deal, node, hand, unseen, table, room.ahead.shared)
        think_of_choice(by.ahead, context, room.ahead)
    for index in range(count):
        move = room.codes[index]
        card = deal[THE_DANCER] if move >= NAMED else move
        own = worths[card] if known else card_value(values, row, left, card)
        of_play = features(deal, node, hand, unseen, move, own, table)
        # A branch for each kind: a loop over the kinds is slower.
        if (kinds >> TRAINED) & 1:
            room.values[TRAINED * MOST + index] = weighted(of_play, by.weights, TRAINED * PLAY_WEIGHTS + at)
        if (kinds >> THRIFTY) & 1:
            room.values[THRIFTY * MOST + index] = weighted(of_play, by.weights, THRIFTY * PLAY_WEIGHTS + at)
        if looks_ahead:
            own_inputs(deal, node, hand, unseen, move, of_play, room.ahead.own)
            room.values[AHEAD * MOST + index] = think_of_play(by.ahead, context, room.ahead)


# ----------------------------------------------------------------------------------------------------
# How a plausible player picks its first card, as kernels.
#
# The card is drawn with probabilities proportional to exp(value); its value is a weighted sum of features.


# Features of a card that is picked before the first trick.
PICK_OWN, PICK_NUMBER, PICK_TRUMP, PICK_TRUMP_NUMBER, PICK_DANCER, PICK_BONUS, PICK_LENGTH, PICK_VOID = range(8)
PICK_FEATURES = 8


@lean
def pick_features(values: CardValues, seat: int, hand: int, left: int, card: int, out: Floats) -> None:
    """Write the features of picking `card` from a hand (a mask), which leaves `left` cards in it."""
    deal, recipes = values.deal, values.recipes
    for index in range(PICK_FEATURES):
        out[index] = 0.0
    out[PICK_OWN] = card_value(values, row_of(recipes, seat), left, card)
    suit = deal[SUIT + card]
    of_suit = deal[SUIT_CARDS + suit]
    lower = popcount(deal[LOWER + card] & of_suit)
    recipe = recipes[CARRIES + card]
    out[PICK_BONUS] = 0.1 * recipes[BONUSES + recipe]
    if suit == TRUMP:
        out[PICK_TRUMP] = 1.0
        out[PICK_TRUMP_NUMBER] = lower * RECIPROCAL[popcount(of_suit) - 1]
    elif card == deal[THE_DANCER]:
        out[PICK_DANCER] = 1.0
    else:
        out[PICK_NUMBER] = lower * RECIPROCAL[popcount(of_suit) - 1]
        stay = popcount(hand & of_suit) - 1
        out[PICK_LENGTH] = 0.2 * stay
        if stay == 0:
            out[PICK_VOID] = 1.0


@lean
def pick_chances(values: CardValues, seat: int, hand: int, weights: Floats, room: Scratch) -> int:
    """Write the cards of a hand to `room.codes`, and the probability of picking each to `room.values`.

    Returns their number.
    """
    count = 0
    left = popcount(hand) - 1
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        room.codes[count] = card
        pick_features(values, seat, hand, left, card, room.table)
        value = 0.0
        for index in range(PICK_FEATURES):
            value += room.table[index] * weights[index]
        room.values[count] = value
        count += 1
    to_chances(count, room.values)
    return count


# ----------------------------------------------------------------------------------------------------
# The weights of the plausible player, learned by self-play: ``python -m training.king_rules learn``.


HOPE = 0.2  # q at the start of a round: see `additions`
# For the lead, then the cards between, then the last card of a trick: the constants of all features, then their
# slopes per ten cards left in the hand.
# fmt: off
PLAY = (
    10.379, 2.314, 1.000, 0.312, 8.887, 0.625, -5.717, -5.675,
    -12.085, 1.825, -9.039, -2.444, 7.953, 2.752, -0.473, 5.312,
    7.528, 0.471, 0.000, -1.416, 6.943, 1.290, 0.257, -2.051,
    -18.109, -3.578, -4.561, -2.003, 5.475, 1.945, -0.019, 8.573,
    5.706, -0.926, 2.670, -0.167, 4.662, 2.252, -7.687, -4.879,
    -9.942, -5.245, -13.884, -1.026, 3.099, 3.019, -1.607, 16.097,
    4.359, -0.951, 0.829, 1.073, 0.210, -0.990, -5.441, -5.323,
    -8.343, -4.434, -9.778, 0.311, -3.571, -0.684, 5.136, 9.541,
    5.255, 2.402, 5.962, 1.800, 5.255, 3.751, -2.827, -6.880,
    -5.023, -7.821, -12.642, -0.796, 2.527, 2.642, -1.328, 12.218,
    -3.815, -1.664, 1.360, 0.000, -3.815, 0.195, -4.301, -7.987,
    -5.234, -6.148, -4.557, -0.700, 2.230, 0.921, 2.739, 8.758,
)
PICK = (
    13.725, -11.604, -3.965, -8.202, -5.322, 1.016, 10.739, -2.928,
)
SEEN_PICK = (
    0.550, -2.403, -2.541, -2.940, -1.952, -2.607, 1.034, 0.070,
)
# fmt: on


# ----------------------------------------------------------------------------------------------------
# The assumed kinds of the other players, since nobody knows how they choose.
#
# Each seat is of one of three kinds. Its own picks and plays are evidence of its kind, as of its cards
# (`solver.hints.rounds`); in each sampled world, a seat makes each play like one of these kinds, drawn by the
# probability that it is of that kind there.
#
# * The *trained* player plays by weights that were learned by self-play.
#
# * The *thrifty* player weighs the gain of a play now against what it would keep: the chance to win, times the
#   points and recipes of the card and of those that it could take, and the chance to be the bottom, times the
#   worst card on the table, minus a price for a high suit card, a trump and the Dancer.
#
# * The player who *looks ahead* imitates hints: its plays come from a small network (`ahead`, made by ``python -m
#   training king``), its picks from weights (``python -m training.king_rules watch``).
#
# Club players are all assumed to be trained, beginners likewise but a fifth as sure.


EXPECTED = np.full(KINDS, 1 / KINDS)  # the expected share of each kind among equals
_ALL_TRAINED = np.eye(KINDS)[TRAINED]
AMONG: Mapping[Others, Floats] = {"equal": EXPECTED, "club": _ALL_TRAINED, "beginner": _ALL_TRAINED}
LESS_SURE = 0.2  # a factor on the weights, for beginners
MIXED = np.array([0.1, 0.1, 0.1])  # the share of each kind's choices that is random

# The thrifty player's prices in points: for the highest card of a suit of eleven, lower ones in proportion to
# their numbers; for the lowest trump, and how much more for the highest; for the Dancer.
_HIGHEST, _TRUMP, _TRUMPS, _DANCER = 2.4, 1.725, 1.38, 3.0
_LOWEST = _HIGHEST / 11
_PER_POINT = 2.0  # the weight of a point in its softmax: how surely it takes one point more


def _thrifty_play() -> tuple[float, ...]:
    weights = np.zeros((CONTEXTS, 2, FEATURES))
    for feature in (WINS_OWN, WINS_TABLE, WINS_LATER, BOTTOM_TABLE):
        weights[:, 0, feature] = 1.0
    # Prices are relative to a suit's lowest card, which changes no choice.
    weights[:, 0, NUMBER] = _LOWEST - _HIGHEST
    weights[:, 0, IS_TRUMP] = _LOWEST - _TRUMP
    weights[:, 0, TRUMP_NUMBER] = -_TRUMPS
    weights[:, 0, IS_DANCER] = _LOWEST - _DANCER
    return tuple(_PER_POINT * weights.ravel())


def _thrifty_pick() -> tuple[float, ...]:
    weights = np.zeros(PICK_FEATURES)
    weights[PICK_OWN] = 1.0
    weights[PICK_NUMBER] = _LOWEST - _HIGHEST
    weights[PICK_TRUMP] = _LOWEST - _TRUMP
    weights[PICK_TRUMP_NUMBER] = -_TRUMPS
    weights[PICK_DANCER] = _LOWEST - _DANCER
    return tuple(_PER_POINT * weights)


# The weights of all kinds, one kind after the other.
PICKS = (PICK, _thrifty_pick(), SEEN_PICK)
PLAYS = (PLAY, _thrifty_play())  # the player who looks ahead uses a network
_AHEAD = read_chooser(Path(__file__).with_name("ahead.npz"))
ALL_PLAYS = Plays(np.concatenate([prepared(weights) for weights in PLAYS]), _AHEAD)
ALL_PICKS = np.array(PICKS).ravel()
for _array in (ALL_PLAYS.weights, *ALL_PLAYS.ahead, ALL_PICKS):
    _array.flags.writeable = False


# ----------------------------------------------------------------------------------------------------
# The end of a trick among plausible players: who takes and gives what, as kernels.


@lean
def share_out(values: CardValues, node: Words, left: int, taking: int) -> None:
    """Share out a full trick of a round whose winner is known; update `values.book`, and start the next trick.

    `left` is the number of cards left in a hand. `taking` is the code of the winner's choice; if it is -1, the
    winner takes what is worth most to it, one card after another, and gives what is worth least to the bottom.
    """
    deal = values.deal
    winner = node[BEST]
    won = winning_card(deal, node, 0)
    rest = node[TRICK] & ~(1 << won)
    win(values, node, winner, won)
    given = NOBODY
    for index in range(TAKEN):
        card = (taking >> (8 + 6 * index)) & 63
        if taking < 0:
            lower = rest & deal[LOWER + won]
            card = dearest(values, winner, left, lower, 1.0) if lower != 0 else NOBODY
        if card != NOBODY:
            rest &= ~(1 << card)
            win(values, node, winner, card)
    if taking >= 0:
        given = (taking >> 20) & 63
    elif rest != 0 and node[LOWEST] >= 0:
        given = dearest(values, node[LOWEST], left, rest, -1.0)
    if given != NOBODY:
        rest &= ~(1 << given)
        win(values, node, node[LOWEST], given)
    while rest != 0:
        lose(values, trailing_zeros(rest))
        rest &= rest - 1
    start_trick(node, 0, winner)
