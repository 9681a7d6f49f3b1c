"""The Aqua Regia reference: tricks and values worked out by hand from the rules, and what holds in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference import aqua as ref
from tests.reference.aqua import HOUSE, State


def state(hands: list[str], turn: int = 0, **more: Any) -> State:
    """A house position; cards as text, separated by blanks."""
    lists = {key: value.split() for key, value in more.items() if key in ("table", "stock", "discard")}
    position = {"deck": "house", "field": "water", "hands": [hand.split() for hand in hands], "turn": turn}
    return ref.load({**position, **more, **lists})[1]


def values(now: State, model: str, player: int | None = None) -> dict[str, ref.Value]:
    return {ref.text(HOUSE, move): worth for move, worth in ref.values(HOUSE, now, model, player).items()}


# Tables that the solver's positions cannot have, and what the reference itself refuses. ------------------------


def test_more_than_four_copies_still_go_out_by_four() -> None:
    table = HOUSE._replace(copies=6)
    now = State(hands=((0,) * 6, (3,)), turn=0)
    assert [move[1] for move in ref.legal(table, now)] == [1, 2, 3, 4]


def test_a_metal_with_all_its_copies_in_the_pile_cannot_be_taken() -> None:
    table, now = (
        HOUSE._replace(copies=3),
        state(["Zn", "Ag"], turn=1, table="Li", owner=0, discard="Pt Pt Au Au Au"),
    )
    assert [ref.text(table, move) for move in ref.legal(table, now)] == ["pass", "pass Ag>Pt"]


def test_a_move_that_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="Na is not legal"):
        ref.play(HOUSE, state(["Li Li", "K"]), ref.Play(3, 1))


def test_the_first_without_cards_has_won() -> None:
    now = ref.play(HOUSE, state(["Li", "K", "Ca"]), ref.Play(0, 1))
    assert ref.over(now)
    assert ref.value(HOUSE, now, "maxn") == (1, 0, 0)
    assert ref.value(HOUSE, now, "paranoid", 0) == 1


# Values. --------------------------------------------------------------------------------------------------------


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


# What holds in every game. --------------------------------------------------------------------------------------


def random_state(rng: random.Random, cards: int | None = None) -> tuple[ref.Table, State]:
    deck = random_table(rng) if rng.random() < 0.3 else None
    while True:
        try:
            return ref.load(random_position(rng, deck=deck, cards=cards))
        except ValueError:  # a table too small for the players
            deck = None


def test_every_game_ends_and_the_measure_never_grows() -> None:
    rng = random.Random(1)
    met = set()
    for _ in range(2000):
        table, now = random_state(rng)
        every = sorted([*sum(now.hands, ()), *now.stock, *now.discard, *on_field(now)])
        while not ref.over(now):
            move = rng.choice(ref.legal(table, now))
            before = measure(now)
            drawing = bool(now.stock) or isinstance(move, ref.Play)
            met.add((len(now.hands), now.field, now.reverse, bool(now.plays), type(move).__name__, drawing))
            now = ref.play(table, now, move)
            assert measure(now) < before if drawing else measure(now) == before
            assert sorted([*sum(now.hands, ()), *now.stock, *now.discard, *on_field(now)]) == every
            assert now.owner != now.turn
    assert len(met) == 4 * 4 * 2 * 4  # players, fields, orders; a lead, a follow, a pass with and without a draw


def measure(now: State) -> int:
    return 2 * len(now.stock) + sum(map(len, now.hands))


def on_field(now: State) -> list[int]:
    return [play.metal for play in now.plays for _ in range(play.many)]


def test_paranoid_at_most_maxn_at_most_ally() -> None:
    """Provable: a `maxn` seat never gets less than it can force."""
    rng = random.Random(2)
    for _ in range(60):
        table, now = random_state(rng, cards=5)
        everybody = ref.value(table, now, "maxn")
        assert isinstance(everybody, tuple)
        assert sum(everybody) == 1
        for seat in range(len(now.hands)):
            low, high = (ref.value(table, now, model, seat) for model in ("paranoid", "ally"))
            assert isinstance(low, int)
            assert isinstance(high, int)
            assert low <= everybody[seat] <= high


def test_seats_can_be_turned() -> None:
    rng = random.Random(3)
    for _ in range(40):
        table, now = random_state(rng, cards=5)
        seats = len(now.hands)
        turned = now._replace(
            hands=(*now.hands[1:], now.hands[0]),
            turn=(now.turn - 1) % seats,
            owner=None if now.owner is None else (now.owner - 1) % seats,
        )
        for model in ("paranoid", "ally"):
            assert ref.values(table, now, model) == ref.values(table, turned, model)
        assert ref.count_lines(table, now, 3) == ref.count_lines(table, turned, 3)


def test_moves_of_two_kinds_with_the_same_numbers_are_two() -> None:
    assert len({ref.Play(1, 2), ref.Pass(1, 2)}) == 2
