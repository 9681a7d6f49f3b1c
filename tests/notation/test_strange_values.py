"""Keys that hold what nobody would put there, several at once: refused with a fault, never a fault of our own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.errors import AthanorError, PositionError
from solver.positions import parse_position, parse_record, position_data
from tests.support import rounds

STRANGE: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 2**64, 1.5, "", "A", "Zn,Zn/Pb", "-", float("nan")),
    *([], [[]], [None], ["A"], {}, {"a": 1}, [{}], [[1]], [["A"], 5]),
)
KEYS = (
    *("players", "hands", "hand", "counts", "history", "dealt", "pick", "stock", "stock_count", "seat", "known"),
    *(
        "table",
        "discard",
        "owner",
        "turn",
        "field",
        "deck",
        "won",
        "trick",
        "leader",
        "line",
        "declared",
        "rounds",
    ),
)
DRAWN = 25  # of each kind of deal


def positions(case: rounds.Case, rng: random.Random) -> list[dict[str, Any]]:
    position = case.deal(1)
    seat = getattr(position, "seat_to_move", 0)
    return [position_data(position), position_data(case.game.view(position, seat)), {"game": case.name}]


@pytest.mark.parametrize("name", sorted({case.name for case in rounds.CASES}))
def test_strange_values_are_refused(name: str) -> None:
    rng = random.Random(name)
    refused = 0
    for case in (case for case in rounds.CASES if case.name == name):
        for data in positions(case, rng):
            for _ in range(DRAWN // 3):
                sent = dict(data)
                for _ in range(rng.choice((1, 2, 3))):
                    key = rng.choice(KEYS if rng.random() < 0.5 else list(data))
                    if rng.random() < 0.3 and key != "game":
                        sent.pop(key, None)
                    elif key != "game":
                        sent[key] = rng.choice(STRANGE)
                for read in (parse_position, parse_record):
                    try:
                        read(sent)
                    except AthanorError:
                        refused += 1
    assert refused > DRAWN


@pytest.mark.parametrize(
    "data",
    [
        {"game": "aqua-regia", "players": 3, "hands": 5},
        {"game": "aqua-regia", "players": 3, "hand": ["Zn"], "counts": -1, "field": "water", "turn": 0},
        {
            "game": "king",
            "players": 3,
            "hands": [["F1"], ["F2"], ["F3"]],
            "trick": [],
            "dealt": "-",
            "history": 1.5,
        },
        {"game": "kirin", "dealt": [["D1"], ["D2"], ["D3"], ["D4"]], "history": True},
    ],
    ids=["hands", "counts", "history", "history of kirin"],
)
def test_a_number_in_the_place_of_a_list(data: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        parse_position(data)


@pytest.mark.parametrize("leader", [-1, 2, 10**9])
def test_a_trick_that_nobody_led(leader: int) -> None:
    """The deal was passed on from seat to seat until it came to the leader: for ever, in ever more memory."""
    tricks = [{"leader": 0, "moves": ["Li", "pass"]}, {"leader": leader, "moves": ["Ca"]}]
    with pytest.raises(PositionError):
        parse_position({"game": "aqua-regia", "players": 2, "seat": 0, "hand": ["Na"], "history": tricks})


AQUA = "aqua-regia players=2 seat=1 hand=Cu"


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ("0:>", "an exchange begins with pass"),
        ("1:::", "'::' is not a move"),
        ("0:", "'' is not a move"),
        ("0:Zn,-,Zn", "'Zn - Zn' is not a move"),
    ],
)
def test_moves_of_signs_alone(history: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as found:
        parse_position(f"{AQUA} history={history}")
    assert found.value.path == "history[0].moves[0]"


def test_that_nobody_passed_a_deal_on_is_told_by_nothing() -> None:
    """So that a position comes back from its line as it went in."""
    line = f"{AQUA} counts=2,1 field=water turn=0 stock_count=0"
    told = parse_position(f"{line} deal_passes=-")
    assert told == parse_position(line)
    assert parse_position(str(told)) == parse_position(position_data(told)) == told


def test_hyphens_behind_picks_that_are_run_together() -> None:
    """A hyphen stands for a seat that has picked nothing."""
    hands = "F2W6W8W9E2E11A2A3A9T2D/F1F5F8F9W1W4W5W10A6T1T4/F7F10F11W2W3W7W11E4A1A4A5E8/F3F4E1E3E6E7E9A7A10A11T5E5"
    together, apart = (
        str(parse_position(f"king seat=2 leader=0 removed=E10T3 hands={hands} pick={pick}"))
        for pick in ("F6A8--", "F6,A8,-,-")
    )
    assert together == apart
