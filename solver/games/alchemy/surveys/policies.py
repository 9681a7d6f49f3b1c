"""Simple players of a solitaire who do not see the stock, played over many deals: what `winrate` compares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.hidden_stock.composition import Values
from solver.kernels.jit import kernel
from solver.kernels.rng import below
from solver.kernels.rng import start as start_stream

RANDOM, MOST_CARDS, TABLE = range(3)
POLICIES = {
    "random": (RANDOM, "any legal move"),
    "most-cards": (MOST_CARDS, "the match of most cards; without a match the highest card is discarded"),
    "table": (TABLE, "the move worth most by a table computed once for a full deck (composition DP)"),
}


@kernel
def play_deals(
    policy: int,
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    base: NDArray[np.int64],
    values: Values,
    first_cap: int,
    deals: NDArray[np.int8],
    seed: int,
    first: int,
    left: NDArray[np.int8],
) -> None:
    """The stock cards left when each deal (a shuffled deck a row, from deal `first` on) is over: 0 for won."""
    random = np.zeros(1, np.int64)
    for deal in range(len(deals)):
        cards = deals[deal]
        start_stream(random, ~seed, first + deal)  # not the stream that shuffled the deck
        cap = first_cap
        line = 0
        pos = 0
        while True:
            while size[line] < cap and pos < len(cards):
                line = int(insert[line * ranks + int(cards[pos])])
                pos += 1
            if pos + 1 >= len(cards) or cap < shortest:
                break
            key = line * ranks + int(cards[pos])
            pos += 1
            begin = start[key]
            end = start[key + 1]
            cap -= outcome[begin] < 0
            chosen = int(begin)
            if policy == RANDOM:
                chosen = int(begin) + below(random, end - begin)
            elif policy == MOST_CARDS:
                # Matches stand with the most cards first, discards with the highest card last.
                chosen = int(begin) if outcome[begin] >= 0 else int(end) - 1
            elif cap >= shortest:
                best = -1.0
                row = values[len(cards) - pos]
                for index in range(begin, end):
                    rest = int(outcome[index])
                    value = float(row[base[cap] + (rest if rest >= 0 else ~rest)])
                    if value > best:
                        best = value
                        chosen = index
            rest = int(outcome[chosen])
            line = rest if rest >= 0 else ~rest
        left[deal] = 0 if pos + 1 >= len(cards) and cap >= shortest else len(cards) - pos
