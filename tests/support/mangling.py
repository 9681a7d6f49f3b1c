"""Positions with something wrong somewhere, for tests of what is read and what is refused."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from solver.errors import AthanorError, PositionError
from solver.game import Game
from solver.positions import parse_position, position_data

KEYS = ("seat", "history", "extra")


def mangle(data: Any, rng: random.Random, junk: Sequence[Any], keys: Sequence[str] = KEYS) -> Any:
    """The data with one value somewhere in it replaced by `junk`, removed, doubled, or put under one of `keys`."""
    if isinstance(data, dict) and data:
        key = rng.choice(list(data))
        if rng.random() < 0.5:
            return data | {key: mangle(data[key], rng, junk, keys)}
        if rng.random() < 0.3:
            return {other: value for other, value in data.items() if other != key}
        return data | {rng.choice([key, *keys]): rng.choice(junk)}
    if isinstance(data, list | tuple) and data:
        items = list(data)
        place = rng.randrange(len(items))
        choice = rng.random()
        if choice < 0.5:
            items[place] = mangle(items[place], rng, junk, keys)
        elif choice < 0.7:
            items.pop(place)
        elif choice < 0.85:
            items.append(items[place])
        else:
            items[place] = rng.choice(junk)
        return items
    return rng.choice(junk)


def slots_of(data: Any) -> Iterator[tuple[Any, Any]]:
    """Where each value lies that is neither an object nor a list: what holds it, and its key or index there."""
    if isinstance(data, dict | list):
        for place, value in data.items() if isinstance(data, dict) else enumerate(data):
            if isinstance(value, dict | list):
                yield from slots_of(value)
            else:
                yield data, place


def lists_of(data: Any) -> Iterator[list[Any]]:
    """The lists in the data, outer ones first."""
    if isinstance(data, list):
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from lists_of(value)


def check_refusals(refused: Iterable[AthanorError]) -> None:
    """Every refusal has a path and a sentence, in our words and not in those of pydantic; one card is no cards."""
    for error in refused:
        assert error.path
        assert error.message
        assert not re.search(r"[Ii]nput |valid ", error.message), error.message
        assert not re.search(r"\b1 (cards|entries|characters|unseen cards)\b", error.message), error.message


def check_positions(
    game: Game,
    starts: Sequence[Any],
    rng: random.Random,
    junk: Sequence[Any],
    count: int,
    keys: Sequence[str] = KEYS,
) -> Counter[str]:
    """Mangled positions are refused, or read and then answer what they can be asked; the codes of refusals."""
    refused = []
    for _ in range(count):
        data = rng.choice(starts)
        for _ in range(rng.randint(1, 2)):
            data = mangle(data, rng, junk, keys)
        data["game"] = game.name
        try:
            found = parse_position(data)
        except PositionError as error:
            refused.append(error)
            continue
        assert parse_position(position_data(found)) == found
        game.describe(found)
        for move in game.legal_moves(found):
            assert game.parse_move(found, game.format_move(found, move)) == move
            if game.asks(found) - {"compound", "hint"}:
                game.describe(game.play(found, move))
    assert count - len(refused) > 100
    check_refusals(refused)
    return Counter(error.code for error in refused)
