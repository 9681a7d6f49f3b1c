"""Who can go out first: yes-no questions about the nodes of one game, and lines of play that show the answers."""

from __future__ import annotations

import numpy as np

from solver.common.control import Control
from solver.games.aqua_regia.cards.deck import Deck
from solver.games.aqua_regia.cards.rules import Move, State
from solver.games.aqua_regia.fast_rules import kernel
from solver.games.aqua_regia.fast_rules.encode import deal_of, node_of
from solver.games.aqua_regia.fast_rules.kernel import ASKED, OUT, STATUS
from solver.games.aqua_regia.fast_rules.switches import ALL_SWITCHES
from solver.kernels.arrays import Words
from solver.search.budget import Growth
from solver.search.outcome.prover import OutcomeProver

_KEEPERS = Growth(1000, 4)  # nodes for each move, when looking for one that keeps the answer


class Outcomes:
    """What can be proved of the nodes that follow a state, under one model of play by the others."""

    def __init__(
        self,
        prover: OutcomeProver,
        deck: Deck,
        state: State,
        model: str,
        control: Control,
        *,
        switches: int = ALL_SWITCHES,
    ) -> None:
        self.model = model
        self.seats = state.seats
        self.deal = deal_of(deck, state, model, switches=switches)
        self.start = node_of(self.deal, state)
        self.control = control
        self._prover = prover

    def turn(self, node: Words) -> int:
        return int(node[STATUS] & 7)

    def over(self, node: Words) -> bool:
        return bool(node[STATUS] >> OUT)

    def legal(self, node: Words) -> list[int]:
        """The legal moves of a node in canonical order, as the numbers that the search gives them."""
        if self.over(node):
            return []
        moves = np.zeros(self.deal.moves, np.int64)
        count = kernel.moves(self.deal.words, node, 0, moves, 0, 1)
        return [int(move) for move in moves[:count]]

    def move(self, number: int) -> Move:
        """The move that the search knows by a number."""
        return self.deal.move_of(number)

    def after(self, node: Words, move: int) -> Words:
        child = np.empty_like(node)
        kernel.play(self.deal.words, node, 0, child, 0, move)
        return child

    def wins(self, node: Words, seat: int, *, nodes: int | None = None, until: float | None = None) -> bool | None:
        """Whether `seat` goes out first from a node; None when a limit came first.

        `nodes` (a number of nodes) and `until` (a time) limit this question, beside the control's own limit.
        """
        question = node.copy()
        question[STATUS] |= seat << ASKED
        return self._prover.ask(self.deal, question, self.control, nodes=nodes, until=until, stage="prove")

    def line(self, node: Words, seat: int, won: bool) -> list[int]:
        """A line of play, as the search's numbers, from a node for which it is proved whether `seat` wins (`won`).

        It ends early when the limit comes first. Under `maxn`, `won` is true and each seat plays the first of its
        best moves.
        """
        played: list[int] = []
        while not self.over(node):
            moves = self.legal(node)
            if len(moves) == 1:
                move: int | None = moves[0]
            elif self.model == "maxn":
                move = self._selfish(node, moves)
            else:
                move = self._keeper(node, moves, seat, won)
            if move is None:
                break
            played.append(move)
            node = self.after(node, move)
        return played

    def _selfish(self, node: Words, moves: list[int]) -> int | None:
        """The first move that wins for the seat to move, or else the first of all."""
        turn = self.turn(node)
        if not self.wins(node, turn):
            return None if self.control.stopped() else moves[0]
        for move in moves:
            if (won := self.wins(self.after(node, move), turn)) is None:
                return None
            if won:
                return move
        return None

    def _keeper(self, node: Words, moves: list[int], seat: int, won: bool) -> int | None:
        """A move after which it is still true that `seat` wins, or does not: the one proved with the least work.

        Of several that are proved in the same round of questions it is the first in canonical order. None when the
        limit came first.
        """
        left = {move: self.after(node, move) for move in moves}
        for nodes in _KEEPERS.rounds():
            if not left or self.control.stopped():
                break
            for move, child in list(left.items()):
                answer = self.wins(child, seat, nodes=nodes)
                if answer is won:
                    return move
                if answer is not None:
                    del left[move]
        return None
