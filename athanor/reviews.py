"""What each move of a finished game gave away, on what the player knew and in truth; and a picture of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from athanor.questions import limit_of, warm
from solver.errors import RequestError
from solver.language import say

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from athanor.sessions import Saved, Session
    from solver.answers import Analysis, Hint
    from solver.limits import Limit, Progress, ProgressCallback
    from solver.playing import Review, ReviewedMove, Round

    Found = tuple[Hint, Analysis | None]  # by what the seat knew, and every card known

SECONDS = 0.3  # for each of the two questions about a move, where no limit is given


def review(
    game: Saved | Mapping[str, Any] | str | bytes,
    *,
    number: int | None = None,
    seat: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    seed: int = 0,
    model: str | None = None,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> Review:
    """What every decision in the finished rounds of a kept game gave away.

    `game` is what `athanor play` keeps, as text (one game) or as JSON. Each move is compared with the best hint
    for what its seat knew then and, apart from that, with the analysis of the position with every card known, in
    which the others play by `model`. A move without a choice is left out. Each of these questions may take
    `seconds` or `nodes`, or both as `limit`; 0.3 seconds without any of them. With nodes alone, the same `seed`
    gives the same review.

    `number` is a round, counted from 1, `seat` a seat: then only these are reviewed. `progress` is called
    before each decision; `cancel` ends the review when it is set by another thread.

    Raises PositionError for a game that cannot be read or that breaks the rules, RequestError for a round that is
    not over, a seat or a model that there is not.
    """
    from athanor.sessions import Session

    asked = limit_of(limit, seconds, nodes)
    if asked.seconds is None and asked.nodes is None:
        asked = limit_of(None, SECONDS, None)
    wish = Wish(asked, seed, model, number, seat)
    return review_of(Session(_saved(game)), wish, progress, cancel)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of a review: the limit of each question, the seed of the hints, the model, which moves."""

    limit: Limit
    seed: int = 0
    model: str | None = None
    number: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What is asked about one move, by the numbers of its round and of the move in it, both counted from 1."""

    round_number: int
    number: int
    limit: Limit
    seed: int
    model: str | None

    def judged(self, session: Session, cancel: threading.Event | None) -> Found:
        """The hint for what the seat knew, and the analysis with every card known, where it can be asked."""
        from solver.limits import Control

        table = session.rounds()[self.round_number - 1][self.number - 1]
        hint = table.by_points().hint(Control(self.limit, cancel), seed=self.seed)
        known = table.known
        if known is None or (cancel is not None and cancel.is_set()):
            return hint, None
        return hint, session.game.analyze(known, Control(self.limit, cancel), model=self.model)


@dataclass(frozen=True, slots=True)
class _Made:
    """A move that was made, at which table, and what is asked about it."""

    table: Round
    move: str
    decision: Decision


def review_of(
    session: Session,
    wish: Wish,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> Review:
    """As `review`, of a game in progress: its finished rounds alone."""
    from solver.playing import Review

    for found in reviewing(session, wish, cancel):
        if isinstance(found, Review):
            return found
        if progress is not None:
            progress(found)
    raise AssertionError("a review ends with itself")


def reviewing(
    session: Session,
    wish: Wish,
    cancel: threading.Event | None = None,
    judged: Callable[[Decision], Found] | None = None,
) -> Iterator[Progress | Review]:
    """As `review_of`, step by step: how far it is before each decision, and at last the review.

    `judged` does the search for each decision, which may be elsewhere; None: here. What cannot be reviewed is
    refused at once, before the first step.
    """
    players = session.round.players
    if wish.seat is not None and not 0 <= wish.seat < players:
        raise RequestError(
            "out_of_range",
            say("there is no seat {seat}; seats are 0 to {last}", seat=wish.seat, last=players - 1),
            "seat",
        )
    ended = len(session.ended)
    if wish.number is not None and not 1 <= wish.number <= ended:
        raise RequestError(
            "out_of_range",
            say("there is no finished round {number}; {ended} are over", number=wish.number, ended=ended),
            "round",
        )
    if not ended:
        raise RequestError("out_of_range", say("no round of this game is over yet"), "round")
    models = session.game.models
    if wish.model is not None and wish.model not in models:
        from solver.findings import with_names

        sentence = say("{model!r} is no model of {game}", model=wish.model, game=session.game.name)
        raise RequestError("unknown_model", with_names(sentence, str(wish.model), models), "model")
    return _steps(session, wish, cancel, judged or (lambda decision: decision.judged(session, cancel)))


def _steps(
    session: Session, wish: Wish, cancel: threading.Event | None, judged: Callable[[Decision], Found]
) -> Iterator[Progress | Review]:
    from solver.limits import Progress
    from solver.playing import Review, reviewed, totals

    decisions = list(_made(session, wish))
    if wish.limit.seconds is not None:
        warm(session.game.name)
    started = time.monotonic()
    done: list[ReviewedMove] = []
    for place, made in enumerate(decisions):
        seconds = time.monotonic() - started
        yield Progress(0, seconds, place / len(decisions), f"move {place + 1} of {len(decisions)}")
        found = judged(made.decision)
        if cancel is not None and cancel.is_set():
            break
        hint, analysis = found
        done.append(
            reviewed(
                made.table,
                made.move,
                hint,
                analysis,
                number=made.decision.number,
                round_number=made.decision.round_number,
                text=_text(made.table),
            )
        )
    seats = range(session.round.players) if wish.seat is None else [wish.seat]
    yield Review(
        game=session.game.name,
        unit=session.round.unit,
        complete=len(done) == len(decisions),
        seats=totals(done, seats),
        moves=tuple(done),
    )


def _text(table: Round) -> str | None:
    """A table with every card known as a line; None where no line says it."""
    from solver.errors import PositionError
    from solver.positions import text_of

    if table.known is None:
        return None
    try:
        return text_of(table.known)
    except PositionError:
        return None


def _made(session: Session, wish: Wish) -> Iterator[_Made]:
    """The moves that were made where there was a choice, in the rounds that are over."""
    from solver.common import Random

    place = 0
    for index, states in enumerate(session.rounds()):
        if states[-1].to_move is not None or wish.number not in (None, index + 1):
            continue
        moves: Sequence[str] = session.made(index)
        for number, (table, move) in enumerate(zip(states, moves, strict=False), start=1):
            if wish.seat in (None, table.to_move) and len(table.moves()) > 1 and move in table.moves():
                seed = Random(wish.seed, place).below(1 << 30)
                yield _Made(table, move, Decision(index + 1, number, wish.limit, seed, wish.model))
                place += 1


def _saved(game: Saved | Mapping[str, Any] | str | bytes) -> Saved:
    from athanor.sessions import Saved, read_one
    from solver.findings import validated

    if isinstance(game, Saved):
        return game
    if isinstance(game, str | bytes):
        return read_one(game.encode() if isinstance(game, str) else game)
    return validated(Saved.model_validate, dict(game))


def plot(review: Review, target: Path | IO[bytes], file_format: str | None = None) -> None:
    """Draw to a file or stream, PNG or SVG by `file_format` or the file's ending. Raises OSError, ValueError.

    There is a row of two diagrams for each round: on what was known, and in truth where that was proved.
    """
    from matplotlib.figure import Figure  # which takes a second

    numbers = sorted({move.round for move in review.moves}) or [1]
    figure = Figure(figsize=(10, 3.6 * len(numbers)), layout="constrained")
    rows = figure.subplots(len(numbers), 2, squeeze=False)
    for number, row in zip(numbers, rows, strict=True):
        for axes, name, title in zip(row, ("lost", "true_lost"), ("on what was known", "in truth"), strict=True):
            for seat in review.seats:
                places, given, total = [0], [0.0], 0.0
                for move in review.moves:
                    found = getattr(move, name)
                    if move.round == number and move.seat == seat.seat and found is not None:
                        total += found
                        places.append(move.number)
                        given.append(total)
                axes.step(places, given, where="post", marker="o", markersize=3, label=f"seat {seat.seat}")
            axes.set_title(f"round {number}: given away {title}", fontsize="medium")
            axes.set_xlabel("move of the round")
            axes.set_ylabel(review.unit)
            axes.set_ylim(bottom=0)
            axes.grid(alpha=0.3)
    rows[0][0].legend(fontsize="small")
    figure.suptitle(review.game)
    figure.savefig(target, format=file_format, dpi=150)
