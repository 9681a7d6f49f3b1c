"""What is behind the lead of a duel's move, on positions made for it: a denial, a joker, the aces, the race."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import athanor
from solver.games.alchemy import duel
from solver.games.alchemy.deck import NONE
from solver.games.alchemy.duel import race
from solver.games.alchemy.position import DuelPosition, ranks_of
from solver.games.alchemy.rules import match_of
from solver.limits import Control

# The opponent's only match with what K+K=3+5+6+Q leaves would be 6+7=K, for which a K is lacking: 8 points to
# none, and with the K to 4. K+3+7=5+6+Q takes 7, and leaves nothing either.
DENIED = "alchemy duel {} line=3,5,6,7,Q,K hand=K opponent_hand=6"
ACES = "alchemy duel line=A,2,3,6,J,Q hand=Q opponent_hand=6 pile=A,A,A"
JOKER = "alchemy duel rules=house_joker line=4,4,7,8,8,10 hand=X opponent_hand=6"
SECOND = "alchemy duel line=2,3,4,7,9,K hand=9 opponent_hand=5 grabbed=1:5+2=7"
REACH = (
    "alchemy duel totals=81,90 line=8,8,9,9,K,K hand=10 opponent_hand=4 pile=A,3,4,6,6,7,9,Q "
    "opponent_pile=A,A,2,5,7,7,J,Q discarded=A,2,2,3,3,4,5,6,6,7,8,9,10,10,J,J,J,Q,Q,K"
)


@pytest.mark.parametrize(
    ("position", "worlds", "codes", "reason"),
    [
        (
            DENIED.format(""),
            1,
            ["takes_needed_card", "takes_more"],
            "K+K=3+5+6+Q takes the K that the opponent needs for 6+7=K, worth 4. "
            "K+K=3+5+6+Q scores 8; K+3+7=5+6+Q scores 7.",
        ),
        (
            ACES,
            1,
            ["four_aces", "takes_more"],
            "Q+A+2+3=6+Q completes the four aces (+6). Q+A+2+3=6+Q scores 12; Q=A+2+3+6 scores 11.",
        ),
        (JOKER, 1, ["joker"], "4+8=4+8 brings jokers (+10)."),
        (SECOND, 1, ["takes_more"], "9+4=K scores 4; 9=9 scores 2."),
        # 92 + 8 points win against 97, and lose against 97 + 4.
        (DENIED.format("totals=92,97 unseen=-"), 40, ["takes_needed_card", "takes_more"], " takes the K that "),
        (REACH, 400, ["reaches_100"], "10+8=9+9 reaches 100 in this round in 10% of decks, "),
        ("alchemy duel line=A,2,3,8,9,J hand=3 opponent_hand=Q", 1, ["equal"], " are worth the same: 6."),
        ("alchemy duel line=2,4,6,8,10,Q hand=3 opponent_hand=2", 1, ["no_match"], "There is no match."),
        (DENIED.format("totals=40,20"), 40, ["close"], "a win is almost certain"),  # nothing tells them apart
        (DENIED.format("totals=10,99 unseen=-"), 40, ["close"], "too close to call"),  # nothing wins
    ],
)
def test_the_causes_of_a_lead(position: str, worlds: int, codes: list[str], reason: str) -> None:
    found = athanor.hint(position, worlds=worlds)
    assert [cause.code for cause in found.causes] == codes
    assert reason in found.reason


def test_points_that_are_changed_are_judged_in_the_same_decks() -> None:
    """What a race tells of other points is what it tells of totals that differ by as much."""

    def found(totals: str) -> Any:
        position = athanor.parse(f"alchemy duel totals={totals} line=2,3,4,7,9,K hand=9 opponent_hand=5")
        assert isinstance(position, DuelPosition)
        moves = [match_of(ranks_of(["4", "K"]), 9) or NONE, NONE]
        return race(position, moves, Control(), 20, 3)

    one, other = found("70,80"), found("68,83")
    for move in range(2):
        assert one.with_points(move, np.array([0, 0])) == pytest.approx(one.results[:, move])
        assert one.with_points(move, np.array([-2, 3])) == pytest.approx(other.results[:, move])
    assert (one.ended[:, 0, 0] >= 74).all()
    chances = duel.after_round(one.ended[..., 0], one.ended[..., 1], 0, 0).mean(axis=0)
    assert np.allclose(chances, one.results)
