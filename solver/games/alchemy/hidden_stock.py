"""Hints for a solitaire whose stock is hidden: each move's chance to win, and why the best move is best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb, hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.common import compared
from solver.games.alchemy.deck import card, cards
from solver.games.alchemy.expectimax import (
    COMPOSITION_NODES,
    Composition,
    Expectimax,
    HiddenStock,
    Option,
    Values,
    caps_and_lines,
    hidden_stock,
    static_table,
    table_of,
)
from solver.games.alchemy.fast_rules import Lines, deal_worlds
from solver.games.alchemy.known_stock import NODES, RESULT, Search, answer, enter, next_stamp, run
from solver.games.alchemy.position import Round, SolitaireHint, SolitaireHintMove
from solver.hints.causes import (
    MOST_CAUSES,
    Claim,
    Notes,
    Predicate,
    Reason,
    after,
    behind,
    close,
    leading,
    only,
    part,
    said,
    where,
)
from solver.hints.ranking import CHANCE, SURE, Margin, Why, confidence_of, student
from solver.kernels.jit import kernel
from solver.kernels.words import Floats
from solver.limits import Control, Part

# ----------------------------------------------------------------------------------------------------
# The next turn after a move, in sampled stocks: its hand and match, and its value when played well.
#
# A move is judged by the chance to win after the next hand has been played, not by how one game ended: the mean is
# the move's own chance, with far less variance.


Judge = Composition | Expectimax


class NextTurn(NamedTuple):
    """The turn that follows a move, for several orders of the stock; each array has one element or row per order.

    `worth` is the chance to win after that turn. `hand` is the drawn card's rank from 0, and `matched` whether a
    match was found for it; if no card was left to draw, they are -1 and False. `used` (orders, ranks) is the
    number of line cards of each rank in the match.
    """

    worth: Floats
    hand: NDArray[np.int64]
    matched: NDArray[np.bool_]
    used: NDArray[np.int64]

    def drawing(self, rank: int) -> NDArray[np.bool_]:
        """Whether a card of this rank is drawn and finds a match."""
        drawn: NDArray[np.bool_] = self.hand == rank
        return self.matched & drawn


def next_turn(
    stock: HiddenStock, option: Option, worlds: NDArray[np.int8], judge: Judge, fewer: int = 0
) -> NextTurn:
    """Play the turn after a move with each order of the stock (orders, cards), the last card drawn first.

    `judge` is the solved table or the search that supplies the chances to win. With `fewer`, the turn is valued as
    if that many cards, the last to be drawn, were missing from the stock.
    """
    tables, count = stock.tables, len(worlds)
    left_in_stock = worlds.shape[1]
    line = np.full(count, option.line, np.int64)
    for _ in range(min(option.cap - int(tables.size[option.line]), left_in_stock)):
        left_in_stock -= 1
        line = tables.insert[line * tables.ranks + worlds[:, left_in_stock]].astype(np.int64)
    if left_in_stock - fewer <= 1:  # the last card is drawn now, or is the hand: won
        nothing = np.zeros((count, tables.ranks), np.int64)
        return NextTurn(np.ones(count), np.full(count, -1), np.zeros(count, np.bool_), nothing)
    left_in_stock -= 1
    hand = worlds[:, left_in_stock].astype(np.int64)
    key = line * tables.ranks + hand
    # The rest of the stock follows from these, so each combination is judged once.
    _, alike, which = np.unique(
        np.column_stack([key, np.sort(worlds[:, :fewer], axis=1)]), axis=0, return_index=True, return_inverse=True
    )
    key, left = key[alike], worlds[alike, fewer:left_in_stock]
    begin = tables.start[key].astype(np.int64)
    sizes = tables.start[key + 1].astype(np.int64) - begin
    starts = np.cumsum(sizes) - sizes
    of_turn = np.repeat(np.arange(len(key)), sizes)
    outcome = tables.outcome[np.arange(int(sizes.sum())) + np.repeat(begin - starts, sizes)].astype(np.int64)
    matched = outcome >= 0
    rest = np.where(matched, outcome, ~outcome)
    caps = option.cap - ~matched
    worth = _worth(stock, judge, caps, rest, left[of_turn])
    best = _firsts_of_highest(worth, starts, of_turn)[which]
    digits = tables.digits
    used = _counts(digits[line], tables.ranks) - _counts(digits[rest[best]], tables.ranks)
    return NextTurn(worth[best], hand, matched[best], used * matched[best][:, None])


def _worth(
    stock: HiddenStock, judge: Judge, caps: NDArray[np.int64], lines: NDArray[np.int64], left: NDArray[np.int8]
) -> Floats:
    """Return the chance to win from each line.

    Line i has at most `caps[i]` cards, and the stock holds the cards `left[i]`.
    """
    if isinstance(judge, Composition):
        open_ = caps >= stock.variant.shortest
        row = judge.values[left.shape[1]]
        return np.where(open_, row[judge.plan.base[np.where(open_, caps, stock.variant.shortest)] + lines], 0.0)
    worths: Floats = np.zeros(len(caps))
    known: dict[tuple[int, ...], float] = {}
    for index, (cap, line) in enumerate(zip(caps.tolist(), lines.tolist(), strict=True)):
        if cap >= stock.variant.shortest:
            counts = np.bincount(left[index], minlength=stock.tables.ranks)
            state = (cap, line, *counts.tolist())
            if state not in known:
                known[state] = judge.value_with(cap, line, counts)
            worths[index] = known[state]
    return worths


def _firsts_of_highest(worth: Floats, starts: NDArray[np.int64], of_turn: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of each turn's highest value, the first one in a tie.

    `starts` is the index of each turn's first value, `of_turn` the turn of each value.
    """
    highest = np.maximum.reduceat(worth, starts)
    places = np.flatnonzero(worth >= highest[of_turn])
    return places[np.unique(of_turn[places], return_index=True)[1]]


def _counts(digits: NDArray[np.int8], ranks: int) -> NDArray[np.int64]:
    """Count the cards of each rank in each line, as an array (lines, ranks)."""
    return np.array([(digits == rank).sum(axis=1) for rank in range(ranks)], np.int64).T


# ----------------------------------------------------------------------------------------------------
# Possible causes of the lead of a solitaire's move: the next hands that match, what is kept for them, the stock.
#
# Both moves are played on with the same stocks up to the end of the next turn (`next_turn`).


_WORLDS = 4000
_FEW_WORLDS = 500  # if a search has to judge nearly every one
_SECONDS = 0.1  # with less time left, no cause is looked for


class Scene(NamedTuple):
    """Two moves to compare, and the turn after each for several orders of the stock."""

    stock: HiddenStock
    best: Option
    second: Option
    first: NextTurn
    other: NextTurn

    @property
    def named(self) -> dict[str, str]:
        return {"move": str(self.best.move), "other": str(self.second.move)}

    def with_card(self, rank: int) -> dict[str, str]:
        return {"card": card(rank + 1), **self.named}

    def line(self, option: Option) -> Counter[int]:
        """Count the cards that a move leaves in the line, by their rank from 0."""
        return Counter(rank for rank in self.stock.tables.digits[option.line].tolist() if rank >= 0)

    @property
    def kept(self) -> list[int]:
        """The ranks of which the best move leaves more cards in the line than the other."""
        return sorted(self.line(self.best) - self.line(self.second))

    @property
    def shed(self) -> list[int]:
        """The ranks of which the other move leaves more."""
        return sorted(self.line(self.second) - self.line(self.best))


def because(
    stock: HiddenStock, options: Sequence[Option], ahead: Margin, judge: Judge, control: Control
) -> Sequence[Reason]:
    """Return up to two causes of the best move's margin `ahead`; none if there is too little time or memory.

    `options` are the moves to which `ahead` refers.
    """
    left = control.seconds_left()
    if left is not None and left < _SECONDS:
        return ()
    worlds = deal_worlds(stock.cards, stock.seed, 0, _WORLDS)
    few = slice(_FEW_WORLDS if isinstance(judge, Expectimax) else None)
    turn = cache(lambda move: next_turn(stock, options[move], worlds, judge))

    def shown(ahead: Margin) -> Sequence[Reason]:
        turns = {move: turn(move) for move in (ahead.best, ahead.second, *ahead.worse)}

        def draws(one: int, other: int) -> list[Claim]:
            return _draws(stock, options[one], options[other], judge, worlds[few], turns[other].worth[few])

        def compare(one: int, other: int) -> Scene:
            return Scene(stock, options[one], options[other], turns[one], turns[other])

        causes = behind((DRAWS_MORE,), draws, noted(turns, few), ahead)
        return (*causes, *behind(NEXT_TURN, compare, noted(turns), ahead))[:MOST_CAUSES]

    try:
        first = shown(replace(ahead, worse=()))
        return shown(ahead) if first else first  # playing all moves takes time
    except MemoryError:
        return ()


def _draws(
    stock: HiddenStock, best: Option, second: Option, judge: Judge, worlds: NDArray[np.int8], worth: Floats
) -> list[Claim]:
    """Claim that `best` is ahead because it takes more cards from the stock than `second`.

    To test this, `second` is valued again with as many cards fewer in the stock. Returns no claim if `best` does
    not take more, or if the maximum line lengths differ.
    """
    size = stock.tables.size
    more = int(size[second.line]) - int(size[best.line])
    if more <= 0 or best.cap != second.cap:
        return []
    gained = next_turn(stock, second, worlds, judge, fewer=more).worth - worth
    return [part(gained, more, move=str(best.move), other=str(second.move), count=more)]


def noted(turns: Mapping[int, NextTurn], some: slice = slice(None)) -> Notes:
    """Convert the chances after some moves to `Notes`, for tests of causes; `some` selects the stock orders."""
    scores = np.zeros((len(turns[0].worth[some]), max(turns) + 1))
    for move, turn in turns.items():
        scores[:, move] = turn.worth[some]
    return Notes(scores[:, :, None], np.zeros((len(scores), 0), np.int64), np.arange(len(scores)))


row = Predicate[Scene]

DRAWS_MORE = Predicate[list[Claim]](
    "draws_more", "stock", "{move} uses more line cards than {other}, so the stock shrinks by {count} more.",
    lambda claims: claims,
)  # fmt: skip
NEXT_TURN: tuple[Predicate[Scene], ...] = (
    row("finds_match", "hand",
        "The next card finds a match in {deals} after {move}, in {other_share} after {other}.",
        lambda s: [after(s.first.matched, s.other.matched, **s.named)]),
    row("keeps_card", "line",
        "{move} keeps the {card}: the next match uses it in {deals}, in {other_share} after {other}.",
        lambda s: [after(s.first.used[:, rank] > 0, s.other.used[:, rank] > 0, **s.with_card(rank))
                   for rank in s.kept]),
    row("sheds_card", "line",
        "{other} leaves the {card}, and is worse mainly when the next match does not use it ({deals}).",
        lambda s: [where(s.other.used[:, rank] == 0, **s.with_card(rank)) for rank in s.shed], rank=1),
    row("next_card", "hand",
        "If the next card is {card}, {move} leaves a match for it more often than {other}.",
        lambda s: [after(s.first.drawing(rank), s.other.drawing(rank), **s.with_card(rank))
                   for rank in range(s.stock.tables.ranks)], rank=1),
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------
# Sampled games with a hidden stock: results of a policy, with a control variate, and of a clairvoyant player.
#
# A table W of values (`expectimax.Composition`) gives the policy: choose the outcome with the highest value. Along
# a sampled game, each drawn card's W minus the mean of W over the possible cards has expectation zero; the sum of
# these differences explains most of the game's luck, and is subtracted from its result (the idea of AIVAT: Burch
# et al. 2018). The mean remains exactly that of the policy; the variance falls.


@kernel
def _best_outcome(
    shortest: int,
    cap: int,
    begin: int,
    end: int,
    outcome: NDArray[np.int16],
    base: NDArray[np.int64],
    row: Values,
) -> tuple[float, int, int]:
    """Return the value, the maximum line length and the line of a turn's best outcome.

    `outcome[begin:end]` holds the outcomes, `row` the values of all nodes.
    """
    best = -1.0
    best_line = 0
    if outcome[begin] < 0:
        cap -= 1
        if cap < shortest:
            return 0.0, cap, 0
    for index in range(begin, end):
        rest = int(outcome[index])
        if rest < 0:
            rest = ~rest
        value = float(row[base[cap] + rest])
        if value > best:
            best = value
            best_line = rest
    return best, cap, best_line


@kernel
def play_on(
    tables: Lines,
    base: NDArray[np.int64],
    values: Values,
    stock: NDArray[np.int8],
    unseen: NDArray[np.int64],
    state: NDArray[np.int64],
    few: int,
) -> float:
    """Play on by the values of a solved table until the game is over or few cards are unseen.

    Cards are few if the product of (unseen count + 1) over all ranks is at most `few`. `state` (cap, line, cards
    left, won) is updated; 0 cards left means that the game is over. `stock` holds ranks from 0, the last drawn
    first, and `unseen` the number of cards of each rank. Returns the luck of the draws: how much higher they made
    the chance to win than an average draw would.
    """
    ranks, shortest, size = tables.ranks, tables.shortest, tables.size
    insert, start, outcome = tables.insert, tables.start, tables.outcome
    cap = state[0]
    line = state[1]
    left = state[2]
    product = np.int64(1)
    for rank in range(ranks):
        product *= unseen[rank] + 1
    luck = 0.0
    while left > 1 and cap >= shortest and product > few:
        # A chance node with `left` cards: use W with left - 1 cards for each outcome.
        drawn = int(stock[left - 1])
        row = values[left - 1]
        mean = 0.0
        got = 0.0
        if size[line] < cap:
            for rank in range(ranks):
                if unseen[rank] > 0:
                    mean += unseen[rank] * row[base[cap] + insert[line * ranks + rank]]
            line = int(insert[line * ranks + drawn])
            got = row[base[cap] + line]
        else:
            next_cap = cap
            next_line = line
            for rank in range(ranks):
                if unseen[rank] > 0:
                    key = line * ranks + rank
                    value, its_cap, its_line = _best_outcome(
                        shortest, cap, start[key], start[key + 1], outcome, base, row
                    )
                    mean += unseen[rank] * value
                    if rank == drawn:
                        got = value
                        next_cap = its_cap
                        next_line = its_line
            cap = next_cap
            line = next_line
        luck += got - mean / left
        product = product // (unseen[drawn] + 1) * unseen[drawn]
        unseen[drawn] -= 1
        left -= 1
    state[0] = cap
    state[1] = line
    state[2] = left
    state[3] = 0
    if left <= 1 or cap < shortest:
        state[2] = 0
        state[3] = cap >= shortest
    return luck


@kernel
def play_worlds(
    tables: Lines,
    base: NDArray[np.int64],
    values: Values,
    worlds: NDArray[np.int8],
    caps: NDArray[np.int64],
    lines: NDArray[np.int64],
    results: NDArray[np.float64],
) -> None:
    """Play each stock to the end after every move, choosing the further moves by the values of a solved table.

    Writes to `results` (worlds, moves) 1 for a win or 0 for a loss, minus the luck of the draws (see `play_on`).
    Each move leaves the line `lines[move]` with the maximum length `caps[move]`. The stock must not be empty.
    """
    ranks = tables.ranks
    counts = np.zeros(ranks, np.int64)
    unseen = np.zeros(ranks, np.int64)
    state = np.zeros(4, np.int64)
    for stocked in worlds[0]:
        counts[stocked] += 1
    for world in range(len(worlds)):
        for move in range(len(caps)):
            for rank in range(ranks):
                unseen[rank] = counts[rank]
            state[0] = caps[move]
            state[1] = lines[move]
            state[2] = worlds.shape[1]
            luck = play_on(
                tables, base, values, worlds[world], unseen, state, 0
            )  # fmt: skip
            results[world, move] = state[3] - luck


@kernel
def clairvoyant_wins(
    tables: Lines,
    worlds: NDArray[np.int8],
    caps: NDArray[np.int64],
    lines: NDArray[np.int64],
    stack: NDArray[np.int64],
    memo: NDArray[np.int32],
    control: NDArray[np.int64],
    wins: NDArray[np.int64],
    budget: int,
) -> int:
    """Add to `wins` (moves,) the number of stocks with which a player who sees the stock wins after each move.

    Stops after the stock that uses up the node budget; returns the number of stocks done.
    """
    ranks, shortest, size, insert = tables.ranks, tables.shortest, tables.size, tables.insert
    last = control[NODES] + budget
    for world in range(len(worlds)):
        if control[NODES] >= last:
            return world
        stock = worlds[world, ::-1].copy()
        next_stamp(control, memo)
        for move in range(len(caps)):
            cap = caps[move]
            if cap < shortest:
                continue
            line = lines[move]
            pos = 0
            while size[line] < cap and pos < len(stock):
                line = int(insert[line * ranks + int(stock[pos])])
                pos += 1
            if pos == len(stock):
                wins[move] += 1
                continue
            enter(pos, line, stack, control)
            run(tables, stock, len(stock), stack, memo, control, 1 << 60)
            wins[move] += control[RESULT] == 0
    return len(worlds)


# ----------------------------------------------------------------------------------------------------
# Estimates of the chance to win with a hidden stock, from sampled games: see `evaluate` for the idea.


_LEVEL_SHARE = 0.8  # of the time left
_FRESH_SECONDS = 0.05  # with less time left, games with repeated DPs are not started
_CHUNK = 250
# Errors measured where the truth is known (root mean squares, both variants):
_TABLE_ERROR = 0.02  # of the DP's value
# Of the difference of two moves' values, and of their means over infinitely many games, per unit of p (1 - p):
_TABLE_GAP_ERROR = 0.02
_GAMES_GAP_ERROR = 0.01
_LEAST_GAP_ERROR = 2e-4
_STALE_ERROR = 0.002  # of the level, without repeated DPs
_FRESH_ERROR = 0.0005  # of the level, with repeated DPs
_STDERR = 0.002
_SEPARATION = 4.0  # standard errors of the paired difference that end the sampling early
_FRESH_WORLDS = 400  # with repeated DPs
_FRESH_LEAST = 40
_FRESH_STDERR = 0.0015
_FRESH_FEW = 600  # product of unseen counts at which expectimax finishes a world: under a millisecond
_FRESH_POWER = 0.7  # the DP is solved again when the product falls to this power of itself
_CHEAP_TABLE = 3_000_000  # outcomes of a DP that is fast enough to solve repeatedly in each world


class Estimate(NamedTuple):
    """A move's chance to win and its standard error, which is None after a single game."""

    probability: float
    stderr: float | None


def sample(
    stock: HiddenStock, options: Sequence[Option], table: Composition, most: int, control: Control
) -> tuple[list[Estimate], int]:
    """Estimate each move's chance to win by playing games on sampled stocks.

    Returns the estimates and the number of stocks sampled, at most `most`. If there is no time for a single game,
    the estimates are the values of `table`.
    """
    cards = stock.cards
    caps, left = caps_and_lines(options)
    results = np.zeros((most, len(options)))
    done = 0

    def step(budget: int) -> tuple[bool, int]:
        nonlocal done
        cost = len(cards) * len(options)  # a node is a card drawn in one game
        # Checking the separation only after whole chunks makes the answer independent of the slices.
        count = max(1, min(budget // cost, _CHUNK - done % _CHUNK, most - done))
        worlds = deal_worlds(cards, stock.seed, done, count)
        play_worlds(
            stock.tables, table.plan.base, table.values, worlds, caps, left,
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
    """Estimate each move's chance from the table's `values` (moves,) and the games' `results` (games, moves)."""
    means = results.mean(axis=0)
    gaps, errors = _gaps(values, results)
    top = int(np.argmax(gaps))
    level, error = _estimates_level(stock, table, options[top], len(results), control)
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
        # The errors of the gaps are relative to the reference; the level's error is the best move's.
        gap_error = 0.0 if index == top else errors[index]
        whole = sqrt(error**2 + model_error**2 + gap_error**2)
        estimates.append(Estimate(probability, whole if measured else None))
    return estimates


def _gaps(
    values: NDArray[np.float64], results: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how much each move's chance differs from that of the table's best move, with standard errors.

    Combines the table's `values` (moves,) with the games' `results` (games, moves), weighted by their errors.
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
            # A few games may all end alike by luck: as if one more had ended the other way.
            unseen_event = max(spread, _LEAST_GAP_ERROR) / len(results) ** 2
            stale = _GAMES_GAP_ERROR * spread + _LEAST_GAP_ERROR
            by_games = 1 / (paired**2 + unseen_event + stale**2)
            by_table = (_TABLE_GAP_ERROR * spread + 2 * _LEAST_GAP_ERROR) ** -2
            table_gap, games_gap = values[index] - values[reference], means[index] - means[reference]
            gaps[index] = (by_table * table_gap + by_games * games_gap) / (by_table + by_games)
            errors[index] = 1 / sqrt(by_table + by_games)
    return gaps, errors


def _estimates_level(
    stock: HiddenStock, table: Composition, best: Option, most: int, control: Control
) -> tuple[float, float | None]:
    """Estimate the best move's chance from at most `most` games, which solve new tables as the stock shrinks.

    Returns the chance and its standard error, or (0, None) if there was no time for enough games.
    """
    left = control.seconds_left()
    if int(table.control[COMPOSITION_NODES]) > _CHEAP_TABLE or (left is not None and left < _FRESH_SECONDS):
        return 0.0, None
    values: list[float] = []
    cards = stock.cards

    def step(_budget: int) -> tuple[bool, int]:
        world = deal_worlds(cards, stock.seed, len(values), 1)[0]
        value, nodes = _fresh_game(stock, table, world, best)
        values.append(value)
        enough = len(values) >= _FRESH_LEAST and _stderr(np.array(values)) < _FRESH_STDERR
        return enough or len(values) == min(most, _FRESH_WORLDS), nodes

    # Keep some time for the clairvoyant share.
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
    """Play one game after a move; return its result, corrected for luck, and the number of nodes used."""
    unseen = np.array(stock.counts, np.int64)
    state = np.array([option.cap, option.line, len(cards), 0], np.int64)
    luck = 0.0
    nodes = 0
    product = stock.product
    while True:
        few = max(_FRESH_FEW, int(product**_FRESH_POWER))
        luck += play_on(
            stock.tables, table.plan.base, table.values, cards, unseen, state, few
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
    return float(sample.std(ddof=1) / sqrt(len(sample))) * student(len(sample) - 1) if len(sample) > 1 else 1.0


def _separated(results: NDArray[np.float64]) -> bool:
    """Whether the best mean has a small standard error and is significantly above all others.

    `results` is (games, moves).
    """
    means = results.mean(axis=0)
    top = int(np.argmax(means))
    if _stderr(results[:, top]) > _STDERR:
        return False
    others = [index for index in range(len(means)) if index != top]
    return all(
        means[top] - means[other] > _SEPARATION * _stderr(results[:, top] - results[:, other]) for other in others
    )


# ----------------------------------------------------------------------------------------------------
# What a player who sees the stock would win: the share of stock orders, counting all of them or a sample.


_SAMPLED_ORDERS = 1000
_ALL_ORDERS = 5040  # up to this many stock orders, all are counted


class Clairvoyant(NamedTuple):
    """The share of stock orders won after each move by a player who sees the stock.

    `all_orders` is False if only some orders were sampled.
    """

    shares: list[float]
    all_orders: bool


def clairvoyant(stock: HiddenStock, options: Sequence[Option], control: Control) -> Clairvoyant | None:
    """Return the share of stock orders that a player who sees the stock wins after each move.

    Returns None if the limit was reached before the first sampled order was solved or, for a short stock, before
    all orders were counted.
    """
    caps, left = caps_and_lines(options)
    orders = count_orders(stock.counts)
    every = np.array(list(_permutations(stock.counts)), np.int8) if orders <= _ALL_ORDERS else None
    most = _SAMPLED_ORDERS if every is None else len(every)
    search = Search(stock.tables)
    wins = np.zeros(len(options), np.int64)
    done = 0

    def step(budget: int) -> tuple[bool, int]:
        nonlocal done
        before = int(search.control[NODES])
        count = min(budget // len(options) + 1, most - done)
        if every is None:
            worlds = deal_worlds(stock.cards, stock.seed, done, count)
        else:
            worlds = every[done : done + count]
        # Counting nodes per world makes a node limit independent of the slices.
        done += clairvoyant_wins(
            stock.tables, worlds, caps, left, search.stack, search.memo, search.control, wins, budget
        )  # fmt: skip
        return done == most, max(1, int(search.control[NODES]) - before)

    control.drive(step, stage="clairvoyant")
    if done == 0 or (every is not None and done < most):
        return None
    return Clairvoyant([won / done for won in wins.tolist()], every is not None)


def count_orders(counts: Sequence[int]) -> int:
    """Return the number of distinct orders of a multiset with these counts."""
    total, orders = 0, 1
    for count in counts:
        total += count
        orders *= comb(total, count)
    return orders


def _permutations(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every distinct order of a multiset with `counts[rank]` cards of each rank."""
    left = list(counts)

    def extend(prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield prefix
        for rank, count in enumerate(left):
            if count:
                left[rank] -= 1
                yield from extend((*prefix, rank))
                left[rank] += 1

    return extend(())


# ----------------------------------------------------------------------------------------------------
# The chance to win after each move of a solitaire whose stock is hidden: exact, or a sampled estimate.
#
# 1. *Expectimax* if few cards are unseen: exact.
# 2. Otherwise *composition DP* from the unseen cards gives each move a value, and a policy that plays games out on
# the same sampled stocks after every move (common random numbers, luck subtracted). Both estimate the differences
# between moves, weighted by their errors.
# 3. The policy grows stale as cards are drawn, so it wins less often than best play. For the best move, some games
# are played with the DP solved again on the way and the last cards exact: they set the level of all estimates.


_EXACT_PRODUCT = 1 << 17  # product of the unseen counts plus one; above it, expectimax is not tried
_EXACT_PRODUCT_A_SECOND = 2e5  # about how much is solved in a second
_EXACT_NODES = 40_000_000  # without a limit
_EXACT_SHARE = 0.5  # of the time left
WORLDS = 4000


class Chance(NamedTuple):
    """A move, and its entry in the hint, which holds its chance to win."""

    option: Option
    found: SolitaireHintMove


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every move's chance to win, best first, the method used, and the number of sampled stocks.

    `judge` is the table or search that gave the chances; None if the rules alone decided.
    """

    moves: list[Chance]
    method: str
    worlds: int
    judge: Judge | None


def evaluate(stock: HiddenStock, control: Control, worlds: int | None = None) -> Evaluation:
    """Evaluate every move. Where the chances are not exact, at most `worlds` stocks are sampled."""
    options = stock.options()
    still_open = [option for option in options if not option.lost]
    method, sampled = "rules", 0
    judge: Judge | None = None
    estimates: list[Estimate] = []
    solved: Clairvoyant | None = None
    if still_open:
        exact = _exact(stock, still_open, control)
        if exact is not None:
            method, (estimates, judge) = "expectimax", exact
        else:
            judge = table = table_of(stock, control)
            name = "static table" if table is static_table(stock.variant) else "composition DP"
            method = f"{name}, sampled games"
            estimates, sampled = sample(stock, still_open, table, worlds or WORLDS, control)
        solved = clairvoyant(stock, still_open, control)
    shares = [None] * len(still_open) if solved is None else solved.shares
    of_open = iter(zip(estimates, shares, strict=True))
    every = []
    for option in options:
        (probability, stderr), share = (Estimate(0.0, 0.0), 0.0) if option.lost else next(of_open)
        known = option.lost or method == "expectimax"
        if solved is not None and share is not None and not option.lost:
            # A player who sees the stock wins at least as often: neither number may contradict the other if one of
            # them is exact. (A sample of orders may be too low by chance.)
            winnable = share
            share = max(winnable, probability) if known else winnable
            probability = min(probability, winnable) if solved.all_orders else probability
        move = SolitaireHintMove(
            move=str(option.move),
            used=tuple(cards(option.move.used)),
            win_probability=probability,
            stderr=stderr,
            exact=known,
            clairvoyant=share,
            method="rules" if option.lost else method,
        )
        every.append(Chance(option, move))
    # Rounding keeps equal chances in canonical order, though they were summed in different orders.
    every.sort(key=lambda chance: -round(chance.found.win_probability, 12))
    return Evaluation(every, method, sampled, judge)


def _exact(
    stock: HiddenStock, options: Sequence[Option], control: Control
) -> tuple[list[Estimate], Expectimax] | None:
    """Return each move's exact chance, and the search; None if it would take too much time or memory."""
    left = control.seconds_left()
    most = _EXACT_PRODUCT if left is None else min(_EXACT_PRODUCT, left * _EXACT_PRODUCT_A_SECOND)
    if stock.product > most:
        return None
    search = Expectimax(stock.variant, stock.counts)
    until = Part(control, _EXACT_SHARE).until
    limit = control.nodes_left()
    share = _EXACT_NODES if limit is None else limit // 2
    if until is not None and limit is None:
        share = 1 << 62
    begin = control.nodes
    chances = []
    for option in options:
        search.enter(option.cap, option.line)
        nodes = share - (control.nodes - begin)
        try:
            if not control.drive(search.step, until=until, node_share=nodes, stage="expectimax"):
                return None
        except MemoryError:
            return None
        chances.append(Estimate(search.value, 0.0))
    return chances, search


_TIE = 1e-9
_OF_DEALS = CHANCE._replace(chance="deals")


def hint(position: Round, control: Control, worlds: int | None, seed: int) -> SolitaireHint:
    """Rank the moves of an unfinished game by chance to win, sampling at most `worlds` stocks."""
    stock = hidden_stock(position.solitaire, position.turn, position.unseen_ranks, seed)
    evaluation = evaluate(stock, control, worlds)
    moves = tuple(chance.found for chance in evaluation.moves)
    why = _why(stock, evaluation, moves, control)
    return answer(position, control, moves, why, method=evaluation.method, worlds=evaluation.worlds, seed=seed)


def _why(
    stock: HiddenStock, evaluation: Evaluation, moves: tuple[SolitaireHintMove, ...], control: Control
) -> Why:
    top, chances = moves[0], [(move.move, move.win_probability) for move in moves]
    if top.win_probability == 0 and top.exact:
        return said(None, "all_lost", "No move can win any more.")
    if len(moves) == 1:
        return only(top.move)
    compared_row = compared([move.move for move in moves], control.compare)
    second = moves[compared_row]
    gap = top.win_probability - second.win_probability
    wins = top.exact and top.win_probability > 1 - _TIE
    if top.exact and second.exact and gap < _TIE:
        equal = tuple(move.move for move in moves if top.win_probability - move.win_probability < _TIE)
        template = "{moves} are equally good: each wins in {deals}."
        if wins:
            template = "{moves} win, whatever the stock."
        return said("close", "equal", template, moves=equal, share=top.win_probability)
    level = [
        chances[0],
        *(chance for move, chance in zip(moves[1:], chances[1:], strict=True) if _level(top, move)),
    ]
    if len(level) > 1 and (compared_row == 1 or _level(top, second)):
        return close(level, _OF_DEALS)
    ahead = Margin(0, compared_row, gap, 0.0, top.win_probability)
    sure = confidence_of(ahead, _OF_DEALS)
    if wins:
        template = "{move} wins in every deal, {other} in {other_deals}."
        return said(
            sure, "sure_win", template, move=top.move, other=second.move, other_share=second.win_probability
        )
    options = [chance.option for chance in evaluation.moves]
    causes: Sequence[Reason] = ()
    if evaluation.judge is not None and not options[compared_row].lost:
        worse = tuple(
            number
            for number, move in enumerate(moves)
            if top.win_probability - move.win_probability >= _OF_DEALS.enough
            and not options[number].lost
            and not _level(top, move)
        )
        ahead = replace(ahead, worse=worse, texts=[move.move for move in moves])
        causes = because(stock, options, ahead, evaluation.judge, control)
    return leading(sure, chances, compared_row, causes, _OF_DEALS)


def _level(top: SolitaireHintMove, other: SolitaireHintMove) -> bool:
    """Whether `other` is too close to the best move to call, by the same test as in reviews."""
    if top.stderr is None or other.stderr is None:
        return True
    error = hypot(top.stderr, other.stderr)
    return error > 0 and top.win_probability - other.win_probability <= SURE * error
