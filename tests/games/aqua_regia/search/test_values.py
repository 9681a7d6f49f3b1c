"""Every move's outcome in random small games of Aqua Regia, against the slow reference, under the three models."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from solver.games.aqua_regia import analyze
from solver.games.aqua_regia.fast_rules import ALL_SWITCHES, MODELS
from solver.games.aqua_regia.position import KnownPosition
from solver.limits import Control
from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference import aqua as reference
from tests.support.amounts import Amount
from tests.support.proved import Proved

PROVED = Proved("aqua_values")
RULES = ("reactivity_one_follows_single",)
SWITCHES = [1 << bit for bit in range(ALL_SWITCHES.bit_length()) if ALL_SWITCHES >> bit & 1]


def small(rng: random.Random, cards: int, rules: Sequence[str] = ()) -> dict[str, Any]:
    """A position that the reference can solve: few cards, a short stock, a small discard pile."""
    while True:
        deck = random_table(rng) if rng.random() < 0.5 else None
        players = rng.choice((2, 2, 3, 3, 4, 5))
        try:
            data = random_position(
                rng,
                players=players,
                cards=rng.randint(players, max(players, cards)),
                stock=rng.choice((0, 0, 1, 2, 3)),
                deck=deck,
                rules=rules,
            )
        except ValueError:  # too few cards in the deck
            continue
        data["discard"] = data["discard"][: rng.choice((0, 3, 6))]
        return data


def check(data: dict[str, Any], model: str, player: int, parts: tuple[int, ...]) -> None:
    """Values, best moves, their order, and a line that ends in the value, whatever parts of the search are on."""
    table, now = reference.load(data)
    position = KnownPosition.model_validate(data)
    for switches in parts:
        answer = analyze.analyze(position, Control(), model=model, player=player, switches=switches)
        about = f"{model} {player} {data}"
        worths = [(entry.move, entry.value) for entry in answer.moves]
        value = answer.value

        def check_by_reference(worths: list[Any] = worths, value: Any = value, about: str = about) -> None:
            values = reference.values(table, now, model, player)
            assert dict(worths) == {reference.text(table, move): worth for move, worth in values.items()}, about
            assert value == reference.value(table, now, model, player), about
            best = [reference.text(table, move) for move in reference.optimal(table, now, model, player)]
            assert [move for move, _ in worths[: len(best)]] == best, about

        PROVED.check(about, repr((worths, value)), check_by_reference)
        assert answer.bounds == (value, value)
        assert answer.exact
        assert all(entry.exact and entry.estimate is None for entry in answer.moves)
        assert answer.best == worths[0][0]
        end = replay(table, now, answer.line)
        assert reference.over(end), about
        scores = reference.scores(end)
        assert value == (scores if model == "maxn" else scores[player]), about


def replay(table: reference.Table, now: reference.State, line: tuple[str, ...]) -> reference.State:
    """The state after a line of legal moves."""
    for text in line:
        moves = {reference.text(table, move): move for move in reference.legal(table, now)}
        now = reference.play(table, now, moves[text])
    return now


def sweep(seed: int, cards: int, count: int, rules: Sequence[str] = ()) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        data = small(rng, cards, rules)
        parts = (0, ALL_SWITCHES, rng.choice(SWITCHES), ALL_SWITCHES & ~rng.choice(SWITCHES))
        for model in MODELS:
            check(data, model, rng.randrange(len(data["hands"])), tuple(dict.fromkeys(parts)))


@pytest.mark.small
def test_tiny_positions(amount: Amount) -> None:
    sweep(1, 4, amount(60))


@pytest.mark.covered
@pytest.mark.small
def test_tiny_positions_where_two_of_reactivity_one_may_follow_one(amount: Amount) -> None:
    sweep(5, 5, amount(60), RULES)


def test_small_positions() -> None:
    sweep(2, 6, 100)


@pytest.mark.slow
def test_fifteen_hundred_small_positions() -> None:
    sweep(3, 4, 1000)
    sweep(4, 6, 500)
    PROVED.check_record()


@pytest.mark.covered
@pytest.mark.small
def test_the_first_move_counts_for_a_seat_that_cannot_win(amount: Amount) -> None:
    """Seat 0 must choose which of the others wins: under maxn it plays the first of its moves."""
    rng = random.Random(6)
    seen = 0
    while seen < min(5, amount(10)):
        data = small(rng, 5)
        table, now = reference.load(data)
        if len(data["hands"]) < 3:
            continue
        found = reference.values(table, now, "maxn")
        winners = set(found.values())
        if len(winners) < 2 or any(isinstance(worth, tuple) and worth[now.turn] for worth in winners):
            continue
        seen += 1
        check(data, "maxn", 0, (0, ALL_SWITCHES))
        answer = analyze.analyze(KnownPosition.model_validate(data), Control(), model="maxn")
        assert answer.best == reference.text(table, next(iter(found)))
