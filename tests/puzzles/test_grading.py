"""Grading: the fit recovers known difficulties, and simulated solvers are right as they should be."""

from __future__ import annotations

import numpy as np
import pytest

from puzzles import grading, response, training
from puzzles.format import Measured, Puzzle
from puzzles.quality import candidate_of, task_of
from puzzles.solution import Solution
from solver.puzzle_maker import composer_of


def test_the_fit_recovers_known_abilities_and_difficulties() -> None:
    """Of 12 solvers with 20 tries at each of 600 puzzles that are drawn from the model, some of them left out."""
    random = np.random.default_rng(72)
    abilities, difficulties = np.linspace(-2.5, 2.5, 12), random.normal(0, 1.5, 600)
    chances = 1 / (1 + np.exp(difficulties - abilities[:, None]))
    solved = random.binomial(20, chances) / 20
    solved[random.random(solved.shape) < 0.2] = np.nan
    fitted, found = response.fit(solved)
    shift = found.mean() - difficulties.mean()  # only differences matter
    assert np.abs(fitted - shift - abilities).max() < 0.25
    assert np.corrcoef(found, difficulties)[0, 1] > 0.98
    assert np.abs(found - shift - difficulties).mean() < 0.3
    assert response.difficulties(solved, fitted) == pytest.approx(found, abs=1e-6)


def test_what_all_or_none_solve_and_what_nobody_tried_has_a_finite_difficulty() -> None:
    solved = np.array([[1.0, 0.0, 0.5, np.nan], [1.0, 0.0, 0.5, np.nan]])
    abilities, found = response.fit(solved)
    assert np.isfinite(found).all()
    assert found[0] < found[2] < found[1]
    assert found[3] == pytest.approx(0)
    assert abilities == pytest.approx([abilities[0]] * 2)


def test_who_finds_more_is_stronger_and_what_fewer_find_is_harder() -> None:
    solvers = grading.solvers()
    assert solvers["guess"] < solvers["read-1"] < solvers["read-2"] < solvers["read-3"]
    assert solvers["beginner"] < solvers["club"] < solvers["equal"]
    assert solvers["search-256"] < solvers["search-2048"]
    ratings = grading.ratings_of([{"club": chance} for chance in (0.9, 0.5, 0.1)], solvers)
    assert ratings == sorted(ratings)
    assert len(set(ratings)) == 3
    assert grading.ratings_of([{}], solvers) == [1650]  # nothing is known


def test_grades_are_those_of_the_ratings_in_training() -> None:
    assert {grade: grading.grade_of(rating.points) for grade, rating in training.GRADED.items() if grade} == {
        grade: grade for grade in ("easy", "medium", "hard", "expert")
    }


@pytest.mark.parametrize(
    ("made", "found", "right"),
    [
        ("S1", Solution(best=("S1", "S2")), True),
        ("S3", Solution(best=("S1", "S2")), False),
        (None, Solution(value=0), False),
        (4, Solution(value=4), True),
        ((0, 1), Solution(value=(0, 1)), True),
        (0.668, Solution(value=2 / 3), True),
        (0.68, Solution(value=2 / 3), False),
        ("won", Solution(winnable=True), True),
        ("won", Solution(winnable=False), False),
        (2, Solution(moves=("4=4", "4=A+3")), True),
        (14, Solution(bonus=14), True),
    ],
)
def test_an_answer_is_right_or_not(made: object, found: Solution, right: bool) -> None:
    assert grading.is_right(made, found) is right  # type: ignore[arg-type]


def test_the_same_solvers_make_the_same_of_a_puzzle_and_each_kind_has_some() -> None:
    """On the puzzle of each kind that has the fewest cards, since reading takes long."""
    kinds: dict[tuple[str, str], Puzzle] = {}
    by_size = sorted(
        training.collection(), key=lambda one: composer_of(one.game).cards_in_sight(candidate_of(one))
    )
    for puzzle in by_size:
        if puzzle.measured is not None and not puzzle.judged:
            kinds.setdefault((puzzle.game.name, task_of(puzzle)), puzzle)
    for puzzle in kinds.values():
        assert puzzle.solution is not None
        assert puzzle.measured is not None
        how = (composer_of(puzzle.game), task_of(puzzle), candidate_of(puzzle), puzzle.solution)
        tried = grading.tries(*how)
        assert tried == puzzle.measured.solved, puzzle.id
        assert {"read-1", "read-2"} <= tried.keys(), puzzle.id
        assert set(grading.chances_of(Measured(solved=tried), puzzle.solution)) == set(tried)
