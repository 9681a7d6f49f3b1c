"""How much kirin's hint loses in endings that can be worked out: ``python -m benchmarks.hint_regret --help``.

In a small ending every deal that agrees with the view is listed, with its weight, and the others' choices with
their chances, both by the hint's own model of them. The best that can be done against such players without
seeing their cards follows by expectation over what each next decision will have seen. The regret of a hint is
that value less the value of the hint's card, well played on: what is lost to sampling and to rounds finished by
rules of thumb.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import click
import numpy as np

from benchmarks.arena_kirin import learned
from solver import registry
from solver.answers import Limit
from solver.games.kirin import rules
from solver.games.kirin.fields import number, numbers
from solver.games.kirin.hidden import deals
from solver.games.kirin.inference import SEEN_WORDS, Evidence, Work, lay_seen, likelihood
from solver.games.kirin.order import COLOUR_SETS, INNER, to_inner
from solver.games.kirin.player import ALL, FEATURES, TABLE_WORDS, open_table, put, values
from solver.games.kirin.positions import KnownPosition, View
from solver.games.kirin.weights import DECLARE, PLAY
from solver.hints.softmax import to_chances
from solver.masks import mask
from solver.rng import Random
from solver.search.drive import Control

GAME = registry.game("kirin")


@dataclass(frozen=True, slots=True)
class World:
    """A deal at one of the player's turns, or at the end: its weight, and who collects what."""

    weight: float
    state: rules.State
    aside: tuple[int, ...]
    gone: int

    def score(self, seat: int) -> int:
        return rules.points(self.state.won, [card // 9 for card in self.aside])[seat]

    def after(self, card: int, chance: float) -> World:
        return World(self.weight * chance, rules.play(self.state, card), self.aside, self.gone | 1 << card)


def chances(world: World) -> Iterator[tuple[int, float]]:
    """The choices of the seat to move, with their chances."""
    state = world.state
    legal = sorted(rules.legal_moves(state), key=INNER.__getitem__)
    if len(legal) == 1:
        yield legal[0], 1.0
        return
    table, out = np.zeros(TABLE_WORDS, np.int64), np.zeros(9)
    open_table(table, state.leader, state.direction)
    for card in state.trick:
        put(table, INNER[card])
    aside = world.aside[state.to_move]
    hand = to_inner(state.hands[state.to_move])
    unseen = ALL & ~hand & ~to_inner(world.gone) & ~(1 << INNER[aside])
    values(hand, COLOUR_SETS[aside // 9], unseen, table, np.array(PLAY), np.zeros(FEATURES), out)
    to_chances(len(legal), out)
    yield from zip(legal, map(float, out), strict=False)


def to_turn(world: World, seat: int, seen: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], World]]:
    """Play the others on to the player's next turn or the end: what was seen, and where that leads."""
    if world.state.over or (seen and world.state.to_move == seat):
        yield seen, world
        return
    for card, chance in chances(world):
        yield from to_turn(world.after(card, chance), seat, (*seen, card))


def move_values(worlds: list[World], seat: int) -> dict[int, float]:
    """The value of each legal card in worlds that the player can't tell apart, times their weight."""
    found = {}
    for card in rules.legal_moves(worlds[0].state):
        groups: dict[tuple[int, ...], list[World]] = defaultdict(list)
        for world in worlds:
            for seen, later in to_turn(world.after(card, 1.0), seat):
                groups[seen].append(later)
        found[card] = sum(best_value(group, seat) for group in groups.values())
    return found


def best_value(worlds: list[World], seat: int) -> float:
    if worlds[0].state.over:
        return sum(world.weight * world.score(seat) for world in worlds)
    return max(move_values(worlds, seat).values())


def weighted_worlds(view: View) -> list[World]:
    """Every deal that agrees with the view, weighted by what was set aside and played."""
    found = deals(view)
    seen = np.zeros((len(found.tricks) // 6 * 4, SEEN_WORDS), np.int64)
    evidence = Evidence(seen, np.array(PLAY), np.array(DECLARE))
    work = Work(np.zeros(TABLE_WORDS, np.int64), np.zeros(FEATURES), np.zeros(9))
    lay_seen(found.tricks, work.table, seen)
    gone = sum(1 << card for trick in (*view.history, view) for card in _cards_of(trick))
    worlds = []
    for rank in range(found.total):
        position = found.position(rank)
        assert isinstance(position, KnownPosition)
        weight = 1.0
        for seat in range(4):
            if seat != view.seat:
                hand = to_inner(mask(numbers(position.hands[seat])))
                weight *= likelihood(seat, hand, INNER[number(position.declared[seat])], evidence, work)
        worlds.append(World(weight, position.state, tuple(map(number, position.declared)), gone))
    return worlds


def _cards_of(trick: object) -> tuple[int, ...]:
    return numbers(trick.trick if isinstance(trick, View) else trick.cards)  # type: ignore[attr-defined]


def endings(seed: int, most: int) -> Iterator[View]:
    """Turns with a choice, two or three cards in hand and at most `most` deals, of plausible rounds."""
    deal = 0
    while True:
        position = GAME.deal(seed, number=deal)
        random = Random(seed, deal)
        deal += 1
        assert isinstance(position, KnownPosition)
        while not position.state.over:
            view = GAME.view(position, position.seat_to_move)
            assert isinstance(view, View)
            small = len(view.hand) in (2, 3) and len(GAME.legal_moves(view)) > 1
            if small and deals(view).total <= most:
                yield view
            after = GAME.play(position, learned(view, random))
            assert isinstance(after, KnownPosition)
            position = after


@click.command()
@click.option("--count", default=100)
@click.option("--most", default=720, help="deals that agree with a view")
@click.option("--seconds", default=0.05, help="a hint")
@click.option("--seed", default=1)
def main(count: int, most: int, seconds: float, seed: int) -> None:
    """Measure the regret of hints in endings."""
    GAME.warm()
    regrets: list[float] = []
    by_cards: dict[int, list[float]] = defaultdict(list)
    for view in endings(seed, most):
        worlds = weighted_worlds(view)
        total = sum(world.weight for world in worlds)
        exact = {card: value / total for card, value in move_values(worlds, view.seat).items()}
        answer = GAME.hint(view, Control(Limit(seconds=seconds)), seed=len(regrets))
        regret = max(exact.values()) - exact[GAME.parse_move(view, str(answer.best))]
        regrets.append(regret)
        by_cards[len(view.hand)].append(regret)
        if len(regrets) == count:
            break
    for cards, found in sorted(by_cards.items()):
        click.echo(f"{cards} cards: {len(found)} endings, mean {np.mean(found):.4f}, worst {max(found):.4f}")
    right = sum(regret < 1e-9 for regret in regrets)
    click.echo(
        f"hint of {seconds:g} s: mean {np.mean(regrets):.4f} points, worst {max(regrets):.4f}, the best card "
        f"{right} times of {len(regrets)}"
    )


if __name__ == "__main__":
    main()
