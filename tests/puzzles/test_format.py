"""Puzzle files: what is read is what was written, and every error has a code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.format import Puzzle, PuzzleFile, dumps, from_data, loads
from puzzles.solution import Solution
from solver import registry
from solver.errors import PuzzleError
from tests.puzzles.texts import HIDDEN, SOLO, error, puzzle


def test_the_contracts_example_form() -> None:
    file = loads(puzzle(more='solution = { value = 2, moves = ["4=A+3", "4+A=3+2"] }\ngrade = "easy"'))
    (read,) = file.puzzles
    assert (read.id, read.ask, read.grade) == ("a", "all-matches", "easy")
    assert read.solution == Solution(value=2, moves=("4=A+3", "4+A=3+2"))
    assert read.game.name == "alchemy"
    assert loads(dumps(file)) == file


def test_toml_and_json_are_the_same_structure() -> None:
    data = {
        "puzzle": [
            {
                "id": "a",
                "title": "T",
                "ask": "value",
                "position": {
                    "game": "alchemy",
                    "variant": "free",
                    "min_line": 1,
                    "line": ["A", "2", "3"],
                    "hand": "4",
                },
                "solution": {"value": 2},
            }
        ]
    }
    assert from_data(data) == loads(puzzle(ask="value", more="solution = { value = 2 }"))


@st.composite
def _puzzle_files(draw: st.DrawFn) -> PuzzleFile:
    game = registry.game("alchemy")
    ids = draw(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4, unique=True))
    made = []
    for name in ids:
        variant = draw(st.sampled_from(["solo", "alternative", "duel"]))
        position = game.deal(draw(st.integers(0, 2**63 - 1)), variant=variant)
        if variant != "duel" and draw(st.booleans()):
            position = game.view(position, 0)
        ask = draw(st.sampled_from(sorted(game.asks(position) - {"analyze", "hint"})))
        legal = [game.format_move(position, move) for move in game.legal_moves(position)]
        fields: dict[str, Any] = {"best": tuple(draw(st.lists(st.sampled_from(legal), max_size=5)))}
        if ask != "winnable":
            number = st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)
            fields["value"] = draw(number | st.text() | st.lists(number, min_size=1).map(tuple))
        else:
            fields["winnable"] = draw(st.booleans())
        optional = {"title": st.text(), "note": st.text(), "grade": st.sampled_from(["easy", "expert"])}
        made.append(
            Puzzle(
                id=name,
                ask=ask,
                position=position,
                solution=draw(st.none() | st.just(Solution(**fields))),
                **{"title": "", **draw(st.fixed_dictionaries({}, optional=optional))},
            )
        )
    return PuzzleFile(puzzle=tuple(made))


@given(_puzzle_files())
def test_round_trip(file: PuzzleFile) -> None:
    text = dumps(file)
    again = loads(text)
    assert again == file
    assert dumps(again) == text
    assert max(map(len, text.splitlines()), default=0) < 120 or any(
        len(p.title + (p.note or "")) for p in file.puzzles
    )


def test_a_number_keeps_its_kind() -> None:
    (whole,) = loads(puzzle(ask="value", more="solution = { value = 2 }")).puzzles
    (broken,) = loads(puzzle(ask="value", more="solution = { value = 2.0 }")).puzzles
    assert whole.solution is not None
    assert broken.solution is not None
    assert type(whole.solution.value) is int
    assert type(broken.solution.value) is float


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_file"),
        ("# only a comment\n", "empty_file"),
        ("puzzle = []", "wrong_size"),
        ("puzzle = 3", "wrong_type"),
        ("nonsense = 1", "unknown_key"),
        (puzzle(more="colour = 3"), "unknown_key"),
        (puzzle(more="solution = {}"), "missing_key"),
        (puzzle(more="solution = { value = true }"), "wrong_type"),
        (puzzle(more="solution = { value = nan }"), "wrong_type"),
        (puzzle(more="solution = { value = 1979-05-27 }"), "wrong_type"),
        (puzzle(more="solution = { winnable = true }"), "conflict"),
        (puzzle(more='grade = "gentle"'), "unknown_value"),
        (puzzle(more="player = -1"), "out_of_range"),
        (puzzle(more="player = 1"), "out_of_range"),
        (puzzle(more='model = "paranoid"'), "unknown_value"),
        (puzzle(ask="winnable"), "unknown_value"),
        (puzzle(ask="compound"), "unknown_value"),
        (puzzle(ask="winnable", position=HIDDEN), "unknown_value"),
        (puzzle(ask="best-move", position=SOLO, more="solution = { moves = [] }"), "conflict"),
        (puzzle(ask="winnable", position=SOLO, more='solution = { value = "wom" }'), "unknown_value"),
        (puzzle(ask="winnable", position=SOLO, more='solution = { value = "won", winnable = false }'), "conflict"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = ["6+4=10"] }'), "illegal_move"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = ["discard 4"] }'), "illegal_move"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = "6=2+4" }'), "wrong_type"),
        (puzzle() + puzzle(), "duplicate_id"),
        (puzzle(" "), "out_of_range"),
        ("a = [" * 2000, "invalid_toml"),
        ("a = " + "[" * 5000, "invalid_toml"),
        ("a = " + "9" * 5000, "invalid_toml"),
    ],
)
def test_every_fault_has_a_code_and_a_line(text: str, code: str) -> None:
    found = error(text)
    assert found.code == code
    assert found.message
    assert found.line or code == "invalid_toml"


@pytest.mark.parametrize("data", [None, 3, [], "x", {}, {"puzzle": {}}, {"puzzle": [3]}, {"puzzle": [{"id": 1}]}])
def test_data_of_the_wrong_form(data: object) -> None:
    with pytest.raises(PuzzleError) as found:
        from_data(data)
    assert found.value.line == 0
