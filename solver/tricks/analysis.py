"""The analysis of trick games with every card known: what they share, for any number of seats and any score.

Three models say how the others play. `paranoid`: all against the player, whose score is then a guarantee. `ally`:
all for the player. `maxn`: each seat for itself. Under the first two a value is the player's score, under `maxn`
it is a tuple of scores, one a seat. What a limit cuts off are bounds, never guesses.

**A plain trick game** gets the whole analysis from `solver.tricks.plain.analysis`: it makes a `PlainGame` of its
rules in Python, an encoder from its states to the words of the search (`Encoded`), and provers for its record of
search rules (`ScoreRules`). In a module of the game:

    PROVERS = Pool(lambda megabytes: ScoreProver(score_search(RULES), megabytes))
    GAME = PlainGame(
        form=Form("whist", WhistAnalysis, WhistMove, card_text), seats=4, sides=(0, 1, 0, 1),
        legal_moves=rules.legal_moves, play=rules.play, to_move=rules.to_move, points=rules.points,
        encode=encode, provers=PROVERS,
    )

    def analyze(position, control, *, model=None, player=None):
        return plain_analysis.analyze(GAME, position.state, control, model=model, player=player)

**A game with searches of its own** uses the parts: `check_model` and `check_player`; `one_score` and `all_scores`,
which order the moves and write the answer; `answer` where it has its own order or line; and `solver.tricks.maxn`,
`solver.tricks.player_score`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from solver.common.control import Bounded, Control
from solver.inputs.errors import RequestError
from solver.protocol.answers import Analysis, MoveValue
from solver.tricks.maxn import ScoreBounds, Scores, merit, position_scores

MODELS = ("paranoid", "ally", "maxn")

A = TypeVar("A", bound=Analysis)
M = TypeVar("M", bound=Hashable)

Means = Callable[[M, tuple[int, int]], float]


def check_model(model: str | None) -> str:
    """The model asked for, "paranoid" if none is. Raises RequestError for one that there is not."""
    model = "paranoid" if model is None else model
    if model not in MODELS:
        raise RequestError("unknown_value", f"unknown model {model!r}; expected {', '.join(MODELS)}", "model")
    return model


def check_player(player: int | None, to_move: int, seats: int) -> int:
    """The seat whose score is asked for, the one to move if none is. Raises RequestError for none of the seats."""
    player = to_move if player is None else player
    if not 0 <= player < seats:
        raise RequestError("out_of_range", f"player is a seat, 0 to {seats - 1}", "player")
    return player


@dataclass(frozen=True)
class Form(Generic[A, M]):
    """How a game writes its analyses: its name in answers, the text of a move, and the types of the answer."""

    game: str
    analysis: type[A]
    move: type[MoveValue]
    text: Callable[[M], str]


@dataclass(frozen=True)
class Question:
    """What was asked: the model, the player, the seat to move; and the control that the search runs under."""

    model: str
    player: int
    to_move: int
    control: Control


def answer(
    form: Form[A, M],
    question: Question,
    moves: Mapping[M, tuple[Any, Any]],
    value: tuple[Any, Any],
    ranked: Sequence[M],
    line: Sequence[M],
) -> A:
    """The answer: bounds of every move, the position's own, the moves best first, and a line of best play.

    Without a line, the best move is all of it.
    """
    text = form.text
    return form.analysis(
        game=form.game,
        model=question.model,
        player=question.player,
        to_move=question.to_move,
        exact=value[0] == value[1] and all(least == most for least, most in moves.values()),
        value=value[0] if value[0] == value[1] else None,
        bounds=value,
        best=text(ranked[0]) if ranked else None,
        moves=tuple(
            form.move(
                move=text(move),
                value=moves[move][0] if moves[move][0] == moves[move][1] else None,
                bounds=moves[move],
                exact=moves[move][0] == moves[move][1],
            )
            for move in ranked
        ),
        line=tuple(map(text, line or ranked[:1])),
        nodes=question.control.nodes,
        seconds=question.control.seconds,
    )


def proved(
    text: Callable[[M], str], found: Mapping[M, tuple[Any, Any]], more: Callable[[Any], Any] = lambda value: value
) -> list[Bounded]:
    """What is proved of each move so far, for whoever watches: `text` writes a move, `more` adds to its bounds."""
    return [Bounded(text(move), (more(least), more(most))) for move, (least, most) in found.items()]


def position_bounds(moves: Mapping[M, tuple[int, int]], high: bool) -> tuple[int, int]:
    """The bounds of a position's score from those of its moves; `high`: the seat to move wants it high."""
    pick = max if high else min
    return pick(least for least, _ in moves.values()), pick(most for _, most in moves.values())


def one_score(
    form: Form[A, M],
    question: Question,
    moves: Mapping[M, tuple[int, int]],
    *,
    high: bool,
    won: int,
    line: Callable[[M, int], Sequence[M]],
    means: Means[M] | None = None,
) -> A:
    """The answer under `paranoid` or `ally`.

    `moves` has the bounds of the player's score for every legal move, in canonical order; `high` says whether the
    seat to move wants it high; `won` is the score when there is no move. `line(move, score)` is best play after a
    first move that leads to `score`. `means(move, bounds)` estimates the score of a move, exact ones included; the
    moves are ordered by it, by default by their bounds.
    """
    value = position_bounds(moves, high) if moves else (won, won)
    best: list[M] = []
    if moves and value[0] == value[1]:
        first = next(move for move, bounds in moves.items() if bounds == value)
        best = [first, *line(first, value[0])]

    def badness(move: M) -> tuple[float, int, int]:
        least, most = moves[move]
        if means is None:
            return (0.0, -least, -most) if high else (0.0, most, least)
        mean = means(move, moves[move])
        return (-mean, -least, -most) if high else (mean, most, least)

    return answer(form, question, moves, value, sorted(moves, key=badness), best)  # stable: canonical on ties


def all_scores(
    form: Form[A, M],
    question: Question,
    moves: Mapping[M, ScoreBounds],
    *,
    scores: Scores,
    line: Sequence[M],
    means: Means[M] | None = None,
) -> A:
    """The answer under `maxn`.

    `moves` has the bounds of everybody's scores for every legal move, in canonical order; `scores` are everybody's
    when there is no move. `means(move, bounds)` estimates the own score of the seat to move, given its bounds.
    """
    seat = question.to_move

    def badness(move: M) -> tuple[float, tuple[int, int], tuple[int, int]]:
        low, high = moves[move]
        mean = 0.0 if means is None else means(move, (low[seat], high[seat]))
        least, most = merit(low, seat), merit(high, seat)
        return -mean, (-least[0], -least[1]), (-most[0], -most[1])

    value = position_scores(moves, seat) if moves else (scores, scores)
    return answer(form, question, moves, value, sorted(moves, key=badness), line)
