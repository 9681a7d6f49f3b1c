"""`maxn`: everybody's scores when each seat wants the most for itself, exact by a memoised search.

When a limit comes first, each seat's score lies between what it can guarantee (`paranoid`) and what it can reach
with everybody's help (`ally`), under any way to break ties.
"""

from __future__ import annotations

import numpy as np

from solver.common.control import Control
from solver.games.king.cards.rules import Move, State, legal_moves, play
from solver.games.king.fast_rules.encode import deal_words, round_words
from solver.games.king.fast_rules.kernel import STALLED
from solver.games.king.fast_rules.switches import ALL_SWITCHES
from solver.games.king.search.maxn import kernel
from solver.games.king.search.maxn.kernel import CONTROL_WORDS, DEPTH, FRAME, NODES, SCORE
from solver.games.king.search.relief import relieve
from solver.kernels.arrays import Words
from solver.search.budget import Part
from solver.search.tricks.fail_soft_prover import FailSoftProver
from solver.tricks.maxn import ScoreBounds, Scores, merit

_FRAMES = 2 * 50 + 2


class MaxnScores:
    """The scores under `maxn` of the states of one deal."""

    def __init__(
        self, prover: FailSoftProver, start: State, control: Control, *, switches: int = ALL_SWITCHES
    ) -> None:
        self.start = start
        self._control = control
        self._prover = prover  # for its table
        self._deal = deal_words(start, 0, allies=False, switches=switches)
        self._stack: Words = np.zeros(_FRAMES * FRAME, np.int64)
        self._words: Words = np.zeros(CONTROL_WORDS, np.int64)
        self._proved: dict[bytes, Scores] = {}
        self.found: dict[Move, ScoreBounds] = {}  # of the moves that are solved by now

    def scores(self, state: State, part: Part | None = None) -> Scores | None:
        """The score of every seat from a state on; None when the control's limit or that of `part` came first."""
        node = round_words(state, self._deal)
        key = node.tobytes()
        if key not in self._proved:
            self._prover.take(self._deal)
            kernel.begin_maxn(node, self._stack, self._words)
            part = part or Part(self._control, 1)
            if not self._solve(part):
                return None
            self._proved[key] = tuple(int(self._words[SCORE + seat]) for seat in range(state.players))
        return self._proved[key]

    def _solve(self, part: Part) -> bool:
        """Run the kernel to its end; False when a limit came first."""
        while self._control.drive(self._step, until=part.until, node_share=part.nodes(), stage="maxn"):
            if self._words[DEPTH] == 0:
                return True
            with self._control.part(until=part.until, nodes=part.nodes()) as rest:
                if not relieve(self.start.deck, self._deal, rest):
                    return False
        return False

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self._words[NODES])
        finished = kernel.run_maxn(self._deal, self._stack, self._prover.table, self._words, budget)
        return bool(finished or self._deal[STALLED]), int(self._words[NODES]) - before

    def moves(self, share: float = 1.0) -> dict[Move, Scores | None]:
        """The scores of every seat after each legal move, in canonical order.

        Those solved by then are in `found` meanwhile. `share` is the part of the control's limit that may be used.
        None for the moves that it cut off.
        """
        part = Part(self._control, share)
        solved: dict[Move, Scores | None] = {}
        for move in legal_moves(self.start):
            scores = solved[move] = self.scores(play(self.start, move), part)
            if scores is not None:
                self.found[move] = scores, scores
        return solved

    def line(self) -> list[Move]:
        """The line of play: each seat's first best move, to the end of the round."""
        played: list[Move] = []
        state = self.start
        while not state.over:
            ways = [(move, self.scores(play(state, move))) for move in legal_moves(state)]
            if any(scores is None for _, scores in ways):
                break
            seat = state.to_move
            move, _ = max(ways, key=lambda way: merit(way[1] or (), seat))
            played.append(move)
            state = play(state, move)
        return played
