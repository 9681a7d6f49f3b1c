"""Values of the Aqua Regia reference against positions worked out by hand from the rules."""

from __future__ import annotations

from tests.games.aqua_regia.cards.reference_states import state, values
from tests.reference import aqua as ref
from tests.reference.aqua import HOUSE


def test_going_out_now_wins() -> None:
    assert values(state(["Li", "K"]), "paranoid") == {"Li": 1}
    assert values(state(["Li", "K"]), "paranoid", 1) == {"Li": 0}


def test_the_unanswerable_lead_wins_and_the_other_loses() -> None:
    # in water Mg cannot be beaten by Na: the pass puts the field to vapor, where Li goes out. Li is beaten by Na.
    now = state(["Li Mg", "Na"])
    assert values(now, "paranoid") == {"Li": 0, "Mg": 1}
    assert values(now, "ally") == {"Li": 1, "Mg": 1}  # with help Na is kept
    assert values(now, "maxn") == {"Li": (0, 1), "Mg": (1, 0)}


def test_values_of_another_player() -> None:
    # seat 2 holds Ca: too weak for Mg, enough for Li
    now = state(["Li Mg", "Au Au", "Ca"])
    assert values(now, "paranoid", 2) == {"Li": 1, "Mg": 0}
    assert ref.value(HOUSE, now, "paranoid", 2) == 0
    assert ref.value(HOUSE, now, "ally", 2) == 1
    assert values(now, "paranoid", 1) == {"Li": 0, "Mg": 0}
    assert values(now, "maxn") == {"Li": (0, 0, 1), "Mg": (1, 0, 0)}


def test_maxn_takes_the_first_of_equal_moves() -> None:
    # seat 1 goes out on top of K, seat 2 on top of Mg: seat 0 has nothing to choose between, and leads K
    now = state(["K Mg", "Ca", "Zn"], field="vapor")
    assert values(now, "maxn") == {"K": (0, 1, 0), "Mg": (0, 0, 1)}
    assert ref.value(HOUSE, now, "maxn") == (0, 1, 0)
    assert [move[0] for move in ref.optimal(HOUSE, now, "maxn")] == [1, 4]


def test_optimal_lists_every_move_that_ties() -> None:
    now = state(["Li K Zn Zn", "Mg"])  # both leads are beaten at once
    assert values(now, "paranoid") == {"Li": 0, "K": 0}
    assert [move[0] for move in ref.optimal(HOUSE, now, "paranoid")] == [0, 1]
    assert [move[0] for move in ref.optimal(HOUSE, state(["Li Mg", "Na"]), "paranoid")] == [4]
    # for seat 1, seat 0 does its worst or its best
    assert [move[0] for move in ref.optimal(HOUSE, state(["Li Mg", "Na"]), "paranoid", 1)] == [4]
    assert [move[0] for move in ref.optimal(HOUSE, state(["Li Mg", "Na"]), "ally", 1)] == [0]
