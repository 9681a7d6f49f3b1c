"""What the learned player of Aqua Regia does that thinks no further than its network: a hint's first answer.

The network (`policy.npz`; `policy.json` tells how it was made and how well it plays) was taught by games. It
judges plays, passes and exchanges alike. Who can play the last of its cards does.

A choice is the same on every machine: what the network is told is rounded (`forward.tell`), and it adds in an
order of its own (`solver.hints.network`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia import game_words
from solver.games.aqua_regia.deck import MOST_METALS
from solver.games.aqua_regia.game_words import (
    CLOSED_PASS,
    COPIES,
    COUNT,
    DISCARD,
    DRAWN,
    EXCHANGES,
    FIELD,
    METAL,
    NOBODY,
    OPEN_PASS,
    OWNER,
    PLAYS,
    REVERSED,
    STOCKED,
    TABLE,
    TURN,
    Game,
    draw,
    end_pass,
    move_words,
    put,
    table_words,
)
from solver.games.aqua_regia.players import (
    NO_PLAY,
    ON_ONE,
    PLAYER,
    Turn,
    choose_exchange,
    choose_play,
    exchange_value,
    pass_value,
    play_value,
    reactivity_rows,
)
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rules import MOST_AT_ONCE, PLAYERS, Move, Play
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
from solver.hints.policy import gumbel, to_chances
from solver.hints.ranking import MOST_MOVES as LEANING_MOST_MOVES
from solver.hints.ranking import Prior
from solver.kernels.jit import kernel, lean
from solver.kernels.words import Floats, Words

# ----------------------------------------------------------------------------------------------------
# What the learned player of Aqua Regia sees, and how safe plays are by it, as kernels.


FIELDS = 4
COUNTS = 4  # cards in one play, at most
_MOST_SHARE = 0.95


class Sight(NamedTuple):
    """A game as the seat to move sees it.

    Of the `hands` of `game` its own alone is looked at, with a card drawn where there is one; of the stock how
    many cards it has. `known` has a row a seat: the cards that were seen going into its hand and not leaving it.
    """

    game: Game
    known: Words


class Odds(NamedTuple):
    """What is worked out once for a choice.

    `unseen`: how many cards of each metal nobody has shown. `fewer[count - 1, metal]`: the chance that none of the
    others holds so many cards of the metal. `safe[field, count - 1, metal]`: that none can beat such a play there.
    """

    unseen: Words
    fewer: Floats
    safe: Floats


def odds() -> Odds:
    """Room for the odds of a choice."""
    return Odds(
        np.zeros(MOST_METALS, np.int64),
        np.zeros((COUNTS, MOST_METALS)),
        np.zeros((FIELDS, COUNTS, MOST_METALS)),
    )


@lean
def field_step(scalars: Words) -> int:
    """By how much the number of the field grows (mod 4) from one to the next."""
    return 3 if scalars[REVERSED] else 1


@lean
def chance_of_fewer(copies: int, share: float, count: int) -> float:
    """The chance of fewer than `count` of so many cards, where each is there with the chance `share`, below 1."""
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
def work_out(sight: Sight, odds: Odds) -> int:
    """Write the odds of the seat to move; return how many cards are unseen."""
    game = sight.game
    scalars, piles = game.scalars, game.piles
    seat = scalars[TURN]
    players, metals = game.hands.shape
    total = 0
    for metal in range(metals):
        many = scalars[COPIES] - game.hands[seat, metal] - piles[DISCARD, metal] - piles[TABLE, metal]
        for other in range(players):
            if other != seat:
                many -= sight.known[other, metal]
        odds.unseen[metal] = many
        total += many
        for count in range(COUNTS):
            odds.fewer[count, metal] = 1.0
    for other in range(players):
        if other == seat:
            continue
        hidden = game.sizes[other]
        for metal in range(metals):
            hidden -= sight.known[other, metal]
        share = min(_MOST_SHARE, hidden / total) if total > 0 else 0.0
        for metal in range(metals):
            shown = sight.known[other, metal]
            for count in range(COUNTS):
                odds.fewer[count, metal] *= chance_of_fewer(odds.unseen[metal], share, count + 1 - shown)
    for field in range(FIELDS):
        for count in range(COUNTS):
            safe = 1.0
            for metal in range(metals - 1, -1, -1):
                odds.safe[field, count, metal] = safe
                if game.reactivity[field, metal] > min(count, 1):
                    safe *= odds.fewer[count, metal]
    return total


@lean
def field_after(scalars: Words, steps: int, step: int) -> int:
    """The number of the field so many steps on, each as long as `step`."""
    return int((scalars[FIELD] + steps * step) & 3)


# ----------------------------------------------------------------------------------------------------
# What the learned player of Aqua Regia is told of a hand, as kernels: see `choice_inputs`.


BINS = 16  # parts of a deck, the weakest metals first
_OF_FIELD = 6
HAND = _OF_FIELD * FIELDS + 15 + BINS  # inputs


@lean
def write_bins(counts: Words, metals: int, scale: float, row: Floats, at: int) -> None:
    """Write how many cards of each part of the deck there are: `BINS` inputs."""
    metal = 0
    for part in range(BINS):
        many = 0
        while metal < metals and metal * BINS < (part + 1) * metals:
            many += counts[metal]
            metal += 1
        row[at + part] = scale * many


@lean
def _tell_field(sight: Sight, odds: Odds, hand: Words, field: int, row: Floats, at: int) -> None:
    """Write what of a hand a field lets out."""
    reactivity = sight.game.reactivity
    out, groups, whole, kept, best, best_single = 0, 0, 0, 0.0, 0.0, 0.0
    for metal in range(reactivity.shape[1]):
        held = hand[metal]
        lets = reactivity[field, metal]
        if held == 0 or lets == 0:
            continue
        most = min(held, COUNTS) if lets > 1 else 1
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
def hand_inputs(sight: Sight, odds: Odds, hand: Words, step: int, row: Floats, at: int) -> None:
    """Write what is so of a hand: `HAND` inputs. The fields change by `step`; the one of now comes first."""
    game = sight.game
    reactivity = game.reactivity
    metals = reactivity.shape[1]
    for later in range(FIELDS):
        field = field_after(game.scalars, later, step)
        _tell_field(sight, odds, hand, field, row, at + _OF_FIELD * later)
    at += _OF_FIELD * FIELDS
    cards, groups, plays, pairs, threes, fours = 0, 0, 0, 0, 0, 0
    one, two, three, four = 0, 0, 0, 0
    for metal in range(metals):
        held = hand[metal]
        if held == 0:
            continue
        cards += held
        groups += 1
        pairs += int(held == 2)
        threes += int(held == 3)
        fours += int(held > 3)
        fields, together = 0, False
        for field in range(FIELDS):
            fields += int(reactivity[field, metal] > 0)
            together = together or reactivity[field, metal] > 1
        plays += (held + COUNTS - 1) // COUNTS if together else held
        one += held if fields == 1 else 0
        two += held if fields == 2 else 0
        three += held if fields == 3 else 0
        four += held if fields == 4 else 0
    row[at] = 0.1 * cards
    row[at + 1] = 0.125 * groups
    row[at + 2] = 0.125 * plays
    row[at + 3] = 0.5 * pairs
    row[at + 4] = 0.5 * threes
    row[at + 5] = 1.0 * fours
    row[at + 6] = 0.25 * one
    row[at + 7] = 0.25 * two
    row[at + 8] = 0.25 * three
    row[at + 9] = 0.25 * four
    row[at + 10] = 1.0 if cards == 1 else 0.0
    row[at + 11] = 1.0 if cards == 2 else 0.0
    row[at + 12] = 1.0 if cards == 3 else 0.0
    row[at + 13] = 1.0 if groups == 1 else 0.0
    row[at + 14] = 1.0 if groups == 2 else 0.0
    write_bins(hand, metals, 0.5, row, at + 15)


# ----------------------------------------------------------------------------------------------------
# What the learned player of Aqua Regia is told of a choice: what all its moves share, as kernels.
#
# Nothing depends on a metal's number or a field's: cards are told by where they stand in the deck and by what they
# can do in the field of now and in those that come, so that any deck can be played. Inputs are numbers of about
# 1.


# Where the parts begin.
STAGE = 4  # to lead, to follow, to follow with no stock, to exchange
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
def _write_top(sight: Sight, odds: Odds, row: Floats) -> None:
    """Write what lies there, and after how many passes of others the trick ends."""
    game = sight.game
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
def _write_others(sight: Sight, row: Floats) -> None:
    """Write how many cards the others hold, in turn."""
    game = sight.game
    seat = game.scalars[TURN]
    players, metals = game.hands.shape
    least = 1 << 20
    for place in range(players - 1):
        other = (seat + 1 + place) % players
        size = game.sizes[other]
        least = min(least, size)
        known = 0
        for metal in range(metals):
            known += sight.known[other, metal]
        at = OTHERS + _OF_OTHER * place
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
    sight: Sight, odds: Odds, total: int, exchanging: bool, takeable: Words, row: Floats, inputs: Inputs
) -> None:
    """Note what all moves share. `total` cards are unseen.

    `takeable` is room for the metals that can be taken, and `row` for what is noted.
    """
    game = sight.game
    scalars = game.scalars
    seat = scalars[TURN]
    players, metals = game.hands.shape
    stock = scalars[STOCKED] - scalars[DRAWN]
    for place in range(CONTEXT):
        row[place] = 0.0
    row[players - 2] = 1.0
    stage = 3 if exchanging else 0 if scalars[COUNT] == 0 else 1 if stock > 0 else 2
    row[STAGE + stage] = 1.0
    if scalars[COUNT] > 0:
        _write_top(sight, odds, row)
    _write_others(sight, row)
    row[STOCK] = 0.03 * stock
    row[STOCK + 1] = 1.0 if stock == 0 else 0.0
    row[STOCK + 2] = 0.1 * min(10, stock)
    row[STOCK + 3] = 0.02 * total
    row[STOCK + 4] = 0.0625 * metals
    row[STOCK + 5] = 0.25 * scalars[COPIES]
    step = field_step(scalars)
    for later in range(FIELDS):
        field = field_after(scalars, later, step)
        out = 0
        for metal in range(metals):
            if game.reactivity[field, metal] > 0:
                out += odds.unseen[metal]
        row[FIELDS_AT + later] = 0.02 * out
    write_bins(odds.unseen, metals, 0.25, row, UNSEEN)
    for metal in range(metals):
        lies = game.piles[DISCARD, metal]
        takeable[metal] = lies if lies < scalars[COPIES] else 0
    write_bins(takeable, metals, 0.25, row, TAKEABLE)
    hand_inputs(sight, odds, game.hands[seat], step, row, OWN)
    tell_all(inputs, 0, row, CONTEXT)


# ----------------------------------------------------------------------------------------------------
# What the learned player of Aqua Regia is told of one move, as kernels: see `choice_inputs`.


# Where the parts begin, after what all moves share.
KIND = 0
PLAY = 5
EXCHANGE = 24
RULE = 37
AFTER = 39
MOVE = AFTER + HAND  # inputs
MOVE_INPUTS = CONTEXT + MOVE


@lean
def _goes_out(sight: Sight, hand: Words, field: int) -> bool:
    """Whether a field lets a whole hand out at once, led."""
    reactivity = sight.game.reactivity
    groups, whole = 0, False
    for metal in range(reactivity.shape[1]):
        if hand[metal] > 0:
            groups += 1
            lets = reactivity[field, metal]
            whole = (lets > 0 and hand[metal] == 1) or (lets > 1 and hand[metal] <= COUNTS)
    return groups == 1 and whole


@lean
def _write_play(
    sight: Sight, odds: Odds, metal: int, count: int, step: int, hand: Words, row: Floats, at: int
) -> None:
    """Write what is so of a play. `hand` is what stays, `step` how the fields change then."""
    game = sight.game
    scalars = game.scalars
    reactivity = game.reactivity
    metals = reactivity.shape[1]
    field = scalars[FIELD]
    safe = odds.safe[field, count - 1, metal]
    beaters = 0
    for other in range(metal + 1, metals):
        if reactivity[field, other] > min(count - 1, 1) and odds.unseen[other] >= count:
            beaters += 1
    following = field_after(scalars, 1, step)
    row[at + count - 1] = 1.0
    row[at + 4] = (metal + 1) / metals
    row[at + 5] = 0.5 * hand[metal]
    row[at + 6] = safe
    row[at + 7] = (metal - scalars[METAL]) / metals if scalars[COUNT] > 0 else 0.0
    row[at + 8] = 0.1 * beaters
    for later in range(3):
        goes = _goes_out(sight, hand, field_after(scalars, later, step))
        row[at + 9 + later] = 1.0 if goes else 0.0
        if later == 1:
            row[at + 12] = safe if goes else 0.0
    row[at + 13] = 1.0 if count == 4 else 0.0
    row[at + 14] = 1.0 if reactivity[following, metal] > 0 else 0.0
    row[at + 15] = 1.0 if reactivity[following, metal] > 1 else 0.0
    fields = 0
    for other in range(FIELDS):
        fields += int(reactivity[other, metal] > 0)
    row[at + 16] = 0.25 * fields
    row[at + 17] = 1.0 if scalars[COUNT] > 0 and count > scalars[COUNT] else 0.0


@lean
def _write_exchange(
    sight: Sight, odds: Odds, given: int, taken: int, step: int, hand: Words, row: Floats, at: int
) -> None:
    """Write what is so of an exchange. `hand` is the one after it."""
    game = sight.game
    metals = game.reactivity.shape[1]
    row[at] = (given + 1) / metals
    row[at + 1] = (taken + 1) / metals
    row[at + 2] = 0.33 * hand[taken]
    row[at + 3] = 0.33 * hand[given]
    for later in range(FIELDS):
        field = field_after(game.scalars, later, step)
        lets, let = game.reactivity[field, taken], game.reactivity[field, given]
        row[at + 4 + later] = float(int(lets > 0) - int(let > 0))
        row[at + 8 + later] = float(int(lets > 1) - int(let > 1))
    row[at + 12] = odds.safe[field_after(game.scalars, 1, step), 0, taken]


@lean
def move_inputs(
    sight: Sight, odds: Odds, move: Words, by_rule: float, after: Words, row: Floats, inputs: Inputs
) -> None:
    """Note what a move has of its own: a row in the words of `rollouts`.

    `by_rule` is the plausible player's value, less that of the best move; `after` is room for the hand that stays,
    and `row` for what is noted.
    """
    game = sight.game
    scalars = game.scalars
    players, metals = game.hands.shape
    seat = scalars[TURN]
    kind, one, other = move[0], move[1], move[2]
    step = field_step(scalars)
    for metal in range(metals):
        after[metal] = game.hands[seat, metal]
    for place in range(MOVE):
        row[place] = 0.0
    if kind == PLAYS:
        row[KIND + (1 if scalars[COUNT] > 0 else 0)] = 1.0
        after[one] -= other
        if other == 4:
            step = 4 - step
        _write_play(sight, odds, one, other, step, after, row, PLAY)
    else:
        row[KIND + (2 if kind == OPEN_PASS else 4 if kind == EXCHANGES else 3)] = 1.0
        row[PLAY + 18] = 1.0 if (seat + 1) % players == scalars[OWNER] else 0.0
        if kind == EXCHANGES:
            after[one] -= 1
            after[other] += 1
            _write_exchange(sight, odds, one, other, step, after, row, EXCHANGE)
    row[RULE] = max(-3.0, 0.1 * by_rule)
    row[RULE + 1] = 1.0 if by_rule == 0.0 else 0.0
    hand_inputs(sight, odds, after, step, row, AFTER)
    tell_all(inputs, CONTEXT, row, MOVE)


# ----------------------------------------------------------------------------------------------------
# The learned player of Aqua Regia at work, as a kernel: what it finds each move worth.
#
# That is what the network makes of the move (`move_inputs`), and what the plausible player finds it worth
# (`policy`) times the network's `trust`: the chance to go out first that it brings more than others of the same
# choice.


MOST_MOVES = MOST_METALS * MOST_AT_ONCE + MOST_METALS * (MOST_METALS - 1) // 2 + 1
GOES_OUT = 1e3  # what a move is worth that wins at once
_THINKING_LEAST = -20.0  # by rule: what is worse than that is as bad


class Brain(NamedTuple):
    """The network, its `trust` in the plausible player (one number), and that one's weights."""

    net: Network
    trust: Floats
    rule: Floats


class Thought(NamedTuple):
    """Room to think: the moves, in the words of `rollouts`, and what each is worth by rule and in all."""

    moves: Words
    by_rule: Floats
    worth: Floats
    odds: Odds
    hand: Words
    row: Floats
    told: Inputs
    shared: Singles
    layers: network.Room


def thought(net: Network) -> Thought:
    """Room for the network."""
    return Thought(
        np.zeros((MOST_MOVES, 3), np.int64),
        np.zeros(MOST_MOVES),
        np.zeros(MOST_MOVES),
        odds(),
        np.zeros(MOST_METALS, np.int64),
        np.zeros(MOVE_INPUTS),
        inputs(MOVE_INPUTS),
        np.zeros(len(net.first_bias), np.float32),
        network.room(net),
    )


@lean
def _enter(mind: Thought, place: int, kind: int, one: int, other: int, value: float) -> int:
    mind.moves[place, 0] = kind
    mind.moves[place, 1] = one
    mind.moves[place, 2] = other
    mind.by_rule[place] = value
    return place + 1


@lean
def _list_plays(sight: Sight, mind: Thought, rule: Floats, following: int) -> int:
    game = sight.game
    scalars, reactivity = game.scalars, game.reactivity
    hand = game.hands[scalars[TURN]]
    metal, count = scalars[METAL], scalars[COUNT]
    least, most = max(count, 1), min(count + 1, MOST_AT_ONCE) if count else MOST_AT_ONCE
    found = 0
    for other in range(metal + 1 if count else 0, len(hand)):
        lets, held = reactivity[scalars[FIELD], other], hand[other]
        single = reactivity[ON_ONE, other] if count == 1 else 1
        for number in range(least, min(held, most if lets > 1 else single if lets == 1 else 0) + 1):
            value = play_value(reactivity, held, following, metal, count, other, number, rule)
            found = _enter(mind, found, PLAYS, other, number, value)
    return found


@lean
def _list_passes(sight: Sight, mind: Thought, rule: Floats, following: int, found: int) -> int:
    """List the ways to end a pass, worth as much more by rule as the best of them is more than the others."""
    game = sight.game
    scalars = game.scalars
    hand = game.hands[scalars[TURN]]
    begin, best = found, 0.0
    found = _enter(mind, found, CLOSED_PASS, 0, 0, 0.0)
    for given in range(len(hand)):
        if hand[given] == 0:
            continue
        for taken in range(given + 1, len(hand)):
            if 0 < game.piles[DISCARD, taken] < scalars[COPIES]:
                value = exchange_value(game.reactivity, hand, following, given, taken, rule)
                best = max(best, value)
                found = _enter(mind, found, EXCHANGES, given, taken, value)
    for place in range(begin, found):
        mind.by_rule[place] -= best
    return found


@lean
def list_moves(sight: Sight, exchanging: bool, rule: Floats, mind: Thought) -> int:
    """Write the legal moves, in canonical order, and their values by rule, the best being 0; return how many.

    `exchanging`: the seat to move has passed and drawn.
    """
    scalars = sight.game.scalars
    following = field_after(scalars, 1, field_step(scalars))
    if exchanging:
        count = _list_passes(sight, mind, rule, following, 0)
    else:
        plays = count = _list_plays(sight, mind, rule, following)
        if scalars[COUNT] > 0:
            draws = int(scalars[DRAWN] < scalars[STOCKED])
            if draws:
                count = _enter(mind, count, OPEN_PASS, 0, 0, 0.0)
            else:
                count = _list_passes(sight, mind, rule, following, count)
            passing = pass_value(draws, rule)
            for place in range(plays, count):
                mind.by_rule[place] += passing
    best = mind.by_rule[0]
    for place in range(1, count):
        best = max(best, mind.by_rule[place])
    for place in range(count):
        mind.by_rule[place] = max(_THINKING_LEAST, mind.by_rule[place] - best)
    return count


@lean
def think(brain: Brain, sight: Sight, exchanging: bool, count: int, mind: Thought) -> None:
    """Write what each of the first `count` moves of `mind`, as `list_moves` lists them, is worth."""
    game = sight.game
    size = game.sizes[game.scalars[TURN]]
    total = work_out(sight, mind.odds)
    choice_inputs(sight, mind.odds, total, exchanging, mind.hand, mind.row, mind.told)
    evaluate_shared(brain.net, mind.told, mind.shared)
    for place in range(count):
        move = mind.moves[place]
        move_inputs(sight, mind.odds, move, mind.by_rule[place], mind.hand, mind.row, mind.told)
        evaluate_further(brain.net, mind.shared, mind.told, mind.layers)
        mind.worth[place] = mind.layers.out[0] + brain.trust[0] * mind.by_rule[place]
        if move[0] == PLAYS and move[2] == size:
            mind.worth[place] = GOES_OUT


# ----------------------------------------------------------------------------------------------------
# A view of Aqua Regia as the learned player's kernels read it.


def sight_of(view: View) -> Sight:
    """What a view tells; a card that was drawn is in the hand, and no longer in the stock."""
    deck = view.metals
    drawn = int(view.drawn is not None)
    hands, known = (np.zeros((view.players, deck.size), np.int64) for _ in range(2))
    hands[view.seat] = view.held
    for seat in range(view.players):
        known[seat] = deck.counts(deck.numbers(view.known_of(seat)))
    sizes = np.array(view.counts, np.int64)
    sizes[view.seat] += drawn
    piles, scalars = table_words(view)
    scalars[game_words.DRAWN] = drawn
    return Sight(Game(reactivity_rows(deck), hands, sizes, piles, scalars, np.zeros(0, np.int64)), known)


_WEIGHTS = Path(__file__).with_name("policy.npz")
ERROR = 0.02  # of how much better the network finds one move than another
TOLD_ERROR = 0.04  # with it 95% intervals hold: `benchmarks.coverage`
ERROR_IN_WORLDS = 0.01  # of what the critic (`foresight`) expects of a move, on average over worlds
_LEAST = 1e-12  # a chance


@kernel
def alone(brain: Brain, sight: Sight, exchanging: bool, sure: float, mind: Thought) -> int:
    """Write the moves to `mind.moves` and their chances to `mind.worth`; return how many there are.

    `sure` is what the chance to go out first, from 0 to 1, multiplies the log of a move's chance by; it was set by
    hand, and not learned.
    """
    count = list_moves(sight, exchanging, brain.rule, mind)
    think(brain, sight, exchanging, count, mind)
    for place in range(count):
        mind.worth[place] *= sure
    to_chances(count, mind.worth)
    return count


@lru_cache(maxsize=1)
def policy() -> tuple[Brain, float]:
    """The network with its trust, and how sure it is (`alone`)."""
    net, further = read(_WEIGHTS)
    return Brain(net, further["trust"].astype(np.float64), np.array(PLAYER)), float(further["sure"][0])


def is_asked(view: View, moves: Sequence[Move]) -> bool:
    """Whether networks are asked about the legal moves: not where one wins at once, nor about very many."""
    wins = any(isinstance(move, Play) and move.count == len(view.hand) for move in moves)
    return 1 < len(moves) <= LEANING_MOST_MOVES and not wins


def prior(view: View, moves: Sequence[Move]) -> Prior | None:
    """What the network finds each of the legal moves worth; None where it `is_asked` nothing."""
    if not is_asked(view, moves):
        return None
    return Prior(np.log(np.array(chances(view, moves)) + _LEAST) / policy()[1], ERROR, TOLD_ERROR, ERROR_IN_WORLDS)


def chances(view: View, moves: Sequence[Move]) -> list[float]:
    """How likely the learned player makes each of the legal moves; its choice is the likeliest."""
    brain, sure = policy()
    mind = thought(brain.net)
    count = alone(brain, sight_of(view), view.drawn is not None, sure, mind)
    made = dict(zip(map(tuple, mind.moves[:count].tolist()), mind.worth.tolist(), strict=False))
    return [made[move_words(view, move)] for move in moves]


# ----------------------------------------------------------------------------------------------------
# What the critic of Aqua Regia is told of a game in which every hand is known, as a kernel.
#
# That is what the seat to move sees of its choice (`choice_inputs`), and what is so of each other hand, in turn
# (`hand_inputs`). The order of the stock, which nobody can know, is not told.


FULL_INPUTS = CONTEXT + (PLAYERS[1] - 1) * HAND


@lean
def full_inputs(sight: Sight, odds: Odds, takeable: Words, row: Floats, inputs: Inputs) -> None:
    """Note what is so where the seat to move may play; `takeable` and `row` are room for `choice_inputs`."""
    game = sight.game
    players = len(game.sizes)
    seat = game.scalars[TURN]
    step = field_step(game.scalars)
    choice_inputs(sight, odds, work_out(sight, odds), False, takeable, row, inputs)
    for other in range(players - 1):
        for place in range(HAND):
            row[place] = 0.0
        hand_inputs(sight, odds, game.hands[(seat + 1 + other) % players], step, row, 0)
        for place in range(HAND):
            tell(inputs, CONTEXT + other * HAND + place, row[place])


# ----------------------------------------------------------------------------------------------------
# Moves in a game of Aqua Regia that all seats watch, as kernels: what a seat was seen to take is known of it.


@lean
def lay(sight: Sight, metal: int, count: int) -> None:
    """The seat to move plays; what it was known to hold goes first."""
    game, known = sight.game, sight.known
    seat = game.scalars[TURN]
    known[seat, metal] = max(0, known[seat, metal] - count)
    put(game, metal, count)


@lean
def finish_pass(sight: Sight, given: int, taken: int) -> None:
    """The seat to move, which has drawn, exchanges a card (unless `given` is `NO_PLAY`) before all eyes."""
    game, known = sight.game, sight.known
    seat = game.scalars[TURN]
    if given != NO_PLAY:
        known[seat, given] = max(0, known[seat, given] - 1)
        known[seat, taken] += 1
    end_pass(game, given, taken)


@lean
def make_move(sight: Sight, move: Words) -> bool:
    """Make a move in the words of `rollouts`; whether the seat has drawn and may exchange now."""
    if move[0] == PLAYS:
        lay(sight, move[1], move[2])
    elif move[0] == EXCHANGES:
        finish_pass(sight, move[1], move[2])
    elif move[0] == OPEN_PASS:
        draw(sight.game)
        return True
    else:
        finish_pass(sight, NO_PLAY, NO_PLAY)
    return False


@lean
def winner_of(sight: Sight) -> int:
    """The seat that has gone out, or `NOBODY`: none but the last to play can have."""
    sizes = sight.game.sizes
    for seat in range(len(sizes)):
        if sizes[seat] == 0:
            return seat
    return NOBODY


@lean
def list_and_think(brain: Brain, sight: Sight, exchanging: bool, mind: Thought) -> int:
    """Write the moves of the seat to move and what the learned player finds them worth to `mind`."""
    count = list_moves(sight, exchanging, brain.rule, mind)
    if count > 1:
        think(brain, sight, exchanging, count, mind)
    return count


@lean
def move_drawn(brain: Brain, sight: Sight, exchanging: bool, sure: float, random: Words, mind: Thought) -> bool:
    """The learned player makes a move in the seat to move; whether it has drawn and may exchange now.

    What a move is worth, times `sure`, is the log of its chance.
    """
    count = list_and_think(brain, sight, exchanging, mind)
    best, chosen = -1e300, 0
    for place in range(count if count > 1 else 0):
        value = sure * mind.worth[place] + gumbel(random)
        if value > best:
            best, chosen = value, place
    return make_move(sight, mind.moves[chosen])


@lean
def exchange_by_rule(sight: Sight, weights: Floats, random: Words) -> None:
    """The seat to move, which has drawn, ends its pass as a plausible player would."""
    game = sight.game
    scalars = game.scalars
    following = field_after(scalars, 1, field_step(scalars))
    hand, discard = game.hands[scalars[TURN]], game.piles[DISCARD]
    pair = choose_exchange(game.reactivity, hand, discard, scalars[COPIES], following, weights, random)
    if pair == NO_PLAY:
        finish_pass(sight, NO_PLAY, NO_PLAY)
    else:
        finish_pass(sight, pair // 1000, pair % 1000)


@lean
def move_by_rule(sight: Sight, weights: Floats, random: Words) -> None:
    """The seat to move plays or passes as a plausible player would."""
    game = sight.game
    scalars = game.scalars
    seat = scalars[TURN]
    draws = 1 if scalars[DRAWN] < scalars[STOCKED] else 0
    following = field_after(scalars, 1, field_step(scalars))
    turn = Turn(scalars[FIELD], following, scalars[METAL], scalars[COUNT], draws)
    chosen = choose_play(game.reactivity, game.hands[seat], game.sizes[seat], turn, weights, random)
    if chosen == NO_PLAY:
        draw(game)
        exchange_by_rule(sight, weights, random)
    else:
        lay(sight, chosen >> 3, chosen & 7)


# ----------------------------------------------------------------------------------------------------
# What comes of a move of Aqua Regia up to the own next choice, and what a critic expects from there, as kernels.
#
# The others play as the learned player does, from what each of them sees. The critic (`critic.npz`; `critic.json`
# tells how it was made) was taught by games of learned players. It sees every hand, and tells how likely the seat
# to move goes out first.


SURE = 150.0  # what the chance to go out first multiplies the log of a move's chance by; it was set by hand
_FORESIGHT_WEIGHTS = Path(__file__).with_name("critic.npz")


class Foresight(NamedTuple):
    """Who plays and who judges, and room for them; a critic without weights is not asked.

    `known` has what each seat is known to hold where the move is made (a row a seat, a count a metal), and `shown`
    what is known of it later.
    """

    brain: Brain
    critic: Network
    known: Words
    shown: Words
    mind: Thought
    told: Inputs
    room: network.Room


@lru_cache(maxsize=1)
def critic() -> Network:
    """The network that judges."""
    return read(_FORESIGHT_WEIGHTS)[0]


@lru_cache(maxsize=1)
def no_critic() -> Network:
    """A critic without weights."""
    return Network(*(array[:0] for array in critic()))


def foresight(known: Words, judge: Network) -> Foresight:
    """Foresight with a critic, where each seat is known to hold what is `known`."""
    brain = policy()[0]
    room = network.room(judge)
    return Foresight(brain, judge, known, np.zeros_like(known), thought(brain.net), inputs(FULL_INPUTS), room)


@lean
def think_and_move(foresight: Foresight, sight: Sight, random: Words) -> None:
    """The seat to move makes the learned player's choice, or both of its choices."""
    if move_drawn(foresight.brain, sight, False, SURE, random, foresight.mind):
        move_drawn(foresight.brain, sight, True, SURE, random, foresight.mind)


@lean
def look_ahead(foresight: Foresight, sight: Sight, seat: int, random: Words) -> int:
    """The others play until a seat has to choose again; the seat that has gone out, or `NOBODY`."""
    scalars = sight.game.scalars
    winner = winner_of(sight)
    while winner == NOBODY and scalars[TURN] != seat:
        think_and_move(foresight, sight, random)
        winner = winner_of(sight)
    return winner


@lean
def expected(foresight: Foresight, sight: Sight) -> float:
    """How likely the seat to move goes out first, by the critic."""
    mind = foresight.mind
    full_inputs(sight, mind.odds, mind.hand, mind.row, foresight.told)
    evaluate(foresight.critic, foresight.told, foresight.room)
    return float(min(1.0, max(0.0, foresight.room.out[0])))
