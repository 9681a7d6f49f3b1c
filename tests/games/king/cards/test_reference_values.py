"""Scores and values of the King × Alchemy reference against positions worked out by hand from the rules."""

from __future__ import annotations

from tests.games.king.cards.reference_states import cards, state, values
from tests.reference import king as ref
from tests.reference.king_deck import HOUSE, Card, Deck

# ----------------------------------------------------------------------------------------- scores


def test_a_recipe_needs_all_its_ingredients_beside_it() -> None:
    assert ref.bonus(HOUSE, cards("F11 F10 W7")) == 7  # Electrum: Gold and Silver
    assert ref.bonus(HOUSE, cards("F11 F10")) == 0
    assert ref.bonus(HOUSE, cards("F10 W7")) == 0
    assert ref.scores(HOUSE, state([""] * 3, won=["F11 F10 W7", "E1", ""])) == (0 + 2 + 1 + 7, 3, 0)


def test_a_card_serves_once() -> None:
    # Electrum (7) and Amalgam (Quicksilver, Silver, Tin: 8) both want Silver: one of two, or both with E10
    pile = "F11 F10 E9 W2 W4 W7"
    assert ref.bonus(HOUSE, cards(pile)) == 8
    assert ref.bonus(HOUSE, cards(pile + " E10")) == 15


def test_a_carrier_is_a_carrier_or_an_ingredient() -> None:
    # T1, Gunpowder (9): Calcination, Saltpetre, Sulfur. F3, itself Calcination, makes Red Calx (5): Iron, Vitriol
    pile = "T1 F3 F4 F1 F5 W5"
    assert ref.bonus(HOUSE, cards(pile)) == 9
    assert ref.bonus(HOUSE, cards(pile + " E6")) == 14  # another Calcination serves Gunpowder


def test_two_smaller_works_can_beat_the_largest() -> None:
    # Quicksilver W2 serves Philosophical Mercury (E11: Antimony, Iron: 9) or Corrosive Sublimate (A3: Salt: 5);
    # W8, the Antimony, serves Flowers of Antimony (F9: Salt: 5) as well. With one Salt, 9 is best; two make 10.
    pile = "E11 A3 F9 W2 W8 F5 W1"
    assert ref.bonus(HOUSE, cards(pile)) == 9
    assert ref.bonus(HOUSE, cards(pile + " E4")) == 10


def test_a_recipe_may_need_one_thing_twice() -> None:
    cards = [
        Card("X", "F", 1, 0, None, 5, ("Salt", "Salt")),
        Card("Y", "F", 2, 0, "Salt"),
        Card("Z", "F", 3, 0, "Salt"),
    ]
    deck = Deck(cards)
    assert ref.bonus(deck, frozenset({0, 1})) == 0
    assert ref.bonus(deck, frozenset({0, 1, 2})) == 5


def test_a_carrier_does_not_serve_itself() -> None:
    deck = Deck([Card("X", "F", 1, 0, "Salt", 5, ("Salt",)), Card("Y", "F", 2, 0, "Salt", 3, ("Salt",))])
    assert ref.bonus(deck, frozenset({0})) == 0
    assert ref.bonus(deck, frozenset({0, 1})) == 5  # either may be made, not both


# ------------------------------------------------------------------------------------ values, by hand


def test_the_last_trick_without_a_choice() -> None:
    # W1 and E1 don't follow; F5 takes both, three points each, its own two
    now = state(["F5", "W1", "E1"])
    assert values(now, "paranoid") == {"F5": 8}
    assert values(now, "ally", 1) == {"F5": 0}
    assert ref.value(HOUSE, now, "maxn") == (8, 0, 0)


def test_what_was_won_counts_and_compounds() -> None:
    # seat 0 has Conjunction and Gold; F8 wins the trick and takes the Silver W7: 7 for Electrum
    now = state(["F8", "W7", "F7"], won=["F11 F10", "", "A1"])
    assert values(now, "maxn") == {"F8": (1 + 1 + 1 + 2 + 7, 0, 3)}


def test_taking_the_ingredient_beats_taking_points() -> None:
    # F9 has won and takes two of W2 (3 points), E1 (3), W7 (Silver: 1, and Electrum), and gives the third
    now = state([""] * 4, trick="F9 F1 W7 E1", won=["F11 F10", "", "", ""])
    assert values(now, "paranoid") == {
        "take F1 W7 give E1": 0 + 3 + 1 + 2 + 7,
        "take F1 E1 give W7": 0 + 3 + 3 + 2,
        "take W7 E1 give F1": 0 + 1 + 3 + 2 + 7,
    }


def test_what_is_given_can_matter_to_its_receiver() -> None:
    # seat 1, the bottom, has Conjunction and Gold: the Silver W7 given makes its Electrum, E10 too
    now = state([""] * 4, trick="F6 F2 W7 A7", won=["", "F11 F10", "", ""])
    assert values(now, "maxn") == {"take F2 give W7": (4, 10, 0, 0), "take F2 give A7": (4, 3, 0, 0)}
    assert ref.value(HOUSE, now, "maxn") == (4, 3, 0, 0)  # a tie for seat 0: the least for the others
    assert values(now, "paranoid", 1) == {"take F2 give W7": 10, "take F2 give A7": 3}
    assert ref.value(HOUSE, now, "paranoid", 1) == 3
    assert ref.value(HOUSE, now, "ally", 1) == 10
    assert [ref.text(HOUSE, move) for move in ref.optimal(HOUSE, now, "ally", 1)] == ["take F2 give W7"]


def test_maxn_takes_the_first_of_equal_moves() -> None:
    # E8 and A8 are 1 point each to the bottom, whichever is given
    now = state([""] * 4, trick="F7 F2 E8 A8")
    assert values(now, "maxn") == {"take F2 give E8": (4, 1, 0, 0), "take F2 give A8": (4, 1, 0, 0)}
    assert len(ref.optimal(HOUSE, now, "maxn")) == 2


def test_the_order_of_two_leads_matters() -> None:
    # F1 led: F2 must take it with W11 too high: F2 (3) + F1 (3); seat 0 is the bottom and is given A11, worth 0.
    # A11 then A10: nothing. F3 first: F3 beats F2 and takes it (1 + 3), then F1 is led alone: its own 3.
    now = state(["F1 F3", "F2 W11", "A10 A11"])
    # F1: seat 1 takes F1, gives A10 (2) or A11 (0): seat 2 is against seat 0 and plays A11.
    # Then W11 is led: F3 and A10 fall; seat 1 takes two lower ones.
    # F3: seat 1 plays F2, seat 2 a card above 3: F3 takes F2. F1 then keeps itself: 1 + 3 + 3.
    assert values(now, "paranoid") == {"F1": 0, "F3": 7}
    # with help F1 brings A10, 2 points, and no more; F3 still brings 7
    assert values(now, "ally") == {"F1": 2, "F3": 7}


def test_a_finished_round_has_its_score() -> None:
    now = state(["", "", ""], won=["F11 F10 W7", "E1", ""])
    assert ref.over(now)
    assert ref.legal(HOUSE, now) == []
    assert ref.value(HOUSE, now, "maxn") == (10, 3, 0)
    assert ref.value(HOUSE, now, "paranoid", 1) == 3
