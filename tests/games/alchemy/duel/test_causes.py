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
REACH = (
    "alchemy duel totals=81,90 line=8,8,9,9,K,K hand=10 opponent_hand=4 pile=A,3,4,6,6,7,9,Q "
    "opponent_pile=A,A,2,5,7,7,J,Q discarded=A,2,2,3,3,4,5,6,6,7,8,9,10,10,J,J,J,Q,Q,K"
)


@pytest.mark.parametrize(
    ("position", "cause"),
    [
        (
            DENIED.format(""),
            "K+K=3+5+6+Q takes the K without which the opponent has no match; with it 6+7=K would take 4 points: "
            "else it would be worth 3 points less than K+3+7=5+6+Q, and not 1 point more.",
        ),
        (
            ACES,
            "Q+A+2+3=6+Q completes the four aces: else it would be worth as much as Q+2+3+6=J+Q, "
            "and not 6 points more.",
        ),
        (
            JOKER,
            "4+8=4+8 brings the joker: else it would be worth 10 points more than none, and not 20 points",
        ),
    ],
)
def test_the_cause_of_a_lead_in_an_exchange(position: str, cause: str) -> None:
    assert f" This is because {cause}" in athanor.hint(position).reason


@pytest.mark.parametrize(
    ("position", "worlds", "cause"),
    [
        # 92 + 8 points win against 97, and lose against 97 + 4.
        (
            DENIED.format("totals=92,97 unseen=-"),
            40,
            "K+K=3+5+6+Q takes the K without which the opponent has no match; with it 6+7=K would take 4 points: "
            "else it would win 100% less often, and the lead over ",
        ),
        (
            REACH,
            400,
            "the player to move reaches 100 points in this round in 10% of the decks after 10+8=9+9, ",
        ),
    ],
)
def test_the_cause_of_a_lead_in_a_race(position: str, worlds: int, cause: str) -> None:
    assert f" This is because {cause}" in athanor.hint(position, worlds=worlds).reason


@pytest.mark.parametrize(
    "position",
    [
        "alchemy duel line=A,2,3,8,9,J hand=3 opponent_hand=Q",
        DENIED.format("totals=40,20"),  # moves that nothing tells apart
        DENIED.format("totals=10,99 unseen=-"),  # nothing wins
        "alchemy duel line=2,3,4,7,9,K hand=9 opponent_hand=5 grabbed=1:5+2=7",
    ],
)
def test_nothing_is_said_where_nothing_shows(position: str) -> None:
    assert "because" not in athanor.hint(position, worlds=40).reason


def test_points_that_are_changed_are_judged_in_the_same_decks() -> None:
    """What a race tells of other points is what it tells of totals that differ by as much."""

    def found(totals: str) -> Any:
        position = athanor.parse(f"alchemy duel totals={totals} line=2,3,4,7,9,K hand=9 opponent_hand=5")
        assert isinstance(position, DuelPosition)
        moves = [match_of(ranks_of(["4", "K"]), 9) or NONE, NONE]
        return race(position, moves, Control(), 20, 3)

    one, other = found("70,80"), found("68,83")
    for move in range(2):
        assert one.with_points(move, 0, 0) == pytest.approx(one.results[:, move])
        assert one.with_points(move, -2, 3) == pytest.approx(other.results[:, move])
    assert (one.ended[:, 0, 0] >= 74).all()
    chances = duel.after_round(one.ended[..., 0], one.ended[..., 1], 0, 0).mean(axis=0)
    assert np.allclose(chances, one.results)
