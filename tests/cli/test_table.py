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
