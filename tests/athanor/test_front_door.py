"""``import athanor``: every function, what it takes, and what it raises."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import athanor
from api.app import create_app
from api.config import Config
from athanor import questions
from athanor.jobs import units
from athanor.jobs.workers import ThreadTeam
from puzzles.format import load
from puzzles.generate import Made
from solver import registry
from solver.answers import number_of
from solver.errors import PuzzleError, RequestError
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
        "print(spent, heavy, athanor.games())"
    )
    command = [sys.executable, "-c", script]
    tries = [
        subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True, check=True).stdout.split(" ", 1)
        for _ in range(3)
    ]
    assert [words for _, words in tries] == [f"[] {registry.names()!r}\n"] * 3
    assert min(float(spent) for spent, _ in tries) < 0.1  # of processor time, which a busy machine makes longer


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
    with pytest.raises(athanor.PuzzleError, match=r"no \*\.toml in this folder"):
        athanor.solve(tmp_path / "empty")
    with pytest.raises(athanor.PuzzleError) as found:
        athanor.solve("[[puzzle]]\nid = 5\n")
    assert found.value.lines[0] == 2


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


# Matches, puzzles to try, and conversion.


def test_a_duel_is_played_taken_back_and_gone_on_with() -> None:
    match = athanor.match("alchemy", variant="duel", seed=3)
    assert match.round.to_move == 0
    match.play(match.round.moves()[0])
    went = match.saved
    again = athanor.match("alchemy", variant="duel", seed=3, moves=went.moves)
    assert again.saved == went
    assert match.undo()
    assert match.saved.moves == ((),)


@pytest.mark.parametrize(
    ("options", "path"), [({"seat": 9}, "seat"), ({"seeed": 1}, "seeed"), ({"variant": "x"}, "variant")]
)
def test_what_is_wrong_with_a_match_is_told_with_its_path(options: dict[str, object], path: str) -> None:
    with pytest.raises(athanor.AthanorError) as found:
        athanor.match("kirin", **options)
    assert found.value.path == path


def test_a_move_of_an_exercise_is_judged() -> None:
    puzzle = next(one for one in athanor.exercises(game="kirin") if len(athanor.legal_moves(one.position)) > 1)
    assert puzzle.solution is not None
    best = (puzzle.solution.best or ())[0]
    assert athanor.judge(puzzle, best).correct
    with pytest.raises(athanor.MoveError) as wrong:
        athanor.judge(puzzle, "no card")
    assert wrong.value.path == "answer"
    with pytest.raises(athanor.RequestError) as unasked:
        athanor.judge(puzzle.model_copy(update={"solution": None}), best)
    assert unasked.value.path == "puzzle.solution"


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_moves_tell_the_line_of_the_position() -> None:
    client = create_app(Config()).test_client()
    found = client.post("/v1/moves", json={"position": "alchemy solo l=47K29A h=6"}).get_json()
    assert found["text"] == "alchemy solo line=A,2,4,7,9,K hand=6"


def test_convert_in_python() -> None:
    line = "kirin s=1 h=D1D6D+S2S3S- d=G+ m=0:B5STS6S+/B3S4D5D- t=D3BT"
    told = athanor.convert(line)
    assert athanor.parse(told) == athanor.parse(line)
    assert athanor.convert(told) == str(athanor.parse(line))
    game = (EXAMPLES / "kirin-game.txt").read_text(encoding="utf-8")
    kept = athanor.convert(game + game)
    assert [json.loads(one)["game"] for one in kept.splitlines()] == ["kirin", "kirin"]
    assert athanor.convert(athanor.convert(kept)) == kept


# `athanor.generate`: as many puzzles as are wanted, the same however often it was stopped.


@pytest.fixture
def quickly_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third deal has no puzzle, and deal 4 repeats deal 3's."""

    def make(order: Any, number: int, cancel: Any = None) -> Made:
        if number % 3 == 2:
            return Made(None, None, (), {"few moves": 2})
        line = f"alchemy duel line=2,3,4,6,10,K hand={2 + number % 8} opponent_hand=3"
        puzzle = {"ask": "value", "grade": "easy", "measured": {}, "position": line, "solution": {"value": 1}}
        return Made(puzzle, f"deal {3 if number == 4 else number}", ("Duel",), {})

    monkeypatch.setattr(units, "make", make)
    monkeypatch.setattr(ThreadTeam, "seconds", 0.0)  # a unit at a time, as if each took long


@pytest.mark.usefixtures("quickly_made")
def test_as_many_as_are_wanted(tmp_path: Path) -> None:
    out = tmp_path / "new.toml"
    told: list[tuple[int, int]] = []
    found = athanor.generate(
        "alchemy", out, count=4, seed=7, ask="value", deals=20, progress=lambda *told_: told.append(told_)
    )
    assert found == (True, 4, 7, 1, (), {"fewer than 3 moves look right": 4})
    assert [puzzle.id for puzzle in load(out).puzzles] == [f"alchemy-value-7-{deal}" for deal in (0, 1, 3, 6)]
    assert [path.name for path in tmp_path.iterdir()] == ["new.toml"]
    assert told[-1][0] == 4


@pytest.mark.usefixtures("quickly_made")
def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.toml", tmp_path / "stopped.toml"
    athanor.generate("alchemy", whole, count=6, ask="value", deals=20)
    cancel = threading.Event()

    def soon(puzzles: int, deals: int) -> None:
        if deals >= 3:
            cancel.set()

    found = athanor.generate("alchemy", stopped, count=6, ask="value", deals=20, cancel=cancel, progress=soon)
    assert not found.complete
    assert not stopped.exists()
    assert (tmp_path / "stopped.toml.unfinished").exists()
    deals: list[int] = []
    again = athanor.generate(
        "alchemy", stopped, count=6, ask="value", deals=20, progress=lambda _, done: deals.append(done)
    )
    assert again.complete
    assert deals[0] >= 3  # what was done is not done again
    assert stopped.read_text() == whole.read_text()


@pytest.mark.usefixtures("quickly_made")
def test_none_like_those_that_there_are(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    athanor.generate("alchemy", first, count=2, ask="value", deals=10)
    found = athanor.generate("alchemy", second, count=100, ask="value", deals=10)
    assert (found.puzzles, found.deals) == (6, 10)
    with pytest.raises(PuzzleError, match="cannot read"):
        athanor.generate("alchemy", second, ask="value", unlike=[tmp_path / "missing.toml"])


@pytest.mark.usefixtures("quickly_made")
def test_where_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "make", lambda *_: None)
    with pytest.raises(PuzzleError, match="none of 3 deals made such a puzzle"):
        athanor.generate("alchemy", tmp_path / "new.toml", ask="value", deals=3)
    assert not list(tmp_path.iterdir())
    with pytest.raises(RequestError, match="no ask"):
        athanor.generate("alchemy", tmp_path / "new.toml", ask="compound")


def test_values_subtract() -> None:
    """Values are points, words, or one score per seat; their numbers are numbers for mypy, too."""
    solitaire = athanor.analyze("alchemy solo line=4,7,K hand=6 stock=5")
    gap: float = solitaire.moves[0].number - solitaire.number
    assert (solitaire.value, solitaire.number, gap) == ("lost", 0.0, 0.0)
    duel = athanor.analyze("alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8")
    assert duel.moves[0].number == duel.moves[0].value
    assert math.isnan(number_of(None))
    assert math.isnan(number_of((3, 4)))
