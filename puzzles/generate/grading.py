"""How hard a puzzle is, by what was measured: who misses it, by how little, and how long its solution is."""

from __future__ import annotations

from puzzles.models import GRADES, Grade, Measured
from puzzles.solution import Solution
from solver.protocol.answers import Analysis, Answer, Hint, Value
from solver.protocol.composing import Try

_MISSED = 2  # points for each player who misses the solution
_LONG = (2, 3, 5)  # steps of a solution, with a point for each that is reached
_MOST = (2, 4, 6)  # points of an easy, a medium and a hard puzzle at most


def points_of(measured: Measured, found: Solution) -> int:
    """The difficulty of a puzzle with this solution in points, from 0 on."""
    tries = (measured.obvious, measured.shallow, measured.hint)
    missed = sum(not is_right(made, found) for made in tries if made is not None)
    close = measured.short is not None and 0 < measured.short <= 1
    return _MISSED * missed + close + sum(measured.steps >= long for long in _LONG)


def grade_of(points: int) -> Grade:
    """The grade for so many points of difficulty."""
    grade: Grade = GRADES[sum(points > most for most in _MOST)]  # type: ignore[assignment]
    return grade


def is_right(made: Try, found: Solution) -> bool:
    """Whether what somebody makes of a puzzle answers it."""
    if found.best is not None and isinstance(made, str) and found.moves is None:
        return made in found.best
    return made in (found.value, found.bonus)


def short_of(made: Try, answer: Answer, found: Solution) -> float | None:
    """How far what somebody makes of a puzzle falls short of the solution; None where that cannot be told."""
    if made is None or is_right(made, found):
        return None
    if isinstance(made, int | float):
        right = found.bonus if found.bonus is not None else found.value
        return float(abs(right - made)) if isinstance(right, int | float) else None
    if isinstance(answer, Hint):
        behind = answer.behind(made)
        return None if behind is None else round(behind[0], 6)
    if not isinstance(answer, Analysis) or answer.value is None:
        return None
    worth = next((entry.value for entry in answer.moves if entry.move == made), None)
    best, other = number_of(answer.value, answer.to_move), number_of(worth, answer.to_move)
    return None if best is None or other is None else abs(best - other)


def number_of(value: Value | None, seat: int) -> float | None:
    """A value as a number: of several scores that of a seat, and 1 for what is won."""
    if isinstance(value, tuple):
        return float(value[seat])
    if isinstance(value, str):
        return {"won": 1.0, "lost": 0.0}.get(value)
    return None if value is None else float(value)
