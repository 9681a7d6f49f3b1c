"""Aqua Regia's decks: the house deck, what users' decks are refused for, and the catalogue."""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from solver import decks
from solver.errors import PositionError
from solver.games.aqua_regia.deck import KIND
from solver.games.aqua_regia.position import KnownPosition
from solver.positions import parse_position, position_data
from tests.games.aqua_regia.examples import SMALL
from tests.games.aqua_regia.random_positions import random_table

pytestmark = pytest.mark.small

HOUSE_TEXT = resources.files("solver.games.aqua_regia").joinpath("decks/aqua-regia-house.toml").read_text("utf-8")
POSITION: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": SMALL,
    "field": "acid",
    "turn": 0,
    "hands": [["Fe", "Ag"], ["Ag"]],
}


def test_a_deck_of_ones_own() -> None:
    deck = KIND.read(SMALL)
    assert (deck.name, deck.title, deck.copies, deck.size, deck.cards) == ("small", "small", 2, 2, 4)
    assert deck.reactivity == ((0, 1), (1, 0), (2, 0), (3, 9))
    assert [metal.name for metal in deck.metals] == ["Fe", "Ag"]
    assert KIND.read({key: value for key, value in SMALL.items() if key != "copies"}).copies == 4


def test_decks_of_any_size_are_read() -> None:
    import random

    rng = random.Random(1)
    for _ in range(50):
        table = random_table(rng)
        deck = KIND.read(table)
        assert (deck.size, deck.copies) == (len(table["metal"]), table["copies"])


def test_a_position_holds_a_deck() -> None:
    position = parse_position(POSITION)
    assert isinstance(position, KnownPosition)
    assert position.metals == KIND.read(SMALL)
    assert parse_position(position_data(position)) == position


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.pop(key)


def metal(place: int, **keys: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["metal"][place].update(keys)


def reactivity(place: int, **row: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["metal"][place]["reactivity"].update(
        {key.replace("_", "-"): value for key, value in row.items()}
    )


@pytest.mark.parametrize(
    ("change", "code", "path", "words"),
    [
        (reactivity(1, water=0, aqua_regia=0), "never_playable", "metal[1].reactivity", "no field lets Ag out"),
        (reactivity(1, water=-1), "out_of_range", "metal[1].reactivity.water", "metal Ag, water: "),
        (reactivity(0, acid=10), "out_of_range", "metal[0].reactivity.acid", "metal Fe, acid: "),
        (reactivity(0, acid="2+"), "wrong_type", "metal[0].reactivity.acid", "metal Fe, acid: "),
        (reactivity(0, lava=1), "unknown_key", "metal[0].reactivity.lava", "lava"),
        (metal(0, reactivity={"water": 1}), "missing_key", "metal[0].reactivity.vapor", "metal Fe, vapor: "),
        (metal(1, symbol="Fe"), "duplicate_card", "metal[1].symbol", "Fe is already metal[0]"),
        (metal(1, symbol="A g"), "wrong_text", "metal[1].symbol", "'A g'"),
        (metal(1, symbol="A>"), "wrong_text", "metal[1].symbol", "'A>'"),
        (metal(1, symbol="pass"), "wrong_text", "metal[1].symbol", "pass"),
        (metal(1, symbol=""), "wrong_size", "metal[1].symbol", "at least 1"),
        (metal(1, colour="grey"), "unknown_key", "metal[1].colour", "metal Ag: "),
        (metal(1, name="\n"), "wrong_text", "metal[1].name", "metal Ag: "),
        (lambda data: data["metal"][0].pop("symbol"), "missing_key", "metal[0].symbol", "symbol"),
        (lambda data: data["metal"].clear(), "wrong_size", "metal", "1"),
        (lambda data: data["metal"].append(7), "wrong_type", "metal[2]", "an object is expected, not 7"),
        (lambda data: data.update(copies=0), "out_of_range", "copies", "1"),
        (lambda data: data.update(copies=True), "wrong_type", "copies", "a whole number is expected, not true"),
        (
            lambda data: data.update(fields=["vapor", "water", "acid", "aqua-regia"]),
            "unknown_value",
            "fields",
            "order",
        ),
        (lambda data: data.update(card=[]), "unknown_key", "card", "card"),
        (without("metal"), "missing_key", "metal", "metal"),
        (without("name"), "missing_key", "name", "name"),
    ],
)
def test_what_decks_are_refused_for(
    change: Callable[[dict[str, Any]], None], code: str, path: str, words: str
) -> None:
    data = copy.deepcopy(SMALL)
    change(data)
    with pytest.raises(PositionError) as found:
        KIND.read(data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message
    with pytest.raises(PositionError) as found:
        parse_position(POSITION | {"deck": data})
    assert (found.value.code, found.value.path) == (code, f"deck.{path}")
    assert words in found.value.message


def test_a_metal_that_cannot_be_read_hides_no_double() -> None:
    data = copy.deepcopy(SMALL)
    data["metal"] += [copy.deepcopy(data["metal"][1])]
    reactivity(0, acid="2+")(data)
    with pytest.raises(PositionError) as found:
        KIND.read(data)
    assert [one.path for one in found.value.faults] == ["metal[0].reactivity.acid", "metal[2].symbol"]


def test_the_catalogue_has_the_house_deck_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(decks.FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "mine.toml").write_text(HOUSE_TEXT.replace('name = "house"', 'name = "mine"'), encoding="utf-8")
    (tmp_path / "bad.toml").write_text(
        HOUSE_TEXT.replace('name = "house"', 'name = "bad"').replace("copies = 4", "copies = -4"), encoding="utf-8"
    )
    assert decks.find(KIND, "house") is KIND.house
    position = parse_position(POSITION | {"deck": "mine"})
    assert isinstance(position, KnownPosition)
    assert position.metals.metals == KIND.house.metals
    for name, words in (("bad", "copies: "), ("theirs", "there is no deck of aqua-regia called 'theirs'")):
        with pytest.raises(PositionError) as found:
            parse_position(POSITION | {"deck": name})
        assert (found.value.code, found.value.path) == ("unknown_deck", "deck")
        assert words in found.value.message


@pytest.mark.parametrize("deck", [7, None, [], ""])
def test_what_is_no_deck(deck: Any) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(POSITION | {"deck": deck})
    assert found.value.path == "deck"
