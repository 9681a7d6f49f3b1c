"""Small endings worked out: the best that can be done without seeing the other hands, against known players.

Every world that agrees with what the player sees is given, with its weight, and the others' choices with their
chances. The value of a move follows by expectation over what each next decision of the player will have seen. The
regret of a hint is the best value less that of its move, well played on: what is lost to sampling and to rounds
finished by rules of thumb.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import click
import numpy as np

S = TypeVar("S")
M = TypeVar("M", bound=Hashable)
Seen = tuple[Hashable, ...]


class TooLargeError(Exception):
    """The ending has too many lines to follow."""


class Rules(Protocol[S, M]):
    """What a game brings, for the seat that asks."""

    def turn(self, state: S) -> bool | None:
        """Whether it is the seat's turn; None when all is over."""

    def moves(self, state: S) -> Sequence[M]:
        """What the seat may do: the same in all states that it can't tell apart."""

    def choices(self, state: S) -> Iterable[tuple[M, float]]:
        """What another seat does, with the chances."""

    def after(self, state: S, move: M) -> tuple[S, Seen]:
        """The state after a move, and what everybody sees of it."""

    def score(self, state: S) -> float:
        """The seat's score when all is over."""


@dataclass(frozen=True, slots=True)
class World(Generic[S]):
    """A deal at one of the seat's turns, or at the end, and its weight."""

    weight: float
    state: S


class Ending(Generic[S, M]):
    """Values of moves in worlds that the seat can't tell apart. They may be followed through `most` moves in all:
    more raise TooLargeError.
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
        """Play the others on to the seat's next turn or the end: what was seen, and where that leads."""
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


@dataclass(frozen=True, slots=True)
class Regret:
    """Of an ending with so many cards in the hand: what the hint gives away, and what the worst move would."""

    cards: int
    lost: float
    spread: float


def regret(worlds: Sequence[World[S]], values: Mapping[M, float], move: M, cards: int) -> Regret:
    """What a move gives away, by the `Ending.moves` of the worlds."""
    total, best = sum(world.weight for world in worlds), max(values.values())
    return Regret(cards, (best - values[move]) / total, (best - min(values.values())) / total)


def report(found: Sequence[Regret], what: str, unit: str) -> None:
    """Print means and worst cases."""
    for cards in sorted({one.cards for one in found}):
        of = [one for one in found if one.cards == cards]
        click.echo(f"{cards} cards: {len(of)} endings, {_told(of, unit)}")
    right = sum(one.lost < 1e-9 for one in found)
    click.echo(f"{what}: {_told(found, unit)}, none {right} times of {len(found)}")


def _told(found: Sequence[Regret], unit: str) -> str:
    lost, spread = [one.lost for one in found], [one.spread for one in found]
    mean, stake = np.mean(lost), np.mean(spread)
    return f"mean regret {mean:.4f} {unit} of {stake:.2f} at stake, worst {max(lost):.4f}"
