"""What an analysis of kirin proves, worked out from its bounds."""

from __future__ import annotations

from typing import Any

import pytest

from solver.answers import proved
from solver.games.kirin.position import Bounds, KirinAnalysis, KirinMove


def analysis(moves: dict[str, Bounds], bounds: Bounds | None, **keys: Any) -> KirinAnalysis:
    """An answer to seat 1, from the bounds of each move."""
    fields = {"model": "paranoid", "player": 1, "to_move": 1, "line": (), "nodes": 1, "seconds": 0.0} | keys
    value = bounds[0] if bounds is not None and bounds[0] == bounds[1] else None
    return KirinAnalysis(
        game="kirin",
        exact=value is not None and all(low == high for low, high in moves.values()),
        value=value,
        bounds=bounds,
        best=next(iter(moves), None),
        moves=tuple(
            KirinMove(
                move=move, value=pair[0] if pair[0] == pair[1] else None, bounds=pair, exact=pair[0] == pair[1]
            )
            for move, pair in moves.items()
        ),
        **fields,
    )


@pytest.mark.parametrize(
    ("moves", "bounds", "keys", "value", "best"),
    [
        ({"D1": (3, 3), "S1": (3, 3), "B1": (2, 2)}, (3, 3), {}, 3, ("D1", "S1")),
        # a move that cannot reach the best need not be exact
        ({"D1": (3, 3), "S1": (0, 2)}, (3, 3), {}, 3, ("D1",)),
        # one that may tie leaves the list of best moves open, though not the value
        ({"D1": (3, 3), "S1": (0, 3)}, (3, 3), {}, 3, None),
        ({"D1": (1, 3), "S1": (0, 2)}, (1, 3), {}, None, None),
        # another's points: the seat to move keeps them low, or high where it helps
        ({"D1": (2, 2), "S1": (3, 5)}, (2, 2), {"player": 0}, 2, ("D1",)),
        ({"D1": (2, 2), "S1": (2, 5)}, (2, 2), {"player": 0}, 2, None),
        ({"D1": (4, 4), "S1": (1, 3)}, (4, 4), {"player": 0, "model": "ally"}, 4, ("D1",)),
        # a single move is best whatever it is worth
        ({"D1": (0, 4)}, (0, 4), {}, None, ("D1",)),
        ({}, (2, 2), {}, 2, ()),
    ],
)
def test_one_player(
    moves: dict[str, Bounds], bounds: Bounds, keys: dict[str, Any], value: int | None, best: tuple[str, ...] | None
) -> None:
    found = proved(analysis(moves, bounds, **keys))
    assert (found.value, found.best, found.complete) == (value, best, True)


def test_maxn_ties_on_own_score_and_the_total_of_the_others() -> None:
    first, same, more, less = (1, 2, 0, 0), (0, 2, 0, 1), (2, 2, 2, 2), (0, 1, 0, 0)
    moves: dict[str, Bounds] = {"D1": (first, first), "S1": (same, same), "B1": (more, more), "G1": (less, less)}
    found = proved(analysis(moves, (first, first), model="maxn"))
    assert (found.value, found.best) == (first, ("D1", "S1"))


def test_maxn_that_is_not_all_proved() -> None:
    first = (1, 2, 0, 0)
    clear: dict[str, Bounds] = {"D1": (first, first), "S1": ((0, 0, 0, 0), (3, 1, 3, 3))}
    assert proved(analysis(clear, (first, first), model="maxn")).best == ("D1",)
    # S1 may reach two points with less for the others
    open_: dict[str, Bounds] = {"D1": (first, first), "S1": ((0, 0, 0, 0), (3, 2, 3, 3))}
    assert proved(analysis(open_, (first, first), model="maxn")).best is None
    # with two points and at least two for the others, it cannot
    worse: dict[str, Bounds] = {"D1": (first, first), "S1": ((1, 0, 1, 0), (3, 2, 3, 3))}
    assert proved(analysis(worse, (first, first), model="maxn")).best == ("D1",)
