"""`athanor watch` at a terminal, with what happens at real tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.companion import Companion

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")


def test_a_first_player_who_cannot_lead(tmp_path: Path) -> None:
    with Companion(tmp_path, "watch", "aqua-regia", "players=3", "--seconds", "0.05") as watch:
        watch.types("0", "0", "Ni Sn Pb Pb Cu Hg Ag Ag Pt Au")  # the seat, the dealer, the hand
        watch.shows("Nothing in the hand can be led in water, so the deal passes to the left")
        watch.shows("seat 1(?=> )")
        watch.types("no lead", "no lead")
        watch.shows("Nothing in the hand can be led in vapor")
        watch.types("no lead", "Al Al", "draws Li", "pass", "quit")
        assert watch.ends() == 0
        assert "over" not in watch.text
    with Companion(tmp_path, "watch", "--resume") as watch:
        watch.shows("seat 1(?=> )")
        watch.types("list")
        watch.shows("6 +pass")


@pytest.mark.parametrize("words", ["players=3", "n=5 seat=0", "hand=D1 players=6"])
def test_a_game_that_is_not_for_so_many(tmp_path: Path, words: str) -> None:
    with Companion(tmp_path, "watch", "kirin", *words.split()) as watch:
        watch.shows("Error: kirin is for 4 players, not for [356]")
        assert watch.ends() == 2


UNFOLLOWED = "hand=F11 F1 F2 F3 F4 W1 W2 W3 W4 E1 E2 E3 E4 A1 A2"


def test_the_ruling_on_kings_bottom_is_named_at_the_start_and_at_the_taking(tmp_path: Path) -> None:
    option = "no_bottom_when_trumped"
    with Companion(tmp_path, "watch", "king", "--seconds", "0.05") as watch:
        watch.shows(f"Some tables play otherwise: .*rules={option}")
        watch.types("0", "0", UNFOLLOWED.removeprefix("hand="), "F7 F8 F9 F10 W11")
        watch.types("F1 W9 W10", "F11")
        watch.types("T5", "T1")
        bottom = "Nobody followed the lead suit, so the leader is the bottom"
        watch.shows(f"{bottom}(.|\\n)*Some\\s+tables\\s+have\\s+no")
        watch.types("moves")
        watch.shows("take T1 give F11")
        watch.types("take T1 give F11", "list", "quit")
        assert watch.text.count("Nobody followed") == 1
        assert watch.ends() == 0
    with Companion(tmp_path, "watch", "king", f"rules={option}", "--seconds", "0.05") as watch:
        watch.types("0", "0", UNFOLLOWED.removeprefix("hand="), "F7 F8 F9 F10 W11")
        watch.types("F1 W9 W10", "F11", "T5", "T1", "moves")
        watch.shows("take T1 *\n")
        assert "Nobody followed" not in watch.text
        assert "Some tables" not in watch.text


def test_what_was_played_against_the_rules_goes_on(tmp_path: Path) -> None:
    start = "seat=0 leader=1 declared=G- hand=D1,D2,D6,S1,S4,BT,B2,B3"
    with Companion(tmp_path, "watch", "kirin", "--seconds", "0.05", *start.split()) as watch:
        watch.types("S5 G5 G6", "D1")  # the player holds D6, which follows
        watch.shows("D1 may not be played to S5")
        watch.shows("Was D1 played all the same")
        watch.types("", "D1", "y", "S2", "D6", "D3", "DT")  # seat 2 had shown that it has no DT
        watch.shows("DT cannot have been played")
        watch.types("y")
        watch.shows("Played against the rules or earlier plays: D1 DT. Nothing is concluded from it.")
        watch.types("list")
        watch.shows("4 +D1 anyway(.|\\n)*8 +DT anyway")
        watch.types("B3")  # in nobody's hand but the player's: no question
        watch.shows("cannot play B3")
        watch.types("quit")
        assert watch.text.count("all the same") == 3
        assert watch.ends() == 0
