"""Mangled kirin positions: each is read, or refused with a code, a path that leads somewhere, and a sentence."""

from __future__ import annotations

import random
from typing import Any

from solver.errors import PositionError
from solver.games.kirin import GAME
from solver.games.kirin.deck import COLOURS, RANKS
from solver.positions import parse_position, position_data
from tests.games.kirin.examples import BEFORE, BEFORE_SEEN, ENDING, SEEN
from tests.support.mangling import check_refusals, mangle

JUNK: list[Any] = [
    None,
    0,
    3,
    4,
    -1,
    2.5,
    True,
    "",
    "D6",
    "X9",
    "S+",
    [],
    ["D6"],
    [[]],
    {},
    {"leader": 0},
    "ascending",
    *(colour + rank for colour in COLOURS for rank in RANKS),
]


def test_mangled_positions_are_read_or_refused() -> None:
    rng = random.Random(31)
    starts: list[Any] = [ENDING, BEFORE, SEEN, BEFORE_SEEN]
    position = GAME.deal(2)
    for _ in range(14):
        position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
    starts += [position_data(position), position_data(GAME.view(position, 1))]
    refused = []
    for _ in range(6000):
        data = rng.choice(starts)
        for _ in range(rng.randint(1, 2)):
            data = mangle(data, rng, JUNK)
        data["game"] = "kirin"
        try:
            found = parse_position(data)
        except PositionError as error:
            refused.append(error)
            continue
        assert parse_position(position_data(found)) == found
        GAME.describe(found)
        for move in GAME.legal_moves(found):
            assert GAME.parse_move(found, GAME.format_move(found, move)) == move
            if GAME.asks(found) - {"hint"}:
                GAME.play(found, move)
    check_refusals(refused)
    assert {error.code for error in refused} == {
        "illegal_card", "duplicate_card", "wrong_size", "unknown_key", "missing_key", "wrong_type", "out_of_range",
        "unknown_value", "conflict", "illegal_play",
    }  # fmt: skip
