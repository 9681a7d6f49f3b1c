"""What a hint says before any deal is tried, the same in all games: how likely each move is."""

from __future__ import annotations

from typing import Any

import pytest

from solver.answers import PolicyHint
from solver.game import Game
from solver.limits import Control, Limit, Progress


def at_once(game: Game, view: Any) -> PolicyHint:
    answer = game.hint(view, Control(), worlds=0)
    assert isinstance(answer, PolicyHint)
    return answer


def check_chances(game: Game, view: Any) -> None:
    """Every legal move has its chance, the likeliest first, and the answer is the same when it is asked again."""
    answer = at_once(game, view)
    legal = [game.format_move(view, move) for move in game.legal_moves(view)]
    assert sorted(move.move for move in answer.moves) == sorted(legal)
    told = [move.chance for move in answer.moves]
    assert told == sorted(told, reverse=True)
    assert sum(told) == pytest.approx(1, abs=1e-5)
    assert (answer.best, answer.method, answer.worlds) == (answer.moves[0].move, "policy", 0)
    assert at_once(game, view).moves == answer.moves


def check_told_first(game: Game, view: Any) -> None:
    """Who watches a hint is told the likeliest move first."""
    told: list[Progress] = []
    game.hint(view, Control(Limit(nodes=50), progress=told.append))
    assert (told[0].stage, told[0].nodes, told[0].best) == ("policy", 0, at_once(game, view).best)
