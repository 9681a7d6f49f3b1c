"""`paranoid` and `ally`: one player's points, proved by yes-no questions to the trick search."""

from __future__ import annotations

from collections.abc import Callable

from solver.games.kirin.cards import of_colour
from solver.games.kirin.nodes import ALL_SWITCHES, deal_words, node_words, prover
from solver.games.kirin.rules import State, legal_moves, play
from solver.search.drive import Control


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
    """What `player` reaches from states of one deal, the others against him or all for him."""

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
        self._player = player
        self._colour = of_colour(colour)
        self._allies = allies
        self._control = control
        self._prover = prover()
        self._deal = deal_words(start, player, colour, allies=allies, switches=switches)
        self._prover.take(self._deal)

    def won(self, state: State) -> int:
        """The player's points in the piles of a state."""
        return (state.won[self._player] & self._colour).bit_count()

    def widest(self, state: State) -> tuple[int, int]:
        """Bounds on the score that need no search: what is won, and all that is still in play with it."""
        won = self.won(state)
        live = 0
        for card in state.trick:
            live |= 1 << card
        for hand in state.hands:
            live |= hand
        return won, won + (live & self._colour).bit_count()

    def maximises(self, state: State) -> bool:
        return self._allies or state.to_move == self._player

    def reaches(self, state: State, score: int) -> bool | None:
        """Whether the player's score of the round is at least `score`; None when the limit came first."""
        if self._prover.deal is not self._deal:
            self._prover.take(self._deal)  # another deal came in between
        return self._prover.ask(node_words(state), score - self.won(state), self._control, "prove")

    def bounds(self, state: State, guess: int | None = None) -> tuple[int, int]:
        """The score's bounds, equal unless the limit came first. `guess` is where the questions begin."""
        least, most = self.widest(state)
        return narrow(lambda score: self.reaches(state, score), least, most, guess)

    def moves(self, state: State) -> dict[int, tuple[int, int]]:
        """The bounds of every legal card, in canonical order; each begins where the one before it ended."""
        found: dict[int, tuple[int, int]] = {}
        guess: int | None = None
        for card in legal_moves(state):
            found[card] = self.bounds(play(state, card), guess)
            guess = found[card][0]
        return found

    def line(self, state: State, score: int) -> list[int]:
        """A line of best play by both sides from a state worth `score`; shorter when the limit ends it.

        At each turn the first card in canonical order that keeps the score.
        """
        found: list[int] = []
        while not state.over:
            for card in legal_moves(state):
                after = play(state, card)
                if self.maximises(state):
                    keeps = self.reaches(after, score)
                else:
                    kept = self.reaches(after, score + 1)
                    keeps = None if kept is None else not kept
                if keeps is None:
                    return found
                if keeps:
                    break
            found.append(card)
            state = after
        return found
