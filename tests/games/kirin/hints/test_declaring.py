"""What is behind the lead of a card that is set aside, on hands made for it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import athanor
from solver.games.kirin.deck import colour, of_colour
from solver.games.kirin.fast_rules import to_inner
from solver.games.kirin.hint import Rounds
from solver.games.kirin.position import DeclareView, numbers
from solver.games.kirin.worlds import DIRECTION_BIT, deals
from solver.positions import parse_position

TRUMP = "kirin seat=0 hand=D1,D4,D5,S+,S-,B2,B4,G1,GT leader=0"
LONG = "kirin seat=0 hand=S3,S6,S-,B5,G1,G2,G5,GT,G+ leader=0"
OTHERS = "kirin seat=0 hand=DT,D+,S5,S6,B4,G1,G6,G+,G- leader=0"
SHARED = "kirin seat=0 hand=D1,D3,D6,D-,S6,B5,BT,B+,G6 leader=0"
CONTESTED = "kirin seat=0 hand=DT,D+,S3,S5,ST,B2,B6,G1,G3 leader=0"


@pytest.mark.parametrize(
    ("view", "codes", "words"),
    [
        (TRUMP, ["kept_in_hand"], "Kept in the hand, GT wins a trick in over 99% of deals, G1 in "),
        (LONG, ["kept_in_hand", "own_cards"], " points come from the cards in hand"),
        (OTHERS, ["others_cards"], " come from the other players' cards"),
        (CONTESTED, ["colour_shared", "others_cards"], "With S3 set aside, another seat also collects S in "),
    ],
)
def test_the_causes_of_a_lead(view: str, codes: list[str], words: str) -> None:
    found = athanor.hint(view, nodes=9000)
    assert [cause.code for cause in found.causes] == codes, found.reason
    assert words in found.reason


def test_no_cause_without_a_lead() -> None:
    found = athanor.hint("kirin seat=0 hand=D3,D4,DT,S4,S-,G3,G6,GT,G+ leader=0", nodes=9000)
    assert (found.sure, [cause.code for cause in found.causes]) == ("close", ["close"])
    assert found.reason == "G3 or D3: too close to call (about 4 points)."


def test_in_the_last_round_reasons_are_chances() -> None:
    found = athanor.hint(f"{SHARED} totals=5,5,5,5 round=3", nodes=20000)
    assert found.sure == "clear"
    assert "points" not in found.reason


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
            won &= (1 << DIRECTION_BIT) - 1
            assert (won & to_inner(of_colour(colour(card)))).bit_count() == points
            assert won & to_inner(1 << card) == 0
            assert won.bit_count() % 4 == 0
    assert any(one[4:] != other[4:] for one, other in pairwise(noted[0].tolist()))
