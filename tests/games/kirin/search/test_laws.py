"""What must hold of kirin's values at any size: rotation of the seats, the order of the models, lines."""

from __future__ import annotations

import random

import pytest

from solver.games.kirin import analyze
from solver.games.kirin.position import KnownPosition
from solver.limits import Control
from tests.games.kirin.deals import full_deal, letters, position_of, random_state
from tests.games.kirin.search.lines import check_line
from tests.reference import kirin as reference


def rotated(position: KnownPosition, by: int) -> KnownPosition:
    def turn(items: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(items[(seat - by) % 4] for seat in range(4))

    return position.model_copy(
        update={
            "leader": (position.leader + by) % 4,
            "hands": turn(position.hands),
            "declared": turn(position.declared),
            "won": turn(position.won),
        }
    )


@pytest.mark.parametrize("model", ["paranoid", "ally", "maxn"])
def test_seats_may_be_rotated(model: str) -> None:
    rng = random.Random(1)
    for _ in range(10):
        position = position_of(*random_state(rng, 5))
        player = rng.randrange(4)
        by = rng.randrange(1, 4)
        one = analyze.analyze(position, Control(), model=model, player=player)
        other = analyze.analyze(rotated(position, by), Control(), model=model, player=(player + by) % 4)
        if model == "maxn":
            for mine, theirs in zip(one.moves, other.moves, strict=True):
                assert mine.move == theirs.move
                assert isinstance(mine.value, tuple)
                assert isinstance(theirs.value, tuple)
                assert theirs.value == tuple(mine.value[(seat - by) % 4] for seat in range(4))
        else:
            assert [(entry.move, entry.value) for entry in one.moves] == [
                (entry.move, entry.value) for entry in other.moves
            ]
            assert one.line == other.line


def test_paranoid_maxn_ally_in_this_order() -> None:
    """Provable for every seat at every node, however ties are broken.

    Whatever the others do, a seat that plays for its own score at each of its turns gets no less than against
    the worst they could do, and nobody gets more than with everybody's help.
    """
    rng = random.Random(2)
    for _ in range(12):
        position = position_of(*random_state(rng, 5))
        middle = analyze.analyze(position, Control(), model="maxn")
        for seat in range(4):
            low = analyze.analyze(position, Control(), model="paranoid", player=seat)
            high = analyze.analyze(position, Control(), model="ally", player=seat)
            assert isinstance(middle.value, tuple)
            assert low.value <= middle.value[seat] <= high.value  # type: ignore[operator]
            lows = {entry.move: entry.value for entry in low.moves}
            highs = {entry.move: entry.value for entry in high.moves}
            for entry in middle.moves:
                assert lows[entry.move] <= entry.value[seat] <= highs[entry.move]  # type: ignore[operator,index]


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_lines_of_whole_rounds(model: str) -> None:
    rng = random.Random(3)
    for _ in range(6):
        position = full_deal(rng)
        declared = tuple(map(reference.number, position.declared))
        now = reference.state([" ".join(hand) for hand in position.hands], position.leader)
        answer = analyze.analyze(position, Control(), model=model)
        assert answer.exact
        assert answer.to_move == position.leader
        assert len(answer.line) == 32
        check_line(now, letters(declared), answer, position.leader)
        assert answer.line[0] == answer.best


def test_a_line_of_maxn_with_six_cards() -> None:
    position = full_deal(random.Random(4), 6)
    declared = tuple(map(reference.number, position.declared))
    now = reference.state([" ".join(hand) for hand in position.hands], position.leader)
    answer = analyze.analyze(position, Control(), model="maxn")
    assert answer.exact
    check_line(now, letters(declared), answer, position.leader)
