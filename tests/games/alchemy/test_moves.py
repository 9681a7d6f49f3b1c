"""Alchemy's moves: the reference by hand, and the text of moves, printed, read again and refused."""

from __future__ import annotations

from fractions import Fraction
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

# The reference against cases worked out by hand from the rules. -------------------------------------------------

Cards = tuple[int, ...]


def first(cap: int, line: Cards, hand: int, moves: list[ref.Move]) -> ref.Move:
    return moves[0]


def test_matches_and_witnesses() -> None:
    assert ref.matches([9, 4, 7], 6, 3) == {(4, 7, 9): ((7,), (4, 9))}
    # the same ranks are the same move; three fives are odd
    assert ref.matches([5, 5], 5, 1) == {(5,): ((), (5,))}
    assert ref.matches([2, 3], 9, 1) == {}
    # 3+1+2 = 3+3 and 3+3 = 1+2+3 are one move; as lists (1, 2) comes before (3,), though it is longer
    assert ref.matches([3, 1, 3, 2], 3, 4) == {(1, 2, 3, 3): ((1, 2), (3, 3))}


def test_canonical_order_is_prefix_first() -> None:
    assert list(ref.matches([2, 1, 1], 2, 1)) == [(1, 1), (1, 1, 2), (2,)]
    assert list(ref.matches([2, 1, 1], 2, 3)) == [(1, 1, 2)]


def test_joker_hand_is_in_no_sum() -> None:
    assert ref.matches([9, 5, 4], 0, 1) == {(4, 5, 9): ((4, 5), (9,))}
    assert ref.matches([9, 5, 4], 0, 4) == {}
    assert ref.matches([7], 0, 0) == {}  # both parts are non-empty
    # 1+4 = 2+3: the smallest side leads
    assert list(ref.matches([4, 3, 2, 1], 0, 1).items()) == [
        ((1, 2, 3), ((1, 2), (3,))),
        ((1, 2, 3, 4), ((1, 4), (2, 3))),
        ((1, 3, 4), ((1, 3), (4,))),
    ]


def test_text() -> None:
    assert ref.text((4, 7, 9), ((7,), (4, 9)), 6) == "6+7=4+9"
    assert ref.text(("match", (2, 11)), ((), (2, 11)), 13) == "K=2+J"
    assert ref.text((1, 2, 3, 3), ((1, 2), (3, 3)), 3) == "3+A+2=3+3"
    assert ref.text((10,), ((), (10,)), 10) == "10=10"
    assert ref.text((4, 5, 9), ((4, 5), (9,)), 0) == "4+5=9"
    assert ref.text(("discard", (12,)), None, 5) == "discard Q"
    assert ref.text(("none", ()), None, 5) == "none"


def test_solitaire_moves() -> None:
    # 9 = 9 is a match of one line card: enough for alternative, not for solo, and m never falls with cap
    assert ref.solitaire_moves("alternative", [9, 3, 2], 9) == [("match", (9,))]
    assert ref.solitaire_moves("solo", [9, 2, 9], 7) == [("discard", (2,)), ("discard", (9,))]
    assert ref.solitaire_moves("solo", [1, 2, 3], 6) == [("match", (1, 2, 3))]


def test_last_stock_card_wins_whatever_follows() -> None:
    assert ref.solitaire_left("solo", 3, [1, 1, 13], 5, []) == {("discard", (1,)): 0, ("discard", (13,)): 0}
    assert ref.win_probability("solo", 3, [1, 1, 13], 5, []) == {
        ("discard", (1,)): 1,
        ("discard", (13,)): 1,
    }


def test_no_match_at_cap_3_loses_while_the_stock_lasts() -> None:
    assert ref.solitaire_left("solo", 3, [1, 1, 13], 5, [2]) == {("discard", (1,)): 1, ("discard", (13,)): 1}
    assert ref.solitaire_left("alternative", 3, [2, 4, 9], 10, [3, 3]) == {
        ("discard", (2,)): 2,
        ("discard", (4,)): 2,
        ("discard", (9,)): 2,
    }


def test_the_discard_matters() -> None:
    # keep 1 1 1 for the 3; then the refill takes the 9, the last stock card
    assert ref.solitaire_left("solo", 4, [1, 1, 1, 13], 5, [3, 9]) == {
        ("discard", (1,)): 1,
        ("discard", (13,)): 0,
    }
    assert ref.win_probability("solo", 4, [1, 1, 1, 13], 5, [9, 3]) == {
        ("discard", (1,)): 0,
        ("discard", (13,)): Fraction(1, 2),
    }


def test_the_line_is_refilled_before_the_hand_is_drawn() -> None:
    # refilled with the 9, then 5 = 2+3 and the 8 is the refill: won
    assert ref.solitaire_left("alternative", 3, [2, 3, 9], 9, [9, 5, 8]) == {("match", (9,)): 0}
    # refilled with the 5, the 9 has no match
    assert ref.solitaire_left("alternative", 3, [2, 3, 9], 9, [5, 9, 8]) == {("match", (9,)): 1}


def test_not_seeing_the_stock() -> None:
    # Discard 1, line 1 1 1 13: a 3 or 11 next matches and the refill ends the stock. On a 7 either the 13
    # goes (1 1 1 waits for the 3) or a 1 goes (1 1 13 waits for the 11): even odds blind, sure when the
    # order is known.
    # Discard 13, line 1 1 1 1: the 3 is wanted first or second; nothing is left to choose.
    deal = ("solo", 5, [1, 1, 1, 1, 13], 6, [3, 7, 11])
    assert ref.win_probability(*deal) == {
        ("discard", (1,)): Fraction(5, 6),
        ("discard", (13,)): Fraction(2, 3),
    }
    assert ref.clairvoyant(*deal) == {("discard", (1,)): 1, ("discard", (13,)): Fraction(2, 3)}
    assert ref.solitaire_left("solo", 5, [1, 1, 1, 1, 13], 6, [7, 11, 3]) == {
        ("discard", (1,)): 0,
        ("discard", (13,)): 1,
    }


def test_the_better_choice_is_made_blind() -> None:
    # As above with a second 3. Line 1 1 1 13, a 7 (one in four): 1 1 1 is kept, good for two of three cards.
    # Line 1 1 1 1: a 3 at once (1/2), else a 3 next (2/3).
    deal = ("solo", 5, [1, 1, 1, 1, 13], 6, [3, 3, 7, 11])
    assert ref.win_probability(*deal) == {
        ("discard", (1,)): Fraction(11, 12),
        ("discard", (13,)): Fraction(5, 6),
    }
    assert ref.clairvoyant(*deal) == {("discard", (1,)): 1, ("discard", (13,)): Fraction(5, 6)}


def test_equal_unseen_cards_weigh_twice() -> None:
    # 1 1 1 is left at cap 3; the next card wins if it is one of two 3s, loses if it is the 9
    chance = {("discard", (1,)): 0, ("discard", (13,)): Fraction(2, 3)}
    assert ref.win_probability("solo", 4, [1, 1, 1, 13], 5, [3, 9, 3]) == chance
    assert ref.clairvoyant("solo", 4, [1, 1, 1, 13], 5, [3, 9, 3]) == chance


def test_play_solitaire() -> None:
    # the second game ends at cap 2 and with no stock: won
    d8, d9 = ("discard", (8,)), ("discard", (9,))
    assert ref.play_solitaire("alternative", [8, 9, 10, 10, 5, 4, 7, 7], first) == (False, 2, [d8, d9])
    assert ref.play_solitaire("alternative", [8, 9, 10, 10, 5, 4], first) == (True, 0, [d8, d9])
    assert ref.play_solitaire("alternative", [8, 9, 10, 10, 5], first) == (True, 0, [d8])
    assert ref.play_solitaire("alternative", [2, 2, 2, 2, 2, 5], first) == (True, 0, [("match", (2,))])


def test_points() -> None:
    assert ref.points([]) == 0
    assert ref.points([13, 1, 1, 1, 7, 0]) == 16
    assert ref.points([1, 1, 1, 1]) == 10
    assert ref.points([1, 1, 1, 1, 1]) == 11


def test_duel_fourth_ace() -> None:
    # 3 = 1+2 with three aces in the pile: 7 + 1 + 1; the queen is left for 12 = 12
    assert ref.duel([12, 1, 2], 3, 12, 0, [1, 1, 1], []) == {
        ("match", (1, 2)): (9, 2, 7, False),
        ("none", ()): (0, 2, -2, False),
    }
    assert ref.duel([12, 1, 2], 3, 5, 0, [1, 1, 1], [])["match", (1, 2)] == (9, 0, 9, True)
    # two kings are 4; the opponent's two aces join two: 10 - 2
    assert ref.duel([1, 13], 13, 1, 0, [], [1, 1]) == {
        ("match", (13,)): (4, 8, -4, False),
        ("none", ()): (0, 8, -8, False),
    }


def test_duel_joker_on_the_table() -> None:
    # 6 = 1+2+3 is too short: five cards in all
    assert ref.duel([1, 2, 3, 6], 6, 6, 1, [], []) == {
        ("match", (1, 2, 3, 6)): (15, 0, 15, True),
        ("none", ()): (0, 15, -15, False),
    }
    # (a line of eight, to tell "too few cards are left" from "the rest of the line is discarded")
    assert ref.duel([1, 1, 2, 2, 3, 3, 6, 6], 6, 6, 1, [], [])["match", (1, 2, 3, 6)] == (15, 0, 15, True)


def test_duel_joker_in_the_hand() -> None:
    # four line cards among themselves, 1+2+3 = 6; 1+2 = 3 is too short; the joker is kept
    assert ref.duel([1, 2, 3, 6], 0, 6, 0, [], []) == {
        ("match", (1, 2, 3, 6)): (14, 0, 14, True),
        ("none", ()): (0, 5, -5, False),
    }
    assert ref.duel([1, 2, 3, 6], 13, 0, 0, [], []) == {("none", ()): (0, 14, -14, False)}
    # both at once: five line cards, and all set-aside jokers go along
    assert ref.duel([1, 2, 3, 6], 0, 0, 1, [], []) == {("none", ()): (0, 0, 0, True)}
    assert ref.duel([1, 2, 3, 6, 12], 0, 13, 2, [], [])["match", (1, 2, 3, 6, 12)] == (35, 0, 35, True)


def test_optimum() -> None:
    line = [2, 1, 1]  # with a 2: (1, 1), (1, 1, 2), (2,)
    assert ref.optimum(line, 2, 1, "most-cards") == 3
    assert ref.optimum(line, 2, 1, "fewest-cards") == 1
    assert ref.optimum(line, 2, 2, "fewest-cards") == 2
    assert ref.optimum(line, 2, 1, "most-points", cards=2) == 3
    assert ref.optimum(line, 2, 1, "most-cards", cards=4) is None
    assert ref.optimum([1, 1, 1], 1, 1, "most-points") == 10  # 1+1 = 1+1
    assert ref.optimum([4, 5, 9], 0, 1, "most-points") == 13


# The text of moves. ---------------------------------------------------------------------------------------------

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
        (SOLO, "6+7=K", "uses 2 of the line's cards; a match here uses at least 3"),
        (SOLO, "discard K", "a match exists, and it may not be declined"),
        (SOLO, "discard 8", "no 8 left for it"),
        (SOLO, "none", "only a duel player may decline"),
        (STUCK, "none", "only a duel player may decline"),
        (STUCK, "discard 9", "no 9 left for it"),
        (DUEL, "discard K", "may not be declined"),
        (FREE, "7+3=T", None),
        (FREE, "7=7", "uses 1 of the line's cards; a match here uses exactly 2"),
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
