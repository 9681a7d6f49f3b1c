"""What the endpoints of a game in progress take and give back."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from api.bodies.models import MOST_MOVES, Request, Text, Whole
from athanor.sessions import Saved
from solver.answers import Answer
from solver.limits import Limit

_MATCH = "The game so far, as every answer about it tells it; all else follows from it."
_SEEN = (
    "What is to be seen, with the keys of a position, to be drawn. Without `text` it is none that can be asked "
    "about: the second match of an exchange, or the hands at the end. Null between a pick and those of the others."
)
_MOST_SECONDS = 1.0  # of each of the two questions about a move


class MatchRequest(Request):
    """A game in progress, and what its player does next: moves, or going back."""

    match: Annotated[Saved, Field(description=_MATCH)]
    moves: Annotated[
        tuple[Text, ...],
        Field(max_length=MOST_MOVES, description="Moves to make, in order, whoever's they are."),
    ] = ()
    undo: Annotated[
        int,
        Field(ge=0, le=MOST_MOVES, strict=True, description="How many of the player's decisions to go back by."),
    ] = 0
    redo: Annotated[
        tuple[Text, ...],
        Field(
            max_length=MOST_MOVES,
            description="Moves that were taken back: the first is made again, and all up to the next decision.",
        ),
    ] = ()


class TurnRequest(Request):
    """A game in progress in which the seat to move decides by its hint."""

    match: Annotated[Saved, Field(description=_MATCH)]


class WrittenRequest(Request):
    """A file of games as text, which may be games of a real table."""

    text: Annotated[Text, Field(description="What `athanor play` keeps as text, or somebody wrote down.")]


class WrittenGames(Answer):
    """The games of a file, each as it is sent as `match`, with its moves as they are usually written."""

    games: tuple[Saved, ...]


class ReviewLimit(Limit):
    """How long each of the two questions about a move may take: 0.3 seconds unless something is said."""

    seconds: Annotated[float, Field(gt=0, le=_MOST_SECONDS, allow_inf_nan=False, strict=True)] | None = None


class ReviewRequest(Request):
    """A game in progress or finished, and which of its finished rounds to review."""

    match: Annotated[Saved, Field(description=_MATCH)]
    limit: ReviewLimit = ReviewLimit()
    round: Annotated[int | None, Field(ge=1, strict=True, description="One round, counted from 1; else all.")] = (
        None
    )
    seat: Annotated[Whole | None, Field(description="One seat's moves alone.")] = None
    model: Annotated[Text | None, Field(description="How the others play in truth, where a game has that.")] = None


class EndedRound(Answer):
    """How a round ended: all its cards, and what it brought."""

    round: Annotated[int, Field(description="Which round, counted from 1.")]
    text: Annotated[str | None, Field(description="The last position as a line; null where no line says it.")]
    position: Annotated[dict[str, Any] | None, Field(description=_SEEN)]
    summary: Annotated[
        tuple[str, ...],
        Field(description="What the round brought, and how the match stands, in sentences."),
    ]


class Match(Answer):
    """Where a game in progress stands, for its player."""

    match: Annotated[Saved, Field(description=_MATCH)]
    file: Annotated[str, Field(description="The game as the text of a file, which `/v1/match/written` reads.")]
    players: int
    round: Annotated[int, Field(description="Which round it is, counted from 1.")]
    to_move: Annotated[int | None, Field(description="The seat that decides next; null when the game is over.")]
    deciding: Annotated[
        bool, Field(description="Whether the player decides now, and has more than one move to choose from.")
    ]
    moves: Annotated[tuple[str, ...], Field(description="The player's legal moves, when it is their turn.")]
    text: Annotated[str | None, Field(description="What the player sees, as a line; null where no line says it.")]
    position: Annotated[dict[str, Any] | None, Field(description=_SEEN)]
    made: Annotated[int, Field(description="How many moves were made in all rounds.")]
    undone: Annotated[
        tuple[str, ...], Field(description="The moves that `undo` took back, the first to be made again first.")
    ] = ()
    redone: Annotated[int, Field(description="How many moves of `redo` were made.")] = 0
    ended: Annotated[
        EndedRound | None, Field(description="The last round, where the game is over or the next has not begun.")
    ] = None


class Turn(Answer):
    """What a seat did, and where the game stands then."""

    seat: Annotated[int, Field(description="The seat that moved.")]
    told: Annotated[str, Field(description="What everybody is told of it; a hidden move is not named.")]
    reason: Annotated[str | None, Field(description="Why; null for a move without a choice or a hidden one.")]
    match: Annotated[Match, Field(description="Where the game stands after it.")]
