"""What the plausible players of all games share: how values of choices become choices, as kernels.

A plausible player looks at its own cards and at what everybody has seen. It gives each choice that it has a value,
a weighted sum of features, and takes a choice with the probability of a softmax: in proportion to exp(value).
`to_chances` and `draw` do so by way of the probabilities, `gumbel` by the noise that makes the choice of the
highest noisy value such a draw (Gumbel 1954). Nobody plays quite like that, so where a hint judges what somebody
was seen to do, a share of the choices counts as made at random: `mixed`.
"""

from __future__ import annotations

from math import exp, log

from solver.kernels.jit import inlined, lean
from solver.kernels.rng import below, uniform
from solver.kernels.words import Floats, Words
from solver.search.trick_rules import MOST_MOVES, NEED, STATE_WORDS, listed, moves, play


@lean
def to_chances(count: int, out: Floats) -> None:
    """Turn the first `count` values of `out` into the probabilities of a softmax."""
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
def draw(count: int, out: Floats, random: Words) -> int:
    """Draw a place from 0 to `count` - 1 by the probabilities in `out`. `random` is a stream's one word."""
    left = uniform(random)
    place = 0
    while place < count - 1 and left >= out[place]:
        left -= out[place]
        place += 1
    return place


@lean
def gumbel(random: Words) -> float:
    """Noise that, added to each value, makes the choice of the highest sum a draw in proportion to exp(value)."""
    return -log(-log(uniform(random) + 1e-300) + 1e-300)


@inlined
def mixed(made: float, total: float, count: int, share: float) -> float:
    """The chance of a choice whose part is `made` of a `total`, out of `count` choices.

    A `share` (0 to 1) of the choices is made at random, each choice as likely as any other.
    """
    return (1 - share) * made / total + share / count


# ----------------------------------------------------------------------------------------------------
# Games of tricks played on to their end from a known deal, by the rules of the score search. Templates.
#
# They are instantiated with a game's rules over words (`solver.search.trick_rules`): `listed` and `play`, and for
# the default `policy` also `moves`. A game may bring a `policy` of its own. The score of a finished game is what
# the maximising side has won, counted from where the node's word `NEED` was 0.


FIRST_SHARE = 0.75  # how often a player of the default policy plays the move that a search would try first


def work_words(state_words: int, most_moves: int) -> int:
    """How many words of room `try_moves` needs."""
    return 2 * state_words + 2 * most_moves


# Templates from here on.


def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """The move that the seat to move makes; it writes moves to `out` from `to` on, where there is room for all.

    By default it is the one that a search would try first, three times of four; otherwise any legal move, each as
    likely. The search's order may take account of all hands, so these players are a little better informed than
    people are.
    """
    if uniform(random) < FIRST_SHARE:
        moves(deal, state, at, out, to, -1)
        return int(out[to])
    count = listed(deal, state, at, out, to)
    return int(out[to + below(random, count)])


def play_out(deal: Words, work: Words, at: int, other: int, out: int, random: Words) -> int:
    """Play the node in `work` at `at` to its end, and return the score.

    At `other` there is room for a node, at `out` for moves.
    """
    while listed(deal, work, at, work, out) > 0:
        move = policy(deal, work, at, work, out, random)
        play(deal, work, at, work, other, move)
        at, other = other, at
    return int(-work[at + NEED])


def try_moves(deal: Words, node: Words, random: Words, work: Words, results: Floats) -> int:
    """Play each legal move of a node, in canonical order, and on to the end, all with the same random numbers.

    ``results[move, 0]`` becomes its score. Returns the number of moves.
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
