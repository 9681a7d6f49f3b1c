"""Moves of Aqua Regia as text, and why a move is refused."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import MoveError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import KnownPosition
from solver.positions import parse_position
from tests.games.aqua_regia.cards.states import after, position
from tests.games.aqua_regia.examples import KNOWN, SEEN, change

pytestmark = pytest.mark.small


@pytest.mark.parametrize("text", ["Fe Fe", " Fe  Fe ", "pass", "pass Fe>Pb", "pass Fe > Pb", "pass Li>K"])
def test_moves_are_read(text: str) -> None:
    at = parse_position(KNOWN | {"hands": [["Li", "Cu"], ["Au"], ["Fe", "Fe", "Li"]]} | {"known": None})
    move = GAME.parse_move(at, text)
    assert GAME.format_move(at, move).split() == text.replace(" > ", ">").split()
    assert move in GAME.legal_moves(at)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is not a move; moves are like"),
        ("Qq", "'Qq' is not a metal of the deck house"),
        ("Sn Fe", "cards played together must be of one metal"),
        ("pass Zn", "after pass write nothing, or"),
        ("pass Zn>Pb>Au", "after pass write nothing, or"),
        ("pass Zn>Qq", "'Qq' is not a metal"),
        ("pass >", "'' is not a metal"),
        ("Zn>Pb", "an exchange begins with pass: pass Zn>Pb"),
        ("Sn Sn Sn", "seat 2 does not hold 3 Sn"),
        ("Cu", "seat 2 does not hold 1 Cu"),
        ("Sn", "on 2 Zn, 2 or 3 cards must be played, not 1"),
        ("pass Cu>Pb", "seat 2 does not hold Cu"),
        ("pass Sn>K", "K is not stronger than Sn"),
        ("pass Fe>Cu", "there is no Cu in the discard pile"),
    ],
)
def test_moves_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(KNOWN), text)
    assert found.value.code == "illegal_move"
    assert words in found.value.message


@pytest.mark.parametrize(
    ("at", "text", "words"),
    [
        (position("Li", "K"), "pass", "seat 0 is the dealer, and must lead if it can"),
        (position("Li Au", "K"), "Au", "Au has reactivity 0 in water; 1 at once need 1 or more"),
        (position("Li Mg Mg", "K"), "Mg Mg", "Mg has reactivity 1 in water; 2 at once need 2 or more"),
        (position("Li K", "Na", table="Na", owner=1), "K", "K is not stronger than Na"),
        (
            position("Li", "Na", table="Na", owner=1, discard="Au Au Au Au"),
            "pass Li>Au",
            "all 4 Au are in the discard pile, so none may be taken",
        ),
        (after(position("Li", "Na"), "Li"), "pass", "the game is over: seat 0 has no cards left"),
        (parse_position(change(SEEN, turn=0)), "Fe Fe", "seat 0 is to move, not seat 2"),
        (parse_position(SEEN), "pass Fe>Pb", "the pass draws a card: make it (pass), then give the card as drawn"),
        (parse_position(SEEN | {"drawn": "Sn"}), "Sn Sn", "seat 2 has passed and drawn Sn"),
        (
            parse_position(change(SEEN, table=[], owner=None, field="water")),
            "Fe",
            "seat 2 has nothing to lead in water: the deal passes to the left automatically",
        ),
    ],
)
def test_why_a_move_is_refused(at: Any, text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(at, text)
    assert words in found.value.message
    if isinstance(at, KnownPosition):
        with pytest.raises(MoveError):
            GAME.play(at, _unchecked(at, text))


def _unchecked(at: KnownPosition, text: str) -> Any:
    from solver.games.aqua_regia.rules import move_of

    return move_of(at.metals, text)
