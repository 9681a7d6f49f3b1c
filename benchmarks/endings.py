"""Small endings worked out: the best that can be done without seeing the other hands, against known players.

Every world that agrees with what the player sees is given, with its weight, and the others' choices with their
chances. The value of a move follows by expectation over what each next decision of the player will have seen. The
regret of a hint is the best value less that of its move, well played on: what is lost to sampling and to rounds
finished by rules of thumb. It is measured of hints as they are, which work such endings out where their limit
allows, and of hints that only sample.

`Ending` is slow and plain, and compared with the kernels in the tests; those find the values of larger endings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import click
import numpy as np

from solver.hints.sampled import ALL_DEALS, Sampler, SeatView
from solver.limits import Control, Limit

NOTHING = 1e-7  # a regret that is none, but for rounding
S = TypeVar("S")
V = TypeVar("V", bound=SeatView)
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


def regret(values: Mapping[M, float], move: M, cards: int) -> Regret:
    """What a move gives away, by the values of all moves."""
    best = max(values.values())
    return Regret(cards, best - values[move], best - min(values.values()))


class Regrets(Generic[V, M]):
    """The regrets of a game's hints, those that only sample and those that are as they are."""

    def __init__(self, sampler: Sampler[V, M], limit: Limit) -> None:
        self._samplers = {"sampling": replace(sampler, ending=None), "hints": sampler}
        self._limit = limit
        self._found: dict[str, list[Regret]] = {name: [] for name in self._samplers}
        self._worked_out = 0

    def add(self, view: V, values: Mapping[M, float], parse: Callable[[V, str], M], cards: int) -> int:
        """Ask for hints of a view whose moves have these values; how many views there were so far."""
        count = len(self._found["hints"])
        for name, sampler in self._samplers.items():
            answer = sampler.hint(view, Control(self._limit), seed=count)
            self._found[name].append(regret(values, parse(view, str(answer.best)), cards))
            self._worked_out += answer.method == ALL_DEALS
        return count + 1

    def report(self, what: str, unit: str) -> None:
        """Print means and worst cases."""
        all_found = self._found["hints"]
        count = len(all_found)
        click.echo(
            f"{what}: {count} endings, {_at_stake(all_found, unit)}; {self._worked_out} worked out by hints"
        )
        for name, found in self._found.items():
            for cards in sorted({one.cards for one in found}):
                of = [one for one in found if one.cards == cards]
                click.echo(f"  {name}, {cards} cards: {len(of)} endings, {_at_stake(of, unit)}, {_told(of, unit)}")
            click.echo(f"  {name}: {_told(found, unit)}")


def _at_stake(found: Sequence[Regret], unit: str) -> str:
    return f"{np.mean([one.spread for one in found]):.2f} {unit} at stake"


def _told(found: Sequence[Regret], unit: str) -> str:
    lost = [one.lost for one in found]
    none = sum(one < NOTHING for one in lost)
    return f"mean regret {np.mean(lost):.5f} {unit}, largest {max(lost):.4f}, none {none} times"
