"""Moves of King × Alchemy as text, picks among them, and why a move is refused."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import MoveError, RequestError
from solver.games.king import GAME
from solver.games.king.position import KnownPosition, PickPosition, PickView
from solver.limits import Control
from solver.positions import parse_position
from tests.games.king.examples import BEFORE, BEFORE_SEEN, CARDS, ENDING, FULL, SEEN, TWELVES, change

pytestmark = pytest.mark.small


def test_picking() -> None:
    position = parse_position(BEFORE)
    assert GAME.view(position, 1) == parse_position(BEFORE_SEEN)
    assert [GAME.format_move(position, move) for move in GAME.legal_moves(position)] == TWELVES[0]
    after: Any = GAME.play(position, GAME.parse_move(position, " F3 "))
    assert isinstance(after, PickPosition)
    assert (after.seat, after.picked, len(after.hands[0])) == (1, (("F3",), (), (), ()), 11)
    with pytest.raises(RequestError, match="waits for the others"):
        GAME.view(after, 0)
    assert isinstance(GAME.view(after, 2), PickView)
    for text in ("W2", "E3", "T4"):
        after = GAME.play(after, GAME.parse_move(after, text))
    assert isinstance(after, KnownPosition)
    assert after.won == (("F3",), ("W2",), ("E3",), ("T4",))
    assert (after.leader, after.history) == (2, ())


def test_picking_the_dancer() -> None:
    hand = [*TWELVES[1][:11], "D"]
    asked = parse_position(BEFORE_SEEN | {"hand": hand, "removed": ["T5", "T4"]})
    dancer = GAME.legal_moves(asked)[-1]
    assert GAME.format_move(asked, dancer) == "D"
    assert GAME.parse_move(asked, "D") == dancer
    with pytest.raises(MoveError, match="'D:F' is a card as it is played"):
        GAME.parse_move(asked, "D:F")


@pytest.mark.parametrize(
    ("data", "text", "words"),
    [
        (ENDING, "", "'' is not a move"),
        (ENDING, "F9 D", "'F9 D' is not a move"),
        (ENDING, "F12", "'F12' is not a card of the deck house"),
        (ENDING, "D", "the Dancer is named a suit when it is played: D:F, D:W, D:E, D:A"),
        (ENDING, "D:W", "D:W may not be played to F7: seat 1 must follow with F9 or D:F"),
        (ENDING, "W1", "seat 1 does not hold W1"),
        (ENDING, "take F7", "nothing is to be taken: seat 1 is to play a card"),
        (FULL, "W1", "the trick is full: seat 0 takes, as in take E2 D"),
        (FULL, "take", "'take': say which cards are taken, or take -"),
        (FULL, "take E2 D give", "one card is given"),
        (FULL, "take E2 D give F7", "F7 is not among the cards left of the trick: none"),
        (FULL, "take E2", "of E2 D exactly 2 must be taken with F7, not 1"),
        (FULL, "take E2 D:F", "'D:F' is a card as it is played; in a hand or a pile it is D"),
        (FULL, "take -", "exactly 2 must be taken"),
        (FULL, "take E2 F7", "F7 won the trick and is kept"),
        (FULL, "take E2 E2", "E2 is taken twice"),
        (SEEN | {"seat": 0, "leader": 0}, "E1", "seat 0 does not hold E1"),
        (change(ENDING, trick=[], hands=[[], [], []]), "F1", "the round is over"),
        (BEFORE, "E1", "seat 0 does not hold E1"),
        (BEFORE, "take F1", "'take F1' is not a card"),
        (CARDS, "F11", "a set of cards cannot be played"),
    ],
)
def test_moves_that_are_none(data: dict[str, Any], text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(data), text)
    assert words in found.value.message


@pytest.mark.parametrize("data", [SEEN, BEFORE_SEEN])
def test_what_hidden_cards_forbid(data: dict[str, Any]) -> None:
    position = parse_position(data)
    with pytest.raises(RequestError) as found:
        GAME.play(position, GAME.legal_moves(position)[0])
    assert found.value.code == "hidden_cards"
    with pytest.raises(RequestError) as found:
        GAME.analyze(position, Control())
    assert found.value.code == "hidden_cards"
