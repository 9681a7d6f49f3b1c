"""The weights of Aqua Regia's plausible player, learned by self-play: ``python -m benchmarks.aqua_learning``.

Cross-entropy method: candidates are drawn around the mean of the best of the last generation; each plays one seat
against players with that mean, over the same deals. The score of a game is 1 for going out first. It goes on from
the weights that there are, or begins afresh.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.game_words import COPIES, SCALARS, STOCKED, Game, settle
from solver.games.aqua_regia.players import PLAYER, WEIGHTS, reactivity_rows
from solver.games.aqua_regia.rollouts import play_on
from solver.games.aqua_regia.rules import HAND
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import below, start

_CHECK = 900_000  # the first of the deals that nothing is learned from


@kernel
def games(
    reactivity: Words, copies: int, players: int, first: int, count: int, one: Floats, others: Floats
) -> float:
    """The share of fresh deals number `first` … that a player with weights `one` wins, its seat going round."""
    metals = reactivity.shape[1]
    cards = np.empty(metals * copies, np.int64)
    random = np.zeros(1, np.int64)
    won = 0
    weights = np.empty((2, len(one)))
    weights[0], weights[1] = one, others
    shares = np.empty((players, 2))
    game = Game(
        reactivity,
        np.zeros((players, metals), np.int64),
        np.zeros(players, np.int64),
        np.zeros((2, metals), np.int64),
        np.zeros(SCALARS, np.int64),
        np.zeros(len(cards) - HAND * players, np.int64),
    )
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
        game.stock[:] = cards[HAND * players :]
        for seat in range(players):
            shares[seat, 0], shares[seat, 1] = float(seat == mine), float(seat != mine)
            game.sizes[seat] = HAND
            for place in range(HAND):
                game.hands[seat, cards[HAND * seat + place]] += 1
        game.scalars[COPIES] = copies
        game.scalars[STOCKED] = len(game.stock)
        settle(game)
        winner = play_on(game, weights, shares, random)
        won += winner == mine
    return won / count


def main() -> None:
    """Learn, and print the mean of each generation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--candidates", type=int, default=40)
    parser.add_argument("--games", type=int, default=1600, help="of each candidate")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--afresh", action="store_true", help="begin with no weights instead of the present ones")
    options = parser.parse_args()
    deck = house()
    reactivity = reactivity_rows(deck)
    random = np.random.default_rng(options.seed)
    present = np.array(PLAYER)
    mean = np.zeros(WEIGHTS) if options.afresh else present
    spread = np.maximum(0.15 * np.abs(mean), 3.0 if options.afresh else 1.2)
    first = 0
    for generation in range(options.generations):
        begin = time.thread_time()
        candidates = random.normal(mean, spread, (options.candidates, WEIGHTS))
        scores = [
            np.mean(
                [
                    games(reactivity, deck.copies, players, first, options.games // 3, candidate, mean) * players
                    for players in (2, 3, 4)
                ]
            )
            for candidate in candidates
        ]
        elite = candidates[np.argsort(scores)[-options.candidates // 5 :]]
        mean, spread = elite.mean(0), np.maximum(elite.std(0), 0.3)
        first += options.games
        fair = [
            players * games(reactivity, deck.copies, players, _CHECK, 6000, mean, present) for players in (2, 3, 4)
        ]
        print(
            f"{generation}: {time.thread_time() - begin:.1f} s; a fair share of wins against the present weights"
        )
        print(f"  is 1: {np.round(fair, 3)}")
        print(f"  {[round(float(weight), 2) for weight in mean]}", flush=True)


if __name__ == "__main__":
    main()
