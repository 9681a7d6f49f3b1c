"""How the positions of any plain game of tricks are written as text, and what follows from what in them.

A game's own fields are written by their types: numbers, yes or no, texts, or lists of texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from solver.inputs.errors import Fault
from solver.inputs.nearest import models_of
from solver.notation.names import Names
from solver.notation.notation import Data, Notation
from solver.notation.tricks import Led, Trick, Tricks
from solver.notation.values import CARDS, FLAG, HAND_OR_HANDS, PILES, TEXT, WHOLE, Value
from solver.tricks.completion import card_trick, followed, hands_left, leader_by_hands, split_trick
from solver.tricks.plain.positions import KnownPosition
from solver.tricks.rules import PlainRules

if TYPE_CHECKING:
    from solver.protocol.game import Game

SHARED: Mapping[str, Value] = {
    "seat": WHOLE,
    "dealt": HAND_OR_HANDS,
    "hand": CARDS,
    "hands": PILES,
    "won": PILES,
    "history": Tricks(),
    "leader": WHOLE,
    "trick": Trick(),
}


def notation(game: Game) -> Notation:
    """The notation of a plain game, its own fields first."""
    models = list(models_of(game.position_type))
    own = {
        key: _value(field.annotation)
        for model in models
        for key, field in model.model_fields.items()
        if key not in SHARED and key != "game"
    }
    known = next(model for model in models if issubclass(model, KnownPosition))

    def rules(data: Mapping[str, Any]) -> PlainRules | None:
        """The rules that the game's own fields say; None where these are wrong."""
        try:
            return known.model_construct(**{key: data[key] for key in own if key in data}).trick_rules
        except Exception:  # a game may count on valid fields
            return None

    def names(data: Mapping[str, Any]) -> Names:
        found = rules(data) or rules({})
        return Names(found.deck if found else ())

    def complete(data: Data, faults: list[Fault]) -> Data:
        split_trick(data, faults)
        found = rules(data)
        if found is not None:
            followed(data, found, card_trick)
            leader_by_hands(data)
            hands_left(data, found.players, [], faults)
        return data

    return Notation(
        values={**own, **SHARED},
        rounds={"won": PILES},
        names=names,
        complete=complete,
        inferred=("leader",),
        shortened=shortened,
    )


def shortened(data: Data) -> Data:
    """The data with the leader in front of the cards of the trick."""
    if data.get("trick"):
        return {**data, "trick": Led(data["leader"], data["trick"])}
    return data


def _value(kind: Any) -> Value:
    """How a field of a type is written."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _value(parts[0])
    if origin in (Union, UnionType):
        return _value(next(part for part in parts if part is not type(None)))
    if origin is Literal:
        return _value(type(parts[0]))
    if origin in (list, tuple):
        return PILES if get_origin(parts[0]) in (list, tuple) else CARDS
    return {int: WHOLE, bool: FLAG}.get(kind, TEXT)
