"""The hint in a small ending: the best reply over all deals that are left (`expectation`), where there is time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.common.control import Control
from solver.games.kirin.fast_rules.order import INNER
from solver.games.kirin.hints.deals import deals
from solver.games.kirin.hints.endings.expectation import (
    best_replies,
    lay_deals,
    new_deals,
    new_lines,
)
from solver.games.kirin.hints.endings.others import MOST_CARDS
from solver.games.kirin.hints.players import KINDS
from solver.games.kirin.hints.rollouts import STATISTICS
from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.known import View
from solver.hints.endings.replies import steps_allowed
from solver.hints.kept import new_kept
from solver.hints.paired import Whole

_MOST_DEALS = 50_000  # which take some 30 MB; with two cards in the hand there are no more
_STEPS = {1: 10, 2: 100, 3: 600}  # that a deal takes, usually or at most, by the cards in the hand
_A_SECOND = 20_000_000  # steps; half of what is usual


def all_deals(
    view: View | DeclareView, cards: Sequence[int], control: Control, worlds: int | None, *, by_rules: bool = False
) -> Whole | None:
    """The statistics of each card over all deals; None where these are too many, or `worlds` is less.

    A step is a node: one deal followed by one card. With `by_rules` nobody else looks ahead.
    """
    if isinstance(view, DeclareView) or view.goes_by_match or len(view.hand) > MOST_CARDS or len(cards) < 2:
        return None
    found = deals(view)
    steps = steps_allowed(control, _A_SECOND)
    if found.total > min(_MOST_DEALS, worlds or _MOST_DEALS) or found.total * _STEPS[len(view.hand)] > steps:
        return None
    setting = found.by_rules if by_rules else found.setting
    laid, results = new_deals(found.total), np.zeros((len(cards), STATISTICS))
    lay_deals(setting, new_kept(KINDS), laid)
    moves = np.array([INNER[card] for card in cards], np.int64)
    control.nodes += best_replies(setting, moves, laid, new_lines(found.total), steps, results)
    return Whole(found.total, results) if results[:, 0].min() >= 0 else None
