"""What a seat is worth: by hand on tables of values, and in each game by analyses of the same positions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from athanor import surveys
from solver import registry, studies
from solver.answers import Analysis
from solver.common import Random
from solver.errors import RequestError
from solver.game import Row
from solver.games.kirin import studies as kirin
from solver.games.kirin.analyze import analyze
from solver.limits import Control
from solver.studies import Seats, SeatsResult, seats_sections

# The values of two deals by leader and seat, of two seats.
PARANOID = [[[3, 1], [0, 2]], [[1, 1], [1, 1]]]
MAXN = [[[3, 2], [1, 2]], [[1, 1], [1, 2]]]


class Led(BaseModel):
    number: int
    leader: int


def known(variant: str, random: Random) -> Sequence[Led]:
    number = 0 if random.word() == Random(7, 0).word() else 1
    return [Led(number=number, leader=leader) for leader in range(2)]


def analyzed(position: Led, control: Control, *, model: str, player: int = 0) -> Analysis:
    table = (PARANOID if model == "paranoid" else MAXN)[position.number][position.leader]
    given: dict[str, Any] = {"value": tuple(table) if model == "maxn" else table[player]}
    return Analysis.model_construct(**given)


STUDY = Seats(known, analyzed, "points", {"small": ("paranoid", "maxn")})


def rows_of(study: Seats, variant: str, deals: int) -> list[Row]:
    return list(study.part(variant, seed=7, number=0, deals=deals, control=Control()))


def test_figures_of_two_deals_by_hand() -> None:
    rows = rows_of(STUDY, "small", 2)
    assert rows[1] == {"number": 0, "deals": 1, "leader": 0, "player": 1, "paranoid": 1.0, "maxn": 2.0}
    found = STUDY.merged("small", 7, reversed(rows))
    assert found.deals == 2
    # Of the first deal seat 0 is worth 3 when it leads and 0 else, seat 1 is worth 2 and 1.
    assert [one.mean for one in found.lead] == [1.0, pytest.approx(0.75 / 1)]
    assert [(one.model, one.mean) for one in found.places] == [
        ("paranoid", 1.75), ("paranoid", 0.75), ("maxn", 2.0), ("maxn", 1.25),
    ]  # fmt: skip
    (differ,) = found.differ
    assert (differ.model, differ.mean) == ("paranoid, maxn", (0.5 + 0.25) / 2)
    assert differ.half == pytest.approx(1.959964 * 0.125)
    shown = dict(seats_sections(found)[1].rows)
    assert shown["paranoid"] == "1.000 ± 1.960"


def test_a_deal_that_is_there_twice_or_in_part_is_refused() -> None:
    rows = rows_of(STUDY, "small", 1)
    with pytest.raises(RequestError, match="deal 0 is counted twice"):
        STUDY.merged("small", 7, [*rows, rows[2]])
    labelled = [surveys.labelled("kirin", "seats", "deal", 7, {**row, "ally": 1}) for row in rows[:3]]
    with pytest.raises(RequestError, match="not the rows"):
        surveys.together(labelled)


@pytest.mark.parametrize(("game", "variant"), [("king", "5"), ("aqua-regia", "2")])
def test_a_seat_is_worth_what_analyses_say(game: str, variant: str) -> None:
    """The rows of a deal are the analyses of its positions; and helped, a seat does no worse than opposed."""
    _, parts, _ = surveys.find(game, "seats", variant)
    rows = list(parts.part(variant, seed=3, number=1, deals=1, control=Control()))
    seats = round(len(rows) ** 0.5)
    assert [(row["leader"], row["player"]) for row in rows] == [(a, b) for a in range(seats) for b in range(seats)]
    for row in rows:
        assert row["paranoid"] <= row["maxn"] <= row["ally"]
    found = parts.merged(variant, 3, rows)
    assert isinstance(found, SeatsResult)
    assert len(found.places) == 3 * seats
    ally, maxn = ([row[model] for row in rows] for model in ("ally", "maxn"))
    assert found.differ[2].mean == pytest.approx(np.mean(np.array(ally) != np.array(maxn)))


def test_the_positions_of_a_deal_differ_by_their_leader_alone() -> None:
    first, *others = kirin.positions("deal", Random(1, 2))
    assert [len(hand) for hand in first.hands] == [8, 8, 8, 8]
    for leader, position in enumerate(others, start=1):
        assert position.model_copy(update={"leader": 0}).model_dump() == first.model_dump()
        assert position.seat_to_move == leader
    study = Seats(kirin.positions, analyze, "points", {"deal": ("ally",)})
    row = next(study.part("deal", seed=1, number=2, deals=1, control=Control()))
    analysis = registry.game("kirin").analyze(first, Control(), model="ally", player=0)
    assert row["ally"] == analysis.value


def test_a_picture_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    bars = studies.bars
    monkeypatch.setattr("solver.studies.bars", lambda *given: drawn.append(given))
    survey, _, _ = surveys.find("kirin", "seats", "deal")
    assert survey.draw is not None
    survey.draw(STUDY.merged("small", 7, rows_of(STUDY, "small", 2)), tmp_path / "seats.svg")
    ((estimates, unit, title, target),) = drawn
    assert (unit, title) == ("value in points", "small: 2 deals, seed 7")
    bars(estimates, unit, title, target)
    assert "</svg>" in (tmp_path / "seats.svg").read_text(encoding="utf-8")
