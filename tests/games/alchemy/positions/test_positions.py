"""Positions as users send them: every rule that is checked, with the code and the path of its error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from solver import registry
from solver.errors import AthanorError, PositionError
from solver.games.alchemy.moves import deal, view
from solver.games.alchemy.rules import SOLITAIRE
from solver.limits import Control, Limit
from solver.positions import parse_position, parse_record, position_data

GAME = registry.game("alchemy")

SOLO: dict[str, Any] = {
    "game": "alchemy", "variant": "solo", "cap": 6, "line": ["4", "7", "K", "2", "9", "A"], "hand": "6",
    "stock": ["5", "Q", "10"],
}  # fmt: skip
HIDDEN: dict[str, Any] = {key: value for key, value in SOLO.items() if key != "stock"}
ALTERNATIVE: dict[str, Any] = {
    "game": "alchemy", "variant": "alternative", "cap": 3, "line": ["4", "7", "2"], "hand": "6", "unseen": ["5"],
}  # fmt: skip
DUEL: dict[str, Any] = {
    "game": "alchemy", "variant": "duel", "line": ["4", "7", "K", "2", "9", "A"], "hand": "6",
    "opponent_hand": "X",
}  # fmt: skip
FREE: dict[str, Any] = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["4", "5"], "hand": "9"}

FAULTS: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    # what any position checks
    (SOLO, {"game": "chess"}, "unknown_value", "game"),
    (SOLO, {"variant": "trio"}, "unknown_value", "variant"),
    (SOLO, {"colour": "red"}, "unknown_key", "colour"),
    (SOLO, {"line": None}, "wrong_type", "line"),
    (SOLO, {"line": 4}, "wrong_type", "line"),
    (SOLO, {"line": ["4", 7, "K", "2", "9", "A"]}, "wrong_type", "line[1]"),
    (SOLO, {"line": ["4", "7", "K", "1", "9", "A"]}, "illegal_card", "line[3]"),
    (SOLO, {"hand": "11"}, "illegal_card", "hand"),
    (SOLO, {"hand": ""}, "illegal_card", "hand"),
    (SOLO, {"hand": "z"}, "illegal_card", "hand"),
    (SOLO, {"stock": ["5", "XS"]}, "illegal_card", "stock[1]"),
    # solitaires
    (SOLO, {"cap": 2}, "out_of_range", "cap"),
    (SOLO, {"cap": 7}, "out_of_range", "cap"),
    (SOLO, {"cap": "6"}, "wrong_type", "cap"),
    (SOLO, {"cap": 6.0}, "wrong_type", "cap"),
    (SOLO, {"cap": True}, "wrong_type", "cap"),
    (SOLO, {"hand": "X"}, "illegal_card", "hand"),
    (SOLO, {"stock": ["X"]}, "illegal_card", "stock[0]"),
    (SOLO, {"cap": 5}, "wrong_size", "line"),
    (SOLO, {"line": ["4", "7", "K", "2", "9"]}, "wrong_size", "line"),
    (SOLO, {"line": [], "stock": []}, "wrong_size", "line"),
    (SOLO, {"unseen": ["8"]}, "conflict", "unseen"),
    (SOLO, {"stock": ["4", "4", "4", "4"]}, "duplicate_card", "stock[3]"),
    (SOLO, {"line": ["6", "6", "6", "6", "2", "3"]}, "duplicate_card", "hand"),
    (SOLO, {"discarded": ["4", "5", "4", "4", "4S"]}, "duplicate_card", "discarded[4]"),
    (HIDDEN, {"unseen": ["8", "K", "K", "K", "K"]}, "duplicate_card", "unseen[4]"),
    (ALTERNATIVE, {"cap": 5, "line": ["4", "7", "2", "3", "3"]}, "out_of_range", "cap"),
    (ALTERNATIVE, {"hand": "J"}, "illegal_card", "hand"),
    (ALTERNATIVE, {"unseen": ["5", "K"]}, "illegal_card", "unseen[1]"),
    (ALTERNATIVE, {"discarded": ["Q"]}, "illegal_card", "discarded[0]"),
    (ALTERNATIVE, {"line": ["4", "7", "2", "3"], "unseen": []}, "wrong_size", "line"),
    # duels
    (DUEL, {"line": ["4", "7", "K", "2", "9"]}, "wrong_size", "line"),
    (DUEL, {"line": ["4", "7", "K", "2", "9", "X"]}, "illegal_card", "line[5]"),
    (DUEL, {"table_jokers": -1}, "out_of_range", "table_jokers"),
    (DUEL, {"table_jokers": 5}, "out_of_range", "table_jokers"),
    (DUEL, {"pile": ["4", "4", "4"], "opponent_pile": ["7", "4"]}, "duplicate_card", "opponent_pile[1]"),
    (DUEL, {"stock": ["4"], "unseen": ["4"]}, "conflict", "unseen"),
    (DUEL, {"hand": None}, "missing_key", "hand"),
    (DUEL, {"grabbed": "5+2=7"}, "invalid_text", "grabbed"),
    (DUEL, {"grabbed": "2:none"}, "illegal_move", "grabbed"),
    (DUEL, {"grabbed": "1:discard 4"}, "illegal_move", "grabbed"),
    # puzzles
    (FREE, {"min_line": 0}, "out_of_range", "min_line"),
    (FREE, {"min_line": 61}, "out_of_range", "min_line"),
    (FREE, {"line": ["4", "X"]}, "illegal_card", "line[1]"),
    (FREE, {"hand": "X"}, "illegal_card", "hand"),
    (FREE, {"line": ["4"] * 25}, "too_large", "line"),
    (FREE, {"line": ["4"] * 61, "objective": "most-cards"}, "wrong_size", "line"),
    (FREE, {"objective": "most-aces"}, "unknown_value", "objective"),
    (FREE, {"cards": 0}, "out_of_range", "cards"),
    (FREE, {"cards": 61}, "out_of_range", "cards"),
]
MISSING = [
    (SOLO, "game"), (SOLO, "variant"), (SOLO, "line"), (SOLO, "hand"), (HIDDEN, "hand"),
    (DUEL, "line"), (DUEL, "hand"), (DUEL, "opponent_hand"), (FREE, "min_line"), (FREE, "line"), (FREE, "hand"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change", "code", "path"), FAULTS)
def test_faults_are_named_with_their_place(
    base: dict[str, Any], change: dict[str, Any], code: str, path: str
) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position({**base, **change})
    assert (caught.value.code, caught.value.path) == (code, path)
    assert caught.value.message
    assert set(caught.value.to_dict()["error"]) - {"faults"} == {"code", "path", "message"}


@pytest.mark.parametrize(("base", "key"), MISSING)
def test_missing_keys(base: dict[str, Any], key: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position({name: value for name, value in base.items() if name != key})
    assert (caught.value.code, caught.value.path) == ("missing_key", key)


@pytest.mark.parametrize("data", [SOLO, HIDDEN, ALTERNATIVE, DUEL, FREE])
def test_good_positions_go_to_json_and_back(data: dict[str, Any]) -> None:
    position = parse_position(data)
    again = json.loads(json.dumps(position_data(position)))
    assert parse_position(again) == position
    assert position_data(parse_position(again)) == again


def test_cards_are_printed_one_way() -> None:
    position = parse_position({**HIDDEN, "line": ["4S", "7♦", "Kh", "T", "10c", "A"], "hand": "TD"})
    assert position_data(position)["line"] == ["4", "7", "K", "10", "10", "A"]
    assert position_data(position)["hand"] == "10"


def test_what_a_hidden_stock_holds() -> None:
    position: Any = parse_position({**HIDDEN, "discarded": ["K", "K", "5"]})
    assert position.hidden
    left = position.unseen_ranks
    assert len(left) == 52 - 6 - 1 - 3
    assert (left.count(13), left.count(5), left.count(6), left.count(3)) == (1, 3, 3, 4)
    position = parse_position({**HIDDEN, "unseen": ["K", "2", "9"]})
    assert (position.hidden, position.unseen_ranks) == (True, (2, 9, 13))
    position = parse_position(SOLO)
    assert (position.hidden, position.unseen_ranks) == (False, (5, 12, 10))


def test_the_questions_that_can_be_asked() -> None:
    assert GAME.asks(parse_position(SOLO)) == {"analyze", "hint", "best-move", "value", "all-matches", "winnable"}
    assert GAME.asks(parse_position(HIDDEN)) == {"hint", "best-move", "value", "all-matches"}
    assert GAME.asks(parse_position(DUEL)) == {"analyze", "hint", "best-move", "value", "all-matches"}
    assert GAME.asks(parse_position(FREE)) == {"analyze", "value", "all-matches"}
    assert GAME.asks(parse_position({**FREE, "objective": "most-cards"})) == {"analyze", "value", "best-move"}


def test_positions_are_described_for_a_person() -> None:
    assert dict(GAME.describe(parse_position(SOLO)))["Stock"] == "5 Q 10   (3 cards)"
    assert dict(GAME.describe(parse_position(ALTERNATIVE)))["Unseen"].startswith("5 ")
    assert dict(GAME.describe(parse_position(DUEL)))["Opponent"] == "a joker   (pile: 0 cards, 0 points)"
    described = dict(GAME.describe(parse_position({**FREE, "cards": 2, "objective": "most-cards"})))
    assert described["Match"] == "at least 1 line card, exactly 2; best: most cards"


@pytest.mark.parametrize("variant", [*SOLITAIRE, "duel"])
def test_a_view_shows_no_more_than_its_player_sees(variant: str) -> None:
    for number in range(10):
        dealt = deal(1, number=number, variant=variant)
        assert parse_position(position_data(dealt)) == dealt
        seen = GAME.view(dealt, 0)
        assert parse_position(position_data(seen)) == seen
        if variant == "duel":
            other: Any = GAME.view(dealt, 1)
            assert (other.hand, other.opponent_hand) == (
                position_data(dealt)["opponent_hand"],
                position_data(dealt)["hand"],
            )
            continue
        assert "stock" not in position_data(seen)
        known: Any = dealt
        assert seen.unseen_ranks == tuple(sorted(known.unseen_ranks))  # type: ignore[attr-defined]
    with pytest.raises(AthanorError):
        view(deal(1, variant=variant), 2)


CARD = st.sampled_from(["A", "2", "3", "5", "9", "10", "T", "J", "K", "KS", "X"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.floats() | st.text(max_size=3) | CARD,
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
NEAR = st.fixed_dictionaries(
    {"game": st.just("alchemy"), "variant": st.sampled_from(["solo", "alternative", "duel", "free"])},
    optional={
        "cap": st.integers(2, 7) | JUNK, "line": st.lists(CARD, max_size=7) | JUNK, "hand": CARD | JUNK,
        "stock": st.lists(CARD, max_size=4) | JUNK, "unseen": st.lists(CARD, max_size=4) | JUNK,
        "opponent_hand": CARD | JUNK, "table_jokers": st.integers(0, 5) | JUNK,
        "pile": st.lists(CARD, max_size=4) | JUNK,
        "min_line": st.integers(0, 5) | JUNK, "objective": st.sampled_from(["most-cards", "most-points"]) | JUNK,
        "cards": st.integers(0, 5) | JUNK, "discarded": st.lists(CARD, max_size=4) | JUNK,
        "deck": st.lists(CARD, max_size=41) | JUNK, "moves": st.lists(st.text(max_size=5), max_size=3) | JUNK,
        "rounds": JUNK,
    },
)  # fmt: skip


def read(parse: Callable[[object], BaseModel], data: object) -> BaseModel | AthanorError:
    """What the data are, or our error that says why they are nothing."""
    try:
        return parse(data)
    except AthanorError as error:
        return error


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(JUNK | NEAR)
def test_junk_raises_nothing_but_our_errors(data: object) -> None:
    for parse in (parse_position, parse_record):
        found = read(parse, data)
        if isinstance(found, AthanorError):
            assert found.code
            assert found.message
        elif parse is parse_position:
            ask_everything(found)


def ask_everything(position: BaseModel) -> None:
    """Whatever is a position can be asked its questions, or says why not."""
    assert parse_position(position_data(position)) == position
    GAME.describe(position)
    for move in list(GAME.legal_moves(position))[:3]:
        assert GAME.parse_move(position, GAME.format_move(position, move)) == move
    limit = Limit(nodes=300)
    for question in GAME.asks(position):
        if question != "hint" and (question != "analyze" or not getattr(position, "hidden", False)):
            GAME.answer(position, question, Control(limit))
    try:
        GAME.hint(position, Control(limit), worlds=3)
        GAME.play(position, next(iter(GAME.legal_moves(position)), None))
    except AthanorError:
        pass
