"""What holds in every game of the Aqua Regia reference, over random positions and decks."""

from __future__ import annotations

import random

import pytest

from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference import aqua as ref
from tests.reference.aqua import State


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


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_deals_end(players: int) -> None:
    rng = random.Random(players)
    for _ in range(20):
        deal = random_position(rng, players=players, cards=10 * players, climbing=False, crowded=False, stock=64)
        table, now = ref.load(deal)
        while not ref.over(now):
            before = measure(now)
            now = ref.play(table, now, rng.choice(ref.legal(table, now)))
            assert measure(now) <= before


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
