"""Making puzzles: what is made is proved, graded by what was measured, the same each time, and never twice."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from puzzles.check import solve_puzzle
from puzzles.format import GRADES, loads
from puzzles.generate import Collecting, Made, Order, make, measure, short_of
from puzzles.grading import grade_of, is_obvious, rating_of
from puzzles.solution import Solution
from solver import registry
from solver.errors import PuzzleError, RequestError
from solver.limits import Control, Limit
from solver.positions import parse_position
from solver.puzzle_maker import HIDDEN_HAND, Candidate, composer_of
from solver.registry import game_of

ORDER = Order(game="kirin", seed=5, model="paranoid")
DUEL = parse_position("alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3")


@pytest.fixture(scope="module")
def made() -> list[tuple[int, Made]]:
    """The first two puzzles whose obvious move is wrong, with their deals; the ideas differ."""
    found = ((number, make(ORDER, number)) for number in range(20))
    hard = ((number, one) for number, one in found if one.puzzle is not None and _is_hard(one.puzzle))
    first = next(hard)
    return [first, next(two for two in hard if _data(two[1])["themes"][0] != _data(first[1])["themes"][0])]


def _is_hard(puzzle: dict[str, Any]) -> bool:
    return puzzle["measured"]["obvious"] not in puzzle["solution"]["best"]


def _data(one: Made) -> dict[str, Any]:
    assert one.puzzle is not None
    return one.puzzle


def results(made: list[tuple[int, Made]]) -> list[dict[str, Any]]:
    return [{"number": number, **one._asdict()} for number, one in made]


def test_what_is_made_is_confirmed(made: list[tuple[int, Made]]) -> None:
    collecting = Collecting(ORDER, 2)
    for deal, result in enumerate(results(made)):
        collecting.add(deal, result)
    assert collecting.full
    puzzles = loads(collecting.text()).puzzles
    assert [puzzle.id for puzzle in puzzles] == [f"kirin-best-move-5-{number}" for number, _ in made]
    for puzzle in puzzles:
        found = solve_puzzle(puzzle, Limit())
        assert found.status == "confirmed"
        assert found.found is not None
        assert found.found == puzzle.solution
        assert len(found.found.best or ()) == 1
        assert puzzle.measured is not None
        assert puzzle.rating == rating_of(puzzle.measured, found.found)
        assert puzzle.grade == grade_of(puzzle.rating)


def test_only_what_is_asked_for_and_the_same_each_time(made: list[tuple[int, Made]]) -> None:
    number, first = made[0]
    grade = _data(first)["grade"]
    assert make(replace(ORDER, grade=grade), number).puzzle == first.puzzle
    other = make(replace(ORDER, grade=next(name for name in GRADES if name != grade)), number)
    assert other.puzzle is None or other.puzzle["grade"] != grade


def test_puzzles_are_kept_in_the_order_of_their_deals_and_once(made: list[tuple[int, Made]]) -> None:
    first, second = results(made)
    nothing: dict[str, Any] = {"number": 3, "puzzle": None, "symmetry": None, "caption": [], "dropped": {}}
    collecting = Collecting(ORDER, 2)
    collecting.add(3, second)
    collecting.add(2, {**first, "number": 99})
    collecting.add(0, first)
    assert (collecting.deals, len(collecting.puzzles)) == (1, 1)  # deal 1 is not done yet
    collecting.add(1, nothing)
    assert (collecting.deals, len(collecting.puzzles), collecting.repeated) == (4, 2, 1)
    known = loads(collecting.text()).puzzles
    other = Collecting(ORDER, 1, known)
    other.add(0, first)
    assert (other.puzzles, other.repeated) == ([], 1)


def test_without_a_puzzle_there_is_no_file() -> None:
    collecting = Collecting(ORDER, 1)
    collecting.add(0, {"error": {"code": "internal_error", "path": "", "message": "broken"}})
    assert collecting.faults == ["broken"]
    with pytest.raises(PuzzleError):
        collecting.text()


def test_weaker_players_find_less() -> None:
    """The chances of a club player and a beginner are those of the moves that they are drawn by."""
    view = parse_position(
        "kirin seat=3 hand=S4,S6,B1,B2,G- declared=S+ "
        "history=0:S3,D5,D4,D+/1:S5,D6,D2,D-/2:S-,G2,B+,G1 trick=1:S1,D3"
    )
    composer, candidate = composer_of(game_of(view)), Candidate(view, None, None, view)
    hint = game_of(view).hint(view, Control(Limit(nodes=100)))
    sums = {"club": 0.0, "beginner": 0.0}
    for entry in hint.moves:
        found = measure(composer, HIDDEN_HAND, candidate, hint, Solution(best=(entry.move,)))
        assert found.equal
        for strength in sums:
            sums[strength] += getattr(found, strength)
    assert sums == pytest.approx({"club": 1.0, "beginner": 1.0}, abs=0.03)
    surest = measure(composer, HIDDEN_HAND, candidate, hint, Solution(best=("S6",)))
    assert surest.club is not None
    assert surest.beginner is not None
    assert surest.club > surest.beginner > 1 / 5


def puzzle_with(theme: str, number: int, **more: Any) -> dict[str, Any]:
    """What a deal came to: a puzzle with a theme, of which nothing else matters here."""
    data = {
        "ask": "best-move", "themes": [theme], "measured": {"obvious": "D1"},
        "solution": {"best": ["S1"]}, "position": "-",
    }  # fmt: skip
    return {
        "number": number,
        "puzzle": data | more,
        "symmetry": str(number),
        "caption": ["Lead", str(number)],
        "dropped": {},
    }


def test_a_theme_that_comes_too_often_is_passed_over() -> None:
    collecting = Collecting(Order(game="kirin"), 3)
    themes = ["lose on purpose", "lose on purpose", "give up the lead", "force their card"]
    made = [puzzle_with(theme, number) for number, theme in enumerate(themes)]
    for number, result in enumerate(made):
        collecting.add(number, result)
    assert [puzzle["id"][-1] for puzzle in collecting.puzzles] == ["0", "2", "3"]
    few = Collecting(Order(game="kirin"), 3)  # where there is nothing else they come, after some patience
    for number in range(30):
        few.add(number, puzzle_with("lose on purpose", number))
    assert [puzzle["id"][15:] for puzzle in few.puzzles] == ["-0-0", "-0-11", "-0-22"]


def test_the_obvious_move_of_a_duel_is_no_answer() -> None:
    order = Order(game="alchemy", seed=41)
    collecting = Collecting(order, 3)
    for number in range(40):
        found = make(order, number)
        collecting.add(number, {"number": number, **found._asdict()})
        if collecting.full:
            break
    assert collecting.full
    assert len({puzzle["title"] for puzzle in collecting.puzzles}) == 3
    for puzzle in loads(collecting.text()).puzzles:
        assert puzzle.measured is not None
        assert puzzle.solution is not None
        assert not is_obvious(puzzle.measured, puzzle.solution)


def test_how_far_a_move_falls_short() -> None:
    answer = game_of(DUEL).analyze(DUEL, Control())
    found = Solution(best=("5+4+6=2+3+10",), value=6)
    assert short_of("5+4+6=2+3+10", answer, found) is None
    assert short_of("none", answer, found) is not None
    assert short_of(4, answer, Solution(value=6)) == 2.0


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"task": "compound"}, "ask"),
        ({"theme": "squeeze"}, "theme"),
        ({"game": "chess"}, "game"),
        ({"grade": "tiny"}, "grade"),
        ({"task": "hidden-hand", "model": "ally"}, "model"),
    ],
)
def test_what_there_is_not(wrong: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError) as found:
        Order(**{"game": "kirin"} | wrong)
    assert found.value.path == path


# ----------------------------------------------------------------------------------------------------
# Each theme's check holds in one position of `themes.toml` and not in another, or not for another move.


CASES = tomllib.loads(Path(__file__).with_name("themes.toml").read_text(encoding="utf-8"))["theme"]


def themes_of(case: dict[str, Any]) -> list[str]:
    """The themes of a move in a position."""
    position, move = parse_position(case["position"]), case.get("move", "")
    candidate = Candidate(position, case.get("model"), case.get("player"))
    composer = composer_of(registry.game_of(position))
    return list(composer.themes_of(case["task"], candidate, move, case.get("line", [move])))


@pytest.mark.small
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['game']} {case['name']}")
def test_a_theme(case: dict[str, Any]) -> None:
    assert case["name"] in themes_of(case["yes"])
    assert case["name"] not in themes_of(case["no"])


@pytest.mark.small
def test_every_theme_has_its_positions() -> None:
    for name in registry.names():
        themes = composer_of(registry.game(name)).themes
        assert Counter(case["name"] for case in CASES if case["game"] == name) == Counter(list(themes))
