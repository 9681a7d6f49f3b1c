"""Estimates what remembering more cards would be worth, from the worlds (deals) that a hint has played."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.answers import Hint, SampledHint, SampledMove, Unknown
from solver.hints.causes import Noted
from solver.hints.ranking import CHANCE, POINTS, Lead, Why, answer, student, sureness
from solver.limits import Control

_PRIOR = 4.0  # of the ridge, in worlds
_PARTS = 4  # of the worlds: moves in each part are chosen by a fit to the others
_FEWEST = 8  # chains in a part


def unknown_of(
    gone: int, among: Sequence[str], noted: Noted | None, held: NDArray[Any] | None, best: int
) -> Unknown:
    """Describe what a player does not remember: which of the cards in `among`, `gone` in number, were played.

    `held` is an array (worlds, cards of `among`) of how many of each card are in the hands; None if nothing was
    recorded. With it and the hint's worlds, `noted`, the function estimates what knowing these cards would be
    worth. `best` is the index of the best move.
    """
    worth = error = None
    if held is not None:
        worth, error = worth_of_knowing(noted, held, best) or (None, None)
    return Unknown(gone=gone, among=tuple(among), worth=worth, stderr=error)


def in_parts(asks: Sequence[Callable[[Control], Hint]], control: Control) -> list[SampledHint]:
    """Ask several questions one after another, dividing the time and nodes left between them; return their hints.

    Hints without moves are left out.
    """
    nodes, found = control.nodes_left(), []
    for number, ask in enumerate(asks):
        seconds = control.seconds_left()
        until = None if seconds is None else time.monotonic() + seconds / (len(asks) - number)
        with control.part(until=until, nodes=None if nodes is None else max(1, nodes // len(asks))) as part:
            hint = ask(part)
        if isinstance(hint, SampledHint) and hint.moves:
            found.append(hint)
    return found


def averaged(hints: Sequence[SampledHint], control: Control, reason: str, seed: int) -> SampledHint:
    """Return the mean of several hints, each from an equally likely guess at what the player missed.

    Its standard errors are estimated from the differences between the guesses, so at least two are needed.
    """
    first = hints[0]
    means = [{move.move: move.mean for move in hint.moves} for hint in hints]
    shared = [move.move for move in first.moves if all(move.move in one for one in means)]
    table = np.array([[one[move] for move in shared] for one in means])
    order = np.argsort(-table.mean(axis=0), kind="stable")
    worlds, scale = sum(hint.worlds for hint in hints), student(len(hints) - 1) / sqrt(len(hints))
    errors = table.std(axis=0, ddof=1) * scale
    behind = table[:, order[0]][:, None] - table
    behind_errors = behind.std(axis=0, ddof=1) * scale
    moves = tuple(
        SampledMove(
            move=shared[place],
            mean=float(table[:, place].mean()),
            stderr=float(errors[place]),
            behind=float(behind[:, place].mean()),
            behind_stderr=float(behind_errors[place]),
            worlds=worlds,
            method=first.method,
        )
        for place in order.tolist()
    )
    unit = CHANCE if first.unit == "chance" else POINTS
    ahead = Lead(0, 1, moves[1].behind, moves[1].behind_stderr or 0.0, moves[0].mean) if len(moves) > 1 else None
    return answer(
        first.game,
        first.to_move or 0,
        moves,
        Why(sureness(ahead, unit), (), reason),
        method=first.method,
        worlds=worlds,
        seed=seed,
        control=control,
        others=first.others,
        unit=first.unit,
        unknown=first.unknown,
    )


def cards_held(hands: NDArray[Any], cards: Sequence[int]) -> NDArray[Any]:
    """Return whether each card is in one of the hands, an array (worlds, cards).

    `hands` has a row of bit sets for each world.
    """
    held = np.bitwise_or.reduce(hands, axis=1)
    found: NDArray[Any] = (held[:, None] >> np.array(cards) & 1) != 0
    return found


def worth_of_knowing(noted: Noted | None, facts: NDArray[Any], best: int) -> tuple[float, float] | None:
    """Return how much knowing the `facts` adds to a player's mean score, and the standard error.

    `facts` has a row of numbers for each world. Scores are modelled as linear in these numbers. The worlds are
    divided into parts, and the moves in each part are chosen by a model fitted to the other parts (cross-fitting),
    so luck does not count as knowledge. The result is a lower bound, since a player may learn more from the facts
    than a linear model does. Returns None if there are too few worlds.
    """
    if noted is None or len(np.unique(noted.batches)) < _PARTS * _FEWEST:
        return None
    inputs = np.concatenate([np.ones((len(facts), 1)), facts - facts.mean(axis=0)], axis=1)
    gains = noted.scores - noted.scores[:, [best]]
    gained = np.zeros(len(facts))
    for part in range(_PARTS):
        here = noted.batches % _PARTS == part
        known, told = inputs[~here], gains[~here]
        weights = np.linalg.solve(known.T @ known + _PRIOR * np.eye(inputs.shape[1]), known.T @ told)
        chosen = np.argmax(inputs[here] @ weights, axis=1)
        gained[here] = gains[here, chosen]
    by_chain = np.bincount(noted.batches, gained) / np.bincount(noted.batches)
    error = float(by_chain.std(ddof=1)) / sqrt(len(by_chain)) * student(len(by_chain) - 1)
    return max(0.0, float(gained.mean())), error
