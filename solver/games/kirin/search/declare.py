"""Which card to set aside before the round, all hands known: one player's score, by yes-no questions.

The seats that have not set a card aside do so one after another, from the one that is asked on clockwise, each
seeing what was set aside: against the player under `paranoid`, which makes the score a guarantee, and for the
player under `ally`.
"""

from __future__ import annotations

from solver.common.control import Control
from solver.common.masks import members
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.search.player_score import player_score
from solver.search.tricks.score_prover import ScoreProver
from solver.tricks.player_score import PlayerScore, narrow


class Declaring:
    """The score that `player` reaches from a position in which seats have yet to set a card aside."""

    def __init__(self, prover: ScoreProver, player: int, *, allies: bool, control: Control) -> None:
        self._prover = prover
        self._player = player
        self._allies = allies
        self._control = control
        self._first: dict[int, int] = {}  # the card that last decided a question, by seat

    def maximises(self, seat: int) -> bool:
        return self._allies or seat == self._player

    def round(self, position: KnownPosition) -> PlayerScore[int]:
        """The search of the round that begins with `position`."""
        return player_score(
            self._prover,
            position.state,
            position.colours[self._player],
            self._player,
            allies=self._allies,
            control=self._control,
        )

    def reaches(self, position: DeclarePosition | KnownPosition, score: int) -> bool | None:
        """Whether the player's score is at least `score`; None when the limit came first."""
        if isinstance(position, KnownPosition):
            search = self.round(position)
            return search.reaches(search.start, score)
        seat = position.seat
        wanted = self.maximises(seat)
        hand = list(members(position.masks[seat]))
        if self._first.get(seat) in hand:
            hand.insert(0, hand.pop(hand.index(self._first[seat])))
        for card in hand:
            answer = self.reaches(position.after(card), score)
            if answer is None:
                return None
            if answer is wanted:
                self._first[seat] = card
                return answer
        return not wanted

    def bounds(self, position: DeclarePosition | KnownPosition, guess: int | None) -> tuple[int, int]:
        """The score's bounds, equal unless the limit came first."""
        return narrow(lambda score: self.reaches(position, score), 0, 8, 1 if guess is None else guess)

    def moves(self, position: DeclarePosition) -> dict[int, tuple[int, int]]:
        """The bounds of the score after each card that the asked seat may set aside, in canonical order."""
        bounds: dict[int, tuple[int, int]] = {}
        guess: int | None = None
        for card in members(position.masks[position.seat]):
            bounds[card] = self.bounds(position.after(card), guess)
            guess = bounds[card][0]
        return bounds

    def line(self, position: DeclarePosition | KnownPosition, score: int) -> list[int]:
        """The cards set aside and then played by best play of both sides, from a position whose score is `score`.

        The line ends early when the limit comes first.
        """
        cards: list[int] = []
        while isinstance(position, DeclarePosition):
            for card in members(position.masks[position.seat]):
                after = position.after(card)
                if self.maximises(position.seat):
                    keeps = self.reaches(after, score)
                else:
                    kept = self.reaches(after, score + 1)
                    keeps = None if kept is None else not kept
                if keeps is None:
                    return cards
                if keeps:
                    break
            cards.append(card)
            position = after
        search = self.round(position)
        return cards + search.line(search.start, score)
