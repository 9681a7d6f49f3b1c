"""Alchemy's part in making puzzles: themes by checks, what is the same, and what a greedy player makes of it."""

from __future__ import annotations

import pytest

from solver.common import Random
from solver.composing import BEST_MOVE, Candidate
from solver.games.alchemy import GAME
from solver.limits import Control
from solver.positions import parse_position

pytestmark = [pytest.mark.small, pytest.mark.plain]


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        ("alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3", "5+4+6=2+3+10", ["deny", "less is more"]),
        ("alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3", "none", ["less is more", "decline"]),
        ("alchemy solo line=4,7,K hand=6 stock=5", "discard 4", ["no match"]),
        ("alchemy solo line=A,2,3 hand=6 stock=5", "6=A+2+3", ["last card"]),
    ],
)
def test_themes(text: str, best: str, themes: list[str]) -> None:
    known = parse_position(text)
    assert set(themes) <= set(GAME.composer.themes_of(BEST_MOVE, Candidate(known), best, []))


def test_the_order_of_a_line_is_nothing_and_that_of_a_stock_is() -> None:
    one, other, third = (
        parse_position(f"alchemy solo line={line} hand=6 stock={stock}")
        for line, stock in (("4,7,K", "5,2"), ("K,4,7", "5,2"), ("4,7,K", "2,5"))
    )
    keys = [GAME.composer.symmetry(BEST_MOVE, Candidate(position)) for position in (one, other, third)]
    assert keys[0] == keys[1] != keys[2]


def test_what_a_pile_and_a_discarded_card_do_not_change() -> None:
    def key(text: str) -> str:
        return GAME.composer.symmetry(BEST_MOVE, Candidate(parse_position(text)))

    duel = "alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3"
    assert key(f"{duel} pile=A,7") == key(f"{duel} pile=9,A,Q") != key(f"{duel} pile=A,A")
    solo = "alchemy solo line=4,7,K hand=6"
    assert key(f"{solo} unseen=5,2,2") == key(f"{solo} unseen=2,5,2 discarded=9") != key(f"{solo} unseen=2,5,5")
    assert key(f"{solo} stock=5,2") == key(f"{solo} stock=5,2 discarded=9")


def test_the_obvious_move_of_a_duel_knows_no_reply() -> None:
    """Of moves with as many points it is the first, whatever they leave the other."""
    duel = parse_position("alchemy duel line=A,2,4,4,8,Q hand=8 opponent_hand=9")
    assert GAME.composer.obvious(BEST_MOVE, Candidate(duel)) == "8+4=4+8"
    assert GAME.analyze(duel, Control()).best == "8+8=4+Q"


@pytest.mark.parametrize("task", GAME.composer.tasks)
def test_what_is_drawn_can_be_asked(task: str) -> None:
    for candidate in GAME.composer.candidates(task, None, Random(4), seed=4, number=0):
        asks = GAME.asks(candidate.position)
        assert task in asks or ("hint" in asks and task in ("best-move", "value"))
