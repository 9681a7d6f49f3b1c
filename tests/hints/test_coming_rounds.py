"""The rounds that follow in a match: drawn from whole rounds, and counted into the chance to win or share it."""

from __future__ import annotations

import numpy as np

from solver.hints.match import endings, judge_by_match, whole_rounds
from solver.kernels.words import Floats

SCORES = 1


class Openings:
    """Two choices before a round: the second brings seat 0 more on average, though not in every world."""

    moves, statistics, chained = 2, SCORES + 3, False

    def __init__(self, number: int) -> None:
        self._number = number

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        for world in range(len(results)):
            results[world, 0] = [3, 3, 0, 0]
            own = 2 if world == 0 else 4
            results[world, 1] = [own, own, self._number, world]


def test_whole_rounds_are_those_after_the_choice_that_brings_most_on_average() -> None:
    rounds = whole_rounds(lambda number, seed: Openings(number), SCORES, 3)
    worlds = int(rounds[:, 2].max()) + 1
    expected = [
        [2 if world == 0 else 4, number, world]
        for number in range(len(rounds) // worlds)
        for world in range(worlds)
    ]
    assert rounds.tolist() == expected


def test_endings_add_rounds_of_the_sample_turned_about_the_table() -> None:
    rounds = np.array([[5.0, 1.0, 0.0], [2.0, 2.0, 9.0]])
    turned = {(5, 1, 0), (0, 5, 1), (1, 0, 5), (2, 2, 9), (9, 2, 2), (2, 9, 2)}
    one, two = endings(rounds, 1), endings(rounds, 2)
    assert endings(rounds, 0) is None
    assert one is not None
    assert two is not None
    ways, counts = np.unique(one, axis=0, return_counts=True)
    assert {tuple(way) for way in ways.tolist()} == turned
    assert counts.min() / len(one) > 0.13  # each of the six has a sixth
    sums = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in turned for y in turned}
    assert {tuple(way) for way in two.tolist()} == sums


def test_the_chance_counts_every_ending_of_a_world() -> None:
    drawn = np.random.default_rng(3)
    coming = drawn.integers(0, 12, (4096, 3)).astype(float)
    scores = drawn.integers(0, 12, (5, 2, 3))
    before, first = (4, 0, 2), 126  # the fifth world begins again at the first ending
    results = np.zeros((5, 2, SCORES + 4))
    results[..., SCORES : SCORES + 3] = scores
    results[..., 0] = scores[..., 1]
    judge_by_match(results, before, 1, SCORES, first=first, coming=coming)
    for world in range(5):
        at = (first + world) * 32 % len(coming)
        for move in range(2):
            wins = 0
            for ending in coming[at : at + 32]:
                totals = [sum(parts) for parts in zip(before, scores[world, move], ending, strict=True)]
                wins += totals[1] >= max(totals)
            assert results[world, move, 0] == wins / 32
            assert results[world, move, SCORES + 3] == scores[world, move, 1]
