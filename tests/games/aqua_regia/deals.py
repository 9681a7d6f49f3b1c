"""Positions, views and decks of Aqua Regia for tests: as users write them, by symbols, dealt, and played on."""

from __future__ import annotations

import random
from typing import Any

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS, Deck, house
from solver.games.aqua_regia.position import Round
from solver.positions import parse_position

KNOWN: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": "house",
    "field": "acid",
    "reversed": False,
    "turn": 2,
    "table": ["Li", "Zn", "Zn"],
    "owner": 1,
    "hands": [["Li", "Cu"], ["Au", "Fe", "Fe"], ["Fe", "Sn", "Sn"]],
    "stock": ["Pb", "Li"],
    "discard": ["K", "K", "Pb"],
    "known": [[], ["Au"], []],
    "deal_passes": [{"seat": 1, "field": "water", "max_playable": 0}],
}

SEEN: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": "house",
    "field": "acid",
    "turn": 2,
    "table": ["Li", "Zn", "Zn"],
    "owner": 1,
    "discard": ["K", "K", "Pb"],
    "seat": 2,
    "hand": ["Fe", "Sn", "Sn"],
    "counts": [2, 3, 3],
    "known": [[], ["Au"], ["Sn"]],
    "stock_count": 2,
}


def change(data: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """The position with other keys; a key given as None is left out."""
    return {key: value for key, value in (data | keys).items() if value is not None}


SMALL: dict[str, Any] = {
    "name": "small",
    "copies": 2,
    "metal": [
        {"symbol": "Fe", "reactivity": {"water": 0, "vapor": 1, "acid": 2, "aqua-regia": 3}},
        {"symbol": "Ag", "reactivity": {"water": 1, "vapor": 0, "acid": 0, "aqua-regia": 9}},
    ],
}

# Positions that a hint is asked for.
QUESTIONS: list[dict[str, Any]] = [
    SEEN,
    SEEN | {"drawn": "Ag"},
    SEEN | {"stock_count": 0},
    change(SEEN, table=[], owner=None),
    SEEN | {"deal_passes": [{"seat": 0, "field": "water"}]},
]

# Seat 2 led Li, seat 0 played Na on it, seat 1 drew and took K for Li, seat 2 passed, so seat 0 leads now.
WITH_HISTORY: dict[str, Any] = {
    "game": "aqua-regia",
    "field": "vapor",
    "turn": 0,
    "seat": 0,
    "hand": ["Fe", "Sn"],
    "counts": [2, 3, 2],
    "known": [[], ["K"], []],
    "stock_count": 3,
    "discard": ["Li", "Li", "Na"],
    "history": [
        {"field": "water", "leader": 2, "stock_count": 5, "moves": ["Li", "Na", "pass Li>K", "pass"]},
    ],
}


def position(*hands: str, **keys: Any) -> Round:
    """A house position; the cards as text."""
    cards = {key: value.split() for key, value in keys.items() if key in ("table", "stock", "discard")}
    data = {"game": "aqua-regia", "field": "water", "turn": 0, "hands": [hand.split() for hand in hands]}
    return known_from(data | keys | cards)


def moves(at: Round) -> list[str]:
    return [GAME.format_move(at, move) for move in GAME.legal_moves(at)]


def after(at: Round, *texts: str) -> Round:
    for text in texts:
        at = GAME.play(at, GAME.parse_move(at, text))  # type: ignore[assignment]
    return at


def known_from(data: object) -> Round:
    found = parse_position(data)
    assert isinstance(found, Round)
    return found


def view_from(data: object) -> Round:
    found = parse_position(data)
    assert isinstance(found, Round)
    return found


def dealt(*arguments: Any, **keys: Any) -> Round:
    found = GAME.deal(*arguments, **keys)
    assert isinstance(found, Round)
    return found


def seen_by(at: Round, seat: int) -> Round:
    found = GAME.view(at, seat)
    assert isinstance(found, Round)
    return found


def play_randomly(at: Round, rng: random.Random) -> Any:
    """Every position of a game played at random from `at`, itself included."""
    yield at
    while legal := GAME.legal_moves(at):
        at = GAME.play(at, rng.choice(legal))  # type: ignore[assignment]
        yield at


def ending(rng: random.Random, players: int, cards: int, stock: int = 0, *, field: int | None = 0) -> Round:
    """Seat 0 deals, `cards` in all hands together, `stock` to draw; `field` None is one at random."""
    deck: Deck = house()
    pool = [metal.symbol for metal in deck.metals for _ in range(deck.copies)]
    rng.shuffle(pool)
    each = cards // players
    return Round(
        game="aqua-regia",
        field=FIELDS[rng.randrange(len(FIELDS)) if field is None else field],
        turn=0,
        hands=tuple(tuple(pool[seat * each : (seat + 1) * each]) for seat in range(players)),
        stock=tuple(pool[players * each : players * each + stock]),
        discard=tuple(pool[players * each + stock :]),
    )
