"""`paranoid` and `ally`: one player's points, proved by yes-no questions to the trick search."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.common.control import Control
from solver.games.kirin.cards.deck import of_colour
from solver.games.kirin.cards.rules import State
from solver.games.kirin.fast_rules import kernel
from solver.games.kirin.fast_rules.encode import node_words
from solver.games.kirin.fast_rules.order import DECK, INNER
from solver.games.kirin.search.instance import ALL_SWITCHES, prover, search_words
from solver.kernels.arrays import Words
from solver.search.trick import NEED
from solver.search.trick_pn import ATTEMPTS, PROOF_NUMBERS


def narrow(
    reaches: Callable[[int], bool | None], least: int, most: int, guess: int | None = None
) -> tuple[int, int]:
    """Close in on a score between `least` and `most` by asking whether it reaches one value after another.

    Begins at `guess`. The two ends meet unless an answer is None: then what is proved so far.
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


class Guarantee:
    """What `player` reaches from the nodes of one deal, the others against him or all for him.

    A node is the words of the search; its NEED is minus the points won since the start.
    """

    def __init__(
        self,
        start: State,
        colour: int,
        player: int,
        *,
        allies: bool,
        control: Control,
        switches: int = ALL_SWITCHES,
    ) -> None:
        if allies:  # no node of theirs has a NO to prove by one child: proof numbers tell nothing
            switches &= ~PROOF_NUMBERS
        else:  # an answer takes a tree of cards, not one lucky line
            switches &= ~ATTEMPTS
        self.start = node_words(start)
        self.won = (start.won[player] & of_colour(colour)).bit_count()
        self._control = control
        self._prover = prover()
        self._deal = search_words(start, player, colour, allies=allies, switches=switches)
        self._prover.take(self._deal)

    def after(self, node: Words, card: int) -> Words:
        child = np.empty_like(node)
        kernel.play(self._deal, node, 0, child, 0, INNER[card])
        return child

    def maximises(self, node: Words) -> bool:
        return bool(kernel.maximises(self._deal, node, 0))

    def reaches(self, node: Words, score: int) -> bool | None:
        """Whether the player's score of the round is at least `score`; None when a limit came first."""
        self._take()
        need = score - self.won + int(node[NEED])
        return self._prover.ask(node.copy(), need, self._control, stage="prove")

    def widest(self, node: Words) -> tuple[int, int]:
        """Bounds on the score that need no search: what is won, and all that is still in play with it."""
        won = self.won - int(node[NEED])
        return won, won + kernel.in_play(self._deal, node, 0)

    def bounds(self, node: Words, guess: int | None = None) -> tuple[int, int]:
        """The score's bounds, equal unless the limit came first. `guess` is where the questions begin."""
        least, most = self.widest(node)
        return narrow(lambda score: self.reaches(node, score), least, most, guess)

    def moves(self, node: Words) -> dict[int, tuple[int, int]]:
        """The bounds of every legal card, in canonical order."""
        self._take()
        found = self._prover.values(node, self._control, stage="prove")
        return {DECK[card]: (self.won + least, self.won + most) for card, (least, most) in found.items()}

    def line(self, node: Words, score: int) -> list[int]:
        """A line of best play by both sides from a node worth `score`; shorter when the limit ends it."""
        self._take()
        return [DECK[card] for card in self._prover.line(node, score - self.won, self._control, stage="prove")]

    def _take(self) -> None:
        if self._prover.deal is not self._deal:
            self._prover.take(self._deal)  # another deal came in between
