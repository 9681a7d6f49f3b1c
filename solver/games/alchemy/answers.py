"""What alchemy's answers say beyond those of every game."""

from __future__ import annotations

from math import hypot
from typing import Literal

from solver.protocol.answers import Analysis, Answer, Hint, HintMove, MoveValue
from solver.protocol.showing.sheets import SheetScore

Outcome = Literal["won", "lost"]


class SolitaireMove(MoveValue):
    """A move of a solitaire with a known stock; `left` is the fewest stock cards left, 0 when won."""

    value: Outcome | None
    bounds: tuple[Outcome, Outcome]
    left: int | None
    used: tuple[str, ...]


class SolitaireAnalysis(Analysis):
    """Won or lost, with the line of play; of a lost deal the fewest stock cards `left`."""

    value: Outcome | None
    bounds: tuple[Outcome, Outcome]
    left: int | None
    moves: tuple[SolitaireMove, ...]


class DuelMove(MoveValue):
    """A grab: its own marginal `points`, the opponent's best `reply`; its value is `swing`, the difference.

    `denies` says that the opponent has no match left after it.
    """

    value: int
    bounds: tuple[int, int]
    used: tuple[str, ...]
    points: int
    reply: int
    swing: int
    denies: bool


class DuelOrder(Answer):
    """The exchange when one of the players grabs first."""

    value: int
    best: str
    moves: tuple[DuelMove, ...]
    line: tuple[str, ...]


class DuelAnalysis(Analysis):
    """The exchange when the player grabs first, and under `if_opponent_first` the other way round."""

    value: int
    bounds: tuple[int, int]
    moves: tuple[DuelMove, ...]
    if_opponent_first: DuelOrder


class Match(Answer):
    """One match of a puzzle, with the line cards that it takes."""

    move: str
    used: tuple[str, ...]


class MatchesAnalysis(Analysis):
    """The distinct matches of a line; the value is their number.

    Only where `moves` are but the first ones of them, in canonical order, there is `truncated`, and it is True.
    """

    value: int | None
    bounds: tuple[int, int]
    moves: tuple[Match, ...]  # type: ignore[assignment]  # without objective a match has no value
    truncated: bool = False


class OptimumMove(MoveValue):
    """The match found; `value` is the line cards used or, for most-points, the points of all its cards."""

    value: int
    bounds: tuple[int, int]
    used: tuple[str, ...]


class OptimumAnalysis(Analysis):
    """One proved best match of a line by an objective; no value and no moves when no match satisfies it."""

    value: int | None
    bounds: tuple[int, int] | None
    moves: tuple[OptimumMove, ...]


class SolitaireHintMove(HintMove):
    """A move of a solitaire whose stock is hidden.

    `win_probability` is the chance to win when the move is made and play goes on as well as it can without
    seeing the stock: exact, or an estimate with `stderr`, None where the limit left no time to measure it.
    `clairvoyant` is the share of stock orders that a player who saw them would win: an upper bound, and a poor
    guide.
    """

    used: tuple[str, ...]
    win_probability: float
    stderr: float | None
    exact: bool
    clairvoyant: float | None
    method: str


class SolitaireHint(Hint):
    moves: tuple[SolitaireHintMove, ...]

    def behind(self, move: str) -> tuple[float, float | None] | None:
        found = [entry for entry in self.moves if entry.move == move]
        if not found:
            return None
        gap = max(0.0, self.moves[0].win_probability - found[0].win_probability)
        best, other = self.moves[0].stderr, found[0].stderr
        if move == self.best:
            return gap, 0.0
        return gap, None if best is None or other is None else hypot(best, other)


class DuelHintMove(HintMove):
    """A grab. In a race, `win_probability` is the chance to win it, an estimate with its standard error."""

    used: tuple[str, ...]
    points: int
    reply: int
    swing: int
    denies: bool
    win_probability: float | None = None
    stderr: float | None = None


class DuelHint(Hint):
    moves: tuple[DuelHintMove, ...]

    def behind(self, move: str) -> tuple[float, float | None] | None:
        swings = {entry.move: entry.swing for entry in self.moves}
        return (float(max(swings.values()) - swings[move]), 0.0) if move in swings else None


class DuelGrabMove(HintMove):
    """What the one who grabs second may do. In a race, `win_probability` is the chance to win it, an estimate."""

    used: tuple[str, ...]
    points: int
    win_probability: float | None = None
    stderr: float | None = None


class DuelGrabHint(Hint):
    """For the player who grabs second in an exchange: the other has moved, so only points and the race count."""

    moves: tuple[DuelGrabMove, ...]

    def behind(self, move: str) -> tuple[float, float | None] | None:
        points = {entry.move: entry.points for entry in self.moves}
        return (float(max(points.values()) - points[move]), 0.0) if move in points else None


class SolitaireScore(Answer):
    """How a recorded solitaire ended; `finished` is false when the moves stop before the end."""

    game: str
    variant: str
    finished: bool
    value: Outcome | None
    left: int
    turns: int


class DuelScore(Answer):
    """The points of each round and in all; `winner` is None while nobody has won the match."""

    game: str
    variant: str
    rounds: tuple[tuple[int, int], ...]
    totals: tuple[int, int]
    winner: int | None
    finished: bool


AnyAnalysis = SolitaireAnalysis | DuelAnalysis | MatchesAnalysis | OptimumAnalysis
AnyHint = SolitaireHint | DuelHint | DuelGrabHint
AnyScore = SolitaireScore | DuelScore | SheetScore
