"""The recorded move counts and playthroughs of kirin: made anew and compared, the counts by the reference too."""

from __future__ import annotations

import json

import pytest

from solver.games.kirin.position import KnownPosition
from solver.positions import parse_position
from tests.games.kirin import data
from tests.reference import kirin as ref


@pytest.mark.parametrize("seed", data.PLAYTHROUGHS)
def test_playthroughs_are_as_recorded(seed: int) -> None:
    recorded = (data.FOLDER / f"playthrough-{seed}.txt").read_text(encoding="utf-8")
    assert data.playthrough(seed) == recorded


def test_move_counts_are_as_recorded() -> None:
    assert data.counts_text() == (data.FOLDER / "counts.json").read_text(encoding="utf-8")


def test_the_reference_counts_the_same_moves() -> None:
    rows = json.loads((data.FOLDER / "counts.json").read_text(encoding="utf-8"))
    assert len(rows) == 7
    for row in rows:
        position = parse_position(row["position"])
        assert isinstance(position, KnownPosition)
        slow = ref.state(
            [" ".join(hand) for hand in position.hands],
            position.leader,
            position.direction,
            " ".join(position.trick),
        )
        lines = [count for count in row["lines"] if count < 6_000]  # the reference takes its time
        assert [ref.count_lines(slow, plies + 1) for plies in range(len(lines))] == lines
