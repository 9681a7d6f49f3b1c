"""The modelled players of Aqua Regia: the plausible player, the learned player, and a critic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.common import Others
from solver.games.aqua_regia.deck import MOST_METALS
from solver.games.aqua_regia.fast_rules import (
    COPIES,
    COUNT,
    DRAW,
    DRAWN,
    EXCHANGE,
    FIELD,
    GONE,
    METAL,
    NOBODY,
    OWNER,
    PASS,
    REACTS,
    REVERSED,
    SCALARS,
    STOCKED,
    TABLE,
    TURN,
    Game,
    count_played,
    exchange_number,
    field_after,
    finish_pass,
    make_move,
    may_take,
    metal_given,
    metal_played,
    metal_taken,
    most_of,
    number_of,
    play_number,
    reactivity_rows,
    winner_of,
)
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import MOST_AT_ONCE, PLAYERS, Move, Pass
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
    tell_all,
)
from solver.hints.policy import gumbel, noisy, to_chances
from solver.kernels.jit import apart, kernel, lean
from solver.kernels.words import Floats, Words

# ----------------------------------------------------------------------------------------------------
# The plausible player, as kernels: a softmax policy that sees only its own cards and the table.
#
# It does not look ahead: a choice's value is a weighted sum of features, and its probability is proportional to
# exp(value). The weights in PLAYER were learned by self-play (`training.aqua_regia_rules`).


# Features of a play; leads have weights of their own.
CARDS = 0  # how many
STRENGTH = 1  # of the metal, 0 to 1
SPLITS = 2  # cards of the metal that stay in the hand
RARE = 3  # fields in which the metal can't be played
JUMP = 4  # how much stronger it is than the top play, 0 to 1; led: its strength among the hand's possible leads
NEXT = 5  # whether it can also be played in the next field
PLAY_FEATURES = 6
# Features of a pass and of an exchange.
PASSES = 2 * PLAY_FEATURES
PASS_DRAWS = PASSES + 1
EXCHANGES = PASSES + 2
MATCHES = PASSES + 3  # cards of the taken metal in the hand
BREAKS = PASSES + 4  # cards of the discarded metal that stay
GAINS_FIELDS = PASSES + 5  # fields for the metal taken, minus those for the metal discarded
GAINS_NEXT = PASSES + 6  # the same for the next field
GAINS_STRENGTH = PASSES + 7
WEIGHTS = PASSES + 8


class Turn(NamedTuple):
    """What a choice depends on besides the hand.

    `following` is the field after `field`. `metal` and `number` (of cards) are the play on top; `number` is 0 for
    a lead. `draws` is 1 while the stock has cards for a pass to draw, else 0.
    """

    field: int
    following: int
    metal: int
    number: int
    draws: int


@lean
def play_value(
    reactivity: Words,
    held: int,
    following: int,
    metal: int,
    count: int,
    other: int,
    number: int,
    weights: Floats,
) -> float:
    """Return the value of playing `number` of the `held` cards of the metal `other`.

    The play on top is `count` cards of `metal`; `count` is 0 for a lead. `following` is the field after the
    current one.
    """
    metals = reactivity.shape[1]
    scale = 1.0 / metals
    start = 0 if count else PLAY_FEATURES
    rare = FIELDS - reactivity[REACTS, other]
    value = weights[start + CARDS] * number + weights[start + STRENGTH] * other * scale
    value += weights[start + SPLITS] * (held > number) + weights[start + RARE] * rare
    value += weights[start + JUMP] * (other - metal if count else other) * scale * (number > 1)
    return float(value + weights[start + NEXT] * (reactivity[following, other] > 0))


@lean
def pass_value(draws: int, weights: Floats) -> float:
    """Return the value of passing; `draws` is 1 while the stock has cards."""
    return float(weights[PASSES] + weights[PASS_DRAWS] * draws)


@lean
def exchange_value(
    reactivity: Words, hand: Words, following: int, given: int, taken: int, weights: Floats
) -> float:
    """Return the value of exchanging a card, relative to exchanging none."""
    fields = reactivity[REACTS, taken] - reactivity[REACTS, given]
    ready = int(reactivity[following, taken] > 0) - int(reactivity[following, given] > 0)
    value = weights[EXCHANGES] + weights[MATCHES] * hand[taken] + weights[BREAKS] * (hand[given] - 1)
    value += weights[GAINS_FIELDS] * fields + weights[GAINS_NEXT] * ready
    return float(value + weights[GAINS_STRENGTH] * (taken - given) / len(hand))


@lean
def choose_play(reactivity: Words, hand: Words, size: int, turn: Turn, weights: Floats, random: Words) -> int:
    """Choose a play, or PASS, at random; the exchange that ends the pass is chosen later.

    Probabilities are proportional to exp(value), but a play that goes out is always chosen. `reactivity` is from
    `reactivity_rows`; `hand` has a count per metal, `size` cards in total.
    """
    field, following, metal, count, draws = turn
    best, chosen = -1e300, PASS
    if count:
        best = pass_value(draws, weights) + gumbel(random)
    for other in range(metal + 1 if count else 0, len(hand)):
        held = hand[other]
        for number in range(max(count, 1), most_of(reactivity, field, other, held, count) + 1):
            if number == size:
                return int(play_number(other, number))
            value = play_value(reactivity, held, following, metal, count, other, number, weights)
            value = noisy(value, best, random)
            if value > best:
                best, chosen = value, play_number(other, number)
    return int(chosen)


@lean
def choose_exchange(
    reactivity: Words, hand: Words, discard: Words, copies: int, following: int, weights: Floats, random: Words
) -> int:
    """Choose an exchange, or none (PASS), at random. Probabilities are proportional to exp(value).

    `hand` includes the card just drawn.
    """
    best, chosen = gumbel(random), PASS
    for taken in range(1, len(hand)):
        if not may_take(discard[taken], copies):
            continue
        for given in range(taken):
            if hand[given] == 0:
                continue
            value = noisy(exchange_value(reactivity, hand, following, given, taken, weights), best, random)
            if value > best:
                best, chosen = value, exchange_number(given, taken)
    return int(chosen)


@kernel
def move_chances(
    reactivity: Words, hand: Words, size: int, turn: Turn, moves: Words, weights: Floats, out: Floats
) -> None:
    """Write to `out` the probability with which a plausible player makes each of the legal moves, given by number.

    It chooses between plays and a pass, then an exchange; if it can play the last of its cards, it does. `hand`
    has a count per metal, including a drawn card; a play of `size` cards goes out.
    """
    _field, following, metal, count, draws = turn
    passing = pass_value(draws, weights) if count else -1e300
    best_play, best_exchange = passing, 0.0  # to exchange nothing is worth 0
    for index in range(len(moves)):
        move, value = moves[index], 0.0
        if move < PASS:
            other, number = metal_played(move), count_played(move)
            if number == size:
                out[:] = 0.0
                out[index] = 1.0
                return
            value = play_value(reactivity, hand[other], following, metal, count, other, number, weights)
            best_play = max(best_play, value)
        elif move >= EXCHANGE:
            value = exchange_value(reactivity, hand, following, metal_given(move), metal_taken(move), weights)
            best_exchange = max(best_exchange, value)
        out[index] = value
    plays = passes = exp(passing - best_play) if count else 0.0
    exchanges = 0.0
    for index in range(len(moves)):
        if moves[index] < PASS:
            out[index] = exp(out[index] - best_play)
            plays += out[index]
        else:
            out[index] = exp(out[index] - best_exchange)
            exchanges += out[index]
    for index in range(len(moves)):
        out[index] *= 1 / plays if moves[index] < PASS else passes / (plays * exchanges)


@lean
def exchange_by_rule(game: Game, weights: Floats, random: Words) -> None:
    """End a pass, after the draw, with an exchange or none, chosen like a plausible player (`players`) does."""
    scalars = game.scalars
    following = field_after(scalars)
    hand, discard = game.hands[scalars[TURN]], game.piles[GONE]
    finish_pass(game, choose_exchange(game.reactivity, hand, discard, scalars[COPIES], following, weights, random))


@lean
def move_by_rule(game: Game, weights: Floats, random: Words) -> None:
    """Play or pass for the seat to move, like a plausible player (`players`)."""
    scalars = game.scalars
    seat = scalars[TURN]
    draws = 1 if scalars[DRAWN] < scalars[STOCKED] else 0
    following = field_after(scalars)
    turn = Turn(scalars[FIELD], following, scalars[METAL], scalars[COUNT], draws)
    chosen = choose_play(game.reactivity, game.hands[seat], game.sizes[seat], turn, weights, random)
    if make_move(game, DRAW if chosen == PASS else chosen):
        exchange_by_rule(game, weights, random)


# ----------------------------------------------------------------------------------------------------
# The weights of Aqua Regia's plausible players; `training.aqua_regia_rules` found PLAYER for the house deck.


# fmt: off
PLAYER = (
    19.55, -2.02, -1.03, 11.61, 1.85, 1.22,  # to follow
    5.78, 10.75, -5.16, 16.88, 15.21, -8.16,  # to lead
    5.93, -1.45, 3.49, 5.34, -12.55, 19.78, 10.74, -5.31,  # to pass, and to exchange
)
# Players who look ahead: fitted by `training.aqua_regia_rules` to 5,188 choices of hints in 400 games with three
# players, where hints took all others for trained rule players. Hints have changed since; a new fit gives somewhat
# different weights.
AHEAD = (
    0.81, 4.69, -0.77, -0.02, -0.4, -0.04,  # to follow
    0.35, 3.14, -1.28, 0.7, 0.4, -1.4,  # to lead
    1.87, -0.72, 0.21, 0.72, -1.69, 1.38, 0.04, 0.41,  # to pass, and to exchange
)
# fmt: on
_LESS_SURE = 0.2  # a beginner's factor on a club player's weights

# By which the other players choose. Equals do what hints do, as far as weights can express it
# (``python -m training.aqua_regia_rules watch``).
WEIGHTS_OF: Mapping[Others, Floats] = {
    "equal": np.array(AHEAD),
    "club": np.array(PLAYER),
    "beginner": _LESS_SURE * np.array(PLAYER),
}
AT_RANDOM = 0.1  # the share of their choices that is assumed to be random, where a hint judges choices it has seen


# ----------------------------------------------------------------------------------------------------
# A view and its moves in the form that kernels read.


def table_words(view: Round) -> tuple[Words, Words]:
    """Convert a view's piles and other public data to the `piles` and `scalars` of a `Game`.

    If the view's seat has just drawn a card, the caller must record that in `scalars`.
    """
    deck = view.metals
    lying = deck.numbers(view.table)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[TURN] = view.turn
    scalars[FIELD] = view.field_number
    scalars[REVERSED] = view.reversed
    scalars[STOCKED] = view.stock_count
    scalars[COPIES] = deck.copies
    if lying:
        top = view.top
        assert view.owner is not None
        assert top is not None
        scalars[OWNER] = view.owner
        scalars[METAL] = top.metal
        scalars[COUNT] = top.count
    return np.array([view.pile, deck.counts(lying)], np.int64), scalars


def move_numbers(view: Round, moves: Sequence[Move]) -> Words:
    """Return the numbers of moves; a pass whose draw is still unknown is a DRAW."""
    draws = view.drawn is None and view.stock_count > 0
    return np.array([DRAW if draws and move == Pass() else number_of(move) for move in moves], np.int64)


def game_of(view: Round) -> Game:
    """Convert a view to the game as its seat sees it; a drawn card is in the hand, and no longer in the stock."""
    deck = view.metals
    drawn = int(view.drawn is not None)
    hands, known = (np.zeros((view.players, deck.size), np.int64) for _ in range(2))
    hands[view.seat] = view.held
    known[:] = [view.known_counts(seat) for seat in range(view.players)]
    sizes = np.array(view.counts, np.int64)
    sizes[view.seat] += drawn
    piles, scalars = table_words(view)
    scalars[DRAWN] = drawn
    return Game(reactivity_rows(deck), hands, sizes, piles, scalars, np.zeros(0, np.int64), known)


# ----------------------------------------------------------------------------------------------------
# The learned player: a neural network that chooses without looking ahead.
#
# The network (`policy.npz`; `policy.json` says how it was made and how well it plays) was trained on games. It
# evaluates plays, passes and exchanges, and provides a hint's first answer. A move that goes out is always chosen.
#
# A choice is the same on every machine: the network's inputs are rounded (`solver.hints.network.tell`), and sums
# are computed in a fixed order.
#
# First, how safe plays are, given what the player sees, as kernels.


FIELDS = 4
_MOST_SHARE = 0.95


class Odds(NamedTuple):
    """Chances of what the other players hold and can beat, computed once per choice.

    `unseen`: the number of cards of each metal that nobody has shown. `fewer[count - 1, metal]`: the chance that
    no other player holds that many cards of the metal. `safe[field, count - 1, metal]`: the chance that nobody can
    beat such a play in that field.
    """

    unseen: Words
    fewer: Floats
    safe: Floats


def odds() -> Odds:
    """Allocate memory for the odds of a choice."""
    return Odds(
        np.zeros(MOST_METALS, np.int64),
        np.zeros((MOST_AT_ONCE, MOST_METALS)),
        np.zeros((FIELDS, MOST_AT_ONCE, MOST_METALS)),
    )


@lean
def field_step(scalars: Words) -> int:
    """Return what each change of field adds to the field's index (mod 4)."""
    return 3 if scalars[REVERSED] else 1


@lean
def chance_of_fewer(copies: int, share: float, count: int) -> float:
    """Return the chance of having fewer than `count` of `copies` cards, each with probability `share` below 1."""
    if count <= 0:
        return 0.0
    term = 1.0
    for _ in range(copies):
        term *= 1.0 - share
    total = term
    for many in range(1, min(count - 1, copies) + 1):
        term *= (copies - many + 1) * share / (many * (1.0 - share))
        total += term
    return total


@lean
def work_out(game: Game, odds: Odds) -> int:
    """Compute the odds for the seat to move; return the number of unseen cards."""
    scalars, piles = game.scalars, game.piles
    seat = scalars[TURN]
    players, metals = game.hands.shape
    total = 0
    for metal in range(metals):
        many = scalars[COPIES] - game.hands[seat, metal] - piles[GONE, metal] - piles[TABLE, metal]
        for other in range(players):
            if other != seat:
                many -= game.known[other, metal]
        odds.unseen[metal] = many
        total += many
        for count in range(MOST_AT_ONCE):
            odds.fewer[count, metal] = 1.0
    for other in range(players):
        if other == seat:
            continue
        hidden = game.sizes[other]
        for metal in range(metals):
            hidden -= game.known[other, metal]
        share = min(_MOST_SHARE, hidden / total) if total > 0 else 0.0
        for metal in range(metals):
            shown = game.known[other, metal]
            for count in range(MOST_AT_ONCE):
                odds.fewer[count, metal] *= chance_of_fewer(odds.unseen[metal], share, count + 1 - shown)
    for field in range(FIELDS):
        for count in range(MOST_AT_ONCE):
            safe = 1.0
            for metal in range(metals - 1, -1, -1):
                odds.safe[field, count, metal] = safe
                if game.reactivity[field, metal] > min(count, 1):
                    safe *= odds.fewer[count, metal]
    return total


@lean
def field_in(scalars: Words, steps: int, step: int) -> int:
    """Return the index of the field after `steps` changes; each adds `step` (mod 4)."""
    return int((scalars[FIELD] + steps * step) & 3)


# ----------------------------------------------------------------------------------------------------
# The learned player's inputs about a hand, as kernels: see `choice_inputs`.


BINS = 16  # parts of a deck, the weakest metals first
_OF_FIELD = 6
HAND = _OF_FIELD * FIELDS + 15 + BINS  # inputs


@lean
def write_bins(counts: Words, metals: int, scale: float, row: Floats, at: int) -> None:
    """Write `BINS` inputs to `row` from index `at` on: the number of cards in each range of metals, times `scale`.

    The metals are divided into `BINS` ranges of nearly equal size, the weakest first.
    """
    metal = 0
    for part in range(BINS):
        many = 0
        while metal < metals and metal * BINS < (part + 1) * metals:
            many += counts[metal]
            metal += 1
        row[at + part] = scale * many


@lean
def _tell_field(game: Game, odds: Odds, hand: Words, field: int, row: Floats, at: int) -> None:
    """Write the inputs about what a hand can play in one field."""
    reactivity = game.reactivity
    out, groups, whole, kept, best, best_single = 0, 0, 0, 0.0, 0.0, 0.0
    for metal in range(reactivity.shape[1]):
        held = hand[metal]
        most = most_of(reactivity, field, metal, held, 0)
        if most == 0:
            continue
        safe = odds.safe[field, most - 1, metal]
        out += held
        groups += 1
        whole += held if most == held else 0
        kept += safe * most
        best = max(best, safe)
        best_single = max(best_single, odds.safe[field, 0, metal])
    row[at] = 0.1 * out
    row[at + 1] = 0.15 * groups
    row[at + 2] = 0.1 * whole
    row[at + 3] = 0.15 * kept
    row[at + 4] = best
    row[at + 5] = best_single


@lean
def hand_inputs(game: Game, odds: Odds, hand: Words, step: int, row: Floats, at: int) -> None:
    """Write the `HAND` inputs of a hand: for each field, what it can play there, then counts of its cards.

    The current field comes first, then the field whose index is higher by `step` (mod 4), and so on.
    """
    reactivity = game.reactivity
    metals = reactivity.shape[1]
    for later in range(FIELDS):
        field = field_in(game.scalars, later, step)
        _tell_field(game, odds, hand, field, row, at + _OF_FIELD * later)
    at += _OF_FIELD * FIELDS
    cards, groups, plays, pairs, threes, fours = 0, 0, 0, 0, 0, 0
    in_one, in_two, in_three, in_four = 0, 0, 0, 0
    for metal in range(metals):
        held = hand[metal]
        if held == 0:
            continue
        cards += held
        groups += 1
        pairs += int(held == 2)
        threes += int(held == 3)
        fours += int(held > 3)
        fields, together = reactivity[REACTS, metal], False
        for field in range(FIELDS):
            together = together or reactivity[field, metal] > 1
        plays += (held + MOST_AT_ONCE - 1) // MOST_AT_ONCE if together else held
        in_one += held if fields == 1 else 0
        in_two += held if fields == 2 else 0
        in_three += held if fields == 3 else 0
        in_four += held if fields == 4 else 0
    row[at] = 0.1 * cards
    row[at + 1] = 0.125 * groups
    row[at + 2] = 0.125 * plays
    row[at + 3] = 0.5 * pairs
    row[at + 4] = 0.5 * threes
    row[at + 5] = 1.0 * fours
    row[at + 6] = 0.25 * in_one
    row[at + 7] = 0.25 * in_two
    row[at + 8] = 0.25 * in_three
    row[at + 9] = 0.25 * in_four
    row[at + 10] = 1.0 if cards == 1 else 0.0
    row[at + 11] = 1.0 if cards == 2 else 0.0
    row[at + 12] = 1.0 if cards == 3 else 0.0
    row[at + 13] = 1.0 if groups == 1 else 0.0
    row[at + 14] = 1.0 if groups == 2 else 0.0
    write_bins(hand, metals, 0.5, row, at + 15)


# ----------------------------------------------------------------------------------------------------
# The learned player's inputs about a choice, shared by all its moves, as kernels.
#
# Nothing depends on the number of a metal or field: cards are described by their place in the deck and by what
# they can do in the current field and the next ones, so that any deck can be played. Inputs are of the order of 1.


# Where the parts begin.
STAGE = 4  # to lead, to follow, to follow without a stock, to exchange
TOP = 8
OTHERS = 20
_OF_OTHER = 6
STOCK = OTHERS + 4 * _OF_OTHER
FIELDS_AT = STOCK + 8
UNSEEN = FIELDS_AT + FIELDS
TAKEABLE = UNSEEN + BINS
OWN = TAKEABLE + BINS
CONTEXT = OWN + HAND  # inputs


@lean
def _write_top(game: Game, odds: Odds, row: Floats) -> None:
    """Write the inputs about the top play, and about how many other seats must pass before the trick ends."""
    scalars = game.scalars
    players, metals = game.hands.shape
    metal, count = scalars[METAL], scalars[COUNT]
    lying = 0
    for other in range(metals):
        lying += game.piles[TABLE, other]
    row[TOP] = (metal + 1) / metals
    row[TOP + count] = 1.0
    row[TOP + 5] = 0.05 * lying
    row[TOP + 6] = odds.safe[scalars[FIELD], count - 1, metal]
    after = (scalars[OWNER] - scalars[TURN] + players) % players
    row[TOP + 6 + after] = 1.0
    row[TOP + 11] = 0.33 * (players - 1 - after)


@lean
def _write_others(game: Game, row: Floats) -> None:
    """Write the inputs about the other hands: how many cards each has, in turn order."""
    seat = game.scalars[TURN]
    players, metals = game.hands.shape
    least = 1 << 20
    for offset in range(players - 1):
        other = (seat + 1 + offset) % players
        size = game.sizes[other]
        least = min(least, size)
        known = 0
        for metal in range(metals):
            known += game.known[other, metal]
        at = OTHERS + _OF_OTHER * offset
        row[at] = 0.1 * size
        row[at + 1] = 1.0 if size == 1 else 0.0
        row[at + 2] = 1.0 if size == 2 else 0.0
        row[at + 3] = 1.0 if size < 5 else 0.0
        row[at + 4] = 0.25 * known
        row[at + 5] = 1.0 if game.scalars[COUNT] > 0 and other == game.scalars[OWNER] else 0.0
    row[STOCK + 6] = 0.1 * least
    row[STOCK + 7] = 0.1 * (game.sizes[seat] - least)


@lean
def choice_inputs(
    game: Game, odds: Odds, total: int, exchanging: bool, takeable: Words, row: Floats, inputs: Inputs
) -> None:
    """Compute the network's inputs that all moves of a choice share. `total` cards are unseen.

    `takeable` is scratch memory for the metals that can be taken, and `row` for the inputs.
    """
    scalars = game.scalars
    seat = scalars[TURN]
    players, metals = game.hands.shape
    stock = scalars[STOCKED] - scalars[DRAWN]
    for index in range(CONTEXT):
        row[index] = 0.0
    row[players - 2] = 1.0
    stage = 3 if exchanging else 0 if scalars[COUNT] == 0 else 1 if stock > 0 else 2
    row[STAGE + stage] = 1.0
    if scalars[COUNT] > 0:
        _write_top(game, odds, row)
    _write_others(game, row)
    row[STOCK] = 0.03 * stock
    row[STOCK + 1] = 1.0 if stock == 0 else 0.0
    row[STOCK + 2] = 0.1 * min(10, stock)
    row[STOCK + 3] = 0.02 * total
    row[STOCK + 4] = 0.0625 * metals
    row[STOCK + 5] = 0.25 * scalars[COPIES]
    step = field_step(scalars)
    for later in range(FIELDS):
        field = field_in(scalars, later, step)
        out = 0
        for metal in range(metals):
            if game.reactivity[field, metal] > 0:
                out += odds.unseen[metal]
        row[FIELDS_AT + later] = 0.02 * out
    write_bins(odds.unseen, metals, 0.25, row, UNSEEN)
    for metal in range(metals):
        lying = game.piles[GONE, metal]
        takeable[metal] = lying if may_take(lying, scalars[COPIES]) else 0
    write_bins(takeable, metals, 0.25, row, TAKEABLE)
    hand_inputs(game, odds, game.hands[seat], step, row, OWN)
    tell_all(inputs, 0, row, CONTEXT)


# ----------------------------------------------------------------------------------------------------
# The learned player's inputs about one move, as kernels: see `choice_inputs`.


# Where the parts begin, after the shared ones.
_OF_KIND = 0  # to lead, to follow, to draw, to pass, to exchange
_OF_PLAY = 5
_OF_EXCHANGE = 24
_BY_RULE = 37
_AFTER = 39
MOVE = _AFTER + HAND  # inputs
MOVE_INPUTS = CONTEXT + MOVE


@lean
def _goes_out(game: Game, hand: Words, field: int) -> bool:
    """Whether a whole hand can be led with one play in a field."""
    reactivity = game.reactivity
    groups, whole = 0, False
    for metal in range(reactivity.shape[1]):
        if hand[metal] > 0:
            groups += 1
            whole = most_of(reactivity, field, metal, hand[metal], 0) == hand[metal]
    return groups == 1 and whole


@lean
def _write_play(
    game: Game, odds: Odds, metal: int, count: int, step: int, hand: Words, row: Floats, at: int
) -> None:
    """Write the inputs about a play.

    `hand` has the cards left after the play. A change of field adds `step` to the field's index (mod 4).
    """
    scalars = game.scalars
    reactivity = game.reactivity
    metals = reactivity.shape[1]
    field = scalars[FIELD]
    safe = odds.safe[field, count - 1, metal]
    beaters = 0
    for other in range(metal + 1, metals):
        if reactivity[field, other] > min(count - 1, 1) and odds.unseen[other] >= count:
            beaters += 1
    following = field_in(scalars, 1, step)
    row[at + count - 1] = 1.0
    row[at + 4] = (metal + 1) / metals
    row[at + 5] = 0.5 * hand[metal]
    row[at + 6] = safe
    row[at + 7] = (metal - scalars[METAL]) / metals if scalars[COUNT] > 0 else 0.0
    row[at + 8] = 0.1 * beaters
    for later in range(3):
        goes = _goes_out(game, hand, field_in(scalars, later, step))
        row[at + 9 + later] = 1.0 if goes else 0.0
        if later == 1:
            row[at + 12] = safe if goes else 0.0
    row[at + 13] = 1.0 if count == 4 else 0.0
    row[at + 14] = 1.0 if reactivity[following, metal] > 0 else 0.0
    row[at + 15] = 1.0 if reactivity[following, metal] > 1 else 0.0
    row[at + 16] = 0.25 * reactivity[REACTS, metal]
    row[at + 17] = 1.0 if scalars[COUNT] > 0 and count > scalars[COUNT] else 0.0


@lean
def _write_exchange(
    game: Game, odds: Odds, given: int, taken: int, step: int, hand: Words, row: Floats, at: int
) -> None:
    """Write the inputs about an exchange. `hand` is the hand after the exchange."""
    metals = game.reactivity.shape[1]
    row[at] = (given + 1) / metals
    row[at + 1] = (taken + 1) / metals
    row[at + 2] = 0.33 * hand[taken]
    row[at + 3] = 0.33 * hand[given]
    for later in range(FIELDS):
        field = field_in(game.scalars, later, step)
        lets, let = game.reactivity[field, taken], game.reactivity[field, given]
        row[at + 4 + later] = float(int(lets > 0) - int(let > 0))
        row[at + 8 + later] = float(int(lets > 1) - int(let > 1))
    row[at + 12] = odds.safe[field_in(game.scalars, 1, step), 0, taken]


@lean
def move_inputs(
    game: Game, odds: Odds, move: int, by_rule: float, after: Words, row: Floats, inputs: Inputs
) -> None:
    """Compute the network's inputs about one move, given by its number.

    `by_rule` is the plausible player's value of the move, minus its value of the best move. `after` is scratch
    memory for the hand after the move, and `row` for the inputs.
    """
    scalars = game.scalars
    players, metals = game.hands.shape
    seat = scalars[TURN]
    step = field_step(scalars)
    for metal in range(metals):
        after[metal] = game.hands[seat, metal]
    for index in range(MOVE):
        row[index] = 0.0
    if move < PASS:
        metal, count = metal_played(move), count_played(move)
        row[_OF_KIND + (1 if scalars[COUNT] > 0 else 0)] = 1.0
        after[metal] -= count
        if count == MOST_AT_ONCE:
            step = 4 - step
        _write_play(game, odds, metal, count, step, after, row, _OF_PLAY)
    else:
        row[_OF_KIND + (2 if move == DRAW else 3 if move == PASS else 4)] = 1.0
        row[_OF_PLAY + 18] = 1.0 if (seat + 1) % players == scalars[OWNER] else 0.0
        if move >= EXCHANGE:
            given, taken = metal_given(move), metal_taken(move)
            after[given] -= 1
            after[taken] += 1
            _write_exchange(game, odds, given, taken, step, after, row, _OF_EXCHANGE)
    row[_BY_RULE] = max(-3.0, 0.1 * by_rule)
    row[_BY_RULE + 1] = 1.0 if by_rule == 0.0 else 0.0
    hand_inputs(game, odds, after, step, row, _AFTER)
    tell_all(inputs, CONTEXT, row, MOVE)


# ----------------------------------------------------------------------------------------------------
# The learned player's values for moves, as a kernel.
#
# A value is the network's output for the move (`move_inputs`), plus the plausible player's value (`players`) times
# the network's `trust`: the gain in the chance to go out first, compared with other moves of the same choice.


MOST_MOVES = MOST_METALS * MOST_AT_ONCE + MOST_METALS * (MOST_METALS - 1) // 2 + 1
GOES_OUT = 1e3  # the value of a move that wins immediately
_THINKING_LEAST = -20.0  # of values by rule: below this, all are equally bad


class Brain(NamedTuple):
    """The network, the plausible player's weights (`rule`), and the factor `trust`.

    A move's value is the network's output plus `trust` times the plausible player's value. `trust` is an array of
    one number.
    """

    net: Network
    trust: Floats
    rule: Floats


class Scratch(NamedTuple):
    """Scratch memory of the learned player.

    It includes the `moves` by number, and the value that the plausible player (`by_rule`) and the learned
    player (`worth`) give each of them.
    """

    moves: Words
    by_rule: Floats
    worth: Floats
    odds: Odds
    hand: Words
    row: Floats
    told: Inputs
    shared: Singles
    layers: network.Layers


def new_scratch(net: Network) -> Scratch:
    """Allocate scratch memory for the network."""
    return Scratch(
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(MOST_MOVES),
        np.zeros(MOST_MOVES),
        odds(),
        np.zeros(MOST_METALS, np.int64),
        np.zeros(MOVE_INPUTS),
        inputs(MOVE_INPUTS),
        np.zeros(len(net.first_bias), np.float32),
        network.new_layers(net),
    )


@lean
def _enter(mind: Scratch, index: int, move: int, value: float) -> int:
    mind.moves[index] = move
    mind.by_rule[index] = value
    return index + 1


@lean
def _list_plays(game: Game, mind: Scratch, rule: Floats, following: int) -> int:
    scalars, reactivity = game.scalars, game.reactivity
    hand = game.hands[scalars[TURN]]
    metal, count = scalars[METAL], scalars[COUNT]
    listed = 0
    for other in range(metal + 1 if count else 0, len(hand)):
        held = hand[other]
        for number in range(max(count, 1), most_of(reactivity, scalars[FIELD], other, held, count) + 1):
            value = play_value(reactivity, held, following, metal, count, other, number, rule)
            listed = _enter(mind, listed, play_number(other, number), value)
    return listed


@lean
def _list_passes(game: Game, mind: Scratch, rule: Floats, following: int, listed: int) -> int:
    """List the ways to end a pass in `mind`, from index `listed` on; return the index after the last.

    The plausible player's values are relative to that of the best way.
    """
    scalars = game.scalars
    hand = game.hands[scalars[TURN]]
    begin, best = listed, 0.0
    listed = _enter(mind, listed, PASS, 0.0)
    for given in range(len(hand)):
        if hand[given] == 0:
            continue
        for taken in range(given + 1, len(hand)):
            if may_take(game.piles[GONE, taken], scalars[COPIES]):
                value = exchange_value(game.reactivity, hand, following, given, taken, rule)
                best = max(best, value)
                listed = _enter(mind, listed, exchange_number(given, taken), value)
    for index in range(begin, listed):
        mind.by_rule[index] -= best
    return listed


@lean
def list_moves(game: Game, exchanging: bool, rule: Floats, mind: Scratch) -> int:
    """List the legal moves in `mind`, in canonical order, and return their number.

    The plausible player's values are relative to its best move. `exchanging` says that the seat to move has passed
    and drawn a card.
    """
    scalars = game.scalars
    following = field_after(scalars)
    if exchanging:
        count = _list_passes(game, mind, rule, following, 0)
    else:
        plays = count = _list_plays(game, mind, rule, following)
        if scalars[COUNT] > 0:
            draws = int(scalars[DRAWN] < scalars[STOCKED])
            if draws:
                count = _enter(mind, count, DRAW, 0.0)
            else:
                count = _list_passes(game, mind, rule, following, count)
            passing = pass_value(draws, rule)
            for index in range(plays, count):
                mind.by_rule[index] += passing
    best = mind.by_rule[0]
    for index in range(1, count):
        best = max(best, mind.by_rule[index])
    for index in range(count):
        mind.by_rule[index] = max(_THINKING_LEAST, mind.by_rule[index] - best)
    return count


@apart
def think(brain: Brain, game: Game, exchanging: bool, count: int, mind: Scratch) -> None:
    """Write the learned player's value of each of the first `count` moves in `mind.moves` to `mind.worth`."""
    size = game.sizes[game.scalars[TURN]]
    total = work_out(game, mind.odds)
    choice_inputs(game, mind.odds, total, exchanging, mind.hand, mind.row, mind.told)
    evaluate_shared(brain.net, mind.told, mind.shared)
    for index in range(count):
        move = mind.moves[index]
        move_inputs(game, mind.odds, move, mind.by_rule[index], mind.hand, mind.row, mind.told)
        evaluate_further(brain.net, mind.shared, mind.told, mind.layers)
        mind.worth[index] = mind.layers.out[0] + brain.trust[0] * mind.by_rule[index]
        if move < PASS and count_played(move) == size:
            mind.worth[index] = GOES_OUT


# ----------------------------------------------------------------------------------------------------
# The learned player's choice from a view.


_POLICY_WEIGHTS = Path(__file__).with_name("policy.npz")


@kernel
def choice_chances(brain: Brain, game: Game, exchanging: bool, sure: float, mind: Scratch) -> int:
    """Write the moves to `mind.moves` and their probabilities to `mind.worth`; return their number.

    A move's probability is proportional to exp(`sure` × the learned player's value of it). The value of `sure` was
    chosen by hand.
    """
    count = list_moves(game, exchanging, brain.rule, mind)
    think(brain, game, exchanging, count, mind)
    for index in range(count):
        mind.worth[index] *= sure
    to_chances(count, mind.worth)
    return count


@lru_cache(maxsize=1)
def policy() -> tuple[Brain, float]:
    """Load the learned player, and the factor `sure` for its probabilities (see `choice_chances`)."""
    net, further = read(_POLICY_WEIGHTS)
    return Brain(net, further["trust"].astype(np.float64), np.array(PLAYER)), float(further["sure"][0])


def chances(view: Round, moves: Sequence[Move]) -> list[float]:
    """Return the learned player's probability of choosing each legal move."""
    brain, sure = policy()
    mind = new_scratch(brain.net)
    count = choice_chances(brain, game_of(view), view.drawn is not None, sure, mind)
    by_number = dict(zip(mind.moves[:count].tolist(), mind.worth.tolist(), strict=False))
    return [by_number[number] for number in move_numbers(view, moves).tolist()]


# ----------------------------------------------------------------------------------------------------
# The critic's inputs about a game in which every hand is known, as a kernel.
#
# They are the mover's inputs about its choice (`choice_inputs`), and those about each other hand, in turn order
# (`hand_inputs`). The order of the stock, which nobody can know, is not included.


FULL_INPUTS = CONTEXT + (PLAYERS[1] - 1) * HAND


@lean
def full_inputs(game: Game, odds: Odds, takeable: Words, row: Floats, inputs: Inputs) -> None:
    """Compute the critic's inputs before a play or pass; `takeable` and `row` are scratch for `choice_inputs`."""
    players = len(game.sizes)
    seat = game.scalars[TURN]
    step = field_step(game.scalars)
    choice_inputs(game, odds, work_out(game, odds), False, takeable, row, inputs)
    for other in range(players - 1):
        for index in range(HAND):
            row[index] = 0.0
        hand_inputs(game, odds, game.hands[(seat + 1 + other) % players], step, row, 0)
        for index in range(HAND):
            tell(inputs, CONTEXT + other * HAND + index, row[index])


# ----------------------------------------------------------------------------------------------------
# Choosing and making moves, as kernels.


@lean
def list_and_think(brain: Brain, game: Game, exchanging: bool, mind: Scratch) -> int:
    """List in `mind` the legal moves of the seat to move, with the learned player's values; return how many."""
    count = list_moves(game, exchanging, brain.rule, mind)
    if count > 1:
        think(brain, game, exchanging, count, mind)
    return count


@lean
def move_drawn(brain: Brain, game: Game, exchanging: bool, sure: float, random: Words, mind: Scratch) -> bool:
    """Choose a move at random and make it; return whether the seat may now exchange a card.

    A move's probability is proportional to exp(`sure` * the learned player's value of it).
    """
    count = list_and_think(brain, game, exchanging, mind)
    best, chosen = -1e300, 0
    for index in range(count if count > 1 else 0):
        value = noisy(sure * mind.worth[index], best, random)
        if value > best:
            best, chosen = value, index
    return make_move(game, mind.moves[chosen])


# ----------------------------------------------------------------------------------------------------
# The effect of a move up to the player's next choice, and a critic's expectation from there, as kernels.
#
# The others play like the learned player, from what each of them sees. The critic (`critic.npz`; `critic.json`
# says how it was made) was trained on games of learned players. It sees every hand, and predicts the chance that
# the seat to move goes out first.


SURE = 150.0  # factor from the chance to go out first to the log of a move's chance; set by hand
_CRITIC_WEIGHTS = Path(__file__).with_name("critic.npz")


class Foresight(NamedTuple):
    """The learned player and the critic, with scratch memory. A critic without weights is not used."""

    brain: Brain
    critic: Network
    mind: Scratch
    told: Inputs
    room: network.Layers


@lru_cache(maxsize=1)
def critic() -> Network:
    """Load the critic's network."""
    return read(_CRITIC_WEIGHTS)[0]


@lru_cache(maxsize=1)
def no_critic() -> Network:
    """Return a critic without weights."""
    return Network(*(array[:0] for array in critic()))


def foresight(judge: Network) -> Foresight:
    """Allocate a `Foresight` with the critic `judge`."""
    brain = policy()[0]
    return Foresight(brain, judge, new_scratch(brain.net), inputs(FULL_INPUTS), network.new_layers(judge))


@lean
def think_and_move(foresight: Foresight, game: Game, random: Words) -> None:
    """Choose and play a move for the seat to move, as the learned player does; after a draw, the exchange too."""
    if move_drawn(foresight.brain, game, False, SURE, random, foresight.mind):
        move_drawn(foresight.brain, game, True, SURE, random, foresight.mind)


@lean
def look_ahead(foresight: Foresight, game: Game, seat: int, random: Words) -> int:
    """Play for the others until `seat` has to choose again; return the seat that has gone out, or `NOBODY`."""
    scalars = game.scalars
    winner = winner_of(game)
    while winner == NOBODY and scalars[TURN] != seat:
        think_and_move(foresight, game, random)
        winner = winner_of(game)
    return winner


@lean
def expected(foresight: Foresight, game: Game) -> float:
    """Return the chance that the seat to move goes out first, according to the critic."""
    mind = foresight.mind
    full_inputs(game, mind.odds, mind.hand, mind.row, foresight.told)
    evaluate(foresight.critic, foresight.told, foresight.room)
    return float(min(1.0, max(0.0, foresight.room.out[0])))
