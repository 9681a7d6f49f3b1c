"""The hint in a small ending: the best reply over all deals that are left, where there is time for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.common.control import Control
from solver.common.masks import members
from solver.games.king.cards.rules import Move
from solver.games.king.fast_rules.round_kernel import MOST_MOVES, NOBODY, TAKES
from solver.games.king.hints.deal_kernel import GONE, HAND
from solver.games.king.hints.deals import Deals, deals
from solver.games.king.hints.endings.rules import (
    GRAIN,
    Ending,
    follow_lines,
    lay_deals,
    new_ending,
    public_words,
)
from solver.games.king.hints.evidence import evidence_of
from solver.games.king.hints.likelihood import new_work
from solver.games.king.hints.rollouts import STATISTICS
from solver.games.king.players.policy import KINDS, new_room
from solver.games.king.players.setting import move_words, setting
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints.endings.lines import Start
from solver.hints.endings.replies import best_replies, steps_allowed
from solver.hints.kept import new_kept
from solver.hints.paired import Whole

_MOST_DEALS = 20_000
_STEPS = {  # that a deal takes, about, by the players and the cards in the hand
    3: {1: 8, 2: 30, 3: 400, 4: 6000, 5: 60_000},
    4: {1: 15, 2: 100, 3: 2000},
    5: {1: 80, 2: 200, 3: 1500},
}
_A_SECOND = 1_500_000  # steps; less than is usual


def all_deals(view: View | PickView, made: Sequence[Move], control: Control, worlds: int | None) -> Whole | None:
    """The statistics of each move over all deals; None where these are too many, or `worlds` is less.

    A step is a node: one deal followed by one play, or by one way to share out a trick.
    """
    if (
        isinstance(view, PickView)
        or view.goes_by_match
        or len(made) < 2
        or len(view.hand) not in _STEPS[view.players]
    ):
        return None
    found = deals(view)
    steps = steps_allowed(control, _A_SECOND)
    if found.worlds is None or found.total > min(_MOST_DEALS, worlds or _MOST_DEALS):
        return None
    if found.total * _STEPS[view.players][len(view.hand)] > steps:
        return None
    ending, start = ending_of(found, made)
    return best_replies(follow_lines, ending, start, control, steps)


def ending_of(found: Deals, made: Sequence[Move]) -> tuple[Ending, Start]:
    """All deals of a view, weighted, as kernels follow them."""
    view, question = found.view, found.question
    current = setting(view)
    room, weights = new_room(), np.zeros(found.total)
    ending = new_ending(question, current, found.total, room)
    work = new_work(np.zeros(view.players, np.int64), room, new_kept(KINDS))
    lay_deals(question, evidence_of(view, current), work, ending.hands, ending.shares, weights)
    particles = np.arange(found.total).reshape(-1, GRAIN)
    left = view.players * (len(view.hand) + 1)  # plays, and takings
    start = Start(
        public=public_words(question, current, int(question.words[GONE]), int(question.words[HAND])),
        codes=[_code(view, move) for move in made],
        particles=particles,
        weights=weights,
        numbers=STATISTICS,
        children=MOST_MOVES,
        depths=left + len(view.hand) + 2,
        room=found.total * left * (1 + len(view.hand)),
    )
    return ending, start


def _code(view: View | PickView, move: Move) -> int:
    """The code of an own move, as `rules.own_choices` writes it."""
    first, given = move_words(view, move)
    if len(view.trick) < view.players:  # type: ignore[union-attr]
        return first
    one, two = (*members(first), NOBODY, NOBODY)[:2]
    return TAKES | one << 8 | two << 14 | (NOBODY if given < 0 else given) << 20
