"""`maxn` of kirin where the memo of the whole position is too large: by parts, to the same answer."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.games.kirin import analyze
from solver.games.kirin.position import KnownPosition
from solver.limits import Control, Limit
from tests.games.kirin.deals import position_of, random_state


def answer(position: KnownPosition, limit: Limit | None = None) -> dict[str, Any]:
    found = analyze.analyze(position, Control(limit), model="maxn").to_dict()
    del found["nodes"], found["seconds"]
    return found


@pytest.mark.small
@pytest.mark.parametrize("megabytes", [0.001, 0.01])
def test_a_memo_that_is_too_large_is_taken_apart(megabytes: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("parts")
    positions = [position_of(*random_state(rng, rng.choice((3, 4)), heavy=number % 2 == 0)) for number in range(8)]
    expected = [answer(position) for position in positions]
    monkeypatch.setattr(analyze, "memo_megabytes", lambda: megabytes)
    assert [answer(position) for position in positions] == expected
    assert all(found["exact"] for found in expected)


def test_a_limit_leaves_bounds_and_the_cards_that_were_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("limits")
    position = position_of(*random_state(rng, 5, heavy=False))
    truth = {move["move"]: move["value"] for move in answer(position)["moves"]}
    monkeypatch.setattr(analyze, "memo_megabytes", lambda: 0.1)
    solved = set()
    for nodes in (100, 3_000, 30_000, 100_000, 300_000, 1_000_000):
        found = answer(position, Limit(nodes=nodes))
        for move in found["moves"]:
            low, high = move["bounds"]
            value = truth[move["move"]]
            assert all(least <= score <= most for least, score, most in zip(low, value, high, strict=True))
        solved.add(sum(move["exact"] for move in found["moves"]))
    assert len(solved) > 1
    assert max(solved) == len(truth)
