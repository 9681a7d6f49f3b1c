"""Endings of Aqua Regia worked out: never worse than the games that the hint samples of them."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks import aqua_regia
from solver.games.aqua_regia import GAME, hint
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rules import Pass, Play
from solver.limits import Control
from tests.games.aqua_regia.hints.plain_endings import every_world, plain_values, tables
from tests.reference.endings import TooLargeError


@pytest.mark.parametrize("players", [2, 3])
def test_no_sampled_move_does_better_than_the_best_play_on(players: int) -> None:
    alike = 0
    for position in islice(tables(4, players), 12):
        seat = position.seat_to_move
        worlds = every_world(position, seat)
        assert sum(world.weight for world in worlds) == pytest.approx(1)
        assert any(world.state == position.state for world in worlds)
        view = GAME.view(position, seat)
        assert isinstance(view, View)
        try:
            exact = plain_values(position, 20_000)
        except TooLargeError:
            continue
        assert set(exact) == set(GAME.legal_moves(view))
        answer = hint.SAMPLERS["club"].hint(view, Control(), worlds=400, seed=3)
        for entry in answer.moves:
            move = GAME.parse_move(view, entry.move)
            assert isinstance(move, Play | Pass)
            assert entry.stderr is not None
            assert entry.mean <= exact[move] + 5 * max(entry.stderr, 0.01)
            alike += abs(entry.mean - exact[move]) <= 5 * max(entry.stderr, 0.01)
            assert 0 <= exact[move] <= 1 + 1e-9
    assert alike > 10


def test_an_ending_may_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    position = next(tables(4, 2))
    view = GAME.view(position, position.seat_to_move)
    assert isinstance(view, View)
    with pytest.raises(TooLargeError):
        plain_values(position, 1)
    monkeypatch.setattr(aqua_regia, "_MOST_STEPS", 1)
    assert aqua_regia.AquaContest(2).ending_values(view) is None
