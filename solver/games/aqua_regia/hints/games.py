"""The sampled games of a view of Aqua Regia: its deals or likely worlds, and what kernels read of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.games.aqua_regia.cards.rules import Move, Play, runs
from solver.games.aqua_regia.hints import rollouts
from solver.games.aqua_regia.hints.chain import play_likely_worlds, steps_begun
from solver.games.aqua_regia.hints.deals import agrees, deals
from solver.games.aqua_regia.hints.evidence import evidence
from solver.games.aqua_regia.hints.kinds import KINDS, TRAINED, Kinds
from solver.games.aqua_regia.hints.policy import reactivity_rows
from solver.games.aqua_regia.hints.rollouts import SCALARS, STATISTICS, Setting, play_worlds
from solver.games.aqua_regia.positions.known import View
from solver.hints.causes import Witness
from solver.kernels.arrays import Floats, Words

_NOTED = 24  # metals: the worlds of larger decks are not noted


class Games:
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`): games ended by plausible players."""

    statistics = STATISTICS

    def __init__(self, view: View, moves: Sequence[Move], seed: int, kinds: Kinds = KINDS) -> None:
        self.moves = len(moves)
        self._seed = seed
        self._evidence = evidence(view, seed, kinds)
        self._deals = deals(view) if self._evidence is None else None
        assert self._deals is None or agrees(self._deals, seed, 0)
        self.chained = self._evidence is not None
        self.setting = _setting(view, moves, kinds)
        self._words = view.players * view.metals.size + self.moves if view.metals.size <= _NOTED else 0
        self.witness = Witness()

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), self._words), np.int64)
        self._play(self.setting, first, results, noted)
        self.witness.note(first, results, noted)

    def _play(self, setting: Setting, first: int, results: Floats, noted: Words) -> None:
        if self._evidence is not None:
            play_likely_worlds(self._evidence, setting, self._seed, first, results, noted)
        else:
            assert self._deals is not None
            play_worlds(setting, self._deals.dealing, self._seed, first, results, noted)

    @property
    def steps(self) -> int:
        """How many steps a chain makes to its first world; 0 where worlds are drawn uniformly."""
        return 0 if self._evidence is None else steps_begun(self._evidence)

    def ends(self, move: int | None, *, fuel: int = 0, steps: int = 0) -> bool:
        """Whether the game after a move, by its number, ends with so much fuel, after at most so many chain steps.

        0 is no bound. Without a move only the steps are made. It is world 0 that is played.
        """
        scalars = self.setting.scalars.copy()
        scalars[rollouts.FUEL], scalars[rollouts.STEPS] = fuel, steps
        moves = self.setting.moves[:0] if move is None else self.setting.moves[move : move + 1]
        results = np.full((1, len(moves), STATISTICS), np.nan)
        self._play(self.setting._replace(scalars=scalars, moves=moves), 0, results, np.empty((1, 0), np.int64))
        return not np.isnan(results).any()


def _setting(view: View, moves: Sequence[Move], kinds: Kinds) -> Setting:
    """The view in the kernels' words."""
    deck = view.metals
    hands = np.zeros((view.players, deck.size), np.int64)
    for seat in range(view.players):
        hands[seat] = deck.counts(deck.numbers(view.hand if seat == view.seat else view.known_of(seat)))
    piles, scalars = table_words(view)
    shares = np.tile(kinds.expected, (view.players, 1))
    shares[view.seat] = np.arange(len(kinds.expected)) == TRAINED
    return Setting(
        reactivity=reactivity_rows(deck),
        hands=hands,
        piles=piles,
        scalars=scalars,
        drawn=-1 if view.drawn is None else deck.index[view.drawn],
        moves=np.array([move_words(view, move) for move in moves], np.int64),
        weights=kinds.weights,
        shares=shares,
    )


def table_words(view: View) -> tuple[Words, Words]:
    """The piles and the scalars of a view, in the kernels' words; nothing is drawn yet."""
    deck = view.metals
    lying = deck.numbers(view.table)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[rollouts.TURN] = view.turn
    scalars[rollouts.FIELD] = view.field_number
    scalars[rollouts.REVERSED] = view.reversed
    scalars[rollouts.STOCKED] = view.stock_count
    scalars[rollouts.COPIES] = deck.copies
    if lying:
        assert view.owner is not None
        top = runs(lying)[-1]
        scalars[rollouts.OWNER] = view.owner
        scalars[rollouts.METAL] = top.metal
        scalars[rollouts.COUNT] = top.count
    return np.array([view.pile, deck.counts(lying)], np.int64), scalars


def move_words(view: View, move: Move) -> tuple[int, int, int]:
    """A move in the kernels' words."""
    if isinstance(move, Play):
        return rollouts.PLAYS, move.metal, move.count
    if move.discarded is not None and move.taken is not None:
        return rollouts.EXCHANGES, move.discarded, move.taken
    closed = view.drawn is not None or not view.stock_count
    return (rollouts.CLOSED_PASS if closed else rollouts.OPEN_PASS), 0, 0
