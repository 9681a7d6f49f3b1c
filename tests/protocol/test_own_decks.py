"""Decks of the user's own, dealt and played: in Python, over HTTP, and on the command line."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner, Result

import athanor
from api.app import create_app
from api.cli.main import cli
from athanor.sessions import Saved, Session
from solver import decks
from solver.errors import PositionError, RequestError
from tests.api.support import refused

THREE = Path("docs/examples/three-metals.toml")
METALS = tomllib.loads(THREE.read_text(encoding="utf-8"))
HOUSE = resources.files("solver.games.king").joinpath("decks", "king-house.toml").read_text(encoding="utf-8")
MINE = HOUSE.replace('name = "house"', 'name = "mine"').replace('code = "F1"', 'code = "F0"')


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's decks, one of which is King's house deck with a card called otherwise, and state folder."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "mine.toml").write_text(MINE, encoding="utf-8")
    monkeypatch.setenv(decks.FOLDER_VARIABLE, str(tmp_path / "decks"))
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "decks"


def ran(*args: object, lines: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(cli, list(map(str, args)), input=lines)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def cards_of(position: Any) -> list[str]:
    return sorted(card for hand in position.hands for card in hand)


@pytest.mark.parametrize("variant", ["unpicked", "picked"])
def test_the_same_seed_deals_the_same_places_of_another_deck(variant: str) -> None:
    usual: Any = athanor.deal("king", seed=4, players=5, variant=variant)
    own: Any = athanor.deal("king", seed=4, players=5, variant=variant, deck="mine")
    assert (own.deck, usual.deck) == ("mine", "house")
    assert own.hands == tuple(tuple("F0" if card == "F1" else card for card in hand) for hand in usual.hands)
    whole: Any = athanor.game("king").deal(seed=4, players=5, variant=variant, deck=tomllib.loads(MINE))
    assert whole.hands == own.hands
    assert athanor.parse(str(whole)) == whole
    named = athanor.deal("king", seed=4, players=5, variant=variant, deck="house")
    assert named == usual


def test_a_table_of_metals_is_dealt_whole() -> None:
    dealt: Any = athanor.deal("aqua-regia", seed=1, players=2, deck=METALS)
    assert sorted([*cards_of(dealt), *dealt.stock]) == sorted(["Na", "Fe", "Au"] * 8)
    view: Any = athanor.view(dealt, 1)
    assert view.deck == dealt.deck
    assert athanor.hint(athanor.view(dealt, 0), nodes=100).best in athanor.legal_moves(dealt)


@pytest.mark.parametrize(
    ("game", "more", "code", "path", "words"),
    [
        ("king", {"deck": "none"}, "unknown_deck", "deck", "possible: house, mine"),
        ("king", {"deck": {**tomllib.loads(MINE), "copies": 3}}, "unknown_key", "deck.copies", "unknown key"),
        ("aqua-regia", {"deck": {**METALS, "copies": 0}}, "out_of_range", "deck.copies", "1 to 99 is expected"),
        ("aqua-regia", {"deck": METALS, "players": 3}, "out_of_range", "players", "has 24 cards"),
        ("kirin", {"deck": "house"}, "not_offered", "deck", "are fixed"),
        ("alchemy", {"deck": {}}, "not_offered", "deck", "are fixed"),
        ("king", {"deck": ""}, "wrong_size", "deck", "at least 1 character"),
        ("king", {"deck": 3}, "wrong_type", "deck", "text is expected"),
    ],
)
def test_decks_that_are_refused(game: str, more: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises((PositionError, RequestError), match=words) as found:
        athanor.deal(game, seed=1, **more)
    assert (found.value.code, found.value.path) == (code, path)
    client = create_app().test_client()
    assert words in refused(client.post("/v1/deal", json={"game": game, **more}), 422, code, path)


def test_over_http() -> None:
    client = create_app().test_client()
    asked = {"game": "aqua-regia", "seed": 3, "players": 2}
    told = client.post("/v1/deal", json={**asked, "deck": METALS, "seat": 1}).get_json()
    assert told["position"]["deck"]["name"] == "three"
    assert athanor.parse(told["text"]) == athanor.parse(told["position"])
    named = client.post("/v1/deal", json={"game": "king", "seed": 4, "deck": "mine"}).get_json()
    assert athanor.parse(named["position"]) == athanor.deal("king", seed=4, deck="mine")


def test_on_the_command_line(folder: Path) -> None:
    told = json.loads(ran("deal", "king", "--seed", 4, "--deck", "mine").stdout)
    assert athanor.parse(told) == athanor.deal("king", seed=4, deck="mine")
    told = json.loads(ran("deal", "aqua-regia", "--seed", 4, "--players", 2, "--deck", THREE).stdout)
    assert athanor.parse(told) == athanor.deal("aqua-regia", seed=4, players=2, deck=METALS)
    for named, words in (
        ("other", "there is no deck of king called 'other'; possible: house, mine"),
        (THREE, f"{THREE}: this is a deck of aqua-regia, not of king"),
        (folder / "none.toml", "No such file or directory"),
        ("docs/examples/my-deck.toml", "docs/examples/my-deck.toml: card[0].vp: card F1"),
    ):
        for command in ("deal", "play"):
            assert words in ran(command, "king", "--deck", named, code=2).stderr


@pytest.mark.parametrize(("game", "named", "players"), [("aqua-regia", str(THREE), 2), ("king", "mine", 3)])
def test_a_game_is_played_and_kept_with_its_deck(tmp_path: Path, game: str, named: str, players: int) -> None:
    """The file holds all that is needed to go on, and is text and JSON in turn."""
    kept, text = tmp_path / "game.json", tmp_path / "game.txt"
    told = ran(
        "play", game, "--seed", 5, "--players", players, "--deck", named, "--save", kept, lines="1\ncards\n"
    )
    assert ("F0" if named == "mine" else "Sodium") in told.stdout
    text.write_text(ran("convert", kept).stdout, encoding="utf-8")
    assert json.loads(ran("convert", text).stdout) == json.loads(kept.read_text(encoding="utf-8"))
    again = ran("play", game, "--resume", kept, lines="")
    assert "1: " in again.stdout
    assert "keeps its own" in ran("play", game, "--resume", kept, "--deck", named, code=2).stderr


@pytest.mark.parametrize(("game", "deck", "players"), [("aqua-regia", METALS, 2), ("king", "mine", 3)])
def test_a_match_is_scored_with_its_deck(game: str, deck: Any, players: int) -> None:
    table = Session(Saved(game=game, seed=2, players=players, deck=deck, rounds=2, seconds=0.3))
    while not table.over:
        table.play(table.round.moves()[0])
    positions: list[Any] = [played.position for played in table.ended]
    first, *others = positions
    assert all(other.deck == first.deck for other in others)
    assert first.deck != "house"
    assert len(table.score().rounds) == 1 + len(others)  # type: ignore[attr-defined]
