"""What hints say is set against what the seat that followed them has scored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks.arena import play_deal
from benchmarks.arena_kirin import KirinContest
from benchmarks.arena_players import named
from benchmarks.calibration import deal_errors
from solver.common.control import Limit
from solver.games.kirin import GAME
from solver.protocol.game import Game


class Says:
    """Kirin with a hint that says 2 points and the first legal card."""

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def hint(self, view: Any, _control: object, seed: int) -> Any:
        best = GAME.format_move(view, GAME.legal_moves(view)[0])
        return SimpleNamespace(best=best, moves=[SimpleNamespace(mean=2.0)])


class SayingContest(KirinContest):
    game = cast(Game, Says())


def test_errors_are_what_was_said_less_what_was_scored() -> None:
    contest = KirinContest()
    scores = []
    for seat in range(4):
        players = [named(contest, "greedy", 4 * 3 + place) for place in range(4)]
        players[seat] = lambda view: GAME.legal_moves(view)[0]
        scores.append(play_deal(contest, players, 1, 3)[seat])
    errors = deal_errors(SayingContest(), "greedy", Limit(nodes=1), 1, 3)
    assert len(set(scores)) > 1
    assert errors[9] == pytest.approx(2.0 - sum(scores) / 4)  # every seat chooses which of nine cards to set aside
    assert set(errors) <= set(range(2, 10))
