"""What Aqua Regia's plausible players go by, for `solver/games/aqua_regia/players.py`.

``python -m training.aqua_regia_rules learn`` learns the trained player's weights by the cross-entropy method:
candidates are drawn around the mean of the best of the last generation; each plays one seat against players with
that mean, over the same deals. The score of a game is 1 for going out first. It goes on from the weights that
there are, or begins afresh.

``python -m training.aqua_regia_rules watch`` learns what hints choose: they play games among themselves, and the
weights of `policy` are fitted to their choices by maximum likelihood: a softmax, a tenth of the choices made at
random, and a faint pull towards three tenths of the trained player's weights. It prints ``AHEAD``, and the mean
log-likelihood of the choices of games that were held out.
"""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np
from scipy.optimize import minimize

from benchmarks.arena import play_deal
from benchmarks.arena_aqua import AquaContest
from benchmarks.players import Player, named
from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.game_words import COPIES, NOBODY, SCALARS, STOCKED, TURN, Game, settle
from solver.games.aqua_regia.network import Sight, move_by_rule, winner_of
from solver.games.aqua_regia.players import PLAYER, WEIGHTS, Kinds, reactivity_rows
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rules import HAND, Move, Play, next_field
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
from solver.kernels.jit import kernel
from solver.kernels.rng import below, start
from solver.kernels.words import Floats, Words

_CHECK = 900_000  # the first of the deals that nothing is learned from
AT_RANDOM = 0.1  # of the choices of hints
START = 0.3  # of the trained player's weights, from which those of hints are fitted
PULL = 1e-5
STEPS = 150  # of L-BFGS


@click.group()
def main() -> None:
    """The weights of Aqua Regia's plausible players."""


@kernel
def games(
    reactivity: Words, copies: int, players: int, first: int, count: int, one: Floats, others: Floats
) -> float:
    """The share of fresh deals number `first` … that a player with weights `one` wins, its seat going round."""
    metals = reactivity.shape[1]
    cards = np.empty(metals * copies, np.int64)
    random = np.zeros(1, np.int64)
    won = 0
    game = Game(
        reactivity,
        np.zeros((players, metals), np.int64),
        np.zeros(players, np.int64),
        np.zeros((2, metals), np.int64),
        np.zeros(SCALARS, np.int64),
        np.zeros(len(cards) - HAND * players, np.int64),
    )
    sight = Sight(game, np.zeros((players, metals), np.int64))
    for number in range(first, first + count):
        start(random, 77, number)
        for place in range(len(cards)):
            cards[place] = place // copies
        for place in range(len(cards) - 1, 0, -1):
            other = below(random, place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        mine = number % players
        game.hands[:] = 0
        game.piles[:] = 0
        game.scalars[:] = 0
        sight.known[:] = 0
        game.stock[:] = cards[HAND * players :]
        for seat in range(players):
            game.sizes[seat] = HAND
            for place in range(HAND):
                game.hands[seat, cards[HAND * seat + place]] += 1
        game.scalars[COPIES] = copies
        game.scalars[STOCKED] = len(game.stock)
        settle(game)
        while winner_of(sight) == NOBODY:
            move_by_rule(sight, one if game.scalars[TURN] == mine else others, random)
        won += winner_of(sight) == mine
    return won / count


@main.command()
@click.option("--generations", default=12)
@click.option("--candidates", default=40)
@click.option("--games", "count", default=1600, help="of each candidate")
@click.option("--seed", default=5)
@click.option("--afresh", is_flag=True, help="begin with no weights instead of the present ones")
def learn(generations: int, candidates: int, count: int, seed: int, afresh: bool) -> None:
    """Learn by self-play, and print the mean of each generation."""
    deck = house()
    reactivity = reactivity_rows(deck)
    random = np.random.default_rng(seed)
    present = np.array(PLAYER)
    mean = np.zeros(WEIGHTS) if afresh else present
    spread = np.maximum(0.15 * np.abs(mean), 3.0 if afresh else 1.2)
    first = 0
    for generation in range(generations):
        begin = time.thread_time()
        drawn = random.normal(mean, spread, (candidates, WEIGHTS))
        scores = [
            np.mean(
                [
                    games(reactivity, deck.copies, players, first, count // 3, candidate, mean) * players
                    for players in (2, 3, 4)
                ]
            )
            for candidate in drawn
        ]
        elite = drawn[np.argsort(scores)[-candidates // 5 :]]
        mean, spread = elite.mean(0), np.maximum(elite.std(0), 0.3)
        first += count
        fair = [
            players * games(reactivity, deck.copies, players, _CHECK, 6000, mean, present) for players in (2, 3, 4)
        ]
        took = time.thread_time() - begin
        click.echo(f"{generation}: {took:.1f} s; a fair share of wins against the present weights")
        click.echo(f"  is 1: {np.round(fair, 3)}")
        click.echo(f"  {[round(float(weight), 2) for weight in mean]}")


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


@main.command()
@click.option("--who", default="hint:400n", help="who plays, as the arena names players")
@click.option("--players", default=3)
@click.option("--games", default=400, help="and a sixth of it held out")
@click.option("--seed", default=301)
def watch(who: str, players: int, games: int, seed: int) -> None:
    """Watch hints choose, fit, and print the weights."""
    seen, held = watched(players, games, who, seed), watched(players, max(1, games // 6), who, seed + 1)
    weights = fitted(seen, START * np.array(PLAYER))
    click.echo("AHEAD = (\n" + "".join(f"    {weight:.2f},\n" for weight in weights) + ")")
    by = {"these": weights, "the trained player": np.array(PLAYER), "random": np.zeros(WEIGHTS)}
    for name, one in by.items():
        click.echo(f"held out, by {name}: {told(held, one):.3f} of {len(held.steps)} choices")


if __name__ == "__main__":
    main()
