"""What Aqua Regia positions, views and records are refused for: code, path, and the card in the message."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import PositionError
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rules import Play, State
from solver.positions import parse_position, parse_record, position_data
from tests.games.aqua_regia.examples import KNOWN, SEEN, change


def test_what_is_read() -> None:
    known = parse_position(KNOWN)
    assert isinstance(known, KnownPosition)
    count = known.metals.counts
    number = known.metals.index.__getitem__
    assert known.state == State(
        hands=(count([0, 11]), count([15, 7, 7]), count([7, 9, 9])),
        turn=2,
        field=2,
        reversed=False,
        table=(0, 6, 6),
        owner=1,
        stock=(10, 0),
        discard=count(map(number, ["K", "K", "Pb"])),
    )
    assert known.top == Play(6, 2)
    assert (known.seat_to_move, known.players) == (2, 3)
    seen = parse_position(SEEN)
    assert isinstance(seen, View)
    assert (seen.seat_to_move, seen.players, seen.hidden(0), seen.hidden(1), seen.hidden_stock) == (2, 3, 2, 2, 2)
    assert seen.unseen == tuple(map(int, "3244442342344443"))


def test_what_may_be_left_out() -> None:
    short = parse_position({"game": "aqua-regia", "field": "water", "turn": 1, "hands": [["Li"], ["K"]]})
    assert isinstance(short, KnownPosition)
    assert (short.deck, short.reversed, short.table, short.owner, short.stock) == ("house", False, (), None, ())
    assert short.discard == ()


@pytest.mark.parametrize("data", [KNOWN, SEEN, SEEN | {"drawn": "Au"}])
def test_a_position_is_read_back_from_its_data(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert parse_position(position_data(position)) == position


def refused(data: object, code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(data)
    assert (found.value.code, found.value.path) == (code, path), found.value
    assert words in found.value.message


OF_BOTH: list[tuple[dict[str, Any], str, str, str]] = [
    ({"table": ["Xx"]}, "illegal_card", "table[0]", "'Xx' is not a metal of the deck house"),
    ({"table": [3]}, "wrong_type", "table[0]", "text is expected"),
    ({"discard": ["zz"]}, "illegal_card", "discard[0]", "'zz'"),
    ({"colour": "D"}, "unknown_key", "colour", "'colour'"),
    ({"field": None}, "missing_key", "field", "field"),
    ({"field": "lava"}, "unknown_value", "field", "water"),
    ({"turn": None}, "missing_key", "turn", "turn"),
    ({"turn": 3}, "out_of_range", "turn", "with 3 players seats are 0 to 2"),
    ({"turn": 5}, "out_of_range", "turn", "5"),
    ({"turn": True}, "wrong_type", "turn", "a whole number is expected, not true"),
    ({"reversed": 1}, "wrong_type", "reversed", "true or false is expected, not 1"),
    ({"owner": 4}, "out_of_range", "owner", "with 3 players"),
    # an owner who is to move, or whom nobody knows, or who owns nothing
    ({"owner": 2}, "conflict", "owner", "seat 2 played the last cards and can't be to move"),
    ({"owner": None}, "missing_key", "owner", "who played the last cards"),
    ({"table": []}, "conflict", "owner", "the table is empty"),
    # a fifth card of a metal
    ({"discard": ["Mg"] * 5}, "duplicate_card", "discard[4]", "this is card number 5 of Mg; "),
    ({"discard": ["Zn", "Zn", "Zn"]}, "duplicate_card", "table[2]", "this is card number 5 of Zn; the deck has 4"),
    # tables that don't climb
    ({"table": ["Zn", "Li"]}, "illegal_play", "table[1]", "1 Li can't be played on 1 Zn: Zn is stronger"),
    (
        {"table": ["Li", "Zn", "Zn", "Zn"]},
        "illegal_play",
        "table[1]",
        "3 Zn can't be played on 1 Li: as many or one more",
    ),
    (
        {"table": ["Li", "Li", "Zn"]},
        "illegal_play",
        "table[2]",
        "1 Zn can't be played on 2 Li: as many or one more",
    ),
    ({"table": ["Zn", "Li", "Zn"]}, "illegal_play", "table[1]", "Zn is stronger"),
    ({"table": ["Li", "Au"]}, "illegal_play", "table[1]", "Au has reactivity 0 in acid; 1 at once need 1 or more"),
    ({"table": ["Hg", "Hg"]}, "illegal_play", "table[0]", "Hg has reactivity 1 in acid; 2 at once need 2 or more"),
    # what was seen
    ({"known": [[], []]}, "wrong_size", "known", "3 players"),
    ({"known": [[], ["Qq"], []]}, "illegal_card", "known[1][0]", "'Qq'"),
    ({"deal_passes": [{"seat": 3, "field": "acid"}]}, "out_of_range", "deal_passes[0].seat", "3 players"),
    ({"deal_passes": [{"seat": 1, "field": "fire"}]}, "unknown_value", "deal_passes[0].field", "water"),
    ({"deal_passes": [{"seat": 2, "field": "vapor"}]}, "conflict", "deal_passes[0]", "seat 2 has 1 card"),
    (
        {"deal_passes": [{"seat": 1, "field": "water"}, {"seat": 1, "field": "water", "most": 2}]},
        "conflict",
        "deal_passes[1]",
        "twice",
    ),
]


@pytest.mark.parametrize(("keys", "code", "path", "words"), OF_BOTH)
@pytest.mark.parametrize("data", [KNOWN, SEEN], ids=["known", "seen"])
def test_faults_of_both(data: dict[str, Any], keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(data, **keys), code, path, words)


def test_five_at_once_are_too_many_whatever_the_deck_has() -> None:
    row = {"water": 2, "vapor": 2, "acid": 2, "aqua-regia": 2}
    deck = {"name": "many", "copies": 6, "metal": [{"symbol": symbol, "reactivity": row} for symbol in "AB"]}
    data = change(
        KNOWN, deck=deck, hands=[["A"], ["B"], ["B"]], stock=[], discard=[], known=None, deal_passes=None
    )
    refused(data | {"table": ["A"] * 5}, "illegal_play", "table[0]", "5 A at once: at most 4 are")
    assert isinstance(parse_position(data | {"table": ["A"] * 4}), KnownPosition)


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hands": [["Li"]]}, "wrong_size", "hands", "2"),
        ({"hands": [["Li"]] * 6}, "wrong_size", "hands", "5"),
        ({"hands": None}, "missing_key", "hands", "hands"),
        (
            {"hands": [["Li", "Cu"], ["Fe"], []]},
            "wrong_size",
            "hands[2]",
            "seat 2 has no cards: it has won already",
        ),
        ({"hands": [["Li", "Cu"], ["Au"], ["H"]]}, "illegal_card", "hands[2][0]", "'H'"),
        ({"stock": ["Zn", "Zn", "Zn"]}, "duplicate_card", "table[2]", "card number 5 of Zn"),
        ({"stock": ["Au"] * 4}, "duplicate_card", "stock[3]", "card number 5 of Au"),
        ({"known": [[], ["Au", "Au"], []]}, "conflict", "known[1][1]", "seat 1 does not hold that many Au"),
        ({"stock_count": 2}, "unknown_key", "stock_count", "stock_count"),
        ({"counts": [2, 3, 3]}, "unknown_key", "counts", "counts"),
    ],
)
def test_faults_of_known_positions(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(KNOWN, **keys), code, path, words)


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"seat": None}, "missing_key", "seat", "seat"),
        ({"seat": 3}, "out_of_range", "seat", "with 3 players"),
        ({"counts": [2]}, "wrong_size", "counts", "2"),
        ({"counts": None}, "missing_key", "counts", "counts"),
        (
            {"counts": [2, 3, 4]},
            "wrong_size",
            "counts[2]",
            "the hand has 3 cards; according to the counts or the history it has 4",
        ),
        ({"counts": [0, 3, 3]}, "wrong_size", "counts[0]", "seat 0 has no cards: it has won already"),
        ({"counts": [-1, 3, 3]}, "out_of_range", "counts[0]", "0"),
        (
            {"hand": []},
            "wrong_size",
            "counts[2]",
            "the hand has 0 cards; according to the counts or the history it has 3",
        ),
        ({"known": [["Au", "Ag", "Pt"], [], []]}, "wrong_size", "known[0]", "more cards of seat 0 are known than"),
        ({"known": [[], [], ["Li"]]}, "conflict", "known[2][0]", "seat 2 does not hold that many Li"),
        ({"known": [[], ["Sn", "Sn"], []], "drawn": "Sn"}, "duplicate_card", "known[1][1]", "card number 5 of Sn"),
        ({"stock_count": 51}, "wrong_size", "stock_count", "55 cards not seen, but no more than 54 can"),
        ({"stock": ["Pb"]}, "unknown_key", "stock", "stock"),
        ({"hands": [["Pb"]]}, "unknown_key", "seat", "seat"),
        ({"drawn": "Uu"}, "illegal_card", "drawn", "'Uu'"),
        ({"drawn": "Pb", "stock_count": 0}, "conflict", "drawn", "no card to draw"),
        ({"drawn": "Pb", "turn": 0}, "conflict", "drawn", "seat 0 is to move, so seat 2 draws nothing"),
        ({"drawn": "Pb", "table": [], "owner": None}, "conflict", "drawn", "the dealer leads and does not pass"),
    ],
)
def test_faults_of_views(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(SEEN, **keys), code, path, words)


def test_as_many_hidden_cards_as_there_are() -> None:
    assert isinstance(parse_position(SEEN | {"stock_count": 50}), View)


@pytest.mark.parametrize(
    ("data", "code", "path", "words"),
    [
        ({"rounds": []}, "wrong_size", "rounds", "1"),
        ({"rounds": [{}]}, "missing_key", "rounds[0].hands", "hands"),
        ({"rounds": [{"hands": [[], ["Li"]], "counts": [0, 1]}]}, "conflict", "rounds[0].counts", "not both"),
        ({"rounds": [{"counts": [2, 1]}]}, "conflict", "rounds[0].counts", "every seat has cards"),
        ({"rounds": [{"counts": [0, 1, 0]}]}, "conflict", "rounds[0].counts", "seats 0, 2 have none"),
        ({"rounds": [{"hands": [["Li"], ["K"]]}]}, "conflict", "rounds[0].hands", "every seat has cards"),
        ({"rounds": [{"hands": [["Li"] * 5, []]}]}, "duplicate_card", "rounds[0].hands[0][4]", "number 5 of Li"),
        ({"rounds": [{"hands": [["L"], []]}]}, "illegal_card", "rounds[0].hands[0][0]", "'L'"),
        ({"rounds": [{"counts": [0, 65]}]}, "wrong_size", "rounds[0]", "the deck has 64"),
        ({"rounds": [{"counts": [0, 1]}, {"counts": [0, 1, 2]}]}, "wrong_size", "rounds[1]", "3 players"),
        ({"rounds": [{"counts": [0]}]}, "wrong_size", "rounds[0].counts", "2"),
        ({"rounds": [{"counts": [0, 1]}], "deck": "mine?"}, "unknown_deck", "deck", "'mine?'"),
    ],
)
def test_faults_of_records(data: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_record({"game": "aqua-regia"} | data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message
