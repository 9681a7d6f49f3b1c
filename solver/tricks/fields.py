"""What the positions of every game are made of: closed models, cards and their places, seats, no card twice.

A *place* is a path into the position, such as ``hands[2][4]``, and the card that lies there: its text or its
number, as the game has it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any, Self, TypeVar

from pydantic import ConfigDict

from solver.common.words import counted
from solver.inputs.errors import Fault
from solver.inputs.faults import fault, refuse
from solver.notation.schema import Sent

C = TypeVar("C")
H = TypeVar("H", bound=Hashable)


class Model(Sent):
    """A piece of a position: it never changes, and has no keys but the declared ones.

    What a `functools.cached_property` has worked out is kept with the object, but is no part of its value: it
    plays no role in comparisons, and neither a copy with other fields nor a pickle takes it along.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        copied = super().model_copy(update=update, deep=deep)
        if update:
            for key in copied.__dict__.keys() - type(self).model_fields.keys():
                del copied.__dict__[key]
        return copied

    def __getstate__(self) -> dict[Any, Any]:
        fields = type(self).model_fields.keys()
        state = super().__getstate__()
        return state | {"__dict__": {key: value for key, value in self.__dict__.items() if key in fields}}


def places(key: str, cards: Iterable[C]) -> Iterator[tuple[str, C]]:
    """The places of a list of cards under `key`."""
    return ((f"{key}[{index}]", card) for index, card in enumerate(cards))


def spread(key: str, piles: Iterable[Iterable[C]]) -> Iterator[tuple[str, C]]:
    """The places of a list of cards a seat under `key`."""
    for seat, pile in enumerate(piles):
        yield from places(f"{key}[{seat}]", pile)


def refuse_doubles(where: Iterable[tuple[str, H]], text: Callable[[H], str] = str) -> None:
    """Raise a fault for each card that is in two places; every card is in the deck once. `text` names a card."""
    first: dict[H, str] = {}
    found = []
    for path, card in where:
        if card in first:
            found.append(Fault("duplicate_card", f"{text(card)} is in {first[card]} already", path))
        else:
            first[card] = path
    refuse(found)


def check_seat(seat: int, players: int, key: str) -> None:
    """Raise a fault for a seat that so many players do not have."""
    if seat >= players:
        raise fault("out_of_range", f"there is no seat {seat}; seats are 0 to {players - 1}", key)


def check_entries(piles: Sized, players: int, key: str) -> None:
    """Raise a fault unless `piles` has one entry a seat."""
    if len(piles) != players:
        many = counted(len(piles), "entry", "entries")
        raise fault("wrong_size", f"there are {players} players, but {key} has {many}", key)


def without(hands: Sequence[tuple[str, ...]], seat: int, card: str) -> tuple[tuple[str, ...], ...]:
    """The hands after `seat` has put a card down."""
    return tuple(
        tuple(text for text in hand if text != card) if other == seat else hand for other, hand in enumerate(hands)
    )
