"""Rounds that hints play against each other, kept in a file, so that a run continues an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.players import done
from solver.answers import AnyPosition
from solver.game import Game
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data


def to_end(game: Game, position: Any, hint: Callable[..., Any], nodes: int, seed: int) -> AnyPosition:
    """A position played to the end of its round by hints of `nodes` games each; `seed` is the first hint's."""
    while legal := game.legal_moves(position):
        move = legal[0]
        if len(legal) > 1:
            view = game.view(position, position.seat_to_move)
            move = game.parse_move(view, str(hint(view, Control(Limit(nodes=nodes)), seed=seed).best))
        position = game.play(position, move)
        seed += 1
    ended: AnyPosition = position
    return ended


def kept(path: Path, rounds: int, play: Callable[[int], AnyPosition]) -> Iterator[AnyPosition]:
    """This many finished rounds: those in the file, and missing ones, which are played and appended to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return map(parse_position, done(path, {}, "round", range(rounds), lambda number: position_data(play(number))))
