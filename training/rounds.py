"""Rounds that hints play among themselves, kept in a file, so that a run goes on where another ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.rows import done
from solver.game import Game
from solver.limits import Control, Limit
from solver.positions import AnyPosition, parse_position, position_data


def to_end(game: Game, position: Any, hint: Callable[..., Any], nodes: int, seed: int) -> AnyPosition:
    """A round played on by hints of so many games a move to its end; `seed` is that of the first."""
    while legal := game.legal_moves(position):
        move = legal[0]
        if len(legal) > 1:
            view = game.view(position, position.seat_to_move)
            move = game.parse_move(view, str(hint(view, Control(Limit(nodes=nodes)), seed=seed).best))
        position = game.play(position, move)
        seed += 1
    found: AnyPosition = position
    return found


def kept(path: Path, rounds: int, play: Callable[[int], AnyPosition]) -> Iterator[AnyPosition]:
    """So many rounds at their ends: those in the file, and what is missing there, which is played and added."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return map(parse_position, done(path, {}, "round", range(rounds), lambda number: position_data(play(number))))
