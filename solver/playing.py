"""Rounds in play: who decides, what that seat sees, and what becomes of a move.

A round is an immutable value, and its moves are the contract's texts, so that a game in progress is its deal and a
list of texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self

from solver.answers import Answer, Cause, MoveValue, Part, Rows, Sure, Worded, columns_of, percent, table_of
from solver.common import Others
from solver.errors import MoveError, RequestError
from solver.language import say

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Analysis, Hint, Value
    from solver.game import Game
    from solver.limits import Control


class Round(Protocol):
    """A round at one moment. Whoever decides sees a view alone, also where several decide at once."""

    @property
    def players(self) -> int:
        """How many seats there are."""

    @property
    def to_move(self) -> int | None:
        """The seat that decides next; None when the round is over."""

    def moves(self) -> Sequence[str]:
        """The legal moves of the seat to move, in canonical order."""

    def move_of(self, text: str) -> str:
        """The legal move that a text means, as `moves` has it. Raises MoveError that says why it is none."""

    def announcement(self, move: str) -> str:
        """What everybody is told of a legal move, and what it brings about."""

    def secret(self, move: str) -> bool:
        """Whether a legal move is hidden from the others so far: `announcement` does not say what it is."""

    def play(self, move: str) -> Self:
        """The round after a legal move. Raises MoveError."""

    def seen(self, seat: int) -> BaseModel | None:
        """What a seat sees now, whoever decides; when the round is over, everything.

        None where no position says it, as between a seat's own pick and those of the others.
        """

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        """The best move for the seat to move, from what it sees."""

    def for_match(self) -> Self:
        """The round at its start, whose hints always go by the match. Raises RequestError where none do."""

    def among(self, others: Others) -> Self:
        """The round at its start, with others of this strength. Raises RequestError where that is not offered."""

    def drawn(self, seed: int) -> str | None:
        """What a player of that strength does in the seat to move; None for one who follows hints."""

    def by_points(self) -> Self:
        """The round as if nothing were known of the match, so that hints count points."""

    @property
    def unit(self) -> str:
        """What hints of this round count: "points", or "chance" to win."""

    @property
    def known(self) -> BaseModel | None:
        """The position in which the seat to move decides, every card known; None where none can be analyzed."""

    def leads_to(self, move: str) -> Sequence[str]:
        """Which moves of `known` a legal move may turn into: several where it is only the first part of one."""

    def draws(self, move: str) -> str | None:
        """The card that a legal move draws at once, which its seat alone sees; None where it draws none."""

    @property
    def opens(self) -> bool:
        """Whether cards have just been turned up for all, about which nobody has decided yet."""

    @property
    def late(self) -> str | None:
        """The move of a seat that takes too long, where the rules know a clock."""

    def rows(self, seat: int | None = None) -> Rows:
        """For a person: what a seat sees, by default the one to move; when the round is over, everything."""

    def cards(self) -> list[dict[str, str]]:
        """What each card is, by column, the code first; empty where codes say it all."""


class Playing(Protocol):
    """How a game is played round by round, until a match is won."""

    def opening(
        self,
        seed: int,
        *,
        number: int,
        players: int | None,
        variant: str | None,
        before: Sequence[Round],
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> Round:
        """The round of deal `number` of a seed, about to start after the rounds `before`.

        `deck` and `rules` are as `solver.protocol.game.Game.deal` takes them. Raises RequestError for a variant, a
        number of players or a deck that is not dealt, PositionError for a deck or an option that is none.
        """

    def record(self, rounds: Sequence[Round]) -> BaseModel:
        """The finished rounds of a match, at least one, as the game's `score` takes them."""

    def finished(self, rounds: Sequence[Round]) -> bool:
        """Whether the match is over after these rounds, at least one."""

    def summary(self, rounds: Sequence[Round], you: int | None) -> Sequence[str]:
        """What the last of these finished rounds, at least one, brought, and how the match stands, in sentences.

        `you` is the seat that is addressed; None: nobody is, as where one plays alone.
        """


@dataclass(frozen=True)
class PositionRound:
    """A round in which every decision has a position of its own.

    `others` is how strong the other players are, as hints take them to be.
    `match` is what views tell of the match besides, by keys (`solver.tricks.match.OfMatch`).
    """

    game: Game
    position: BaseModel
    players: int
    match: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    others: Others | None = field(default=None, kw_only=True)

    @property
    def unit(self) -> str:
        return "points"

    @property
    def known(self) -> BaseModel | None:
        return self.position if "analyze" in self.game.asks(self.position) else None

    def leads_to(self, move: str) -> Sequence[str]:
        return (move,)

    @property
    def to_move(self) -> int | None:
        if not self.game.legal_moves(self.position):
            return None
        seat: int = self.position.seat_to_move  # type: ignore[attr-defined]
        return seat

    def view(self) -> BaseModel:
        """What the seat to move sees. Raises MoveError when the round is over."""
        seat = self.to_move
        if seat is None:
            raise MoveError("illegal_move", say("the round is over"))
        return self._of_match(self.game.view(self.position, seat))

    def _of_match(self, view: BaseModel) -> BaseModel:
        return view.model_copy(update=self.match) if self.match else view

    def for_match(self) -> Self:
        message = say("hints of {game} do not go by a match", game=self.game.name)
        raise RequestError("not_offered", message, "for_match")

    def among(self, others: Others) -> Self:
        return replace(self, others=self.game.strength(others))

    def drawn(self, seed: int) -> str | None:
        if self.others is None or self.others == "equal":
            return None
        view = self.view()
        return self.game.format_move(view, self.game.drawn(view, self.others, seed))

    def by_points(self) -> Self:
        return replace(self, match={}) if self.match else self

    def seen(self, seat: int) -> BaseModel | None:
        to_move = self.to_move
        if to_move is None:
            return self.position
        return self.view() if seat == to_move else self._of_match(self.game.view(self.position, seat))

    def moves(self) -> Sequence[str]:
        if self.to_move is None:
            return ()
        view = self.view()
        return [self.game.format_move(view, move) for move in self.game.legal_moves(view)]

    def move_of(self, text: str) -> str:
        with suppress(MoveError):  # to make the view takes most of the time, and is left to its moves and faults
            move = self.game.parse_move(self.position, text)
            if self.in_view(move):
                return self.game.format_move(self.position, move)
        view = self.view()
        return self.game.format_move(view, self.game.parse_move(view, text))

    def in_view(self, move: Any) -> bool:
        """Whether a legal move of the position is surely one of what its seat sees, too."""
        return True

    def announcement(self, move: str) -> str:
        return move

    def secret(self, move: str) -> bool:
        return False

    def draws(self, move: str) -> str | None:
        return None

    @property
    def opens(self) -> bool:
        return False

    @property
    def late(self) -> str | None:
        return None

    def play(self, move: str) -> Self:
        position = self.position
        after = self.game.play(position, self.game.parse_move(position, move))
        return replace(self, position=after)

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        return self.game.hint(self.view(), control, seed=seed, others=self.others)

    def rows(self, seat: int | None = None) -> Rows:
        mover = self.to_move
        if mover is None:
            return self.game.describe(self.position)
        return self.game.describe(self.view() if seat in (None, mover) else self.game.view(self.position, seat))

    def cards(self) -> list[dict[str, str]]:
        return []


# ----------------------------------------------------------------------------------------------------
# What a made move gave away: against the best hint on what its seat knew, and against the truth, kept apart.


Verdict = Literal["best", "equal", "worse", "unknown"]

_SURE = 1.96  # standard errors: a lead within them may be the luck of the draw
_WORTH = {"won": 1.0, "lost": 0.0}


class ReviewedMove(Answer):
    """One decision of a seat, and what its move gave away.

    `round` counts from 1, `number` is the move's place in its round, counted from 1 too. By the hint for what the
    seat knew, `best` was its best move, and the one made brings `lost` less, with the standard error `stderr`: so
    it is "best", "equal" (it can't be told apart from the best), "worse", or "unknown" where nothing tells what
    it brings. With every card known, `true_best` were best and the move gave `true_lost` away; None where that was
    not proved, and `true_bounds` are the least and the most that it can be. All three are None where the truth
    cannot be asked, as of picks that all make at once. `text` is the position before the move with every card
    known, as a line; None where no line says it. `sure`, `causes` and `reason` are those of the hint.
    """

    round: int
    number: int
    seat: int
    move: str
    best: str | None
    lost: float | None
    stderr: float | None
    verdict: Verdict
    true_best: tuple[str, ...] | None
    true_lost: float | None
    true_bounds: tuple[float, float] | None
    text: str | None = None
    sure: Sure | None = None
    causes: tuple[Cause, ...] = ()
    reason: str = ""

    @property
    def note(self) -> str:
        """What the two comparisons say together: a loss that nobody could know of, or a fault that did no harm."""
        right = self.verdict in ("best", "equal")
        if right and self.true_bounds is not None and self.true_bounds[0] > 0:
            return "could not know"
        if self.verdict == "worse" and self.true_lost == 0:
            return "no harm"
        return ""


class SeatReview(Answer):
    """What a seat gave away in all: by its hints in `decisions`, and in truth in those where that was proved."""

    seat: int
    decisions: int
    best: int
    lost: float
    true_lost: float
    true_decisions: int


class ReviewLine(Worded):
    """A reviewed move in a table: its place in the round, and the rest in few words."""

    at: int
    seat: int
    move: str
    lost: str
    best: str
    truth: str
    best_then: str
    note: str


class Review(Answer):
    """Every decision of the finished rounds of a game. `unit` is what is lost: points, or a chance to win.

    Not `complete`: it was interrupted, and later moves are missing.
    """

    game: str
    unit: str
    complete: bool
    seats: tuple[SeatReview, ...]
    moves: tuple[ReviewedMove, ...]

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        """As `Answer.parts`; errors are shown with `full`."""
        rows: Rows = [
            ("Game", self.game),
            ("Lost", f"{self.unit}, by the best hint on what the seat knew; = is as good, as far as it shows"),
            (
                "Truth",
                f"{self.unit} lost with every card known; a span where it is not proved; best then, the best move",
            ),
        ]
        if not self.complete:
            rows.append(("Complete", "no: interrupted"))
        totals = [
            (say("decisions"), [str(seat.decisions) for seat in self.seats]),
            (say("best"), [str(seat.best) for seat in self.seats]),
            (say("lost"), [self._amount(seat.lost) for seat in self.seats]),
            (say("in truth"), [self._amount(seat.true_lost) for seat in self.seats]),
        ]
        seats = [say("seat {seat}", seat=seat.seat) for seat in self.seats]
        found = [Part(rows, columns_of(seats, totals, len(seats), first=say("player")))]
        for number in sorted({move.round for move in self.moves}):
            lines = [self._line(move, full) for move in self.moves if move.round == number]
            found.append(Part([("Round", str(number))], table_of(lines)))
        return found

    def _amount(self, lost: float) -> str:
        """What was lost, in points or in chances."""
        return percent(lost) if self.unit == "chance" else f"{lost:.2f}"

    def _line(self, move: ReviewedMove, full: bool) -> ReviewLine:
        lost = "?" if move.lost is None else self._amount(move.lost)
        if full and move.lost and move.stderr:
            lost += f" ± {self._amount(move.stderr)}"
        best = {"best": "", "equal": f"= {move.best}"}.get(move.verdict, move.best or "?")
        truth, then = "–", "–"
        if move.true_bounds is not None:
            low, high = (f"{bound:g}" for bound in move.true_bounds)
            truth = low if low == high else say("{low} to {high}", low=low, high=high)
            others = move.true_best
            then = "?" if others is None else "" if move.move in others else " ".join(others[:1])
            then += " …" * (bool(then) and others is not None and len(others) > 1)
        return ReviewLine(
            at=move.number,
            seat=move.seat,
            move=move.move,
            lost=lost,
            best=best,
            truth=truth,
            best_then=then,
            note=move.note,
        )


class Loss(NamedTuple):
    """What a move gives away by an analysis: the best moves, the least and the most that is lost."""

    best: tuple[str, ...] | None
    least: float
    most: float


def reviewed(
    table: Round,
    move: str,
    hint: Hint,
    analysis: Analysis | None,
    *,
    number: int,
    round_number: int,
    text: str | None = None,
) -> ReviewedMove:
    """A move that was made at `table`, by the hint for its seat, and by the analysis where there is one.

    `text` is the line of the table with every card known.
    """
    seat = table.to_move
    assert seat is not None
    behind = hint.behind(move)
    verdict: Verdict = "unknown"
    if behind is not None:
        gap, error = behind
        if move == hint.best or gap == 0:
            verdict = "best" if move == hint.best else "equal"
        else:
            verdict = "unknown" if error is None else "equal" if gap <= _SURE * error else "worse"
    truth = None if analysis is None else loss(table, move, analysis, seat)
    proved = truth is not None and truth.least == truth.most
    return ReviewedMove(
        round=round_number,
        number=number,
        seat=seat,
        move=move,
        best=hint.best,
        lost=None if behind is None else behind[0],
        stderr=None if behind is None else behind[1],
        verdict=verdict,
        true_best=None if truth is None else truth.best,
        true_lost=truth.least if truth is not None and proved else None,
        true_bounds=None if truth is None else (truth.least, truth.most),
        text=text,
        sure=hint.sure,
        causes=hint.causes,
        reason=hint.reason,
    )


def loss(table: Round, move: str, analysis: Analysis, seat: int) -> Loss | None:
    """What a legal move at `table` gives away, every card known; None where the analysis does not have it."""
    entries = {entry.move: entry for entry in analysis.moves}
    spans: dict[str, tuple[float, float]] = {}
    for choice in table.moves():
        found = [_span(entries[text], seat) for text in table.leads_to(choice) if text in entries]
        if not found:
            return None
        spans[choice] = max(low for low, _ in found), max(high for _, high in found)
    if move not in spans:
        return None
    low, high = spans.pop(move)
    least = max([0.0, *(other - high for other, _ in spans.values())])
    most = max([0.0, *(other - low for _, other in spans.values())])
    spans[move] = low, high
    floor = max(low for low, _ in spans.values())
    standing = {choice: span for choice, span in spans.items() if span[1] >= floor}
    proved = all(low == high for low, high in standing.values()) or len(standing) == 1
    return Loss(tuple(standing) if proved else None, least, most)


def totals(moves: Sequence[ReviewedMove], seats: Iterable[int]) -> tuple[SeatReview, ...]:
    """What each of these seats gave away in all."""
    found = []
    for seat in seats:
        own = [move for move in moves if move.seat == seat]
        true = [move.true_lost for move in own if move.true_lost is not None]
        found.append(
            SeatReview(
                seat=seat,
                decisions=len(own),
                best=sum(move.verdict in ("best", "equal") for move in own),
                lost=round(sum(move.lost or 0.0 for move in own), 9),
                true_lost=sum(true),
                true_decisions=len(true),
            )
        )
    return tuple(found)


def _span(entry: MoveValue, seat: int) -> tuple[float, float]:
    """The least and the most that a move is proved to be worth to a seat."""
    low, high = entry.bounds
    return _worth(low, seat), _worth(high, seat)


def _worth(value: Value, seat: int) -> float:
    if isinstance(value, tuple):
        return float(value[seat])
    return _WORTH[value] if isinstance(value, str) else float(value)
