"""Hints for Kirin: the card to play, or to set aside, when the other hands are hidden.

Deals that agree with the view (worlds) are sampled, each weighted by how likely the other seats were to set aside
and play the cards that they did (`worlds`). In each, every legal card is played, and plausible players finish the
round. If few deals are left, the best reply over all of them is computed (`all_deals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel

from solver.answers import AnySampledHint, Unknown
from solver.common import STRENGTHS, Others, Random, members
from solver.errors import RequestError
from solver.games.kirin import moves
from solver.games.kirin.deck import RANKS, colour, name, of_colour
from solver.games.kirin.fast_rules import (
    DECK,
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
from solver.games.kirin.players import (
    BY_RULES,
    KINDS,
    LOOKS_AHEAD,
    MOST,
    Room,
    declare_values,
    expects,
    judge_kinds_of,
    new_room,
)
from solver.games.kirin.position import (
    DeclareView,
    KirinAnalysis,
    KnownPosition,
    Remembered,
    View,
    number_of,
)
from solver.games.kirin.reasons import because
from solver.games.kirin.rules import SEATS, State, extra_points
from solver.games.kirin.worlds import (
    ALL_STATISTICS,
    ARRANGEMENTS,
    ASIDE,
    HAND,
    SCORE,
    SCORES,
    SEAT,
    STATISTICS,
    TRICK_ASKS,
    TRICK_POINTS,
    WON_POINTS,
    WON_TRICK,
    Deals,
    Setting,
    deals,
    deals_by_order,
    evidence_of,
    lay_out,
    lay_table,
    likelihood,
    new_work,
    play_worlds,
)
from solver.hints.causes import Witness
from solver.hints.endings import GuaranteedDeals, check_turn, chosen, of_moves, steps_allowed
from solver.hints.match import endings, judge_by_match, whole_rounds
from solver.hints.policy import to_chances
from solver.hints.ranking import CHANCE, POINTS, Whole, error_of
from solver.hints.sampled import Sampler
from solver.hints.worlds import Kept, Lending, lay_places, new_kept
from solver.kernels.jit import kernel, lean
from solver.kernels.words import Floats, Words, popcount, trailing_zeros
from solver.language import say
from solver.limits import Control, Limit
from solver.tricks.rules import CardState

# ----------------------------------------------------------------------------------------------------
# The model error of Kirin's hints, in points, by the number of cards in the hand: see `solver.hints.ranking`.
#
# From hints in 1,000 games, 40 deals from each seat against each of four kinds of players: trained rule players,
# thrifty, greedy and random ones. ``python -m benchmarks.calibration kirin`` prints them.


MEASURED = {2: 0.063, 3: 0.084, 4: 0.124, 5: 0.204, 6: 0.273, 7: 0.337, 8: 0.398, 9: 0.433}


def model_error(view: View | DeclareView) -> float | None:
    """The error, in points, of mean scores due to wrong assumptions about how others play.

    None if the aim is to win the match or if rule options are set, since it was not measured for these.
    """
    if view.goes_by_match or view.rules is not None:
        return None
    return error_of(MEASURED, len(view.hand))


OWN_POINTS = ALL_STATISTICS  # where a hint for the match has the mean points


class Rounds:
    """Simulates rounds from a view, in which plausible players make the moves after the first.

    Implements `solver.hints.sampled.Rollouts`. The first statistic is the number of points or, if the aim is to
    win the match, the chance to win or share it; in that case, the last statistic (`OWN_POINTS`) is the number of
    points.

    `by_order` has the deals that agree with the view, as `deals_by_order` returns them.
    """

    def __init__(
        self,
        by_order: Sequence[Deals],
        cards: Sequence[int],
        seed: int,
        others: Others = "equal",
        *,
        infer: bool = True,
    ) -> None:
        view = by_order[0].view
        self.moves = len(cards)
        self.chained = infer and isinstance(view, View)
        self._orders = [_Order(dealt.total, dealt.among(others), Lending(KINDS)) for dealt in by_order]
        self._cards = np.array([INNER[card] for card in cards], np.int64)
        self._seed = seed
        self._view = view
        self.witness = Witness()
        self._coming = _coming(view.rounds_to_come) if view.goes_by_match else None
        self.statistics = OWN_POINTS + 1 if view.goes_by_match else STATISTICS

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), SEATS + self.moves), np.int64)
        order = self._order_of(first)
        with order.kept.lend() as kept:
            play_worlds(order.setting, kept, self._cards, self._seed, first, self.chained, results, noted)
        if self._view.totals is not None and self._view.goes_by_match:
            totals, seat = self._view.totals, self._view.seat
            judge_by_match(results, totals, seat, SCORES, first=first, coming=self._coming)
        self.witness.note(first, results, noted)

    def _order_of(self, first: int) -> _Order:
        """Draw the order that was in force before the remembered tricks, for a batch of worlds.

        If there are several, each is as likely as its share of the deals that agree with one of them.
        """
        rank = Random(self._seed, first).word() % sum(order.total for order in self._orders)
        for order in self._orders[:-1]:
            if rank < order.total:
                return order
            rank -= order.total
        return self._orders[-1]


class _Order(NamedTuple):
    """The deals that agree with a view in which one order was in force: how many, their setting and its caches."""

    total: int
    setting: Setting
    kept: Lending


@lru_cache(maxsize=3)
def _coming(following: int) -> Floats | None:
    """Sampled totals of the `following` further rounds (rows: samples, columns: seats); None if there are none."""
    return endings(_whole_rounds(), following) if following else None


@lru_cache(maxsize=1)
def _whole_rounds() -> Floats:
    return whole_rounds(_opening, SCORES, SEATS)


def _opening(number: int, seed: int) -> Rounds:
    view = moves.view(moves.deal(seed, number=number, variant="undeclared"), 0)
    return Rounds(deals_by_order(view), moves.legal_moves(view), seed + number)


@kernel
def first_answer(setting: Setting) -> tuple[int, Floats]:
    """Return the cards that may be played or set aside (a mask), and the probability of each, in card order.

    The probabilities are those of a player who looks ahead, or of a rule-based player if nobody is expected to
    look ahead.
    """
    question, room = setting.question, new_room()
    hand, aside = question[HAND], question[ASIDE]
    looks = expects(setting.ahead, LOOKS_AHEAD)
    told = room.values[MOST if looks else 0 :]
    if aside < 0:
        declare_values(hand, setting.ahead.declare if looks else setting.declare, told)
        legal = hand
    else:
        table = np.zeros(STATE_WORDS, np.int64)
        lay_table(question, setting.tricks, table)
        legal = playable(hand, table, 0)
        unseen = table[LIVE] & ~hand & ~(1 << aside)
        own = SAME_COLOUR[aside]
        judge_kinds_of(hand, own, unseen, table, legal, setting.play, setting.ahead, room)
    to_chances(popcount(legal), told)
    return legal, told


def played_by(view: View | DeclareView, cards: Sequence[int], others: Others = "equal") -> list[float]:
    """Return the probability of each of the legal `cards` for a player of the strength `others`."""
    legal, chances = first_answer(deals(view).among(others))
    found = dict(zip(members(int(legal)), chances.tolist(), strict=False))
    return [found[INNER[card]] for card in cards]


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
        or (isinstance(view, Remembered) and (view.forgotten or len(view.by_order) > 1))
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


# ----------------------------------------------------------------------------------------------------
# The hint, by sampling or over all deals.


def _unknown(view: View | DeclareView) -> Unknown | None:
    """Describe the cards that the player does not remember; None if no card is forgotten."""
    if not isinstance(view, Remembered) or not view.forgotten:
        return None
    return Unknown(gone=view.forgotten, among=tuple(map(name, members(view.unseen))))


def _sampler(others: Others) -> Sampler[View | DeclareView, int]:
    return Sampler[View | DeclareView, int](
        game="kirin",
        method="sampled rounds",
        legal_moves=moves.legal_moves,
        text=lambda _view, card: name(card),
        rollouts=lambda view, cards, seed: Rounds(deals_by_order(view), cards, seed, others),
        points=lambda view: OWN_POINTS if view.goes_by_match else None,
        unit=lambda view: CHANCE if view.goes_by_match else POINTS,
        because=because,
        policy=played_by,
        ending=partial(all_deals, others=others),
        model_error=model_error if others == "equal" else None,
        others=others,
        unknown=_unknown,
    )


SAMPLERS = {others: _sampler(others) for others in STRENGTHS}


def hint(
    view: View | DeclareView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    others: Others = "equal",
) -> AnySampledHint:
    """Find the best move in a view, and the mean result of every legal move.

    Under `declared_counts`, the points include the one for the card set aside. See
    `solver.hints.sampled.Sampler.hint` for the arguments.
    """
    return SAMPLERS[others].hint(view, control, worlds=worlds, seed=seed, threads=threads)


_A_SMALL_ENDING = 30_000  # nodes are enough for it
_TO_A_SMALL_ENDING = 6 * SEATS + SEATS - 1  # cards played: then the last player to the trick has two left


def warm() -> None:
    """Compile or load every kernel that hints need."""
    for variant in ("declared", "undeclared"):
        view = moves.view(moves.deal(0, variant=variant), 0)
        hint(view, Control(), worlds=1)
    hint(view, Control(), worlds=0)
    late = moves.deal(0, variant="declared")
    for _ in range(_TO_A_SMALL_ENDING):
        late = moves.play(late, moves.legal_moves(late)[0])
    assert isinstance(late, KnownPosition)
    hint(moves.view(late, late.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))


# ----------------------------------------------------------------------------------------------------
# What a seat of Kirin guarantees over all deals that agree with its view.


class _Open(NamedTuple):
    """Implements `solver.hints.endings.Open` for one seat: the rules with every card known.

    `own` is the mask of the cards that score for the seat, `extra` its points besides those.
    """

    seat: int
    own: int
    extra: int

    def is_own(self, state: State) -> bool:
        return state.to_move == self.seat

    def moves(self, state: State) -> Sequence[int]:
        return state.moves()

    def after(self, state: State, move: int) -> State:
        return state.after(move)

    def bounds(self, state: State) -> tuple[int, int]:
        won = (state.won[self.seat] & self.own).bit_count() + self.extra
        if state.over:
            return won, won
        lost = sum((pile & self.own).bit_count() for pile in state.won)
        return won, won + len(RANKS) - 1 - lost  # the card set aside is never won


def deals_of(view: View, some: int | None = None) -> GuaranteedDeals[State]:
    """Return the deals that agree with a view, without distinguishing who set aside which card.

    If `some` is given, return only about that many of them, evenly spaced. Otherwise raises RequestError if there
    are too many to check them all.
    """
    found = deals(view)
    assert found.worlds is not None
    total = found.worlds.total
    states = []
    for rank in chosen(total, some):
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(SEATS)]
        for card, place in zip(found.cards, found.world(rank), strict=True):
            if place < SEATS - 1:  # the last group is set aside
                hands[(view.seat + 1 + place) % SEATS] |= 1 << DECK[card]
        states.append(CardState(view.past.rules, tuple(hands), view.leader, view.plays, view.past.won))
    return GuaranteedDeals(total, states)


def guaranteed(view: BaseModel, control: Control) -> KirinAnalysis:
    """Return the score that the seat of a view can guarantee with each card, whatever the others hold and play.

    Raises RequestError before the round, for a partly remembered view, for too many deals, and if another seat is
    to move.
    """
    from solver.tricks.analysis import Form, Question, one_score  # slow to import

    if not isinstance(view, View) or isinstance(view, Remembered):
        message = say("before the round, and with half a memory, there are too many deals to check them all")
        raise RequestError("not_offered", message)
    check_turn(view.seat, view.seat_to_move)
    open_rules = _Open(view.seat, of_colour(colour(number_of(view.declared))), extra_points(view.rules))
    found = deals_of(view)
    moves, won = of_moves(open_rules, found, control), open_rules.bounds(found.states[0])[0]
    form, question = Form("kirin", KirinAnalysis, name), Question("paranoid", view.seat, view.seat, control)
    return one_score(form, question, moves, high=True, won=won, line=lambda *_: ())
