"""Positions at the table: fresh deals, what a seat sees, legal moves, and the position after one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from athanor.reading import position_of, record_of, rules_of
from solver import registry
from solver.inputs.errors import MoveError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from athanor.reading import PositionLike, RecordLike
    from solver.protocol.answers import Answer


def parse(position: Mapping[str, Any] | str | bytes) -> BaseModel:
    """A position or view from a dict or from JSON text.

    What follows from the rest may be left out, and is checked where it is there. Raises PositionError with the
    path of the key or card that is wrong.
    """
    return position_of(position)


def deal(
    game: str, *, seed: int | None = None, number: int = 0, players: int | None = None, variant: str | None = None
) -> BaseModel:
    """A fresh deal of a game, every card known: the same one for ever for the same seed and number.

    `number` counts the deals of a seed. Without `seed` a new one is drawn. Without `players` and `variant` the
    deal is the game's usual one. Raises RequestError for a game, variant or number of players that there is not.
    """
    import secrets

    from solver.common.rng import SEEDS
    from solver.inputs.errors import RequestError

    rules = registry.game(game)
    for name, value in (("seed", seed), ("number", number)):
        if value is not None and not 0 <= value < SEEDS:
            raise RequestError("out_of_range", f"{name} is from 0 to {SEEDS - 1}", name)
    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    return rules.deal(drawn, number=number, players=players, variant=variant)


def view(position: PositionLike, seat: int) -> BaseModel:
    """What the player in `seat`, counted from 0, sees of a position.

    Raises RequestError for a seat that there is not, for another seat's view of a view, and for a position that
    does not tell what was played before.
    """
    known = position_of(position)
    return rules_of(known).view(known, seat)


def legal_moves(position: PositionLike) -> list[str]:
    """The texts of all legal moves of the seat to move, in canonical order.

    There are none when the round is over, and none in a view while another seat is to move.
    """
    known = position_of(position)
    rules = rules_of(known)
    return [rules.format_move(known, move) for move in rules.legal_moves(known)]


def play(position: PositionLike, move: str | None) -> BaseModel:
    """The position after the seat to move has made a legal move, which is given as text.

    An answer's `best` is such a text, or None where there is no move. Raises MoveError for a move that cannot be
    read, that is not legal, or that is None; RequestError for a view, in which the others' cards are not known.
    """
    known = position_of(position)
    rules = rules_of(known)
    if move is None:
        raise MoveError("illegal_move", "there is no move to play")
    return rules.play(known, rules.parse_move(known, move))


def score(record: RecordLike) -> Answer:
    """The score of a finished round, or of a match of several, given as an object, a dict or JSON text.

    Raises PositionError for a record that breaks the rules.
    """
    known = record_of(record)
    return rules_of(known).score(known)
