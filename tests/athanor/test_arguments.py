"""Every argument of every public function, given things of the wrong kind: only Athanor's own errors come out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import athanor
from athanor.questions import warm
from solver.errors import AthanorError
from tests.support.places import ROOT

VIEW = "kirin seat=0 leader=0 hand=S1,S2,S3,S4,S5,S6,ST,D1,D2"
KNOWN = "kirin direction=ascending leader=0 hands=S1,S2/S3,S4/S5,S6/ST,G1 declared=B+,B-,G+,G-"
CARDS = {"game": "king", "deck": "house", "cards": ["F10", "W7", "F11"]}
PUZZLE = ROOT / "puzzles" / "collection" / "alchemy.toml"


def arguments(folder: Path) -> dict[Callable[..., Any], dict[str, Any]]:
    """Right arguments of each public function, so that one of them can be replaced."""
    position = athanor.deal("kirin", seed=3)
    view = athanor.view(position, 0)
    session = athanor.match("kirin", seed=1)
    session.play(session.round.moves()[0])
    easy: Any = athanor.exercises(game="kirin", grade="easy")[0]
    return {
        athanor.analyze: {"position": KNOWN, "nodes": 1},
        athanor.batch: {"kind": "analyze", "questions": [KNOWN], "out": folder / "out.ndjson"},
        athanor.cards: {"game": "kirin"},
        athanor.compound: {"position": CARDS, "nodes": 1},
        athanor.convert: {"content": KNOWN},
        athanor.deal: {"game": "kirin"},
        athanor.deck: {"game": "king"},
        athanor.exercises: {},
        athanor.game: {"name": "kirin"},
        athanor.generate: {"game": "alchemy", "out": folder / "out.toml", "deals": 1, "nodes": 1},
        athanor.hint: {"position": view, "worlds": 1},
        athanor.legal_moves: {"position": position},
        athanor.match: {"game": "kirin"},
        athanor.parse: {"position": KNOWN},
        athanor.play: {"position": position, "moves": athanor.legal_moves(position)[0]},
        athanor.possible_moves: {"view": view},
        athanor.judge: {"puzzle": easy, "answer": easy.solution.best[0], "nodes": 1},
        athanor.review: {"game": session.saved, "nodes": 1},
        athanor.score: {"record": (ROOT / "docs/examples/kirin-score.json").read_text(encoding="utf-8")},
        athanor.solve: {"puzzles": PUZZLE, "nodes": 1},
        athanor.to_move: {"position": position},
        athanor.view: {"position": position, "seat": 0},
        athanor.worlds: {"position": view},
        athanor.winrate: {"variant": "alternative", "deals": 2},
        warm: {"name": "alchemy"},
    }


class Odd:
    """Something that no argument can be."""


WRONG: list[Any] = [
    3, -1, 2**53, 10**400, 1.5, float("nan"), float("inf"), True, "", "?", b"\xff", [], [3], ["F3", 3], {},
    {"a": 1}, {3: 3}, (), {3}, Odd(), Odd, print, None,
]  # fmt: skip
# What is read rather than only checked: errors about these say where in them they are.
READ = (
    "position",
    "view",
    "record",
    "content",
    "puzzles",
    "questions",
    "out",
    "unlike",
    "moves",
    "move",
    "name",
    "game",
)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in athanor.__all__:
        function = getattr(athanor, name)
        if inspect.isfunction(function):
            yield name, function
    yield "warm", warm


FUNCTIONS = [(name, function) for name, function in public() if inspect.signature(function).parameters]


def outcome(function: Callable[..., Any], given: dict[str, Any]) -> AthanorError | None:
    """The error of a call. Any error but Athanor's own gets through, except for a file that can't be written."""
    try:
        found = function(**given)
        if inspect.isgenerator(found):
            list(found)
    except AthanorError as error:
        return error
    except (OSError, ValueError):
        if isinstance(given.get("out"), Path):
            raise
    return None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "function"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_an_argument_of_the_wrong_kind_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, function: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    right = arguments(tmp_path)[function]
    errors = []
    for key, parameter in inspect.signature(function).parameters.items():
        for argument in ["seed", "model"] if parameter.kind is inspect.Parameter.VAR_KEYWORD else [key]:
            for number, wrong in enumerate([*WRONG, iter([3])]):
                if argument == "progress" and callable(wrong):
                    continue  # nobody knows which arguments it takes
                given = {**right, argument: wrong}
                if isinstance(given.get("out"), Path):
                    given["out"] = tmp_path / f"{argument}-{number}{given['out'].suffix}"
                error = outcome(function, given)
                if error is not None:
                    errors.append((argument, wrong, error))
    assert len(errors) > 10
    for argument, wrong, error in errors:
        named = (
            error.path.startswith(argument)
            or argument in str(error)
            or error.code in ("not_found", "unknown_game")
        )
        assert named or argument in READ, (argument, wrong, error.code, str(error))


def test_methods_of_a_game_check_theirs() -> None:
    king = athanor.game("king")
    with pytest.raises(AthanorError, match=r"without\[1\]: text is expected, not 3"):
        king.compound(CARDS, without=["F3", 3])  # type: ignore[list-item]
    with pytest.raises(AthanorError, match="must: a list is expected, not 'F3'"):
        king.compound(CARDS, must="F3")
    with pytest.raises(AthanorError, match="compare: text is expected, not 3"):
        athanor.game("kirin").hint(VIEW, compare=3)  # type: ignore[arg-type]
    with pytest.raises(AthanorError, match="seed: at most 9,007,199,254,740,991 is expected"):
        king.deal(seed=2**53)
    with pytest.raises(AthanorError, match="hints: true or false is expected, not 1"):
        king.warm(hints=1)  # type: ignore[arg-type]
