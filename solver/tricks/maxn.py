"""`maxn`: everybody's scores when each seat wants the most for itself, and then the least for the others.

What a position is worth follows from what its moves are worth. Where some of these are bounds only, so is it: the
bounds hold under any way to break ties. Scores are tuples, one a seat; bounds are pairs of them, the least and the
most of each seat.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from solver.search.budget import Part

M = TypeVar("M", bound=Hashable)
N = TypeVar("N", bound=Hashable, contravariant=True)
S = TypeVar("S", bound=Hashable)
Scores = tuple[int, ...]
ScoreBounds = tuple[Scores, Scores]

_NODES_A_LOOK = 200  # of the plain search, between two looks at the limit


def merit(scores: Sequence[int], seat: int) -> tuple[int, int]:
    """What `seat` makes the most of: its own score, then the least for the others in all."""
    return scores[seat], scores[seat] - sum(scores)


def possible(bounds: Iterable[ScoreBounds], seat: int) -> ScoreBounds:
    """What the bounds of its moves say of a position's scores, `seat` to move. There is a move at least."""
    moves = list(bounds)
    sure = max(low[seat] for low, _ in moves)
    standing = [(low, high) for low, high in moves if high[seat] >= sure]
    seats = range(len(standing[0][0]))
    least = [min(low[other] for low, _ in standing) for other in seats]
    most = [max(high[other] for _, high in standing) for other in seats]
    least[seat] = sure
    return tuple(least), tuple(most)


def position_scores(moves: Mapping[M, ScoreBounds], seat: int) -> ScoreBounds:
    """The bounds of a position's scores: exact when the best move's are and no other can be as good."""
    exact = [low for low, high in moves.values() if low == high]
    if exact:
        best = max(exact, key=lambda scores: merit(scores, seat))  # the first of equals: canonical
        if all(high[seat] < best[seat] for low, high in moves.values() if low != high):
            return best, best
    return possible(moves.values(), seat)


class SeatScore(Protocol[N]):
    """What one seat reaches after each move of a position, the others against it or all for it."""

    def widest(self, move: N) -> tuple[int, int]:
        """Bounds of the seat's score after a move that need no search."""

    def bounds(self, move: N, guess: int | None) -> tuple[int, int]:
        """Bounds of the score that a search proves; `guess` is where its questions may begin."""


def bracket(
    moves: Sequence[M],
    seats: int,
    score_of: Callable[[int, bool], SeatScore[M]],
    found: dict[M, ScoreBounds],
) -> None:
    """Bounds of moves' scores: for each seat what it can guarantee below, and what all together can get it above.

    They are put into `found`, where they tighten as searches end. `score_of(seat, allies)` makes a search. The
    cheap upper bounds come first. What a limit cuts off stays as wide as it was.
    """
    helped = [score_of(seat, True) for seat in range(seats)]
    for move in moves:
        least, most = zip(*(search.widest(move) for search in helped), strict=True)
        found[move] = least, most
    for allies in (True, False):
        for seat in range(seats):
            search = helped[seat] if allies else score_of(seat, False)
            for move in moves:
                low, high = found[move]
                if allies:
                    found[move] = low, _with(high, seat, search.bounds(move, None)[1])
                else:
                    found[move] = _with(low, seat, max(low[seat], search.bounds(move, low[seat])[0])), high


def _with(scores: Scores, seat: int, score: int) -> Scores:
    """Scores with another one for a seat."""
    return (*scores[:seat], score, *scores[seat + 1 :])


class PlainMaxn(Generic[S, M]):
    """`maxn` by the rules in Python, every state remembered: slow, exact, good for small endings of any game.

    States are hashable; ones that are equal have the same moves and the same points.
    """

    def __init__(
        self,
        legal_moves: Callable[[S], Sequence[M]],
        play: Callable[[S, M], S],
        to_move: Callable[[S], int],
        points: Callable[[S], Scores],
    ) -> None:
        """`points` are every seat's so far: its score, when no move is left."""
        self._legal_moves = legal_moves
        self._play = play
        self._to_move = to_move
        self._points = points
        self._known: dict[S, Scores] = {}

    def moves(self, state: S, part: Part, most_states: int) -> dict[M, Scores] | None:
        """The scores of every legal move, in canonical order; None when the part or so many states come first."""
        self._part = part
        self._room = most_states
        try:
            return {move: self._scores(self._play(state, move)) for move in self._legal_moves(state)}
        except _StoppedError:
            return None

    def line(self, state: S) -> list[M]:
        """The line of play from a state that `moves` has solved: each seat's first best move."""
        found: list[M] = []
        while moves := self._legal_moves(state):
            seat = self._to_move(state)
            best = max(moves, key=lambda move: merit(self._known[self._play(state, move)], seat))
            found.append(best)
            state = self._play(state, best)
        return found

    def _scores(self, state: S) -> Scores:
        known = self._known.get(state)
        if known is not None:
            return known
        self._room -= 1
        self._part.control.nodes += 1
        if self._room < 0 or (self._room % _NODES_A_LOOK == 0 and self._part.over()):
            raise _StoppedError
        moves = self._legal_moves(state)
        if moves:
            seat = self._to_move(state)
            ways = [self._scores(self._play(state, move)) for move in moves]
            found = max(ways, key=lambda scores: merit(scores, seat))
        else:
            found = self._points(state)
        self._known[state] = found
        return found


class _StoppedError(Exception):
    """The search was given up."""
