"""The Monte-Carlo tree search on a small game that is solved by a formula, and the record of its rules."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from solver.kernels.jit import inlined
from solver.kernels.words import Words
from solver.limits import Control, Limit
from solver.search.uct import Bounds, Tree, TreeKernels, TreeRules, kernels_of
from tests.conftest import JIT

# Each seat in turn takes one to three of a heap's counters; who takes the last one wins. A position: the counters
# left, and the seat to move. The seat to move wins unless the heap is a multiple of 4.
LEFT, TURN = range(2)
MOST = 3
BOUNDS = Bounds(nodes=1 << 16, moves=MOST, plays=40)


@inlined
def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    count = min(MOST, work[at + LEFT])
    for index in range(count):
        codes[index] = index + 1
    return int(count)


@inlined
def play(deal: Words, work: Words, at: int, to: int, move: int) -> None:
    work[to + LEFT] = work[at + LEFT] - move
    work[to + TURN] = 1 - work[at + TURN]


@inlined
def seat_to_move(deal: Words, work: Words, at: int) -> int:
    return int(work[at + TURN])


@inlined
def result(deal: Words, work: Words, at: int) -> int:
    return int(1 - work[at + TURN]) if work[at + LEFT] == 0 else -1


@inlined
def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    return 1 if ended == seat else 0


RULES: dict[str, Any] = {
    "game": "heap",
    "state_words": 2,
    "moves": moves,
    "play": play,
    "seat_to_move": seat_to_move,
    "result": result,
    "reward": reward,
}


@cache
def kernels() -> TreeKernels:
    return kernels_of(TreeRules(**RULES))


def tree(heap: int, bounds: Bounds = BOUNDS, **options: Any) -> Tree:
    return Tree(kernels(), np.zeros(1, np.int64), np.array([heap, 0], np.int64), seats=2, bounds=bounds, **options)


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11, 13, 14, 15])
def test_the_winning_move_is_tried_most(heap: int) -> None:
    if heap > 5 and not JIT:
        pytest.skip("a large heap needs many games")
    search = tree(heap)
    Control(Limit(nodes=200_000 if JIT else 50_000)).drive(search.step, stage="sample")
    tried = search.tried()
    assert max(tried, key=lambda move: tried[move].games) == heap % 4
    assert tried[heap % 4].mean(0) > 0.7
    assert all(sum(found.totals) == found.games for found in tried.values())  # each game has one winner


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("game_nodes", [None, 7])
def test_slices_of_any_size_play_the_same_games(game_nodes: int | None) -> None:
    whole, sliced = tree(14, game_nodes=game_nodes), tree(14, game_nodes=game_nodes)
    Control(Limit(nodes=3_000)).drive(whole.step, stage="sample")
    spent = 0
    while spent < 3_000:
        spent += sliced.step(min(13, 3_000 - spent))[1]
    assert sliced.tried() == whole.tried() != {}


@pytest.mark.small
def test_a_game_that_counts_for_nodes_is_played_when_they_are_there() -> None:
    search = tree(9, game_nodes=10)
    assert search.step(9) == (False, 9)
    assert search.tried() == {}
    search.step(21)
    assert sum(found.games for found in search.tried().values()) == 3


@pytest.mark.small
def test_only_the_moves_that_are_asked_about_are_tried() -> None:
    search = tree(14, moves=[1, 3])
    search.step(1_000)
    assert set(search.tried()) == {1, 3}


@pytest.mark.small
def test_a_full_tree_still_plays_games() -> None:
    search = tree(14, Bounds(nodes=4, moves=MOST, plays=40))
    search.step(5_000)
    assert sum(found.games for found in search.tried().values()) > 300


def test_a_missing_rule_is_named() -> None:
    with pytest.raises(TypeError, match="'reward'"):
        TreeRules(**{name: rule for name, rule in RULES.items() if name != "reward"})


@pytest.mark.parametrize(
    ("name", "rule", "message"),
    [
        ("reward", moves, "reward is a kernel of (deal, work, at, ended, seat), not of (deal, work, at, codes)"),
        ("moves", 3, "moves is a kernel of (deal, work, at, codes), not 3"),
    ],
)
def test_a_rule_that_cannot_be_one_is_named(name: str, rule: object, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"TreeRules of 'heap': {message}")):
        TreeRules(**(RULES | {name: rule}))


@pytest.mark.parametrize(("name", "number"), [("state_words", 0), ("scratch_words", -1), ("ripe", 0)])
def test_a_number_that_cannot_be_one_is_named(name: str, number: int) -> None:
    with pytest.raises(ValueError, match=f"TreeRules of 'heap': {name} is a number above 0, not {number}"):
        TreeRules(**(RULES | {name: number}))
