"""The weights of Aqua Regia's plausible players, for `solver/games/aqua_regia/players.py`.

``python -m training.aqua_regia_rules learn`` learns the trained player's weights by the cross-entropy method:
candidates are drawn around the mean of the best of the last generation; each plays one seat against players with
that mean, over the same deals. The score of a game is 1 for going out first. It starts from the existing weights,
or from scratch.

``python -m training.aqua_regia_rules watch`` learns what hints choose: hints play games against each other, and
the weights of `policy` are fitted to their choices by maximum likelihood, with a softmax, a share of the choices
made at random, and weak regularization towards three tenths of the trained player's weights. It prints ``AHEAD``,
and the mean log-likelihood of the choices in held-out games.
"""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np

from benchmarks.aqua_regia import AquaContest
from benchmarks.arena import play_deal
from benchmarks.players import Player, named
from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.fast_rules import reactivity_rows
from solver.games.aqua_regia.keys import Step
from solver.games.aqua_regia.players import PLAYER, WEIGHTS, new_scratch, policy
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Move, Pass, next_field
from solver.games.aqua_regia.worlds import chances_of, exchange_chance, play_chance, row_of
from solver.kernels.jit import kernel
from solver.kernels.words import Floats, Words
from training.aqua_regia_games import Players, new_table, score

_CHECK = 900_000  # the first of the deals that nothing is learned from
START = 0.3  # of the trained player's weights, from which those of hints are fitted
PULL = 1e-5
STEPS = 150  # of L-BFGS


@click.group()
def main() -> None:
    """Learn the weights of Aqua Regia's plausible players."""


def games(players: int, first: int, count: int, one: Floats, others: Floats) -> float:
    """The share of games that a player with weights `one` wins against players with weights `others`.

    Deals of the house deck, starting with number `first`, are each rotated through all seats; there are about
    `count` games.
    """
    brain = policy()[0]
    results = np.zeros((count // players, players))
    table, kinds = new_table(house(), players), np.array([0, *(1,) * (players - 1)])
    score(Players(brain, np.array([one, others])), table, new_scratch(brain.net), kinds, 77, first, results)
    return float(results.mean())


@main.command()
@click.option("--generations", default=12)
@click.option("--candidates", default=40)
@click.option("--games", "count", default=1600, help="of each candidate")
@click.option("--seed", default=5)
@click.option("--afresh", is_flag=True, help="begin with no weights instead of the present ones")
def learn(generations: int, candidates: int, count: int, seed: int, afresh: bool) -> None:
    """Learn by self-play, and print the mean of each generation."""
    random = np.random.default_rng(seed)
    present = np.array(PLAYER)
    mean = np.zeros(WEIGHTS) if afresh else present
    spread = np.maximum(0.15 * np.abs(mean), 3.0 if afresh else 1.2)
    first = 0
    for generation in range(generations):
        begin = time.thread_time()
        drawn = random.normal(mean, spread, (candidates, WEIGHTS))
        scores = [
            np.mean([games(players, first, count // 3, candidate, mean) * players for players in (2, 3, 4)])
            for candidate in drawn
        ]
        elite = drawn[np.argsort(scores)[-candidates // 5 :]]
        mean, spread = elite.mean(0), np.maximum(elite.std(0), 0.3)
        first += count
        fair = [players * games(players, _CHECK, 6000, mean, present) for players in (2, 3, 4)]
        took = time.thread_time() - begin
        click.echo(f"{generation}: {took:.1f} s; a fair share of wins against the present weights")
        click.echo(f"  is 1: {np.round(fair, 3)}")
        click.echo(f"  {[round(float(weight), 2) for weight in mean]}")


class Seen:
    """Recorded choices: the step (`row_of`), whether it is an exchange after drawing, the hand, the discard
    pile.
    """

    def __init__(self) -> None:
        self.steps: list[Words] = []
        self.exchanges: list[bool] = []
        self.hands: list[Words] = []
        self.piles: list[Words] = []

    def note(self, view: Round, move: Move) -> None:
        """Record a move that was chosen among several."""
        if isinstance(move, Pass) and move.taken is not None and view.drawn is None:
            return  # without a stock, passing and exchanging are one choice
        field, draws = view.field_number, view.stock_count > 0
        step = Step(view.seat, field, next_field(field, view.reversed), view.top, draws, move, "")
        self.steps.append(np.array(row_of(step, -1), np.int64))
        self.exchanges.append(view.drawn is not None)
        self.hands.append(np.array(view.held, np.int64))
        self.piles.append(np.array(view.pile, np.int64))

    @property
    def arrays(self) -> tuple[Words, Any, Words, Words]:
        return np.array(self.steps), np.array(self.exchanges), np.array(self.hands), np.array(self.piles)


def watching(contest: AquaContest, player: Player, seen: Seen) -> Player:
    """A player whose choices are recorded."""

    def play(view: Any) -> Any:
        move = player(view)
        if len(contest.game.legal_moves(view)) > 1:
            seen.note(view, move)
        return move

    return play


def watched(players: int, games: int, who: str, seed: int) -> Seen:
    """Play games with a player called `who` in each seat, and return their choices."""
    contest, seen = AquaContest(players), Seen()
    for number in range(games):
        table = [watching(contest, named(contest, who, number * players + seat), seen) for seat in range(players)]
        play_deal(contest, table, seed, number)
    return seen


@kernel
def likely(
    reactivity: Words,
    copies: int,
    weights: Floats,
    steps: Words,
    exchanges: Any,
    hands: Words,
    piles: Words,
) -> float:
    """The mean log-likelihood of recorded choices, if they are those of a player with these weights.

    `reactivity` and `copies` describe the deck. The last four arguments are `Seen.arrays`, with a row per choice.
    """
    chances, total = chances_of(reactivity, copies, weights), 0.0
    for row in range(len(steps)):
        if exchanges[row]:
            chance = exchange_chance(hands[row], piles[row], copies, steps[row], chances)
        else:
            chance = play_chance(reactivity, hands[row], hands[row].sum(), steps[row], chances)
        total += np.log(chance)
    return total / len(steps)


def told(seen: Seen, weights: Floats) -> float:
    """The mean log-likelihood of the choices for a player with these weights, with the house deck."""
    deck = house()
    return float(likely(reactivity_rows(deck), deck.copies, weights, *seen.arrays))


def fitted(seen: Seen, start: Floats) -> Floats:
    """Fit weights to choices by maximum likelihood, with a penalty for their distance from `start`."""
    from scipy.optimize import minimize  # which nothing else needs

    def loss(weights: Floats) -> float:
        return float(PULL * ((weights - start) ** 2).sum() - told(seen, weights))

    return np.asarray(minimize(loss, start, method="L-BFGS-B", options={"maxiter": STEPS}).x)


@main.command()
@click.option("--who", default="hint:400n", help="who plays, as the arena names players")
@click.option("--players", default=3)
@click.option("--games", default=400, help="and a sixth of it held out")
@click.option("--seed", default=301)
def watch(who: str, players: int, games: int, seed: int) -> None:
    """Record the choices of hints, fit the weights, and print them."""
    seen, held = watched(players, games, who, seed), watched(players, max(1, games // 6), who, seed + 1)
    weights = fitted(seen, START * np.array(PLAYER))
    click.echo("AHEAD = (\n" + "".join(f"    {weight:.2f},\n" for weight in weights) + ")")
    by = {"these": weights, "the trained player": np.array(PLAYER), "random": np.zeros(WEIGHTS)}
    for name, player_weights in by.items():
        click.echo(f"held out, by {name}: {told(held, player_weights):.3f} of {len(held.steps)} choices")


if __name__ == "__main__":
    main()
