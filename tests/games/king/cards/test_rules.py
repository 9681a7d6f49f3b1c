"""King × Alchemy's rules and rulings, and those of the reference, on tricks worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from solver.common import mask
from solver.games.king import rules
from solver.games.king.deck import house
from solver.games.king.rules import Play, State, move_text, parse, play_of
from tests.games.king.cards import reference_states as reference

DECK = house()


def plays(text: str) -> tuple[Play, ...]:
    found = tuple(play_of(DECK, word) for word in text.split())
    assert all(isinstance(play, Play) for play in found), found
    return found  # type: ignore[return-value]


def cards(text: str) -> int:
    return mask(DECK.index[code] for code in text.split())


def texts(found: Sequence[Play]) -> list[str]:
    return [move_text(DECK, move) for move in found]


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        # the leader plays anything; a led Dancer names its suit
        ("F9 T1 D", "", "F9 T1 D:F D:W D:E D:A"),
        # who holds the lead suit: one of those, a trump, or the Dancer by that name
        ("F9 E3 T1 D", "F7", "F9 T1 D:F"),
        ("F9 F2 E3", "F7 W2", "F2 F9"),
        ("F9 E3", "D:E", "E3"),
        ("F3 W4 T2", "D:E", "F3 W4 T2"),
        # holding the Dancer is not holding the lead suit
        ("E3 T1 D", "F7", "E3 T1 D:F D:W D:E D:A"),
        ("D", "F7", "D:F D:W D:E D:A"),
        # nor are trumps a suit that must be followed with
        ("A1 T2", "F7", "A1 T2"),
        # to a led trump anything goes
        ("F9 T1 D", "T4", "F9 T1 D:F D:W D:E D:A"),
        # what others have played makes no difference
        ("F9 E3", "F7 T5", "F9"),
    ],
)
def test_what_may_be_played(hand: str, trick: str, legal: str) -> None:
    assert texts(rules.playable(DECK, cards(hand), plays(trick))) == legal.split()
    hands = [hand if seat == len(trick.split()) else "" for seat in range(3)]
    assert reference.moves(reference.state(hands, trick=trick)) == legal.split()


TRICKS = [
    # trick, winner, bottom, takings
    ("F7 F9 E1", "F9", "F7", ["take F7 E1"]),
    ("F7 W9 E1", "F7", None, ["take E1"]),
    ("F7 F9 E1 W2", "F9", "F7", ["take F7 W2 give E1", "take F7 E1 give W2", "take W2 E1 give F7"]),
    ("F7 F8 W9 E11", "F8", "F7", ["take F7 give W9", "take F7 give E11"]),
    ("F9 F3 W2 E5 A10", "F9", "F3", [
        "take F3 W2 give E5", "take F3 W2 give A10", "take F3 E5 give W2", "take F3 E5 give A10",
        "take W2 E5 give F3", "take W2 E5 give A10",
    ]),
    ("F7 F9 F8 F10", "F10", "F7", ["take F7 F8 give F9", "take F7 F9 give F8", "take F8 F9 give F7"]),
    # nobody followed: no bottom, so nothing is given
    ("F7 W1 W2 W3", "F7", None, ["take W1 W2", "take W1 W3", "take W2 W3"]),
    # equal numbers are not lower
    ("F3 E3 W3", "F3", None, ["take -"]),
    # a trump wins: whoever is lowest of the lead suit is the bottom, the leader alone too
    ("F7 T1 E2", "T1", "F7", ["take - give F7", "take - give E2"]),
    ("F7 F3 T2", "T2", "F3", ["take - give F3", "take - give F7"]),
    ("F7 T2 T4", "T4", "F7", ["take T2 give F7"]),
    ("F1 F2 T3", "T3", "F1", ["take F1 F2"]),
    ("F5 F9 F3 W1 T1", "T1", "F3", ["take - give F3", "take - give F5", "take - give F9", "take - give W1"]),
    # the Dancer lifted by a trump, played before or after it, is no card of the lead suit
    ("F7 T5 D:F", "D:F", "F7", ["take T5 give F7"]),
    ("F3 D:F T1", "D:F", "F3", ["take F3 T1"]),
    ("F3 T1 D:W", "D:W", "F3", ["take F3 T1"]),
    ("D:W W2 T1", "D:W", "W2", ["take W2 T1"]),
    ("D:F F9 T1", "D:F", "F9", ["take T1 give F9"]),
    ("D:F T1 F9 F11", "D:F", "F9", ["take T1 give F9", "take T1 give F11"]),
    ("D:W F1 T1", "D:W", None, ["take F1 T1"]),
    ("D:W W2 W1 T1 E9", "D:W", "W1", [
        "take W1 W2 give E9", "take W1 W2 give T1", "take W1 T1 give W2", "take W1 T1 give E9",
        "take W2 T1 give W1", "take W2 T1 give E9",
    ]),
    # the Dancer by the lead suit's name, with its number 6; on equal numbers it is the lower
    ("F5 D:F F2", "D:F", "F2", ["take F2 F5"]),
    ("D:W W8 F1", "W8", "D:W", ["take F1 D"]),
    ("D:W W6 F1", "W6", "D:W", ["take F1 give D"]),
    ("F6 D:F F8", "F8", "D:F", ["take F6 D"]),
    ("F6 D:F W6", "F6", "D:F", ["take - give W6", "take - give D"]),
    ("D:E E5 E3", "D:E", "E3", ["take E3 E5"]),
    ("D:W F1 E2", "D:W", None, ["take F1 E2"]),
    # by another name it loses
    ("F7 D:W E1", "F7", None, ["take E1 D"]),
    ("F7 F8 D:W", "F8", "F7", ["take F7 D"]),
    # a led trump: the trumps are the cards of the lead suit
    ("T3 F11 T1", "T3", "T1", ["take T1 give F11"]),
    ("T3 F1 E2", "T3", None, ["take F1 E2"]),
    ("T4 T2 T3", "T4", "T2", ["take T2 T3"]),
    ("T2 F9 T4 W1", "T4", "T2", ["take W1 T2 give F9"]),
    ("T3 D:F T2", "D:F", "T2", ["take T2 T3"]),
    ("T3 D:F E1", "D:F", "T3", ["take E1 T3"]),
    ("T3 T1 T5 D:F E9", "D:F", "T1", [
        "take T1 T3 give E9", "take T1 T3 give T5", "take T1 T5 give E9", "take T1 T5 give T3",
        "take T3 T5 give E9", "take T3 T5 give T1",
    ]),
    ("T1 F1 F2", "T1", None, ["take -"]),
]  # fmt: skip


@pytest.mark.parametrize(("trick", "winner", "bottom", "takings"), TRICKS)
def test_tricks(trick: str, winner: str, bottom: str | None, takings: list[str]) -> None:
    played, words = plays(trick), trick.split()
    assert words[rules.winner(DECK, played)] == winner
    lowest = rules.bottom(DECK, played)
    assert (None if lowest is None else words[lowest]) == bottom
    found = [move_text(DECK, taking) for taking in rules.takings(DECK, played)]
    assert found == takings
    assert reference.judged(trick) == (winner, bottom)
    assert reference.takings(trick) == takings


def test_a_trick_from_the_lead_to_the_next() -> None:
    state = State(DECK, (cards("F7 W1"), cards("F9 D"), cards("E2 A5")), 0, (), (0, cards("T1"), 0))
    assert state.to_move == 0
    for text, to_move in (("F7", 1), ("D:F", 2), ("E2", 0)):
        move = parse(DECK, text)
        assert move in rules.legal_moves(state)
        state = rules.play(state, move)
        assert state.to_move == to_move
    assert state.full
    # F7 beats the Dancer's 6, who is the bottom; both lower cards are taken, and nothing is left to give
    (move,) = rules.legal_moves(state)
    state = rules.play(state, move)
    assert state.won == (cards("F7 E2 D"), cards("T1"), 0)
    assert (state.leader, state.to_move, state.trick, state.over) == (0, 0, (), False)


def test_what_is_given_goes_to_the_bottom() -> None:
    state = State(DECK, (0, cards("F1"), 0, 0), 2, plays("F8 F2 W9"), (0, 0, 0, 0))
    state = rules.play(state, plays("F1")[0])
    assert state.to_move == 2
    state = rules.play(state, parse(DECK, "take F2 F1 give W9"))
    assert state.won == (0, cards("W9"), cards("F8 F2 F1"), 0)
    assert state.over
    assert rules.legal_moves(state) == []


def test_what_remains_is_discarded() -> None:
    state = State(DECK, (0,) * 5, 4, plays("F8 F2 W9 E10 A11"), (0,) * 5)
    after = rules.play(state, parse(DECK, "take F2 give A11"))
    assert after.won == (cards("A11"), 0, 0, 0, cards("F8 F2"))
