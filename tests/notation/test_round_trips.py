"""Every position, view and record is read back from its line, in which the keys may stand in any order."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import athanor
from solver import registry
from solver.errors import AthanorError
from solver.positions import parse_position, parse_record, text_of
from solver.registry import game_of
from tests.conftest import JIT
from tests.notation.short_forms import short

pytestmark = [pytest.mark.small, pytest.mark.plain]

FEW = settings(max_examples=12 if JIT else 4, deadline=None, derandomize=True)
DEALS = [
    (name, variant, players)
    for name in registry.names()
    for variant in (registry.game(name).variants or (None,))
    for players in range(registry.game(name).players[0], registry.game(name).players[1] + 1)
    if variant != "free" and not (name == "alchemy" and players != 1 + (variant == "duel"))
]
SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,:/=+-%")


def check(position: BaseModel, draw: Any, parse: Any = parse_position) -> None:
    """The line gives the position back, is safe, and may have its keys in any order and letters of any case."""
    notation, text = game_of(position).notation, text_of(position)
    again = parse(text)
    assert type(again) is type(position)
    assert notation.canonical(again) == notation.canonical(position)
    assert text_of(again) == text == str(again)
    assert set(text) <= SAFE
    assert shlex.split(text) == text.split()  # no quotes are needed
    first, *words = text.split()
    if "round" not in words:
        bare = [word for word in words if "=" not in word]
        keyed = draw(st.permutations(words[len(bare) :]))
        assert parse("&".join([first, *bare, *keyed]).lower()) == again
        assert parse(short(text)) == again == parse(short(text).lower())


def _of_variant(option: str, name: str, variant: str) -> bool:
    """Whether an option is one of this variant: in alchemy each variant has its own."""
    return name != "alchemy" or option.startswith(variant)


@pytest.mark.covered
@pytest.mark.parametrize(("name", "variant", "players"), DEALS)
@FEW
@given(data=st.data())
def test_positions_and_views(name: str, variant: str | None, players: int, data: st.DataObject) -> None:
    game = registry.game(name)
    options = [option for option in game.options if variant is None or _of_variant(option, name, variant)]
    rules = {option: data.draw(st.booleans()) for option in options}
    position = game.deal(data.draw(st.integers(0, 999)), variant=variant, players=players, rules=rules)
    for _ in range(data.draw(st.integers(0, 40))):
        try:
            after = game.play(position, data.draw(st.sampled_from(game.legal_moves(position))))
        except AthanorError:
            break  # a move that turns up what is hidden
        if not game.legal_moves(after):
            break
        position = after
    check(position, data.draw)
    try:
        view = game.view(position, data.draw(st.integers(0, players - 1)))
    except AthanorError:
        return  # who has picked sees nothing until all have
    check(view, data.draw)


RANKS = st.sampled_from(["A", *map(str, range(2, 11)), "J", "Q", "K"])


@FEW
@given(
    line=st.lists(RANKS, max_size=12),
    hand=RANKS,
    least=st.integers(1, 9),
    objective=st.sampled_from([None, "most-cards", "most-points"]),
    cards=st.none() | st.integers(1, 9),
    data=st.data(),
)
def test_sum_puzzles(
    line: list[str], hand: str, least: int, objective: str | None, cards: int | None, data: st.DataObject
) -> None:
    found: dict[str, Any] = {"game": "alchemy", "variant": "free", "line": line, "hand": hand, "min_line": least}
    check(parse_position(found | {"objective": objective, "cards": cards}), data.draw)


@FEW
@given(data=st.data())
def test_hidden_stocks(data: st.DataObject) -> None:
    deal = registry.game("alchemy").deal(data.draw(st.integers(0, 99)), variant="solo")
    unseen = list(deal.stock or ())[: data.draw(st.integers(0, 46))]
    check(deal.model_copy(update={"stock": None, "unseen": tuple(unseen)}), data.draw)
    check(deal.model_copy(update={"stock": None}), data.draw)


@FEW
@given(data=st.data())
def test_sets_of_cards(data: st.DataObject) -> None:
    codes = [row["card"] for row in registry.game("king").deck_kind.house.rows()]  # type: ignore[union-attr]
    cards = data.draw(st.lists(st.sampled_from(codes), unique=True))
    check(parse_position({"game": "king", "cards": cards}), data.draw)


def test_a_deck_inside_the_position() -> None:
    deck = {
        "name": "odd one",
        "metal": [{"symbol": "=", "reactivity": dict.fromkeys(FIELDS, 2)}]
        + [{"symbol": symbol, "reactivity": dict.fromkeys(FIELDS, 1)} for symbol in ("a/b", "ä,", "%")],
        "copies": 2,
    }
    deck["name"] = "odd"
    position = athanor.parse(
        {"game": "aqua-regia", "deck": deck, "field": "acid", "turn": 1, "hands": [["=", "a/b"], ["ä,", "%"]]}
    )
    assert athanor.parse(str(position)) == position


FIELDS = ("water", "vapor", "acid", "aqua-regia")
RECORDS: list[dict[str, Any]] = [
    {"game": "kirin", "declared_counts": True, "rounds": []},
    {"game": "king", "rounds": []},
    {"game": "aqua-regia", "rounds": [{"counts": [0, 3, 2]}, {"hands": [["Zn", "Pb"], [], ["Li"]]}]},
    {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "K", "X"], []]}, {"piles": [[], ["9"]]}]},
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["game"])
def test_records(record: dict[str, Any]) -> None:
    if not record["rounds"]:
        record = record | {"rounds": played(record["game"])}
    parsed = parse_record(record)
    text = text_of(parsed)
    assert parse_record(text) == parse_record(text_of(parse_record(text)))
    assert athanor.score(text) == athanor.score(record)


def played(name: str) -> list[dict[str, Any]]:
    """A round of a game, played with the first legal moves, as its record has it."""
    game = registry.game(name)
    state = game.playing.opening(3, number=0, players=None, variant=None, before=())
    while state.to_move is not None:
        state = state.play(state.moves()[0])
    record = game.playing.record([state]).model_dump(mode="json", exclude_none=True)
    rounds: list[dict[str, Any]] = record["rounds"]
    return rounds


def test_a_solitaire_as_it_was_played() -> None:
    game = registry.game("alchemy")
    state = game.playing.opening(3, number=0, players=None, variant=None, before=())
    while state.to_move is not None:
        state = state.play(state.moves()[0])
    record = game.playing.record([state])
    assert parse_record(text_of(record)) == record
