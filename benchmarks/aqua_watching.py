"""Learn what hints of Aqua Regia do, to reckon with it: ``python -m benchmarks.aqua_watching --help``.

Hints play games among themselves; the weights of `policy` in `solver.games.aqua_regia.hints` are fitted to their
choices by maximum likelihood: a softmax, a tenth of the choices made at random, and a faint pull towards three
tenths of the trained rule player's weights. Prints ``AHEAD`` of `solver/games/aqua_regia/players.py`, and
the mean log-likelihood of the choices of games that were held out.
"""

from __future__ import annotations

from typing import Any

import click
import numpy as np
from scipy.optimize import minimize

from benchmarks.arena import play_deal
from benchmarks.arena_aqua import AquaContest
from benchmarks.arena_players import Player, named
from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.players import PLAYER, WEIGHTS, Kinds, reactivity_rows
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rules import Move, Play, next_field
from solver.games.aqua_regia.worlds import (
    COUNT,
    DRAWS,
    FIELD,
    FIRST,
    FOLLOWING,
    KIND,
    METAL,
    PASSES,
    PLAYS,
    SECOND,
    STEP_WORDS,
    chances_of,
    exchange_chances,
    play_chances,
)
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel

AT_RANDOM = 0.1
START = 0.3  # of the trained player's weights
PULL = 1e-5
STEPS = 150  # of L-BFGS


class Seen:
    """Choices that were made: the words of `chances` for each, the hand and the discard pile then."""

    def __init__(self) -> None:
        self.steps: list[Words] = []
        self.exchanges: list[bool] = []
        self.hands: list[Words] = []
        self.piles: list[Words] = []

    def note(self, view: View, move: Move) -> None:
        """Note a move that was chosen among several."""
        step = np.zeros(STEP_WORDS, np.int64)
        hand = np.array(view.held, np.int64)
        step[FIELD], step[FOLLOWING] = view.field_number, next_field(view.field_number, view.reversed)
        step[DRAWS] = int(view.stock_count > 0)
        if view.top is not None:
            step[METAL], step[COUNT] = view.top.metal, view.top.count
        step[FIRST] = step[SECOND] = -1
        if isinstance(move, Play):
            step[KIND], step[FIRST], step[SECOND] = PLAYS, move.metal, move.count
        else:
            step[KIND] = PASSES
            if move.discarded is not None and move.taken is not None:
                if view.drawn is None:
                    return  # with no stock to pass and to exchange are one choice
                step[FIRST], step[SECOND] = move.discarded, move.taken
        self.steps.append(step)
        self.exchanges.append(view.drawn is not None)
        self.hands.append(hand)
        self.piles.append(np.array(view.pile, np.int64))

    @property
    def arrays(self) -> tuple[Words, Any, Words, Words]:
        return np.array(self.steps), np.array(self.exchanges), np.array(self.hands), np.array(self.piles)


def watching(contest: AquaContest, player: Player, seen: Seen) -> Player:
    """A player whose choices are noted."""

    def play(view: Any) -> Any:
        move = player(view)
        if len(contest.game.legal_moves(view)) > 1:
            seen.note(view, move)
        return move

    return play


def watched(players: int, games: int, who: str, seed: int) -> Seen:
    """What equal players chose in so many games."""
    contest, seen = AquaContest(players), Seen()
    for number in range(games):
        table = [watching(contest, named(contest, who, number * players + seat), seen) for seat in range(players)]
        play_deal(contest, table, seed, number)
    return seen


@kernel
def likely(
    reactivity: Words,
    copies: int,
    kinds: Kinds,
    steps: Words,
    exchanges: Any,
    hands: Words,
    piles: Words,
) -> float:
    """The mean logarithm of the chance that a player of the one kind makes these choices."""
    chances, total, room, out = chances_of(reactivity, copies, kinds), 0.0, np.empty(2), np.empty(1)
    for row in range(len(steps)):
        out[0] = 1.0
        if exchanges[row]:
            exchange_chances(hands[row], piles[row], copies, steps[row], chances, room, out)
        else:
            play_chances(reactivity, hands[row], hands[row].sum(), steps[row], chances, room, out)
        total += np.log(out[0])
    return total / len(steps)


def told(seen: Seen, weights: Floats) -> float:
    """The same of weights, for the house deck."""
    deck = house()
    kinds = Kinds(weights.reshape(1, WEIGHTS), np.array([AT_RANDOM]), np.ones(1))
    return float(likely(reactivity_rows(deck), deck.copies, kinds, *seen.arrays))


def fitted(seen: Seen, start: Floats) -> Floats:
    """Weights that make the choices likely."""

    def loss(weights: Floats) -> float:
        return float(PULL * ((weights - start) ** 2).sum() - told(seen, weights))

    return np.asarray(minimize(loss, start, method="L-BFGS-B", options={"maxiter": STEPS}).x)


@click.command()
@click.option("--who", default="unmixed:400n", help="who plays, as the arena names players")
@click.option("--players", default=3)
@click.option("--games", default=400, help="and a sixth of it held out")
@click.option("--seed", default=301)
def main(who: str, players: int, games: int, seed: int) -> None:
    """Watch, fit, and print the weights."""
    seen, held = watched(players, games, who, seed), watched(players, max(1, games // 6), who, seed + 1)
    weights = fitted(seen, START * np.array(PLAYER))
    click.echo("AHEAD = (\n" + "".join(f"    {weight:.2f},\n" for weight in weights) + ")")
    by = {"these": weights, "the trained player": np.array(PLAYER), "random": np.zeros(WEIGHTS)}
    for name, one in by.items():
        click.echo(f"held out, by {name}: {told(held, one):.3f} of {len(held.steps)} choices")


if __name__ == "__main__":
    main()
