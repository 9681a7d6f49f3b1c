"""Compounding as it is asked for: `/v1/compound`, `athanor compound`, the errors of both, the picture."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from api import examples
from api.app import create_app
from api.cli.main import cli
from api.config import Config
from solver.answers import Wishes
from solver.common import Random
from solver.errors import RequestError
from solver.games.king.compounding import best
from solver.games.king.compounding_picture import recipe_graph
from solver.games.king.deck import house
from solver.positions import compounder, parse_position
from tests.games.king.decks import random_deck

# Electrum with gold F10 or A10, the Elixir with the other one.
CARDS = ["F6", "F7", "F10", "F11", "W4", "W7", "W9", "W10", "E9", "A7", "A10", "D"]
POSITION = {"game": "king", "deck": "house", "cards": CARDS}
ELECTRUM = {"card": "F11", "item": "Electrum", "uses": ["F10", "W7"], "bonus": 7}
PEWTER = {"card": "W9", "item": "Pewter", "uses": ["W4", "W10"], "bonus": 5}
ELIXIR = {"card": "D", "item": "Elixir of Life", "uses": ["F6", "F7", "A10"], "bonus": 15}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(default_seconds=20, max_seconds=30)).test_client()


def run(*args: str, stdin: object = POSITION) -> Result:
    return CliRunner().invoke(cli, ["compound", "-", *args], input=json.dumps(stdin))


def test_the_contract_s_answer(client: FlaskClient) -> None:
    found = client.post("/v1/compound", json={"position": POSITION, "limit": {"seconds": 20}})
    assert found.status_code == 200, found.text
    answer = found.get_json()
    assert list(answer)[:4] == ["vp", "bonus", "total", "recipes"]
    assert {key: answer[key] for key in ("vp", "bonus", "total", "exact", "bounds")} == {
        "vp": 11, "bonus": 27, "total": 38, "exact": True, "bounds": [38, 38],
    }  # fmt: skip
    assert answer["recipes"] == [ELECTRUM, PEWTER, ELIXIR]
    assert "ways" not in answer
    assert "missing" not in answer


def test_wishes(client: FlaskClient) -> None:
    body = {"position": POSITION, "must": ["E9"], "without": ["A10"], "best": 3, "missing": True}
    answer = client.post("/v1/compound", json=body).get_json()
    assert answer["exact"]
    assert [recipe["card"] for recipe in answer["recipes"]] == ["E9", "D"]
    assert answer["ways"][0]["recipes"] == answer["recipes"]
    assert all("E9" in json.dumps(way) and "A10" not in json.dumps(way) for way in answer["ways"])
    totals = [way["total"] for way in answer["ways"]]
    assert totals == sorted(totals, reverse=True)
    assert answer["missing"][0]["gain"] >= answer["missing"][-1]["gain"]
    assert {gain["card"] for gain in answer["missing"]}.isdisjoint(CARDS)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"position": POSITION | {"cards": ["F1", "Q9"]}}, "illegal_card", "cards[1]"),
        ({"position": POSITION | {"cards": ["F1", "F1"]}}, "duplicate_card", "cards[1]"),
        ({"position": POSITION | {"deck": "none"}}, "unknown_deck", "deck"),
        ({"position": POSITION | {"hands": []}}, "unknown_key", "hands"),
        ({"position": {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A"], "hand": "A"}},
         "not_offered", ""),
        ({"must": ["F10", "X"]}, "illegal_card", "must[1]"),
        ({"must": ["F1"]}, "illegal_card", "must[0]"),
        ({"must": ["F10", "F10"]}, "duplicate_card", "must[1]"),
        ({"without": ["T1"]}, "illegal_card", "without[0]"),
        ({"must": ["F10"], "without": ["W7", "F10"]}, "conflict", "without[1]"),
        ({"must": ["F11", "E9"]}, "impossible", "must"),
        ({"best": 0}, "out_of_range", "best"),
        ({"best": 101}, "out_of_range", "best"),
        ({"missing": 1}, "wrong_type", "missing"),
        ({"model": "maxn"}, "unknown_key", "model"),
    ],
)  # fmt: skip
def test_errors_name_the_key(client: FlaskClient, change: dict[str, Any], code: str, path: str) -> None:
    found = client.post("/v1/compound", json={"position": POSITION} | change)
    assert found.status_code == 422
    error = found.get_json()["error"]
    assert (error["code"], error["path"]) == (code, path)
    assert error["message"]


def test_the_document_s_examples_work(client: FlaskClient) -> None:
    for example in examples.questions("compound").values():
        found = client.post("/v1/compound", json=example["value"])
        assert found.status_code == 200
        assert found.get_json()["exact"]


def test_other_positions_are_not_compounded() -> None:
    from solver.games.king import GAME

    position = GAME.deal(1)
    with pytest.raises(RequestError) as caught:
        compounder(position)
    assert caught.value.code == "not_offered"
    position = parse_position(POSITION)
    with pytest.raises(RequestError, match="1 to 100"):
        compounder(position).answer(position, None, Wishes(best=0))  # type: ignore[arg-type]


def test_the_command_prints_the_recipes() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    for text in (
        "38: 11 for the cards, 27 for recipes",
        "Electrum",
        "F10 W7",
        "Pewter",
        "Elixir of Life",
        "exact",
    ):
        assert text in result.output
    assert run(stdin=POSITION | {"cards": []}).output.count("No recipe can be made.") == 1


def test_the_command_s_wishes() -> None:
    result = run("--best", "2", "--must", "E9", "--without", "A10", "--missing", "--seconds", "20")
    assert result.exit_code == 0, result.output
    for text in ("Way 1: ", "Amalgam", "One more card would add:", "… and "):
        assert text in result.output
    assert "… and " not in run("--missing", "--all").output


def test_the_command_s_json() -> None:
    answer = json.loads(run("--json").output)
    assert answer["recipes"] == [ELECTRUM, PEWTER, ELIXIR]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--must", "F1"], "must[0]: F1 is not among the cards"),
        (["--must", "F11", "--must", "E9"], "no compounding of these cards uses F11, E9"),
        (["--best", "1000"], "the best 1 to 100 ways"),
        (["--svg", "/nowhere/at/all.svg"], "cannot write /nowhere/at/all.svg"),
    ],
)
def test_the_command_s_failures(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in result.output


def test_the_command_draws(tmp_path: Path) -> None:
    file = tmp_path / "hand.svg"
    assert run("--svg", str(file), "--json").exit_code == 0
    check_picture(file.read_text(encoding="utf-8"), recipes=5)


def check_picture(text: str, recipes: int) -> None:
    """A well-formed picture; no two texts overlap, and all are inside."""
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    spots = []
    for found in root.iter(f"{space}text"):
        content = found.text or ""
        long = len(content) * 7.6 * (1.35 if found.attrib.get("class") == "title" else 1)
        x, y = float(found.attrib["x"]), float(found.attrib["y"])
        left = x - long / 2 if found.attrib["text-anchor"] == "middle" else x
        spots.append((left, left + long, y, content))
        assert left >= 0
        assert left + long <= wide
        assert 8 <= y <= high - 8
    for at, (left, right, y, _) in enumerate(spots):
        for other_left, other_right, other_y, _ in spots[at + 1 :]:
            assert abs(y - other_y) >= 15 or right <= other_left or other_right <= left
    assert sum(bool(re.search(r"\+\d+$", content)) for *_, content in spots) == recipes


@pytest.mark.small
@pytest.mark.plain
def test_a_picture_of_a_few_cards() -> None:
    cards = range(0, 50, 4)
    recipes = sum(house().cards[card].recipe is not None for card in cards)
    check_picture(recipe_graph(house(), cards, best(house(), cards)), recipes=recipes)


def test_pictures_of_any_deck_are_readable() -> None:
    check_picture(recipe_graph(house(), range(50)), recipes=22)
    check_picture(recipe_graph(house(), range(50), best(house(), range(50))), recipes=22)
    check_picture(recipe_graph(house(), []), recipes=0)
    for number in range(12):
        deck = random_deck(Random(21, number))
        cards = [card for card in range(50) if deck.cards[card].recipe]
        text = recipe_graph(deck, range(50), best(deck, range(50)))
        assert recipe_graph(deck, range(50), best(deck, range(50))) == text
        ElementTree.fromstring(text)
        assert text.count("<rect") > len(cards)


def test_the_picture_does_not_depend_on_the_process() -> None:
    code = (
        "from solver.games.king.deck import house; "
        "from solver.games.king.compounding_picture import recipe_graph; "
        "print(recipe_graph(house(), range(0, 50, 2)))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {recipe_graph(house(), range(0, 50, 2)) + "\n"}
