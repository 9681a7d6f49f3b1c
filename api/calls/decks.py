"""`/v1/decks`: which decks there are, and what deck a file holds."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, request
from pydantic import Field

from api.bodies.models import decks_of
from api.calls.questions import answered
from api.calls.solving import TOML
from api.http.body import check_type, read_text, unread
from solver import decks
from solver.answers import Answer
from solver.errors import PositionError, RequestError


class WrittenDeck(Answer):
    """The deck of a file, read and checked."""

    game: str
    name: str
    title: str
    deck: Annotated[dict[str, Any], Field(description="The whole deck, as a position's `deck` may hold it.")]


def blueprint() -> Blueprint:
    """The routes of decks."""
    routes = Blueprint("decks", __name__)

    @routes.get("/v1/decks")
    def catalogue() -> Response:
        return answered(decks_of(decks.catalogue()))

    @routes.post("/v1/decks")
    def file() -> Response:
        check_type(request, TOML)
        try:
            game, deck, data = decks.written(read_text(request))
        except PositionError as found:
            if found.code in ("invalid_toml", "too_large"):
                raise unread(found) from None
            raise RequestError(found.code, found.message, found.path, found.others) from None
        return answered(WrittenDeck(game=game, name=deck.name, title=deck.title, deck=data))

    return routes
