"""What makes a puzzle good, as far as it can be measured, and which themes a solved position has.

A good puzzle has something to find: several moves look right, one is, and the next best loses something that can
be said in a sentence. And it is for people: all that is needed to solve it fits on a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isnan

from puzzles.format import Measured, Puzzle
from puzzles.grading import is_obvious
from puzzles.solution import Solution
from solver.answers import Analysis, Answer, Hint, MoveValue, number_of
from solver.language import say
from solver.limits import Control, Limit
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, Composer, composer_of, in_all

FEWEST_MOVES = 3  # that look right, where a move is asked for
LEAST_LEAD = 0.04  # of the best move over the next, in points or as a chance to win
FEWEST_STEPS = 2  # of a solution, if the question is a value in a game of several players, or a deal's result
MOST_ADDED = 12  # cards won already whose points are part of a value
_SURE = Limit(nodes=1_000_000)
LEAST_CHANCE = 0.05  # to win or to lose, where it is asked for
MOST_WAYS = 100  # a chance is a fraction with no larger denominator, so that it can be counted

# Why a candidate is not a good puzzle: a name, and the reason in the current language.
REASONS: Mapping[str, Callable[[], str]] = {
    "few moves": lambda: say("fewer than {count} moves look right", count=FEWEST_MOVES),
    "no loss": lambda: say("the next best move loses nothing, or only a tie-break"),
    "obvious": lambda: say("the obvious answer is right"),
    "level": lambda: say("all first moves are worth the same"),
    "no trap": lambda: say("no wrong move looks right"),
    "neighbours": lambda: say("the first moves are worth only two neighbouring values: it could be guessed"),
    "sums": lambda: say("there are more than {count} cards to add up", count=MOST_ADDED),
    "yes or no": lambda: say("it asks for yes or no: the best move is the better question"),
    "counting": lambda: say("matches are only counted"),
    "certain": lambda: say("the chance to win is near 0 or 1"),
    "short": lambda: say("the solution takes fewer than {count} decisions", count=FEWEST_STEPS),
    "tie-breaks": lambda: say("the answer depends on how ties are broken"),
    "too much": lambda: say("there are too many cards or matches to keep in sight on a phone"),
}


def flaw(
    composer: Composer, task: str, candidate: Candidate, answer: Answer, solution: Solution, measured: Measured
) -> str | None:
    """Return why a solved candidate is not a good puzzle, as a key of `REASONS`; None if it is one."""
    if not composer.is_readable(candidate, answer):
        return "too much"
    if candidate.model == "maxn" and composer.game.race and not _is_sure(composer, candidate, answer):
        return "tie-breaks"
    if task in (BEST_MOVE, HIDDEN_HAND):
        plausible = measured.plausible
        if plausible is None:
            plausible = len(composer.game.legal_moves(candidate.position))
        if plausible < FEWEST_MOVES:
            return "few moves"
        lead = _lead(answer, solution)
        if lead is not None and lead < LEAST_LEAD:
            return "no loss"
        return "obvious" if is_obvious(measured, solution) else None
    if task == VALUE:
        return _flaw_of_value(composer, candidate, answer, solution, measured)
    if is_obvious(measured, solution):
        return "obvious"
    return "short" if task == "winnable" and measured.steps < FEWEST_STEPS else None


def _is_sure(composer: Composer, candidate: Candidate, answer: Answer) -> bool:
    """Whether the winner of a race under ``maxn`` wins whatever the others do, and by a best move alone.

    Else a seat that can't win anyhow decides who does, and nothing says how.
    """
    if not isinstance(answer, Analysis) or not isinstance(answer.value, tuple) or 1 not in answer.value:
        return False
    winner = answer.value.index(1)
    sure = composer.game.analyze(candidate.position, Control(_SURE), model="paranoid", player=winner)
    moves = (answer.moves, sure.moves)
    winning, surely = ([entry.move for entry in of if number_of(entry.value, winner) == 1] for of in moves)
    return sure.number == 1 and (winner != answer.to_move or set(winning) == set(surely))


def _flaw_of_value(
    composer: Composer, candidate: Candidate, answer: Answer, solution: Solution, measured: Measured
) -> str | None:
    if candidate.model == "maxn" and not composer.game.race:
        return "tie-breaks"
    worths = _worths(answer)
    if None in worths:
        return "counting"
    if isinstance(solution.value, float) and (of_chance := _flaw_of_chance(solution.value)):
        return of_chance
    if len(worths) < 2:
        return "level"
    if composer.game.race:
        return "yes or no"
    if isinstance(answer, Hint):
        return None
    if is_obvious(measured, solution):
        return "obvious"
    return _flaw_of_score(composer, candidate, worths, measured) if composer.game.models else None


def _flaw_of_score(
    composer: Composer, candidate: Candidate, worths: set[float | None], measured: Measured
) -> str | None:
    """Return why a score of a round is not worth asking for; `worths` are those of the first moves."""
    if measured.steps < FEWEST_STEPS:
        return "short"
    if measured.wrong_line is None:
        return "no trap"
    known = [worth for worth in worths if worth is not None]
    if max(known) - min(known) < 2:
        return "neighbours"
    return "sums" if composer.added_up(candidate) > MOST_ADDED else None


def _worths(answer: Answer) -> set[float | None]:
    """Return what the first moves are worth for the seat to move, once each; None for an unknown value."""
    if isinstance(answer, Hint):
        return set(answer.worths())
    assert isinstance(answer, Analysis)
    values = [getattr(entry, "value", None) for entry in answer.moves]
    return {None if value is None else number_of(value, answer.to_move) for value in values}


def _flaw_of_chance(chance: float) -> str | None:
    if min(chance, 1 - chance) < LEAST_CHANCE:
        return "certain"
    return "too much" if Fraction(chance).limit_denominator(MOST_WAYS**2).denominator > MOST_WAYS else None


def _lead(answer: Answer, solution: Solution) -> float | None:
    """Return how much the best of the other moves loses for the player; None if that is unknown."""
    best = solution.best or ()
    if isinstance(answer, Hint):
        losses = [gap[0] for entry in answer.moves if entry.move not in best and (gap := answer.gap(entry.move))]
        return min(losses, default=None)
    if not isinstance(answer, Analysis):
        return None
    worth = number_of(answer.value, answer.to_move)
    others = [
        number_of(entry.value, answer.to_move)
        for entry in answer.moves
        if isinstance(entry, MoveValue) and entry.move not in best
    ]
    return min((abs(worth - other) for other in others if not isnan(worth - other)), default=None)


# ----------------------------------------------------------------------------------------------------
# Themes: what all best moves have in common, found by checks on the cards and the best line.


def themes_of(composer: Composer, task: str, candidate: Candidate, answer: Answer) -> tuple[str, ...]:
    """Return the themes that all best moves of a proved answer share."""
    best: str = getattr(answer, "best", None) or ""
    level: list[str] = []
    line = answer.line if isinstance(answer, Analysis) else ()
    if isinstance(answer, Hint):
        gaps = {entry.move: answer.gap(entry.move) for entry in answer.moves}
        level = [move for move, gap in gaps.items() if gap is not None and gap[0] == 0]
    elif isinstance(answer, Analysis) and task == VALUE:
        level = [entry.move for entry in answer.moves if getattr(entry, "value", None) == answer.value]
    themes = (composer.themes_of(task, candidate, move, line if move == best else ()) for move in level or [best])
    return tuple(in_all(themes))


def task_of(puzzle: Puzzle) -> str:
    return HIDDEN_HAND if puzzle.hidden else puzzle.ask


def candidate_of(puzzle: Puzzle) -> Candidate:
    return Candidate(puzzle.position, puzzle.model, puzzle.player)


def false_themes(puzzle: Puzzle, answer: Answer) -> tuple[str, ...]:
    """Return the themes that a puzzle states and its solved position does not have.

    A theme of a game that can't find themes is not doubted, nor one of a compounding with wishes.
    """
    composer: Composer = composer_of(puzzle.game)
    if not puzzle.themes or not composer.themes or puzzle.wishes is not None:
        return ()
    known = themes_of(composer, task_of(puzzle), candidate_of(puzzle), answer)
    return tuple(theme for theme in puzzle.themes if theme not in known)
