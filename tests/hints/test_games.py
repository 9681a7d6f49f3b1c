"""Hints of every game: nothing leaks, what is told of the error, and what is compiled first."""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import athanor
from solver import registry
from solver.errors import AthanorError, RequestError
from solver.game import Game
from solver.hints.ranking import error_of
from solver.hints.sampled import ALL_DEALS
from solver.kernels.jit import Kernel
from solver.kernels.kinds import kind, text
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data
from tests.conftest import JIT
from tests.games.king.data import FOLDER as KING
from tests.support import rounds
from tests.support.games import OWN, check_rows, offering

KINDS = [(case.name, case.variant) for case in rounds.FEWEST]
Slot = tuple[list[Any], int]  # a list of cards, and a place in it
_SWAPS = 15


def played(game: str, variant: str | None, chance: random.Random) -> Any:
    """A position some moves into a round, every card known."""
    position = athanor.deal(game, seed=chance.randrange(1000), variant=variant)
    for _ in range(chance.randrange(25)):
        after = athanor.play(position, [chance.choice(athanor.legal_moves(position))])
        if athanor.to_move(after) is None:
            break
        position = after
    return position


def hidden(data: dict[str, Any], seat: int) -> Iterator[Slot]:
    """The places of the cards that a seat does not see."""
    for other, hand in enumerate(data.get("hands", [])):
        if other != seat:
            yield from ((hand, place) for place in range(len(hand)))
    yield from ((data.get("stock", []), place) for place in range(len(data.get("stock", []))))
    if data["game"] == "kirin":
        declared = data["declared"]
        yield from ((declared, other) for other in range(len(declared)) if other != seat and declared[other])


def permuted(position: Any, seat: int, chance: random.Random) -> Any:
    """The position with hidden cards exchanged, as often as the rules and what was played before allow it."""
    for _ in range(_SWAPS):
        data = json.loads(position.model_dump_json(exclude_none=True))
        slots = list(hidden(data, seat))
        if len(slots) < 2:
            break
        (one, here), (other, there) = chance.sample(slots, 2)
        one[here], other[there] = other[there], one[here]
        try:
            position = parse_position(data)
        except AthanorError:
            continue
    return position


@pytest.mark.parametrize(("game", "variant"), KINDS, ids=str)
def test_a_view_does_not_tell_hidden_cards(game: str, variant: str | None) -> None:
    chance = random.Random(f"{game} {variant}")
    others = 0
    for number in range(8):
        position = played(game, variant, chance)
        mover: int = getattr(position, "seat_to_move", 0)
        seat = mover if number == 0 or game == "alchemy" else chance.randrange(4)
        try:
            seen = athanor.view(position, seat)
        except AthanorError:  # an undeclared seat that is not to move has no view yet
            continue
        exchanged = permuted(position, seat, chance)
        assert athanor.view(exchanged, seat) == seen
        assert str(athanor.view(exchanged, seat)) == str(seen)
        others += exchanged != position
        if number == 0:
            assert hint(exchanged, seat) == hint(position, seat)
    assert others >= 4


def hint(position: Any, seat: int) -> dict[str, Any]:
    """The hint for the seat, without the time that it took."""
    found = athanor.hint(athanor.view(position, seat), worlds=5, nodes=3000, seed=7).to_dict()
    return {key: value for key, value in found.items() if key != "seconds"}


# ----------------------------------------------------------------------------------------------------
# What hints tell of the error of their model.


def test_the_nearest_number_of_cards_that_was_measured_counts() -> None:
    assert [error_of({2: 0.1, 5: 0.4}, cards) for cards in (1, 2, 3, 4, 9)] == [0.1, 0.1, 0.1, 0.4, 0.4]


@pytest.mark.parametrize("case", [case for case in rounds.CASES if case.name in offering("played_by")], ids=str)
def test_the_error_told_of_a_mean_has_both_parts(case: rounds.Case) -> None:
    rules = case.game
    position: Any = case.deal(3)
    answer: Any = rules.hint(rules.view(position, position.seat_to_move), Control(), worlds=300)
    assert answer.model_error > 0
    for move in answer.moves:
        assert move.total_error**2 == pytest.approx(move.stderr**2 + answer.model_error**2)


def test_where_nothing_was_measured_nothing_is_told() -> None:
    rules = registry.game("kirin")
    data = position_data(rules.view(rules.deal(3), 0))
    decided = parse_position({**data, "totals": [5, 4, 5, 6], "round": 2, "for_match": True})
    answer: Any = rules.hint(decided, Control(), worlds=50)
    assert answer.model_error is None
    assert "total_error" not in answer.to_dict()["moves"][0]


# ----------------------------------------------------------------------------------------------------
# What is compiled first: all kernels that hints of a game need, wherever in a round, and no more.


_ROUND = 200  # moves at most
_A_SMALL_ENDING = 100_000  # nodes are enough to work one out
_SMALL = {
    "king": KING.joinpath("endings.txt").read_text().splitlines()[0],
    "kirin": "kirin seat=2 hand=D3,G- declared=B3 history=0:D-,D1,G1,ST/3:S-,G2,BT,B6/1:G4,S2,GT,G5/3:G+,S3,S4,S5/"
    "0:B4,S+,S6,G6/2:B2,D2,D+,S1 trick=3:B5,B-,G3",
    "aqua-regia": "aqua-regia players=2 seat=1 hand=K,Ag counts=1,2 history=water:0/0:Li",
}
check_rows(_SMALL, offering("guaranteed"))


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, ...]]:
    """The kernels that are called, with the kinds of their arguments."""
    found: set[tuple[str, ...]] = set()

    def call(kernel: Kernel, *arguments: Any, **named: Any) -> Any:
        bound = inspect.signature(kernel.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        function = kernel.py_func
        found.add((function.__module__, function.__qualname__, *(text(kind(given)) for given in bound.args)))
        return kernel._run(*arguments, **named)

    monkeypatch.setattr(Kernel, "__call__", call)
    return found


def _ask_all_round(game: Game, variant: str | None, steps: range) -> None:
    """Ask for hints of a round, of what each seat to move sees, with every second legal move made."""
    position = game.deal(7, variant=variant)
    for step in range(_ROUND):
        moves = game.legal_moves(position)
        if not moves:
            return
        if step in steps:
            seat = getattr(position, "seat_to_move", 0)
            for seen in (game.view(position, seat), position):
                try:
                    game.hint(seen, Control(Limit(nodes=1)), worlds=1)
                except RequestError:
                    continue  # with all cards known some games have no hint
        position = game.play(position, moves[len(moves) // 2])


@pytest.mark.skipif(not JIT, reason="without the JIT there are no kernels")
@pytest.mark.parametrize("name", OWN)
def test_what_hints_need_is_warmed_first(called: set[tuple[str, ...]], name: str) -> None:
    game = registry.game(name)
    game.warm(hints=True)
    warmed = set(called)
    called.clear()
    for variant in [case.variant for case in rounds.FEWEST if case.name == name]:
        _ask_all_round(game, variant, range(0, _ROUND, 3))
    if name in _SMALL:
        view = parse_position(_SMALL[name])
        assert game.hint(view, Control(Limit(nodes=_A_SMALL_ENDING))).method == ALL_DEALS
    assert called
    assert called <= warmed
    called.clear()
    game.warm()
    assert called - warmed  # and they are not all of the game
