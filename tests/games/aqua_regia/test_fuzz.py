"""Mangled Aqua Regia positions: each is read, or refused with a code, a path that leads somewhere, a sentence."""

from __future__ import annotations

import random
from typing import Any

from solver.errors import AthanorError, PositionError
from solver.games.aqua_regia import GAME
from solver.positions import parse_position, parse_record, position_data
from tests.games.aqua_regia.examples import KNOWN, SEEN
from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.support.mangling import check_refusals, mangle

KEYS = ["seat", "hand", "hands", "drawn", "owner", "extra", "deck", "known", "stock"]
JUNK: list[Any] = [
    None,
    0,
    1,
    4,
    -1,
    2.5,
    True,
    "",
    "Zn",
    "zn",
    "house",
    [],
    ["Zn"],
    [[]],
    [["Li"], ["K"]],
    {},
    {"seat": 0, "field": "acid"},
    "water",
    "Au",
    "Fe",
    2,
    3,
]


def test_mangled_positions_are_read_or_refused() -> None:
    rng = random.Random(32)
    starts: list[Any] = [KNOWN, SEEN, SEEN | {"drawn": "Ag"}]
    for index in range(20):
        deck = random_table(rng, metals=8, copies=4) if index % 4 == 0 else None
        position = parse_position(random_position(rng, deck=deck))
        starts.append(position_data(position))
        starts.append(position_data(GAME.view(position, rng.randrange(2))))
    refused = []
    for _ in range(6000):
        data = rng.choice(starts)
        for _ in range(rng.randint(1, 2)):
            data = mangle(data, rng, JUNK, KEYS)
        data["game"] = "aqua-regia"
        try:
            found = parse_position(data)
        except PositionError as error:
            refused.append(error)
            continue
        assert parse_position(position_data(found)) == found
        GAME.describe(found)
        for move in GAME.legal_moves(found):
            assert GAME.parse_move(found, GAME.format_move(found, move)) == move
            if "analyze" in GAME.asks(found):
                GAME.describe(GAME.play(found, move))
    assert len(refused) > 2000
    check_refusals(refused)
    assert {error.code for error in refused} == {
        "illegal_card", "duplicate_card", "wrong_size", "unknown_key", "missing_key", "wrong_type", "out_of_range",
        "unknown_value", "conflict", "illegal_play", "unknown_deck",
    }  # fmt: skip


def test_mangled_moves_are_read_or_refused() -> None:
    rng = random.Random(33)
    words = ["Zn", "Fe", "Au", "pass", ">", "pass ", "Sn", "Sn Sn", "Fe>Pb", "\t", "×", "pass Fe>Pb", "0"]
    for data in (KNOWN, SEEN, SEEN | {"drawn": "Ag"}):
        position = parse_position(data)
        read = set()
        refused = []
        for _ in range(1500):
            text = rng.choice(["", " "]).join(rng.choice(words) for _ in range(rng.randint(0, 4)))
            try:
                move = GAME.parse_move(position, text)
            except AthanorError as error:
                refused.append(error)
                continue
            assert move in GAME.legal_moves(position)
            read.add(GAME.format_move(position, move))
        assert read
        assert {error.code for error in refused} == {"illegal_move"}
        assert all(error.message for error in refused)


def test_mangled_records_are_read_or_refused() -> None:
    rng = random.Random(34)
    start = {"game": "aqua-regia", "deck": "house", "rounds": [{"hands": [["Li"], []]}, {"counts": [0, 3]}]}
    refused = []
    for _ in range(1500):
        data = mangle(start, rng, JUNK, KEYS) | {"game": "aqua-regia"}
        try:
            found = parse_record(data)
        except PositionError as error:
            refused.append(error)
            continue
        GAME.score(found)
    assert len(refused) > 500
    check_refusals(refused)
