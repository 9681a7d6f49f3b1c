"""The text of moves: printed and read again, in any order of sides and cards, and refused when not legal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import registry
from solver.errors import MoveError
from solver.games.alchemy.deck import JOKER, NONE, Move, cards, discard, parse_move
from solver.games.alchemy.rules import match_of, matches
from solver.positions import parse_position
from tests.reference import alchemy as ref

GAME = registry.game("alchemy")

SOLO = {"game": "alchemy", "variant": "solo", "cap": 6, "line": ["4", "7", "K", "2", "9", "A"], "hand": "6"}
STUCK = {"game": "alchemy", "variant": "solo", "cap": 3, "line": ["2", "4", "6"], "hand": "9", "unseen": ["K"]}
DUEL = {
    "game": "alchemy",
    "variant": "duel",
    "line": ["4", "7", "K", "2", "9", "A"],
    "hand": "6",
    "opponent_hand": "3",
}
FREE = {"game": "alchemy", "variant": "free", "min_line": 2, "line": ["4", "7", "T", "3"], "hand": "7", "cards": 2}
OVER = {"game": "alchemy", "variant": "solo", "cap": 4, "line": ["2"], "stock": []}


@pytest.mark.covered
@pytest.mark.small
@given(st.lists(st.integers(1, 13), min_size=1, max_size=7), st.integers(0, 13), st.data())
def test_printed_moves_read_back_in_any_order(line: list[int], hand: int, data: st.DataObject) -> None:
    moves = list(matches(line, hand, 1))
    for move, (used, sides) in zip(moves, ref.matches(line, hand, 1).items(), strict=True):
        assert str(move) == ref.text(used, sides, hand)
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    sides_in_text = [data.draw(st.permutations(cards(side))) for side in data.draw(st.permutations(move.sides))]
    suits = st.sampled_from(["", "S", "h", "♦", "c"])
    tens = st.sampled_from(["10", "T"])

    def typed(word: str) -> str:
        return (data.draw(tens) if word == "10" else word) + data.draw(suits)

    space = data.draw(st.sampled_from(["", " "]))
    text = f"{space}={space}".join(f"{space}+".join(map(typed, side)) for side in sides_in_text)
    read = parse_move(text, hand)
    assert read == move
    assert read.used == move.used
    # What is read is itself a balanced split of these cards, if not always the canonical one.
    assert read.sides
    assert sum(read.sides[0]) == sum(read.sides[1])
    assert str(match_of(read.used, hand)) == str(move)


def test_another_split_of_the_same_cards_is_the_same_move() -> None:
    data = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["3", "A", "3", "2"], "hand": "3"}
    position = parse_position(data)
    for text in ("3+3=3+2+A", "3+2+A=3+3", "A+3+2=3+3"):
        move = GAME.parse_move(position, text)
        assert GAME.format_move(position, move) == "3+A+2=3+3"
        assert move == Move("match", (1, 2, 3, 3))
        assert hash(move) == hash(Move("match", (1, 2, 3, 3)))


def test_the_hand_leads_its_side_and_a_joker_is_in_no_sum() -> None:
    assert str(parse_move("4+9=7+6", 6)) == "6+7=4+9"
    assert str(parse_move("9=5+4", JOKER)) == "4+5=9"
    assert str(parse_move("discard T", 6)) == "discard 10"
    assert str(parse_move("  none ", 6)) == "none"
    assert parse_move("none", 6) is NONE
    assert parse_move("discard KS", 6) == discard(13)


@pytest.mark.parametrize(
    "text",
    ["", "6", "6+7", "6=", "=6", "6==6", "6+7=4+9=13", "6+7=4+8", "6+X=6", "X=X", "6+7=4++9", "6+7=4+Z", "pass",
     "discard", "discard X", "discard 3 4", "discard 14", "none none", "0=0", "1=1", "6+7=13"],
)  # fmt: skip
def test_unreadable_moves(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        parse_move(text, 6)
    assert caught.value.code == "illegal_move"
    assert caught.value.message


def test_a_match_must_use_the_hand() -> None:
    with pytest.raises(MoveError, match="does not use the hand, K"):
        parse_move("4+5=9", 13)
    with pytest.raises(MoveError, match="does not use the hand, no card"):
        parse_move("4+5=9", None)


@pytest.mark.small
@pytest.mark.parametrize(
    ("data", "text", "message"),
    [
        (SOLO, "6+4=10", "no 10 left for it"),
        (SOLO, "6+6=4+4+4", "no 4 left for it"),
        (SOLO, "6+7=K", "uses 2 line cards; a match here uses at least 3"),
        (SOLO, "discard K", "a match exists, and it may not be declined"),
        (SOLO, "discard 8", "no 8 left for it"),
        (SOLO, "none", "only a duel player may decline"),
        (STUCK, "none", "only a duel player may decline"),
        (STUCK, "discard 9", "no 9 left for it"),
        (DUEL, "discard K", "may not be declined"),
        (FREE, "7+3=T", None),
        (FREE, "7=7", "uses 1 line cards; a match here uses exactly 2"),
        (FREE, "7+4+3=7+7", "no 7 left for it"),
        (FREE, "none", "only a duel player may decline"),
        (OVER, "discard 2", "the game is over"),
        (OVER, "2=2", "does not use the hand, no card"),
    ],
)
def test_moves_that_the_position_does_not_allow(data: dict[str, Any], text: str, message: str | None) -> None:
    position = parse_position(data)
    if message is None:
        assert str(GAME.parse_move(position, text)) == "7+3=10"
        return
    with pytest.raises(MoveError) as caught:
        GAME.parse_move(position, text)
    assert caught.value.code == "illegal_move"
    assert message in caught.value.message


@pytest.mark.small
@pytest.mark.parametrize("data", [SOLO, STUCK, DUEL, FREE, OVER])
def test_legal_moves_are_the_references_and_read_back(data: dict[str, Any]) -> None:
    position = parse_position(data)
    moves = GAME.legal_moves(position)
    for move in moves:
        read = GAME.parse_move(position, GAME.format_move(position, move))
        assert read == move
        assert str(read) == str(move)
    line = [13 if c == "K" else 1 if c == "A" else 10 if c == "T" else int(c) for c in data["line"]]
    hand = int(data.get("hand", 0))
    if data in (SOLO, STUCK):
        assert [(m.kind, m.used) for m in moves] == ref.solitaire_moves("solo", line, hand)
    elif data is DUEL:
        assert [m.used for m in moves] == [*ref.matches(line, hand, 1), ()]
    elif data is FREE:
        assert [m.used for m in moves] == [used for used in ref.matches(line, hand, 2) if len(used) == 2]
    else:
        assert not moves
