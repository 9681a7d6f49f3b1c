"""What is behind the lead of a move, on positions made for it: the trick, the hand, who can follow."""

from __future__ import annotations

import numpy as np
import pytest

import athanor
from solver.games.aqua_regia.moves import legal_moves
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rollouts import Games
from solver.positions import parse_position

OUT = "aqua-regia seat=0 hand=Sn,Sn counts=2,3,2 field=acid turn=0 table=Fe owner=2 stock_count=6"
SET = "aqua-regia seat=0 hand=Zn,Zn,Cu,Pt counts=4,5,4 field=acid turn=0 table=Al owner=2 stock_count=9"
STRONG = "aqua-regia seat=0 hand=Sn,Sn,Cu,Ag counts=4,3,4 field=acid turn=0 stock_count=6"
FOLLOWS = "aqua-regia seat=0 hand=Zn,Cu,Fe counts=3,3,2 field=vapor turn=0 stock_count=6"
# Seat 2 has one card left.
DENIES = "aqua-regia seat=0 hand=Fe,Cu,Pt counts=3,5,1 field=vapor turn=0 table=Al owner=2 stock_count=6"

KEEPS = (
    "aqua-regia players=3 seat=2 hand=K,K,Mg,Zn,Zn,Sn,Sn,Cu history="
    "0:Li/1:Na,Na/2:pass/0:pass/1:K/2:Fe/0:pass/1:pass:Li:Na/2:Ag/0:pass:Na:Fe/1:pass:Li:Na/2:Pb/"
    "0:pass:Cu:Ag/1:pass:Na:Cu"
)
SHEDS = (
    "aqua-regia players=3 seat=1 hand=Al,Al,Ni,Ni,Ni,Sn,Au history="
    "0:Na,Na/1:pass/2:pass/0:K/1:Al/2:pass:Li:Na/0:pass:Ca:Na/1:Na/2:Ag/0:pass/1:pass:K:Al/2:Al/"
    "0:pass:Fe:Ag/1:Ni/2:Cu/0:pass:Li:Fe/1:pass/2:Na/0:pass/1:pass:Al:Ni/2:Fe/0:pass/1:pass:Mg:Al/"
    "2:Pb/0:pass:Ca:Na/1:Hg/2:pass/0:pass:Pb:Cu/1:Mg/2:Hg/0:Ag/1:Pt/2:pass/0:pass:Fe:Pb/1:Ca/2:Mg/"
    "0:pass/1:pass:Na:Al/2:Mg/0:pass/1:pass:Li:Pt/2:Ag/0:pass/1:pass:Ca:Na/2:Ni/0:pass:Al:Hg/1:Pt/"
    "2:pass/0:pass/1:Na/2:pass/0:pass:Sn:Ag/1:Zn,Zn/2:pass:K:Ni/0:pass"
)


@pytest.mark.parametrize(
    ("view", "codes", "words"),
    [
        (OUT, ["goes_out"], "Sn Sn goes out and wins."),
        (SET, ["keeps_together"], "Cu keeps 2 Zn to play together."),
        (STRONG, ["close"], "Cu or Sn Sn: too close to call"),
        (FOLLOWS, ["seat_can_follow"], "is worse mainly because seat 1 can follow it in 1"),
        (KEEPS, ["takes_and_keeps"], "Mg wins this trick in every game, K in 2"),
        (SHEDS, ["takes_and_sheds"], "leaves fewer cards in hand than Ni Ni: 4, not 5."),
        (DENIES, ["takes_trick", "seat_goes_out"], "Seat 2 goes out first in 3"),
    ],
)
def test_the_causes_of_a_lead(view: str, codes: list[str], words: str) -> None:
    found = athanor.hint(view, nodes=12_000, others="club")
    assert [cause.code for cause in found.causes] == codes, found.reason
    assert words in found.reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(DENIES)
    assert isinstance(view, View)
    moves = legal_moves(view)
    games = Games(view, moves, 1, "club")
    noted: list[tuple[np.ndarray, np.ndarray]] = []
    monkeypatch.setattr(games.witness, "note", lambda _first, results, words: noted.append((results, words)))
    results = np.empty((4, len(moves), games.statistics))
    games.play(0, results, np.ones(4))
    size = view.metals.size
    assert noted[0][0] is results
    for row in noted[0][1]:
        hands = row[: 3 * size].reshape(3, size)
        assert hands.sum(axis=1).tolist() == [3, 5, 1]
        assert hands[0].tolist() == list(view.metals.counts(view.metals.numbers(view.hand)))
        assert set(row[3 * size :].tolist()) <= {0, 1, 2}
