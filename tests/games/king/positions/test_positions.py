"""What King × Alchemy's positions, views and records are refused for: code, path, and the card in the message."""

from __future__ import annotations

from typing import Any

import pytest

from solver.common import mask
from solver.errors import PositionError
from solver.games.king.moves import legal_moves
from solver.games.king.position import CardSet, KnownPosition, PickPosition, PickView, View
from solver.positions import parse_position, parse_record, position_data
from tests.games.king.examples import (
    BEFORE,
    BEFORE_SEEN,
    CODES,
    DECK,
    ENDING,
    FULL,
    SEEN,
    TWELVES,
    change,
    refused,
)

pytestmark = [pytest.mark.small, pytest.mark.plain]


def cards(text: str) -> int:
    return mask(DECK.index[code] for code in text.split())


def test_what_is_read() -> None:
    known = parse_position(ENDING)
    assert isinstance(known, KnownPosition)
    assert known.state.hands == (cards("W1"), cards("F9 D"), cards("E2 A5"))
    assert known.state.won == (0, 0, 0)
    assert known.seat_to_move == known.state.to_move == 1
    full = parse_position(FULL)
    assert isinstance(full, KnownPosition)
    assert full.seat_to_move == full.state.to_move == 0
    before = parse_position(BEFORE)
    assert isinstance(before, PickPosition)
    assert before.picked == ((),) * 4
    seen = parse_position(SEEN)
    assert isinstance(seen, View)
    assert [seen.past.excluded(seat) for seat in range(4)] == [0, *[DECK.of_suit[0]] * 3]
    assert seen.unseen == mask(range(50)) & ~cards("W2 W3 E3 E4 A4 A5 T5 D") & ~(2**12 - 1)
    assert [seen.count(seat) for seat in range(4)] == [10] * 4
    assert seen.past.discarded == cards("W3 E4 A5")
    asked = parse_position(BEFORE_SEEN)
    assert isinstance(asked, PickView)
    assert asked.players == 4
    some = parse_position({"game": "king", "deck": "house", "cards": ["F11", "F10", "W7"]})
    assert isinstance(some, CardSet)
    assert mask(some.numbers) == cards("F11 F10 W7")


@pytest.mark.parametrize("data", [ENDING, FULL, BEFORE, SEEN, BEFORE_SEEN])
def test_a_position_is_read_back_from_its_data(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert parse_position(position_data(position)) == position


def test_a_finished_round_is_a_position() -> None:
    over = parse_position(change(ENDING, trick=[], hands=[[], [], []]))
    assert legal_moves(over) == []


KNOWN_FAULTS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"trick": ["F12"]}, "illegal_card", "trick[0]", "'F12' is not a card of the deck house"),
    ({"trick": ["D"]}, "illegal_card", "trick[0]", "D:F, D:W, D:E, D:A"),
    ({"trick": ["D:Q"]}, "illegal_card", "trick[0]", "'D:Q' names no suit"),
    ({"trick": ["F7:W"]}, "illegal_card", "trick[0]", "F7 has its own suit"),
    ({"trick": [7]}, "wrong_type", "trick[0]", "text is expected"),
    (
        {"hands": [["W1"], ["F9", "D:F"], ["E2", "A5"]]},
        "illegal_card",
        "hands[1][1]",
        "in a hand or a pile it is D",
    ),
    ({"won": [["Z9"], [], []]}, "illegal_card", "won[0][0]", "'Z9'"),
    ({"removed": ["Z9"]}, "illegal_card", "removed[0]", "'Z9'"),
    ({"colour": "D"}, "unknown_key", "colour", "'colour'"),
    ({"seat": 1}, "unknown_key", "seat", "seat"),
    ({"hands": None}, "missing_key", "hands", "hands"),
    ({"leader": 3}, "out_of_range", "leader", "seats are 0 to 2"),
    ({"leader": 5}, "out_of_range", "leader", "5"),
    ({"leader": True}, "wrong_type", "leader", "a whole number is expected, not true"),
    ({"hands": [["W1"], ["F9", "D"]]}, "wrong_size", "hands", "3"),
    ({"hands": [["W1"]] * 6}, "wrong_size", "hands", "5"),
    ({"won": [[], []]}, "wrong_size", "won", "3 players, but won has 2"),
    ({"removed": ["F1"]}, "wrong_size", "removed", "with 3 players 5 cards are removed, not 1"),
    ({"trick": ["F7", "F8", "F10", "F11"]}, "wrong_size", "trick", "at most 3"),
    # a card in two places
    ({"hands": [["W1"], ["F9", "D"], ["E2", "W1"]]}, "duplicate_card", "hands[2][1]", "W1 is in hands[0][0]"),
    ({"trick": ["F9"]}, "duplicate_card", "trick[0]", "F9 is in hands[1][0]"),
    ({"trick": ["D:W"]}, "duplicate_card", "trick[0]", "D is in hands[1][1]"),
    ({"won": [[], ["F7"], []]}, "duplicate_card", "won[1][0]", "F7 is in trick[0]"),
    ({"won": [["T1"], ["T1"], []]}, "duplicate_card", "won[1][0]", "T1 is in won[0][0]"),
    ({"removed": ["T1", "T2", "T3", "T4", "A5"]}, "duplicate_card", "removed[4]", "A5 is in hands[2][1]"),
    # hands that do not fit the trick
    (
        {"hands": [["W1", "W2"], ["F9", "D"], ["E2", "A5"]]},
        "wrong_size",
        "hands[0]",
        "seat 0 has 2 cards; judging by the other hands it should have 1, with one of its cards on the table",
    ),
    ({"hands": [["W1"], ["F9"], ["E2", "A5"]]}, "wrong_size", "hands[1]", "seat 1 has 1 card"),
    ({"leader": 1}, "wrong_size", "hands[1]", "seat 1 has 2 cards; judging by the other hands it should have 0"),
    ({"trick": []}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    ({"trick": ["F7", "F8", "F10"]}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    (
        {"hands": [[], [], []]},
        "wrong_size",
        "hands[1]",
        "seat 1 has 0 cards; judging by the other hands it should have 1",
    ),
    # a follower who had to follow and did not
    (
        {"trick": ["F7", "W9"], "hands": [["W1"], ["F9"], ["E2", "A5"]]},
        "illegal_play",
        "trick[1]",
        "seat 1 could not play W9 to Fire: F9 in hands[1] had to follow",
    ),
    (
        {"trick": ["F7", "D:W"], "hands": [["W1"], ["F9"], ["E2", "A5"]]},
        "illegal_play",
        "trick[1]",
        "seat 1 could not play D:W to Fire: F9 in hands[1]",
    ),
    (
        {"trick": ["D:E", "T1", "A5"], "hands": [["W1"], ["F9"], ["E2"]]},
        "illegal_play",
        "trick[2]",
        "seat 2 could not play A5 to Earth: E2 in hands[2]",
    ),
]


@pytest.mark.parametrize(("keys", "code", "path", "words"), KNOWN_FAULTS)
def test_faults_of_known_positions(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(ENDING, **keys), code, path, words)


@pytest.mark.parametrize(
    "trick",
    [["F7", "T1"], ["F7", "D:F"], ["T2", "W9"], ["T2", "D:W"], ["W7", "A9"]],
)
def test_plays_that_a_holder_of_fire_may_make(trick: list[str]) -> None:
    position = parse_position(change(ENDING, trick=trick, hands=[["W1"], ["F9"], ["E2", "A5"]]))
    assert isinstance(position, KnownPosition)


def test_fifteen_cards_are_too_many_once_one_is_picked() -> None:
    hands = [CODES[15 * seat : 15 * seat + 15] for seat in range(3)]
    refused(change(ENDING, trick=[], hands=hands), "wrong_size", "hands[0]", "at most 14")


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hands": [TWELVES[0][:11], *TWELVES[1:]]}, "wrong_size", "hands[0]", "before its pick a hand has 12"),
        ({"hands": TWELVES[:3]}, "wrong_size", "hands[0]", "before its pick a hand has 15"),
        ({"won": [[], ["W2"], [], []]}, "duplicate_card", "won[1][0]", "W2 is in hands[1][0]"),
        ({"won": [[], []]}, "wrong_size", "won", "4 players"),
        (
            {"hands": [TWELVES[0][1:], *TWELVES[1:]], "won": [["F1"], [], [], []]},
            "conflict",
            "seat",
            "seat 0 is to pick, but has already picked F1",
        ),
        (
            {"hands": [TWELVES[0], TWELVES[1][2:], *TWELVES[2:]], "won": [[], ["W2"], [], []]},
            "wrong_size",
            "hands[1]",
            "after its pick a hand has 11",
        ),
        (
            {"hands": [TWELVES[0], TWELVES[1][2:], *TWELVES[2:]], "won": [[], ["W2", "W3"], [], []]},
            "wrong_size",
            "won[1]",
            "seat 1 picks one card, not 2",
        ),
        ({"removed": ["T5"]}, "wrong_size", "removed", "2 cards are removed, not 1"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"leader": 4}, "out_of_range", "leader", "seats are 0 to 3"),
        ({"stage": "take"}, "unknown_value", "stage", "pick"),
        ({"trick": []}, "unknown_key", "trick", "trick"),
    ],
)
def test_faults_before_the_round(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(BEFORE, **keys), code, path, words)


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hand": TWELVES[1][:11]}, "wrong_size", "hand", "12 of 4 players"),
        ({"hand": TWELVES[1][:10]}, "wrong_size", "removed", "with 5 players 0 cards are removed, not 2"),
        ({"removed": None}, "wrong_size", "removed", "2 cards are removed, not 0"),
        ({"removed": ["T5", "W5"]}, "duplicate_card", "removed[1]", "W5 is in hand[3]"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"won": [[], [], [], []]}, "unknown_key", "won", "won"),
    ],
)
def test_faults_of_views_before_the_round(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(BEFORE_SEEN, **keys), code, path, words)


WON = [["F1", "F2", "F3"], ["W1", "W2"], ["E1", "E2", *CODES[33:44]]]


@pytest.mark.parametrize(
    ("data", "code", "path", "words"),
    [
        ({"rounds": []}, "wrong_size", "rounds", "1"),
        ({"rounds": [{"won": WON}] * 4}, "wrong_size", "rounds", "3"),
        ({"rounds": [{"won": WON[:2]}]}, "wrong_size", "rounds[0].won", "3"),
        (
            {"rounds": [{"won": WON}, {"won": [*WON, ["T1"]]}]},
            "wrong_size",
            "rounds[1].won",
            "round 1 had 3 players",
        ),
        ({"rounds": [{"won": [["F1", "Z1"], *WON[1:]]}]}, "illegal_card", "rounds[0].won[0][1]", "'Z1'"),
        ({"rounds": [{"won": [["F1", "W1"], *WON[1:]]}]}, "duplicate_card", "rounds[0].won[1][0]", "W1 is in"),
        ({"rounds": [{"won": [[], *WON[1:]]}]}, "missing_card", "rounds[0].won[0]", "seat 0 has won the card"),
        (
            {"rounds": [{"won": [["F1"], ["W1"], ["E1"]]}]},
            "wrong_size",
            "rounds[0].won",
            "3 players win 17 to 45 cards in a round, picks included, not 3",
        ),
        ({"rounds": [{"won": [CODES[:30], CODES[30:44], CODES[44:]]}]}, "wrong_size", "rounds[0].won", "not 50"),
        ({"rounds": [{"won": WON, "history": []}]}, "unknown_key", "rounds[0].history", "history"),
        ({"deck": "mine", "rounds": [{"won": WON}]}, "unknown_deck", "deck", "'mine'"),
    ],
)
def test_faults_of_records(data: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_record({"game": "king", "deck": "house"} | data)
    assert (found.value.code, found.value.path) == (code, path), found.value.message
    assert words in found.value.message
