"""Positions and rules of King × Alchemy as they are told to people."""

from __future__ import annotations

import pytest

from solver.games.king import GAME
from solver.positions import parse_position
from tests.games.king.examples import BEFORE, BEFORE_SEEN, CARDS, FULL, SEEN, change

pytestmark = pytest.mark.small


def test_positions_as_text() -> None:
    brewing = change(FULL, won=[["F11", "F10", "W7", "T1"], [], []])
    assert GAME.describe(parse_position(brewing)) == [
        ("Deck", "House deck"),
        ("Seat 0", "W1   (to move)"),
        ("Seat 1", "W9"),
        ("Seat 2", "A5"),
        ("Seat 0 won", "F10 F11 W7 T1   (4 points; makes Electrum +7 = 11)"),
        ("Trick", "seat 0 F7, seat 1 D:F, seat 2 E2; seat 0 wins and is to take"),
    ]
    rows = GAME.describe(parse_position(SEEN))
    assert ("Trick", "none yet; seat 0 leads") in rows
    assert ("Tricks", "1 of 11 played") in rows
    assert ("Seat 1 holds", "no F") in rows
    assert ("Removed", "T5 D") in rows
    assert GAME.describe(parse_position(BEFORE_SEEN))[1] == (
        "You",
        "seat 1 of 4; to pick a card, which is won outright",
    )
    picks = dict(GAME.describe(GAME.play(parse_position(BEFORE), GAME.legal_moves(parse_position(BEFORE))[0])))
    assert picks["Seat 0"].endswith("(has picked F1)")
    assert picks["Seat 1"].endswith("(has not picked yet; to pick now)")
    assert GAME.describe(parse_position(CARDS))[1] == ("Cards", "F10 F11 W7   (3 points; makes Electrum +7 = 10)")


def test_the_rules_name_every_ruling() -> None:
    text = GAME.rules()
    assert text.count("**Ruling") == 9  # and where the word is explained
    for words in ("never has to be played", "another suit", "trick is complete", "equal numbers", "is the bottom"):
        assert words in text
