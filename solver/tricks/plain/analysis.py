"""The analysis of a plain trick game: every move's value under the three models, from rules, search rules,
encoder.

`maxn` has no search of its own here. Of two sides that play for the same tricks it is the game between them. Else
small endings are solved by the rules in Python, and larger ones bounded: each seat's score lies between what it
can guarantee (`paranoid`) and what all together can get it (`ally`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from solver.common.control import Control
from solver.protocol.answers import Analysis
from solver.search.budget import Part
from solver.search.pool import Pool
from solver.search.tricks.score_prover import ScoreProver
from solver.tricks.analysis import Form, Question, all_scores, check_model, check_player, one_score, proved
from solver.tricks.maxn import PlainMaxn, ScoreBounds, Scores, bracket
from solver.tricks.player_score import Encoded, PlayerScore

A = TypeVar("A", bound=Analysis)
M = TypeVar("M", bound=Hashable)
S = TypeVar("S", bound=Hashable)

_MOST_STATES = 100_000  # of an ending that is solved in Python: some seconds
_PLAIN_SHARE = 0.5  # of a limit; the rest is for bounds, should the ending not be solved by then


@dataclass(frozen=True, kw_only=True)
class PlainGame(Generic[A, S, M]):
    """What a plain trick game brings.

    `form`: how its answers are written. `legal_moves(state)`: in canonical order; none when the round is over.
    `points(state)`: every seat's score so far, in a partnership game its side's. `encode(state, player, allies)`:
    the state in the words of the search, for the score of `player`, a seat; `maximises` of the search's rules must
    say 1 for the player and its partners, and for everybody if `allies`. `provers`: of the game's search.

    `sides`, of a game of two sides that share out a fixed number of points: the side of each seat, 0 or 1.
    """

    form: Form[A, M]
    seats: int
    legal_moves: Callable[[S], Sequence[M]]
    play: Callable[[S, M], S]
    to_move: Callable[[S], int]
    points: Callable[[S], Scores]
    encode: Callable[[S, int, bool], Encoded[M]]
    provers: Pool[ScoreProver]
    sides: tuple[int, ...] | None = None


def analyze(
    game: PlainGame[A, S, M],
    state: S,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> A:
    """Exact values of every move, best first for the seat to move; what is proved when the limit comes first.

    Raises RequestError for a model or a player that there is not.
    """
    seat = game.to_move(state)
    question = Question(check_model(model), check_player(player, seat, game.seats), seat, control)
    with game.provers.lend() as prover:
        if question.model != "maxn":
            return _one(game, state, question, prover)
        found: dict[M, ScoreBounds] = {}
        with control.telling(lambda: proved(game.form.text, found)):
            moves, line = _everybody(game, state, control, prover, found)
    return all_scores(game.form, question, moves, scores=game.points(state), line=line)


def _score(
    game: PlainGame[A, S, M], state: S, prover: ScoreProver, player: int, allies: bool, control: Control
) -> PlayerScore[M]:
    return PlayerScore(prover, game.encode(state, player, allies), allies=allies, control=control)


def _one(game: PlainGame[A, S, M], state: S, question: Question, prover: ScoreProver) -> A:
    allies = question.model == "ally"
    search = _score(game, state, prover, question.player, allies, question.control)
    return one_score(
        game.form,
        question,
        search.moves(game.form.text) if game.legal_moves(state) else {},
        high=search.maximises(search.start),
        won=search.won,
        line=lambda move, score: search.line(search.after(search.start, move), score),
    )


def _everybody(
    game: PlainGame[A, S, M], state: S, control: Control, prover: ScoreProver, found: dict[M, ScoreBounds]
) -> tuple[dict[M, ScoreBounds], Sequence[M]]:
    """The bounds of everybody's scores for each legal move, and the line of play where they are exact.

    Bounds that tighten one by one are in `found` meanwhile.
    """
    moves = game.legal_moves(state)
    if not moves:
        return {}, ()
    if game.sides is not None:
        return _two_sides(game, game.sides, state, control, prover)
    plain = PlainMaxn(game.legal_moves, game.play, game.to_move, game.points)
    solved = plain.moves(state, Part(control, _PLAIN_SHARE), _MOST_STATES)
    if solved is not None:
        return {move: (scores, scores) for move, scores in solved.items()}, plain.line(state)

    def score_of(seat: int, allies: bool) -> _AfterMove[M]:
        return _AfterMove(_score(game, state, prover, seat, allies, control))

    bracket(moves, game.seats, score_of, found)
    return found, ()


@dataclass(frozen=True)
class _AfterMove(Generic[M]):
    """One seat's score after each move of the start."""

    search: PlayerScore[M]

    def widest(self, move: M) -> tuple[int, int]:
        return self.search.widest(self.search.after(self.search.start, move))

    def bounds(self, move: M, guess: int | None) -> tuple[int, int]:
        return self.search.bounds(self.search.after(self.search.start, move), guess)


def _two_sides(
    game: PlainGame[A, S, M], sides: tuple[int, ...], state: S, control: Control, prover: ScoreProver
) -> tuple[dict[M, ScoreBounds], Sequence[M]]:
    """What one side gets in the game between them the other does not: so one score says all."""
    seat = game.to_move(state)
    search = _score(game, state, prover, seat, False, control)
    points = game.points(state)
    other = next(score for score, side in zip(points, sides, strict=True) if side != sides[seat])
    total = search.widest(search.start)[1] + other

    def everybody(score: int) -> Scores:
        return tuple(score if side == sides[seat] else total - score for side in sides)

    def bounds(least: int, most: int) -> ScoreBounds:
        low, high = everybody(least), everybody(most)
        return tuple(map(min, low, high)), tuple(map(max, low, high))

    scores = search.moves()
    line: list[M] = []
    value = max(least for least, _ in scores.values()), max(most for _, most in scores.values())
    if value[0] == value[1]:
        first = next(move for move, found in scores.items() if found == value)
        line = [first, *search.line(search.after(search.start, first), value[0])]
    return {move: bounds(*found) for move, found in scores.items()}, line
