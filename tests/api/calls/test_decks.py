"""`/v1/decks`: a deck's file is read, and what is wrong with it is told."""

from __future__ import annotations

from importlib import resources

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from solver import decks
from solver.decks import AnyDeck, DeckKind
from tests.api.support import refused

TOML = "application/toml"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


@pytest.mark.parametrize("kind", decks.kinds(), ids=lambda kind: kind.game)
def test_the_deck_of_a_file_can_be_dealt_from(client: FlaskClient, kind: DeckKind[AnyDeck]) -> None:
    text = resources.files(kind.package).joinpath("decks", kind.house_file).read_text(encoding="utf-8")
    found = client.post("/v1/decks", data=text, content_type=TOML).get_json()
    assert (found["game"], found["name"], found["title"]) == (kind.game, kind.house.name, kind.house.title)
    deal = client.post("/v1/deal", json={"game": kind.game, "seed": 1, "deck": found["deck"]})
    assert deal.status_code == 200


def test_a_file_that_is_no_deck_is_refused(client: FlaskClient) -> None:
    refused(client.post("/v1/decks", data="a = 1", content_type=TOML), 422, "missing_key")
    refused(client.post("/v1/decks", data="a = ", content_type=TOML), 400, "invalid_toml")
    refused(client.post("/v1/decks", data="a = 1"), 415, "unsupported_media_type")
    card = client.post("/v1/decks", data='name = "x"\n[[card]]\ncode = 1\n', content_type=TOML)
    assert card.status_code == 422
    assert card.get_json()["error"]["path"]
