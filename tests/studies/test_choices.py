"""What a choice before the round is worth: by hand, and in Kirin and King × Alchemy by their own answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from athanor import surveys
from solver import registry, studies
from solver.errors import RequestError
from solver.limits import Control


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
