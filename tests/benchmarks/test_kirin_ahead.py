"""Cards of kirin judged by networks in sampled worlds: the parts of a score that are known without them."""

from __future__ import annotations

import numpy as np
import pytest

import benchmarks.kirin_ahead as ahead
from benchmarks.kirin_ahead import Ahead
from solver.games.kirin import GAME
from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.hint import Rounds
from solver.games.kirin.learned import SEAT_INPUTS
from solver.games.kirin.position import View
from solver.games.kirin.rollouts import SCORE, STATISTICS, TRICK_POINTS
from solver.games.kirin.worlds import POINTS, deals
from solver.hints.network import Network
from solver.kernels.arrays import Floats
from tests.games.kirin.hints.views import played, seen_by
from tests.support.marks import in_python
from training.kirin.full_inputs import FULL_INPUTS
from training.kirin.playing import players

pytestmark = [pytest.mark.small, in_python]
WORLDS = 2
EXPECTED = 0.5


def _always(inputs: int, outputs: int, answer: float) -> Network:
    """A network that gives the same whatever it sees."""
    first, second, third = (np.zeros(shape, np.float32) for shape in ((inputs, 1), (1, 1), (1, outputs)))
    return Network(
        first,
        np.zeros(1, np.float32),
        second,
        np.zeros(1, np.float32),
        third,
        np.full(outputs, answer, np.float32),
    )


@pytest.fixture(autouse=True)
def _players(monkeypatch: pytest.MonkeyPatch) -> None:
    """The critic always expects the same; the learned player plays as the plausible one at its best."""
    found = players(_always(SEAT_INPUTS, CARDS, 0.0), _always(FULL_INPUTS, 4, EXPECTED), 1.0)
    monkeypatch.setattr(ahead, "_players", lambda: found)


def _view(seed: int, cards: int) -> View:
    position = played(seed, cards)
    return seen_by(position, position.seat_to_move)


def _played(rounds: Rounds) -> Floats:
    results = np.zeros((WORLDS, rounds.moves, STATISTICS))
    rounds.play(0, results, np.ones(WORLDS))
    return results


def test_until_the_next_choice_only_this_trick_brings_points() -> None:
    view = _view(3, 22)
    legal = GAME.legal_moves(view)
    usual = _played(Rounds(deals(view), legal, 5, by_rules=True))
    by_rules = _played(Ahead(view, legal, 5, (1, 0, 0)))
    assert (by_rules[..., SCORE] == usual[..., SCORE]).all()
    # The first world is the same whatever was played in it.
    trick = deals(view).question[POINTS] + usual[0, :, TRICK_POINTS] + EXPECTED
    by_critic = _played(Ahead(view, legal, 5, (0, 1, 0)))
    assert (by_critic[0, :, SCORE] == trick).all()
    half = _played(Ahead(view, legal, 5, (0.5, 0.5, 0)))
    assert np.allclose(half[0, :, SCORE], (usual[0, :, SCORE] + trick) / 2)


def test_with_a_card_left_all_ways_agree() -> None:
    view = _view(4, 29)
    legal = GAME.legal_moves(view)
    by_rules, by_critic, by_network = (
        _played(Ahead(view, legal, 5, shares))[0, :, SCORE].tolist()
        for shares in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    )
    assert by_rules == by_critic == by_network
