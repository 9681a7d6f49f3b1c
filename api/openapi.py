"""The OpenAPI 3.1 document, and the page that shows it.

A table lists the calls. The schemas are those of the pydantic types that read requests and write answers. They are
generated in one pass, so that pydantic sees every model and gives equally named models of two games different
names. The discriminated unions of positions and records have one component per game, because in OpenAPI a
discriminator's mapping may contain only references.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, send_from_directory
from pydantic import TypeAdapter
from pydantic.json_schema import CoreModeRef, CoreRef, DefsRef, GenerateJsonSchema

from api import examples, models
from api.access import POLICY
from api.config import VERSION, Config
from api.errors import of_status
from api.reading import CUT, TOML
from api.responses import NDJSON
from api.routes_jobs import EVENTS
from puzzles.check import PuzzleResult
from puzzles.format import PuzzleFile
from puzzles.replies import Reply
from solver import registry
from solver.answers import ASK as COMPOUND
from solver.answers import CompoundAnalysis
from solver.positions import position_type, record_type
from solver.reviewing import Review

Part = dict[str, Any]

_DESCRIPTION = """Solver and puzzle assistant for card games.

A *position* with every card known is analyzed; a *view*, what one player sees, is hinted. Every error is
`{{"error": {{"code", "path", "message"}}}}`. A search without a limit of its own gets {default:g} seconds,
a hint {hint:g} (one limited by `nodes` or `worlds` ends with them, and so is the same each time); none gets more
than {maximum:g}. What a limit ends returns the best so far, and says that it is not exact."""
_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token that the operator of the service gave out. Not every service wants one.",
}
_TAGS = {
    "questions": "One position, or many.",
    "puzzles": "The collection, and files of puzzles.",
    "matches": "A game in progress against players that use the hint.",
    "jobs": "Work that outlasts its request.",
    "games": "Rules, deals and scores.",
    "service": "",
}
_WHEN = {
    400: "The body cannot be read.",
    401: "The service wants a token (the header `Authorization`), and this is none that it knows.",
    403: "The service has no such name (the header `Host`), a page of another site asks (`Origin`), or somebody "
    "else submitted the job.",
    404: "There is nothing with this name.",
    409: "There is a job of this key with other questions.",
    413: "The body is too large.",
    415: "The body is of another type.",
    422: "The body can be read, and breaks the format or the rules; `path` names the offending key.",
    429: "The client has had what its limits allow, and `Retry-After` says when to try again; or its jobs fill "
    "its share of the store.",
    500: "The service failed; its log says why.",
    503: "The game is not ready yet (code `starting`, and `message` says how far it is), or other searches took "
    "all the time that the request allows. `Retry-After` says when to try again.",
    507: "There is no room to keep the job: the disk is full, or the store of the jobs has reached its bound.",
}
_HEADERS = {
    CUT: "To how many seconds the limit was cut, where it was longer than the service allows.",
    "RateLimit-Limit": "How many requests the client may send a minute, where that is limited.",
    "RateLimit-Remaining": "How many of them are left.",
    "RateLimit-Reset": "In how many seconds all are there again.",
}
_TOLD = (403, 500)
_READING = (400, 403, 413, 415, 422, 500)
_SEARCHING = (*_READING, 503)
_JOB = (403, 404, 500, 503)
_CHANGING = (*_JOB, 507)

ANY = "Any"  # prefix of a union's name: of all games, "AnyPosition", or of one, "AnyKirinPosition"
_PREFIX = "#/components/schemas/"
_OF_GAME = re.compile(r"(?P<module>\bsolver\.games\.(?P<game>[a-z]+)[\w.]*\.)(?P<name>\w+)")
_UNIONS = {"Position": ("position_type", position_type), "Record": ("record_type", record_type)}
_ANSWERS = {"Analysis": "analysis_type", "Hint": "hint_type", "Score": "score_type"}
_MODELS = (  # of requests and answers; those of games come from the registry
    *(
        models.AnalyzeRequest, models.HintRequest, models.CompoundRequest, models.CardsRequest, models.DealRequest,
        models.MovesRequest, models.PlayRequest, models.CheckRequest, models.ViewRequest, models.WorldsRequest,
        models.SolveQuery,
        models.BatchRequest,
        models.BatchLine, models.StreamQuery, models.ProgressLine, models.HintQuestion, models.AnalyzeQuestion,
        models.CompoundQuestion, models.MatchRequest, models.TurnRequest, models.ReviewRequest,
        models.WrittenRequest, models.WrittenGames, models.Match, models.MatchLog, models.Turn,
        models.JobRequest, models.JobsQuery, models.ResultsQuery, models.Jobs, models.ResultLine,
        models.PuzzleQuery, models.Puzzles,
        models.ReplyRequest, models.Cards,
        models.Deal, models.Moves, models.Table, models.Checked, models.Worlds, models.Games, models.Decks,
        models.WrittenDeck, models.Rules,
        models.GameStart, models.Health, models.Ready, models.Error,
    ),
    CompoundAnalysis, Review, PuzzleFile, PuzzleResult, Reply,
)  # fmt: skip


class Call(NamedTuple):
    """A call of the service: its name, what it takes and returns, and the error statuses it may have.

    `answer` and `body` are OpenAPI contents, keyed by media type. `query` is the name of the model of the query
    string; its keys are described by `told` or else in the model. An `unguarded` call never needs a token. A call
    that `makes` something returns 201 if it is new.
    """

    path: str
    method: str
    name: str
    summary: str
    tag: str
    answer: Part
    errors: tuple[int, ...]
    body: Part | None = None
    query: str = ""
    told: str = ""
    unguarded: bool = False
    makes: bool = False


def _ref(name: str) -> Part:
    return {"$ref": _PREFIX + name}


def _json(name: str, found: examples.Examples | None = None) -> Part:
    """OpenAPI content: JSON with the schema of this name, and examples."""
    media: Part = {"schema": _ref(name)}
    if found:
        media["examples"] = found
    return {"application/json": media}


def _text(kind: str, description: str = "", **more: Any) -> Part:
    """OpenAPI content: text of the media type `kind`, with a description if there is one."""
    schema = {"type": "string", "description": description} if description else {"type": "string"}
    return {kind: {"schema": schema, **more}}


def _lines(of: str) -> Part:
    return _text(NDJSON, of)


def _calls() -> list[Call]:
    """Every call, in the document's order."""
    progress = "Lines of JSON: a `ProgressLine` each, and at last {}."
    answer = _lines(progress.format("the answer"))
    match = examples.matches()
    stream = "StreamQuery", "Whether to stream."
    # TOML is only described: with two body types, a generated Python client cannot be imported.
    puzzles = _json("PuzzleFile", {"deals": {"value": examples.puzzle_file()}})
    event = (
        "Events `result` and `progress`, and at last `end`; the data of each is a `ResultLine`. "
        "The id of an event is that of its result: sent as `Last-Event-ID`, it lets the stream go on behind it."
    )
    questions, puzzle, matches, jobs, games, service = _TAGS
    return [
        Call("/v1/hint", "post", "hint", "The best move for the player who sees this, and why", questions,
             _json(ANY + "Hint") | answer, _SEARCHING, _json("HintRequest", examples.hints()), *stream),
        Call("/v1/analyze", "post", "analyze", "What every move is worth", questions,
             _json(ANY + "Analysis") | answer, _SEARCHING, _json("AnalyzeRequest", examples.analyses()), *stream),
        Call("/v1/batch", "post", "batch", "Many questions at once", questions,
             _lines("One line of JSON a question, as it is answered: a `BatchLine` each."), _SEARCHING,
             _json("BatchRequest", examples.batches())),
        Call("/v1/compound", "post", "compound", "The best compounding of a set of cards", questions,
             _json("CompoundAnalysis"), _SEARCHING, _json("CompoundRequest", examples.questions(COMPOUND))),
        Call("/v1/solve", "post", "solve", "Solve a puzzle file, in JSON or in TOML", puzzle,
             _lines("One line of JSON a puzzle, as it is solved: a `PuzzleResult` each."), _SEARCHING, puzzles,
             "SolveQuery", "The limit of each puzzle: {}."),
        Call("/v1/puzzles", "get", "puzzles", "The puzzles of the collection", puzzle,
             _json("Puzzles"), (403, 422, 500), query="PuzzleQuery"),
        Call("/v1/puzzles", "post", "readPuzzles", "The puzzles of a file in JSON or in TOML, unsolved", puzzle,
             _json("Puzzles"), _READING, puzzles),
        Call("/v1/puzzles/reply", "post", "reply", "Whether an answer to a puzzle is right, and why not", puzzle,
             _json("Reply"), _SEARCHING, _json("ReplyRequest")),
        Call("/v1/match", "post", "match", "Where a game in progress stands, after what its player does", matches,
             _json("Match"), _SEARCHING, _json("MatchRequest", match)),
        Call("/v1/match/written", "post", "writtenGames", "The games of a file of text", matches,
             _json("WrittenGames"), _SEARCHING, _json("WrittenRequest")),
        Call("/v1/match/log", "post", "matchLog", "What happened in a game so far, move by move", matches,
             _json("MatchLog"), _SEARCHING, _json("TurnRequest", match)),
        Call("/v1/match/turn", "post", "turn", "Lets the seat to move decide by its hint", matches,
             _json("Turn"), _SEARCHING, _json("TurnRequest", match)),
        Call("/v1/match/hint", "post", "matchHint", "The best move for the seat to move, and why", matches,
             _json(ANY + "Hint") | answer, _SEARCHING, _json("TurnRequest", match), *stream),
        Call("/v1/match/review", "post", "review", "What each move gave away, and what made the scores", matches,
             _lines(progress.format("a `Review`")), _SEARCHING, _json("ReviewRequest")),
        Call("/v1/jobs", "get", "jobs", "The newest jobs", jobs,
             _json("Jobs"), (403, 404, 422, 500, 503), query="JobsQuery"),
        Call("/v1/jobs", "post", "submitJob", "Submit a job", jobs,
             _json("Job"), (*_READING, 409, 429, 503, 507), _json("JobRequest", examples.jobs()), makes=True),
        Call("/v1/jobs/{job}", "get", "job", "The progress of a job", jobs, _json("Job"), _JOB),
        Call("/v1/jobs/{job}", "delete", "deleteJob", "Delete a job and its results", jobs,
             _json("Job"), _CHANGING),
        Call("/v1/jobs/{job}/cancel", "post", "cancelJob", "Cancel a job", jobs, _json("Job"), _CHANGING),
        Call("/v1/jobs/{job}/retry", "post", "retryJob", "Repeat what failed or was cancelled", jobs,
             _json("Job"), _CHANGING),
        Call("/v1/jobs/{job}/results", "get", "jobResults", "The results of a job", jobs,
             _lines("Lines of JSON: a `ResultLine` each."), (*_JOB, 422), query="ResultsQuery"),
        Call("/v1/jobs/{job}/events", "get", "jobEvents", "A job, followed", jobs, _text(EVENTS, event), _JOB),
        Call("/v1/games", "get", "games", "The games that can be asked about", games, _json("Games"), _TOLD),
        Call("/v1/decks", "get", "decks", "The decks that positions can name", games, _json("Decks"), _TOLD),
        Call("/v1/decks", "post", "readDeck", "The deck of a file, checked and as positions hold it", games,
             _json("WrittenDeck"), _READING, _text(TOML, "The file of a deck, as `athanor decks` reads it.")),
        Call("/v1/rules/{game}", "get", "rules", "The rules and rulings in force", games,
             _json("Rules") | _text("text/markdown"), (403, 404, 500)),
        Call("/v1/deal", "post", "deal", "A fresh deal", games,
             _json("Deal"), _READING, _json("DealRequest", examples.deals())),
        Call("/v1/cards", "post", "cards", "What is printed on the cards of a game", games,
             _json("Cards"), _READING, _json("CardsRequest", examples.cards())),
        Call("/v1/moves", "post", "moves", "What may happen next", games,
             _json("Moves"), _READING, _json("MovesRequest", examples.positions())),
        Call("/v1/play", "post", "play", "What a position or view is after moves", games,
             _json("Table"), _READING, _json("PlayRequest", examples.plays())),
        Call("/v1/check", "post", "check", "What is wrong with a position and moves, or missing", games,
             _json("Checked"), _READING, _json("CheckRequest", examples.plays())),
        Call("/v1/view", "post", "view", "What a seat sees of a position", games,
             _json("Table"), _READING, _json("ViewRequest", examples.seats())),
        Call("/v1/worlds", "post", "worlds", "Ways the hidden cards of a view may lie", games,
             _json("Worlds"), _SEARCHING, _json("WorldsRequest", examples.hidden())),
        Call("/v1/score", "post", "score", "The score of a finished round, or of a match of several", games,
             _json(ANY + "Score"), _SEARCHING, _json(ANY + "Record")),
        Call("/readyz", "get", "ready", "Whether every game is ready", service,
             _json("Ready"), (403, 500, 503), unguarded=True),
        Call("/metrics", "get", "metrics", "Counts and times, for Prometheus", service,
             _text("text/plain", "In the text format of Prometheus."), _TOLD),
        Call("/healthz", "get", "health", "Whether the service is up", service,
             _json("Health"), _TOLD, unguarded=True),
    ]  # fmt: skip


@cache
def document_text(config: Config) -> bytes:
    """The OpenAPI document as JSON in UTF-8."""
    return json.dumps(document(config), ensure_ascii=False).encode()


def document(config: Config) -> Part:
    """Build the OpenAPI document of a service with this configuration."""
    schemas = _schemas()
    in_path = {"job": {"type": "string"}, "game": {"type": "string", "enum": list(registry.names())}}
    paths: dict[str, Part] = {}
    for call in _calls():
        made = paths.setdefault(call.path, {})
        operation = _operation(call, schemas)
        for name in re.findall(r"\{(\w+)\}", call.path):
            # Parameters shared by several calls are given with their address.
            place = made if name == "job" else operation
            place["parameters"] = [{"name": name, "in": "path", "required": True, "schema": in_path[name]}]
        made[call.method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Athanor",
            "version": VERSION,
            "description": _DESCRIPTION.format(
                default=config.default_seconds, hint=config.hint_seconds, maximum=config.max_seconds
            ),
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} if text else {"name": name} for name, text in _TAGS.items()],
        **({"security": [{"token": []}]} if config.tokens_file else {}),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": _TOKEN},
            "responses": {_error_name(status): _error(status) for status in _WHEN},
        },
    }


def _operation(call: Call, schemas: Mapping[str, Part]) -> Part:
    found: Part = {"operationId": call.name, "summary": call.summary, "tags": [call.tag]}
    if call.body is not None:
        found["requestBody"] = {"required": True, "content": call.body}
    if call.unguarded:
        found["security"] = []
    found["responses"] = {"200": {"description": "The answer.", "content": call.answer}}
    if not call.unguarded:
        found["responses"]["200"]["headers"] = {
            name: {"description": text, "schema": {"type": "number"}}
            for name, text in _HEADERS.items()
            if name != CUT or (call.body and 503 in call.errors)
        }
    for status in (*(() if call.unguarded else (401, 429)), *call.errors):
        found["responses"][str(status)] = {"$ref": f"#/components/responses/{_error_name(status)}"}
    if call.makes:
        where = {"Location": {"description": "Where it is.", "schema": {"type": "string"}}}
        found["responses"]["201"] = {"description": "It is new.", "content": call.answer, "headers": where}
        key = "Sent again with the same key and body, it is the same: as the key `key` of the body."
        found["parameters"] = [
            {"name": "Idempotency-Key", "in": "header", "description": key, "schema": {"type": "string"}}
        ]
    if call.query:
        found["parameters"] = [
            {
                "name": name,
                "in": "query",
                "description": call.told.format(name) or schema["description"],
                "schema": schema,
            }
            for name, schema in schemas[call.query]["properties"].items()
        ]
    return found


def _error_name(status: int) -> str:
    return HTTPStatus(status).phrase.title().replace(" ", "")


def _error(status: int) -> Part:
    found: Part = {"description": _WHEN[status], "content": _json("Error")}
    if status == HTTPStatus.UNAUTHORIZED:
        found["headers"] = {"WWW-Authenticate": {"description": "Bearer.", "schema": {"type": "string"}}}
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        found["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        code, message = of_status(status)
        example = {"error": {"code": code, "path": "", "message": message}}
        found["content"]["application/json"]["example"] = example
    return found


class _Named(GenerateJsonSchema):
    """Puts the game's name before the names of its models, such as `KirinView`, since clients need unique names.

    A name that already begins with the game's stays as it is, and `KnownPosition` becomes `KirinPosition`.
    """

    def get_defs_ref(self, core_mode_ref: CoreModeRef) -> DefsRef:
        core_ref, mode = core_mode_ref
        return super().get_defs_ref((CoreRef(_OF_GAME.sub(_own_name, core_ref)), mode))


def _own_name(found: re.Match[str]) -> str:
    game = found["game"].capitalize()
    name = found["name"].removeprefix("Known")
    return found["module"] + (name if name.startswith(game) else game + name)


def _schemas() -> dict[str, Part]:
    """Return every schema of the document, by name."""
    types: dict[str, Any] = {kind.__name__: kind for kind in _MODELS}
    for union, (attribute, whole) in _UNIONS.items():
        types[ANY + union] = whole()
        types.update({_of_game(name, union): getattr(registry.game(name), attribute) for name in registry.names()})
    for answer, attribute in _ANSWERS.items():
        types.update(
            {_of_game(name, answer): getattr(registry.game(name), attribute) for name in registry.names()}
        )

    # Validation mode for answers too: fields with defaults are left out of an answer if they were not set.
    inputs = [(name, "validation", TypeAdapter(kind)) for name, kind in types.items()]
    made, rest = TypeAdapter.json_schemas(
        inputs,  # type: ignore[arg-type]
        ref_template=_PREFIX + "{model}",
        schema_generator=_Named,
    )
    generated = {name: made[name, "validation"] for name in types}
    defined: dict[str, Part] = rest.get("$defs", {})

    found = dict(defined)
    for union in _UNIONS:
        per_game = {name: generated[_of_game(name, union)] for name in registry.names()}
        # A game with a single type needs no union.
        found.update({_of_game(name, union): one for name, one in per_game.items() if "$ref" not in one})
        names = {
            name: schema["$ref"].removeprefix(_PREFIX) if "$ref" in schema else _of_game(name, union)
            for name, schema in per_game.items()
        }
        found[ANY + union] = _by_key("game", names)
    for answer in _ANSWERS:
        answers = [generated[_of_game(name, answer)] for name in registry.names()]
        choices = [choice for one in answers for choice in one.get("anyOf", [one])]
        found[ANY + answer] = {"anyOf": list({str(choice): choice for choice in choices}.values())}
    wholes = {ANY + union: generated[ANY + union] for union in _UNIONS}
    found["BatchRequest"]["properties"]["questions"]["items"] = _by_key(
        "ask", {"hint": "HintQuestion", "analyze": "AnalyzeQuestion", "compound": "CompoundQuestion"}
    )
    for request in ("CardsRequest", "DealRequest"):
        found[request]["properties"]["game"]["enum"] = list(registry.names())
    words = _words()
    return {
        name: _described({"title": name, **_named(schema, wholes)}, {**words["keys"], **words.get(name, {})})
        for name, schema in sorted(found.items())
    }


def _words() -> dict[str, dict[str, str]]:
    """Read the descriptions of schemas' keys: by the name of a schema or, under `keys`, for all schemas."""
    text = resources.files("api").joinpath("descriptions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _described(schema: Part, words: Mapping[str, str]) -> Part:
    """Return a schema with a description for each key: its own or else the one in `words`."""
    if "properties" not in schema:
        return schema
    told = {
        key: {"description": words[key], **value} if key in words else value
        for key, value in schema["properties"].items()
    }
    return {**schema, "properties": told}


def _of_game(name: str, kind: str) -> str:
    """Return the name of a game's union of positions, records or answers, such as `AnyKirinPosition`."""
    return ANY + "".join(word.capitalize() for word in re.split(r"\W|_", name)) + kind


def _by_key(key: str, names: Mapping[str, str]) -> Part:
    """Build a union of components in which the value of `key` selects the component."""
    return {
        "oneOf": [_ref(component) for component in names.values()],
        "discriminator": {
            "propertyName": key,
            "mapping": {value: _PREFIX + component for value, component in names.items()},
        },
    }


def _named(node: Any, wholes: dict[str, Part]) -> Any:
    """Return `node` with every copy of a union in `wholes` replaced by a reference to it, and without titles.

    The titles that pydantic derives from keys add nothing, and clients would name types after them.
    """
    if isinstance(node, list):
        return [_named(item, wholes) for item in node]
    if not isinstance(node, dict):
        return node
    for name, whole in wholes.items():
        if all(node.get(key) == value for key, value in whole.items()):
            others = {key: value for key, value in node.items() if key not in whole and key != "title"}
            return {**others, **_ref(name)}
    return {
        key: _named(value, wholes)
        for key, value in node.items()
        if key != "title" or not isinstance(value, str)  # an object may have a key of that name
    }


# The page loads nothing from other sites, nor could it. Its script sets inline styles.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_SCRIPT = "docs.js"
_FILES = {"swagger-ui.css": "css", "swagger-ui-bundle.js": "js", "swagger.svg": "images"}


@cache
def _assets() -> Path:
    return Path(str(resources.files("flask_openapi3_swagger.templates").joinpath("swagger")))


def blueprint(config: Config) -> Blueprint:
    """The routes of the document and of the page that shows it."""
    routes = Blueprint("docs", __name__, template_folder="page/templates")

    @routes.get("/openapi.json")
    def openapi() -> Response:
        return Response(document_text(config), mimetype="application/json")

    @routes.get("/docs")
    def browse() -> Response:
        return Response(render_template("docs.html"), headers={POLICY: _POLICY})

    @routes.get("/docs/<name>")
    def asset(name: str) -> Response:
        if name == _SCRIPT:
            return send_from_directory(Path(__file__).parent / "page" / "templates", name, max_age=86400)
        return send_from_directory(_assets() / _FILES.get(name, "none"), name, max_age=86400)

    return routes
