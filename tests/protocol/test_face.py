"""Faces: every place that a game names is there, and what is missing is told."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import replace

import pytest

from solver import registry
from solver.game import Face, Game, Places
from tests.support import places

pytestmark = [pytest.mark.small, pytest.mark.plain]

FACES = [game for game in map(registry.game, registry.names()) if isinstance(game, Face)]


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.name)
def test_everything_is_where_the_face_says(face: Face) -> None:
    assert list(face.missing()) == []


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.name)
def test_functions_take_what_the_protocol_says(face: Face) -> None:
    for role in ("asks", "legal_moves", "parse_move", "format_move", "play", "deal", "view", "describe", "score"):
        found = inspect.signature(face.find(getattr(face.places, role)))
        wanted = list(inspect.signature(getattr(Game, role)).parameters.values())[1:]
        if face.places.deck_kind is None:  # the face refuses decks by itself
            wanted = [one for one in wanted if one.name != "deck"]
        if not face.places.dealt_by_rules:  # the face puts options in by itself
            wanted = [one for one in wanted if one.name != "rules"]
        taken = list(found.parameters.values())
        assert [one.kind for one in taken] == [one.kind for one in wanted], role
        for one, other in zip(taken, wanted, strict=True):
            if other.kind is inspect.Parameter.KEYWORD_ONLY:
                assert (one.name, one.default) == (other.name, other.default), role


def test_listing_games_imports_nothing_heavy() -> None:
    script = (
        "import sys; from solver import registry; [registry.game(name).title for name in registry.names()]; "
        "print([name for name in ('pydantic', 'numpy', 'numba', 'rich') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_what_is_missing_is_told() -> None:
    good = FACES[0]
    wrong = Places(
        analysis_type="solver.answers:Analysis",
        score_type="solver.answers:Anser",
        playing="solver.tricks.plain:PlainPlaying",
        asks=".positions.mvoes:asks",
        warm=("solver.answers:__doc__",),
    )
    face = replace(good, places=wrong)
    told = "\n".join(face.missing())
    assert "score_type: the game" in told
    assert "'solver.answers:Anser'" in told
    assert "asks: the game" in told
    assert "warm: 'solver.answers:__doc__'" in told
    with pytest.raises(ImportError, match=f"the game {good.name} has nothing at '.positions.mvoes:asks'"):
        face.asks(good.deal(1))
