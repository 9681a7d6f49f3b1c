"""The schemas of the document, from the same pydantic types that read requests and write answers.

One call makes them all, so that pydantic sees every model and gives two models of the same name, as two games
may have, two names. The discriminated unions of positions and records get a component a game, and their uses
refer to it: OpenAPI wants a discriminator's mapping to hold references only.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import CoreModeRef, CoreRef, DefsRef, GenerateJsonSchema

from api.bodies import job_models, line_models, match_models, models
from api.calls import decks, puzzles
from api.http import metrics
from puzzles.check import PuzzleResult
from puzzles.format import PuzzleFile
from solver import registry
from solver.answers import CompoundAnalysis
from solver.playing import Review
from solver.positions import position_type, record_type

Schema = dict[str, Any]

ANY = "Any"  # begins the name of a union: of all games', "AnyPosition", or of a game's, "AnyKirinPosition"
_OF_GAME = re.compile(r"(?P<module>\bsolver\.games\.(?P<game>[a-z]+)[\w.]*\.)(?P<name>\w+)")
_PREFIX = "#/components/schemas/"
_UNIONS = {"Position": ("position_type", position_type), "Record": ("record_type", record_type)}
_ANSWERS = {"Analysis": "analysis_type", "Hint": "hint_type", "Score": "score_type"}
_MODELS = (
    models.AnalyzeRequest,
    models.HintRequest,
    models.CompoundRequest,
    models.CardsRequest,
    models.DealRequest,
    models.MovesRequest,
    models.PlayRequest,
    models.ViewRequest,
    models.SolveQuery,
    line_models.BatchRequest,
    line_models.BatchLine,
    line_models.StreamQuery,
    line_models.ProgressLine,
    line_models.HintQuestion,
    line_models.AnalyzeQuestion,
    line_models.CompoundQuestion,
    match_models.MatchRequest,
    match_models.TurnRequest,
    match_models.ReviewRequest,
    match_models.WrittenRequest,
    match_models.WrittenGames,
    match_models.Match,
    match_models.Turn,
    job_models.JobRequest,
    job_models.JobsQuery,
    job_models.ResultsQuery,
    job_models.Jobs,
    job_models.ResultLine,
    puzzles.PuzzleQuery,
    puzzles.Puzzles,
    models.Cards,
    models.Deal,
    models.Moves,
    models.Table,
    models.Games,
    models.Decks,
    decks.WrittenDeck,
    models.Rules,
    models.GameStart,
    models.Health,
    metrics.Ready,
    models.Error,
    CompoundAnalysis,
    Review,
    PuzzleFile,
    PuzzleResult,
)


class _Named(GenerateJsonSchema):
    """Names the model `View` of a game by the game, as in "GameView": a client can bear that.

    A model of a game's own name keeps it, and `KnownPosition` is the game's `Position`.
    """

    def get_defs_ref(self, core_mode_ref: CoreModeRef) -> DefsRef:
        core_ref, mode = core_mode_ref
        return super().get_defs_ref((CoreRef(_OF_GAME.sub(_own_name, core_ref)), mode))


def _own_name(found: re.Match[str]) -> str:
    game = found["game"].capitalize()
    name = found["name"].removeprefix("Known")
    return found["module"] + (name if name.startswith(game) else game + name)


def ref(name: str) -> Schema:
    return {"$ref": _PREFIX + name}


def components() -> dict[str, Schema]:
    """Every schema, by name."""
    types: dict[str, Any] = {kind.__name__: kind for kind in _MODELS}
    for union, (attribute, whole) in _UNIONS.items():
        types[ANY + union] = whole()
        types.update({_of_game(name, union): getattr(registry.game(name), attribute) for name in registry.names()})
    for answer, attribute in _ANSWERS.items():
        types.update(
            {_of_game(name, answer): getattr(registry.game(name), attribute) for name in registry.names()}
        )

    # Validation mode for answers too: a field with a default is left out of an answer when it was not set.
    inputs = [(name, "validation", TypeAdapter(kind)) for name, kind in types.items()]
    made, rest = TypeAdapter.json_schemas(
        inputs,  # type: ignore[arg-type]
        ref_template=_PREFIX + "{model}",
        schema_generator=_Named,
    )
    generated = {name: made[name, "validation"] for name in types}
    defined: dict[str, Schema] = rest.get("$defs", {})

    found = dict(defined)
    for union in _UNIONS:
        per_game = {name: generated[_of_game(name, union)] for name in registry.names()}
        # A game of a single type needs no union of its own.
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
    """What keys hold, by the schema's name or for all schemas."""
    text = resources.files("api.openapi").joinpath("descriptions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _described(schema: Schema, words: Mapping[str, str]) -> Schema:
    """The schema with a description of each key, its own where it has one."""
    if "properties" not in schema:
        return schema
    told = {
        key: {"description": words[key], **value} if key in words else value
        for key, value in schema["properties"].items()
    }
    return {**schema, "properties": told}


def _of_game(name: str, kind: str) -> str:
    """The name of the union of a game's positions, records or answers."""
    return ANY + "".join(word.capitalize() for word in re.split(r"\W|_", name)) + kind


def _by_key(key: str, names: Mapping[str, str]) -> Schema:
    """The union of components, of which the value of a key tells one."""
    return {
        "oneOf": [ref(component) for component in names.values()],
        "discriminator": {
            "propertyName": key,
            "mapping": {value: _PREFIX + component for value, component in names.items()},
        },
    }


def _named(node: Any, wholes: dict[str, Schema]) -> Any:
    """`node` with every copy of a whole union replaced by a reference to it, and without titles.

    The titles that pydantic makes of the keys of an object say nothing, and clients would name types by them.
    """
    if isinstance(node, list):
        return [_named(item, wholes) for item in node]
    if not isinstance(node, dict):
        return node
    for name, whole in wholes.items():
        if all(node.get(key) == value for key, value in whole.items()):
            others = {key: value for key, value in node.items() if key not in whole and key != "title"}
            return {**others, **ref(name)}
    return {
        key: _named(value, wholes)
        for key, value in node.items()
        if key != "title" or not isinstance(value, str)  # an object may have a key of that name
    }
