"""`hint` for kirin: which card to play, or to set aside, when the other hands are hidden.

Worlds are drawn from the deals that agree with the view (`deals`), each weighted by how likely the others would
have set aside and played what they did (`likelihood`); in each, every legal card is played, and the round is
finished by plausible players (`policy`, `rollouts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.common.control import Control, Limit
from solver.games.kirin.cards.deck import name
from solver.games.kirin.cards.readings import extra_points
from solver.games.kirin.cards.rules import SEATS
from solver.games.kirin.fast_rules.order import INNER
from solver.games.kirin.hints.calibrated import model_error
from solver.games.kirin.hints.causes import because
from solver.games.kirin.hints.deals import Deals, agrees, deals
from solver.games.kirin.hints.endings.replies import all_deals
from solver.games.kirin.hints.learned.alone import chances
from solver.games.kirin.hints.players import KINDS
from solver.games.kirin.hints.reasons import reason
from solver.games.kirin.hints.rollouts import ALL_STATISTICS, SCORES, STATISTICS, play_worlds
from solver.games.kirin.positions import moves
from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.known import KnownPosition, View
from solver.hints.causes import Witness
from solver.hints.kept import Lending
from solver.hints.match import endings, judge_by_match, whole_rounds
from solver.hints.sampled import Sampler
from solver.kernels.arrays import Floats
from solver.protocol.answers import AnySampledHint, PolicyHint

_A_SMALL_ENDING = 30_000  # nodes are enough to work one out
_TO_A_SMALL_ENDING = 6 * SEATS + SEATS - 1  # cards played: who then plays last has two left


class Rounds:
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`): rounds ended by plausible players.

    Where hints go by the match the first statistic is how likely it is won or shared, in place of the points,
    which then are the last one (`OWN_POINTS`).
    """

    def __init__(
        self, dealt: Deals, cards: Sequence[int], seed: int, *, infer: bool = True, by_rules: bool = False
    ) -> None:
        self.moves = len(cards)
        self.chained = infer and isinstance(dealt.view, View)
        self._setting = dealt.by_rules if by_rules else dealt.setting
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
    """What so many rounds after this one may bring (`solver.hints.match.endings`)."""
    return endings(_whole_rounds(), following) if following else None


@lru_cache(maxsize=1)
def _whole_rounds() -> Floats:
    return whole_rounds(_opening, SCORES, SEATS)


def _opening(number: int, seed: int) -> Rounds:
    view = moves.view(moves.deal(seed, number=number, variant="undeclared"), 0)
    return Rounds(deals(view), moves.legal_moves(view), seed + number)


def _rounds(view: View | DeclareView, cards: Sequence[int], seed: int) -> Rounds:
    dealt = deals(view)
    assert agrees(dealt, seed % dealt.total)
    return Rounds(dealt, cards, seed)


def _policy(view: View | DeclareView, cards: Sequence[int]) -> list[float]:
    found = chances(deals(view).setting)
    return [found[INNER[card]] for card in cards]


OWN_POINTS = ALL_STATISTICS

SAMPLER = Sampler[View | DeclareView, int](
    game="kirin",
    method="sampled rounds",
    legal_moves=moves.legal_moves,
    text=lambda _view, card: name(card),
    rollouts=_rounds,
    reason=reason,
    no_moves=lambda _view: "The round is over.",
    points=lambda view: OWN_POINTS if view.goes_by_match else None,
    because=because,
    policy=_policy,
    ending=all_deals,
    model_error=model_error,
)


def hint(
    view: View | DeclareView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> AnySampledHint:
    """As `solver.hints.sampled.Sampler.reply`; by the option the card set aside counts in every mean."""
    found = SAMPLER.reply(view, control, worlds=worlds, seed=seed, threads=threads)
    extra = extra_points(view.rules)
    if not extra or isinstance(found, PolicyHint):
        return found
    key = "points" if view.goes_by_match else "mean"
    moves = tuple(move.model_copy(update={key: getattr(move, key) + extra}) for move in found.moves)
    return found.model_copy(update={"moves": moves})


def warm() -> None:
    """Compile or load every kernel."""
    for variant in ("declared", "undeclared"):
        view = moves.view(moves.deal(0, variant=variant), 0)
        hint(view, Control(), worlds=1)
    hint(view, Control(), worlds=0)
    late = moves.deal(0, variant="declared")
    for _ in range(_TO_A_SMALL_ENDING):
        late = moves.play(late, moves.legal_moves(late)[0])
    assert isinstance(late, KnownPosition)
    hint(moves.view(late, late.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))
