"""`hint` for King × Alchemy: which card to play, to take and to give, or to pick, when the other hands are hidden.

Worlds are drawn from the deals that agree with the view (`deals`), each weighted by how likely the others would
have picked and played what they did (`likelihood`); in each, every legal move is made, and the round is finished
by plausible players (`policy`, `rollouts`) and counted with the best compounding. Where few deals are left, the
best reply over all of them is worked out (`endings`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.common.control import Control, Limit
from solver.games.king.cards.readings import KingReadings
from solver.games.king.cards.rules import Move
from solver.games.king.hints.calibrated import model_error
from solver.games.king.hints.causes import because
from solver.games.king.hints.deals import Deals, agrees, deals
from solver.games.king.hints.endings.replies import all_deals
from solver.games.king.hints.evidence import evidence_of
from solver.games.king.hints.reasons import reason
from solver.games.king.hints.rollouts import SCORES, STATISTICS, play_worlds
from solver.games.king.players.kinds import EXPECTED
from solver.games.king.players.learned.alone import chances as likely
from solver.games.king.players.policy import KINDS
from solver.games.king.players.setting import move_words, setting
from solver.games.king.positions import moves, seats
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints.causes import MOST_WORLDS, Witness
from solver.hints.kept import Lending
from solver.hints.match import chances, endings, judge_by_match, whole_rounds
from solver.hints.sampled import Sampler
from solver.kernels.arrays import Floats, Words

_A_SMALL_ENDING = 10_000  # nodes are enough to work one out


class Rounds:
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`): rounds ended by plausible players.

    Where hints go by the match they are judged by who wins it (`solver.tricks.match`).
    """

    def __init__(
        self,
        dealt: Deals,
        made: Sequence[Move],
        seed: int,
        *,
        infer: bool = True,
        expected: Floats = EXPECTED,
    ) -> None:
        view = dealt.view
        self.moves = len(made)
        self.chained = infer and isinstance(view, View) and len(dealt.cards) > 1
        current = setting(view)
        self._arguments = dealt.question, current, evidence_of(view, current, expected)
        self._moves = np.array([move_words(view, move) for move in made], np.int64)
        self._kept = Lending(KINDS)
        self._seed = seed
        self._view = view
        self.witness = Witness()
        self._coming = _coming(view) if view.goes_by_match else None
        self.statistics = own_points(view) + 1 if view.goes_by_match else STATISTICS

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        players, of_all = self._view.players, self._view.goes_by_match and first < MOST_WORLDS
        noted = np.empty((len(results), players + self.moves * (1 + 2 * players * of_all)), np.int64)
        self._play(first, results, weights, noted)
        if self._view.totals is not None and self._view.goes_by_match:
            totals, seat = self._view.totals, self._view.seat
            judge_by_match(results, totals, seat, SCORES, first=first, coming=self._coming)
        self.witness.note(first, results, noted)

    def _play(self, first: int, results: Floats, weights: Floats, noted: Words) -> None:
        with self._kept.lend() as kept:
            play_worlds(*self._arguments, kept, self._moves, self._seed, first, self.chained, results, noted)

    def chances(self, worlds: Words, scores: Floats) -> Floats:
        """How likely the match is won or shared in worlds of these numbers, with these scores (worlds, seats)."""
        assert self._view.totals is not None
        return chances(scores[:, None], self._view.totals, self._view.seat, worlds, self._coming)[:, 0]


def own_points(view: View | PickView) -> int:
    """The statistic that has the own points where the first one tells who wins the match."""
    return SCORES + view.players


def _coming(view: View | PickView) -> Floats | None:
    """What the rounds after this one may bring (`solver.hints.match.endings`)."""
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
        position = seats.deal(seed, number=number, players=players, variant="unpicked", deck=told["deck"])
        view = seats.view(position.model_copy(update={"rules": rules}), 0)
        return Rounds(deals(view), moves.legal_moves(view), seed + number)

    return whole_rounds(opening, SCORES, players)


def _rounds(view: View | PickView, made: Sequence[Move], seed: int) -> Rounds:
    dealt = deals(view)
    assert agrees(dealt, dealt.drawn(seed, 0))
    return Rounds(dealt, made, seed)


SAMPLER = Sampler[View | PickView, Move](
    game="king",
    method="sampled rounds",
    legal_moves=moves.legal_moves,
    text=moves.format_move,
    rollouts=_rounds,
    reason=reason,
    no_moves=lambda _view: "The round is over.",
    points=lambda view: own_points(view) if view.goes_by_match else None,
    because=because,
    policy=likely,
    ending=all_deals,
    model_error=model_error,
)
hint = SAMPLER.reply


def warm() -> None:
    """Compile or load every kernel, those that read the cards on the table too."""
    for variant in ("picked", "unpicked"):
        for worlds in (0, 1):
            hint(seats.view(seats.deal(0, variant=variant), 0), Control(), worlds=worlds)
    full = moves.as_known(seats.deal(0, variant="picked"))
    for _ in range(full.players):
        full = moves.as_known(moves.play(full, moves.legal_moves(full)[0]))
    hint(seats.view(full, full.seat_to_move), Control(), worlds=1)
    while len(full.hands[full.seat_to_move]) > 2 or full.trick:
        full = moves.as_known(moves.play(full, moves.legal_moves(full)[0]))
    hint(seats.view(full, full.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))
