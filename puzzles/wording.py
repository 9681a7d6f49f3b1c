"""The question and the note of a puzzle, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel

from puzzles.format import Measured, Puzzle
from solver.answer_tables import percent
from solver.common import in_a_row, one_after_another
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
    situation = _situation(puzzle)
    template, *of_another = _ASKED[puzzle.ask, puzzle.game.race][situation]
    own = mover in puzzle.game.side_of(seat) if situation == "sides" else mover == seat
    if of_another and not own:
        template = of_another[0]
    asked = [say(template, seat=seat, mover=mover)]
    if situation == "judged":
        asked.append(say("The others play well, and see their own cards only."))
    if puzzle.game.race:
        return sentences(*asked)
    if situation == "maxn":
        template = "Every seat plays for the most points of its own, and then for the fewest of the others."
        if puzzle.game.sides:
            template = "Each side plays for the most points of its own."
        asked.append(say(template))
    return sentences(*asked, composer_of(puzzle.game).counted())


def _situation(puzzle: Puzzle) -> str:
    """Return what a question depends on: whether hands are hidden, how the others play, who plays with whom."""
    if puzzle.hidden and puzzle.ask == "best-move":
        return "judged" if puzzle.model is None else "hidden"
    if puzzle.model == "ally":
        return "ally"
    if puzzle.game.race and puzzle.ask == "best-move" and getattr(puzzle.position, "players", 0) == 2:
        return "two"
    if puzzle.model == "maxn":
        return "maxn"
    return "sides" if puzzle.game.sides and not puzzle.game.race else "paranoid"


# What is asked of the seat to move and, if that is something else, of another seat: by the question, whether
# going out first is what counts, and the situation.
_ASKED: Mapping[tuple[str, bool], Mapping[str, Sequence[str]]] = {
    ("best-move", True): {
        "judged": ["Which move gives seat {seat} the best chance to go out first?"],
        "hidden": ["With which move is seat {seat} sure to go out first, whatever the others hold and play?"],
        "two": ["Which move wins for seat {seat}?",
                "Which move of seat {mover} keeps seat {seat} from going out first?"],
        "maxn": ["With which move does seat {seat} go out first, if every seat plays for itself?"],
        "ally": ["With which move can seat {seat} go out first, if the others all help it?",
                 "All others help seat {seat}. With which move of seat {mover} can it go out first?"],
        "paranoid": ["With which move is seat {seat} sure to go out first, if the others all play against it?",
                     "Which move of seat {mover} keeps seat {seat} from going out first, all others helping?"],
    },
    ("best-move", False): {
        "judged": ["Which move scores the most on average for seat {seat}?"],
        "hidden": ["Which move guarantees seat {seat} the most points, whatever the others hold and play?"],
        "maxn": ["Which move brings seat {seat} the most points?"],
        "ally": ["Which move brings seat {seat} the most points, if the others all help it?",
                 "All others help seat {seat}. Which move of seat {mover} brings it the most points?"],
        "sides": ["Which move brings the side of seat {seat} the most points, if the other plays against it?",
                  "Which move of seat {mover} leaves the side of seat {seat} the fewest points?"],
        "paranoid": ["Which move brings seat {seat} the most points, if the others all play against it?",
                     "All others play against seat {seat}. Which move of seat {mover} leaves it the fewest "
                     "points?"],
    },
    ("value", True): {
        "maxn": ["Who goes out first, if every seat plays for itself?"],
        "ally": ["Can seat {seat} go out first, if the others all help it?"],
        "paranoid": ["Can seat {seat} be sure to go out first, if the others all play against it?"],
    },
    ("value", False): {
        "maxn": ["How many points does each seat have?"],
        "ally": ["How many points can seat {seat} have, if the others all help it?"],
        "sides": ["How many points can the side of seat {seat} be sure of, if the other plays against it?"],
        "paranoid": ["How many points can seat {seat} be sure of, if the others all play against it?"],
    },
}  # fmt: skip


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

    That is how much a wrong move that looks right loses, and why. Returns an empty text for a puzzle that has
    neither a note nor measurements.
    """
    return notes(puzzle)[0]


def notes(puzzle: Puzzle) -> tuple[str, str]:
    """Return a puzzle's note, and its part that helps before the answer: no reason that names a best move."""
    if puzzle.note:
        written = translated(puzzle.note)
        return written, "" if _names(puzzle, written) else written
    if puzzle.measured is None:
        return "", ""
    who: str = composer_of(puzzle.game).note(Candidate(puzzle.position, puzzle.model, puzzle.player))
    if not puzzle.measured.wrong_line:
        hopeless = say("{sentence}.", sentence=_hopeless(puzzle, puzzle.measured.best_line or (), who=who))
        return hopeless, hopeless
    wrong, cause = _tempting(puzzle, puzzle.measured, puzzle.measured.wrong_line)
    whole = say("{wrong}: {cause}", wrong=wrong, cause=cause) if cause else wrong
    helping = wrong if _names(puzzle, cause) else whole
    return say("{who}; {wrong}.", who=who, wrong=whole), say("{who}; {wrong}.", who=who, wrong=helping)


def _names(puzzle: Puzzle, text: str) -> bool:
    """Whether a text names a best move, or a card that only such a move has."""
    best = (puzzle.solution and puzzle.solution.best) or ()
    wrong = set(((puzzle.measured and puzzle.measured.wrong_line) or ("",))[0].split())
    words = {word for move in best for word in (move, *(set(move.split()) - wrong))}
    return any(re.search(rf"(?<![\w+=-]){re.escape(word)}(?![\w+=-])", text, re.ASCII) for word in words)


def _hopeless(puzzle: Puzzle, line: Sequence[str], **named: str) -> str:
    """Add to the note of a deal that can't be won where best play ends, if that is known."""
    composer, candidate = composer_of(puzzle.game), Candidate(puzzle.position)
    cause = composer.because(candidate, line, line) if line and puzzle.ask == "winnable" else ""
    return say("{who}; best play fails, too: {cause}", cause=cause, **named) if cause else named["who"]


def _tempting(puzzle: Puzzle, measured: Measured, line: Sequence[str]) -> tuple[str, str]:
    """Return clauses about the wrong move that looks best: how much it loses, and why (empty if unknown).

    `line` is best play, but for this move, with which it may begin.
    """
    from solver.hints.causes import in_words

    game, position, best = puzzle.game, puzzle.position, measured.best_line or ()
    before = next((time for time, moves in enumerate(zip(line, best, strict=False)) if len(set(moves)) > 1), 0)
    for text in line[:before]:
        position = game.play(position, game.parse_move(position, text))
    candidate = Candidate(position, puzzle.model, puzzle.player)
    (deed,) = in_words(line[before : before + 1])
    wrong = _lost(puzzle, candidate, measured.wrong_loss or 0.0, move=deed)
    cause = composer_of(game).because(candidate, line[before:], best[before:]) or _refuted(puzzle, measured)
    if before:
        wrong = say("later {wrong}", wrong=wrong)
    return wrong, cause


def because(puzzle: Puzzle, move: str) -> str:
    """Return why a wrong move is worse, as a clause that does not give the best move away; empty if unknown.

    Where every card is known, that is the cause which the note has, if it is about this move.
    """
    best, measured = ((puzzle.solution and puzzle.solution.best) or ("",))[0], puzzle.measured
    wrong, right = [move], [best]
    if not puzzle.hidden:
        if measured is None or not measured.wrong_line or measured.wrong_line[0] != move:
            return ""
        wrong, right = list(measured.wrong_line), list(measured.best_line or ())
    composer = composer_of(puzzle.game)
    cause = composer.because(Candidate(puzzle.position, puzzle.model, puzzle.player), wrong, right)
    if not cause and measured is not None and (measured.wrong_line or ("",))[0] == move:
        cause = _refuted(puzzle, measured)
    if re.search("[ =]", best):
        cause = cause.replace(best, say("the best move"))
    return "" if _names(puzzle, cause) else cause


def _refuted(puzzle: Puzzle, measured: Measured) -> str:
    """Return a clause that names the cards of others with which a wrong move falls short; empty if unknown."""
    found, seat = measured.refuting, getattr(puzzle.position, "seat_to_move", 0)
    if found is None:
        return ""
    return say_many(
        "if {other:who} {other:holds|hold} {cards}, the others can hold {seat:who} to {count} point",
        "if {other:who} {other:holds|hold} {cards}, the others can hold {seat:who} to {count} points",
        found.most, other=found.seat, cards=in_a_row(found.cards), seat=seat,
    )  # fmt: skip


def _lost(puzzle: Puzzle, candidate: Candidate, short: float, **named: Any) -> str:
    """Return a clause that says how much a wrong move loses."""
    value = None if puzzle.solution is None else puzzle.solution.value
    if (puzzle.game.race and not puzzle.judged) or isinstance(value, str) or puzzle.ask == "winnable":
        return say("{move}, which looks right, fails", **named)
    if isinstance(value, float):
        return say("{move}, which looks right, lowers the chance to win from {best} to {less}",
                   best=percent(value), less=percent(value - short), **named)  # fmt: skip
    if puzzle.game.race:
        return say("{move}, which looks right, lowers the chance to win by {amount} percentage points",
                   amount=f"{100 * short:.0f}", **named)  # fmt: skip
    if puzzle.judged:
        return say("{move}, which looks right, brings {amount} points less on average",
                   amount=f"{short:.1f}", **named)  # fmt: skip
    if candidate.held_down:
        return say_many(
            "{move}, which looks right, leaves {seat:who} {amount} point more",
            "{move}, which looks right, leaves {seat:who} {amount} points more",
            1 if short == 1 else 2,
            amount=f"{round(short, 2):g}",
            seat=candidate.asked,
            **named,
        )
    return say_many(
        "{move}, which looks right, falls short by {amount} point",
        "{move}, which looks right, falls short by {amount} points",
        1 if short == 1 else 2, amount=f"{round(short, 2):g}", **named,
    )  # fmt: skip


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
