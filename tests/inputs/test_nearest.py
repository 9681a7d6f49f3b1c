"""A misspelt key is told with the nearest one that there is, wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest

import athanor
from api.models import DealRequest, HintRequest, ViewRequest
from api.reading import validated
from solver.errors import AthanorError, PositionError

VIEW: dict[str, Any] = {
    "game": "kirin",
    "seat": 0,
    "hand": "D1 D2 D3 D4 D5 S1 S2 S3",
    "declared": "D6",
    "leader": 1,
}


def faults(ask: Any, *args: Any) -> dict[str, str]:
    with pytest.raises(AthanorError) as found:
        ask(*args)
    return {fault.path: fault.message for fault in found.value.faults}


@pytest.mark.parametrize(
    ("kind", "body", "path", "near"),
    [
        (DealRequest, {"game": "kirin", "sede": 3}, "sede", "seed"),
        (ViewRequest, {"position": VIEW, "seet": 1}, "seet", "seat"),
        (HintRequest, {"position": VIEW, "limit": {"second": 1}}, "limit.second", "seconds"),
    ],
)
def test_of_requests(kind: Any, body: Any, path: str, near: str) -> None:
    assert faults(validated, kind, body)[path].endswith(f"; did you mean {near}?")


def test_inside_positions() -> None:
    history = [{"leder": 0, "cards": ["D1", "S1", "B1", "G1"]}]
    found = faults(athanor.parse, VIEW | {"history": history})
    assert found["history[0].leder"] == "unknown key 'leder'; did you mean leader?"
    assert "nearest" not in faults(athanor.parse, VIEW | {"xyzzy": 1})["xyzzy"]


def test_a_key_that_is_there_already_is_the_nearest_too() -> None:
    found = faults(athanor.parse, "kirin seat=2 hnad=S4 hand=ZZ declraed=B+ leader=0")
    assert found["hnad"] == "unknown key 'hnad'; did you mean hand?"
    assert set(found) == {"hnad", "declraed", "hand[0]"}  # nothing of keys that nobody wrote


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("me", "; here it is called seat"),
        ("cards", "; here it is called hand"),
        ("lead", "; here it is called leader"),
        ("aside", "; here it is called declared"),
        ("h", "; write hand: the letter is only for a line of text"),
        ("hist", "; did you mean history?"),
        ("Seat", "; did you mean seat?"),
        ("directoin", "; did you mean direction?"),
        ("ha", ""),
        ("hen", ""),
        ("suit", ""),
        ("decl", "; did you mean declared?"),
    ],
)
def test_only_what_is_near_is_told(wrong: str, told: str) -> None:
    message = faults(athanor.parse, VIEW | {wrong: 1})[wrong]
    assert message.startswith(f"unknown key {wrong!r}" + told)
    assert told or message.startswith(f"unknown key {wrong!r} (keys: ")


@pytest.mark.parametrize(
    ("line", "moves", "after"),
    [
        (
            "kirin seat=0 leader=1 declared=D6 hand=D1,D2,D3,D4,D5,S1,S2,S3",
            ["g4", "g+", "s5", "d5"],
            "1:G4,G+,S5,D5",
        ),
        ("aqua-regia players=2 seat=0 turn=0 hand=Li,K,Mg,Mg,Zn,Zn,Hg,Hg,Hg,Pt", ["mg", "PASS"], "0:Mg/1:pass"),
        ("alchemy solo line=4,7,K,2,9,A hand=q stock=5,Q,3,8", ["q+2=a+4+9"], "line=3,5,7,8,Q,K"),
    ],
)
def test_moves_in_letters_of_any_case(line: str, moves: list[str], after: str) -> None:
    assert after in str(athanor.play(line, moves))


def test_what_is_wrong_with_such_a_move_is_told_of_the_move_that_is_meant() -> None:
    with pytest.raises(AthanorError, match="D1") as found:
        athanor.play("kirin seat=0 leader=1 declared=D6 hand=D1,D2,D3,D4,D5,S1,S2,S3", ["g4", "s4", "s5", "d1"])
    assert found.value.path == "moves[3]"
    assert not isinstance(found.value, PositionError)
