"""Positions and views of Aqua Regia as they are told to people."""

from __future__ import annotations

import pytest

from solver.games.aqua_regia import GAME
from solver.positions import parse_position
from tests.games.aqua_regia.cards.states import position
from tests.games.aqua_regia.examples import KNOWN, SEEN

pytestmark = pytest.mark.small


def test_a_known_position_is_described() -> None:
    assert GAME.describe(parse_position(KNOWN)) == [
        (
            "Field",
            "acid (order water > vapor > acid > aqua-regia); lets out Li K Ca Na Mg Al Zn Fe Ni Sn in multiples, "
            "Pb Cu Hg Ag singly",
        ),
        ("Trick", "Li < Zn Zn, the last by seat 1"),
        ("Seat 0", "Li Cu   (can play nothing)"),
        ("Seat 1", "Fe Fe Au   (played last)"),
        ("Seat 2", "Fe Sn Sn   (can play Sn Sn; to move)"),
        ("Stock", "Pb Li   (in draw order)"),
        ("Discard", "K×2 Pb"),
    ]


def test_a_view_is_described() -> None:
    rows = dict(GAME.describe(parse_position(SEEN | {"drawn": "Ag"})))
    assert rows["You"] == "seat 2 of 3"
    assert rows["Hand"] == "Fe Sn Sn and Ag, just drawn   (may exchange a card; to move)"
    assert rows["Seat 0"] == "2 cards"
    assert rows["Seat 1"] == "3 cards   (holds Au)"
    assert rows["Stock"] == "1 card"
    assert rows["Unseen"] == "Li×3 K×2 Ca×4 Na×4 Mg×4 Al×4 Zn×2 Fe×3 Ni×4 Sn×2 Pb×3 Cu×4 Hg×4 Ag×3 Pt×4 Au×3"


def test_what_happens_by_itself_is_described() -> None:
    rows = dict(GAME.describe(position("Au", "Pt", "Sn Sn", turn=1, discard="Li Li Li Li K")))
    assert rows["Field"].startswith("acid ")
    assert rows["Trick"] == "none yet; seat 2 is the dealer and leads"
    assert rows["Seat 2"] == "Sn Sn   (leads Sn, Sn Sn; to move)"
    assert rows["Stock"] == "empty"
    assert rows["Discard"] == "Li×4 K   (all of Li are there, so none of them may be taken)"
