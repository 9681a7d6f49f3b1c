"""The sampled games of a view of Aqua Regia: its deals or likely worlds, and what kernels read of it.

By how much moves differ is told by what a critic expects at the own next choice (`learned.foresight`), and how
good they are together by who goes out first where plausible players play on. No critic is asked where a move wins
at once, about very many moves, and with a deck so large that it would take long.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.games.aqua_regia.cards.deck import Deck
from solver.games.aqua_regia.cards.rules import Move
from solver.games.aqua_regia.hints import game_kernel
from solver.games.aqua_regia.hints.chain import play_likely_worlds, steps_begun
from solver.games.aqua_regia.hints.deals import agrees, deals
from solver.games.aqua_regia.hints.evidence import evidence
from solver.games.aqua_regia.hints.kinds import KINDS, TRAINED, Kinds
from solver.games.aqua_regia.hints.learned.alone import is_asked
from solver.games.aqua_regia.hints.learned.foresight import Foresight, critic, foresight, no_critic
from solver.games.aqua_regia.hints.policy import reactivity_rows
from solver.games.aqua_regia.hints.rollouts import STATISTICS, Setting, play_worlds
from solver.games.aqua_regia.hints.view_words import move_words, table_words
from solver.games.aqua_regia.positions.known import View
from solver.hints.causes import Witness
from solver.kernels.arrays import Floats, Words

USUAL = 2048  # pairs of metals, times copies, of decks whose games take microseconds; the house deck has 1,024
_NOTED = 24  # metals: the worlds of larger decks are not noted


class Games:
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`): games ended by plausible players."""

    statistics = STATISTICS

    def __init__(
        self, view: View, moves: Sequence[Move], seed: int, kinds: Kinds = KINDS, foresees: bool = True
    ) -> None:
        self.moves = len(moves)
        self._seed = seed
        self._evidence = evidence(view, seed, kinds)
        self._deals = deals(view) if self._evidence is None else None
        assert self._deals is None or agrees(self._deals, seed, 0)
        self.chained = self._evidence is not None
        self.setting = _setting(view, moves, kinds)
        deck = view.metals
        asked = foresees and usual(deck) and is_asked(view, moves)
        self._critic = critic() if asked else no_critic()
        self._known = np.array(
            [deck.counts(deck.numbers(view.known_of(seat))) for seat in range(view.players)], np.int64
        )
        self._words = view.players * view.metals.size + self.moves if view.metals.size <= _NOTED else 0
        self.witness = Witness()

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), self._words), np.int64)
        self._play(self.setting, first, results, noted)
        won = noted[:, self._words - self.moves :] == self.setting.scalars[game_kernel.TURN]
        self.witness.note(first, won[:, :, None].astype(np.float64) if self._words else results, noted)

    def _play(self, setting: Setting, first: int, results: Floats, noted: Words) -> None:
        ahead = self.ahead()
        if self._evidence is not None:
            play_likely_worlds(self._evidence, setting, ahead, self._seed, first, results, noted)
        else:
            assert self._deals is not None
            play_worlds(setting, ahead, self._deals.dealing, self._seed, first, results, noted)

    def ahead(self) -> Foresight:
        """How moves are judged up to the own next choice, with room of its own; without a critic they are not."""
        return foresight(self._known, self._critic)

    @property
    def steps(self) -> int:
        """How many steps a chain makes to its first world; 0 where worlds are drawn uniformly."""
        return 0 if self._evidence is None else steps_begun(self._evidence)

    def ends(self, move: int | None, *, fuel: int = 0, steps: int = 0) -> bool:
        """Whether the game after a move, by its number, ends with so much fuel, after at most so many chain steps.

        0 is no bound. Without a move only the steps are made. It is world 0 that is played.
        """
        scalars = self.setting.scalars.copy()
        scalars[game_kernel.FUEL], scalars[game_kernel.STEPS] = fuel, steps
        moves = self.setting.moves[:0] if move is None else self.setting.moves[move : move + 1]
        results = np.full((1, len(moves), STATISTICS), np.nan)
        self._play(self.setting._replace(scalars=scalars, moves=moves), 0, results, np.empty((1, 0), np.int64))
        return not np.isnan(results).any()


def usual(deck: Deck) -> bool:
    """Whether games with a deck take microseconds.

    A player who passes looks at the pairs of metals that can be exchanged, and more copies make more passes.
    """
    return deck.size**2 * deck.copies <= USUAL


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
