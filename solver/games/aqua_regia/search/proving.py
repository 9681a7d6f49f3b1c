"""What can be proved of a position's moves by a limit: the position itself first, then each move in turn.

A move's outcome is what is known of each seat that was asked about: whether it goes out first.
"""

from __future__ import annotations

import time

from solver.games.aqua_regia.search.outcome import Outcomes
from solver.search.budget import Growth

_POSITION_SHARE = 0.5  # of a limit, for the question about the position itself
_MOVES_SHARE = 0.4  # of the limit then left, for the moves, when the position is still open
_SHORT_SECONDS = 0.02
_SLOWEST = 300_000  # nodes a second
_QUESTIONS = Growth(2000, 4)  # nodes for each question about a move

Known = dict[int, bool]  # seat -> whether it goes out first, where that is proved


class Proving:
    """The outcomes of a position and of all its moves, as far as they are proved.

    `seats` are the seats asked about: one player's, or under `maxn` all, the seat to move first.
    """

    def __init__(self, outcomes: Outcomes, seats: list[int]) -> None:
        self._outcomes = outcomes
        self._control = outcomes.control
        self._seats = seats
        self.turn = outcomes.turn(outcomes.start)
        self.moves: dict[int, Known] = {move: {} for move in outcomes.legal(outcomes.start)}
        self.position: Known = {}

    @property
    def open_moves(self) -> list[int]:
        """The moves whose outcome is not proved."""
        return [move for move, known in self.moves.items() if len(known) < len(self._seats)]

    @property
    def undecided_moves(self) -> list[int]:
        """The moves that may yet give the seat to move what it is after."""
        return [move for move, known in self.moves.items() if self.asked not in known]

    @property
    def asked(self) -> int:
        """The seat whose going out is the first question."""
        return self._seats[0]

    @property
    def decided(self) -> bool:
        """Whether it is known if the seat to move gets what it is after."""
        return self._seats[0] in self.position

    def run(self) -> None:
        """Prove what the limit allows; leave a part of it where the position stays open."""
        nodes, until = self._share(_POSITION_SHARE)
        first = self._seats[0]
        answer = self._outcomes.wins(self._outcomes.start, first, nodes=nodes, until=until)
        if answer is not None:
            self.position[first] = answer
        if self.decided:
            self._settle_all()
            nodes, until = None, None
        else:
            nodes, until = self._share(_MOVES_SHARE)
        self._rounds(nodes, until)
        self._conclude()

    def _conclude(self) -> None:
        """Conclude from the outcomes of the moves what they prove of the position."""
        first = self._seats[0]
        own = self.wanted
        answers = [known.get(first) for known in self.moves.values()]
        if own in answers:
            self._note(self.position, first, own)
        elif None not in answers:
            self._note(self.position, first, not own)
            if len(self._seats) > 1:  # a seat that can't win plays the first move
                self.position.update(next(iter(self.moves.values())))
        if self.decided:
            self._settle_all()

    @property
    def wanted(self) -> bool:
        """The answer about the first of the seats that the seat to move is after."""
        return self._outcomes.model == "ally" or self.turn == self._seats[0]

    def _share(self, share: float) -> tuple[int | None, float | None]:
        """A share of what is left of the limit, as a number of nodes and the time at which it ends.

        Each is None where there is no such limit.
        """
        nodes, seconds = self._control.nodes_left(), self._control.seconds_left()
        if nodes is not None:
            nodes = max(1, int(share * nodes))
        if seconds is None:
            return nodes, None
        if seconds < _SHORT_SECONDS:  # the clock is not looked at often enough
            few = max(1, int(share * seconds * _SLOWEST))
            nodes = few if nodes is None else min(nodes, few)
        return nodes, time.monotonic() + share * seconds

    def _settle_all(self) -> None:
        """Conclude from the outcome of the position what it proves of the moves.

        When the seat to move does not get what it is after, no move gets it. When it does, and all moves but one
        are proved not to get it, that one does. A forced move shares all that is known of the position.
        """
        first = self._seats[0]
        answer = self.position[first]
        if answer is not self.wanted:
            for known in self.moves.values():
                self._note(known, first, answer)
        left = [known for known in self.moves.values() if known.get(first) in (None, answer)]
        if len(left) == 1:
            self._note(left[0], first, answer)
        if len(self.moves) == 1:
            only = next(iter(self.moves.values()))
            only.update(self.position)
            self.position.update(only)

    def _note(self, known: Known, seat: int, answer: bool) -> None:
        """Note an answer about a seat, and what it says of the others: exactly one seat goes out first."""
        known[seat] = answer
        if answer:
            known.update({other: other == seat for other in self._seats})
        elif len(self._seats) > 1 and len(known) == len(self._seats) - 1 and not any(known.values()):
            known.update({other: True for other in self._seats if other not in known})

    def _rounds(self, nodes: int | None, until: float | None) -> None:
        """Ask about every open move with more and more nodes for each question."""
        spent_before = self._control.nodes
        for share in _QUESTIONS.rounds():
            if not self.open_moves or self._control.stopped():
                return
            for move in self.open_moves:
                known = self.moves[move]
                child = self._outcomes.after(self._outcomes.start, move)
                for seat in self._seats:
                    if seat in known:
                        continue
                    left = None if nodes is None else nodes - (self._control.nodes - spent_before)
                    if (left is not None and left <= 0) or (until is not None and time.monotonic() >= until):
                        return
                    allowed = share if left is None else min(share, left)
                    answer = self._outcomes.wins(child, seat, nodes=allowed, until=until)
                    if answer is not None:
                        self._note(known, seat, answer)
