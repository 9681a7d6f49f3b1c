"""Studies: what a seat and a choice before the round are worth; by hand, and by each game's own answers."""

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
from solver.games.kirin.analyze import analyze
from solver.games.kirin.puzzles import surveyed
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
    first, *others = surveyed("deal", Random(1, 2))
    assert [len(hand) for hand in first.hands] == [8, 8, 8, 8]
    for leader, position in enumerate(others, start=1):
        assert position.model_copy(update={"leader": 0}).model_dump() == first.model_dump()
        assert position.seat_to_move == leader
    study = Seats(surveyed, analyze, "points", {"deal": ("ally",)})
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


# ----------------------------------------------------------------------------------------------------
# What a choice before the round is worth: by hand, and in Kirin and King × Alchemy by their own answers.


def row(number: int, move: str, kind: str, value: float, judged: float) -> dict[str, Any]:
    return {"number": number, "deals": 1, "move": move, "kind": kind, "value": value, "judged": judged}


ROWS = [
    row(0, "a", "low", 4, 1),
    row(0, "b", "low", 2, 5),
    row(0, "c", "high", 0, 0),
    row(1, "a", "low", 3, 3),
    row(1, "b", "low", 1, 1),
]


def test_figures_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    found = studies.merged("paranoid", 3, ROWS)
    # The best is the one that was judged best, not the one that turned out so.
    assert (found.best.mean, found.any.mean, found.worst.mean, found.gain.mean) == (2.5, 2.0, 0.5, 0.5)
    assert [(kind.what, kind.mean, kind.model) for kind in found.kinds] == [
        ("high", -2.0, "1 deal"), ("low", 0.5, "2 deals"),
    ]  # fmt: skip
    assert found.kinds[0].half is None
    assert dict(studies.choices_sections(found)[2].rows)["high"] == "-2.000  (1 deal)"
    drawn: list[Any] = []
    monkeypatch.setattr(studies, "bars", lambda *given: drawn.append(given))
    studies.choices_plot(found, Path("kinds.svg"))
    assert [one.what for one in drawn[0][0]] == ["high", "low"]
    with pytest.raises(RequestError, match="deal 0 is counted twice"):
        studies.merged("paranoid", 3, [*ROWS, ROWS[0]])


def test_kirins_card_is_worth_what_the_analysis_says() -> None:
    _, parts, _ = surveys.find("kirin", "declaration", "ally")
    rows = list(parts.part("ally", seed=2, number=0, deals=1, control=Control()))
    assert len(rows) == 9
    assert all(one["value"] == one["judged"] for one in rows)
    colours = [one["move"][0] for one in rows]
    for one in rows:
        others = colours.count(one["move"][0]) - 1
        assert one["kind"].startswith(f"with {others} other")


def test_a_pick_is_judged_by_one_sample_and_worth_another() -> None:
    _, parts, _ = surveys.find("king", "pick", "4")
    rows = list(parts.part("4", seed=2, number=0, deals=1, control=Control()))
    game = registry.game("king")
    view = game.view(game.deal(2, players=4, variant="unpicked"), 0)
    assert len(rows) == len(game.legal_moves(view))
    assert any(one["value"] != one["judged"] for one in rows)
    assert {one["kind"] for one in rows} <= {"a suit card", "a trump", "the Dancer"}
    again = game.hint(view, Control(), worlds=400, seed=1)
    assert {one["move"]: one["value"] for one in rows} == {move.move: move.mean for move in again.moves}
