"""What every game's hints are held to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from solver.answers import Hint, SampledHint
from solver.game import Game
from solver.limits import Control, Limit
from tests.support.search_checks import cancelled, text_of
from tests.support.timing import LATE


def check_deadlines(hint: Callable[[Any, Control], Hint], views: Sequence[Any]) -> None:
    """A deadline is kept, but for what a busy machine takes, and there is always an answer."""
    for view in views:
        for seconds in (0.001, 0.05, 0.2):
            begin = time.monotonic()
            assert hint(view, Control(Limit(seconds=seconds))).worlds > 0
            assert time.monotonic() - begin < seconds + LATE
    assert hint(views[0], cancelled(Limit(seconds=30))).worlds > 0


def check_ranking(game: Game, view: Any, answer: SampledHint, worlds: int) -> None:
    """The answer is a ranking of the legal moves by so many worlds."""
    legal = [game.format_move(view, move) for move in game.legal_moves(view)]
    assert sorted(move.move for move in answer.moves) == sorted(legal)
    assert answer.best == answer.moves[0].move
    means = [move.mean for move in answer.moves]
    assert means == sorted(means, reverse=True)
    assert (answer.worlds, answer.nodes, answer.exact) == (worlds, worlds * len(legal), False)
    assert answer.to_move == view.seat
    assert answer.reason.endswith(".")
    for move in answer.moves:
        assert move.gap == pytest.approx(means[0] - move.mean)
        assert (move.stderr is None) == (worlds == 1)
        assert move.stderr is None or move.stderr >= 0


def check_same(ask: Callable[..., SampledHint], views: Sequence[Any], nodes: int) -> None:
    """The same seed and nodes give the same answer on any number of threads, and another seed another one."""
    for view in views:
        limit = Limit(nodes=nodes)
        answers = [text_of(ask(view, limit, seed=9, threads=threads)) for threads in (1, 1, 2, 3)]
        assert len(set(answers)) == 1
        assert text_of(ask(view, limit, seed=10)) != answers[0]
