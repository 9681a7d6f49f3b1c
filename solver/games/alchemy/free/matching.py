"""All matches of a line of up to 24 cards with a hand, in canonical order, each with its witness.

A choice of line cards is a count for each rank. The kernel goes through all choices from the highest rank
down, so that at each rank it holds the set of sums that the chosen cards of that rank and above can make (a
bit set of 192 bits). With all ranks chosen these sets give, rank by rank from the lowest, the smallest hand
side. The canonical place of a choice is computed on the way, so a scatter sorts the matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.cards.text import Move, match
from solver.kernels.jit import kernel

# Fields of a level's state: of the choice made for the level's rank and all higher ones.
_CHOSEN, _SUM, _CARDS, _PLACE, _CODE, _SUMS = range(6)  # the bit set takes three words from _SUMS on
_FIELDS = 8
# Words of the control array.
_LEVEL, NODES, FOUND = range(3)
_SIDE_BITS = 31  # the code of a choice is below 3**12 * 2, so two fit a word


class Enumeration:
    """The enumeration of one line's matches, resumable; `codes` and `moves` give the matches found so far.

    `line` holds ranks from 1, `hand` one rank (0 for a joker, which is in no sum).
    """

    def __init__(self, line: Sequence[int], hand: int, min_line: int) -> None:
        held = sorted(Counter(line).items())
        self.hand = hand
        self.fewest = max(1, min_line)
        self.ranks = np.array([rank for rank, _ in held], np.int64)
        self.counts = np.array([count for _, count in held], np.int64)
        # above[k]: how many choices of the ranks from the k-th on there are.
        self.above = np.ones(len(held) + 1, np.int64)
        self.above[:-1] = np.cumprod((self.counts + 1)[::-1])[::-1]
        self.state = np.zeros((len(held) + 1, _FIELDS), np.int64)
        self.control = np.zeros(3, np.int64)
        self.slots = np.full(int(self.above[0]), -1, np.int64)
        begin(self.state, self.control)

    def step(self, budget: int) -> tuple[bool, int]:
        """Go on for `budget` choices: see `solver.common.control`."""
        before = int(self.control[NODES])
        done = enumerate_matches(
            self.ranks, self.counts, self.above, self.hand, self.fewest,
            self.state, self.control, self.slots, budget,
        )  # fmt: skip
        return bool(done), int(self.control[NODES]) - before

    @property
    def found(self) -> int:
        """How many matches are found so far."""
        return int(self.control[FOUND])

    @property
    def choices(self) -> int:
        """How many choices of line cards there are, the empty one too."""
        return len(self.slots)

    def codes(self, cards: int | None = None) -> NDArray[np.int64]:
        """Numbers of the matches found so far, in canonical order; with `cards`, of those with so many."""
        codes: NDArray[np.int64] = self.slots[self.slots >= 0]
        if cards is not None:
            codes = codes[self._unpack(codes & ((1 << _SIDE_BITS) - 1)).sum(axis=1) == cards]
        return codes

    def moves(self, codes: NDArray[np.int64]) -> list[Move]:
        """The matches that some of the numbers of `codes` stand for."""
        used = self._unpack(codes & ((1 << _SIDE_BITS) - 1))
        ours = self._unpack(codes >> _SIDE_BITS)
        ranks = self.ranks.tolist()

        def side(chosen: list[int]) -> tuple[int, ...]:
            return tuple(rank for rank, count in zip(ranks, chosen, strict=True) for _ in range(count))

        return [
            match(self.hand, side(o), side(t)) for o, t in zip(ours.tolist(), (used - ours).tolist(), strict=True)
        ]

    def _unpack(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Codes (n,) as counts (n, ranks)."""
        counts = np.zeros((len(codes), len(self.ranks)), np.int64)
        for level, count in enumerate(self.counts):
            codes, counts[:, level] = np.divmod(codes, count + 1)
        return counts


@kernel
def begin(state: NDArray[np.int64], control: NDArray[np.int64]) -> None:
    """Prepare for a first call of `enumerate_matches`."""
    levels = len(state) - 1
    control[_LEVEL] = max(levels - 1, 0)
    control[NODES] = 0
    control[FOUND] = 0
    state[levels] = 0
    state[levels, _SUMS] = 1
    if levels > 0:
        state[levels - 1, _CHOSEN] = -1


@kernel
def _makes(state: NDArray[np.int64], level: int, total: int) -> bool:
    """Whether the cards chosen from this level up have a part that sums to `total`."""
    return bool((state[level, _SUMS + (total >> 6)] >> (total & 63)) & 1)


@kernel
def _lowest_rank(
    ranks: NDArray[np.int64],
    counts: NDArray[np.int64],
    above: NDArray[np.int64],
    hand: int,
    fewest: int,
    state: NDArray[np.int64],
    slots: NDArray[np.int64],
) -> int:
    """Add each count of the lowest rank to the choice of all others; how many of them are matches."""
    found = 0
    rank = ranks[0]
    for chosen in range(counts[0] + 1):
        spare = state[1, _SUM] + chosen * rank - hand
        if spare < 0 or spare & 1 or state[1, _CARDS] + chosen < fewest:
            continue
        # The smallest hand side takes of each rank, from the lowest, as many as the higher ones complete.
        spare >>= 1
        part = chosen
        while part >= 0 and not (part * rank <= spare and _makes(state, 1, spare - part * rank)):
            part -= 1
        if part < 0:
            continue
        spare -= part * rank
        scale = counts[0] + 1
        level = 1
        while spare > 0:
            taken = state[level, _CHOSEN]
            while not (taken * ranks[level] <= spare and _makes(state, level + 1, spare - taken * ranks[level])):
                taken -= 1
            spare -= taken * ranks[level]
            part += taken * scale
            scale *= counts[level] + 1
            level += 1
        place = chosen
        if state[1, _CARDS] > 0:
            place += (counts[0] - chosen) * above[1] + state[1, _PLACE]
        slots[place] = (part << _SIDE_BITS) | (state[1, _CODE] * (counts[0] + 1) + chosen)
        found += 1
    return found


@kernel
def enumerate_matches(
    ranks: NDArray[np.int64],
    counts: NDArray[np.int64],
    above: NDArray[np.int64],
    hand: int,
    fewest: int,
    state: NDArray[np.int64],
    control: NDArray[np.int64],
    slots: NDArray[np.int64],
    budget: int,
) -> bool:
    """Put the code of each match into its canonical slot: the hand side's choice, below it the used cards'."""
    levels = len(ranks)
    level = control[_LEVEL]
    nodes = 0
    found = 0
    while level < levels:
        if level == 0:
            if nodes >= budget:
                break
            nodes += counts[0] + 1
            found += _lowest_rank(ranks, counts, above, hand, fewest, state, slots)
            level = 1
            continue
        chosen = state[level, _CHOSEN] + 1
        if chosen > counts[level]:
            level += 1
            continue
        state[level, _CHOSEN] = chosen
        rank = ranks[level]
        if chosen == 0:
            for field in range(_SUM, _FIELDS):
                state[level, field] = state[level + 1, field]
            state[level, _CODE] *= counts[level] + 1
        else:
            state[level, _SUM] += rank
            state[level, _CARDS] += 1
            state[level, _CODE] += 1
            low = state[level, _SUMS]
            middle = state[level, _SUMS + 1]
            high = state[level, _SUMS + 2]
            carry = (1 << rank) - 1
            state[level, _SUMS] = low | (low << rank)
            state[level, _SUMS + 1] = middle | (middle << rank) | ((low >> (64 - rank)) & carry)
            state[level, _SUMS + 2] = high | (high << rank) | ((middle >> (64 - rank)) & carry)
        # The place, in canonical order, of this choice among the choices from this level up.
        state[level, _PLACE] = chosen
        if state[level + 1, _CARDS] > 0:
            state[level, _PLACE] += (counts[level] - chosen) * above[level + 1] + state[level + 1, _PLACE]
        level -= 1
        state[level, _CHOSEN] = -1
    control[_LEVEL] = level
    control[NODES] += nodes
    control[FOUND] += found
    return bool(level == levels)
