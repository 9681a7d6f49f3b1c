"""The document and the page: valid, complete, true, and in need of no other site."""

from __future__ import annotations

import re
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import openapi
from api.app import create_app
from api.config import Config
from solver import registry
from solver.errors import PositionError
from solver.positions import parse_position
from tests.api.support import warmed
from tests.support import guests


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warmed()


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Config(default_seconds=1))


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
    of_the_page |= {"/p/{}", "/picture/{}"}
    assert {re.sub(r"{\w+}", "{}", path) for path in document["paths"]} == served - of_the_page


def test_positions_and_records_are_discriminated(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for union in ("Position", "Record"):
        assert schemas[f"Any{union}"]["discriminator"]["propertyName"] == "game"
        assert set(schemas[f"Any{union}"]["discriminator"]["mapping"]) == set(registry.names())
    alchemy = schemas["AnyAlchemyPosition"]["discriminator"]
    assert alchemy["propertyName"] == "variant"
    assert alchemy["mapping"]["duel"] == "#/components/schemas/AlchemyDuelPosition"
    for request in ("AnalyzeRequest", "HintRequest"):
        data, text = schemas[request]["properties"]["position"]["oneOf"]
        assert data == {"$ref": "#/components/schemas/AnyPosition"}
        assert text["type"] == "string"
        assert schemas[request]["additionalProperties"] is False


def test_every_key_is_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    bare = [
        f"{name}.{key}"
        for name, schema in schemas.items()
        for key, value in schema.get("properties", {}).items()
        if not value.get("description")
    ]
    assert not bare


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
def test_examples_work_as_they_are(client: FlaskClient, document: dict[str, Any], question: str) -> None:
    post = document["paths"][f"/v1/{question}"]["post"]
    examples = post["requestBody"]["content"]["application/json"]["examples"]
    # A game need not offer hints; what it offers has an example.
    offering = {name for name in registry.names() if question != "hint" or _offers_hints(name)}
    assert {name for name in registry.names() if any(key.startswith(name) for key in examples)} == offering
    for key, example in examples.items():
        found = client.post(f"/v1/{question}", json=example["value"])
        assert found.status_code == 200, (key, found.text)


def test_examples_of_other_calls_work_as_they_are(client: FlaskClient, document: dict[str, Any]) -> None:
    """Those of `/v1/solve` are in the next test, and a job would go on behind this one."""
    others = set(document["paths"]) - {"/v1/analyze", "/v1/hint", "/v1/deal", "/v1/solve", "/v1/jobs"}
    tried = set()
    for path in others:
        bodies = document["paths"][path].get("post", {}).get("requestBody", {}).get("content", {})
        for key, example in bodies.get("application/json", {}).get("examples", {}).items():
            found = client.post(path, json=example["value"])
            assert found.status_code == 200, (path, key, found.text)
            tried.add(path)
    assert {"/v1/batch", "/v1/compound", "/v1/moves", "/v1/play", "/v1/view", "/v1/match/turn"} <= tried


def test_the_example_file_is_solved(client: FlaskClient, document: dict[str, Any]) -> None:
    [content] = document["paths"]["/v1/solve"]["post"]["requestBody"]["content"].values()
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

class SolitairePosition(BaseModel):  # a name that alchemy has too
    model_config = ConfigDict(frozen=True, extra="forbid")
    game: Literal["other-game"]
    cards: tuple[int, ...]

class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    game: Literal["other-game"]

def deal(seed, *, number=0, players=None, variant=None):
    return SolitairePosition(game="other-game", cards=(1, 2))

def analyze(position, control, *, model=None, player=None):
    return Analysis(game="other-game", to_move=0, exact=True, value=3, bounds=(3, 3), best=None, moves=(),
                    line=(), nodes=0, seconds=0.0)

GAME = SimpleNamespace(
    name="other-game", title="Other", players=(2, 4), variants={}, models=("paranoid",),
    deck_kind=None, guarantees=(), questions={}, surveys=(), options={},
    record_help="", position_type=SolitairePosition, record_type=Record,
    analysis_type=Analysis, hint_type=Hint, score_type=Answer, places={"worlds": None},
    asks=lambda position: frozenset({"analyze"}), deal=deal, analyze=analyze,
    view=lambda position, seat: position, notation=Notation(),
    **dict.fromkeys(["playing", "legal_moves", "observe", "possible", "parse_move", "format_move", "play", "hint",
                     "answer", "proved", "score", "describe", "rules", "warm", "cards", "composer", "package",
                     "dealt_by_rules", "finding", "warming", "find", "missing", "drawn", "strength",
                     "watched", "claim", "proving", "race", "worlds"], print),
)
"""

ASKING = """
from openapi_spec_validator import OpenAPIV31SpecValidator
from api.app import create_app
from solver import registry

client = create_app().test_client()
document = client.get("/openapi.json").get_json()
OpenAPIV31SpecValidator(document).validate()
schemas = document["components"]["schemas"]
assert "other-game" in registry.names()
assert set(schemas["AnyPosition"]["discriminator"]["mapping"]) == set(registry.names())
named = [name for name in schemas if name.endswith("SolitairePosition")]
assert len(named) == 2, named
body = document["paths"]["/v1/analyze"]["post"]["requestBody"]["content"]["application/json"]["examples"]
found = client.post("/v1/analyze", json=body["other-game"]["value"])
assert found.get_json()["value"] == 3, found.text
assert client.post("/v1/analyze", json={"position": {"game": "x"}}).get_json()["error"]["path"] == "game"
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
    assert schemas["DealRequest"]["properties"]["game"]["enum"] == names
    assert document["paths"]["/v1/rules/{game}"]["get"]["parameters"][0]["schema"]["enum"] == names
    assert schemas["PuzzleFile"]["properties"]["puzzle"]["minItems"] == 1
    assert schemas["Puzzle"]["properties"]["id"]["pattern"] == r"\S"
    assert schemas["Solution"]["minProperties"] == schemas["AquaRound"]["minProperties"] == 1


@pytest.mark.parametrize(
    ("schema", "position", "letters"),
    [
        ("AlchemyFreePosition", {"game": "alchemy", "variant": "free", "min_line": 1, "hand": "6"}, "AtX90s♠"),
        ("KirinView", {"game": "kirin", "seat": 0, "leader": 0}, "DgsTt6+-0"),
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
