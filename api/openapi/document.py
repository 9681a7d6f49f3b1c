"""The OpenAPI 3.1 document: the operations, with the schemas of `api.openapi.schemas` and examples that work."""

from __future__ import annotations

import json
from functools import cache

from api.calls.solving import TOML
from api.config import Config
from api.http.streams import NDJSON
from api.openapi import examples, jobs, schemas
from api.openapi.operations import (
    READING,
    SEARCHING,
    WHEN,
    Part,
    error_name,
    error_response,
    json_content,
    operation,
)
from api.openapi.schemas import ANY, ref
from api.version import VERSION
from solver import registry
from solver.answers import ASK as COMPOUND

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


@cache
def document_text(config: Config) -> bytes:
    """The document as JSON."""
    return json.dumps(document(config), ensure_ascii=False).encode()


def document(config: Config) -> Part:
    """The document of a service with this configuration."""
    description = _DESCRIPTION.format(
        default=config.default_seconds, hint=config.hint_seconds, maximum=config.max_seconds
    )
    found = schemas.components()
    return {
        "openapi": "3.1.0",
        "info": {"title": "Athanor", "version": VERSION, "description": description},
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "questions", "description": "One position, or many."},
            {"name": "puzzles", "description": "The collection, and files of puzzles."},
            {"name": "matches", "description": "A game in progress against players that use the hint."},
            {"name": "jobs", "description": "Work that outlasts its request."},
            {"name": "games", "description": "Rules, deals and scores."},
            {"name": "service"},
        ],
        **({"security": [{"token": []}]} if config.tokens_file else {}),
        "paths": _paths(found),
        "components": {
            "schemas": found,
            "securitySchemes": {"token": _TOKEN},
            "responses": {error_name(status): error_response(status) for status in WHEN},
        },
    }


def _paths(found: Part) -> Part:
    hint = _posted("hint", "The best move for the player who sees this, and why", examples.hints())
    analysis = _posted("analyze", "What every move is worth", examples.analyses())
    for streamed in (hint, analysis):
        _stream(streamed, found["StreamQuery"]["properties"])
    return {
        "/v1/hint": {"post": hint},
        "/v1/analyze": {"post": analysis},
        "/v1/batch": {"post": _batch()},
        "/v1/compound": {"post": _compound()},
        "/v1/solve": {"post": _solve(found["SolveQuery"]["properties"])},
        "/v1/puzzles": _puzzles(found["PuzzleQuery"]["properties"]),
        **_match(found["StreamQuery"]["properties"]),
        **jobs.paths(found),
        "/v1/games": {"get": _got("games", "The games that can be asked about", "games", "Games")},
        "/v1/decks": {
            "get": _got("decks", "The decks that positions can name", "games", "Decks"),
            "post": _read_deck(),
        },
        "/v1/rules/{game}": {"get": _rules()},
        "/v1/deal": {"post": _deal()},
        "/v1/cards": {"post": _cards()},
        "/v1/moves": {"post": _asked("moves", "What may happen next", "Moves", examples.positions())},
        "/v1/play": {"post": _asked("play", "What a position or view is after moves", "Table", examples.plays())},
        "/v1/view": {"post": _asked("view", "What a seat sees of a position", "Table", examples.seats())},
        "/v1/score": {"post": _score()},
        "/readyz": {"get": _ready()},
        "/metrics": {"get": _metrics()},
        "/healthz": {"get": _got("health", "Whether the service is up", "service", "Health", unguarded=True)},
    }


def _ready() -> Part:
    summary = "Whether every game is ready"
    return operation("ready", summary, "service", json_content(ref("Ready")), (403, 500, 503), unguarded=True)


def _metrics() -> Part:
    text = {"text/plain": {"schema": {"type": "string", "description": "In the text format of Prometheus."}}}
    return operation("metrics", "Counts and times, for Prometheus", "service", text, (403, 500))


def _posted(name: str, summary: str, found: examples.Examples) -> Part:
    title = name.capitalize()
    answer = ANY + ("Analysis" if name == "analyze" else "Hint")
    return operation(
        name,
        summary,
        "questions",
        json_content(ref(answer)),
        SEARCHING,
        body=json_content(ref(f"{title}Request"), found),
    )


def _stream(operation: Part, query: Part) -> None:
    """Say of an operation that it can be streamed."""
    line = {"type": "string", "description": "Lines of JSON: a `ProgressLine` each, and at last the answer."}
    operation["responses"]["200"]["content"][NDJSON] = {"schema": line}
    operation["parameters"] = [
        {"name": name, "in": "query", "description": "Whether to stream.", "schema": schema}
        for name, schema in query.items()
    ]


def _batch() -> Part:
    line = {"type": "string", "description": "One line of JSON a question, as it is answered: a `BatchLine` each."}
    body = json_content(ref("BatchRequest"), examples.batches())
    return operation(
        "batch", "Many questions at once", "questions", {NDJSON: {"schema": line}}, SEARCHING, body=body
    )


def _compound() -> Part:
    summary = "The best compounding of a set of cards"
    body = json_content(ref("CompoundRequest"), examples.questions(COMPOUND))
    return operation("compound", summary, "questions", json_content(ref("CompoundAnalysis")), SEARCHING, body=body)


def _match(stream: Part) -> Part:
    """The operations on a game in progress."""
    found = examples.matches()
    line = {"type": "string", "description": "Lines of JSON: a `ProgressLine` each, and at last a `Review`."}
    review = {NDJSON: {"schema": line}}
    hint = "The best move for the seat to move, and why"
    posts = {
        "": ("match", "Where a game in progress stands, after what its player does", json_content(ref("Match"))),
        "/written": ("writtenGames", "The games of a file of text", json_content(ref("WrittenGames"))),
        "/turn": ("turn", "Lets the seat to move decide by its hint", json_content(ref("Turn"))),
        "/hint": ("matchHint", hint, json_content(ref(ANY + "Hint"))),
        "/review": ("review", "What each move of the finished rounds gave away", review),
    }
    bodies = {"": "MatchRequest", "/written": "WrittenRequest", "/review": "ReviewRequest"}
    examples_of = {below: () if below in ("/review", "/written") else (found,) for below in posts}
    operations = {
        f"/v1/match{below}": {
            "post": operation(
                name,
                summary,
                "matches",
                answer,
                SEARCHING,
                body=json_content(ref(bodies.get(below, "TurnRequest")), *examples_of[below]),
            )
        }
        for below, (name, summary, answer) in posts.items()
    }
    _stream(operations["/v1/match/hint"]["post"], stream)
    return operations


def _puzzles(chosen: Part) -> Part:
    answer = json_content(ref("Puzzles"))
    told = operation("puzzles", "The puzzles of the collection", "puzzles", answer, (403, 422, 500))
    told["parameters"] = [
        {"name": name, "in": "query", "description": schema["description"], "schema": schema}
        for name, schema in chosen.items()
    ]
    summary = "The puzzles of a file, read and not solved"
    return {
        "get": told,
        "post": operation("readPuzzles", summary, "puzzles", answer, READING, body=_puzzle_body()),
    }


def _solve(limits: Part) -> Part:
    line = {"type": "string", "description": "One line of JSON a puzzle, as it is solved: a `PuzzleResult` each."}
    answer = {NDJSON: {"schema": line}}
    found = operation("solve", "Solve a puzzle file", "puzzles", answer, SEARCHING, body=_puzzle_body())
    found["parameters"] = [
        {"name": name, "in": "query", "description": f"The limit of each puzzle: {name}.", "schema": schema}
        for name, schema in limits.items()
    ]
    return found


def _puzzle_body() -> Part:
    toml = {"type": "string", "description": "A puzzle file."}
    return {
        TOML: {"schema": toml, "examples": {"deals": {"value": examples.puzzle_text()}}},
        **json_content(ref("PuzzleFile"), {"deals": {"value": examples.puzzle_file()}}),
    }


def _read_deck() -> Part:
    toml = {"type": "string", "description": "The file of a deck, as `athanor decks` reads it."}
    summary = "The deck of a file, checked and as positions hold it"
    return operation(
        "readDeck", summary, "games", json_content(ref("WrittenDeck")), READING, body={TOML: {"schema": toml}}
    )


def _rules() -> Part:
    content = {**json_content(ref("Rules")), "text/markdown": {"schema": {"type": "string"}}}
    found = operation("rules", "The rules and rulings in force", "games", content, (403, 404, 500))
    schema = {"type": "string", "enum": list(registry.names())}
    found["parameters"] = [{"name": "game", "in": "path", "required": True, "schema": schema}]
    return found


def _deal() -> Part:
    body = json_content(ref("DealRequest"), examples.deals())
    return operation("deal", "A fresh deal", "games", json_content(ref("Deal")), READING, body=body)


def _cards() -> Part:
    summary = "What is printed on the cards of a game"
    body = json_content(ref("CardsRequest"), examples.cards())
    return operation("cards", summary, "games", json_content(ref("Cards")), READING, body=body)


def _score() -> Part:
    summary = "The score of a finished round, or of a match of several"
    return operation(
        "score",
        summary,
        "games",
        json_content(ref(ANY + "Score")),
        SEARCHING,
        body=json_content(ref(ANY + "Record")),
    )


def _asked(name: str, summary: str, answer: str, found: examples.Examples) -> Part:
    """A question about a position that needs no search."""
    body = json_content(ref(f"{name.capitalize()}Request"), found)
    return operation(name, summary, "games", json_content(ref(answer)), READING, body=body)


def _got(name: str, summary: str, tag: str, answer: str, *, unguarded: bool = False) -> Part:
    return operation(name, summary, tag, json_content(ref(answer)), (403, 500), unguarded=unguarded)
