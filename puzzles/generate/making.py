"""One deal's puzzle: the hardest of its candidates whose solution is proved and is what was asked for."""

from __future__ import annotations

import threading
from typing import Annotated, Any, NamedTuple

from pydantic import Field, model_validator

from puzzles.asks import ASKED
from puzzles.generate.grading import grade_of, points_of, short_of
from puzzles.models import Grade, Measured
from puzzles.solution import Model, Solution
from solver import registry
from solver.common.control import Control, Limit
from solver.common.rng import SEEDS, Random, mix
from solver.inputs.errors import RequestError
from solver.inputs.faults import fault
from solver.positions import game_of, text_of
from solver.protocol.answers import Analysis, Answer, Hint
from solver.protocol.composing import BEST_MOVE, HIDDEN_HAND, Candidate, Composer

NODES = 300_000  # of the search that proves a solution; a candidate that needs more is dropped
HINT_NODES = 2_000  # of the hint that tries a puzzle
JUDGED_NODES = (2_000, 50_000)  # of the hints that judge hidden hands: a look, and the judgement
SURE = (4.0, 10.0)  # standard errors that the best move is ahead of every other one by, in these
_STREAM = 0x9A77E5  # parts the random numbers of puzzles from those of deals

_Text = Annotated[str, Field(strict=True)]


class Order(Model):
    """Which puzzles are wanted: of a game, for a task (`Composer.tasks`), with the deals of a seed.

    `grade`, `theme` and `model` leave others out. `best` is how many moves may be best at most, and `nodes` bounds
    each proof.
    """

    game: _Text
    task: _Text = BEST_MOVE
    seed: Annotated[int, Field(ge=0, lt=SEEDS, strict=True)] = 0
    grade: Grade | None = None
    theme: _Text | None = None
    model: _Text | None = None
    best: Annotated[int, Field(ge=1, le=100, strict=True)] = 1
    nodes: Annotated[int, Field(ge=1, lt=2**62, strict=True)] = NODES

    @property
    def composer(self) -> Composer:
        return registry.game(self.game).composer

    @model_validator(mode="after")
    def _check(self) -> Order:
        try:
            game = registry.game(self.game)
        except RequestError as found:
            raise fault(found.code, found.message, "game") from None
        models = game.guarantees if self.task == HIDDEN_HAND else game.models
        known = (("task", self.composer.tasks), ("theme", self.composer.themes), ("model", models))
        for name, values in known:
            value = getattr(self, name)
            if value is not None and value not in values:
                there = ", ".join(values) or "none"
                raise fault(
                    "unknown_value",
                    f"such puzzles of {self.game} have no {name} {value!r}; there is {there}",
                    name,
                )
        return self


class Made(NamedTuple):
    """A puzzle as the plain data of a puzzle file, without an id and a title, and what it is the same as."""

    puzzle: dict[str, Any]
    symmetry: str


class _Judged(NamedTuple):
    candidate: Candidate
    found: Solution
    measured: Measured
    themes: tuple[str, ...]
    points: int


def make(order: Order, number: int, cancel: threading.Event | None = None) -> Made | None:
    """The puzzle of deal `number`; None where it has none. The same order and number make the same for ever.

    `cancel` ends it between two candidates: then what comes is no result.
    """
    composer = order.composer
    random = Random(mix(order.seed ^ _STREAM) >> 1, number)
    judged = (
        _judged(order, composer, candidate)
        for candidate in composer.candidates(order.task, order.model, random, seed=order.seed, number=number)
        if cancel is None or not cancel.is_set()
    )
    wanted = [
        one
        for one in judged
        if one is not None
        and order.grade in (None, grade_of(one.points))
        and (order.theme is None or order.theme in one.themes)
    ]
    if not wanted:
        return None
    hardest = max(wanted, key=lambda one: one.points)
    return Made(_data(order, composer, hardest), composer.symmetry(order.task, hardest.candidate))


def _judged(order: Order, composer: Composer, candidate: Candidate) -> _Judged | None:
    """A candidate with its proved solution, measured; None where it makes no puzzle."""
    game, task = game_of(candidate.position), order.task
    found: Solution | None
    answer: Answer
    if task == HIDDEN_HAND and candidate.model is None:
        hint = _hint(candidate)
        if hint is None:
            return None
        answer, found = hint, Solution(best=(str(hint.best),))
    else:
        ask = BEST_MOVE if task == HIDDEN_HAND else task
        limit = Control(Limit(nodes=order.nodes))
        answer = game.answer(candidate.position, ask, limit, model=candidate.model, player=candidate.player)
        found = ASKED[ask].subject.judge(game, candidate.position, ask, answer, None).found
        if found is None or (ask == BEST_MOVE and len(found.best or ()) not in range(1, order.best + 1)):
            return None
    if not composer.fits(task, candidate, answer):
        return None
    measured = _measured(composer, task, candidate, answer, found)
    line = answer.line if isinstance(answer, Analysis) else ()
    best = found.best[0] if found.best and found.moves is None else ""
    themes = tuple(composer.themes_of(task, candidate, best, line))
    return _Judged(candidate, found, measured, themes, points_of(measured, found))


def _hint(candidate: Candidate) -> Hint | None:
    """A long hint for a view in which one move is ahead beyond doubt; None for others."""
    game, hint = game_of(candidate.position), None
    for nodes, errors in zip(JUDGED_NODES, SURE, strict=True):
        hint = game.hint(candidate.position, Control(Limit(nodes=nodes)))
        if len(hint.moves) < 2 or hint.exact:
            return None
        for entry in hint.moves:
            gap, error = hint.behind(entry.move) or (0.0, None)
            if entry.move != hint.best and (error is None or gap <= errors * error):
                return None
    return hint


def _measured(composer: Composer, task: str, candidate: Candidate, answer: Answer, found: Solution) -> Measured:
    obvious = composer.obvious(task, candidate)
    hint = None
    own = candidate.player in (None, getattr(candidate.view, "seat", None))  # a hint is about the own score
    if task in (BEST_MOVE, HIDDEN_HAND) and candidate.view is not None and own:
        hint = game_of(candidate.view).hint(candidate.view, Control(Limit(nodes=HINT_NODES))).best
    return Measured(
        obvious=obvious,
        short=short_of(obvious, answer, found),
        shallow=composer.shallow(task, candidate),
        hint=hint,
        steps=composer.steps(task, candidate, answer),
    )


def _data(order: Order, composer: Composer, judged: _Judged) -> dict[str, Any]:
    candidate, measured = judged.candidate, judged.measured
    data: dict[str, Any] = {
        "ask": BEST_MOVE if order.task == HIDDEN_HAND else order.task,
        "model": candidate.model,
        "player": candidate.player,
        "grade": grade_of(judged.points),
        "themes": list(judged.themes) or None,
        "note": _note(composer.note(order.task, candidate), measured, judged.found),
        "measured": measured.model_dump(exclude_none=True),
        "position": text_of(candidate.position),
        "solution": judged.found.model_dump(mode="json", exclude_none=True),
    }
    return {key: value for key, value in data.items() if value is not None}


def _note(who: str, measured: Measured, found: Solution) -> str:
    """Who asks for what, and what the obvious is not worth."""
    tells = measured.short and isinstance(measured.obvious, str) and found.best is not None
    return (
        f"{who}; {measured.obvious}, the obvious move, falls short by {measured.short:g}." if tells else f"{who}."
    )
