"""``import athanor``: every function, what it takes, and what it raises."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import athanor
from athanor import questions
from puzzles.format import load
from solver import registry
from solver.limits import Control, Limit, Progress
from solver.positions import position_data
from tests.support import places
from tests.support.search_checks import text_of

CARDS = {"game": "king", "deck": "house", "cards": ["F10", "W7", "F11", "F3"]}
TWO = """
[[puzzle]]
id = "{0}"
title = "T"
ask = "value"
solution = {{ value = 7 }}
position = {{ game = "alchemy", variant = "duel", line = ["J", "2", "5", "K", "3", "Q"], hand = "A", opponent_hand = "8" }}
"""  # noqa: E501


def ending() -> Any:
    """A King round in its last tricks, which is analyzed in no time."""
    position: Any = athanor.deal("kirin", seed=5)
    for _ in range(20):
        position = athanor.play(position, athanor.legal_moves(position)[0])
    return position


def test_importing_is_light() -> None:
    script = (
        "import sys, time; before = time.process_time(); import athanor; spent = time.process_time() - before; "
        "heavy = [name for name in ('pydantic', 'numpy', 'numba', 'rich') if name in sys.modules]; "
        "print(heavy, spent < 0.1, athanor.games())"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=places.ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout == f"[] True {registry.names()!r}\n"


def test_everything_that_is_public_is_there() -> None:
    for name in athanor.__all__:
        assert getattr(athanor, name) is not None
    assert set(athanor.__all__) <= set(dir(athanor))
    assert athanor.Limit is Limit
    with pytest.raises(AttributeError, match="has no attribute 'analyse'"):
        athanor.analyse  # noqa: B018


@pytest.mark.parametrize("name", registry.names())
def test_a_deal_is_seen_and_played(name: str) -> None:
    position = athanor.deal(name, seed=3)
    assert position == registry.game(name).deal(3)
    assert athanor.deal(name, seed=3, number=1) != position
    view = athanor.view(position, seat=0)
    assert view == registry.game(name).view(position, 0)
    moves = athanor.legal_moves(position)
    assert len(set(moves)) == len(moves) > 0
    after = athanor.play(position, moves[-1])
    assert after != position
    with pytest.raises(athanor.MoveError) as found:
        athanor.play(position, "nonsense")
    assert found.value.code
    with pytest.raises(athanor.MoveError, match="no move to play"):
        athanor.play(position, None)


def test_a_deal_without_a_seed_is_a_new_one() -> None:
    assert len({athanor.deal("kirin").model_dump_json() for _ in range(4)}) > 1
    for key in ("seed", "number"):
        with pytest.raises(athanor.RequestError) as found:
            athanor.deal("kirin", **{key: -1})  # type: ignore[arg-type]
        assert (found.value.code, found.value.path) == ("out_of_range", key)


def test_positions_are_taken_as_objects_dicts_and_text() -> None:
    position = ending()
    data = position_data(position)
    forms = [position, data, json.dumps(data), json.dumps(data).encode()]
    assert len({tuple(athanor.legal_moves(form)) for form in forms}) == 1
    assert {athanor.parse(form) for form in forms[1:]} == {position}
    assert len({text_of(athanor.analyze(form)) for form in forms}) == 1
    with pytest.raises(athanor.PositionError, match="an object, a dict or text, not int") as found:
        athanor.parse(5)  # type: ignore[arg-type]
    assert found.value.code == "wrong_type"
    with pytest.raises(athanor.PositionError) as found:
        athanor.parse({**data, "hands": [["D1"]]})
    assert found.value.path.startswith("hands")


def test_an_analysis_is_the_games_own() -> None:
    position = ending()
    for model in ("paranoid", "ally", "maxn"):
        found = athanor.analyze(position, model=model, player=1)
        assert text_of(found) == text_of(
            registry.game("kirin").analyze(position, Control(), model=model, player=1)
        )


def test_limits() -> None:
    position = athanor.deal("kirin", seed=3)
    few = athanor.analyze(position, nodes=2000)
    assert not few.exact
    assert few.bounds is not None
    assert text_of(athanor.analyze(position, limit=athanor.Limit(nodes=2000))) == text_of(few)
    view = athanor.view(position, 0)
    first = athanor.hint(view, nodes=2000, seed=7)
    assert text_of(athanor.hint(view, nodes=2000, seed=7)) == text_of(first)
    assert athanor.hint(view, worlds=8).worlds <= 8
    begin = time.monotonic()
    athanor.hint(view, seconds=0.05)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"seconds": 0}, "seconds"),
        ({"seconds": "1"}, "seconds"),
        ({"nodes": -1}, "nodes"),
        ({"nodes": 1.5}, "nodes"),
        ({"nodes": 1, "limit": Limit(nodes=1)}, "limit"),
    ],
)
def test_limits_out_of_range(options: dict[str, Any], path: str) -> None:
    view = athanor.view(athanor.deal("kirin", seed=3), 0)
    with pytest.raises(athanor.RequestError) as found:
        athanor.hint(view, **options)
    assert found.value.path == path


def test_progress_and_cancel() -> None:
    told: list[Progress] = []
    cancel = threading.Event()

    def progress(found: Progress) -> None:
        told.append(found)
        cancel.set()

    found = athanor.analyze(athanor.deal("king", seed=1), progress=progress, cancel=cancel)
    assert not found.exact
    assert told


def test_compounding_and_scores() -> None:
    found = athanor.compound(CARDS, best=2, missing=True)
    assert found.exact
    assert found.ways is not None
    assert found.missing
    with pytest.raises(athanor.RequestError):
        athanor.compound(athanor.deal("kirin", seed=1))
    score = athanor.score({"game": "aqua-regia", "rounds": [{"counts": [2, 0]}]})
    assert isinstance(score, registry.game("aqua-regia").score_type)
    assert athanor.game("aqua-regia").score('{"rounds": [{"counts": [2, 0]}]}') == score


def test_puzzles_from_text_files_and_folders(tmp_path: Path) -> None:
    text = TWO.format("a") + TWO.format("b")
    (tmp_path / "in").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("one.toml", "in/two.toml", ".hidden/three.toml"):
        (tmp_path / name).write_text(text)
    assert [(one.id, one.status, one.file) for one in athanor.solve(text)] == [
        ("a", "confirmed", None),
        ("b", "confirmed", None),
    ]
    one = tmp_path / "one.toml"
    forms: list[Any] = [one, str(one), [one, str(one)], load(one)]
    for given in forms:
        assert sorted(found.id for found in athanor.solve(given)) == ["a", "b"]
    files = {found.file for found in athanor.solve(tmp_path, seconds=5, jobs=2)}
    assert files == {str(one), str(tmp_path / "in" / "two.toml")}
    with pytest.raises(athanor.PuzzleError, match="cannot read"):
        athanor.solve(tmp_path / "none.toml")
    (tmp_path / "empty").mkdir()
    with pytest.raises(athanor.PuzzleError, match=r"no \*\.toml in the folder"):
        athanor.solve(tmp_path / "empty")
    with pytest.raises(athanor.PuzzleError) as found:
        athanor.solve("[[puzzle]]\nid = 5\n")
    assert found.value.line == 2


def test_a_bound_game_says_the_same() -> None:
    kirin = athanor.game("kirin")
    position = kirin.deal(seed=3)
    assert position == athanor.deal("kirin", seed=3)
    assert kirin.legal_moves(position) == athanor.legal_moves(position)
    assert kirin.view(position, 1) == athanor.view(position, 1)
    assert kirin.play(position, "BT") == athanor.play(position, "BT")
    assert text_of(kirin.analyze(position, nodes=500)) == text_of(athanor.analyze(position, nodes=500))
    view = kirin.view(position, 0)
    assert text_of(kirin.hint(view, nodes=500, seed=2)) == text_of(athanor.hint(view, nodes=500, seed=2))
    assert (kirin.name, kirin.title, kirin.players, repr(kirin)) == (
        "kirin",
        "Kirin",
        (4, 4),
        "athanor.game('kirin')",
    )
    assert "declared" in kirin.variants
    assert "maxn" in kirin.models
    assert kirin.rules() == registry.game("kirin").rules()
    data = position_data(view)
    del data["game"]
    assert kirin.parse(data) == kirin.parse(json.dumps(data)) == view
    with pytest.raises(athanor.PositionError, match="belongs to the game kirin, not to king") as found:
        athanor.game("king").legal_moves(position)
    assert found.value.path == "game"
    with pytest.raises(athanor.RequestError, match="there is no game called 'chess'"):
        athanor.game("chess")
    king = athanor.game("king")
    assert king.compound({"deck": "house", "cards": CARDS["cards"]}).total == athanor.compound(CARDS).total


def test_kernels_are_loaded_before_the_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class Rules:
        def warm(self) -> None:
            asked.append("warm")

        def analyze(self, position: Any, control: Control, **options: Any) -> None:
            asked.append(control.node_limit)

    position = athanor.deal("kirin", seed=1)
    monkeypatch.setattr(registry, "game", lambda name: Rules())
    monkeypatch.setattr(questions, "_loaded", set())
    athanor.analyze(position, nodes=7)
    athanor.analyze(position, nodes=7)
    assert asked == [1, 7, 7]
    athanor.analyze(position, seconds=7)
    athanor.analyze(position, seconds=7)
    athanor.analyze(position)
    assert asked[3:] == ["warm", None, None, None]
