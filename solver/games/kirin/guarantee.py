"""`paranoid` and `ally`: one player's points, proved by yes-no questions to the trick search."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.games.kirin import kernel
from solver.games.kirin.cards import of_colour
from solver.games.kirin.kernel import LIVE
from solver.games.kirin.nodes import ALL_SWITCHES, deal_words, node_words, prover
from solver.games.kirin.order import INNER
from solver.games.kirin.rules import State
from solver.search.drive import Control
from solver.search.trick import NEED, Words
from solver.search.trick_pn import PROOF_NUMBERS

_KEEPER_NODES = 300  # for each card in the first round of looking for one that keeps the score


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
        self.start = node_words(start)
        self.won = (start.won[player] & of_colour(colour)).bit_count()
        self._control = control
        self._prover = prover()
        self._deal = deal_words(start, player, colour, allies=allies, switches=switches)
        self._prover.take(self._deal)

    def legal(self, node: Words) -> list[int]:
        """The legal cards in canonical order (in deck numbering)."""
        cards = int(kernel.candidates(self._deal, node, 0))  # a NumPy integer shifts ten times as slowly
        return [card for card, inner in enumerate(INNER) if cards >> inner & 1]

    def after(self, node: Words, card: int) -> Words:
        child = np.empty_like(node)
        kernel.play(self._deal, node, 0, child, 0, INNER[card])
        return child

    def maximises(self, node: Words) -> bool:
        return bool(kernel.maximises(self._deal, node, 0))

    def reaches(self, node: Words, score: int, nodes: int | None = None) -> bool | None:
        """Whether the player's score of the round is at least `score`; None when a limit came first."""
        if self._prover.deal is not self._deal:
            self._prover.take(self._deal)  # another deal came in between
        need = score - self.won + int(node[NEED])
        return self._prover.ask(node.copy(), need, self._control, nodes=nodes, stage="prove")

    def widest(self, node: Words) -> tuple[int, int]:
        """Bounds on the score that need no search: what is won, and all that is still in play with it."""
        won = self.won - int(node[NEED])
        return won, won + kernel.own_in_play(self._deal, node, 0)

    def bounds(self, node: Words, guess: int | None = None) -> tuple[int, int]:
        """The score's bounds, equal unless the limit came first. `guess` is where the questions begin."""
        least, most = self.widest(node)
        return narrow(lambda score: self.reaches(node, score), least, most, guess)

    def moves(self, node: Words) -> dict[int, tuple[int, int]]:
        """The bounds of every legal card, in canonical order; each begins where the one before it ended."""
        found: dict[int, tuple[int, int]] = {}
        guess: int | None = None
        for card in self.legal(node):
            found[card] = self.bounds(self.after(node, card), guess)
            guess = found[card][0]
        return found

    def line(self, node: Words, score: int) -> list[int]:
        """A line of best play by both sides from a node worth `score`; shorter when the limit ends it."""
        found: list[int] = []
        while node[LIVE]:
            cards = self.legal(node)
            card = cards[0] if len(cards) == 1 else self._keeper(node, cards, score)
            if card is None:
                break
            found.append(card)
            node = self.after(node, card)
        return found

    def _keeper(self, node: Words, cards: list[int], score: int) -> int | None:
        """The card that the least work shows to keep the score; of several the first in canonical order."""
        high = self.maximises(node)
        asked = score if high else score + 1
        open_cards: dict[int, Words | None] = dict.fromkeys(cards)  # with their nodes, made when first asked
        nodes = _KEEPER_NODES
        while open_cards and not self._control.stopped():
            for card, known in list(open_cards.items()):
                child = self.after(node, card) if known is None else known
                answer = self.reaches(child, asked, nodes)
                if answer is high:
                    return card
                if answer is None:
                    open_cards[card] = child
                else:
                    del open_cards[card]
            nodes *= 8
        return None
