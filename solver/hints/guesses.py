"""Hints from several guesses at what a player missed: asked one after another, and averaged."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel

from solver.answers import Hint, SampledHint, SampledMove
from solver.common import Random
from solver.errors import MoveError, RequestError
from solver.hints.ranking import CHANCE, POINTS, Margin, Why, answer, confidence_of, student
from solver.language import say
from solver.limits import Control

if TYPE_CHECKING:
    from solver.rounds_in_play import Round

_GUESSES = 6  # the most guesses at the cards missed in the current trick
_FEWEST_GUESSES = 2
_MOST_TRIES = 40


def hint_by_guesses(table: Round, control: Control, seed: int) -> SampledHint:
    """Average the hints for several guesses at the cards that the player missed in the current trick."""
    guesses = _guesses(table, Random(seed, 17))
    missed = say("A card on the table was missed. Look at the table, and enter it with fix.")
    led = bool(getattr(table.position, "trick", ()))  # what may be played depends on the card led
    if table.next_seat != table.seat or not led or len(guesses) < _FEWEST_GUESSES:
        raise RequestError("not_to_move", missed)
    ask = partial(table.game.hint, seed=seed, others=table.others)
    hints = in_parts([partial(ask, guess) for guess in guesses], control)
    if len(hints) < _FEWEST_GUESSES:
        raise RequestError("not_to_move", missed)
    return averaged(hints, control, missed, seed)


def _guesses(table: Round, random: Random) -> list[BaseModel]:
    """Return up to `_GUESSES` different views, with randomly guessed cards in place of the missed ones."""
    views: list[BaseModel] = []
    for _ in range(_MOST_TRIES):
        view: Any = table.position
        try:
            for text in table.entries:
                if text == "?":
                    cards = table.game.possible(view)
                    text = cards[random.below(len(cards))]
                view, _ = table.game.observe(view, [text])
        except (MoveError, ValueError):
            continue
        if view not in views:
            views.append(view)
        if len(views) == _GUESSES:
            break
    return views


def in_parts(asks: Sequence[Callable[[Control], Hint]], control: Control) -> list[SampledHint]:
    """Ask several questions one after another, dividing the time and nodes left between them; return their hints.

    Hints without moves are left out.
    """
    nodes, hints = control.nodes_left(), []
    for number, ask in enumerate(asks):
        seconds = control.seconds_left()
        until = None if seconds is None else time.monotonic() + seconds / (len(asks) - number)
        with control.part(until=until, nodes=None if nodes is None else max(1, nodes // len(asks))) as part:
            hint = ask(part)
        if isinstance(hint, SampledHint) and hint.moves:
            hints.append(hint)
    return hints


def averaged(hints: Sequence[SampledHint], control: Control, reason: str, seed: int) -> SampledHint:
    """Return the mean of several hints, each from an equally likely guess at what the player missed.

    Its standard errors are estimated from the differences between the guesses, so at least two are needed.
    """
    first = hints[0]
    means = [{move.move: move.mean for move in hint.moves} for hint in hints]
    lows = [{move.move: move.worst_tenth for move in hint.moves} for hint in hints]
    shared = [move.move for move in first.moves if all(move.move in by_move for by_move in means)]
    table = np.array([[by_move[move] for move in shared] for by_move in means])
    order = np.argsort(-table.mean(axis=0), kind="stable")
    worlds, scale = sum(hint.worlds for hint in hints), student(len(hints) - 1) / sqrt(len(hints))
    errors = table.std(axis=0, ddof=1) * scale
    behind = table[:, order[0]][:, None] - table
    behind_errors = behind.std(axis=0, ddof=1) * scale
    moves = tuple(
        SampledMove(
            move=shared[index],
            mean=float(table[:, index].mean()),
            stderr=float(errors[index]),
            gap=float(behind[:, index].mean()),
            gap_stderr=float(behind_errors[index]),
            worlds=worlds,
            method=first.method,
            worst_tenth=_mean([by_move[shared[index]] for by_move in lows]),
        )
        for index in order.tolist()
    )
    unit = CHANCE if first.unit == "chance" else POINTS
    ahead = Margin(0, 1, moves[1].gap, moves[1].gap_stderr or 0.0, moves[0].mean) if len(moves) > 1 else None
    return answer(
        first.game,
        first.to_move or 0,
        moves,
        Why(confidence_of(ahead, unit), (), reason),
        method=first.method,
        worlds=worlds,
        seed=seed,
        control=control,
        others=first.others,
        unit=first.unit,
        unknown=first.unknown,
    )


def _mean(numbers: Sequence[float | None]) -> float | None:
    """Return the mean; None if a number is missing."""
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if len(known) == len(numbers) else None
