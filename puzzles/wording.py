"""The question and the note of a puzzle, in the reader's language."""

from __future__ import annotations

from typing import Any

from puzzles.format import Puzzle
from solver.common import points_counted
from solver.composing import Candidate
from solver.language import say, translated

_SMALL = 0.05  # a chance below it has a decimal


def question(puzzle: Puzzle) -> str:
    """Return the question that a puzzle asks, naming the seat, in the current language."""
    position: Any = puzzle.position
    if puzzle.ask == "compound":
        return say("What is the most that these cards are worth, points and recipes together?")
    if puzzle.ask == "winnable":
        return say("Can this deal be won?")
    if puzzle.ask == "all-matches":
        return say("Which matches are there?")
    if not puzzle.game.models:
        return _of_alchemy(puzzle)
    mover = int(position.seat_to_move)
    seat = mover if puzzle.player is None else puzzle.player
    if puzzle.ask == "value":
        return _of_worth(puzzle, seat)
    if puzzle.model == "maxn":
        return say("Which move is best for seat {seat}, if every seat plays for itself?", seat=seat)
    if puzzle.model is None:
        return say("Which move is best for seat {seat}?", seat=seat)
    if seat == mover and puzzle.hidden:
        return say("Which move guarantees seat {seat} the most, whatever the others hold and play?", seat=seat)
    if seat == mover and puzzle.model == "paranoid":
        return say("Which move is best for seat {seat}, if the others all play against it?", seat=seat)
    if puzzle.model == "paranoid" and puzzle.game.race:
        return say("Which move of seat {mover} keeps seat {seat} from going out first, all others helping?",
                   seat=seat, mover=mover)  # fmt: skip
    if puzzle.model == "paranoid":
        return say("All others play against seat {seat}. Which move of seat {mover} leaves it the least?",
                   seat=seat, mover=mover)  # fmt: skip
    if seat == mover:
        return say("Which move is best for seat {seat}, if the others all help it?", seat=seat)
    return say("All others help seat {seat}. Which move of seat {mover} is best for it?", seat=seat, mover=mover)


def _of_worth(puzzle: Puzzle, seat: int) -> str:
    """Return the question about a position's value, in a game of several players."""
    first = puzzle.game.race
    if puzzle.model == "maxn" and first:
        return say("Who goes out first, if every seat plays for itself?")
    if puzzle.model == "maxn":
        return say("How many points does each seat have at the end, if every seat plays for itself?")
    if puzzle.model == "ally" and first:
        return say("Can seat {seat} go out first, if the others all help it?", seat=seat)
    if puzzle.model == "ally":
        return say("How many points can seat {seat} have at the end, if the others all help it?", seat=seat)
    if first:
        return say("Can seat {seat} be sure to go out first, if the others all play against it?", seat=seat)
    return say("How many points can seat {seat} be sure of, if the others all play against it?", seat=seat)


def _of_alchemy(puzzle: Puzzle) -> str:
    position: Any = puzzle.position
    best = puzzle.ask == "best-move"
    if position.variant == "duel":
        if best:
            return say("You grab first, the other player answers. Which match gains most on the other's?")
        return say("You grab first, the other player answers. How many points more than the other can you get?")
    if position.variant != "free" and position.hidden:
        return say("Which move has the best chance to win?") if best else say("What is the chance to win?")
    if position.variant != "free":
        return (
            say("Which move wins, or else leaves the fewest cards in the stock?")
            if best
            else say("Can this deal be won?")
        )
    if position.objective is None:
        return say("How many matches are there?")
    asked = {
        "most-cards": (say("Which match uses the most cards of the line?"),
                       say("What is the largest number of line cards that a match can use?")),
        "fewest-cards": (say("Which match uses the fewest cards of the line?"),
                         say("What is the smallest number of line cards that a match needs?")),
        "most-points": (say("Which match brings the most points?"),
                        say("What is the most that a match can score?")),
    }  # fmt: skip
    return asked[position.objective][0 if best else 1]


def note(puzzle: Puzzle) -> str:
    """Return a puzzle's note: the author's own or, for a measured puzzle, a sentence that describes its task.

    If it is known how much the obvious move loses, the sentence says that, too. Returns an empty text for a puzzle
    that has neither a note nor measurements.
    """
    if puzzle.note:
        return translated(puzzle.note)
    measured, found = puzzle.measured, puzzle.solution
    if measured is None:
        return ""
    told: str = puzzle.game.composer.note(Candidate(puzzle.position, puzzle.model, puzzle.player))
    if measured.short and isinstance(measured.obvious, str) and found is not None and found.best is not None:
        told = _with_obvious(puzzle, told, measured.obvious, measured.short)
    return say("{sentence}.", sentence=told)


def _with_obvious(puzzle: Puzzle, told: str, move: str, short: float) -> str:
    """Add to a note that the obvious move is wrong and, unless it just loses, by how much."""
    is_chance = puzzle.game.race if puzzle.judged else getattr(puzzle.position, "hidden", False) is True
    if is_chance:
        points = f"{100 * short:.{0 if short >= _SMALL else 1}f}"
        return say("{who}; {move}, the obvious move, wins less often, by {points} percentage points",
                   who=told, move=move, points=points)  # fmt: skip
    if puzzle.game.race or (puzzle.solution and isinstance(puzzle.solution.value, str)):
        return say("{who}; {move}, the obvious move, fails", who=told, move=move)
    amount = (
        say("{points} points on average", points=f"{short:.1f}") if puzzle.judged else points_counted(int(short))
    )
    return say("{who}; {move}, the obvious move, falls short by {short}", who=told, move=move, short=amount)
