"""What is learned of hints of Kirin: the plays of rounds and the cards set aside."""

from __future__ import annotations

import numpy as np
import pytest

from solver.common import Random
from solver.games.kirin import GAME
from solver.games.kirin.players import ahead
from solver.games.kirin.position import Round
from solver.hints.policy import to_chances
from tests.hints.first_answers import at_once
from tests.support.marks import in_python

pytest.importorskip("torch", reason="PyTorch is not installed")

from training import kirin

pytestmark = [pytest.mark.small, in_python]


def round_at_random(seed: int) -> tuple[Round, list[tuple[int, float]]]:
    """A round of random moves to its end, and of each play that had a choice the seat and how likely it was."""
    position, random, told = GAME.deal(seed, variant="undeclared"), Random(seed), []
    while moves := GAME.legal_moves(position):
        seat = position.seat_to_move  # type: ignore[attr-defined]
        view = GAME.view(position, seat)
        move = moves[random.below(len(moves))]
        if isinstance(position, Round) and len(moves) > 1:
            chances = {one.move: one.chance for one in at_once(GAME, view).moves}
            told.append((seat, chances[GAME.format_move(view, move)]))
        position = GAME.play(position, move)
    assert isinstance(position, Round)
    return position, told


def test_plays_are_told_as_hints_tell_them() -> None:
    position, told = round_at_random(3)
    choices, asides = kirin.watched(iter([position]))
    found = []
    for row in range(len(choices.counts)):
        count, context = int(choices.counts[row]), int(choices.contexts[row])
        values = np.array([_value(context, choices.shared[row], choices.own[row, move]) for move in range(count)])
        to_chances(count, values)
        found.append(values[choices.chosen[row]])
    by_seat = [chance for seat in range(4) for of, chance in told if of == seat]
    assert found == pytest.approx(by_seat, abs=1e-4)
    assert len(asides.chosen) == 4


def _value(context: int, shared: np.ndarray, own: np.ndarray) -> float:
    """What the network of the package makes of these inputs."""
    parts = {name: array.astype(np.float64).reshape(4, -1) for name, array in ahead().net._asdict().items()}
    sums = shared @ parts["shared"][context].reshape(len(shared), -1) + parts["bias"][context]
    hidden = np.maximum(sums + own @ parts["own"][context].reshape(len(own), -1), 0.0)
    return float(hidden @ parts["last"][context] + own @ parts["line"][context])
