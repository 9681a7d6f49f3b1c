"""What is behind the lead of a move, on positions made for it: who can follow, and who goes out less often."""

from __future__ import annotations

import numpy as np
import pytest

import athanor
from solver.games.aqua_regia.hints.games import Games
from solver.games.aqua_regia.positions.known import View
from solver.games.aqua_regia.positions.moves import legal_moves
from solver.positions import parse_position

FOLLOWS = "aqua-regia seat=0 hand=Ni,Ag,Au counts=3,2,1 field=acid turn=0 stock_count=6"
# Seat 2 has one card left.
DENIES = "aqua-regia seat=0 hand=Fe,Cu,Pt counts=3,5,1 field=vapor turn=0 table=Al owner=2 stock_count=6"


@pytest.mark.parametrize(
    ("view", "cause"),
    [
        (FOLLOWS, "seat 2 may be unable to follow Ni: the lead is 38% in the 71%"),
        (DENIES, "seat 2 goes out first in 28% of the games after Fe, in 70% after pass"),
    ],
)
def test_the_cause_of_a_lead(view: str, cause: str) -> None:
    assert f"This is because {cause}" in athanor.hint(view, nodes=12_000).reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(DENIES)
    assert isinstance(view, View)
    moves = legal_moves(view)
    games = Games(view, moves, 1)
    noted: list[np.ndarray] = []
    monkeypatch.setattr(games.witness, "note", lambda _first, _results, words: noted.append(words))
    results = np.empty((4, len(moves), games.statistics))
    games.play(0, results, np.ones(4))
    size = view.metals.size
    for row, scores in zip(noted[0], results[:, :, 0], strict=True):
        hands = row[: 3 * size].reshape(3, size)
        assert hands.sum(axis=1).tolist() == [3, 5, 1]
        assert hands[0].tolist() == list(view.metals.counts(view.metals.numbers(view.hand)))
        assert ((row[3 * size :] == view.seat) == (scores == 1)).all()
