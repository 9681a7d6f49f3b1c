"""A turn of a solitaire whose stock is hidden, in the terms of the tables: what each of its moves leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.cards.rules import Turn, Variant, solitaire_moves
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.fast_rules.lines import Lines, lines


def counts_of(ranks: Sequence[int], size: int) -> list[int]:
    """How often each rank from 1 to `size` is among `ranks`."""
    return [ranks.count(rank) for rank in range(1, size + 1)]


class Option(NamedTuple):
    """A move, and what it leaves: the longest line from then on, and the number of the line."""

    move: Move
    cap: int
    line: int
    lost: bool  # at once: the line is too short to be played with, and cards are left


@dataclass(frozen=True)
class HiddenStock:
    """A turn, the game not over, and the ranks of the stock, ascending and not empty, whose order is hidden.

    `counts` has how many cards of each rank are in the stock. `seed` is that of all sampled orders.
    """

    variant: Variant
    turn: Turn
    unseen: tuple[int, ...]
    counts: tuple[int, ...]
    seed: int
    tables: Lines

    @property
    def product(self) -> int:
        """How many multisets of cards the stock has within it: a measure of what an exact solution costs."""
        return prod(count + 1 for count in self.counts)

    @property
    def cards(self) -> NDArray[np.int8]:
        """The stock's cards, as ranks from 0, ascending."""
        return np.array(self.unseen, np.int8) - 1

    def options(self) -> list[Option]:
        """The legal moves, in canonical order."""
        assert self.turn.hand is not None
        options = []
        for move in solitaire_moves(self.variant, self.turn.line, self.turn.hand):
            rest = list(self.turn.line)
            for rank in move.used:
                rest.remove(rank)
            cap = self.turn.cap - (move.kind == "discard")
            options.append(Option(move, cap, self.tables.number(tuple(rest)), cap < self.variant.shortest))
        return options


def hidden_stock(variant: Variant, turn: Turn, unseen: Sequence[int], seed: int) -> HiddenStock:
    """A turn and its hidden stock, which has the ranks `unseen`, given in any order."""
    counts = tuple(counts_of(unseen, variant.ranks))
    return HiddenStock(variant, turn, tuple(sorted(unseen)), counts, seed, lines(variant))


def caps_and_lines(options: Sequence[Option]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The caps and the numbers of the lines that moves leave, as two arrays for kernels, each (moves,)."""
    caps = np.array([option.cap for option in options], np.int64)
    return caps, np.array([option.line for option in options], np.int64)
