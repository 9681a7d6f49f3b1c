"""Aqua Regia's rules, case by case, worked by hand from the rulebook."""

from __future__ import annotations

import pytest

from solver.games.aqua_regia import GAME, rules
from solver.games.aqua_regia.deck import ACID, AQUA_REGIA, FIELDS, VAPOR, WATER, house
from solver.games.aqua_regia.rules import Play
from tests.games.aqua_regia.cards.states import after, moves, position

# What one hand of "Li Li Mg Mg Al Fe Fe Ag Ag Pt Pt Pt" leads in each field.
LEADS = [
    ("water", "Li, Li Li, Mg"),
    ("vapor", "Li, Li Li, Mg, Mg Mg, Al, Fe"),
    ("acid", "Li, Li Li, Mg, Mg Mg, Al, Fe, Fe Fe, Ag"),
    ("aqua-regia", "Li, Li Li, Mg, Mg Mg, Al, Fe, Fe Fe, Ag, Pt, Pt Pt, Pt Pt Pt"),
]


@pytest.mark.parametrize(("field", "expected"), LEADS)
def test_leads(field: str, expected: str) -> None:
    assert moves(position("Li Li Mg Mg Al Fe Fe Ag Ag Pt Pt Pt", "Au", field=field)) == expected.split(", ")


# The table, the field, a hand, and what it may play (besides passing).
FOLLOWS = [
    ("Mg", "acid", "Mg Al Fe Fe Fe Ag Ag Pt", "Al, Fe, Fe Fe, Ag"),  # several of Fe, but not of Ag
    ("Mg Mg", "acid", "Al Fe Fe Fe Ag Ag Sn Sn Sn Sn", "Fe Fe, Fe Fe Fe, Sn Sn, Sn Sn Sn"),
    ("K Ca Ca", "water", "Na Na Na Mg Mg Mg Li K", "Na Na, Na Na Na"),  # only the top counts, and its run
    ("Zn Zn Zn", "vapor", "Fe Fe Fe Fe", ""),
    ("Zn Zn Zn", "acid", "Fe Fe Fe Fe", "Fe Fe Fe, Fe Fe Fe Fe"),
    ("Zn Zn Zn Zn", "acid", "Fe Fe Fe Fe Sn Sn Sn", "Fe Fe Fe Fe"),  # never five
    ("Fe", "vapor", "Au Ni Li", ""),
]


@pytest.mark.parametrize(("table", "field", "hand", "expected"), FOLLOWS)
def test_follows(table: str, field: str, hand: str, expected: str) -> None:
    at = position(hand, "Au", "Li", table=table, field=field, owner=1)
    assert moves(at) == [*filter(None, expected.split(", ")), "pass"]


def test_precipitations_know_the_drawn_card_and_come_last() -> None:
    at = position("Au Li", "K", table="Zn", field="acid", owner=1, stock="Zn Fe", discard="Pb Li Zn")
    assert moves(at) == ["pass", "pass Li>Zn", "pass Li>Pb", "pass Zn>Pb"]
    later = after(at, "pass Zn>Pb")  # the drawn one; it was the last pass, so the trick ends
    assert later.hands == (("Li", "Pb", "Au"), ("K",))
    assert later.discard == ("Li", "Zn", "Zn", "Zn")  # the two there, the one discarded, and the trick's
    assert later.stock == ("Fe",)
    assert (later.field, later.turn, later.table, later.owner) == ("aqua-regia", 1, (), None)


def test_a_metal_that_is_all_there_may_not_be_taken() -> None:
    at = position("Li", "Pb", table="Zn", field="acid", owner=1, discard="Sn Sn Sn Sn Cu Cu Cu")
    assert moves(at) == ["pass", "pass Li>Cu"]


def test_cards_of_the_trick_are_not_in_the_pile_yet() -> None:
    at = position("Li", "Pb", table="Zn Fe", field="acid", owner=1)
    assert moves(at) == ["pass"]


def test_the_deal_is_passed_without_drawing_and_the_field_may_change() -> None:
    at = position("Au", "Pt", "Sn Sn", stock="Li K", turn=1)
    state = at.state  # nobody can lead in water or vapor; in acid seat 2 can
    assert (state.turn, FIELDS[state.field], len(state.stock)) == (2, "acid", 2)
    assert moves(at) == ["Sn", "Sn Sn"]
    turned = position("Au", "Pt", "Sn Sn", stock="Li K", turn=1, reversed=True).state
    assert (turned.turn, FIELDS[turned.field]) == (1, "aqua-regia")  # one step back, the first dealer tries again


def test_a_new_dealer_who_cannot_lead_passes_the_deal() -> None:
    at = position("Li", "Au K", "K", table="Mg", field="aqua-regia", owner=1, turn=2)
    later = after(at, "pass", "pass")
    assert (later.turn, later.field) == (1, "water")
    at = position("Li", "Au Pt", "K", table="Mg", field="aqua-regia", owner=1, turn=2)
    later = after(at, "pass", "pass")
    assert (later.turn, later.field) == (2, "water")


def test_four_at_once_turn_the_order_until_the_next_four() -> None:
    at = position("Li Li Li Li K", "Ca Ca Ca Ca Na", "Au")
    once = after(at, "Li Li Li Li")
    assert once.reversed
    assert after(once, "pass", "pass").field == "aqua-regia"
    assert not after(once, "Ca Ca Ca Ca").reversed
    assert not after(position("Li Li Li K", "Au"), "Li Li Li").reversed


@pytest.mark.parametrize(("field", "up", "down"), [(0, 1, 3), (1, 2, 0), (2, 3, 1), (3, 0, 2)])
def test_the_order_of_the_fields(field: int, up: int, down: int) -> None:
    assert rules.next_field(field, False) == up
    assert rules.next_field(field, True) == down
    assert (WATER, VAPOR, ACID, AQUA_REGIA) == (0, 1, 2, 3)


def test_a_pass_is_not_final() -> None:
    at = position("Mg K", "Ca K", "Na K", table="Li", owner=2)
    later = after(at, "pass", "Ca", "pass")
    assert (later.turn, later.owner) == (0, 1)
    assert "Mg" in moves(later)


def test_the_first_without_cards_wins_at_once() -> None:
    at = position("Mg", "Mg", "Na K", table="Li", owner=2, stock="Au")
    over = after(at, "Mg")
    assert over.state.winner == 0
    assert moves(over) == []
    assert ("Seat 0", "–   (has gone out and wins)") in GAME.describe(over)


def test_runs_are_parted_where_the_metal_changes() -> None:
    assert rules.runs((1, 2, 2, 5)) == [Play(1, 1), Play(2, 2), Play(5, 1)]
    assert rules.runs(()) == []


def test_the_house_deck() -> None:
    deck = house()
    assert " ".join(deck.index) == "Li K Ca Na Mg Al Zn Fe Ni Sn Pb Cu Hg Ag Pt Au"
    assert (deck.name, deck.copies, deck.size, deck.cards) == ("house", 4, 16, 64)
    lets = ["".join(str(min(row, 2)) for row in metal.reactivity) for metal in deck.metals]
    assert " ".join(lets) == ("2222 2222 2222 2222 1222 0222 0222 0122 0022 0022 0012 0012 0012 0011 0002 0002")
