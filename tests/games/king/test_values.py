"""Every move's value of random small positions of King × Alchemy, against the slow reference, in three models."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from solver.errors import RequestError
from solver.games.king import GAME
from solver.games.king.analyze import analyze
from solver.games.king.position import KingAnalysis
from solver.limits import Control
from solver.positions import parse_position
from tests.games.king.random_positions import random_deck, random_position
from tests.reference import king as reference
from tests.reference.king_deck import Deck
from tests.support.kinds import of_kind
from tests.support.proved import Proved

PROVED = Proved("king_values")
MODELS = ("paranoid", "ally", "maxn")
HEAVY = (None, "trump", "dancer")
READINGS = [
    ("late_trump_does_not_lift",),
    ("no_bottom_when_trumped",),
    ("late_trump_does_not_lift", "no_bottom_when_trumped"),
]


def check(
    data: dict[str, Any], position: Any, start: tuple[Deck, reference.State], model: str, player: int
) -> KingAnalysis:
    """Values, best moves, their order, and a line that ends in the value; `start` is the reference's position."""
    deck, now = start
    answer = analyze(position, Control(), model=model, player=player)
    about = f"{model} {player} {data}"
    worths = [(entry.move, entry.value) for entry in answer.moves]

    def check_by_reference() -> None:
        values = reference.values(deck, now, model, player)
        assert dict(worths) == {reference.text(deck, move): value for move, value in values.items()}, about
        assert answer.value == reference.value(deck, now, model, player), about
        best = reference.optimal(deck, now, model, player) if values else []
        assert [move for move, _ in worths[: len(best)]] == [reference.text(deck, move) for move in best], about

    PROVED.check(about, repr((worths, answer.value)), check_by_reference)
    assert answer.exact
    assert answer.bounds == (answer.value, answer.value)
    assert answer.best == (worths[0][0] if worths else None)
    scores = reference.scores(deck, replay(deck, now, answer.line))
    assert answer.value == (scores if model == "maxn" else scores[player]), about
    return answer


def replay(deck: Deck, now: reference.State, line: Sequence[str]) -> reference.State:
    """The end of the round after a line of legal moves."""
    for text in line:
        moves = {reference.text(deck, move): move for move in reference.legal(deck, now)}
        now = reference.play(deck, now, moves[text])
    assert reference.over(now)
    return now


def sweep(
    seed: str, count: int, sizes: dict[int, list[int]], *, strange: bool = False, rules: Sequence[str] = ()
) -> None:
    rng = random.Random(seed)
    deck = None
    for index in range(count):
        if strange and index % 10 == 0:
            deck = random_deck(rng)
        players = rng.choice(list(sizes))
        data = random_position(
            rng, players=players, cards=rng.choice(sizes[players]), heavy=rng.choice(HEAVY), deck=deck, rules=rules
        )
        position, start = parse_position(data), reference.load(data)
        for model in MODELS:
            check(data, position, start, model, rng.randrange(players))


@pytest.mark.covered
@pytest.mark.small
def test_small_positions(amount: Callable[[int], int]) -> None:
    sweep("house", amount(120), {3: [1, 2, 2], 4: [1, 2], 5: [1]})


@pytest.mark.small
def test_small_positions_of_strange_decks(amount: Callable[[int], int]) -> None:
    sweep("strange", amount(60), {3: [1, 2, 2], 4: [1, 2], 5: [1]}, strange=True)


@pytest.mark.small
@pytest.mark.parametrize("rules", READINGS, ids="-".join)
def test_small_positions_by_disputed_readings(rules: tuple[str, ...], amount: Callable[[int], int]) -> None:
    sweep(f"readings {rules}", amount(60), {3: [1, 2, 2], 4: [1, 2], 5: [1]}, strange=True, rules=rules)


def test_three_cards_a_hand() -> None:
    sweep("three", 12, {3: [3]})


@pytest.mark.slow
def test_hundreds_of_small_positions() -> None:
    sweep("many", 200, {3: [1, 2, 2], 4: [1, 2], 5: [1, 1, 2]})
    sweep("many strange", 100, {3: [1, 2, 2], 4: [1, 2], 5: [1]}, strange=True)
    sweep("many threes", 30, {3: [3]}, strange=True)
    PROVED.check_record()


@pytest.mark.covered
@pytest.mark.small
def test_last_tricks_with_equal_takings(amount: Callable[[int], int]) -> None:
    """Of takings that are worth the same to the winner of the last trick, the gift decides under `maxn`."""
    rng = random.Random("equals")
    decided = 0
    for index in range(amount(100)):
        if index % 10 == 0:
            deck = random_deck(rng)
            for card in deck["card"]:
                card["vp"] = rng.choice((0, 0, 0, 5))
        players = rng.choice((4, 5))
        # The trick before is full: what is taken and given is all that is left to decide.
        data = random_position(rng, players=players, cards=2, played=players, deck=deck)
        position: Any = parse_position(data)
        answer = check(data, position, reference.load(data), "maxn", 0)
        position = GAME.play(position, GAME.parse_move(position, answer.line[0]))
        while len(position.trick) < players:
            position = GAME.play(position, GAME.legal_moves(position)[0])
        winner = position.seat_to_move
        values = [entry.value for entry in GAME.analyze(position, Control(), model="maxn").moves]
        scores = [value for value in values if isinstance(value, tuple)]
        decided += len({worth for worth in scores if worth[winner] == scores[0][winner]}) > 1
    assert decided >= amount(100) // 10


@pytest.mark.parametrize("model", MODELS)
def test_takings_are_decisions(model: str, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"takings {model}")
    seen = 0
    for _ in range(amount(60)):
        players = rng.choice((4, 5))
        data = random_position(rng, players=players, cards=rng.choice((1, 2)), played=players)
        answer = check(data, parse_position(data), reference.load(data), model, rng.randrange(players))
        assert all(entry.move.startswith("take") for entry in answer.moves)
        seen += len({entry.value for entry in answer.moves}) > 1
    assert seen > 3


def test_bounds_of_the_models_nest(amount: Callable[[int], int]) -> None:
    """What a seat can be held to is at most what it gets when all play for themselves, that what all can give."""
    rng = random.Random("nest")
    for _ in range(amount(40)):
        players = rng.randint(3, 5)
        position = parse_position(random_position(rng, players=players, cards=2 if players > 3 else 3))
        everybody = of_kind(tuple, GAME.analyze(position, Control(), model="maxn").value)
        for seat in range(players):
            floor = GAME.analyze(position, Control(), model="paranoid", player=seat).value
            ceiling = GAME.analyze(position, Control(), model="ally", player=seat).value
            assert isinstance(floor, int)
            assert isinstance(ceiling, int)
            assert floor <= everybody[seat] <= ceiling


@pytest.mark.parametrize(("model", "player"), [("kingmaker", 0), ("paranoid", 3), ("maxn", -1)])
def test_there_is_no_such_model_or_player(model: str, player: int) -> None:
    position = parse_position(random_position(random.Random(1), players=3))
    with pytest.raises(RequestError):
        GAME.analyze(position, Control(), model=model, player=player)
