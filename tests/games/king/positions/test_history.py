"""What the finished tricks of King × Alchemy tell of hidden hands, and what contradicts them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.errors import RequestError
from solver.games.king import GAME
from solver.games.king.position import KnownPosition
from solver.positions import parse_position, position_data
from tests.games.king.examples import CODES, DECK, SEEN, TWELVES, change, refused

pytestmark = pytest.mark.small


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        (
            {"hand": [*TWELVES[0][2:], "E5"]},
            "wrong_size",
            "hand",
            "11 cards; after the cards played it should have 10",
        ),
        ({"hand": [*TWELVES[0][3:], "F2"]}, "duplicate_card", "won[0][1]", "F2 is in hand[9]"),
        ({"hand": [*TWELVES[0][3:], "F1"]}, "duplicate_card", "won[0][0]", "F1 is in hand[9]"),
        ({"hand": [*TWELVES[0][3:], "T5"]}, "duplicate_card", "removed[0]", "T5 is in hand[9]"),
        ({"removed": ["T5"]}, "wrong_size", "removed", "2 cards are removed, not 1"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"leader": 4}, "out_of_range", "leader", "seats are 0 to 3"),
        ({"leader": 1}, "conflict", "leader", "seat 0 leads now, not seat 1"),
        ({"hands": []}, "unknown_key", "hands", "hands"),
        # piles that do not agree with the tricks
        ({"won": [["F2"], ["W2"], ["E3"], ["A4"]]}, "missing_card", "won[0]", "seat 0 has none"),
        ({"won": [["F1", "F2"], [], ["E3"], ["A4"]]}, "missing_card", "won[1]", "seat 1 has none"),
        ({"won": [["F1", "F2"], ["W2", "W4"], ["E3"], ["A4"]]}, "conflict", "won[1]", "seat 1 has 2: W2 W4"),
        ({"won": [["F1", "F2", "W3"], ["W2"], ["E3"], ["A4"]]}, "conflict", "won[0][2]", "seat 0 has not won W3"),
        ({"won": [["F1"], ["F2"], ["E3"], ["A4"]]}, "conflict", "won[1][0]", "seat 1 has not won F2"),
        # takings
        ({"history": [{"cards": ["F2", "W3", "E4", "A5"]}]}, "missing_key", "history[0].leader", "leader"),
        ({"history": [{"leader": 0, "cards": ["F2", "W3", "E4"]}]}, "wrong_size", "history[0].cards", "4 cards"),
        (
            {"taken": ["W3"]},
            "illegal_taking",
            "history[0].taken[0]",
            "W3 may not be taken: its number is not below 2",
        ),
        ({"taken": ["F2"]}, "illegal_taking", "history[0].taken[0]", "F2 won the trick and is kept"),
        ({"taken": ["W5"]}, "illegal_taking", "history[0].taken[0]", "W5 is not in the trick"),
        ({"taken": ["D:F"]}, "illegal_card", "history[0].taken[0]", "it is D"),
        ({"given": "W3"}, "illegal_taking", "history[0].given", "this trick has no bottom"),
        ({"given": "Q"}, "illegal_card", "history[0].given", "'Q'"),
        # the hand shows what had to be played
        ({"hand": [*TWELVES[0][3:], "A6"], "seat": 1}, "illegal_play", "history[0].cards[1]", "seat 1 could not"),
    ],
)
def test_faults_of_views(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    trick = {key: keys.pop(key) for key in ("taken", "given") if key in keys}
    if trick:
        keys["history"] = [SEEN["history"][0] | trick]
    refused(change(SEEN, **keys), code, path, words)


# Seat 3 won with F11: F3 and two of F4 F5 E1 are below; F3's player is the bottom.
TAKEN: dict[str, Any] = {"leader": 0, "cards": ["F4", "F3", "E1", "F11"], "taken": ["E1", "F3"], "given": "F4"}


@pytest.mark.parametrize(
    ("keys", "path", "words"),
    [
        ({"taken": ["F3"]}, "taken", "of F3 F4 E1 exactly 2 must be taken with F11, not 1"),
        ({"taken": ["F3", "F3"]}, "taken[1]", "F3 is taken twice"),
        ({"taken": ["F3", "F4", "E1"], "given": None}, "taken", "not 3"),
        ({"given": "F3"}, "given", "F3 is not among the cards left of the trick: F4"),
        ({"given": "F11"}, "given", "F11 is not among"),
    ],
)
def test_faults_of_takings(keys: dict[str, Any], path: str, words: str) -> None:
    start = GAME.deal(1)
    assert isinstance(start, KnownPosition)
    left = [code for code in CODES if code not in TAKEN["cards"]]
    hands = [left[10 * seat : 10 * seat + 10] for seat in range(4)]
    picks = left[40:44]
    data: dict[str, Any] = {
        "game": "king", "deck": "house", "leader": 3, "hands": hands, "won": [[code] for code in picks],
    }  # fmt: skip
    known = parse_position(data | {"history": [TAKEN]})
    assert isinstance(known, KnownPosition)
    assert known.piles[3] == sum(1 << DECK.index[code] for code in ("F11", "F3", "E1", picks[3]))
    assert known.piles[1] == sum(1 << DECK.index[code] for code in ("F4", picks[1]))
    trick = {key: value for key, value in (TAKEN | keys).items() if value is not None}
    refused(data | {"history": [trick]}, "illegal_taking", f"history[0].{path}", words)


def test_a_dancer_by_another_name_tells_that_the_suit_is_out() -> None:
    hands = [CODES[33:43], CODES[11:21], CODES[22:32], CODES[1:11]]
    data: dict[str, Any] = {
        "game": "king", "deck": "house", "leader": 0, "hands": hands,
        "won": [["T1"], ["T2"], ["T3"], ["T4"]],
        "history": [{"leader": 0, "cards": ["A11", "D:W", "E11", "F1"], "taken": ["F1", "D"]}],
    }  # fmt: skip
    known = parse_position(data)
    assert isinstance(known, KnownPosition)
    assert [known.past.excluded(seat) for seat in range(4)] == [0, *[DECK.of_suit[3]] * 3]
    swapped = [hands[1], hands[0], *hands[2:]]
    refused(
        data | {"hands": swapped}, "illegal_play", "history[0].cards[1]", "seat 1 could not play D:W to Wind: A1"
    )
    # by its own name it tells nothing
    free = data | {"history": [data["history"][0] | {"cards": ["A11", "D:A", "E11", "F1"], "given": "E11"}]}
    named = parse_position(free)
    assert isinstance(named, KnownPosition)
    assert named.past.excluded(1) == 0


def test_a_card_shown_later() -> None:
    hands = [CODES[33:42], CODES[11:20], [*CODES[22:31], "A10"], [*CODES[1:10], "E11"]]
    tricks = [{"leader": 0, "cards": ["F11", "W10", "E10", "W11"], "taken": ["W10", "E10"]}]
    data = {
        "game": "king", "deck": "house", "leader": 0, "trick": ["A11", "F1"], "hands": hands,
        "won": [["T1"], ["T2"], ["T3"], ["T4"]], "history": tricks,
    }  # fmt: skip
    refused(data, "illegal_play", "history[0].cards[1]", "F1 (later trick[1]) had to follow")


def test_a_view_that_no_deal_agrees_with() -> None:
    # Nobody but seat 0 had Fire, Water or Earth: too few cards are left for three hands
    history = [
        {"leader": 0, "cards": ["F11", "A1", "A2", "A3"], "taken": ["A1", "A2"]},
        {"leader": 0, "cards": ["W11", "A4", "A5", "A6"], "taken": ["A4", "A5"]},
        {"leader": 0, "cards": ["E11", "A7", "A8", "A9"], "taken": ["A7", "A8"]},
    ]
    won = [["F11", "A1", "A2", "W11", "A4", "A5", "E11", "A7", "A8", "F10"], ["F9"], ["F8"], ["F7"]]
    data = change(SEEN, hand=CODES[11:19], won=won, history=history)
    refused(data, "conflict", "history", "no deal agrees with this: seat 1 must hold 8 cards")
    refused(data, "conflict", "history", "the plays: A1 to Fire (history[0].cards[1]), A4 to Water")


def test_a_trick_that_no_deal_agrees_with() -> None:
    # Fire is led, and nobody else has any: the other ten are in no hand
    data = {
        "game": "king", "deck": "house", "seat": 0, "leader": 0, "trick": ["F11", "A1", "A2", "A3"],
        "hand": [*CODES[11:20], "E1"], "won": [["T1"], ["T2"], ["T3"], ["T4"]], "removed": ["T5", "D"],
    }  # fmt: skip
    refused(data, "conflict", "trick", "A1 to Fire (trick[1]), A2 to Fire (trick[2]), A3 to Fire (trick[3])")


def test_a_known_position_with_its_history() -> None:
    rng = random.Random(5)
    position: Any = GAME.deal(5)
    while position.history is None or len(position.history) < 3:
        position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
    data = position_data(position)
    assert parse_position(data) == position
    refused(
        data | {"leader": (position.leader + 1) % 4}, "conflict", "leader", f"seat {position.leader} leads now"
    )
    # piles may be left out: what was won in the tricks is known
    without = parse_position({key: value for key, value in data.items() if key != "won"})
    assert isinstance(without, KnownPosition)
    for seat in range(4):
        picked = position.piles[seat] & ~without.piles[seat]
        assert picked.bit_count() == 1
    with pytest.raises(RequestError, match="the cards picked before the first trick"):
        GAME.view(without, 0)
