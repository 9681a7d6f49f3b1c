"""Hints in small endings: the best reply over all deals that are left, against the same worked out plainly."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from solver.answers import SampledHint
from solver.games.king import GAME, hint
from solver.games.king.hint import ending_of, follow_lines
from solver.games.king.position import View
from solver.games.king.worlds import SCORE, STATISTICS, TOOK, TRICK_POINTS, deals
from solver.hints.endings import GIVEN_UP, RUNNING, STEPS, best_replies, new_lines
from solver.hints.ranking import Whole
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.king.data import FOLDER
from tests.games.king.hints.plain_endings import plain_values

_VIEWS = FOLDER.joinpath("endings.txt").read_text().splitlines()  # of one to three cards in the hand
_FUSING = -1  # in the last one it would help much to know the others' hands


@cache
def view_of(number: int) -> View:
    view = parse_position(_VIEWS[number])
    assert isinstance(view, View)
    return view


def worked_out(view: View, most: int = 10**9, control: Control | None = None) -> Whole | None:
    start = ending_of(deals(view), GAME.legal_moves(view))
    return best_replies(follow_lines, *start, control or Control(), most)


@pytest.mark.parametrize("number", range(len(_VIEWS) + _FUSING))
def test_each_move_brings_what_it_brings_by_the_plain_way(number: int) -> None:
    view = view_of(number)
    found = worked_out(view)
    assert found is not None
    assert found.worlds == deals(view).total
    plain = plain_values(view)
    assert dict(zip(plain, found.means[:, SCORE].tolist(), strict=True)) == pytest.approx(plain)


def test_no_strategies_are_fused() -> None:
    """Who might choose in each deal for itself would do better: it would know what nobody knows."""
    view = view_of(_FUSING)
    together = worked_out(view)
    assert together is not None
    game, start = ending_of(deals(view), GAME.legal_moves(view))
    apart = np.zeros((len(start.codes), STATISTICS))
    for particle, weight in zip(start.particles, start.weights / start.weights.sum(), strict=True):
        one = replace(start, particles=particle[None], weights=np.ones(1))
        alone = best_replies(follow_lines, game, one, Control(), 10**9)
        assert alone is not None
        apart += weight * alone.means
    gain = (apart - together.means)[:, SCORE]
    assert gain.min() > -1e-8
    assert gain.max() > 0.5


def test_it_goes_on_where_it_stopped() -> None:
    view = view_of(0)
    whole = worked_out(view)
    assert whole is not None
    game, start = ending_of(deals(view), GAME.legal_moves(view))
    lines = new_lines(start, 10**9)
    calls = 1
    while follow_lines(game, lines, 5) == RUNNING:
        calls += 1
    assert calls > lines.clock[STEPS] / 40
    assert lines.results == pytest.approx(whole.means, abs=1e-8)


def test_it_gives_up_after_so_many_steps() -> None:
    view, control = view_of(0), Control()
    assert worked_out(view, control=control) is not None
    assert worked_out(view, control.nodes) is not None
    assert worked_out(view, control.nodes - 1) is None
    game, start = ending_of(deals(view), GAME.legal_moves(view))
    assert follow_lines(game, new_lines(replace(start, room=0), 10**9), 10**9) == GIVEN_UP


def test_a_hint_is_the_best_reply_where_its_limit_allows() -> None:
    view = view_of(0)
    found, moves = worked_out(view), GAME.legal_moves(view)
    answer = hint.hint(view, Control(Limit(nodes=10**5)))
    assert isinstance(answer, SampledHint)
    assert found is not None
    assert (answer.method, answer.worlds) == ("all deals", found.worlds)
    scores = {move.move: move.mean for move in answer.moves}
    assert [scores[GAME.format_move(view, move)] for move in moves] == pytest.approx(found.means[:, SCORE])
    assert {move.stderr for move in answer.moves} == {0.0}
    assert "sampled" not in answer.reason
    assert hint.hint(view, Control(Limit(nodes=20))).method == "sampled rounds"
    assert hint.hint(view, Control(), worlds=found.worlds - 1).method == "sampled rounds"


@pytest.mark.parametrize("number", [12, 13])
def test_what_is_told_of_the_trick_is_so_in_sampled_rounds(number: int) -> None:
    """Where the trick is shared out: later choices change nothing of it."""
    view = view_of(number)
    assert view.trick_is_full
    moves = GAME.legal_moves(view)
    found = worked_out(view)
    assert found is not None
    results = np.empty((200, len(moves), STATISTICS))
    hint.SAMPLERS["equal"].rollouts(view, moves, 1).play(0, results, np.ones(200))
    for statistic in (TOOK, TRICK_POINTS):
        assert found.means[:, statistic] == pytest.approx(results.mean(axis=0)[:, statistic])
