"""Simulated players, shared by all games: kernels that choose moves according to their estimated values.

A simulated player uses its own cards and what everybody has seen. It gives each choice a value, a weighted sum of
features, and draws a choice by softmax: in proportion to exp(value). `to_chances` and `draw_place` compute the
probabilities; `gumbel` gives noise such that the choice with the highest noisy value has the same distribution
(Gumbel 1954). Nobody plays exactly like that, so where a hint judges moves that were seen, a share of all choices
is assumed to be random: `mixed`.
"""

from __future__ import annotations

from math import exp, log

from solver.kernels.jit import inlined, lean
from solver.kernels.rng import below, uniform
from solver.kernels.words import Floats, Words
from solver.search.trick_rules import MOST_MOVES, NEED, STATE_WORDS, listed, moves, play


@lean
def to_chances(count: int, out: Floats) -> None:
    """Replace the first `count` values in `out` by their softmax probabilities."""
    most = out[0]
    for place in range(1, count):
        most = max(most, out[place])
    total = 0.0
    for place in range(count):
        out[place] = exp(out[place] - most)
        total += out[place]
    for place in range(count):
        out[place] /= total


@lean
def draw_place(count: int, out: Floats, random: Words) -> int:
    """Draw an index below `count` with the probabilities in `out`.

    `random` is an array of one word, the state of a random number generator.
    """
    left = uniform(random)
    place = 0
    while place < count - 1 and left >= out[place]:
        left -= out[place]
        place += 1
    return place


@lean
def gumbel(random: Words) -> float:
    """Return Gumbel noise.

    If an independent number from it is added to each value, each value has the highest sum with a probability in
    proportion to exp(value).
    """
    return -log(-log(uniform(random) + 1e-300) + 1e-300)


@inlined
def mixed(made: float, total: float, count: int, share: float) -> float:
    """Return the probability of a choice with weight `made` out of `total`, among `count` choices.

    The player chooses uniformly at random with probability `share`, otherwise in proportion to the weights.
    """
    return (1 - share) * made / total + share / count


# ----------------------------------------------------------------------------------------------------
# Trick games played out from a known deal, with the rules of the score search. Templates.
#
# They are instantiated with a game's rules over words (`solver.search.trick_rules`): `listed` and `play`, and for
# the default `policy` also `moves`. A game may provide its own `policy`. The score of a finished game is what the
# maximizing side has won since the node's word `NEED` was 0.


FIRST_SHARE = 0.75  # how often the default policy plays the move that a search would try first


def work_words(state_words: int, most_moves: int) -> int:
    """Return the number of words that `try_moves` needs in `work`."""
    return 2 * state_words + 2 * most_moves


# Templates from here on.


def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """Choose a move for the seat to move in the node at `state[at]`.

    `out` has room to list the legal moves from index `to` on. Three times in four, this default policy chooses the
    move that a search would try first; otherwise, a random legal move. The search may use all hands to order the
    moves, so these players know a little more than people do.
    """
    if uniform(random) < FIRST_SHARE:
        moves(deal, state, at, out, to, -1)
        return int(out[to])
    count = listed(deal, state, at, out, to)
    return int(out[to + below(random, count)])


def play_out(deal: Words, work: Words, at: int, other: int, out: int, random: Words) -> int:
    """Play the game from the node at index `at` of `work` to its end, and return the maximizing side's score.

    `work` has room for another node at index `other`, and for moves at index `out`.
    """
    while listed(deal, work, at, work, out) > 0:
        move = policy(deal, work, at, work, out, random)
        play(deal, work, at, work, other, move)
        at, other = other, at
    return int(-work[at + NEED])


def try_moves(deal: Words, node: Words, random: Words, work: Words, results: Floats) -> int:
    """Play out each legal move of a node to the end of the game, with the same random numbers for all moves.

    Writes the scores to ``results[move, 0]``, in canonical order, and returns the number of moves.
    """
    first, second = 0, STATE_WORDS
    legal = 2 * STATE_WORDS
    out = legal + MOST_MOVES
    count = listed(deal, node, 0, work, legal)
    begin = random[0]
    for place in range(count):
        random[0] = begin
        play(deal, node, 0, work, first, work[legal + place])
        results[place, 0] = play_out(deal, work, first, second, out, random)
    return int(count)
