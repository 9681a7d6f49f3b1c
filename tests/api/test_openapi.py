"""The document and its page: valid, complete and true, for a generated client and for new games."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import openapi
from api.app import create_app
from api.config import Config
from api.openapi import document_text
from solver import registry
from solver.common import EXACT
from solver.errors import PositionError
from solver.games.alchemy.deck import points
from solver.games.alchemy.position import ranks_of, winner_of
from solver.positions import parse_position
from tests.api.support import warmed
from tests.support import guests, places
from tests.support.games import OWN


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warmed()


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Config(default_seconds=0.05, hint_seconds=0.05, max_seconds=0.05))


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="module")
def document(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").get_json()
    return found


def test_it_is_valid(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    OpenAPIV31SpecValidator(document).validate()
    assert "security" not in document  # this service wants no tokens


def test_it_has_every_address(app: Flask, document: dict[str, Any]) -> None:
    served = {re.sub(r"<(?:\w+:)?\w+>", "{}", str(rule)) for rule in app.url_map.iter_rules()}
    of_the_page = {"/", "/page/{}/{}", "/docs", "/docs/{}", "/openapi.json", "/manifest.webmanifest", "/worker.js"}
    of_the_page |= {"/p/{}", "/picture/{}", "/docs/errors"}
    assert {re.sub(r"{\w+}", "{}", path) for path in document["paths"]} == served - of_the_page


def test_unions_are_discriminated_where_a_value_stands_for_one_type(document: dict[str, Any]) -> None:
    """A generator of clients takes no union for a value of a discriminator."""
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        for mapped in schema.get("discriminator", {}).get("mapping", {}).values():
            assert schemas[mapped.removeprefix("#/components/schemas/")]["type"] == "object"
    for union in ("Position", "Record"):
        leaves = _leaves(schemas, schemas[f"Any{union}"])
        told = {name for leaf in leaves for name in _values(leaf["properties"]["game"])}
        assert told == set(registry.names())
    assert schemas["AnyHint"]["discriminator"]["propertyName"] == "kind"
    assert schemas["AnyHint"]["discriminator"]["mapping"]["policy"] == "#/components/schemas/PolicyHint"
    data, text = schemas["PositionOrText"]["oneOf"]
    assert data == {"$ref": "#/components/schemas/AnyPosition"}
    assert text["type"] == "string"
    for request in ("AnalyzeRequest", "HintRequest"):
        assert schemas[request]["properties"]["position"]["$ref"] == "#/components/schemas/PositionOrText"
        assert schemas[request]["additionalProperties"] is False


def test_generators_in_languages_with_types_understand_every_schema(document: dict[str, Any]) -> None:
    """Go's takes numbers for 32 bits wide unless they say more, makes a type of each union in a union, and writes
    invalid code for a default that is no plain value.
    """
    nodes = list(_nodes(document["components"]["schemas"]))
    assert len(nodes) > 1000
    for path, node in nodes:
        kind, most = node.get("type"), node.get("maximum", EXACT)
        assert kind != "integer" or node.get("format") == "int64" or most < 2**31, path
        assert kind != "number" or node["format"] == "double", path
        assert not any([*choice] == ["anyOf"] for choice in node.get("anyOf", ())), path
        assert "default" not in node or not node.keys() & {"$ref", "anyOf", "oneOf"}, path


def _nodes(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema below a part of the document, with its path."""
    if isinstance(node, dict):
        if not path.endswith("/properties"):
            yield path, node
        for key, value in node.items():
            yield from _nodes(value, f"{path}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _nodes(value, f"{path}/{index}")


def test_the_same_words_are_one_type(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    words = {tuple(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema}
    assert {"Code", "Ask", "Grade", "Others", "Confidence", "GameName", "Language", "Outcome"} == set(
        words.values()
    )
    written = [path for path, node in _nodes(schemas) if tuple(node.get("enum", ())) in words]
    assert written == [f"/{name}" for name in sorted(words.values())]


def _leaves(schemas: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The types of a union, or the type itself."""
    if "$ref" in schema:
        return _leaves(schemas, schemas[schema["$ref"].removeprefix("#/components/schemas/")])
    choices = schema.get("oneOf", schema.get("anyOf"))
    return [schema] if choices is None else [leaf for choice in choices for leaf in _leaves(schemas, choice)]


def _values(schema: dict[str, Any]) -> list[str]:
    return [schema["const"]] if "const" in schema else schema["enum"]


def test_every_key_is_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    bare = [
        f"{name}.{key}"
        for name, schema in schemas.items()
        for key, value in schema.get("properties", {}).items()
        if not value.get("description") and not _is_of_a_guest(schema)
    ]
    assert not bare


def _is_of_a_guest(schema: dict[str, Any]) -> bool:
    return schema["properties"].get("game", {}).get("const") in registry.guests()


def test_rules_are_told_apart_from_readings_of_them(document: dict[str, Any]) -> None:
    """Of a position or a record they are options, of `/v1/rules` a text."""
    told = {
        name: schema["properties"]["rules"]["description"]
        for name, schema in document["components"]["schemas"].items()
        if "rules" in schema.get("properties", {})
    }
    assert [name for name, text in told.items() if "Markdown" in text] == ["Rules"]


def test_limits_of_a_client_are_described(document: dict[str, Any]) -> None:
    def headers(path: str, method: str) -> set[str]:
        return set(document["paths"][path][method]["responses"]["200"].get("headers", {}))

    assert {"X-Limit-Seconds", "RateLimit-Remaining"} <= headers("/v1/hint", "post")
    assert headers("/v1/games", "get") == {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}
    assert not headers("/healthz", "get")


def test_no_description_is_of_a_key_that_there_is_not(document: dict[str, Any]) -> None:
    words = tomllib.loads((Path(openapi.__file__).parent / "descriptions.toml").read_text(encoding="utf-8"))
    keys = {name: set(one.get("properties", {})) for name, one in document["components"]["schemas"].items()}
    for name, described in words.items():
        known = set().union(*keys.values()) if name == "keys" else keys[name]
        assert set(described) <= known, name


def test_every_error_is_the_contracts(document: dict[str, Any]) -> None:
    for found in document["components"]["responses"].values():
        assert set(found["content"]) == {"application/json"}
        assert found["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}
    analyze = document["paths"]["/v1/analyze"]["post"]["responses"]
    assert {"200", "400", "413", "415", "422", "500", "503"} <= set(analyze)


def _offers_hints(name: str) -> bool:
    game = registry.game(name)
    return "hint" in game.asks(game.view(game.deal(1), 0))


@pytest.mark.parametrize("question", ["analyze", "hint", "deal"])
def test_every_game_has_an_example(document: dict[str, Any], question: str) -> None:
    """That they are answered, `tests.api.test_fuzz` shows."""
    examples = document["paths"][f"/v1/{question}"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ]
    # A game need not offer hints; what it offers has an example.
    offering = {name for name in registry.names() if question != "hint" or _offers_hints(name)}
    assert {name for name in registry.names() if any(key.startswith(name) for key in examples)} == offering


def test_the_example_file_is_solved(client: FlaskClient, document: dict[str, Any]) -> None:
    content = document["paths"]["/v1/solve"]["post"]["requestBody"]["content"]["application/json"]
    found = client.post("/v1/solve", json=content["examples"]["deals"]["value"])
    assert found.status_code == 200, found.text
    assert '"status":"error"' not in found.text


def test_the_page_needs_no_other_site(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert "://" not in page.headers["Content-Security-Policy"]
    addresses = re.findall(r'(?:src|href|data-document)="([^"]*)"', page.text)
    assert len(addresses) >= 5
    for address in addresses:
        assert address.startswith("/")
        assert not address.startswith("//")
        with client.get(address) as found:
            assert found.status_code == 200
    assert "://" not in page.text
    with client.get("/docs/docs.js") as found:
        script = found.get_data(as_text=True)
    assert "://" not in script
    assert "validatorUrl: null" in script


ANOTHER_GAME = """
from solver.codec import Notation
from types import SimpleNamespace
from typing import Literal
from pydantic import BaseModel, ConfigDict
from solver.answers import Analysis, Answer, Hint

class SolitaireRecord(BaseModel):  # a name that alchemy has too
    model_config = ConfigDict(frozen=True, extra="forbid")
    game: Literal["other-game"]
    cards: tuple[int, ...]

class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    game: Literal["other-game"]

def deal(seed, *, number=0, players=None, variant=None):
    return SolitaireRecord(game="other-game", cards=(1, 2))

def analyze(position, control, *, model=None, player=None):
    return Analysis(game="other-game", to_move=0, exact=True, value=3, bounds=(3, 3), best=None, moves=(),
                    line=(), nodes=0, seconds=0.0)

GAME = SimpleNamespace(
    name="other-game", title="Other", players=(2, 4), variants={}, models=("paranoid",),
    sides=(), guarantees=(), questions={}, surveys=(), options={},
    record_help="", disputed=(), position_type=SolitaireRecord, record_type=Record,
    analysis_type=Analysis, hint_type=Hint, score_type=Answer, places={"worlds": None, "playing": None},
    asks=lambda position: frozenset({"analyze"}), deal=deal, analyze=analyze,
    view=lambda position, seat: position, notation=Notation(),
    **dict.fromkeys(["legal_moves", "observe", "possible", "parse_move", "format_move", "play", "hint",
                     "answer", "proved", "score", "describe", "rules", "warm", "cards", "package",
                     "dealt_by_rules", "finding", "warming", "hint_warming", "find", "missing", "drawn",
                     "watched", "claim", "proving", "race", "worlds", "notes", "players_fault", "about",
                     "strength", "shows_cards", "levels", "fields", "check_variant", "decked", "is_view", "turn",
                     "watched_from", "side_of"], print),
)
"""
ASKING = """
from openapi_spec_validator import OpenAPIV31SpecValidator
from api.app import create_app
from solver import registry
from solver.common import EXACT

client = create_app().test_client()
document = client.get("/openapi.json").get_json()
OpenAPIV31SpecValidator(document).validate()
schemas = document["components"]["schemas"]
assert "other-game" in registry.names()
assert len(schemas["AnyPosition"]["oneOf"]) == len(registry.names())
named = [name for name in schemas if name.endswith("SolitaireRecord")]
assert len(named) == 2, named
body = document["paths"]["/v1/analyze"]["post"]["requestBody"]["content"]["application/json"]["examples"]
found = client.post("/v1/analyze", json=body["other-game"]["value"])
assert found.get_json()["value"] == 3, found.text
assert client.post("/v1/analyze", json={"position": {"game": "x"}}).get_json()["error"]["path"] == "position.game"
"""


def test_a_game_of_another_package_needs_no_change_here(tmp_path: Path) -> None:
    guests.install(tmp_path, "other-game", ANOTHER_GAME)
    found = guests.run(tmp_path, ASKING)
    assert found.returncode == 0, found.stderr


def test_whole_numbers_with_a_point(client: FlaskClient) -> None:
    """To JSON Schema 5.0 is an integer, and many languages write one so."""
    found = client.post(
        "/v1/deal", data='{"game": "kirin", "seed": 5.0, "seat": 1e0}', content_type="application/json"
    )
    assert found.status_code == 200, found.text
    assert found.get_json() == client.post("/v1/deal", json={"game": "kirin", "seed": 5, "seat": 1}).get_json()
    assert client.post("/v1/deal", json={"game": "kirin", "seed": 5.5}).status_code == 422


def test_the_document_refuses_what_the_service_refuses(document: dict[str, Any]) -> None:
    """Whatever is sent for these keys, no request with it can be right."""
    schemas = document["components"]["schemas"]
    names = list(registry.names())
    assert schemas["GameName"]["enum"] == names
    named = {"$ref": "#/components/schemas/GameName"}
    assert schemas["DealRequest"]["properties"]["game"].items() >= named.items()
    assert document["paths"]["/v1/rules/{game}"]["get"]["parameters"][0]["schema"] == named
    assert schemas["PuzzleFile"]["properties"]["puzzle"]["minItems"] == 1
    assert schemas["Puzzle"]["properties"]["id"]["pattern"] == r"\S"
    assert schemas["Solution"]["minProperties"] == schemas["AquaFinishedRound"]["minProperties"] == 1


@pytest.mark.parametrize(
    ("schema", "position", "letters"),
    [
        ("AlchemyRound", {"game": "alchemy", "variant": "free", "min_line": 1, "hand": "6"}, "AtX90s♠"),
        ("KirinRound", {"game": "kirin", "seat": 0, "leader": 0}, "DgsTt6+-0"),
    ],
)
def test_the_document_says_which_texts_are_cards(
    document: dict[str, Any], schema: str, position: dict[str, Any], letters: str
) -> None:
    key = "line" if "hand" in position else "hand"
    found = document["components"]["schemas"][schema]["properties"][key]["anyOf"][0]["items"]["pattern"]
    pattern = re.compile(found.replace("$", r"\Z"))
    taken = 0
    for text in ("10", "10h", "11", *letters, *map("".join, product(letters, repeat=2))):
        try:
            parse_position({**position, key: [text]})
        except PositionError as fault:
            codes = [one.code for one in fault.faults if one.path == f"{key}[0]"]
        else:
            codes = []
        assert (pattern.search(text) is None) == (codes == ["illegal_card"] and text not in ("x", "X")), text
        taken += not codes
    assert taken > 5


# A client that a generator makes of the document.


CONFIG = Config()
PACKAGE = "athanor_generated_client"
STREAMS = ("application/x-ndjson", "application/toml")  # of which the generator knows nothing
SETTINGS = {"post_hooks": [], "content_type_overrides": dict.fromkeys(STREAMS, "application/octet-stream")}
KINDS = [(name, variant) for name in registry.names() for variant in registry.game(name).variants or (None,)]
NOT_DEALT = ("alchemy", "free")


class Client:
    """The generated client's functions by the names of the operations, and its models."""

    def __init__(self) -> None:
        self.models = importlib.import_module(f"{PACKAGE}.models")
        made = importlib.import_module(f"{PACKAGE}.client")
        transport = httpx.WSGITransport(app=create_app(CONFIG))
        self._client = made.Client(base_url="http://localhost", httpx_args={"transport": transport})

    def __call__(self, operation: str, *, refused: bool = False, **asked: Any) -> Any:
        """What the service answers, as the generated client reads it; the body's keys are `asked`."""
        tag = "questions" if operation == "hint" else "games"
        function: ModuleType = importlib.import_module(f"{PACKAGE}.api.{tag}.{operation}")
        body = getattr(self.models, f"{operation.capitalize()}Request")(**asked)
        found = function.sync(client=self._client, body=body)
        assert isinstance(found, self.models.Error) == refused, found
        assert found is not None
        return found


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    warmed()
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_bytes(document_text(CONFIG))
    (folder / "settings.json").write_text(json.dumps(SETTINGS))
    options = f"--path openapi.json --meta none --output-path {PACKAGE} --config settings.json"
    command = [sys.executable, "-m", "openapi_python_client", "generate", *options.split()]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "warning" not in (ran.stdout + ran.stderr).lower()
    sys.path.insert(0, str(folder))
    yield Client()
    sys.path.remove(str(folder))


def test_every_code_of_an_error_is_an_enumeration(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    codes = {"$ref": "#/components/schemas/Code"}
    for name in ("Fault", "ErrorDetail"):
        assert schemas[name]["properties"]["code"].items() >= codes.items()
    for name in ("Health", "Ready"):
        assert schemas[name]["properties"]["jobs_fault"]["anyOf"][0] == codes
    assert schemas["PuzzleResult"]["properties"]["error"]["anyOf"][0] == {"$ref": "#/components/schemas/Fault"}


def test_names_that_a_client_can_bear(generated: Client) -> None:
    models = vars(generated.models)
    assert {"KirinRound", "KingRound", "AquaRound", "AlchemyRound", "HintRequest", "Fault"} <= set(models)
    assert not [name for name in models if "Solver" in name or "__" in name.strip("_")]


def test_a_client_has_every_call(generated: Client) -> None:
    calls = [call for path in json.loads(document_text(CONFIG))["paths"].values() for call in path.values()]
    operations = [call for call in calls if isinstance(call, dict)]
    assert len(operations) > 30
    for call in operations:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", call["operationId"]).lower()
        assert importlib.import_module(f"{PACKAGE}.api.{call['tags'][0]}.{name}").sync_detailed, name


@pytest.mark.parametrize(("game", "variant"), [kind for kind in KINDS if kind != NOT_DEALT], ids=str)
def test_a_whole_game(generated: Client, game: str, variant: str | None) -> None:
    """Seat 0 does as its hint says; the others make their first legal move."""
    wanted = {"game": generated.models.GameName(game), "variant": variant, "seed": 5}
    table = generated("deal", **{key: value for key, value in wanted.items() if value is not None})
    seat: int | None = generated("moves", position=table.text).to_move
    hinted = 0
    for _ in range(300):
        if seat is None:
            break
        moves = generated("moves", position=table.text).legal_moves
        move = moves[0]
        if seat == 0:
            view = generated("view", position=table.text, seat=0).text
            move = generated("hint", position=view, worlds=2, limit=generated.models.HintLimit(nodes=200)).best
            assert move in moves
            hinted += 1
        table = generated("play", position=table.text, moves=[move])
        seat = table.to_move
    assert seat is None
    assert hinted >= 3
    assert table.position.game == game


def test_a_race_to_100(generated: Client) -> None:
    """A duel round after round: either seat grabs first by turns, and when a round is over the next is dealt."""
    table = generated("play", position="alchemy duel rules=two_jokers totals=0,0 line=-", moves=["deal 5"])
    totals, dealt, turn = [(0, 0)], 1, 0
    while True:
        while table.to_move is not None:
            turn += 1
            found = generated("moves", position=table.text)
            grabs = found.possible_moves if turn & 2 and found.possible_moves else found.legal_moves
            table = generated("play", position=table.text, moves=[max(grabs, key=len)])
        mine, theirs = (points(ranks_of(pile)) for pile in (table.position.pile, table.position.opponent_pile))
        totals.append((totals[-1][0] + mine, totals[-1][1] + theirs))
        if winner_of(totals[-1]) is not None:
            break
        table = generated("play", position=table.text, moves=[f"deal 5 {dealt}"])
        dealt += 1
        assert tuple(table.position.totals) == totals[-1]
    assert dealt > 1
    refused = generated("play", refused=True, position=table.text, moves=["deal 6"])
    assert refused.error.message == f"the race is over: {totals[-1][0]} to {totals[-1][1]} points"


_SHARED = (
    "api", "puzzles", "solver/hints", "solver/search", "solver/tricks", "solver/common.py", "solver/decks.py",
    "solver/positions.py",
)  # fmt: skip


def sources() -> Iterator[Path]:
    for name in _SHARED:
        path = places.ROOT / name
        assert path.exists()
        yield from [path] if path.is_file() else filter(_is_shared, path.rglob("*.py"))


def _is_shared(path: Path) -> bool:
    """Whether a file is not the checker of certificates, which has plain rules of each game of its own."""
    return path.name != "check_proof.py" and path.parent.name != "plain"


def test_no_text_outside_the_games_names_one() -> None:
    words = "|".join(map(re.escape, OWN))
    named = re.compile(rf"(?<![\w-])({words})(?![\w-])", re.IGNORECASE)
    found = [
        f"{path.relative_to(places.ROOT)}:{node.lineno}: {node.value!r}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.search(node.value)
    ]
    assert not found
