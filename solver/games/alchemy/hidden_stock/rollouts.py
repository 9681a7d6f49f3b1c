"""Sampled games with a hidden stock: how a policy fares, with a control variate, and what a clairvoyant wins.

A table W of values (`composition`) is the policy: make the turn whose outcome is worth most. Along a sampled
game, each drawn card's W less the mean of W over the cards that could have been drawn has expectation zero;
the sum of these differences is mostly what made the game lucky or unlucky, and is taken off its result
(the idea of AIVAT: Burch et al. 2018). The mean stays that of the policy, exactly; the variance falls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.hidden_stock.composition import Values
from solver.games.alchemy.known_stock.clairvoyant import NODES, RESULT, enter, next_stamp, run
from solver.kernels.jit import kernel


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
    """The best of a turn's outcomes by W: its value, and the cap and line that it leaves."""
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
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    base: NDArray[np.int64],
    values: Values,
    stock: NDArray[np.int8],
    unseen: NDArray[np.int64],
    state: NDArray[np.int64],
    few: int,
) -> float:
    """Play by the table until the game is over or the unseen counts multiply to `few` or less.

    `state` (cap, line, cards left, won) is played on; cards left 0 means that the game is over. `stock` holds
    rank indices, the last drawn first; `unseen` its counts. Returns the luck of the cards drawn.
    """
    cap = state[0]
    line = state[1]
    left = state[2]
    product = np.int64(1)
    for rank in range(ranks):
        product *= unseen[rank] + 1
    luck = 0.0
    while left > 1 and cap >= shortest and product > few:
        # A chance node with `left` cards: W of each card's outcome has left - 1 of them.
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
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    base: NDArray[np.int64],
    values: Values,
    worlds: NDArray[np.int8],
    caps: NDArray[np.int64],
    lines: NDArray[np.int64],
    results: NDArray[np.float64],
) -> None:
    """Play each world to the end after every move, by the table: `results` (worlds, moves), luck taken off.

    A move leaves the line `lines[move]` with `caps[move]`; the stock is not empty.
    """
    counts = np.zeros(ranks, np.int64)
    unseen = np.zeros(ranks, np.int64)
    state = np.zeros(4, np.int64)
    for card in worlds[0]:
        counts[card] += 1
    for world in range(len(worlds)):
        for move in range(len(caps)):
            unseen[:] = counts
            state[0] = caps[move]
            state[1] = lines[move]
            state[2] = worlds.shape[1]
            luck = play_on(
                ranks, shortest, size, insert, start, outcome, base, values, worlds[world], unseen, state, 0
            )  # fmt: skip
            results[world, move] = state[3] - luck


@kernel
def clairvoyant_wins(
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    worlds: NDArray[np.int8],
    caps: NDArray[np.int64],
    lines: NDArray[np.int64],
    stack: NDArray[np.int64],
    memo: NDArray[np.int32],
    control: NDArray[np.int64],
    wins: NDArray[np.int64],
    budget: int,
) -> int:
    """Add to `wins` (moves,) the worlds that a player who sees the stock wins after each move.

    Stops after the world that spends the budget of nodes; returns how many worlds were looked at.
    """
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
            run(ranks, shortest, size, insert, start, outcome, stock, len(stock), stack, memo, control, 1 << 60)
            wins[move] += control[RESULT] == 0
    return len(worlds)
