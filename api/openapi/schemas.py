"""The schemas of the document, from the same pydantic types that read requests and write answers.

One call makes them all, so that pydantic sees every model and gives two models of the same name, as two games
may have, two names. The discriminated unions of positions and records get a component a game, and their uses
refer to it: OpenAPI wants a discriminator's mapping to hold references only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from api.http import line_models, models
from puzzles.models import PuzzleFile
from puzzles.results import PuzzleResult
from solver import registry
from solver.positions import position_type, record_type
from solver.protocol.compounding import CompoundAnalysis

Schema = dict[str, Any]

ANY = "any."  # begins the name of a union of all games'; a dot, as in "alchemy.Position", is in no class's name
_PREFIX = "#/components/schemas/"
_UNIONS = {"Position": ("position_type", position_type), "Record": ("record_type", record_type)}
_ANSWERS = {"Analysis": "analysis_type", "Hint": "hint_type", "Score": "score_type"}
_MODELS = (
    models.AnalyzeRequest,
    models.HintRequest,
    models.CompoundRequest,
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
    models.Deal,
    models.Moves,
    models.Table,
    models.Games,
    models.Decks,
    models.Rules,
    models.GameStart,
    models.Health,
    models.Error,
    CompoundAnalysis,
    PuzzleFile,
    PuzzleResult,
)


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
    made, rest = TypeAdapter.json_schemas(inputs, ref_template=_PREFIX + "{model}")  # type: ignore[arg-type]
    generated = {name: made[name, "validation"] for name in types}
    defined: dict[str, Schema] = rest.get("$defs", {})

    found = dict(defined)
    for union in _UNIONS:
        found.update({_of_game(name, union): generated[_of_game(name, union)] for name in registry.names()})
        found[ANY + union] = _by_game(union)
    for answer in _ANSWERS:
        per_game = [generated[_of_game(name, answer)] for name in registry.names()]
        found[ANY + answer] = {"anyOf": [choice for one in per_game for choice in one.get("anyOf", [one])]}
    wholes = {ANY + union: generated[ANY + union] for union in _UNIONS}
    found["BatchRequest"]["properties"]["questions"]["items"] = _by_key(
        "ask", {"hint": "HintQuestion", "analyze": "AnalyzeQuestion", "compound": "CompoundQuestion"}
    )
    found["DealRequest"]["properties"]["game"]["enum"] = list(registry.names())
    return {name: _named(schema, wholes) for name, schema in sorted(found.items())}


def _of_game(name: str, kind: str) -> str:
    return f"{name}.{kind}"


def _by_game(union: str) -> Schema:
    """The union of all games' types, discriminated by `game`; each game's own is discriminated within."""
    return _by_key("game", {name: _of_game(name, union) for name in registry.names()})


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
    """`node` with every copy of a whole union replaced by a reference to it."""
    if isinstance(node, list):
        return [_named(item, wholes) for item in node]
    if not isinstance(node, dict):
        return node
    for name, whole in wholes.items():
        if all(node.get(key) == value for key, value in whole.items()):
            others = {key: value for key, value in node.items() if key not in whole and key != "title"}
            return {**others, **ref(name)}
    return {key: _named(value, wholes) for key, value in node.items()}
