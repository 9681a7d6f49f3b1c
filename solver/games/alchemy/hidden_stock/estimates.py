"""Estimates of the chance to win with a hidden stock, from sampled games: see `values` for the idea."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.common.control import Control
from solver.games.alchemy.fast_rules.dealing import deal_worlds
from solver.games.alchemy.hidden_stock import rollouts
from solver.games.alchemy.hidden_stock.composition import NODES, Composition
from solver.games.alchemy.hidden_stock.expectimax import Expectimax
from solver.games.alchemy.hidden_stock.stock import HiddenStock, Option, caps_and_lines
from solver.search.budget import Part

_LEVEL_SHARE = 0.8  # of the time left
_FRESH_SECONDS = 0.05  # with less time left games with the DP solved anew are not begun
_CHUNK = 250
# Errors measured where the truth is known (root mean squares, both variants):
_TABLE_ERROR = 0.02  # of the DP's value
# Of the difference of two moves' values, and of their means over endlessly many games, for each unit of p (1 - p):
_TABLE_GAP_ERROR = 0.02
_GAMES_GAP_ERROR = 0.01
_LEAST_GAP_ERROR = 2e-4
_STALE_ERROR = 0.002  # of the level, where the DP is not solved anew
_FRESH_ERROR = 0.0005  # of the level, where it is
_STDERR = 0.002
_SEPARATION = 4.0  # standard errors of the paired difference that end the sampling early
_FRESH_WORLDS = 400  # with the DP solved anew
_FRESH_LEAST = 40
_FRESH_STDERR = 0.0015
_FRESH_FEW = 600  # unseen counts product from which expectimax finishes a world: under a millisecond
_FRESH_POWER = 0.7  # the DP is solved anew when the product falls to this power of itself
_CHEAP_TABLE = 3_000_000  # outcomes looked at in a DP that can be solved anew for each world


class Estimate(NamedTuple):
    """A move's chance to win, and its standard error; None where one game does not tell it."""

    probability: float
    stderr: float | None


def sample(
    stock: HiddenStock, options: Sequence[Option], table: Composition, most: int, control: Control
) -> tuple[list[Estimate], int]:
    """The moves' chances from games on at most so many sampled stocks, and how many were sampled.

    Where the limit leaves time for none, the chances are the table's values.
    """
    cards = stock.cards
    caps, left = caps_and_lines(options)
    results = np.zeros((most, len(options)))
    done = 0

    def step(budget: int) -> tuple[bool, int]:
        nonlocal done
        cost = len(cards) * len(options)  # a node is a card drawn in one game
        # Looking at the separation only at whole chunks makes the answer independent of the slices.
        count = max(1, min(budget // cost, _CHUNK - done % _CHUNK, most - done))
        worlds = deal_worlds(cards, stock.seed, done, count)
        rollouts.play_worlds(
            *stock.tables.turns, table.plan.base, table.values, worlds, caps, left,
            results[done : done + count],
        )  # fmt: skip
        done += count
        separated = done % _CHUNK == 0 and _separated(results[:done])
        return done == most or separated, count * cost

    row = table.values[len(cards)]
    values = np.array([float(row[table.plan.base[option.cap] + option.line]) for option in options])

    def best() -> str:
        gaps = _gaps(values, results[:done])[0] if done else values
        return str(options[int(np.argmax(gaps))].move)

    control.drive(step, stage="sampled games", done=lambda: done / most, best=best)
    if done == 0:
        return [Estimate(value, _TABLE_ERROR) for value in values.tolist()], 0
    return _combined(stock, options, table, values, results[:done], control), done


def _combined(
    stock: HiddenStock,
    options: Sequence[Option],
    table: Composition,
    values: NDArray[np.float64],
    results: NDArray[np.float64],
    control: Control,
) -> list[Estimate]:
    """The moves' chances from the table's `values` (moves,) and the games' `results` (games, moves)."""
    means = results.mean(axis=0)
    gaps, errors = _gaps(values, results)
    top = int(np.argmax(gaps))
    level, error = _level(stock, table, options[top], len(results), control)
    measured = error is not None or len(results) > 1
    if error is None:
        level, error = float(means[top]), _stderr(results[:, top])
        model_error = _STALE_ERROR
    else:
        model_error = _FRESH_ERROR
    level = min(max(level, 0.0), 1.0)
    estimates = []
    for index in range(len(options)):
        probability = float(min(max(level + gaps[index] - gaps[top], 0.0), 1.0))
        # The errors of the gaps are those to the reference; the level's is the best move's.
        gap_error = 0.0 if index == top else errors[index]
        whole = sqrt(error**2 + model_error**2 + gap_error**2)
        estimates.append(Estimate(probability, whole if measured else None))
    return estimates


def _gaps(
    values: NDArray[np.float64], results: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By how much the chance of each move differs from that of the move with the highest value, and the errors.

    The table's `values` (moves,) and the games' `results` (games, moves) are weighted by their errors.
    """
    means = results.mean(axis=0)
    reference = int(np.argmax(values))
    chances = np.clip(values, 0, 1)
    spreads = chances * (1 - chances)
    gaps = np.zeros(len(values))
    errors = np.zeros(len(values))
    for index in range(len(values)):
        if index != reference:
            spread = max(float(spreads[index]), float(spreads[reference]))
            paired = _stderr(results[:, index] - results[:, reference])
            # Few games may all go the usual way: as if one more had gone the other.
            unseen_event = max(spread, _LEAST_GAP_ERROR) / len(results) ** 2
            stale = _GAMES_GAP_ERROR * spread + _LEAST_GAP_ERROR
            by_games = 1 / (paired**2 + unseen_event + stale**2)
            by_table = (_TABLE_GAP_ERROR * spread + 2 * _LEAST_GAP_ERROR) ** -2
            table_gap, games_gap = values[index] - values[reference], means[index] - means[reference]
            gaps[index] = (by_table * table_gap + by_games * games_gap) / (by_table + by_games)
            errors[index] = 1 / sqrt(by_table + by_games)
    return gaps, errors


def _level(
    stock: HiddenStock, table: Composition, best: Option, most: int, control: Control
) -> tuple[float, float | None]:
    """The chance to win after the best move, from games in which the DP is solved anew, and its standard error.

    At most `most` games are played. The error is None where there is no time for enough of them.
    """
    left = control.seconds_left()
    if int(table.control[NODES]) > _CHEAP_TABLE or (left is not None and left < _FRESH_SECONDS):
        return 0.0, None
    values: list[float] = []
    cards = stock.cards

    def step(_budget: int) -> tuple[bool, int]:
        world = deal_worlds(cards, stock.seed, len(values), 1)[0]
        value, nodes = _fresh_game(stock, table, world, best)
        values.append(value)
        enough = len(values) >= _FRESH_LEAST and _stderr(np.array(values)) < _FRESH_STDERR
        return enough or len(values) == min(most, _FRESH_WORLDS), nodes

    # Some time is kept for the clairvoyant's share.
    control.drive(
        step,
        until=Part(control, _LEVEL_SHARE).until,
        stage="games with the DP solved anew",
        done=lambda: len(values) / _FRESH_WORLDS,
        best=lambda: str(best.move),
    )
    if len(values) < _FRESH_LEAST:
        return 0.0, None
    return float(np.mean(values)), _stderr(np.array(values))


def _fresh_game(
    stock: HiddenStock, table: Composition, cards: NDArray[np.int8], option: Option
) -> tuple[float, int]:
    """One game after a move, the luck taken off, and the nodes that it took."""
    unseen = np.array(stock.counts, np.int64)
    state = np.array([option.cap, option.line, len(cards), 0], np.int64)
    luck = 0.0
    nodes = 0
    product = stock.product
    while True:
        few = max(_FRESH_FEW, int(product**_FRESH_POWER))
        luck += rollouts.play_on(
            *stock.tables.turns, table.plan.base, table.values, cards, unseen, state, few
        )  # fmt: skip
        cap, line, left, won = state.tolist()
        if left == 0:
            return won - luck, nodes
        product = int(np.prod(unseen + 1))
        if product <= _FRESH_FEW:
            search = Expectimax(stock.variant, unseen.tolist())
            search.enter(cap, line)
            finished = False
            while not finished:
                finished, spent = search.step(1 << 30)
                nodes += spent
            return search.value - luck, nodes
        digits = stock.tables.digits[line]
        table = Composition(
            stock.variant,
            cap,
            unseen.tolist(),
            np.bincount(digits[digits >= 0], minlength=stock.variant.ranks).tolist(),
        )
        nodes += table.step(1 << 40)[1]


def _stderr(sample: NDArray[np.float64]) -> float:
    return float(sample.std(ddof=1) / sqrt(len(sample))) if len(sample) > 1 else 1.0


def _separated(results: NDArray[np.float64]) -> bool:
    """Whether the best column is known well, and its lead over each other one is beyond doubt."""
    means = results.mean(axis=0)
    top = int(np.argmax(means))
    if _stderr(results[:, top]) > _STDERR:
        return False
    others = [index for index in range(len(means)) if index != top]
    return all(
        means[top] - means[other] > _SEPARATION * _stderr(results[:, top] - results[:, other]) for other in others
    )
