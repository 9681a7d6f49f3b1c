"""Small endings solved: the best strategy without seeing the other hands, against known players.

The input is every world that agrees with what the player sees, with its weight, and the chances of the others'
choices. A move's value is an expectation over what the player will have seen at each later decision.

This is slow and plain; the kernels that hints use solve larger endings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

S = TypeVar("S")
M = TypeVar("M", bound=Hashable)
Seen = tuple[Hashable, ...]


class TooLargeError(Exception):
    """The ending has too many lines to follow."""


class Rules(Protocol[S, M]):
    """A game's rules in an ending, for the asking seat."""

    def turn(self, state: S) -> bool | None:
        """Whether it is the seat's turn; None when the game is over."""

    def moves(self, state: S) -> Sequence[M]:
        """The seat's possible moves: the same in all states that it can't tell apart."""

    def choices(self, state: S) -> Iterable[tuple[M, float]]:
        """The moves of another seat, with their chances."""

    def after(self, state: S, move: M) -> tuple[S, Seen]:
        """The state after a move, and what everybody sees of the move."""

    def score(self, state: S) -> float:
        """The seat's score at the end."""


@dataclass(frozen=True, slots=True)
class World(Generic[S]):
    """A deal at one of the seat's turns, or at the end, and its weight."""

    weight: float
    state: S


class Ending(Generic[S, M]):
    """Values of moves in worlds that the seat can't tell apart.

    Raises TooLargeError after following `most` moves.
    """

    def __init__(self, rules: Rules[S, M], most: int = 10_000_000) -> None:
        self.rules = rules
        self._left = most

    def _after(self, world: World[S], move: M, chance: float = 1.0) -> tuple[Seen, World[S]]:
        self._left -= 1
        if self._left < 0:
            raise TooLargeError
        state, seen = self.rules.after(world.state, move)
        return seen, World(world.weight * chance, state)

    def _to_turn(self, seen: Seen, world: World[S]) -> Iterator[tuple[Seen, World[S]]]:
        """Play the others' moves until the seat's next turn or the end: what was seen, and the resulting
        worlds.
        """
        if self.rules.turn(world.state) is not False:
            yield seen, world
            return
        for move, chance in self.rules.choices(world.state):
            more, after = self._after(world, move, chance)
            yield from self._to_turn((*seen, *more), after)

    def value_after(self, worlds: list[World[S]], move: M) -> float:
        """The value of a move, times the worlds' weight."""
        groups: dict[Seen, list[World[S]]] = defaultdict(list)
        for world in worlds:
            for seen, later in self._to_turn(*self._after(world, move)):
                groups[seen].append(later)
        return sum(map(self._value, groups.values()))

    def _value(self, worlds: list[World[S]]) -> float:
        if self.rules.turn(worlds[0].state) is None:
            return sum(world.weight * self.rules.score(world.state) for world in worlds)
        return max(self.moves(worlds).values())

    def moves(self, worlds: list[World[S]]) -> dict[M, float]:
        """The value of each move, times the worlds' weight."""
        return {move: self.value_after(worlds, move) for move in self.rules.moves(worlds[0].state)}
