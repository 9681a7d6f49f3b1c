"""The scores of rounds and matches of King × Alchemy, worked out by hand, and the recorded rounds."""

from __future__ import annotations

from typing import Any

import pytest

from solver.games.king import GAME
from solver.games.king.moves import KingScore, earned, making
from solver.limits import Control
from solver.positions import parse_record
from tests.games.king import data
from tests.games.king.examples import DECK, ROUND

pytestmark = pytest.mark.small

POINTS = ((2 + 0 + 1 + 3 + 1, 7), (1 + 0 + 1 + 3 + 3 + 1, 18), (1 + 3 + 3 + 1 + 3 + 2, 9))


def score(*rounds: dict[str, Any]) -> KingScore:
    found = GAME.score(parse_record({"game": "king", "deck": "house", "rounds": list(rounds)}))
    assert isinstance(found, KingScore)
    return found


def test_a_round() -> None:
    found = score(ROUND)
    assert [(seat.vp, seat.bonus) for seat in found.earned[0]] == list(POINTS)
    assert found.rounds == (tuple(vp + bonus for vp, bonus in POINTS),)
    assert found.totals == found.rounds[0]
    assert (found.winners, found.finished) == (None, False)
    electrum, stone, powder = (seat.recipes for seat in found.earned[0])
    assert [(made.card, made.item, made.uses, made.bonus) for made in electrum] == [
        ("F11", "Electrum", ("F10", "W7"), 7)
    ]
    assert [(made.card, made.uses) for made in stone] == [("T5", ("E9", "A3", "W2", "F1"))]
    assert [(made.card, made.uses) for made in powder] == [("T1", ("F3", "A1", "A4"))]
    assert found.earned[0][0].one_line() == "seat 0: 14 = 7 + 7: Electrum 7 (F11 of F10 W7)"


def test_a_match() -> None:
    turned = {"won": [ROUND["won"][1], ROUND["won"][2], ROUND["won"][0]]}
    again = {"won": [ROUND["won"][2], ROUND["won"][0], ROUND["won"][1]]}
    match = score(ROUND, turned, again)
    assert match.finished
    assert len(set(match.totals)) == 1
    assert match.winners == (0, 1, 2)  # ties share
    assert score(ROUND, ROUND, turned).winners == (1,)


@pytest.mark.parametrize(("you", "who"), [(1, "You have"), (0, "Seat 1 has"), (None, "Seat 1 has")])
def test_what_a_seat_made_is_told_in_a_sentence(you: int | None, who: str) -> None:
    pile = sum(1 << DECK.index[code] for code in ("F6", "A2", "F8"))
    found = making(earned(DECK, 1, pile, Control()), you)
    assert found == f"{who} 5 for cards, and made Green Lion (F6 of A2 F8) for 5."


@pytest.mark.covered
@pytest.mark.parametrize("players", data.PLAYERS)
def test_playthroughs_are_as_recorded(players: int) -> None:
    recorded = (data.FOLDER / f"playthrough-{players}.txt").read_text(encoding="utf-8")
    assert data.playthrough(players) == recorded
