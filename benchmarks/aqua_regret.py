"""How much Aqua Regia's hint loses in endings that can be worked out: ``python -m benchmarks.aqua_regret --help``.

In a small ending every deal that agrees with the view is listed, and the others' choices with their chances, by
the hint's own model of them. The best that can be done against such players without seeing their cards follows by
expectation over what each next decision will have seen: moves, deals passed on, cards drawn. The regret of a hint
is that value less the value of the hint's move, well played on: what is lost to sampling and to games finished by
rules of thumb. The endings are of small random tables: 6 metals, two of each.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import exp
from typing import TypeVar

import click
import numpy as np

from solver import registry
from solver.common.control import Control, Limit
from solver.games.aqua_regia.cards import rules
from solver.games.aqua_regia.cards.deck import Deck
from solver.games.aqua_regia.cards.rules import Move, Pass, Play, State
from solver.games.aqua_regia.hints.policy import exchange_value, pass_value, play_value, reactivity_rows
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.positions import parse_position
from tests.games.aqua_regia.random_positions import random_position, random_table

GAME = registry.game("aqua-regia")
_RARE = 1e-4  # choices of the others with less of a chance are left out
_WEIGHTS = np.array(PLAYER)
M = TypeVar("M", Play, Pass, Move)
Seen = tuple[Hashable, ...]


class TooLargeError(Exception):
    """The ending has too many lines to follow."""


@dataclass(frozen=True, slots=True)
class World:
    """A deal at one of the player's turns, or at the end, and its weight."""

    weight: float
    state: State


class Ending:
    """Values of moves of `seat`, which sees its own cards only, against plausible players."""

    def __init__(self, deck: Deck, seat: int, most: int) -> None:
        self._deck = deck
        self._seat = seat
        self._left = most
        self._reactivity = reactivity_rows(deck)

    def _choices(self, state: State) -> Iterator[tuple[Move, float]]:
        """The moves of another seat, with their chances: `player.choose_play`, then `player.choose_exchange`."""
        deck, hand = self._deck, state.hands[state.turn]
        following = rules.next_field(state.field, state.reversed)
        top = rules.runs(state.table)[-1] if state.table else None
        metal, count = (top.metal, top.count) if top else (0, 0)
        plays = rules.plays(deck, hand, state.field, top)
        for play in plays:
            if play.count == sum(hand):
                yield play, 1.0
                return
        values = [
            play_value(
                self._reactivity, hand[play.metal], following, metal, count, play.metal, play.count, _WEIGHTS
            )
            for play in plays
        ]
        if top is None:
            yield from _likely(plays, values)
            return
        values.append(pass_value(int(bool(state.stock)), _WEIGHTS))
        choices: list[Move] = [*plays, Pass()]
        for move, chance in _likely(choices, values):
            if isinstance(move, Play):
                yield move, chance
                continue
            held = rules.added(hand, state.stock[0], 1) if state.stock else hand
            passes = rules.passes(deck, held, state.discard)
            worth = [self._exchange(held, following, one) for one in passes]
            for one, share in _likely(passes, worth):
                yield one, chance * share

    def _exchange(self, held: rules.Counts, following: int, move: Pass) -> float:
        if move.discarded is None or move.taken is None:
            return 0.0
        return float(
            exchange_value(
                self._reactivity, np.array(held, np.int64), following, move.discarded, move.taken, _WEIGHTS
            )
        )

    def _after(self, world: World, move: Move, chance: float = 1.0) -> tuple[Seen, World]:
        """The world after a move, and what everybody sees of it."""
        self._left -= 1
        if self._left < 0:
            raise TooLargeError
        state = rules.play(self._deck, world.state, move)
        return (move, state.turn, state.field), World(world.weight * chance, state)

    def _to_turn(self, seen: Seen, world: World) -> Iterator[tuple[Seen, World]]:
        """Play the others on to the player's next turn or the end: what was seen, and where that leads."""
        if world.state.winner is not None or world.state.turn == self._seat:
            yield seen, world
            return
        for move, chance in self._choices(world.state):
            more, after = self._after(world, move, chance)
            yield from self._to_turn((*seen, *more), after)

    def _value_after(self, worlds: list[World], move: Move) -> float:
        groups: dict[Seen, list[World]] = defaultdict(list)
        for world in worlds:
            for seen, later in self._to_turn(*self._after(world, move)):
                groups[seen].append(later)
        return sum(map(self._value, groups.values()))

    def _value(self, worlds: list[World]) -> float:
        winner = worlds[0].state.winner
        if winner is not None:
            return sum(world.weight for world in worlds) if winner == self._seat else 0.0
        return max(self.moves(worlds).values())

    def moves(self, worlds: list[World]) -> dict[Move, float]:
        """The value of each move of a view, in worlds that the player can't tell apart, times their weight."""
        state = worlds[0].state
        legal = rules.legal_moves(self._deck, state)
        found: dict[Move, float] = {
            move: self._value_after(worlds, move)
            for move in legal
            if isinstance(move, Play) or (state.table and not state.stock)
        }
        if state.table and state.stock:
            drawn: dict[int, list[World]] = defaultdict(list)
            for world in worlds:
                drawn[world.state.stock[0]].append(world)
            found[Pass()] = sum(
                max(
                    self._value_after(group, move)
                    for move in rules.legal_moves(self._deck, group[0].state)
                    if isinstance(move, Pass)
                )
                for group in drawn.values()
            )
        return found


def _likely(moves: Sequence[M], values: list[float]) -> Iterator[tuple[M, float]]:
    """The moves whose share is not rare, in proportion to exp(value), with chances that add up to 1."""
    highest = max(values)
    shares = [exp(value - highest) for value in values]
    total = sum(shares)
    kept = [(move, share) for move, share in zip(moves, shares, strict=True) if share > _RARE * total]
    total = sum(share for _, share in kept)
    for move, share in kept:
        yield move, share / total


def every_world(position: KnownPosition, seat: int) -> list[World]:
    """Every deal that agrees with what a seat sees of a position, with weights that add up to 1."""
    view, state = GAME.view(position, seat), position.state
    assert isinstance(view, View)
    cards = [metal for metal, count in enumerate(view.unseen) for _ in range(count)]
    others = [other for other in range(view.players) if other != seat]
    found: Counter[tuple[tuple[rules.Counts, ...], tuple[int, ...]]] = Counter()
    for laid in permutations(cards, sum(view.hidden(other) for other in others) + view.hidden_stock):
        hands, rest = state.hands, laid
        for other in others:
            size = view.hidden(other)
            hands = rules.with_seat(hands, other, view.metals.counts(rest[:size]))
            rest = rest[size:]
        found[hands, rest] += 1
    total = found.total()
    return [
        World(count / total, replace(state, hands=hands, stock=stock)) for (hands, stock), count in found.items()
    ]


def endings(seed: int, players: int) -> Iterator[KnownPosition]:
    """Small positions without a history, that have a choice: two or three cards each, at most one in the stock."""
    rng = random.Random(seed)
    while True:
        data = random_position(
            rng,
            deck=random_table(rng, 6, 2),
            players=players,
            cards=players * rng.randint(2, 3) - 1,
            stock=rng.randint(0, 1),
        )
        position = parse_position(data)
        assert isinstance(position, KnownPosition)
        view = GAME.view(position, position.seat_to_move)
        assert isinstance(view, View)
        small = sum(view.unseen) <= 7 and not view.deal_passes
        if small and len(GAME.legal_moves(view)) > 1:
            yield position


def regret(position: KnownPosition, nodes: int, most: int, seed: int) -> float:
    """What the hint's move gives away. Raises TooLargeError when more than `most` moves are to be looked at."""
    seat = position.seat_to_move
    view = GAME.view(position, seat)
    values = Ending(position.metals, seat, most).moves(every_world(position, seat))
    best = GAME.hint(view, Control(Limit(nodes=nodes)), seed=seed).best
    return max(values.values()) - values[GAME.parse_move(view, str(best))]


@click.command()
@click.option("--count", default=100)
@click.option("--players", default=2)
@click.option("--nodes", default=4000, help="games a hint")
@click.option("--most", default=300_000, help="moves to look at in an ending; larger ones are left out")
@click.option("--seed", default=1)
def main(count: int, players: int, nodes: int, most: int, seed: int) -> None:
    """Measure the regret of hints in endings."""
    GAME.warm()
    found: list[float] = []
    large = 0
    for position in endings(seed, players):
        try:
            found.append(regret(position, nodes, most, len(found)))
        except TooLargeError:
            large += 1
        if len(found) == count:
            break
    click.echo(
        f"{players} players, {count} endings ({large} larger ones left out), hints of {nodes} games: mean regret "
        f"{np.mean(found):.4f} of a win, worst {max(found):.4f}, none in {sum(one < 1e-9 for one in found)}"
    )


if __name__ == "__main__":
    main()
