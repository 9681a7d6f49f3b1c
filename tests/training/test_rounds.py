"""Rounds among hints are kept, and a run goes on where another ended."""

from __future__ import annotations

from pathlib import Path

from solver.games.kirin import GAME
from solver.games.kirin.position import KnownPosition
from solver.positions import AnyPosition
from training.rounds import kept, to_end


def test_rounds_are_kept_and_a_run_goes_on(tmp_path: Path) -> None:
    played = []

    def play(number: int) -> AnyPosition:
        played.append(number)
        return to_end(GAME, GAME.deal(3, number=number), GAME.hint, 4, 1000 * number)

    path = tmp_path / "some" / "rounds.jsonl"
    some, more = list(kept(path, 1, play)), list(kept(path, 2, play))
    assert played == [0, 1]
    assert more[0] == some[0] != more[1]
    assert all(isinstance(position, KnownPosition) and position.state.over for position in more)
