"""Puzzles about moves: the best move, the value, whether a deal can be won, or all matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from pydantic import BaseModel

from puzzles.solution import Objection, Solution, Verdict
from solver.answers import Analysis, Answer, Hint, Proved
from solver.errors import MOST_FAULTS, AthanorError, Fault, PuzzleError
from solver.language import say

SURE = 1.96  # standard errors: a difference within them may be sampling noise
TOLERANCE = 1e-6  # between a stated number and the true one


def checked(game: Any, position: BaseModel, ask: str, stated: Solution) -> Solution:
    """Return the solution with its moves written as the game writes them. They need not be right.

    Raises PuzzleError, with all faults, if stated moves are illegal or listed twice.
    """
    written: dict[str, list[str]] = {}
    faults = list(islice(_faults(game, position, ask, stated, written), MOST_FAULTS))
    if faults:
        raise PuzzleError.of(faults)
    return stated.model_copy(update={key: tuple(texts) for key, texts in written.items()})


def _faults(
    game: Any, position: BaseModel, ask: str, stated: Solution, written: dict[str, list[str]]
) -> Iterator[Fault]:
    """Yield what is wrong with a solution; put its moves, as the game writes them, into `written`, by key."""
    for key, texts in stated.move_lists():
        written[key] = []
        first: dict[object, int] = {}
        for index, text in enumerate(texts):
            path = f"{key}[{index}]"
            try:
                move = game.parse_move(position, text)
            except AthanorError as error:
                yield Fault(error.code, error.message, path)
                continue
            earlier = first.setdefault(move, index)
            if earlier != index:
                message = say("{text} is in {first} already", text=text, first=f"{key}[{earlier}]")
                yield Fault("duplicate", message, path)
            written[key].append(game.format_move(position, move))


def judge(game: Any, position: BaseModel, ask: str, answer: Answer, stated: Solution | None) -> Verdict:
    """Compare a stated solution with an analysis or a hint."""
    assert isinstance(answer, Analysis | Hint)
    lists = [] if stated is None else [texts for _, texts in stated.move_lists()]
    moves = [game.parse_move(position, text) for texts in lists for text in texts]
    proved = game.proved(position, answer, moves)
    objections = iter(()) if stated is None else _objections(game, position, ask, answer, proved, stated)
    return Verdict(_found(ask, proved), objections)


def judge_hidden(hint: Hint, stated: Solution | None) -> Verdict:
    """Compare stated moves with a hint, where hands are hidden and nothing is proved.

    The moves found are the hint's best one and all that are not significantly worse. A stated move that is
    significantly worse is refuted. If one of the moves found is not stated, the solution is unproved: a longer
    hint may be needed.
    """
    level = tuple(entry.move for entry in hint.moves if not _is_behind(hint, entry.move))
    return Verdict(Solution(best=level), iter(()) if stated is None else _about_hidden(hint, level, stated))


def _about_hidden(hint: Hint, level: Sequence[str], stated: Solution) -> Iterator[Objection]:
    best = stated.best or ()
    for text in best:
        if _is_behind(hint, text):
            yield Objection(True, say("a hint judges {text} to be worse than {best}", text=text, best=hint.best))
    missing = [move for move in level if move not in best]
    if missing:
        yield Objection(
            False, say("a hint of this length does not tell {missing} from the best move", missing=missing[0])
        )


def _is_behind(hint: Hint, move: str) -> bool:
    """Whether a move is significantly worse than the best one."""
    gap, error = hint.gap(move) or (0.0, None)
    return error is not None and gap > SURE * error


def _found(ask: str, proved: Proved) -> Solution | None:
    """Return the proved value and moves as the solution to a question; None if they don't answer it."""
    fields: dict[str, Any] = {}
    if ask == "best-move" and proved.best is not None:
        fields["best"] = proved.best
    if proved.value is not None:
        fields["value"] = proved.value
        if ask == "winnable":
            fields["winnable"] = proved.value == "won"
    if ask == "all-matches" and proved.best is not None:
        fields["moves"] = proved.best
    asked = {"best-move": "best", "all-matches": "moves"}.get(ask, "value")
    nothing = ask == "value" and proved.best == ()  # no move and therefore no value: that is an answer too
    if nothing and not fields:
        fields["best"] = ()
    return Solution(**fields) if asked in fields or nothing else None


def _objections(
    game: Any, position: BaseModel, ask: str, answer: Analysis | Hint, proved: Proved, stated: Solution
) -> Iterator[Objection]:
    value = stated.value
    if stated.winnable is not None:
        value = "won" if stated.winnable else "lost"
    if value is not None:
        yield from _about_value(value, proved, answer)
    for _, texts in stated.move_lists():
        yield from _about_moves(game, position, ask, texts, proved)


def _about_value(stated: object, proved: Proved, answer: Analysis | Hint) -> Iterator[Objection]:
    if proved.value is not None:
        if not _same(stated, proved.value):
            yield Objection(
                True, say("the value is {value}, not {stated}", value=_text(proved.value), stated=_text(stated))
            )
        return
    if proved.best == ():
        yield Objection(True, say("there is no move, so the value is not {text}", text=_text(stated)))
    bounds = getattr(answer, "bounds", None)
    if bounds is not None and isinstance(stated, int | float):
        low, high = bounds
        if isinstance(low, int | float) and not low - TOLERANCE <= stated <= high + TOLERANCE:
            yield Objection(
                True,
                say(
                    "the value is between {low} and {high}, not {stated}",
                    low=_text(low),
                    high=_text(high),
                    stated=_text(stated),
                ),
            )
    yield Objection(False, say("the search ended before the value was proved"))


def _about_moves(
    game: Any, position: BaseModel, ask: str, texts: Sequence[str], proved: Proved
) -> Iterator[Objection]:
    if proved.best is None:
        yield Objection(False, say("the search ended before the moves were proved"))
        return
    # Two splits of the same cards are one move, so moves are compared, not their texts. Canonical texts are tried
    # first: a puzzle may have tens of thousands.
    stated = {game.format_move(position, move): move for move in (game.parse_move(position, t) for t in texts)}
    strange = {game.parse_move(position, text) for text in proved.best if text not in stated}
    canonical = set(proved.best)
    wrong = [text for text, move in stated.items() if text not in canonical and move not in strange]
    listing = ask == "all-matches"
    if wrong:
        template = "{move} is not a match" if listing else "{move} is not optimal"
        yield Objection(True, say(template, move=wrong[0]))
    missing = [game.format_move(position, move) for move in strange - set(stated.values())]
    if (missing and proved.complete) or (proved.best and not stated):
        template = "{move} is missing" if listing else "{move} is optimal too"
        yield Objection(True, say(template, move=min(missing)))


def _same(stated: object, proved: object) -> bool:
    if isinstance(stated, int | float) and isinstance(proved, int | float):
        return abs(stated - proved) <= TOLERANCE
    if isinstance(stated, tuple) and isinstance(proved, tuple):
        return len(stated) == len(proved) and all(map(_same, stated, proved))
    return stated == proved


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    return f"{value:.7g}" if isinstance(value, float) else str(value)
