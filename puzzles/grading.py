"""Ratings and grades of puzzles, from simulated solvers of several strengths and a fit of their results.

A puzzle's rating is that of a solver who solves it half of the time; the collection's mean is 1650. The ratings of
the solvers, in `solvers.toml`, are fitted to the whole collection: `python -m tests.puzzles.renew` does that.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from puzzles import response
from puzzles.format import GRADES, QUESTION_KINDS, Grade, Measured
from puzzles.rating import SCALE
from puzzles.solution import NEAR, Solution
from solver.common import Random
from solver.errors import RequestError
from solver.limits import Control, Limit
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, Candidate, Composer, Try

# Who tries a puzzle. Some are in `Measured` for what else they tell.
GUESS = "guess"
READERS: Mapping[str, int] = {"read-1": 1, "read-2": 2, "read-3": 3}  # and how far they look ahead
SEARCHES: Mapping[str, int] = {"search-256": 256, "search-2048": 2048}  # and the positions that they look at
SOLVERS = (GUESS, "shallow", "beginner", "club", "equal", *READERS, *SEARCHES)

_TRIES = 6  # of a reader
_SEED = 72
_MEAN = 1650  # the mean rating of the collection: between a medium and a hard puzzle
_UNIT = 2 * SCALE  # points for one unit of log odds: a grade is 300 points, and what makes odds of 2.4 to 1
_BOUNDS = (1350, 1650, 1950)  # between the ratings of the grades: see `training.GRADED`


def tries(
    composer: Composer, task: str, candidate: Candidate, solution: Solution, seed: int = _SEED
) -> dict[str, float]:
    """Return each solver's chance to solve a puzzle, for those that are not in `Measured` already.

    The same arguments always give the same chances: nothing depends on time.
    """
    chances: dict[str, float] = {}
    if task in (BEST_MOVE, HIDDEN_HAND) and solution.best:
        chances[GUESS] = round(len(solution.best) / len(composer.game.legal_moves(candidate.position)), 2)
    for name, depth in READERS.items():
        answers = [composer.read(task, candidate, depth, Random(seed, number)) for number in range(_TRIES)]
        if None not in answers:
            chances[name] = round(sum(is_right(answer, solution) for answer in answers) / _TRIES, 2)
    for name, nodes in SEARCHES.items() if composer.searches(task, candidate) else ():
        chances[name] = float(is_right(_searched(composer, task, candidate, nodes), solution))
    return chances


def _searched(composer: Composer, task: str, candidate: Candidate, nodes: int) -> Try:
    """Return the answer of a search that ends early."""
    game, control = composer.game, Control(Limit(nodes=nodes))
    if task == HIDDEN_HAND and candidate.model not in game.guarantees:
        return game.hint(candidate.position, control).best
    ask = BEST_MOVE if task == HIDDEN_HAND else task
    try:
        answer = game.answer(candidate.position, ask, control, model=candidate.model, player=candidate.player)
    except RequestError:  # too many deals agree with a view
        return None
    if ask == BEST_MOVE:
        best: str | None = getattr(answer, "best", None)
        return best
    solution = QUESTION_KINDS[ask].subject.judge(game, candidate.position, ask, answer, None).found
    return None if solution is None else solution.value  # type: ignore[return-value]  # as it is compared


def is_right(answer: Try, solution: Solution) -> bool:
    """Whether a player's answer to a puzzle is right."""
    if answer is None:
        return False
    if solution.moves is not None:
        return answer == len(solution.moves)
    if solution.best is not None and isinstance(answer, str):
        return answer in solution.best
    if solution.winnable is not None and isinstance(answer, str):
        return (answer == "won") == solution.winnable
    if isinstance(answer, float) and isinstance(solution.value, float):
        return abs(answer - solution.value) <= NEAR
    return answer in (solution.value, solution.bonus)


def chances_of(measured: Measured, solution: Solution) -> dict[str, float]:
    """Return each solver's chance to solve a puzzle, as far as that was measured."""
    chances = dict(measured.solved or {})
    for name, answer in (("shallow", measured.shallow), ("equal", measured.equal)):
        if answer is not None:
            chances[name] = float(is_right(answer, solution))
    known = {"beginner": measured.beginner, "club": measured.club}
    chances |= {name: chance for name, chance in known.items() if chance is not None}
    return chances


def fitted(solved: Iterable[Mapping[str, float]]) -> dict[str, int]:
    """Fit the ratings of the solvers, by name, to their chances at many puzzles. Whole points are enough."""
    abilities, difficulties = response.fit(_table(list(solved)))
    return {name: _points(ability - difficulties.mean()) for name, ability in zip(SOLVERS, abilities, strict=True)}


def ratings_of(solved: Sequence[Mapping[str, float]], solvers: Mapping[str, float]) -> list[int]:
    """Return the ratings of puzzles, given the solvers' chances at each and the solvers' ratings."""
    abilities = np.array([(solvers[name] - _MEAN) / _UNIT for name in SOLVERS])
    return [_points(difficulty) for difficulty in response.difficulties(_table(solved), abilities)]


def _table(solved: Sequence[Mapping[str, float]]) -> response.Floats:
    return np.array([[chances.get(name, np.nan) for chances in solved] for name in SOLVERS], dtype=np.float64)


def _points(odds: float) -> int:
    """Convert log odds to a rating."""
    return round(_MEAN + _UNIT * odds)


_FILE = Path(__file__).parent / "solvers.toml"


@cache
def solvers() -> Mapping[str, int]:
    """Return the ratings of the solvers as they were fitted to the collection."""
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def rating_of(measured: Measured, solution: Solution) -> int:
    """Return the rating of a measured puzzle with this solution."""
    return ratings_of([chances_of(measured, solution)], solvers())[0]


def grade_of(rating: float) -> Grade:
    """Return the grade of a puzzle with this rating."""
    return GRADES[sum(rating >= bound for bound in _BOUNDS)]


def is_obvious(measured: Measured, solution: Solution) -> bool:
    """Whether the obvious answer solves the puzzle."""
    return measured.obvious is not None and is_right(measured.obvious, solution)


def write(ratings: Mapping[str, int]) -> None:
    """Store the ratings of the solvers."""
    head = "# Ratings of the simulated solvers, fitted to the collection by `python -m tests.puzzles.renew`.\n"
    lines = [f"{name} = {rating}" for name, rating in ratings.items()]
    _FILE.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
