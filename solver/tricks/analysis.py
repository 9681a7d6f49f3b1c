"""Analysis of trick games with every card known, for any number of seats and any score.

Three models say how the others play. `paranoid`: all work against the player, so the score is guaranteed. `ally`:
all help the player. `maxn`: each seat maximizes its own score. Under the first two a value is the player's score,
under `maxn` a tuple of scores, one per seat. If a limit is reached, the results are bounds, never guesses.

A plain trick game gets the whole analysis from `solver.tricks.plain.PlainSearch`. A game with its own searches
combines the parts below: `asked` checks a question, `bracket` and `PlayerScore` search, and
`one_score` and `all_scores` sort the moves and build the answer. A game that sorts the moves itself builds its
answer with `answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from solver.answers import Analysis
from solver.errors import RequestError
from solver.kernels.words import Words
from solver.language import say
from solver.limits import Bounded, Control
from solver.search.rules import ATTEMPTS, PROOF_NUMBERS
from solver.search.score_search import ScoreProver
from solver.search.trick_rules import NEED, SWITCHES
from solver.validation import with_names

# ----------------------------------------------------------------------------------------------------
# `maxn`: everybody's scores if each seat maximizes its own and, in ties, minimizes the others' total.
#
# A position's scores follow from those of its moves. If some of these are only bounds, so are the position's: they
# hold for any way to break ties. Scores are tuples, one per seat; bounds are pairs of them, the least and the most
# of each seat.


M = TypeVar("M", bound=Hashable)
C = TypeVar("C", contravariant=True)
N = TypeVar("N")
Scores = tuple[int, ...]
ScoreBounds = tuple[Scores, Scores]


def merit(scores: Sequence[int], seat: int) -> tuple[int, int]:
    """Sort key, highest for the outcome that `seat` prefers: its own score, then minus the others' total."""
    return scores[seat], scores[seat] - sum(scores)


def possible(bounds: Iterable[ScoreBounds], seat: int) -> ScoreBounds:
    """Bounds on a position's scores from those after each move (at least one), with `seat` to move.

    They hold whichever move turns out to be best for `seat`, and however it chooses among equally good ones.
    """
    moves = list(bounds)
    sure = max(low[seat] for low, _ in moves)
    standing = [(low, high) for low, high in moves if high[seat] >= sure]
    seats = range(len(standing[0][0]))
    least = [min(low[other] for low, _ in standing) for other in seats]
    most = [max(high[other] for _, high in standing) for other in seats]
    least[seat] = sure
    return tuple(least), tuple(most)


def position_scores(moves: Mapping[M, ScoreBounds], seat: int) -> ScoreBounds:
    """Bounds on a position's scores, exact if possible, from those after each move, with `seat` to move.

    They are exact if a move with exact scores is better for `seat` than anything that the other moves, with
    inexact scores, can reach. Otherwise they are the wider bounds of `possible`. Ties between exact scores are
    decided by `merit`, then by the order of the moves.
    """
    exact = [low for low, high in moves.values() if low == high]
    if exact:
        best = max(exact, key=lambda scores: merit(scores, seat))  # the first of equals, in canonical order
        if all(high[seat] < best[seat] for low, high in moves.values() if low != high):
            return best, best
    return possible(moves.values(), seat)


class SeatScore(Protocol[C, N]):
    """Computes one seat's score in nodes after `start`, with all others working against it or all helping it."""

    @property
    def start(self) -> N: ...

    def after(self, node: N, move: C) -> N:
        """The node after a move."""

    def widest(self, node: N) -> tuple[int, int]:
        """Bounds on the seat's score without a search."""

    def bounds(self, node: N, guess: int | None = None) -> tuple[int, int]:
        """Bounds on the seat's score, proved by a search that first asks about `guess`."""


def bracket(
    moves: Sequence[M],
    seats: int,
    score_of: Callable[[int, bool], SeatScore[M, N]],
    proofs: dict[M, ScoreBounds],
) -> None:
    """Bound every seat's score after each move.

    A lower bound is what the seat can guarantee against all others, an upper bound what it reaches if all help it.
    ``score_of(seat, allies)`` makes a search of a seat's score: with `allies`, all help it. The bounds are written
    to `proofs`: cheap upper bounds first, then tighter ones as searches end. Where the limit is reached, bounds
    stay wide.
    """
    helped = [score_of(seat, True) for seat in range(seats)]
    for move in moves:
        least, most = zip(*(search.widest(search.after(search.start, move)) for search in helped), strict=True)
        proofs[move] = least, most
    for allies in (True, False):
        for seat in range(seats):
            search = helped[seat] if allies else score_of(seat, False)
            for move in moves:
                (low, high), node = proofs[move], search.after(search.start, move)
                if allies:
                    proofs[move] = low, _with(high, seat, search.bounds(node)[1])
                else:
                    proofs[move] = _with(low, seat, max(low[seat], search.bounds(node, low[seat])[0])), high


def _with(scores: Scores, seat: int, score: int) -> Scores:
    """Replace the score of `seat` in `scores`."""
    return (*scores[:seat], score, *scores[seat + 1 :])


MODELS = ("paranoid", "ally", "maxn")

A = TypeVar("A", bound=Analysis)


@dataclass(frozen=True)
class Form(Generic[A, M]):
    """How to write a game's answers: its name, the type of its analyses, and the text of a move."""

    game: str
    analysis: type[A]
    text: Callable[[M], str]


@dataclass(frozen=True)
class Question:
    """A question about a position: the model, the player, the seat to move, and the control of the search."""

    model: str
    player: int
    to_move: int
    control: Control


def asked(model: str | None, player: int | None, to_move: int, seats: int, control: Control) -> Question:
    """Return a question, by default with the model "paranoid" and about the seat to move.

    Raises RequestError for an unknown model, and if there is no such seat.
    """
    model = "paranoid" if model is None else model
    if model not in MODELS:
        sentence = say("there is no model called {name!r}", name=model)
        raise RequestError("unknown_value", with_names(sentence, str(model), MODELS), "model")
    player = to_move if player is None else player
    if not 0 <= player < seats:
        raise RequestError("out_of_range", say("player is a seat, 0 to {seats}", seats=seats - 1), "player")
    return Question(model, player, to_move, control)


def answer(
    form: Form[A, M],
    question: Question,
    moves: Mapping[M, tuple[Any, Any]],
    value: tuple[Any, Any],
    ranked: Sequence[M],
    line: Sequence[M],
    estimates: Mapping[M, float | None] | None = None,
) -> A:
    """Build an answer: bounds of every move and of the position, and a line of best play.

    `value` has the bounds of the position, and `ranked` the moves, best first. If `line` is empty, the best move
    is shown as the line. `estimates` are shown for unproved moves.
    """
    text = form.text

    def entry(move: M) -> dict[str, Any]:
        least, most = bounds = moves[move]
        exact = least == most
        estimated = None if estimates is None or exact else estimates[move]
        estimate = {} if estimated is None else {"estimate": estimated}
        return {"move": text(move), "value": least if exact else None, "bounds": bounds, "exact": exact} | estimate

    return form.analysis.model_validate(
        {
            "game": form.game,
            "model": question.model,
            "player": question.player,
            "to_move": question.to_move,
            "exact": value[0] == value[1] and all(least == most for least, most in moves.values()),
            "value": value[0] if value[0] == value[1] else None,
            "bounds": value,
            "best": text(ranked[0]) if ranked else None,
            "moves": tuple(map(entry, ranked)),
            "line": tuple(map(text, line or ranked[:1])),
            "nodes": question.control.nodes,
            "seconds": question.control.seconds,
        }
    )


def proved(text: Callable[[M], str], proofs: Mapping[M, tuple[Any, Any]]) -> list[Bounded]:
    """The bounds proved so far for each move, for progress reports; `text` turns a move into text."""
    return [Bounded(text(move), bounds) for move, bounds in proofs.items()]


def position_bounds(moves: Mapping[M, tuple[int, int]], high: bool) -> tuple[int, int]:
    """Bounds on a position's score from those after each move; `high` if the seat to move maximizes it."""
    pick = max if high else min
    return pick(least for least, _ in moves.values()), pick(most for _, most in moves.values())


def one_score(
    form: Form[A, M],
    question: Question,
    moves: Mapping[M, tuple[int, int]],
    *,
    high: bool,
    won: int = 0,
    line: Callable[[M, int], Sequence[M]],
    estimates: Mapping[M, float | None] | None = None,
) -> A:
    """Build the answer under `paranoid` or `ally`.

    `moves` has the bounds of the player's score after every legal move, in canonical order; `high` says whether
    the seat to move maximizes that score. `won` is the score if there is no move. ``line(move, score)`` returns
    best play after a first move that leads to `score`. `estimates` has an estimate of the score after every move,
    or None, even if its bounds are equal. Moves are sorted by these or, without them, by their bounds.
    """
    value = position_bounds(moves, high) if moves else (won, won)
    best: list[M] = []
    if moves and value[0] == value[1]:
        first = next(move for move, bounds in moves.items() if bounds == value)
        best = [first, *line(first, value[0])]

    def badness(move: M) -> tuple[float, int, int]:
        least, most = moves[move]
        if estimates is None:
            return (0.0, -least, -most) if high else (0.0, most, least)
        estimated = estimates[move]
        mean = least if estimated is None else estimated
        return (-mean, -least, -most) if high else (mean, most, least)

    ranked = sorted(moves, key=badness)  # stable: canonical on ties
    return answer(form, question, moves, value, ranked, best, estimates)


def all_scores(
    form: Form[A, M],
    question: Question,
    moves: Mapping[M, ScoreBounds],
    *,
    scores: Scores,
    line: Sequence[M],
    estimates: Mapping[M, float | None] | None = None,
) -> A:
    """Build the answer under `maxn`.

    `moves` has the bounds of every seat's score for every legal move, in canonical order. `scores` has every
    seat's score in the position, and is used only if there is no move. `estimates` are as for `one_score`, of the
    score of the seat to move.
    """
    seat = question.to_move

    def badness(move: M) -> tuple[float, tuple[int, int], tuple[int, int]]:
        low, high = moves[move]
        estimated = None if estimates is None else estimates[move]
        mean = 0.0 if estimates is None else low[seat] if estimated is None else estimated
        least, most = merit(low, seat), merit(high, seat)
        return -mean, (-least[0], -least[1]), (-most[0], -most[1])

    value = position_scores(moves, seat) if moves else (scores, scores)
    return answer(form, question, moves, value, sorted(moves, key=badness), line, estimates)


# ----------------------------------------------------------------------------------------------------
# One player's score from the score search, with the others against the player or all for the player.


AnyMove = TypeVar("AnyMove", bound=Hashable)


def narrow(
    reaches: Callable[[int], bool | None], least: int, most: int, guess: int | None = None
) -> tuple[int, int]:
    """Narrow down a score between `least` and `most` by asking whether it reaches one value after another.

    The first question is about `guess`, by default `most`. The returned bounds are equal unless an answer is
    None; then they are what has been proved so far.
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
class Encoded(Generic[AnyMove]):
    """A state in the form that the search reads, for one player (see `solver.search.trick_rules`).

    `deal` has the constants of the deal, and `start` is the node of the state, with its word NEED at 0. The word
    SWITCHES of `deal` turns parts of the search on. `won` is what the player has won so far. `codes` has the code
    that the search uses for each possible move.
    """

    deal: Words
    start: Words
    won: int
    codes: dict[AnyMove, int]


class PlayerScore(Generic[AnyMove]):
    """Computes one player's score in the nodes of one deal.

    A node is an array in the search's format; its word NEED is minus the points won since the start.
    """

    def __init__(self, prover: ScoreProver, encoded: Encoded[AnyMove], *, allies: bool, control: Control) -> None:
        """`allies` must be as in `encoded`: True if all seats cooperate to maximize the player's score."""
        self.start = encoded.start
        self.won = encoded.won
        self.deal = encoded.deal
        if allies:  # no node has a NO provable by one child: proof numbers are useless
            self.deal[SWITCHES] &= ~PROOF_NUMBERS
        else:  # an answer takes a tree of cards, not one lucky line
            self.deal[SWITCHES] &= ~ATTEMPTS
        self._codes = encoded.codes
        self._moves = {code: move for move, code in encoded.codes.items()}
        self._prover = prover
        self._rules = prover.search.rules
        self._control = control

    def after(self, node: Words, move: AnyMove) -> Words:
        child = np.empty_like(node)
        self._rules.play(self.deal, node, 0, child, 0, self._codes[move])
        return child

    def maximises(self, node: Words) -> bool:
        """Whether the seat to move maximizes the player's score."""
        return bool(self._rules.maximises(self.deal, node, 0))

    def reaches(self, node: Words, score: int) -> bool | None:
        """Whether the player's score of the round is at least `score`; None if a limit was reached."""
        need = score - self.won + int(node[NEED])
        return self._prover.ask(self.deal, node.copy(), need, self._control, stage="prove")

    def widest(self, node: Words) -> tuple[int, int]:
        """Bounds on the score without a search: the points won, and those plus everything in play."""
        won = self.won - int(node[NEED])
        return won, won + self._rules.in_play(self.deal, node, 0)

    def bounds(self, node: Words, guess: int | None = None) -> tuple[int, int]:
        """Bounds on the score, equal unless the limit was reached; the first question is about `guess`."""
        least, most = self.widest(node)
        return narrow(lambda score: self.reaches(node, score), least, most, guess)

    def moves(self, text: Callable[[AnyMove], str] = str) -> dict[AnyMove, tuple[int, int]]:
        """Bounds on the score after every legal move at the start, in canonical order.

        If they are exact, `best_line` then returns the line that begins with the first of the best moves. While it
        searches, the control's progress reports include the bounds so far; `text` turns a move into text.
        """
        with self._control.telling(lambda: proved(text, self._named(self._prover.proved_values()))):
            values_proved = self._prover.values(self.deal, self.start, self._control, stage="prove", line=True)
        return self._named(values_proved)

    def _named(self, bounds: Mapping[int, tuple[int, int]]) -> dict[AnyMove, tuple[int, int]]:
        return {self._moves[code]: (self.won + least, self.won + most) for code, (least, most) in bounds.items()}

    def best_line(self) -> list[AnyMove]:
        """The line of best play from the start that `moves` has found; it ends early if the limit was reached."""
        return [self._moves[code] for code in self._prover.found_line()]

    def line(self, node: Words, score: int) -> list[AnyMove]:
        """A line of best play by both sides from a node worth `score`. It ends early if the limit is reached."""
        codes = self._prover.line(self.deal, node, score - self.won, self._control, stage="prove")
        return [self._moves[code] for code in codes]
