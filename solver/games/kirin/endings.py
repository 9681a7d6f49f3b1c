"""Small endings of Kirin: the best reply to the others over all possible deals, if time allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.common import Others
from solver.games.kirin.fast_rules import (
    INNER,
    LIVE,
    PLAYED,
    SAME_COLOUR,
    STATE_WORDS,
    TRICK,
    end_trick,
    lay,
    playable,
    seat_to_move,
)
from solver.games.kirin.players import BY_RULES, KINDS, LOOKS_AHEAD, MOST, Room, expects, judge_kinds_of, new_room
from solver.games.kirin.position import (
    DeclareView,
    Remembered,
    View,
)
from solver.games.kirin.worlds import (
    ARRANGEMENTS,
    ASIDE,
    HAND,
    SCORE,
    SEAT,
    STATISTICS,
    TRICK_ASKS,
    TRICK_POINTS,
    WON_POINTS,
    WON_TRICK,
    Setting,
    deals,
    evidence_of,
    lay_out,
    lay_table,
    likelihood,
    new_work,
)
from solver.hints.endings import steps_allowed
from solver.hints.policy import to_chances
from solver.hints.ranking import Whole
from solver.hints.worlds import Kept, lay_places, new_kept
from solver.kernels.jit import kernel, lean
from solver.kernels.words import Floats, Words, popcount, trailing_zeros
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# The others' chances of playing each card in an ending, as kernels. Cards as in `fast_rules`.


MOST_CARDS = 3  # in the hand
_KEPT = 1021  # cached replies


class Replies(NamedTuple):
    """A cache of the probabilities of each legal card at one turn, since most hands occur in several deals.

    For each slot, `keys` has the key of a hand and a card set aside, `turns` the number of the turn, and `chances`
    the probabilities by kind of player and card. `turn` is the number of the current turn.
    """

    keys: Words
    turns: Words
    chances: Floats
    turn: Words
    room: Room


@kernel
def new_replies() -> Replies:
    return Replies(
        np.zeros(_KEPT, np.int64),
        np.zeros(_KEPT, np.int64),
        np.zeros((_KEPT, KINDS * MOST_CARDS)),
        np.zeros(1, np.int64),
        new_room(),
    )


@lean
def reply(setting: Setting, replies: Replies, hand: int, aside: int, legal: int, table: Words) -> int:
    """Return the slot of `replies` with the probabilities of a hand's legal cards at this turn.

    They are computed unless they are cached. There must be at least two legal cards.
    """
    key = (hand << 6) | aside
    slot = key % _KEPT
    if replies.keys[slot] == key and replies.turns[slot] == replies.turn[0]:
        return int(slot)
    replies.keys[slot], replies.turns[slot] = key, replies.turn[0]
    room, ahead = replies.room, setting.ahead
    own = SAME_COLOUR[aside]
    unseen = table[LIVE] & ~hand & ~(1 << aside)
    judge_kinds_of(hand, own, unseen, table, legal, setting.play, ahead, room)
    count = popcount(legal)
    for kind in range(KINDS):
        told = room.values[kind * MOST :]
        if expects(ahead, kind):
            to_chances(count, told)
        for place in range(count):
            replies.chances[slot, kind * MOST_CARDS + place] = told[place]
    return int(slot)


_DEPTH = 4 * MOST_CARDS + 1  # a place for each card still to be played, and one for the end


class Laid(NamedTuple):
    """All deals that agree with a view, and their weights.

    For each deal and seat: the hand (a mask), the card set aside, and the probability that the seat looks ahead
    (`shares`, see `worlds.play_on`).
    """

    hands: Words
    asides: Words
    shares: Floats
    weights: Floats


class Lines(NamedTuple):
    """The line of play being followed, and the deals that agree with it.

    A line's depth is the number of cards played after the position asked about. Stored per depth: the number of
    deals (`many`), the node (`table`), the cards still to try (`rest`), the `value` so far, and the points won by
    the last card (`reward`). Stored per depth and place in the list of deals: the index of
    the deal (`at`), its `weight`, the cards that are `legal` in it, and their `chances` (`MOST_CARDS` each).
    """

    many: Words
    table: Words
    rest: Words
    value: Floats
    reward: Floats
    at: Words
    weight: Floats
    legal: Words
    chances: Floats


def new_deals(total: int) -> Laid:
    hands, asides = np.zeros((2, total, 4), np.int64)
    return Laid(hands, asides, np.zeros((total, 4)), np.zeros(total))


def new_lines(total: int) -> Lines:
    return Lines(
        np.zeros(_DEPTH, np.int64),
        np.zeros((_DEPTH, STATE_WORDS), np.int64),
        np.zeros(_DEPTH, np.int64),
        np.zeros(_DEPTH),
        np.zeros(_DEPTH),
        np.zeros((_DEPTH, total), np.int64),
        np.zeros((_DEPTH, total)),
        np.zeros((_DEPTH, total), np.int64),
        np.zeros((_DEPTH, total, MOST_CARDS)),
    )


@kernel
def lay_deals(setting: Setting, kept: Kept, deals: Laid) -> None:
    """Write every deal, and as its weight the likelihood of what the others were seen to do."""
    question, cards, numbering = setting.question, setting.cards, setting.numbering
    start = numbering.ways.shape[1] - 1
    places = np.zeros(len(cards), np.int64)
    hand, aside = np.zeros(4, np.int64), np.zeros(4, np.int64)
    evidence = evidence_of(setting)
    work = new_work(hand, aside, kept)
    for number in range(len(deals.weights)):
        world = number // question[ARRANGEMENTS]
        lay_places(numbering.groups, numbering.strides, numbering.ways, start, world, places)
        lay_out(question, cards, places, hand, aside, number % question[ARRANGEMENTS])
        weight = 1.0
        for seat in range(4):
            deals.hands[number, seat], deals.asides[number, seat] = hand[seat], aside[seat]
            if seat != question[SEAT]:
                found = likelihood(seat, hand[seat], aside[seat], evidence, work)
                deals.shares[number, seat] = work.chances[LOOKS_AHEAD] / found
                weight *= found
        deals.weights[number] = weight


@lean
def look_round(setting: Setting, deals: Laid, lines: Lines, depth: int, replies: Replies) -> None:
    """Find the legal cards of the seat to move at a depth.

    For seats other than the asking one, also find, in each deal, the probability of each legal card.
    """
    table = lines.table[depth]
    seat = seat_to_move(table, 0)
    if seat == setting.question[SEAT]:
        lines.rest[depth] = playable(setting.question[HAND] & table[LIVE], table, 0)
        lines.value[depth] = -1.0
        return
    lines.value[depth] = 0.0
    replies.turn[0] += 1
    together = 0
    for place in range(lines.many[depth]):
        number = lines.at[depth, place]
        hand = deals.hands[number, seat] & table[LIVE]
        legal = playable(hand, table, 0)
        together |= legal
        lines.legal[depth, place] = legal
        lines.chances[depth, place, 0] = 1.0
        if legal & (legal - 1) == 0:
            continue
        slot = reply(setting, replies, hand, deals.asides[number, seat], legal, table)
        share = deals.shares[number, seat]
        for card in range(popcount(legal)):
            by_rules = replies.chances[slot, BY_RULES * MOST_CARDS + card]
            ahead = replies.chances[slot, LOOKS_AHEAD * MOST_CARDS + card]
            lines.chances[depth, place, card] = (1 - share) * by_rules + share * ahead
    lines.rest[depth] = together


@lean
def follow(setting: Setting, lines: Lines, depth: int, card: int) -> float:
    """Play a card at a depth: write the deals in which it is legal, with their new weights, to the next depth.

    If another seat plays the card, each weight is multiplied by the probability of the card. Returns the sum of
    the weights.
    """
    one = 1 << card
    after = depth + 1
    own = seat_to_move(lines.table[depth], 0) == setting.question[SEAT]
    count = 0
    total = 0.0
    for place in range(lines.many[depth]):
        chance = 1.0
        if not own:
            legal = lines.legal[depth, place]
            if legal & one == 0:
                continue
            chance = lines.chances[depth, place, popcount(legal & (one - 1))]
        lines.at[after, count] = lines.at[depth, place]
        lines.weight[after, count] = lines.weight[depth, place] * chance
        total += lines.weight[after, count]
        count += 1
    lines.many[after] = count
    for word in range(STATE_WORDS):
        lines.table[after, word] = lines.table[depth, word]
    lay(lines.table[after], 0, card)
    return total


@lean
def points_taken(setting: Setting, lines: Lines, depth: int) -> int:
    """End the full trick at a depth. Return the asking seat's points, or -1 if it did not win the trick."""
    table = lines.table[depth]
    trick = table[TRICK]
    if end_trick(table, 0, setting.question[TRICK_ASKS]) != setting.question[SEAT]:
        return -1
    return popcount(trick & SAME_COLOUR[setting.question[ASIDE]])


@kernel
def best_replies(setting: Setting, moves: Words, deals: Laid, lines: Lines, most: int, results: Floats) -> int:
    """Write the statistics of each move (see `worlds`) to a row of `results`, as means over all deals.

    Returns the number of cards played in total, counting each deal separately. The search stops once it exceeds
    `most`; scores not yet computed are then -1.
    """
    question, replies = setting.question, new_replies()
    lines.many[0] = len(deals.weights)
    whole = 0.0
    for number in range(len(deals.weights)):
        lines.at[0, number] = number
        lines.weight[0, number] = deals.weights[number]
        whole += deals.weights[number]
    lay_table(question, setting.tricks, lines.table[0])
    to_end = 4 - lines.table[0, PLAYED]  # the depth at which the trick on the table has ended
    left = 4 * popcount(question[HAND]) - lines.table[0, PLAYED]  # cards still to be played
    steps = 0
    for index in range(len(moves)):
        results[index, SCORE] = -1.0
    for index in range(len(moves)):
        lines.rest[0] = 1 << moves[index]
        lines.value[0] = 0.0
        depth = 0
        while True:
            rest = lines.rest[depth]
            if rest == 0:
                if depth == 0:
                    break
                value = lines.value[depth] + lines.reward[depth]
                depth -= 1
                if depth > 0 and seat_to_move(lines.table[depth], 0) == question[SEAT]:
                    lines.value[depth] = max(lines.value[depth], value)
                else:
                    lines.value[depth] += value
                continue
            lines.rest[depth] = rest & (rest - 1)
            total = follow(setting, lines, depth, trailing_zeros(rest))
            depth += 1
            steps += lines.many[depth]
            if steps > most:
                return int(steps)
            lines.reward[depth] = 0.0
            if lines.table[depth, PLAYED] == 4:
                won = points_taken(setting, lines, depth)
                lines.reward[depth] = total * max(won, 0)
                if depth == to_end and won >= 0:
                    results[index, WON_TRICK] += total / whole
                    results[index, TRICK_POINTS] += total * won / whole
            if depth == left:
                lines.rest[depth] = 0
                lines.value[depth] = 0.0
            else:
                look_round(setting, deals, lines, depth, replies)
        results[index, SCORE] = question[WON_POINTS] + lines.value[0] / whole
    return int(steps)


# ----------------------------------------------------------------------------------------------------
# The hint in a small ending: the best reply over all remaining deals, if there is time for it.


_MOST_DEALS = 50_000  # which take some 30 MB; with two cards in the hand there are never more
_STEPS = {1: 10, 2: 100, 3: 600}  # per deal, usually or at most, by the number of cards in the hand
_A_SECOND = 20_000_000  # steps per second, half of the usual speed


def all_deals(
    view: View | DeclareView, cards: Sequence[int], control: Control, worlds: int | None, others: Others = "equal"
) -> Whole | None:
    """Return the statistics of each card over all deals; None if not all deals can be searched.

    All deals are searched if there are at least two cards to choose from, few cards are left, there is enough
    time, and there are no more deals than `worlds`. Each card played in one deal counts as a node.
    """
    if (
        isinstance(view, DeclareView)
        or (isinstance(view, Remembered) and view.forgotten)
        or view.goes_by_match
        or len(view.hand) > MOST_CARDS
        or len(cards) < 2
    ):
        return None
    found = deals(view)
    steps = steps_allowed(control, _A_SECOND)
    if found.total > min(_MOST_DEALS, worlds or _MOST_DEALS) or found.total * _STEPS[len(view.hand)] > steps:
        return None
    setting = found.among(others)
    laid, results = new_deals(found.total), np.zeros((len(cards), STATISTICS))
    lay_deals(setting, new_kept(KINDS), laid)
    moves = np.array([INNER[card] for card in cards], np.int64)
    control.nodes += best_replies(setting, moves, laid, new_lines(found.total), steps, results)
    return Whole(found.total, results) if results[:, 0].min() >= 0 else None
