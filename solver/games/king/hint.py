"""Hints for King × Alchemy: the card to pick or play, or those to take and give, when other hands are hidden.

Hidden hands are sampled from the deals that agree with the view (`worlds`), weighted by the likelihood of the
other seats' picks and plays. In each such world, every legal move is made, model players finish the round
(`players`), and the piles are compounded as well as possible. If few deals are left, the best reply over all of
them is computed instead (`endings`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
from pydantic import BaseModel

from solver.answers import AnySampledHint, Unknown
from solver.common import STRENGTHS, Others, members
from solver.errors import RequestError
from solver.games.king import compounding, moves, rules
from solver.games.king.compounding_kernel import best_of_each
from solver.games.king.deck import Deck, KingReadings
from solver.games.king.endings import all_deals
from solver.games.king.players import (
    AHEAD,
    AMONG,
    KINDS,
    move_code,
    setting,
)
from solver.games.king.players import chances as likely
from solver.games.king.position import KingAnalysis, PickView, Remembered, View
from solver.games.king.reasons import because
from solver.games.king.rules import Move, State, move_text
from solver.games.king.worlds import (
    SCORES,
    STATISTICS,
    Deals,
    deals,
    evidence_of,
    play_worlds,
)
from solver.hints.causes import MOST_WORLDS, Witness
from solver.hints.endings import (
    GuaranteedDeals,
    check_turn,
    chosen,
    of_moves,
    told,
)
from solver.hints.match import chances, endings, judge_by_match, whole_rounds
from solver.hints.ranking import CHANCE, POINTS, Sums, error_of
from solver.hints.sampled import Sampler
from solver.hints.unknown import cards_held, unknown_of
from solver.hints.worlds import Lending
from solver.kernels.words import Floats, Words
from solver.language import say
from solver.limits import Control, Limit

# ----------------------------------------------------------------------------------------------------
# The model error of King × Alchemy's hints, in points: see `solver.hints.ranking`.
#
# From the hints of 600 games with the house deck, by the number of players and of cards in the hand; before the
# first trick, when a card is picked, the hand is complete. One player follows the hints, and the others are of
# four kinds: trained rule players, thrifty, greedy and random ones.


MEASURED: dict[int, dict[int, float]] = {
    3: {
        1: 0.37, 2: 0.99, 3: 1.26, 4: 2.05, 5: 2.67, 6: 3.46, 7: 4.25, 8: 5.10, 9: 6.21, 10: 7.10,
        11: 8.04, 12: 8.80, 13: 9.78, 14: 11.04, 15: 11.74,
    },
    4: {
        1: 0.31, 2: 1.11, 3: 1.64, 4: 2.33, 5: 3.09, 6: 3.86, 7: 4.69, 8: 5.66, 9: 6.81, 10: 7.93,
        11: 8.97, 12: 9.49,
    },
    5: {
        1: 0.59, 2: 0.92, 3: 1.23, 4: 1.71, 5: 2.29, 6: 2.95, 7: 3.50, 8: 4.22, 9: 5.15, 10: 5.84,
    },
}  # fmt: skip


def model_error(view: View | PickView) -> float | None:
    """The error, in points, of mean scores due to wrong assumptions about how others play.

    None where it was not measured. It was measured only for mean points (not for chances to win a match) with the
    house deck and the default rules.
    """
    if view.goes_by_match or view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))


_A_SMALL_ENDING = 10_000  # nodes are enough for it


class Rounds:
    """Rollouts for a view, in which model players finish the round (see `solver.hints.sampled.Rollouts`).

    If hints play for the match, rounds are judged by the chance to win the match (`solver.tricks.match`).
    """

    def __init__(
        self,
        dealt: Deals,
        made: Sequence[Move],
        seed: int,
        others: Others = "equal",
        *,
        infer: bool = True,
        expected: Floats | None = None,
    ) -> None:
        view = dealt.view
        self.moves = len(made)
        self.chained = infer and isinstance(view, View) and len(dealt.cards) > 1
        current = setting(view, others)
        evidence = evidence_of(view, current, AMONG[others] if expected is None else expected)
        self._arguments = dealt.question, current, evidence
        self._moves = np.array([move_code(view, move) for move in made], np.int64)
        self._kept = Lending(KINDS)
        self._seed = seed
        self._view = view
        self.witness = Witness()
        self._coming = _coming(view) if view.goes_by_match else None
        self.statistics = own_points(view) + 1 if view.goes_by_match else STATISTICS

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        players, of_all = self._view.players, self._view.goes_by_match and first < MOST_WORLDS
        noted = np.empty((len(results), players + self.moves * (2 + 2 * players * of_all)), np.int64)
        self._play(first, results, weights, noted)
        if self._view.totals is not None and self._view.goes_by_match:
            totals, seat = self._view.totals, self._view.seat
            judge_by_match(results, totals, seat, SCORES, first=first, coming=self._coming)
        self.witness.note(first, results, noted)

    def _play(self, first: int, results: Floats, weights: Floats, noted: Words) -> None:
        with self._kept.lend() as kept:
            play_worlds(*self._arguments, kept, self._moves, self._seed, first, self.chained, results, noted)

    def chances(self, worlds: Words, scores: Floats) -> Floats:
        """For each of some sampled worlds, the chance to win or share the match.

        `worlds` has the indices of these worlds. `scores` has everybody's scores in this round (a row per world, a
        column per seat).
        """
        assert self._view.totals is not None
        return chances(scores[:, None], self._view.totals, self._view.seat, worlds, self._coming)[:, 0]


def own_points(view: View | PickView) -> int:
    """The index of the player's own points among the statistics of a hint that plays for the match.

    Statistic 0 is then the chance to win the match.
    """
    return SCORES + view.players


def _coming(view: View | PickView) -> Floats | None:
    """Sampled total scores of the rounds after this one (rows: samples, columns: seats).

    None if no round follows. See `solver.hints.match.endings`.
    """
    played_with = view.model_dump_json(include={"deck", "rules"}, exclude_none=True)
    following = view.rounds_to_come
    return _endings(played_with, view.players, following) if following else None


@lru_cache(maxsize=16)
def _endings(played_with: str, players: int, following: int) -> Floats | None:
    return endings(_whole_rounds(played_with, players), following)


@lru_cache(maxsize=16)
def _whole_rounds(played_with: str, players: int) -> Floats:
    told = json.loads(played_with)
    rules = KingReadings(**told["rules"]) if "rules" in told else None

    def opening(number: int, seed: int) -> Rounds:
        position = moves.seats_deal(seed, number=number, players=players, variant="unpicked", deck=told["deck"])
        view = moves.view(position.model_copy(update={"rules": rules}), 0)
        return Rounds(deals(view), moves.legal_moves(view), seed + number)

    return whole_rounds(opening, SCORES, players)


def _rounds(view: View | PickView, made: Sequence[Move], seed: int, others: Others) -> Rounds:
    return Rounds(deals(view), made, seed, others)


def _unknown(view: View | PickView, best: int, sums: Sums, rollouts: Rounds) -> Unknown | None:
    """Estimate what the player would gain by remembering every card played; None if no card is forgotten."""
    if not isinstance(view, Remembered) or not view.forgotten:
        return None
    noted = rollouts.witness.noted(sums.worlds, chained=rollouts.chained)
    among = list(members(view.unseen))
    held = None if noted is None else cards_held(noted.words[:, : view.players], among)
    return unknown_of(view.forgotten, view.full_deck.codes(among), noted, held, best)


def _sampler(others: Others) -> Sampler[View | PickView, Move]:
    return Sampler[View | PickView, Move](
        game="king",
        method="sampled rounds",
        legal_moves=moves.legal_moves,
        text=moves.format_move,
        rollouts=partial(_rounds, others=others),
        points=lambda view: own_points(view) if view.goes_by_match else None,
        unit=lambda view: CHANCE if view.goes_by_match else POINTS,
        because=because,
        policy=partial(likely, kind=AHEAD),
        ending=partial(all_deals, others=others),
        model_error=model_error if others == "equal" else None,
        others=others,
        unknown=_unknown,
    )


SAMPLERS = {others: _sampler(others) for others in STRENGTHS}


def hint(
    view: View | PickView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    others: Others = "equal",
) -> AnySampledHint:
    """Find the best move in a view, and the mean result of every legal move.

    See `solver.hints.sampled.Sampler.hint` for the arguments.
    """
    return SAMPLERS[others].hint(view, control, worlds=worlds, seed=seed, threads=threads)


def played_by(view: View | PickView, made: Sequence[Move], others: Others) -> list[float]:
    """The probability of each move in `made` for a trained player of the strength `others`."""
    return likely(view, made, others=others)


def warm() -> None:
    """Compile or load every kernel that hints need, including those for a full trick and for a small ending."""
    for variant in ("picked", "unpicked"):
        for worlds in (0, 1):
            hint(moves.view(moves.seats_deal(0, variant=variant), 0), Control(), worlds=worlds)
    full = moves.as_known(moves.seats_deal(0, variant="picked"))
    for _ in range(full.players):
        full = moves.as_known(moves.play(full, moves.legal_moves(full)[0]))
    hint(moves.view(full, full.seat_to_move), Control(), worlds=1)
    best_of_each(full.full_deck, np.zeros(1, np.int64))
    while len(full.hands[full.seat_to_move]) > 2 or full.trick:
        full = moves.as_known(moves.play(full, moves.legal_moves(full)[0]))
    hint(moves.view(full, full.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))


# ----------------------------------------------------------------------------------------------------
# What a seat of King × Alchemy guarantees over all deals that agree with its view.


class _Open:
    """The rules with every card known, for finding what one seat can guarantee (`solver.hints.endings.Open`)."""

    def __init__(self, deck: Deck, seat: int) -> None:
        self._deck = deck
        self._seat = seat
        self._worths: dict[int, int] = {}

    def _worth(self, pile: int) -> int:
        if pile not in self._worths:
            self._worths[pile] = compounding.best(self._deck, members(pile)).total
        return self._worths[pile]

    def is_own(self, state: State) -> bool:
        return state.to_move == self._seat

    def moves(self, state: State) -> Sequence[Move]:
        return rules.legal_moves(state)

    def after(self, state: State, move: Move) -> State:
        return rules.play(state, move)

    def bounds(self, state: State) -> tuple[int, int]:
        pile = state.won[self._seat]
        worth = self._worth(pile)
        if state.over:
            return worth, worth
        left = (1 << len(self._deck.cards)) - 1
        for seat, won in enumerate(state.won):
            if seat != self._seat:
                left &= ~won
        # A pile only grows, and more cards are never worth less.
        return worth, self._worth(left)


def deals_of(view: View, some: int | None = None) -> GuaranteedDeals[State]:
    """The deals that agree with a view; with `some`, about that many of them, spread evenly.

    Raises RequestError if there are too many to number.
    """
    found = deals(view)
    if found.worlds is None:
        raise RequestError("not_offered", say("there are too many deals to check them all"))
    total = found.worlds.total
    hands = (found.hands(found.world(rank)) for rank in chosen(total, some))
    return GuaranteedDeals(
        total, [State(view.full_deck, each, view.leader, view.plays, view.piles) for each in hands]
    )


def guaranteed(view: BaseModel, control: Control) -> KingAnalysis:
    """The score that the seat of a view can guarantee with each move, whatever the others hold and do.

    Raises RequestError before the pick, with an incomplete memory, for too many deals, and if another seat is to
    move.
    """
    if not isinstance(view, View) or isinstance(view, Remembered):
        message = say("before the round, and with half a memory, there are too many deals to check them all")
        raise RequestError("not_offered", message)
    check_turn(view.seat, view.seat_to_move)
    deck = view.full_deck
    open_rules = _Open(deck, view.seat)
    found = deals_of(view)
    moves = [(move_text(deck, move), bounds) for move, bounds in of_moves(open_rules, found, control).items()]
    return KingAnalysis.model_validate(
        {"game": "king", **told(view.seat, moves, open_rules.bounds(found.states[0]), control)}
    )
