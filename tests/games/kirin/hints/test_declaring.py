"""What is behind the lead of a card that is set aside, on hands made for it; and nothing where nothing shows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import athanor
from solver.games.kirin.deck import colour, of_colour
from solver.games.kirin.fast_rules import to_inner
from solver.games.kirin.hint import Rounds
from solver.games.kirin.position import DeclareView, numbers
from solver.games.kirin.worlds import deals
from solver.positions import parse_position

TRUMP = "kirin seat=0 hand=D1,D4,D5,S+,S-,B2,B4,G1,GT leader=0"
LONG = "kirin seat=0 hand=S3,S6,S-,B5,G1,G2,G5,GT,G+ leader=0"
OTHERS = "kirin seat=0 hand=DT,D+,S5,S6,B4,G1,G6,G+,G- leader=0"
SHARED = "kirin seat=0 hand=D1,D3,D6,D-,S6,B5,BT,B+,G6 leader=0"
# S4 leads by far, and no one thing is behind it.
MANY = "kirin seat=0 hand=D2,D6,S1,S2,S4,ST,B4,G3,G6 leader=0"


@pytest.mark.parametrize(
    ("view", "causes"),
    [
        (TRUMP, ["GT, the only trump, is won in more than 99% of the deals after G1, and G1 is won in "]),
        (LONG, ["of the 4 cards G1 G2 G5 GT are won and after B5 no other B is in the hand: that makes "]),
        (OTHERS, ["of the others' D cards are won and after S5 ", "and all else 0."]),
        (SHARED, ["another seat may collect D: the lead is ", " B+, of the same colour, brings "]),
    ],
)
def test_the_cause_of_a_lead(view: str, causes: list[str]) -> None:
    reason = athanor.hint(view, nodes=9000).reason
    assert "This is because " in reason
    assert all(cause in reason for cause in causes), reason


def test_nothing_is_said_where_nothing_shows() -> None:
    found = athanor.hint(MANY, nodes=9000)
    assert found.best == "S4"
    assert found.reason.endswith("less.")
    assert "because" not in found.reason


def test_no_cause_without_a_lead() -> None:
    found = athanor.hint("kirin seat=0 hand=D3,D4,DT,S4,S-,G3,G6,GT,G+ leader=0", nodes=9000)
    assert "can't be told apart" in found.reason
    assert "because" not in found.reason


def test_in_the_last_round_causes_are_told_in_chances() -> None:
    found = athanor.hint(f"{SHARED} totals=5,5,5,5 round=3", nodes=20000)
    assert "because" in found.reason
    assert "points" not in found.reason.split("because")[1]


def test_the_cards_won_that_are_noted_make_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(SHARED)
    assert isinstance(view, DeclareView)
    cards = numbers(view.hand)
    rounds = Rounds(deals(view), cards, 1)
    noted: list[np.ndarray] = []
    monkeypatch.setattr(rounds.witness, "note", lambda _first, _results, words: noted.append(words))
    results = np.empty((20, len(cards), rounds.statistics))
    rounds.play(0, results, np.ones(20))
    for row, words in zip(results[:, :, 0].tolist(), noted[0].tolist(), strict=True):
        for points, won, card in zip(row, words[4:], cards, strict=True):
            assert (won & to_inner(of_colour(colour(card)))).bit_count() == points
            assert won & to_inner(1 << card) == 0
            assert won.bit_count() % 4 == 0
    assert any(one[4:] != other[4:] for one, other in pairwise(noted[0].tolist()))
