"""Nothing leaks: whatever the cards are that a player does not see, the view is the same, and so is the hint."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import athanor
from athanor.table import turn_of
from solver.errors import AthanorError
from solver.positions import parse_position

KINDS = [
    ("kirin", "declared"),
    ("kirin", "undeclared"),
    ("king", "picked"),
    ("king", "unpicked"),
    ("aqua-regia", None),
    ("alchemy", "solo"),
    ("alchemy", "alternative"),
]
Slot = tuple[list[Any], int]  # a list of cards, and a place in it
_SWAPS = 15


def played(game: str, variant: str | None, chance: random.Random) -> Any:
    """A position some moves into a round, every card known."""
    position = athanor.deal(game, seed=chance.randrange(1000), variant=variant)
    for _ in range(chance.randrange(25)):
        after = athanor.play(position, [chance.choice(athanor.legal_moves(position))])
        if turn_of(after) is None:
            break
        position = after
    return position


def hidden(data: dict[str, Any], seat: int) -> Iterator[Slot]:
    """The places of the cards that a seat does not see."""
    for other, hand in enumerate(data.get("hands", [])):
        if other != seat:
            yield from ((hand, place) for place in range(len(hand)))
    yield from ((data.get("stock", []), place) for place in range(len(data.get("stock", []))))
    if data["game"] == "kirin":
        declared = data["declared"]
        yield from ((declared, other) for other in range(len(declared)) if other != seat and declared[other])


def permuted(position: Any, seat: int, chance: random.Random) -> Any:
    """The position with hidden cards exchanged, as often as the rules and what was played before allow it."""
    for _ in range(_SWAPS):
        data = json.loads(position.model_dump_json(exclude_none=True))
        slots = list(hidden(data, seat))
        if len(slots) < 2:
            break
        (one, here), (other, there) = chance.sample(slots, 2)
        one[here], other[there] = other[there], one[here]
        try:
            position = parse_position(data)
        except AthanorError:
            continue
    return position


@pytest.mark.parametrize(("game", "variant"), KINDS, ids=str)
def test_a_view_does_not_tell_hidden_cards(game: str, variant: str | None) -> None:
    chance = random.Random(f"{game} {variant}")
    others = 0
    for number in range(8):
        position = played(game, variant, chance)
        mover: int = getattr(position, "seat_to_move", 0)
        seat = mover if number == 0 or game == "alchemy" else chance.randrange(4)
        try:
            seen = athanor.view(position, seat)
        except AthanorError:  # an undeclared seat that is not to move has no view yet
            continue
        exchanged = permuted(position, seat, chance)
        assert athanor.view(exchanged, seat) == seen
        assert str(athanor.view(exchanged, seat)) == str(seen)
        others += exchanged != position
        if number == 0:
            assert hint(exchanged, seat) == hint(position, seat)
    assert others >= 4


def hint(position: Any, seat: int) -> dict[str, Any]:
    """The hint for the seat, without the time that it took."""
    found = athanor.hint(athanor.view(position, seat), worlds=5, nodes=3000, seed=7).to_dict()
    return {key: value for key, value in found.items() if key != "seconds"}
