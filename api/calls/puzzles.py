"""`/v1/puzzles`: the collection as data, or the puzzles of a file that is sent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated

from flask import Blueprint, Response
from pydantic import Field

from api.bodies.models import Request, Text, data_of
from api.calls.questions import answered
from api.calls.solving import read_puzzles
from api.http.body import JSON, read_query
from api.http.files import File, sent
from puzzles import training
from puzzles.format import AnyPosition, Ask, Grade, Puzzle
from puzzles.solution import Solution
from solver import registry
from solver.answers import Answer
from solver.errors import RequestError
from solver.positions import text_of


class PuzzleQuery(Request):
    """Which puzzles, in the address."""

    game: Annotated[Text | None, Field(description="Those of one game alone.")] = None
    grade: Annotated[Grade | None, Field(description="Those of one grade alone.")] = None


class PuzzleInfo(Answer):
    """A puzzle with its position as a line, too. Keys that its file does not state are left out."""

    id: str
    title: str
    ask: Ask
    game: str
    model: str | None = None
    player: int | None = None
    grade: Grade | None = None
    themes: tuple[str, ...] | None = None
    note: str | None = None
    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition
    solution: Solution | None = None


class Puzzles(Answer):
    puzzles: tuple[PuzzleInfo, ...]


def blueprint() -> Blueprint:
    """The routes of puzzles that are not solved, but told."""
    routes = Blueprint("puzzles", __name__)

    @routes.get("/v1/puzzles")
    def collection() -> Response:
        query = read_query(PuzzleQuery)
        if query.game is not None and query.game not in registry.names():
            raise RequestError("unknown_game", f"there is no game {query.game!r}", "game")
        return sent(_chosen(query.game, query.grade), "no-cache")

    @routes.post("/v1/puzzles")
    def file() -> Response:
        return answered(Puzzles(puzzles=tuple(told(read_puzzles().puzzles))))

    return routes


@cache
def _chosen(game: str | None, grade: str | None) -> File:
    """The puzzles of a game and of a grade, None for all: few answers, of which the largest is long."""
    wanted = (found for found in _collection() if game in (None, found.game) and grade in (None, found.grade))
    return File(Puzzles(puzzles=tuple(wanted)).to_json().encode(), JSON)


@cache
def _collection() -> tuple[PuzzleInfo, ...]:
    return tuple(told(training.collection()))


def told(puzzles: Iterable[Puzzle]) -> list[PuzzleInfo]:
    """Puzzles as data, for whoever draws them."""
    return [
        PuzzleInfo.model_validate(
            {
                **puzzle.model_dump(
                    mode="json", exclude={"position", "measured"}, exclude_unset=True, exclude_none=True
                ),
                "game": puzzle.game.name,
                "text": text_of(puzzle.position),
                "position": data_of(puzzle.position),
            }
        )
        for puzzle in puzzles
    ]
