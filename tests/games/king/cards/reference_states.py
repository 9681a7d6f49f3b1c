"""States of the King × Alchemy reference written by card codes, and their moves and values as text."""

from __future__ import annotations

from typing import Any

from tests.reference import king as ref
from tests.reference.king import State
from tests.reference.king_deck import HOUSE, index


def state(hands: list[str], leader: int = 0, trick: str = "", won: list[str] | None = None) -> State:
    """A house position; cards as text, separated by blanks."""
    position: dict[str, Any] = {"deck": "house", "leader": leader, "trick": trick.split()}
    position["hands"] = [hand.split() for hand in hands]
    if won is not None:
        position["won"] = [pile.split() for pile in won]
    return ref.load(position)[1]


def moves(now: State) -> list[str]:
    return [ref.text(HOUSE, move) for move in ref.legal(HOUSE, now)]


def values(now: State, model: str, player: int | None = None) -> dict[str, ref.Value]:
    return {ref.text(HOUSE, move): worth for move, worth in ref.values(HOUSE, now, model, player).items()}


def judged(trick: str) -> tuple[str, str | None]:
    """The card that wins, and the bottom's."""
    played = state([""] * len(trick.split()), trick=trick).trick
    low = ref.bottom(HOUSE, played)
    return ref.text(HOUSE, ref.winner(HOUSE, played)), low and ref.text(HOUSE, low)


def takings(trick: str) -> list[str]:
    return moves(state([""] * len(trick.split()), trick=trick))


def cards(text: str) -> frozenset[int]:
    return frozenset(index(HOUSE, code) for code in text.split())
