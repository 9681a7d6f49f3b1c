"""What is behind the lead of a move, on positions made for it: who can follow, and who goes out less often."""

from __future__ import annotations

import numpy as np
import pytest

import athanor
from solver.games.aqua_regia.moves import legal_moves
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rollouts import Games
from solver.positions import parse_position

FOLLOWS = "aqua-regia seat=0 hand=Zn,Cu,Fe counts=3,3,2 field=vapor turn=0 stock_count=6"
# Seat 2 has one card left.
DENIES = "aqua-regia seat=0 hand=Fe,Cu,Pt counts=3,5,1 field=vapor turn=0 table=Al owner=2 stock_count=6"


@pytest.mark.parametrize(
    ("view", "cause"),
    [
        (FOLLOWS, "some seat may be able to follow Zn: the lead is 44% in the 24%"),
        (DENIES, "seat 2 goes out first in 30% of the games after Fe, in 67% after pass"),
    ],
)
def test_the_cause_of_a_lead(view: str, cause: str) -> None:
    assert f"This is because {cause}" in athanor.hint(view, nodes=12_000).reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(DENIES)
    assert isinstance(view, View)
    moves = legal_moves(view)
    games = Games(view, moves, 1)
    noted: list[tuple[np.ndarray, np.ndarray]] = []
    monkeypatch.setattr(games.witness, "note", lambda _first, won, words: noted.append((won, words)))
    results = np.empty((4, len(moves), games.statistics))
    games.play(0, results, np.ones(4))
    size = view.metals.size
    for won, row in zip(*noted[0], strict=True):
        hands = row[: 3 * size].reshape(3, size)
        assert hands.sum(axis=1).tolist() == [3, 5, 1]
        assert hands[0].tolist() == list(view.metals.counts(view.metals.numbers(view.hand)))
        assert ((row[3 * size :] == view.seat) == (won[:, 0] == 1)).all()
