"""One player's score by the score search: what the player reaches, the others against it or all for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from solver.common.control import Bounded, Control
from solver.kernels.arrays import Words
from solver.search.switches import ATTEMPTS, PROOF_NUMBERS
from solver.search.tricks.score_prover import ScoreProver
from solver.search.tricks.words import NEED, SWITCHES

M = TypeVar("M")


def narrow(
    reaches: Callable[[int], bool | None], least: int, most: int, guess: int | None = None
) -> tuple[int, int]:
    """Close in on a score between `least` and `most` by asking whether it reaches one value after another.

    Begins at `guess`, by default at `most`. The two ends meet unless an answer is None: then what is proved so
    far.
    """
    score = most if guess is None else guess
    while least < most:
        asked = min(max(score, least + 1), most)
        answer = reaches(asked)
        if answer is None:
            break
        if answer:
            least = asked
            score = asked + 1
        else:
            most = asked - 1
            score = asked - 1
    return least, most


@dataclass(frozen=True, eq=False)
class Encoded(Generic[M]):
    """A state in the words of the search, for one player: see `solver.search.tricks.words`.

    `deal` has the constants of the deal, with every switch on that is to be used, and `start` the state's node,
    its NEED 0. `won` is what the player has won by then. `codes` has the search's number of every move there can
    be.
    """

    deal: Words
    start: Words
    won: int
    codes: dict[M, int]


class PlayerScore(Generic[M]):
    """What one player reaches from the nodes of one deal.

    A node is the words of the search; its NEED is minus the points won since the start.
    """

    def __init__(self, prover: ScoreProver, encoded: Encoded[M], *, allies: bool, control: Control) -> None:
        """`allies`: whether the deal's words say that everybody plays for the player."""
        self.start = encoded.start
        self.won = encoded.won
        self.deal = encoded.deal
        if allies:  # no node of theirs has a NO to prove by one child: proof numbers tell nothing
            self.deal[SWITCHES] &= ~PROOF_NUMBERS
        else:  # an answer takes a tree of cards, not one lucky line
            self.deal[SWITCHES] &= ~ATTEMPTS
        self._codes = encoded.codes
        self._moves = {code: move for move, code in encoded.codes.items()}
        self._prover = prover
        self._rules = prover.search.rules
        self._control = control

    def after(self, node: Words, move: M) -> Words:
        """The node after a move."""
        child = np.empty_like(node)
        self._rules.play(self.deal, node, 0, child, 0, self._codes[move])
        return child

    def maximises(self, node: Words) -> bool:
        """Whether the seat to move wants the player's score high."""
        return bool(self._rules.maximises(self.deal, node, 0))

    def reaches(self, node: Words, score: int) -> bool | None:
        """Whether the player's score of the round is at least `score`; None when a limit came first."""
        need = score - self.won + int(node[NEED])
        return self._prover.ask(self.deal, node.copy(), need, self._control, stage="prove")

    def widest(self, node: Words) -> tuple[int, int]:
        """Bounds on the score that need no search: what is won, and all that is still in play with it."""
        won = self.won - int(node[NEED])
        return won, won + self._rules.in_play(self.deal, node, 0)

    def bounds(self, node: Words, guess: int | None = None) -> tuple[int, int]:
        """The score's bounds, equal unless the limit came first. `guess` is where the questions begin."""
        least, most = self.widest(node)
        return narrow(lambda score: self.reaches(node, score), least, most, guess)

    def moves(self, text: Callable[[M], str] = str, more: int = 0) -> dict[M, tuple[int, int]]:
        """The bounds of every legal move of the start, in canonical order.

        Meanwhile the control's reports tell what is proved by then: `text` writes a move, and `more` points are
        added.
        """

        def proved() -> list[Bounded]:
            found = self._named(self._prover.proved_values())
            return [Bounded(text(move), (least + more, most + more)) for move, (least, most) in found.items()]

        with self._control.telling(proved):
            return self._named(self._prover.values(self.deal, self.start, self._control, stage="prove"))

    def _named(self, found: Mapping[int, tuple[int, int]]) -> dict[M, tuple[int, int]]:
        return {self._moves[code]: (self.won + least, self.won + most) for code, (least, most) in found.items()}

    def line(self, node: Words, score: int) -> list[M]:
        """A line of best play by both sides from a node worth `score`; shorter when the limit ends it."""
        found = self._prover.line(self.deal, node, score - self.won, self._control, stage="prove")
        return [self._moves[code] for code in found]
