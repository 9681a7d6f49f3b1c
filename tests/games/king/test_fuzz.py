"""Mangled King × Alchemy positions and decks: each is read, or refused with a code, a path, and a sentence."""

from __future__ import annotations

import random
from typing import Any

from solver.errors import PositionError
from solver.games.king import GAME
from solver.games.king.deck import KIND
from solver.positions import parse_position, position_data
from tests.games.king.examples import BEFORE, BEFORE_SEEN, CODES, ENDING, FULL, SEEN
from tests.games.king.random_positions import random_deck, random_position
from tests.support.mangling import check_refusals, mangle

JUNK: list[Any] = [
    *(None, 0, 3, 4, -1, 2.5, True, "", "F3", "X9", "D", "D:F", "F3:W", "take F1", "house"),
    *([], ["F3"], [[]], {}, {"leader": 0}, "pick", *CODES),
]
CODES_OF_ERRORS = {
    "illegal_card", "duplicate_card", "wrong_size", "unknown_key", "missing_key", "wrong_type", "out_of_range",
    "unknown_value", "conflict", "illegal_play", "illegal_taking", "missing_card", "unknown_deck",
}  # fmt: skip


def test_mangled_positions_are_read_or_refused() -> None:
    rng = random.Random(31)
    starts: list[Any] = [ENDING, FULL, BEFORE, SEEN, BEFORE_SEEN]
    for players in (3, 5):
        position = GAME.deal(2, players=players)
        for _ in range(22):
            position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
        starts += [position_data(position), position_data(GAME.view(position, 1))]
    refused, read = [], 0
    for _ in range(3000):
        data = rng.choice(starts)
        for _ in range(rng.randint(1, 2)):
            data = mangle(data, rng, JUNK)
        data["game"] = "king"
        try:
            found = parse_position(data)
        except PositionError as error:
            refused.append(error)
            continue
        read += 1
        assert parse_position(position_data(found)) == found
        GAME.describe(found)
        for move in GAME.legal_moves(found):
            assert GAME.parse_move(found, GAME.format_move(found, move)) == move
            if GAME.asks(found) - {"compound", "hint"}:
                GAME.play(found, move)
    assert read > 100
    check_refusals(refused)
    assert {error.code for error in refused} == CODES_OF_ERRORS


def test_mangled_decks_are_read_or_refused() -> None:
    rng = random.Random(32)
    junk = [*JUNK, "Salt", "material", "trump", 1000, "a\nb", "F 3"]
    refused, read = [], 0
    for _ in range(600):
        data = mangle(random_deck(rng), rng, junk)
        try:
            deck = KIND.read(data)
        except PositionError as error:
            refused.append(error)
            continue
        read += 1
        assert deck.rows()
        parse_position(random_position(rng, deck=data))
    check_refusals(refused)
    assert 20 < read < 580
