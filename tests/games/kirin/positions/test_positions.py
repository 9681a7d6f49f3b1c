"""What kirin positions, views and records are refused for: code, path, and the card in the message."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import PositionError
from solver.games.kirin.moves import legal_moves
from solver.games.kirin.position import DeclarePosition, DeclareView, KnownPosition, View
from solver.games.kirin.rules import NOTHING, Order, State
from solver.positions import parse_position, parse_record, position_data
from tests.games.kirin.examples import BEFORE, BEFORE_SEEN, ENDING, NINES, SEEN, change, refused


def test_what_is_read() -> None:
    known = parse_position(ENDING)
    assert isinstance(known, KnownPosition)
    assert known.state == State(
        Order(), (1 << 27, 1 << 3 | 1 << 14, 1 << 28 | 1 << 31, 1 << 18 | 1 << 25), 0, (11,), NOTHING
    )
    assert known.colours == (0, 1, 2, 3)
    assert known.points == (0, 0, 0, 0)
    assert known.seat_to_move == 1
    before = parse_position(BEFORE)
    assert isinstance(before, DeclarePosition)
    assert before.declared_cards == (None,) * 4
    assert parse_position(change(BEFORE, declared=[None, "", None, ""])) == before
    seen = parse_position(SEEN)
    assert isinstance(seen, View)
    assert seen.past.excluded(0) == seen.past.excluded(1) == 0b111111000 & ~(1 << 9)
    assert seen.past.excluded(2) == seen.past.excluded(3) == 0
    assert seen.past.won == (0, 0, 0, 1 << 4 | 1 << 10 | 1 << 11 | 1 << 27)
    assert isinstance(parse_position(BEFORE_SEEN), DeclareView)


@pytest.mark.parametrize("data", [ENDING, BEFORE, SEEN, BEFORE_SEEN])
def test_a_position_is_read_back_from_its_data(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert parse_position(position_data(position)) == position


def test_won_may_be_incomplete_and_scores() -> None:
    known = parse_position(change(ENDING, won=[["D2", "S5"], [], ["BT"], []]))
    assert isinstance(known, KnownPosition)
    assert known.points == (1, 0, 1, 0)
    assert known.state.won == (1 << 1 | 1 << 13, 0, 1 << 24, 0)


def test_a_finished_round_is_a_position() -> None:
    over = parse_position(change(ENDING, trick=[], hands=[[], [], [], []]))
    assert legal_moves(over) == []


KNOWN_FAULTS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"trick": ["S7"]}, "illegal_card", "trick[0]", "'S7'"),
    ({"declared": ["D1", "S1", "B6", "Z+"]}, "illegal_card", "declared[3]", "'Z+'"),
    ({"trick": [3]}, "wrong_type", "trick[0]", "text is expected"),
    ({"colour": "D"}, "unknown_key", "colour", "'colour'"),
    ({"seat": 1}, "unknown_key", "seat", "seat"),  # declared and trick belong to an all-known position
    ({"declared": None}, "missing_key", "declared", "declared"),
    ({"direction": None}, "missing_key", "direction", "direction"),
    ({"direction": "up"}, "unknown_value", "direction", "ascending"),
    ({"leader": 4}, "out_of_range", "leader", "4"),
    ({"leader": -1}, "out_of_range", "leader", "0"),
    ({"leader": True}, "wrong_type", "leader", "a whole number is expected, not true"),
    ({"hands": [[], [], []]}, "wrong_size", "hands", "4"),
    ({"declared": ["D1", "S1", "B6"]}, "wrong_size", "declared", "4"),
    ({"trick": ["S3", "D6", "G6", "B6"]}, "wrong_size", "trick", "3"),
    # a card in two places
    (
        {"hands": [["G1"], ["D4", "S6"], ["G2", "D4"], ["B1", "B+"]]},
        "duplicate_card",
        "hands[2][1]",
        "D4 is in hands[1][0]",
    ),
    ({"declared": ["D1", "S1", "B6", "S3"]}, "duplicate_card", "trick[0]", "S3 is in declared[3]"),
    ({"declared": ["D1", "S1", "D1", "G6"]}, "duplicate_card", "declared[2]", "D1 is in declared[0]"),
    ({"won": [["G1"], [], [], []]}, "duplicate_card", "won[0][0]", "G1 is in hands[0][0]"),
    # hands that do not fit the trick
    (
        {"hands": [["G1", "G3"], ["D4", "S6"], ["G2", "G5"], ["B1", "B+"]]},
        "wrong_size",
        "hands[0]",
        "seat 0 has 2 cards; judging by the other hands it should have 1, with one of its cards on the table",
    ),
    (
        {"hands": [["G1"], ["D4", "S6"], ["G2"], ["B1", "B+"]]},
        "wrong_size",
        "hands[2]",
        "seat 2 has 1 card; judging by the other hands it should have 2",
    ),
    ({"leader": 2}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    ({"trick": []}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    (
        {"hands": [[], [], [], []]},
        "wrong_size",
        "hands[1]",
        "seat 1 has 0 cards; judging by the other hands it should have 1",
    ),
    # a follower who had to follow and did not
    (
        {"trick": ["S3", "S6"], "hands": [["G1"], ["D4"], ["G2", "G5"], ["B1", "B+"]]},
        "illegal_play",
        "trick[1]",
        "seat 1 could not play S6 to S3 (ascending): D4 in hands[1] had to follow",
    ),
    (
        {"trick": ["S3", "S6"], "hands": [["G1"], ["D+"], ["G2", "G5"], ["B1", "B+"]]},
        "illegal_play",
        "trick[1]",
        "D+ in hands[1]",
    ),
    (
        {
            "trick": ["S3", "D4", "D6"],
            "hands": [["G1"], ["S6"], ["B2"], ["B1", "B+"]],
            "direction": "descending",
        },
        "illegal_play",
        "trick[2]",
        "seat 2 could not play D6 to S3 (descending): B2 in hands[2] had to follow",
    ),
]


@pytest.mark.parametrize(("keys", "code", "path", "words"), KNOWN_FAULTS)
def test_faults_of_known_positions(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(ENDING, **keys), code, path, words)


def test_the_direction_says_who_had_to_follow() -> None:
    # D4 need not be played to S3 when the order is descending
    hands = [["G1"], ["D4"], ["BT", "G5"], ["B1", "B+"]]
    data = change(ENDING, trick=["S3", "S6"], hands=hands)
    assert isinstance(parse_position(data | {"direction": "descending"}), KnownPosition)
    refused(data, "illegal_play", "trick[1]", "D4 in hands[1]")


def test_nine_cards_are_too_many_once_one_is_set_aside() -> None:
    # four hands of nine and four cards set aside cannot all be different
    refused(change(ENDING, trick=[], hands=NINES), "duplicate_card", "declared[0]", "D1 is in hands[0][0]")


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hands": [NINES[0][:8], *NINES[1:]]}, "wrong_size", "hands[0]", "a hand has 9"),
        ({"declared": ["D1", None, None, None]}, "duplicate_card", "declared[0]", "D1 is in hands[0][0]"),
        ({"declared": [None, "S1", None, None]}, "duplicate_card", "declared[1]", "S1"),
        (
            {"hands": [NINES[0][1:], *NINES[1:]], "declared": ["D1", None, None, None]},
            "conflict",
            "seat",
            "seat 0 is to set a card aside, but has already set aside D1",
        ),
        (
            {"hands": [NINES[0], NINES[1][2:], *NINES[2:]], "declared": [None, "S1", None, None]},
            "wrong_size",
            "hands[1]",
            "seat 1 has 7 cards; after setting one aside a hand has 8",
        ),
        ({"declared": [None, None]}, "wrong_size", "declared", "4"),
        ({"declared": ["", "", "", "S9"]}, "illegal_card", "declared[3]", "'S9'"),
        ({"declared": ["", "", "", 0]}, "wrong_type", "declared[3]", "text is expected"),
        ({"seat": 5}, "out_of_range", "seat", "0 to 3 is expected"),
        ({"leader": None}, "missing_key", "leader", "leader"),
        ({"direction": "ascending"}, "unknown_key", "direction", "direction"),
    ],
)
def test_faults_before_the_round(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(BEFORE, **keys), code, path, words)


ROUND = {"declared": ["D1", "S1", "B1", "G1"], "won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][1:]]}


@pytest.mark.parametrize(
    ("data", "code", "path", "words"),
    [
        ({"rounds": []}, "wrong_size", "rounds", "1"),
        ({"rounds": [ROUND] * 4}, "wrong_size", "rounds", "3"),
        ({"rounds": [{"declared": ROUND["declared"]}]}, "missing_key", "rounds[0].won", "won"),
        ({"rounds": [ROUND | {"history": []}]}, "conflict", "rounds[0].history", "not both"),
        ({"rounds": [{"declared": ROUND["declared"], "history": []}]}, "wrong_size", "rounds[0].history", "8"),
        (
            {"rounds": [ROUND | {"declared": ["D1", "S1", "B1", "G2"]}]},
            "duplicate_card",
            "rounds[0].won[3][0]",
            "G2 is in declared[3]",
        ),
        (
            {"rounds": [ROUND | {"won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][2:]]}]},
            "wrong_size",
            "rounds[0].won[3]",
            "7 cards",
        ),
        (
            {"rounds": [ROUND | {"won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][5:]]}]},
            "missing_card",
            "rounds[0].won",
            "nobody has G2 G3 G4 G5",
        ),
        (
            {"rounds": [ROUND], "declared_counts": 1},
            "wrong_type",
            "declared_counts",
            "true or false is expected, not 1",
        ),
        ({"rounds": [ROUND], "piles": []}, "unknown_key", "piles", "piles"),
    ],
)
def test_faults_of_records(data: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_record({"game": "kirin"} | data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message
