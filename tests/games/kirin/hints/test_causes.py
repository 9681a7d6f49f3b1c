"""What is behind the lead of a card, on positions made for it: who beats it, who has to follow."""

from __future__ import annotations

import numpy as np
import pytest

import athanor
from solver.games.kirin.fast_rules import to_inner
from solver.games.kirin.hint import Rounds
from solver.games.kirin.position import View
from solver.games.kirin.worlds import DIRECTION_BIT, deals
from solver.positions import parse_position

BEATS = (
    "kirin seat=1 hand=S1,S3,S5 declared=D5 history=0:S6,DT,D+,G4/1:G6,B-,ST,B3/3:S2,GT,B1,B+/0:D6,BT,D-,D4/"
    "1:D1,S+,B2,D3"
)
NOBODY = (
    "kirin seat=1 hand=D1,B5 declared=D5 history=0:S5,DT,D-,B3/1:S2,GT,B-,G+/2:D4,B2,S6,ST/1:G6,BT,S-,D+/"
    "2:S3,D2,D6,G-/0:B4,G4,S1,G1 trick=3:S4,G2"
)
FOUR_LEFT = (
    "kirin seat=0 hand=S3,S-,B1,B2 declared=B4 history=0:S1,D-,D3,D2/2:GT,D5,G3,S2/2:G4,B+,D6,B-/2:ST,G+,G5,G- "
    "trick=2:S5,B5"
)
FOLLOWS = (
    "kirin seat=2 hand=D1,D4,S5,B3 declared=D3 history=0:D6,G1,S3,BT/3:G3,B+,B-,DT/2:G6,S+,B4,ST/1:G+,B6,S4,B1"
)
# Nobody plays after this seat.
LAST = (
    "kirin seat=3 hand=D2,D3,D-,B4,G+ declared=BT history=0:G1,D6,D4,S-/1:G5,S4,G2,DT/0:ST,B+,B-,G- "
    "trick=0:D+,GT,S+"
)
WINS = "kirin seat=3 hand=DT,G1,G2,G3,S1,S2,B1,B4 declared=D1 trick=0:D6,D5,D4"


@pytest.mark.parametrize(
    ("view", "codes", "words"),
    [
        (BEATS, ["card_wins", "beaten_by"], "Seat 3 can beat S3 with B4 in "),
        (
            NOBODY,
            ["only_it_wins", "cannot_follow"],
            "; B5 can't win it. D1 does better than B5 mainly where seat 2 can't",
        ),
        (
            FOLLOWS,
            ["trick_points", "has_to_follow"],
            "S5 does better than D4 mainly where seat 1 must follow S5: in 3",
        ),
        (LAST, ["card_wins"], "After G+, D2 wins a trick in 1"),
        (FOUR_LEFT, ["kept_wins", "beaten_by"], "Kept back, B1 wins a trick later in "),
        (WINS, ["wins_cards"], "DT wins this trick with D4, D5 and D6 in it; S1 can't win it."),
    ],
)
def test_the_causes_of_a_lead(view: str, codes: list[str], words: str) -> None:
    found = athanor.hint(view, nodes=8000)
    assert [cause.code for cause in found.causes][: len(codes)] == codes, found.reason
    assert words in found.reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(FOUR_LEFT)
    assert isinstance(view, View)
    rounds = Rounds(deals(view), [9 + 2, 18], 1)  # S3 and B1
    noted: list[np.ndarray] = []
    monkeypatch.setattr(rounds.witness, "note", lambda _first, _results, words: noted.append(words))
    rounds.play(0, np.empty((5, 2, rounds.statistics)), np.ones(5))
    for *hands, after_one, after_other in noted[0].tolist():
        for won in (after_one, after_other):
            assert won >> DIRECTION_BIT in (0, 1)
            assert (won & ((1 << DIRECTION_BIT) - 1)).bit_count() % 4 == 0
        assert hands[0] == to_inner(view.hand_mask)
        assert [hand.bit_count() for hand in hands] == [4, 4, 3, 3]
        others = hands[1] | hands[2] | hands[3]
        assert others.bit_count() == 10
        assert others & ~to_inner(view.unseen) == 0
        for seat in (1, 2, 3):
            assert hands[seat] & to_inner(view.past.excluded(seat)) == 0
