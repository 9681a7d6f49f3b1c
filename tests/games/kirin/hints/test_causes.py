"""What is behind the lead of a card, on positions made for it: who beats it, who has to follow."""

from __future__ import annotations

import numpy as np
import pytest

import athanor
from solver.games.kirin.fast_rules import to_inner
from solver.games.kirin.hint import Rounds
from solver.games.kirin.position import View
from solver.games.kirin.worlds import deals
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


@pytest.mark.parametrize(
    ("view", "cause"),
    [
        (BEATS, "seat 0 may beat S5 with B6"),
        (NOBODY, "D1 may be beaten by nobody still to play"),
        (FOLLOWS, "seat 1 may have to follow S5"),
    ],
)
def test_the_cause_of_a_lead(view: str, cause: str) -> None:
    assert f"This is because {cause}: the lead is " in athanor.hint(view, nodes=8000).reason


def test_nothing_is_said_where_nothing_shows() -> None:
    found = athanor.hint(LAST, nodes=8000)
    assert found.moves[1].behind > 1.96 * found.moves[1].behind_stderr  # type: ignore[attr-defined]
    assert "because" not in found.reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(FOUR_LEFT)
    assert isinstance(view, View)
    rounds = Rounds(deals(view), [9 + 2, 18], 1)  # S3 and B1
    noted: list[np.ndarray] = []
    monkeypatch.setattr(rounds.witness, "note", lambda _first, _results, words: noted.append(words))
    rounds.play(0, np.empty((5, 2, rounds.statistics)), np.ones(5))
    for *hands, _after_one, _after_other in noted[0].tolist():
        assert hands[0] == to_inner(view.hand_mask)
        assert [hand.bit_count() for hand in hands] == [4, 4, 3, 3]
        others = hands[1] | hands[2] | hands[3]
        assert others.bit_count() == 10
        assert others & ~to_inner(view.unseen) == 0
        for seat in (1, 2, 3):
            assert hands[seat] & to_inner(view.past.excluded(seat)) == 0
    assert {word for row in noted[0] for word in row[4:].tolist()} <= {0, 1}
