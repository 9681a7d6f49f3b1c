"""Hints for Kirin: the card to play, or to set aside, when the other hands are hidden.

Deals that agree with the view (worlds) are sampled, each weighted by how likely the other seats were to set aside
and play the cards that they did (`worlds`). In each, every legal card is played, and plausible players finish the
round. If few deals are left, the best reply over all of them is computed (`endings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel

from solver.answers import AnySampledHint, PolicyHint, Unknown
from solver.common import STRENGTHS, Others, mask, members
from solver.errors import RequestError
from solver.games.kirin import moves
from solver.games.kirin.deck import RANKS, colour, name, of_colour
from solver.games.kirin.endings import all_deals
from solver.games.kirin.fast_rules import DECK, INNER, LIVE, SAME_COLOUR, STATE_WORDS, playable
from solver.games.kirin.players import KINDS, LOOKS_AHEAD, MOST, declare_values, expects, judge_kinds_of, new_room
from solver.games.kirin.position import (
    DeclareView,
    KirinAnalysis,
    KnownPosition,
    Remembered,
    View,
    number_of,
    numbers,
)
from solver.games.kirin.reasons import because
from solver.games.kirin.rules import SEATS, State, extra_points
from solver.games.kirin.worlds import (
    ALL_STATISTICS,
    ASIDE,
    HAND,
    SCORES,
    STATISTICS,
    Deals,
    Setting,
    deals,
    lay_table,
    play_worlds,
)
from solver.hints.causes import Witness
from solver.hints.endings import GuaranteedDeals, check_turn, chosen, of_moves, told
from solver.hints.match import endings, judge_by_match, whole_rounds
from solver.hints.policy import to_chances
from solver.hints.ranking import CHANCE, POINTS, Sums, error_of
from solver.hints.sampled import Sampler
from solver.hints.unknown import cards_held, unknown_of
from solver.hints.worlds import Lending
from solver.kernels.jit import kernel
from solver.kernels.words import Floats, popcount
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


_A_SMALL_ENDING = 30_000  # nodes are enough for it
_TO_A_SMALL_ENDING = 6 * SEATS + SEATS - 1  # cards played: then the last player to the trick has two left


class Rounds:
    """Simulates rounds from a view, in which plausible players make the moves after the first.

    Implements `solver.hints.sampled.Rollouts`. The first statistic is the number of points or, if the aim is to
    win the match, the chance to win or share it; in that case, the last statistic (`OWN_POINTS`) is the number of
    points.
    """

    def __init__(
        self, dealt: Deals, cards: Sequence[int], seed: int, others: Others = "equal", *, infer: bool = True
    ) -> None:
        self.moves = len(cards)
        self.chained = infer and isinstance(dealt.view, View)
        self._setting = dealt.among(others)
        self._kept = Lending(KINDS)
        self._cards = np.array([INNER[card] for card in cards], np.int64)
        self._seed = seed
        self._view = dealt.view
        self.witness = Witness()
        self._coming = _coming(dealt.view.rounds_to_come) if dealt.view.goes_by_match else None
        self.statistics = OWN_POINTS + 1 if dealt.view.goes_by_match else STATISTICS

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), SEATS + self.moves), np.int64)
        with self._kept.lend() as kept:
            play_worlds(self._setting, kept, self._cards, self._seed, first, self.chained, results, noted)
        if self._view.totals is not None and self._view.goes_by_match:
            totals, seat = self._view.totals, self._view.seat
            judge_by_match(results, totals, seat, SCORES, first=first, coming=self._coming)
        self.witness.note(first, results, noted)


@lru_cache(maxsize=3)
def _coming(following: int) -> Floats | None:
    """Sampled totals of the `following` further rounds (rows: samples, columns: seats); None if there are none."""
    return endings(_whole_rounds(), following) if following else None


@lru_cache(maxsize=1)
def _whole_rounds() -> Floats:
    return whole_rounds(_opening, SCORES, SEATS)


def _opening(number: int, seed: int) -> Rounds:
    view = moves.view(moves.deal(seed, number=number, variant="undeclared"), 0)
    return Rounds(deals(view), moves.legal_moves(view), seed + number)


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


OWN_POINTS = ALL_STATISTICS


def _unknown(view: View | DeclareView, best: int, sums: Sums, rollouts: Rounds) -> Unknown | None:
    """Estimate what the player would gain by remembering every card played; None if no card is forgotten."""
    if not isinstance(view, Remembered) or not view.forgotten:
        return None
    noted = rollouts.witness.noted(sums.worlds, chained=rollouts.chained)
    among = list(members(view.unseen))
    held = None if noted is None else cards_held(noted.words[:, :SEATS], [INNER[card] for card in among])
    return unknown_of(view.forgotten, list(map(name, among)), noted, held, best)


def _sampler(others: Others) -> Sampler[View | DeclareView, int]:
    return Sampler[View | DeclareView, int](
        game="kirin",
        method="sampled rounds",
        legal_moves=moves.legal_moves,
        text=lambda _view, card: name(card),
        rollouts=lambda view, cards, seed: Rounds(deals(view), cards, seed, others),
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
    found = SAMPLERS[others].hint(view, control, worlds=worlds, seed=seed, threads=threads)
    extra = extra_points(view.rules)
    if not extra or isinstance(found, PolicyHint):
        return found
    key = "points" if view.goes_by_match else "mean"
    moves = tuple(move.model_copy(update={key: getattr(move, key) + extra}) for move in found.moves)
    return found.model_copy(update={"moves": moves})


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

    If `some` is given, return only about that many of them, evenly spaced.
    """
    found = deals(view)
    held = mask(numbers(view.hand))
    assert found.worlds is not None
    total = found.worlds.total
    states = []
    for rank in chosen(total, some):
        hands = [held if seat == view.seat else 0 for seat in range(SEATS)]
        for card, place in zip(found.cards, found.world(rank), strict=True):
            if place < SEATS - 1:  # the last group is set aside
                hands[(view.seat + 1 + place) % SEATS] |= 1 << DECK[card]
        states.append(CardState(view.past.rules, tuple(hands), view.leader, view.plays, view.past.won))
    return GuaranteedDeals(total, states)


def guaranteed(view: BaseModel, control: Control) -> KirinAnalysis:
    """Return the score that the seat of a view can guarantee with each card, whatever the others hold and play.

    Raises RequestError before the round, for a partly remembered view, and if another seat is to move.
    """
    if not isinstance(view, View) or isinstance(view, Remembered):
        message = say("before the round, and with half a memory, there are too many deals to check them all")
        raise RequestError("not_offered", message)
    check_turn(view.seat, view.seat_to_move)
    open_rules = _Open(view.seat, of_colour(colour(number_of(view.declared))), extra_points(view.rules))
    found = deals_of(view)
    moves = [(name(card), bounds) for card, bounds in of_moves(open_rules, found, control).items()]
    return KirinAnalysis.model_validate(
        {"game": "kirin", **told(view.seat, moves, open_rules.bounds(found.states[0]), control)}
    )
