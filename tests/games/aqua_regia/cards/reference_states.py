"""States of the Aqua Regia reference written by symbols, and their moves and values as text."""

from __future__ import annotations

from typing import Any

from tests.reference import aqua as ref
from tests.reference.aqua import HOUSE, State


def state(hands: list[str], turn: int = 0, **more: Any) -> State:
    """A house position; cards as text, separated by blanks."""
    lists = {key: value.split() for key, value in more.items() if key in ("table", "stock", "discard")}
    position = {"deck": "house", "field": "water", "hands": [hand.split() for hand in hands], "turn": turn}
    return ref.load({**position, **more, **lists})[1]


def moves(now: State) -> list[str]:
    return [ref.text(HOUSE, move) for move in ref.legal(HOUSE, now)]


def play(now: State, *texts: str) -> State:
    for text in texts:
        now = ref.play(HOUSE, now, ref.legal(HOUSE, now)[moves(now).index(text)])
    return now


def values(now: State, model: str, player: int | None = None) -> dict[str, ref.Value]:
    return {ref.text(HOUSE, move): worth for move, worth in ref.values(HOUSE, now, model, player).items()}


def symbols(cards: tuple[int, ...]) -> str:
    return " ".join(HOUSE.symbols[card] for card in cards)
