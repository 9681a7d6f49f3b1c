"""What is said besides what follows from a history is checked against it, and an error names both."""

from __future__ import annotations

import pytest

import athanor
from solver.errors import PositionError

pytestmark = [pytest.mark.small, pytest.mark.plain]

KIRIN = "kirin s=1 h=D1D6D+S2S3S- d=G+ m=0:B5STS6S+/B3S4D5D- t=D3BT"
AQUA = (
    "aqua-regia n=4 s=1 h=KMgMgZnZnZnNiSnPbPbCuPt m=0:Ca/Na/Mg/p/p/p/KK/pKCa/pLiK/p/Sn/pLiK/pCaNa/p/Na/pKCa/pMgSn"
)


@pytest.mark.parametrize(
    ("line", "path", "message"),
    [
        (
            f"{KIRIN} direction=ascending",
            "direction",
            "according to the history, the direction is descending, not ascending",
        ),
        (f"{KIRIN} won=B5/-/-/-", "won[0]", "according to the history, seat 0 has won nothing, not B5"),
        (f"{AQUA} field=acid", "field", "according to the history, the field is aqua-regia now, not acid"),
        (f"{AQUA} table=Pb", "table", "according to the history, the table is Na now, not Pb"),
        (f"{AQUA} owner=0", "owner", "according to the history, the owner is seat 2 now, not seat 0"),
        (
            f"{AQUA} reversed=yes",
            "reversed",
            "according to the history, the fields' order is now the usual one",
        ),
        (f"{AQUA} counts=9,12,9,9", "counts[0]", "according to the history, seat 0 has 13 cards now, not 9"),
        (f"{AQUA} stock_count=3", "m", "according to its moves, the stock has 13 cards now, not 3"),
    ],
)
def test_what_contradicts_a_history_is_refused(line: str, path: str, message: str) -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse(line)
    assert (found.value.faults[0].path, found.value.faults[0].message) == (path, message)


@pytest.mark.parametrize("more", ["direction=descending", "won=-/B5STS6S+/-/B3S4D5D-", "leader=3"])
def test_what_is_right_besides_changes_nothing(more: str) -> None:
    assert athanor.parse(f"{KIRIN} {more}") == athanor.parse(KIRIN)


def test_piles_of_what_is_no_card_are_told_of() -> None:
    given = {"game": "kirin", "seat": 1, "hand": "D6", "declared": "S6", "leader": 0, "won": [[None, None]]}
    with pytest.raises(PositionError):
        athanor.parse(given)


def test_a_key_of_other_positions_is_told_as_such() -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse("aqua-regia seat=1 hand=K hands=K/Zn field=water turn=0")
    told = {fault.path: fault.message for fault in found.value.faults}
    assert told["seat"] == "'seat' is a key of other kinds of positions, not of this one"
