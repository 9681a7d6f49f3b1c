"""Small endings solved: the best strategy without seeing the other hands, against known players.

The input is every world that agrees with what the player sees, with its weight, and the chances of the others'
choices. A move's value is an expectation over what the player will have seen at each later decision. The regret of
a hint is the best value minus the value of its move, both with best play afterwards: the loss due to sampling and
to finishing rounds by rules of thumb. It is measured for ordinary hints, which solve such endings if their limit
allows, and for hints that only sample.

`Ending` is slow and plain, and the tests compare it with the kernels, which solve larger endings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

import click
import numpy as np

from solver.common import Random
from solver.game import Game
from solver.hints.sampled import ALL_DEALS, Sampler, SeatView
from solver.limits import Control, Limit

NOTHING = 1e-7  # a regret of zero, apart from rounding
S = TypeVar("S")
V = TypeVar("V", bound=SeatView)
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


@dataclass(frozen=True, slots=True)
class Regret:
    """What the hint gives away in an ending (`lost`), and what the worst move would (`spread`); `cards` is the
    number of cards in the hand.
    """

    cards: int
    lost: float
    spread: float


def regret(values: Mapping[M, float], move: M, cards: int) -> Regret:
    """What a move gives away, given the values of all moves."""
    best = max(values.values())
    return Regret(cards, best - values[move], best - min(values.values()))


def turns(game: Game, player: Callable[[Any, Random], Any], seed: int, **dealt: int) -> Iterator[Any]:
    """The view of the seat to move at every choice of endless rounds, in which `player` makes all moves."""
    for deal in count():
        position: Any = game.deal(seed, number=deal, **dealt)  # type: ignore[arg-type]
        random = Random(seed, deal)
        while game.legal_moves(position):
            view = game.view(position, position.seat_to_move)
            if len(game.legal_moves(view)) > 1:
                yield view
            position = game.play(position, player(view, random))


class Regrets(Generic[V, M]):
    """The regrets of a game's hints: those that only sample, and ordinary ones."""

    def __init__(self, sampler: Sampler[V, M], limit: Limit) -> None:
        self._samplers = {"sampling": replace(sampler, ending=None), "hints": sampler}
        self._limit = limit
        self._found: dict[str, list[Regret]] = {name: [] for name in self._samplers}
        self._worked_out = 0

    def add(self, view: V, values: Mapping[M, float], parse: Callable[[V, str], M], cards: int) -> int:
        """Ask for hints for a view whose moves have these values; returns the number of views so far."""
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
