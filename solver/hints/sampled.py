"""Hints for games with hidden cards: each legal move is judged by its mean score in sampled worlds (deals).

All games take the same steps: check the turn and the moves, sample worlds that agree with the view, play out each
move in them, rank the moves, and find the reason. A game fills in its own parts with a `Sampler`; its `hint` is
then ``SAMPLER.hint``. Unlike a mean of values with every card known, a hint doesn't favour moves that need hidden
knowledge: worlds are finished by players who see only their own cards (`solver.hints.policy`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypedDict, TypeVar

import numpy as np

from solver.answers import AnySampledHint, PolicyHint, PolicyMove, SampledHint, SampledMove, Unknown
from solver.common import MOST_WORLDS, Others
from solver.errors import RequestError
from solver.hints.causes import FEWEST_BATCHES, Notes, Reason, of_moves, only, why
from solver.hints.ranking import (
    POINTS,
    Margin,
    Shifted,
    Sums,
    Unit,
    Whole,
    Why,
    answer,
    lead,
    ranked,
)
from solver.kernels.words import Floats
from solver.language import say
from solver.limits import Control, started

# ----------------------------------------------------------------------------------------------------
# The loop that plays worlds: numbered batches in several threads, merged in order, under a `Control`.
#
# The answer depends only on which worlds are counted. They are counted from the first batch on without gaps, and
# whether the best move is clear is checked only at certain numbers of worlds; so the same seed and node limit give
# the same answer with any number of threads. A node is one game played to its end.


DEFAULT_SECONDS = 1.0  # of a hint without any limit
GAMES_A_BATCH = 128
BATCH_SECONDS = 0.004  # that so many games take in most games, or less
_FEWEST_BATCHES = 16  # each batch may be a chain, and the error comes from differences between chains
_FIRST_LOOK = 256  # worlds; after that, at about every quarter more
_SEPARATION = 4.0  # paired standard errors between the best move and every other one
_ALIKE = 0.002  # a difference is known well enough at this standard error
_PRECISE = 0.01  # the best move's mean is known well enough at this standard error, as a share of it
_MARGIN_SECONDS = 0.005  # kept for making the answer, for each hint now running; at most a share of the time
_MARGIN_SHARE = 0.2


class HintOptions(TypedDict, total=False):
    """The options that hints of sampled games have in common, as in `Sampler.hint`."""

    worlds: int | None
    seed: int
    threads: int | None


class Rollouts(Protocol):
    """Plays out moves in sampled worlds; each game provides its own (see `solver.hints`)."""

    @property
    def moves(self) -> int: ...

    @property
    def statistics(self) -> int: ...

    @property
    def chained(self) -> bool: ...

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        """Play each move in worlds number `first`, `first` + 1, …, one world per row of `results`.

        `results` is an array (worlds, moves, statistics) to fill. `weights` has the weight of each world: the
        caller must set all of them to 1, and this method may change them.
        """


class _Company:
    """Counts the hints that this process is running.

    If there are several, each uses one thread, and stops longer before its deadline.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.hints = 0

    @contextmanager
    def joined(self) -> Iterator[None]:
        with self._lock:
            self.hints += 1
        try:
            yield
        finally:
            with self._lock:
                self.hints -= 1


_company = _Company()


@dataclass
class _Run:
    """The state shared by the threads of one hint."""

    rollouts: Rollouts
    batches: int
    batch: int
    worlds: int
    begun: float
    until: float | None
    sums: Sums
    control: Control
    names: Sequence[str]
    judged: Callable[[Sums], Sums]
    lock: threading.Lock = field(default_factory=threading.Lock)
    taken: int = 0
    merged: int = 0
    waiting: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)
    slowest: float = 0.0
    look: int = _FIRST_LOOK
    clear: bool = False
    failure: BaseException | None = None

    def next(self) -> int | None:
        """Return the number of the next batch; None when finished.

        The first batch is played even if there is no time.
        """
        with self.lock:
            ended = self.clear or self.failure is not None or self.taken == self.batches
            if ended or (self.taken and (self._late() or self.control.cancelled())):
                return None
            self.taken += 1
            return self.taken - 1

    def _late(self) -> bool:
        """Return whether it is too late to start another batch, because it might not end in time."""
        if self.until is None:
            return False
        kept = min(_MARGIN_SECONDS * _company.hints, _MARGIN_SHARE * (self.until - self.begun))
        return time.monotonic() + self.slowest + kept >= self.until

    def help(self) -> None:
        """Play batches in an additional thread until none is left, or until other hints need the processor."""
        try:
            while _company.hints < 2 and (number := self.next()) is not None:
                self.play(number)
        except BaseException as error:
            self.failure = error

    def play(self, number: int) -> None:
        """Play batch `number`. Then add finished batches to the sums, in order of their numbers, without gaps."""
        begin = time.monotonic()
        first = number * self.batch
        count = min(self.batch, self.worlds - first)
        results = np.empty((count, self.rollouts.moves, self.rollouts.statistics))
        weights = np.ones(count)
        self.rollouts.play(first, results, weights)
        with self.lock:
            self.slowest = max(0.9 * self.slowest, time.monotonic() - begin)
            self.waiting[number] = results, weights
            while self.merged in self.waiting and not self.clear:
                self.sums.add(*self.waiting.pop(self.merged), chained=self.rollouts.chained)
                self.merged += 1
                if self.sums.worlds >= self.look:
                    self.look = self.sums.worlds * 5 // 4
                    self.clear = separated(self.sums, self.rollouts.moves)

    def report(self) -> None:
        if not self.merged:  # the other thread is still playing the first batch
            return
        share = self.merged / self.batches
        begun, left = self.control.started, self.control.deadline
        if left is not None:
            share = max(share, min(1.0, (time.monotonic() - begun) / (left - begun)))
        self.control.report(share, "sampled deals", best=self.best)

    def best(self) -> str | None:
        """Return the best move so far; None if the moves have no names or no world was counted yet."""
        with self.lock:
            return self.names[self.judged(self.sums).best()] if self.names and self.sums.worlds else None


def separated(sums: Sums, moves: int) -> bool:
    """Return whether more worlds are unnecessary.

    They are unnecessary if the best mean is precise, and each other move is either surely worse than the best one
    or almost surely just as good.
    """
    best = sums.best()
    if sums.stderr(best) > _PRECISE * max(1.0, abs(float(sums.means[best, 0]))):
        return False
    for other in range(moves):
        if other != best:
            gap, error = sums.difference(best, other)
            if gap <= _SEPARATION * error and error > _ALIKE:
                return False
    return True


def _load(rollouts: Rollouts) -> None:
    """Play one world to load the kernels, so that loading does not count towards the default time limit."""
    rollouts.play(0, np.empty((1, rollouts.moves, rollouts.statistics)), np.ones(1))


def games_within(games: int, seconds: float, left: float) -> int:
    """Return how many games to play at once: `games`, which take `seconds`, or fewer if less time is `left`."""
    return max(1, min(games, int(games * (1 - _MARGIN_SHARE) * left / seconds)))


def worlds_error() -> RequestError:
    return RequestError("out_of_range", say("worlds is from 1 to {most}", most=MOST_WORLDS), "worlds")


def simulate(
    rollouts: Rollouts,
    control: Control,
    *,
    worlds: int | None = None,
    threads: int | None = None,
    games: int = GAMES_A_BATCH,
    seconds: float = BATCH_SECONDS,
    names: Sequence[str] = (),
    judged: Callable[[Sums], Sums] = lambda sums: sums,
) -> Sums:
    """Play worlds until the best move is clear, `worlds` are played, or the control's limit is reached.

    Without any limit it takes `DEFAULT_SECONDS`. A batch has about `games` games, at least those of one world, and
    the clock is checked between batches. At least one batch is played, so there is always an answer. It takes
    about `seconds`, and batches are smaller if time is the only limit and leaves less. `names` are the moves as
    text, for reporting the best move so far; ``judged(sums)`` gives the sums that decide which move is best.
    Raises RequestError for a number of worlds that is out of range.
    """
    if worlds is not None and not 1 <= worlds <= MOST_WORLDS:
        raise worlds_error()
    unlimited = control.deadline is None and control.node_limit is None and worlds is None
    if unlimited:
        _load(rollouts)
    until = time.monotonic() + DEFAULT_SECONDS if unlimited else control.deadline
    most = MOST_WORLDS if worlds is None else worlds
    before, nodes = control.nodes, control.nodes_left()
    if nodes is not None:
        most = max(1, min(most, nodes // rollouts.moves))
    elif until is not None and worlds is None:  # with another limit, answers don't depend on time
        games = games_within(games, seconds, until - time.monotonic())
    batch = max(1, min(games // rollouts.moves, most // _FEWEST_BATCHES))
    run = _Run(
        rollouts=rollouts,
        batches=-(-most // batch),
        batch=batch,
        worlds=most,
        begun=time.monotonic(),
        until=until,
        sums=Sums(rollouts.moves, rollouts.statistics, batch),
        control=control,
        names=names,
        judged=judged,
    )
    helpers = [
        threading.Thread(target=run.help, name="hint", daemon=True)
        for _ in range((threads or min(2, os.cpu_count() or 1)) - 1)
    ]
    with _company.joined():
        helpers = [helper for helper in helpers if started(helper)]
        try:
            while (number := run.next()) is not None:
                run.play(number)
                control.nodes = before + run.sums.worlds * rollouts.moves
                run.report()
        finally:
            with run.lock:
                run.batches = run.taken
            for helper in helpers:
                helper.join()
    if run.failure is not None:
        raise run.failure
    control.nodes = before + run.sums.worlds * rollouts.moves
    return run.sums


POLICY = "policy"  # the method of answers without sampling
ALL_DEALS = "all deals"  # the method if there are so few deals that all are counted
_DIGITS = 6  # decimals of a chance
_WITNESSES = 1000


class SeatView(Protocol):
    """What all views have: the seat whose view it is, and the seat to move."""

    @property
    def seat(self) -> int: ...

    @property
    def seat_to_move(self) -> int: ...


def check_turn(seat: int, to_move: int) -> None:
    """Raise RequestError if another seat is to move, since its hand is hidden."""
    if seat != to_move:
        message = say("{seat:who} {seat:is|are} to move, not {own:who}", seat=to_move, own=seat)
        raise RequestError("not_to_move", message, "seat")


V = TypeVar("V", bound=SeatView)
M = TypeVar("M")


@dataclass(frozen=True)
class Sampler(Generic[V, M]):
    """What a game provides for its hints.

    - `game` and `method` appear in the answer.
    - `legal_moves` lists the moves of a view in canonical order, and `text` writes a move as users do.
    - ``rollouts(view, moves, seed, others)`` makes the rollouts (`solver.hints`) among players of the strength
      `others`.
    - ``no_moves(view)`` is the reason in an answer without moves; it raises RequestError if such a view cannot be
      asked about.
    - ``games(view)`` is the size of a batch, and `seconds` how long one takes. The default suits a usual deck.
    - ``points(view)`` is the index of the statistic with the round's points, if the first statistic, by which
      moves are judged, is the chance to win the match; else None.
    - ``unit(view)`` is the unit of the scores.
    - ``because(view, moves, noted, lead, rollouts)`` finds at most two causes of the best move's margin `lead`
      (`solver.hints.causes.behind`); `rollouts` were played, and `noted` is what they recorded. In a game without
      this function, reasons only state the mean scores.
    - ``policy(view, moves)`` is the probability of each move for a player who does not think ahead; None if there
      is no such player.
    - ``ending(view, moves, control, worlds, others)`` is the result of the best reply over all remaining deals, if
      these are at most `worlds` and can be enumerated within the limit; else None.
    - ``model_error(view, others)`` is the error of the means that is not due to sampling
      (`solver.hints.ranking`); None if it has not been measured.
    - ``odds(view, others)`` is a factor that corrects the odds of all mean scores, which must be chances; None if
      no correction is needed.
    - `levels` is whether these depend on `others`, which the answer then repeats.
    - ``unknown(view)`` describes the cards that a player does not remember; None if everything is remembered.
    """

    game: str
    method: str
    legal_moves: Callable[[V], Sequence[M]]
    text: Callable[[V, M], str]
    rollouts: Callable[[V, Sequence[M], int, Others], Rollouts]
    no_moves: Callable[[V], str] = lambda _view: say("The round is over.")
    games: Callable[[V], int] = lambda _view: GAMES_A_BATCH
    seconds: float = BATCH_SECONDS
    points: Callable[[V], int | None] = lambda _view: None
    unit: Callable[[V], Unit] = lambda _view: POINTS
    because: Callable[[V, Sequence[M], Notes, Margin, Any], Sequence[Reason]] | None = None
    policy: Callable[[V, Sequence[M]], Sequence[float]] | None = None
    ending: Callable[[V, Sequence[M], Control, int | None, Others], Whole | None] | None = None
    model_error: Callable[[V, Others], float | None] | None = None
    odds: Callable[[V, Others], float] | None = None
    levels: bool = True
    unknown: Callable[[V], Unknown | None] | None = None

    def hint(
        self,
        view: V,
        control: Control,
        *,
        others: Others = "equal",
        worlds: int | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> AnySampledHint:
        """Return a hint: the legal moves with their mean scores and standard errors, best first, and a reason.

        If there is a `policy`, its choice is reported at once, before any world is played; if `worlds` is 0, that
        choice is the answer.

        `others` is the assumed strength of the other players. `worlds` is how many deals to sample; None leaves it
        to the control's limit.
        The same view, `seed` and node limit (or number of `worlds`) give the same answer, whatever the number of
        `threads`. Raises RequestError when another seat is to move, and for a number of worlds that is out of
        range.
        """
        moves = self._moves(view, control)
        if not moves:
            return self._no_moves(view, control, seed)
        if worlds == 0:
            return self._at_once(view, moves, control, seed)
        if self.policy is not None:
            policy = self.policy
            control.tell_first(POLICY, lambda: self.text(view, moves[_likeliest(policy(view, moves))[0]]))
        rollouts = self.rollouts(view, moves, seed, others)
        names = [self.text(view, move) for move in moves]
        whole = None if self.ending is None else self.ending(view, moves, control, worlds, others)
        if whole is not None:
            worlds = _WITNESSES  # which show the causes of a lead
        more = worlds is None or whole is not None
        odds = None if self.odds is None else self.odds(view, others)

        def judged(sums: Sums) -> Sums:
            return (whole or sums) if odds is None else Shifted(whole or sums, odds)

        sums = simulate(
            rollouts,
            control,
            worlds=worlds,
            threads=threads,
            games=self.games(view),
            seconds=self.seconds,
            names=names,
            judged=judged,
        )
        known = judged(sums)
        method = self.method if whole is None else ALL_DEALS
        # Reasons come last, so that their numbers are those of the answer.
        further: dict[str, Any] = {"others": others} if self.levels else {}
        if self.unit(view).chance:
            further["unit"] = "chance"
        if self.model_error is not None:
            further["model_error"] = self.model_error(view, others)
        unknown = None if self.unknown is None else self.unknown(view)
        if unknown is not None:
            further["unknown"] = unknown
        rows = ranked(known, names, method, self.points(view), model_error=further.get("model_error"))
        return answer(
            self.game,
            view.seat,
            rows,
            self._why(view, moves, rows, _Played(rollouts, sums, control, sums.batch, more)),
            method=method,
            worlds=known.worlds,
            seed=seed,
            control=control,
            **further,
        )

    def _at_once(self, view: V, moves: Sequence[M], control: Control, seed: int) -> AnySampledHint:
        """Answer without sampling: with each move's probability for a player who does not think ahead.

        The likeliest move is first. Raises RequestError if there is no such player.
        """
        if self.policy is None:
            raise worlds_error()
        chances = self.policy(view, moves)
        answers = [
            PolicyMove(move=self.text(view, moves[index]), chance=round(chances[index], _DIGITS), method=POLICY)
            for index in _likeliest(chances)
        ]
        told_why = only(answers[0].move) if len(answers) == 1 else Why(None, (), _reason_at_once(answers[0].move))
        return PolicyHint(
            game=self.game,
            kind="policy",
            to_move=view.seat,
            exact=False,
            best=answers[0].move,
            moves=tuple(answers),
            **told_why._asdict(),
            method=POLICY,
            worlds=0,
            seed=seed,
            nodes=control.nodes,
            seconds=control.seconds,
        )

    def _moves(self, view: V, control: Control) -> Sequence[M]:
        """Return the legal moves to judge. Raises RequestError when another seat is to move."""
        check_turn(view.seat, view.seat_to_move)
        moves = self.legal_moves(view)
        if control.among is None:
            return moves
        chosen = [move for move in moves if self.text(view, move) in control.among]
        return chosen if len(chosen) == len(control.among) else moves

    def _why(self, view: V, moves: Sequence[M], rows: Sequence[SampledMove], played: _Played) -> Why:
        """Explain why the best move is best.

        `rows` are the moves of the answer, and the worlds of `played` show the causes of the best move's margin.
        """
        texts = [self.text(view, move) for move in moves]
        unit = self.unit(view)
        ahead = lead(rows, texts, unit, played.control.compare)
        causes: Sequence[Reason] = ()
        if self.because is not None and ahead is not None:
            noted = played.noted()
            causes = () if noted is None else self.because(view, moves, noted, ahead, played.rollouts)
        return why(rows, ahead, causes, unit)

    def _no_moves(self, view: V, control: Control, seed: int) -> SampledHint:
        reason = Why(None, (), self.no_moves(view))
        return answer(self.game, view.seat, (), reason, method=self.method, worlds=0, seed=seed, control=control)


@dataclass(frozen=True, slots=True)
class _Played:
    """The worlds that a hint has played, in batches of `batch` worlds, and whether the hint may play `more`."""

    rollouts: Any
    sums: Sums
    control: Control
    batch: int
    more: bool

    def noted(self) -> Notes | None:
        """Return the records of these worlds, after playing more worlds if they are too few to show a cause.

        A margin may be clear after only four batches. The additional worlds do not enter the moves' mean scores.
        """
        witness, chained, worlds = self.rollouts.witness, self.rollouts.chained, self.sums.worlds
        enough = FEWEST_BATCHES * (self.batch if chained else 1)
        seconds = 0.0
        while self.more and worlds < enough and self._has_time(seconds):
            begun = time.monotonic()
            results = np.empty((self.batch, self.rollouts.moves, self.rollouts.statistics))
            self.rollouts.play(worlds, results, np.ones(self.batch))
            worlds += self.batch
            self.control.nodes += self.batch * self.rollouts.moves
            seconds = max(seconds, time.monotonic() - begun)
        noted: Notes | None = witness.noted(worlds, chained=chained)
        return noted

    def _has_time(self, seconds: float) -> bool:
        """Return whether enough nodes and time are left for another batch, which takes about `seconds`."""
        left, nodes = self.control.seconds_left(), self.control.nodes_left()
        if self.control.cancelled() or (nodes is not None and nodes < self.batch * self.rollouts.moves):
            return False
        return left is None or left > 2 * seconds + _MARGIN_SECONDS


def _likeliest(chances: Sequence[float]) -> list[int]:
    """Return the indices of `chances`, the likeliest first; equal ones in the given order."""
    return sorted(range(len(chances)), key=lambda place: -round(chances[place], _DIGITS))


def _reason_at_once(move: str) -> str:
    return of_moves("{move} is the first answer; no deals were tried yet.", move=move)
