"""The endpoints that need no search: games, decks, rules, deals, health."""

from __future__ import annotations

import json
import secrets
from typing import Any, Literal

from flask import Blueprint, Response, request
from pydantic import BaseModel

import athanor
import athanor.table
from api.bodies.models import (
    Cards,
    CardsRequest,
    DealRequest,
    GameInfo,
    Games,
    GameStart,
    Health,
    MemoryUse,
    Moves,
    MovesRequest,
    PlayRequest,
    Rules,
    ViewRequest,
    data_of,
)
from api.calls.questions import answered
from api.config import Config
from api.http.body import read_json, validated
from api.http.errors import NotFoundError
from api.http.searches import Searches
from api.starting.readiness import Progress, Readiness
from api.version import VERSION
from athanor.jobs.settings import most_megabytes
from solver.errors import RequestError
from solver.positions import text_of
from solver.search.memory.settings import MEGABYTE

_DRAWN_SEEDS = 1 << 53  # a seed that we draw survives a reader whose numbers are doubles


def blueprint(config: Config, readiness: Readiness, searches: Searches) -> Blueprint:
    """The routes that need no search; `readiness` is what the state of health tells."""
    routes = Blueprint("tables", __name__)

    @routes.get("/healthz")
    def health() -> Response:
        games = {name: _start(found) for name, found in readiness.progress().items()}
        status: Literal["ok", "starting"] = "ok" if readiness.settled() else "starting"
        return answered(Health(status=status, version=VERSION, games=games, memory=_memory(config, searches)))

    @routes.get("/v1/games")
    def games() -> Response:
        return answered(Games(games=tuple(game_info(name) for name in athanor.games())))

    @routes.get("/v1/rules/<name>")
    def rules(name: str) -> Response:
        try:
            game = athanor.game(name)
        except RequestError as found:
            raise NotFoundError.of(found.faults) from None
        accepted = request.accept_mimetypes.best_match(["application/json", "text/markdown"])
        if accepted == "text/markdown":
            return Response(game.rules(), content_type="text/markdown; charset=utf-8")
        return answered(Rules(game=name, rules=game.rules()))

    @routes.post("/v1/deal")
    def deal() -> Response:
        wanted = validated(DealRequest, read_json(request))
        seed = secrets.randbelow(_DRAWN_SEEDS) if wanted.seed is None else wanted.seed
        position = athanor.deal(
            wanted.game,
            seed=seed,
            number=wanted.number,
            players=wanted.players,
            variant=wanted.variant,
            deck=wanted.deck,
            rules=wanted.rules,
        )
        if wanted.seat is not None:
            position = athanor.view(position, wanted.seat)
        return _json(
            {"seed": seed, "number": wanted.number, "text": text_of(position), "position": data_of(position)}
        )

    @routes.post("/v1/cards")
    def cards() -> Response:
        wanted = validated(CardsRequest, read_json(request))
        readiness.ask_for(wanted.game)  # whoever draws its cards will soon want more
        found = athanor.cards(wanted.game, variant=wanted.variant, deck=wanted.deck)
        return answered(Cards(game=wanted.game, cards=tuple(found)))

    @routes.post("/v1/moves")
    def moves() -> Response:
        position = validated(MovesRequest, read_json(request)).position
        found = athanor.table.happenings(position)
        return answered(Moves.model_validate(found, from_attributes=True))

    @routes.post("/v1/play")
    def play() -> Response:
        wanted = validated(PlayRequest, read_json(request))
        return _table(athanor.play(wanted.position, wanted.moves))

    @routes.post("/v1/view")
    def view() -> Response:
        wanted = validated(ViewRequest, read_json(request))
        return _table(athanor.view(wanted.position, wanted.seat))

    return routes


def _json(found: dict[str, Any]) -> Response:
    return Response(json.dumps(found, ensure_ascii=False, separators=(",", ":")), mimetype="application/json")


def _table(position: BaseModel) -> Response:
    """A position that was played or looked at, and whose turn it is there."""
    return _json(
        {"text": text_of(position), "position": data_of(position), "to_move": athanor.table.turn_of(position)}
    )


def _memory(config: Config, searches: Searches) -> MemoryUse:
    resident, tables, limit = searches.memory()
    return MemoryUse(
        limit_mb=config.memory_mb,
        used_mb=None if resident is None else resident // MEGABYTE,
        tables_limit_mb=limit // MEGABYTE,
        tables_mb=tables // MEGABYTE,
        jobs_limit_mb=most_megabytes(config.job_workers),
    )


def game_info(name: str) -> GameInfo:
    """A game as it is listed."""
    game = athanor.game(name)
    return GameInfo(
        name=name,
        title=game.title,
        players=game.players,
        variants=dict(game.variants),
        models=tuple(game.models),
        rules=dict(game.options),
    )


def _start(found: Progress) -> GameStart:
    return GameStart(
        state=found.stage.value,
        share=round(found.share, 3),
        hints=found.answers(hint=True),
        seconds=None if found.settled else round(found.seconds, 1),
        reason=found.reason or None,
    )
