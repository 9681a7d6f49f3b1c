"""The question and the note of a puzzle, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel

from puzzles.format import Puzzle
from solver.answers import percent
from solver.common import one_after_another
from solver.errors import AthanorError
from solver.language import say, say_many, sentences, translated
from solver.puzzle_maker import Candidate
from solver.registry import game_of


def question(puzzle: Puzzle) -> str:
    """Return the question that a puzzle asks, naming the seat, in the current language."""
    position: Any = puzzle.position
    if puzzle.ask == "compound":
        asked = [say("What is the most that these cards are worth, points and recipes together?")]
        if puzzle.must:
            asked.append(say("Recipes use {cards}.", cards=one_after_another(puzzle.must)))
        if puzzle.without:
            asked.append(say("Recipes don't use {cards}.", cards=one_after_another(puzzle.without)))
        return sentences(*asked)
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
    if puzzle.model == "maxn" and puzzle.game.race:
        return say("Which move is best for seat {seat}, if every seat plays for itself?", seat=seat)
    if puzzle.model == "maxn":
        return sentences(say("Which move is best for seat {seat}?", seat=seat), _each_for_itself())
    if puzzle.model is None and puzzle.game.race:
        return sentences(say("Which move gives seat {seat} the best chance to go out first?", seat=seat), _well())
    if puzzle.model is None:
        return sentences(say("Which move scores the most on average for seat {seat}?", seat=seat), _well())
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
        return sentences(say("How many points does each seat have at the end?"), _each_for_itself())
    if puzzle.model == "ally" and first:
        return say("Can seat {seat} go out first, if the others all help it?", seat=seat)
    if puzzle.model == "ally":
        return say("How many points can seat {seat} have at the end, if the others all help it?", seat=seat)
    if first:
        return say("Can seat {seat} be sure to go out first, if the others all play against it?", seat=seat)
    return say("How many points can seat {seat} be sure of, if the others all play against it?", seat=seat)


def _each_for_itself() -> str:
    return say("Every seat plays for the most points of its own, and then for the fewest of the others.")


def _well() -> str:
    return say("The others play well, and see their own cards only.")


def _of_alchemy(puzzle: Puzzle) -> str:
    position: Any = puzzle.position
    best = puzzle.ask == "best-move"
    if position.variant == "duel":
        if best:
            return say("You grab first, the other player answers. Which match gains most on the other's?")
        return say("You grab first, the other player answers. How many points more than the other can you get?")
    if position.stock_hidden:
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
    measured, solution = puzzle.measured, puzzle.solution
    if measured is None:
        return ""
    sentence: str = puzzle.game.composer.note(Candidate(puzzle.position, puzzle.model, puzzle.player))
    obvious, loss = measured.obvious, measured.obvious_loss
    if loss and isinstance(obvious, str) and solution is not None and solution.best is not None:
        sentence = _obvious(puzzle, loss, who=sentence, move=obvious)
    return say("{sentence}.", sentence=sentence)


def _obvious(puzzle: Puzzle, short: float, **told: str) -> str:
    """Add to a note that the obvious move loses `short`: points or, in a solitaire or a race, a chance to win."""
    game, solution, position = puzzle.game, puzzle.solution, puzzle.position
    if (game.race and not puzzle.judged) or (
        solution is not None and isinstance(solution.value, str)
    ):  # won or lost
        return say("{who}; {move}, the obvious move, fails", **told)
    if game.race or (not game.models and getattr(position, "variant", "") != "duel"):
        amount = percent(short)
        return say("{who}; {move}, the obvious move, lowers the chance to win by {amount}", amount=amount, **told)
    return say_many(
        "{who}; {move}, the obvious move, falls short by {amount} point",
        "{who}; {move}, the obvious move, falls short by {amount} points",
        1 if short == 1 else 2,
        amount=f"{round(short, 2):g}",
        **told,
    )


def seated(position: BaseModel, line: Sequence[str]) -> list[tuple[int | None, str]]:
    """Return a line of play from a position, each move after its seat; None in games without opponents."""
    game: Any = game_of(position)
    now: Any = position
    seats: list[int | None] = [None] * len(line)
    with suppress(AthanorError):  # where no position follows, as after a duel's exchange
        for index, move in enumerate(line if game.models else ()):
            seats[index] = now.seat_to_move
            now = game.play(now, game.parse_move(now, move))
    return list(zip(seats, line, strict=True))
