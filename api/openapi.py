"""The OpenAPI 3.1 document, and the page that shows it.

A table lists the calls. The schemas are those of the pydantic types that read requests and write answers. They are
generated in one pass, so that pydantic sees every model and gives equally named models of two games different
names. The unions of positions and records have one component per game, but no discriminator: a value of one must
stand for one type, and a game has several. Each type's `game` has a single value, which tells them apart as well.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import Any, Literal, NamedTuple

from flask import Blueprint, Response, abort, request, url_for
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import CoreModeRef, CoreRef, DefsRef, GenerateJsonSchema

from api import examples, models
from api.access import POLICY
from api.bodies import BYTES, CUT, GUESSED, TOML
from api.config import VERSION, Config
from api.endpoints import ENDPOINTS, Endpoint
from api.errors import documented, of_status
from api.models import BODIES
from api.page import template
from api.responses import NDJSON, PICTURE, SCRIPT, STYLE, File, sent
from api.routes_jobs import EVENTS
from puzzles.check import PuzzleResult
from puzzles.format import Ask, Grade, PuzzleFile
from puzzles.solution import WORDS
from solver import registry
from solver.answers import Confidence
from solver.common import EXACT, Others
from solver.language import LANGUAGES, speaking
from solver.positions import SentPosition, SentRecord, type_of_all
from solver.reviewing import Review

Part = dict[str, Any]

_TEXTS = tomllib.loads(resources.files("api").joinpath("openapi.toml").read_text(encoding="utf-8"))
_PROGRESS = "Lines of JSON: a `ProgressLine` each, then {}."
_TOLD = (403, 500)
_READING = (400, 403, 413, 415, 422, 500)
_SEARCHING = (*_READING, 503)
_JOB = (403, 404, 500, 503)
_CHANGING = (*_JOB, 507)

_INT32 = 2**31 - 1
ANY = "Any"  # prefix of a union's name: of all games, "AnyPosition", or of one, "AnyKirinPosition"
_PREFIX = "#/components/schemas/"
_OF_GAME = re.compile(r"(?P<module>\bsolver\.games\.(?P<game>[a-z]+)[\w.]*\.)(?P<name>\w+)")
_WHEN_NULL = re.compile(r"; null\b[^;.]*")
_UNIONS = {"Position": ("position_type", SentPosition), "Record": ("record_type", SentRecord)}
_OR_TEXT = "OrText"  # suffix of a union's name: of all games, which may also be sent as a line of text
_WORDS = {  # enumerations that many keys have
    "Code": models.Code,
    "Ask": Ask,
    "Grade": Grade,
    "Others": Others,
    "Confidence": Confidence,
    "Language": Literal[*LANGUAGES],
    "Outcome": Literal[WORDS],
}
_ANSWERS = {"Analysis": "analysis_type", "Hint": "hint_type", "Score": "score_type"}
_OTHERS = (
    Review,
    PuzzleFile,
    PuzzleResult,
)  # models that are defined elsewhere


class Call(NamedTuple):
    """An endpoint of the service: its name, what it takes and returns, and the error statuses it may have.

    `answer` and `body` are OpenAPI `content` objects, keyed by media type. `query` is the name of the model of the
    query string. If `unguarded`, the endpoint never needs a token. If `makes`, it creates something, and returns
    201 if that is new.
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
    unguarded: bool = False
    makes: bool = False


def _ref(name: str) -> Part:
    return {"$ref": _PREFIX + name}


def _json(name: str, shown: examples.Examples | None = None) -> Part:
    """OpenAPI content: JSON with the schema of this name, and examples."""
    media: Part = {"schema": _ref(name)}
    if shown:
        media["examples"] = shown
    return {"application/json": media}


def _text(kind: str, description: str = "", **more: Any) -> Part:
    """OpenAPI content: text of the media type `kind`, with a description if there is one."""
    schema = {"type": "string", "description": description} if description else {"type": "string"}
    return {kind: {"schema": schema, **more}}


def _file(kind: str, description: str) -> Part:
    """OpenAPI content: the bytes of a file of the media type `kind`."""
    return {kind: {"schema": {"type": "string", "format": "binary", "description": description}}}


def _lines(of: str) -> Part:
    return _text(NDJSON, of)


def _calls() -> list[Call]:
    """Every endpoint, in the document's order."""
    answer = _lines(_PROGRESS.format("the answer"))
    stream = "StreamQuery"
    deals: examples.Examples = {"deals": {"value": examples.puzzle_file()}}
    puzzles = _json("PuzzleFile", deals) | _file(TOML, "A puzzle file.")
    solved = _json("SolveRequest", deals) | _file(TOML, "A puzzle file; a table `[limit]` limits each search.")
    event = (
        "Events `result` and `progress`, then `end`; the data of each is a `ResultLine`. An event's ID is its "
        "result's; send it as `Last-Event-ID` to resume the stream after that result."
    )
    questions, puzzle, matches, jobs, games, service = _TEXTS["tags"]
    return [
        *map(_asked, ENDPOINTS.values()),
        Call("/v1/batch", "post", "batch", "Ask many questions in one request", questions,
             _lines(_PROGRESS.format("a `BatchLine` per question, as soon as it is answered")), _SEARCHING,
             _json("BatchRequest", examples.batches())),
        Call("/v1/solve", "post", "solve", "Solve a puzzle file in JSON or TOML", puzzle,
             _lines(_PROGRESS.format("a `PuzzleResult` per puzzle, as soon as it is solved")), _SEARCHING,
             solved, "PuzzleFileQuery"),
        Call("/v1/puzzles", "get", "puzzles", "List the puzzles of the collection", puzzle,
             _json("Puzzles"), (403, 422, 500), query="PuzzleQuery"),
        Call("/v1/puzzles/next", "get", "nextPuzzle", "Choose the next puzzle for a player", puzzle,
             _json("Puzzles"), (403, 422, 500), query="NextPuzzleQuery"),
        Call("/v1/puzzles", "post", "readPuzzles", "Read a puzzle file in JSON or TOML without solving it", puzzle,
             _json("Puzzles"), _READING, puzzles, "PuzzleFileQuery"),
        Call("/v1/match/read", "post", "readGames", "Read games written as text", matches,
             _json("ReadGames"), _SEARCHING, _json("ReadGamesRequest")),
        Call("/v1/match/review", "post", "matchReview",
             "Review a game: what each move lost, and what made the scores", matches,
             _json("Review") | answer, _SEARCHING, _json("ReviewRequest", examples.reviews()), stream),
        Call("/v1/jobs", "get", "jobs", "List the newest jobs", jobs,
             _json("Jobs"), (403, 404, 422, 500, 503), query="JobsQuery"),
        Call("/v1/jobs", "post", "submitJob", "Submit a job", jobs,
             _json("Job"), (*_READING, 409, 429, 503, 507), _json("JobRequest", examples.jobs()), makes=True),
        Call("/v1/jobs/{job}", "get", "job", "Get the progress of a job", jobs, _json("Job"), _JOB),
        Call("/v1/jobs/{job}", "delete", "deleteJob", "Delete a job and its results", jobs,
             _json("Job"), _CHANGING),
        Call("/v1/jobs/{job}/cancel", "post", "cancelJob", "Cancel a job", jobs, _json("Job"), _CHANGING),
        Call("/v1/jobs/{job}/retry", "post", "retryJob", "Retry the failed and cancelled units of a job", jobs,
             _json("Job"), _CHANGING),
        Call("/v1/jobs/{job}/results", "get", "jobResults", "Get the results of a job", jobs,
             _lines("Lines of JSON: a `ResultLine` each."), (*_JOB, 422), query="ResultsQuery"),
        Call("/v1/jobs/{job}/events", "get", "jobEvents", "Stream the results and the progress of a job", jobs,
             _text(EVENTS, event), _JOB),
        Call("/v1/games", "get", "games", "List the games", games, _json("Games"), _TOLD),
        Call("/v1/decks", "get", "decks", "List the decks that positions can name", games, _json("Decks"), _TOLD),
        Call("/v1/decks", "post", "readDeck", "Check a deck file and convert it for use in positions", games,
             _json("ReadDeck"), _READING, _file(TOML, "A deck file, as for `athanor decks`."), "FileQuery"),
        Call("/v1/text", "post", "readFile", "Read the bytes of a file as text, and say what it is", games,
             _json("ReadFile"), _READING, _file(BYTES, "The bytes of a file."), "FileQuery"),
        Call("/v1/rules/{game}", "get", "rules", "Get the rules and rulings of a game", games,
             _json("Rules") | _text("text/markdown"), (403, 404, 500)),
        Call("/readyz", "get", "ready", "Check whether every game is ready", service,
             _json("Ready"), (403, 500, 503), unguarded=True),
        Call("/metrics", "get", "metrics", "Get metrics for Prometheus", service,
             _text("text/plain", "Metrics in the text format of Prometheus."), _TOLD),
        Call("/healthz", "get", "health", "Check whether the service is up", service,
             _json("Health"), _TOLD, unguarded=True),
    ]  # fmt: skip


def _asked(endpoint: Endpoint) -> Call:
    """The call of an endpoint."""
    body = endpoint.body_type
    return Call(
        endpoint.address,
        "post",
        endpoint.name,
        endpoint.summary or str(body.__doc__).rstrip("."),
        endpoint.tag,
        _json(endpoint.answer if isinstance(endpoint.answer, str) else endpoint.answer.__name__)
        | (_lines(_PROGRESS.format("the answer")) if endpoint.streams else {}),
        _SEARCHING if endpoint.lane else _READING,
        _json(body.__name__, endpoint.examples()),
        "StreamQuery" if endpoint.streams else "",
    )


@cache
def document_text(config: Config, root: str = "") -> bytes:
    """The OpenAPI document as JSON in UTF-8."""
    return json.dumps(document(config, root), ensure_ascii=False).encode()


def document(config: Config, root: str = "") -> Part:
    """Build the OpenAPI document of a service with this configuration, at the path `root`."""
    schemas = _schemas()
    in_path = {"job": {"type": "string"}, "game": _ref("GameName")}
    paths: dict[str, Part] = {}
    for call in _calls():
        methods = paths.setdefault(call.path, {})
        operation = _operation(call, schemas)
        for name in re.findall(r"\{(\w+)\}", call.path):
            # Parameters shared by several calls are given with their address.
            described = methods if name == "job" else operation
            described["parameters"] = [{"name": name, "in": "path", "required": True, "schema": in_path[name]}]
        methods[call.method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Athanor",
            "version": VERSION,
            "description": _TEXTS["description"].format(
                default=config.default_seconds, hint=config.hint_seconds, maximum=config.max_seconds
            ),
        },
        "servers": [{"url": root or "/"}],
        "tags": [
            {"name": name, "description": text} if text else {"name": name}
            for name, text in _TEXTS["tags"].items()
        ],
        **({"security": [{"token": []}]} if config.tokens_file else {}),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _TEXTS["token"]}},
            "responses": {_error_name(status): _error(status) for status in map(int, _TEXTS["statuses"])},
        },
    }


def _operation(call: Call, schemas: Mapping[str, Part]) -> Part:
    operation: Part = {"operationId": call.name, "summary": call.summary, "tags": [call.tag]}
    if call.body is not None:
        operation["requestBody"] = {"required": True, "content": call.body}
    if call.unguarded:
        operation["security"] = []
    operation["responses"] = {"200": {"description": "The answer.", "content": call.answer}}
    if not call.unguarded:
        operation["responses"]["200"]["headers"] = {
            name: {"description": text, "schema": {"type": "string" if name == GUESSED else "number"}}
            for name, text in _TEXTS["headers"].items()
            if (name != GUESSED or call.body) and (name != CUT or (call.body and 503 in call.errors))
        }
    for status in (*(() if call.unguarded else (401, 429)), *call.errors):
        operation["responses"][str(status)] = {"$ref": f"#/components/responses/{_error_name(status)}"}
    if call.makes:
        where = {"Location": {"description": "The address of the new job.", "schema": {"type": "string"}}}
        operation["responses"]["201"] = {
            "description": "A new job was created; 200 means that it already existed.",
            "content": call.answer,
            "headers": where,
        }
        key = "Makes a repeated request with the same body return the same job; equivalent to `key` in the body."
        operation["parameters"] = [
            {"name": "Idempotency-Key", "in": "header", "description": key, "schema": {"type": "string"}}
        ]
    if call.query:
        operation["parameters"] = [
            {"name": name, "in": "query", "description": schema["description"], "schema": schema}
            for name, schema in schemas[call.query]["properties"].items()
        ]
    return operation


def _error_name(status: int) -> str:
    return HTTPStatus(status).phrase.title().replace(" ", "")


def _error(status: int) -> Part:
    response: Part = {"description": _TEXTS["statuses"][str(status)], "content": _json("Error")}
    if status == HTTPStatus.UNAUTHORIZED:
        response["headers"] = {"WWW-Authenticate": {"description": "Bearer.", "schema": {"type": "string"}}}
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        response["headers"] = {
            "Retry-After": {"description": "Seconds to wait before trying again.", "schema": {"type": "integer"}}
        }
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        with speaking(LANGUAGES[0]):
            code, message = of_status(status)
        example = {"error": {"code": code, "path": "", "message": message}}
        response["content"]["application/json"]["example"] = example
    return response


class _Named(GenerateJsonSchema):
    """Puts a game's name in front of its models' names, as in `KirinView`, since clients need unique names.

    A name that already begins with the game's stays as it is, and `KnownPosition` becomes `KirinPosition`.
    """

    def get_defs_ref(self, core_mode_ref: CoreModeRef) -> DefsRef:
        core_ref, mode = core_mode_ref
        return super().get_defs_ref((CoreRef(_OF_GAME.sub(_own_name, core_ref)), mode))


def _own_name(matched: re.Match[str]) -> str:
    game = matched["game"].capitalize()
    name = matched["name"].removeprefix("Known")
    return matched["module"] + (name if name.startswith(game) else game + name)


def _schemas() -> dict[str, Part]:
    """Return every schema of the document, by name."""
    own = (kind for kind in vars(models).values() if isinstance(kind, type) and kind.__module__ == models.__name__)
    asked = (*BODIES.values(), *models.BATCHED.values())
    answers = (endpoint.answer for endpoint in ENDPOINTS.values() if not isinstance(endpoint.answer, str))
    types: dict[str, Any] = {
        kind.__name__: kind
        for kind in (*own, *asked, *answers, *_OTHERS)
        if issubclass(kind, BaseModel) and kind is not models.Request and kind.__name__[0] != "_"
    }
    for union, (attribute, text_too) in _UNIONS.items():
        types |= {ANY + union: type_of_all(attribute), union + _OR_TEXT: text_too}
        types.update({_of_game(name, union): getattr(registry.game(name), attribute) for name in registry.names()})
    for answer, attribute in _ANSWERS.items():
        types.update(
            {_of_game(name, answer): getattr(registry.game(name), attribute) for name in registry.names()}
        )

    enumerations = {**_WORDS, "GameName": Literal[*registry.names()]}
    types |= enumerations

    # Validation mode for answers too: fields with defaults are left out of an answer if they were not set.
    inputs = [(name, "validation", TypeAdapter(kind)) for name, kind in types.items()]
    by_type, rest = TypeAdapter.json_schemas(
        inputs,  # type: ignore[arg-type]
        ref_template=_PREFIX + "{model}",
        schema_generator=_Named,
    )
    generated = {name: by_type[name, "validation"] for name in types}
    defined: dict[str, Part] = rest.get("$defs", {})

    schemas = dict(defined)
    for union in _UNIONS:
        per_game = {name: generated[_of_game(name, union)] for name in registry.names()}
        # A game with a single type needs no union.
        schemas |= {_of_game(name, union): part for name, part in per_game.items() if "$ref" not in part}
        schemas[ANY + union] = {
            "oneOf": [part if "$ref" in part else _ref(_of_game(name, union)) for name, part in per_game.items()]
        }
    for answer in _ANSWERS:
        per_answer = [generated[_of_game(name, answer)] for name in registry.names()]
        choices = [choice for schema in per_answer for choice in schema.get("anyOf", [schema])]
        schemas[ANY + answer] = {"anyOf": list({str(choice): choice for choice in choices}.values())}
    kinds = {
        defined[hint]["properties"]["kind"].get("const"): hint
        for hint in (choice["$ref"].removeprefix(_PREFIX) for choice in schemas[ANY + "Hint"]["anyOf"])
    }
    if None not in kinds:  # a game from outside may have hints of any kind
        schemas[ANY + "Hint"] = _by_key("kind", kinds)
    wholes = {name: generated[name] for union in _UNIONS for name in (union + _OR_TEXT, ANY + union)}
    wholes |= {name: generated[name] for name in enumerations}
    for union in _UNIONS:
        _, text = generated[union + _OR_TEXT]["oneOf"]
        schemas[union + _OR_TEXT] = {"oneOf": [_ref(ANY + union), text]}
    schemas["BatchRequest"]["properties"]["questions"]["items"] = _by_key(
        "ask", {name: kind.__name__ for name, kind in models.BATCHED.items()}
    )
    for fault in ("Fault", "ErrorDetail"):
        schemas[fault]["properties"]["code"] = generated["Code"]
    for body in (BODIES["cards"], BODIES["deal"]):
        schemas[body.__name__]["properties"]["game"]["enum"] = list(registry.names())
    words = _words()
    schemas = {
        name: _described(_named(schema, wholes), {**words["keys"], **words.get(name, {})})
        for name, schema in schemas.items()
    }
    schemas |= {name: generated[name] for name in enumerations}
    return {name: {"title": name, **schemas[name]} for name in sorted(schemas)}


def _words() -> dict[str, dict[str, str]]:
    """Read the descriptions of schemas' keys, by schema; those under `keys` apply to every schema."""
    return tomllib.loads(resources.files("api").joinpath("descriptions.toml").read_text(encoding="utf-8"))


def _described(schema: Part, words: Mapping[str, str]) -> Part:
    """Return a schema with a description for each key: its own or else the one in `words`, without what null means
    where that is no value.
    """
    if "properties" not in schema:
        return schema
    described = {
        key: {"description": words[key] if "null" in str(value) else _WHEN_NULL.sub("", words[key]), **value}
        if key in words
        else value
        for key, value in schema["properties"].items()
    }
    return {**schema, "properties": described}


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
    """Return a schema with references in place of copies of the unions in `wholes` (by name), in the form that
    generators of clients understand.

    They name types after titles, which pydantic derives from keys, take numbers for 32 bits wide, make a type of
    each union in a union, and write invalid code for defaults of unions and components.
    """
    if isinstance(node, list):
        return [_named(item, wholes) for item in node]
    if not isinstance(node, dict):
        return node
    for name, whole in wholes.items():
        if all(node.get(key) == value for key, value in whole.items()):
            node = {**{key: value for key, value in node.items() if key not in whole}, **_ref(name)}
    if node.get("type") == "number" or (node.get("type") == "integer" and node.get("maximum", EXACT) > _INT32):
        node = {**node, "format": "double" if node["type"] == "number" else "int64"}
    if choices := node.get("anyOf"):
        flat = [inner for choice in choices for inner in (choice["anyOf"] if [*choice] == ["anyOf"] else [choice])]
        node = {**node, "anyOf": [choice for number, choice in enumerate(flat) if choice not in flat[:number]]}
    if node.keys() & {"anyOf", "oneOf", "$ref"}:
        node = {key: value for key, value in node.items() if key != "default"}
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
# The files of the page that shows the document; all but the script are of Swagger UI.
ASSETS = {"docs.js": SCRIPT, "swagger-ui.css": STYLE, "swagger-ui-bundle.js": SCRIPT, "swagger.svg": PICTURE}
_FOLDERS = {"swagger-ui.css": "css", "swagger-ui-bundle.js": "js", "swagger.svg": "images"}


@cache
def asset(name: str) -> File:
    """Return one of `ASSETS`."""
    if name in _FOLDERS:
        folder = resources.files("flask_openapi3_swagger.templates").joinpath("swagger", _FOLDERS[name])
    else:
        folder = resources.files("api.page").joinpath("templates")
    return File(folder.joinpath(name).read_bytes(), ASSETS[name])


def blueprint(config: Config) -> Blueprint:
    """The routes of the document and of the page that shows it."""
    routes = Blueprint("docs", __name__)

    def shown(name: str, **values: object) -> Response:
        return Response(template(name).render(url_for=url_for, **values), headers={POLICY: _POLICY})

    @routes.get("/openapi.json")
    def openapi() -> Response:
        return Response(document_text(config, request.script_root), mimetype="application/json")

    @routes.get("/docs")
    def browse() -> Response:
        return shown("docs.html")

    @routes.get("/docs/errors")
    def errors() -> Response:
        return shown("errors.html", errors=documented())

    @routes.get("/docs/<name>", endpoint="asset")
    def file(name: str) -> Response:
        if name not in ASSETS:
            abort(404)
        return sent(asset(name), "public, max-age=86400")

    return routes
