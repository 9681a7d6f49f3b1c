"""The question and the note of a puzzle, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel

from puzzles.format import Measured, Puzzle
from solver.answers import percent
from solver.common import one_after_another
from solver.errors import AthanorError
from solver.language import say, say_many, sentences, translated
from solver.puzzle_maker import Candidate, composer_of
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
    return _of_race(puzzle, seat, mover) if puzzle.game.race else _of_points(puzzle, seat, mover)


def _of_race(puzzle: Puzzle, seat: int, mover: int) -> str:
    """Return the question about the best move where who goes out first wins."""
    if puzzle.hidden and puzzle.model is None:
        return sentences(say("Which move gives seat {seat} the best chance to go out first?", seat=seat), _well())
    if puzzle.hidden:
        return say(
            "With which move is seat {seat} sure to go out first, whatever the others hold and play?", seat=seat
        )
    between_two = getattr(puzzle.position, "players", 0) == 2 and puzzle.model != "ally"
    if between_two and seat == mover:
        return say("Which move wins for seat {seat}?", seat=seat)
    if between_two:
        return say("Which move of seat {mover} keeps seat {seat} from going out first?", seat=seat, mover=mover)
    if puzzle.model == "maxn":
        return say("With which move does seat {seat} go out first, if every seat plays for itself?", seat=seat)
    if puzzle.model == "ally" and seat == mover:
        return say("With which move can seat {seat} go out first, if the others all help it?", seat=seat)
    if puzzle.model == "ally":
        return say("All others help seat {seat}. With which move of seat {mover} can it go out first?",
                   seat=seat, mover=mover)  # fmt: skip
    if seat == mover:
        return say(
            "With which move is seat {seat} sure to go out first, if the others all play against it?", seat=seat
        )
    return say("Which move of seat {mover} keeps seat {seat} from going out first, all others helping?",
               seat=seat, mover=mover)  # fmt: skip


def _of_points(puzzle: Puzzle, seat: int, mover: int) -> str:
    """Return the question about the best move where points count."""
    if puzzle.hidden and puzzle.model is None:
        return sentences(say("Which move scores the most on average for seat {seat}?", seat=seat), _well())
    if puzzle.hidden:
        return say(
            "Which move guarantees seat {seat} the most points, whatever the others hold and play?", seat=seat
        )
    if puzzle.model == "maxn":
        asked = say("Which move brings seat {seat} the most points?", seat=seat)
        return sentences(asked, _each_for_itself(puzzle))
    if puzzle.model == "ally" and seat == mover:
        return say("Which move brings seat {seat} the most points, if the others all help it?", seat=seat)
    if puzzle.model == "ally":
        return say("All others help seat {seat}. Which move of seat {mover} brings it the most points?",
                   seat=seat, mover=mover)  # fmt: skip
    if puzzle.game.sides and mover in puzzle.game.side_of(seat):
        return say("Which move brings the side of seat {seat} the most points, if the other plays against it?",
                   seat=seat)  # fmt: skip
    if puzzle.game.sides:
        return say("Which move of seat {mover} leaves the side of seat {seat} the fewest points?",
                   seat=seat, mover=mover)  # fmt: skip
    if seat == mover:
        return say("Which move brings seat {seat} the most points, if the others all play against it?", seat=seat)
    return say("All others play against seat {seat}. Which move of seat {mover} leaves it the fewest points?",
               seat=seat, mover=mover)  # fmt: skip


def _of_worth(puzzle: Puzzle, seat: int) -> str:
    """Return the question about a position's value, in a game of several players."""
    first = puzzle.game.race
    if puzzle.model == "maxn" and first:
        return say("Who goes out first, if every seat plays for itself?")
    if first and puzzle.model == "ally":
        return say("Can seat {seat} go out first, if the others all help it?", seat=seat)
    if first:
        return say("Can seat {seat} be sure to go out first, if the others all play against it?", seat=seat)
    asked = say("How many points can seat {seat} be sure of, if the others all play against it?", seat=seat)
    if puzzle.game.sides:
        asked = say("How many points can the side of seat {seat} be sure of, if the other plays against it?",
                    seat=seat)  # fmt: skip
    if puzzle.model == "maxn":
        asked = sentences(say("How many points does each seat have?"), _each_for_itself(puzzle))
    elif puzzle.model == "ally":
        asked = say("How many points can seat {seat} have, if the others all help it?", seat=seat)
    return sentences(asked, composer_of(puzzle.game).counted())


def _each_for_itself(puzzle: Puzzle) -> str:
    if puzzle.game.sides:
        return say("Each side plays for the most points of its own.")
    return say("Every seat plays for the most points of its own, and then for the fewest of the others.")


def _well() -> str:
    return say("The others play well, and see their own cards only.")


def _of_alchemy(puzzle: Puzzle) -> str:
    position: Any = puzzle.position
    best = puzzle.ask == "best-move"
    if position.variant == "duel":
        if best:
            return say(
                "You grab first, then the other takes the best match left. Which match puts you furthest ahead?"
            )
        return say("You grab first, then the other takes the best match left. How many points ahead can you get?")
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
    """Return a puzzle's note: the author's own or, for a measured puzzle, what is to be done, and what is not.

    That is what is wrong with the obvious move, or what a value would be if all made the obvious moves. Returns an
    empty text for a puzzle that has neither a note nor measurements.
    """
    if puzzle.note:
        return translated(puzzle.note)
    if puzzle.measured is None:
        return ""
    candidate = Candidate(puzzle.position, puzzle.model, puzzle.player)
    sentence: str = composer_of(puzzle.game).note(candidate)
    if puzzle.ask == "best-move" and puzzle.measured.obvious_loss:
        sentence = _obvious(puzzle, candidate, puzzle.measured, who=sentence)
    elif puzzle.ask == "value" and puzzle.measured.obvious is not None and not puzzle.game.race:
        sentence = _simply(puzzle, candidate, puzzle.measured, who=sentence)
    return say("{sentence}.", sentence=sentence)


def _obvious(puzzle: Puzzle, candidate: Candidate, measured: Measured, **told: str) -> str:
    """Add to a note how much the obvious move loses, and why."""
    game, position, move, short = puzzle.game, puzzle.position, str(measured.obvious), measured.obvious_loss or 0.0
    value = None if puzzle.solution is None else puzzle.solution.value
    told["move"] = move
    if (game.race and not puzzle.judged) or isinstance(value, str):  # won or lost
        wrong = say("{who}; {move}, the obvious move, fails", **told)
    elif isinstance(value, float):
        wrong = say("{who}; {move}, the obvious move, lowers the chance to win from {best} to {less}",
                    best=percent(value), less=percent(value - short), **told)  # fmt: skip
    elif game.race:
        wrong = say("{who}; {move}, the obvious move, lowers the chance to win by {amount} percentage points",
                    amount=f"{100 * short:.0f}", **told)  # fmt: skip
    elif puzzle.judged:
        wrong = say("{who}; {move}, the obvious move, brings {amount} points less on average",
                    amount=f"{short:.1f}", **told)  # fmt: skip
    else:
        wrong = say_many(
            "{who}; {move}, the obvious move, falls short by {amount} point",
            "{who}; {move}, the obvious move, falls short by {amount} points",
            1 if short == 1 else 2,
            amount=f"{round(short, 2):g}",
            **told,
        )
    return _because(candidate, measured, wrong, (move,) if getattr(position, "variant", None) == "duel" else ())


def _because(candidate: Candidate, measured: Measured, wrong: str, line: Sequence[str] = ()) -> str:
    """Add to a sentence about the obvious move what is wrong with it, as far as that is known."""
    line = line or measured.wrong_line or ()
    composer = composer_of(game_of(candidate.position))
    cause = composer.because(candidate, line, measured.best_line or ()) if line else ""
    return say("{wrong}: {cause}", wrong=wrong, cause=cause) if cause else wrong


def _simply(puzzle: Puzzle, candidate: Candidate, measured: Measured, **told: Any) -> str:
    """Add to the note of a value what is wrong with the obvious move or, if it is best, what all such come to."""
    if not puzzle.game.models:
        return say("{who}; the match with the most points scores {points}, before the answer",
                   points=measured.obvious, **told)  # fmt: skip
    if measured.wrong_line:
        move = measured.wrong_line[0]
        return _because(candidate, measured, say("{who}; {move}, the obvious move, is wrong", move=move, **told))
    value: Any = puzzle.solution and puzzle.solution.value
    points: Any = measured.obvious
    simply = say_many(
        "{who}; if all made the obvious moves, {seat:who} would have {count} point at the end",
        "{who}; if all made the obvious moves, {seat:who} would have {count} points at the end",
        points, seat=candidate.asked, **told,
    )  # fmt: skip
    if value < points:
        return say("{simply}, but the others can do better", simply=simply)
    return say("{simply}, but {seat:who} can do better", simply=simply, seat=candidate.asked)


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
