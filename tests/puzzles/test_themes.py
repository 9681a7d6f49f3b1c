"""Each theme's check holds in one position of `themes.toml` and not in another, or not for another move."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver import registry
from solver.composing import Candidate
from solver.positions import parse_position

pytestmark = pytest.mark.small

CASES = tomllib.loads(Path(__file__).with_name("themes.toml").read_text(encoding="utf-8"))["theme"]


def themes_of(case: dict[str, Any]) -> list[str]:
    """The themes of a move in a position."""
    position, move = parse_position(case["position"]), case.get("move", "")
    candidate = Candidate(position, case.get("model"), case.get("player"))
    composer = registry.game_of(position).composer
    return list(composer.themes_of(case["task"], candidate, move, case.get("line", [move])))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['game']} {case['name']}")
def test_a_theme(case: dict[str, Any]) -> None:
    assert case["name"] in themes_of(case["yes"])
    assert case["name"] not in themes_of(case["no"])


def test_every_theme_has_its_positions_and_a_title_of_its_own() -> None:
    for name in registry.names():
        themes = registry.game(name).composer.themes
        assert Counter(case["name"] for case in CASES if case["game"] == name) == Counter(list(themes))
        assert len({theme.title for theme in themes.values()}) == len(themes)
