"""The alchemy reference against cases worked out by hand from the rules."""

from fractions import Fraction

from tests.reference import alchemy as ref

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
