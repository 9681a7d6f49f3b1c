"""Reviews: what each move of a game gave away, and where each seat's score came from.

A seat's account of a round leads from its expected score at the start to its actual score. Each of the seat's
decisions has two expected scores: after the hint's best move, and after the move made. Both are estimated given
what the seat knew and, if possible, also in the actual deal (`hint_in_truth` of a round in play), which the
account prefers. Either way, simulated players see only their own cards.

The difference between the two scores is the seat's mistake. What changes between two decisions is due to the other
seats if one of them has moved with a choice and both decisions were judged in the actual deal; everything else is
luck: the deal and the draws. In a duel the others' part is what their moves gave (`given` of a round in play), and
who is quicker to see a match is luck, too. So the parts always add up to the score, and errors in the expected
scores only shift amounts from one part to another.

A player who follows hints makes no mistakes on average, and nobody is blamed for what could not be known: the
*seen* part of a mistake is what the hint could see; the *hidden* rest, of either sign, is due to the actual cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from solver.answer_tables import Part, Rows, Table, percent
from solver.answers import Analysis, Answer, Cause, Confidence, Hint, MoveValue, Value
from solver.language import say, say_many, translated
from solver.registry import game as game_called

if TYPE_CHECKING:
    from solver.rounds_in_play import Round


Verdict = Literal["best", "equal", "worse", "unknown"]
Place = tuple[int, int]  # of a move: its round, and its number in it

_SURE = 1.96  # standard errors: a lead within them may be sampling noise
_WORTH = {"won": 1.0, "lost": 0.0}
_DIGITS = {
    "points": 2,
    "lead": 2,
    "chance": 3,
}  # decimals in an account, whose parts must add up as they are shown
_WORSE = {"points": 0.05, "lead": 0.05, "chance": 0.005}  # a loss must be larger for a move to be a mistake
_BAD = {"points": 0.5, "lead": 0.5, "chance": 0.05}  # a mistake that loses so much is a bad move
_WIDE = {"points": 0.5, "lead": 0.5, "chance": 0.05}  # within a narrower error, little is known to be little
_WORST = 3


class ReviewedMove(Answer):
    """One decision of a seat, and what its move gave away.

    `round` and `number` (the move's place in its round) count from 1, and so does `trick`. Given what the seat
    knew, the hint's `best` move has the mean value `expected`, and the move made is worth `expected_loss` less,
    with standard error `stderr`; `expected_loss` is negative if the move made did better when the two were
    compared. `verdict` is "best", "worse", "equal" if it surely does not lose half a point, or 5% of a chance, and
    else "unknown". A worse move is `bad` if it loses at least that much.

    With every card known, the moves in `true_best` were proved best, and the move made lost `true_loss`. The loss
    is proved if `true_bounds`, the bounds on it, are equal; else it is an estimate from play in the actual deal,
    compared with the hint's best move alone, with standard error `true_stderr` (None if unknown). `line` is the
    best line of play. All are None if unknown.

    In the seat's account (see `solver.reviewing`), the expected score is `value_before` with the best move and
    `value_after` with the move made; the difference is `loss`. `luck` and `others` are how much luck and the other
    seats changed the expected score since the seat's previous decision. Each is None if it is unknown.

    `unclear` names those of `expected_loss` and `true_loss` whose error is larger than the figure, and not small.

    `text` is the position before the move with every card known, as a line, and `view` what the seat saw of it;
    None if it can't be written as a line. `sure`, `causes` and `reason` are the hint's: why its best move is
    better than the move made or, if it is the move made, than the next best.
    """

    round: int
    number: int
    trick: int | None = None
    seat: int
    move: str
    best: str | None
    expected: float | None = None
    expected_loss: float | None
    stderr: float | None
    verdict: Verdict
    bad: bool = False
    loss: float | None = None
    loss_error: float | None = None
    luck: float | None = None
    others: float | None = None
    value_before: float | None = None
    value_after: float | None = None
    true_best: tuple[str, ...] | None
    true_loss: float | None
    true_stderr: float | None = None
    true_bounds: tuple[float, float] | None
    line: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    text: str | None = None
    view: str | None = None
    sure: Confidence | None = None
    causes: tuple[Cause, ...] = ()
    reason: str = ""

    @property
    def harm(self) -> bool:
        """Whether the move clearly gave something away in the actual deal."""
        if self.true_loss is None or self.true_stderr is None:
            return False
        return self.true_loss > _SURE * self.true_stderr

    @property
    def clear(self) -> bool:
        """Whether the move was clearly a mistake, both given what was known and in the actual deal."""
        return self.verdict == "worse" and self.harm

    @property
    def note(self) -> str:
        """A comment on the move: "could not know", "no harm", "mistake" or "bad move"; empty if there is none."""
        if self.verdict in ("best", "equal"):
            return say("could not know") if self.harm else ""
        if self.verdict == "worse":
            harmless = self.true_loss == 0 and "true_loss" not in self.unclear
            if harmless:
                return say("no harm")
            return say("bad move") if self.bad else say("mistake")
        return ""


class SeatReview(Answer):
    """What a seat gave away in total, and where its score comes from.

    `result` = `expected` + `luck` + `others` + `mistakes`, and `mistakes` = `seen` + `hidden`, to the last digit:
    see `solver.reviewing`. Each has its standard error. If not `finished`, a round is not over, and `result` is
    what the seat expected at its last decision in that round. If `actual`, the moves' expected scores are those in
    the actual deal, else those given what the seat knew. `others` is None if it can't be separated from luck,
    which then includes it; all are None if the hints don't predict the round's score. `unclear` names those of
    the parts whose error is larger than the figure, and not small; with `mistakes` so are `seen` and `hidden`.

    `decisions` is how many were reviewed. In `best` of them the move was the hint's or as good; `agreement` is the
    share of these. In `unknown` of them that is unclear, and in the others the move was worse. Even if no move is
    surely worse, all together may be: see `seen`. The seat passed `doubtful_passes` times where the hint preferred
    another move; that cost `doubtful_passes_loss` in all, with standard error `doubtful_passes_error` (both None
    if unknown). `bad_moves` is the share of `bad` moves, and `worst` has the places (round and number) of the
    mistakes that lost most given what was known, at most three. `expected_loss` and `true_loss` are sums over the
    decisions, `true_loss` over the `true_decisions` for which it is known.
    """

    seat: int
    finished: bool = True
    actual: bool = False
    decisions: int
    best: int
    unknown: int = 0
    agreement: float | None = None
    bad_moves: float | None = None
    result: float | None = None
    expected: float | None = None
    expected_error: float | None = None
    luck: float | None = None
    luck_error: float | None = None
    others: float | None = None
    others_error: float | None = None
    mistakes: float | None = None
    mistakes_error: float | None = None
    seen: float | None = None
    seen_error: float | None = None
    hidden: float | None = None
    hidden_error: float | None = None
    unclear: tuple[str, ...] = ()
    doubtful_passes: int = 0
    doubtful_passes_loss: float | None = None
    doubtful_passes_error: float | None = None
    worst: tuple[Place, ...] = ()
    expected_loss: float
    true_loss: float
    true_decisions: int


class Review(Answer):
    """A review of all decisions in a game, up to its last move.

    `unit` is the unit of losses: points, a chance to win or, in a duel, how far the seat is ahead of its opponent
    when the round ends. If not `complete`, the review was interrupted, and later moves are missing. `notes` says
    which moves were against the rules; these are not reviewed.
    """

    game: str
    unit: str
    complete: bool
    seats: tuple[SeatReview, ...]
    moves: tuple[ReviewedMove, ...]
    notes: tuple[str, ...] = ()

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        """Like `Answer.parts`: first the seats, then each round's moves.

        With `full`, standard errors are shown.
        """
        rows: Rows = [(say("Game"), translated(game_called(self.game).title))]
        if not self.complete:
            rows.append((say("Complete"), say("no: interrupted")))
        rows += [(say("Note"), sentence) for sentence in self.notes]
        seats = [seat for seat in self.seats if seat.decisions]
        if any(seat.mistakes is not None for seat in seats):
            words = say("score = expected + luck + others gave + mistakes; mistakes = seen + hidden")
            if self.unit == "lead":
                words = say(
                    "lead over the opponent = expected + luck + others gave + mistakes; mistakes = seen + hidden"
                )
            rows.append((say("Account"), words))
        for seat in seats:
            worst = [self._worst(move) for at in seat.worst for move in self.moves if _place(move) == at]
            if worst:
                rows.append((say("Worst, seat {seat}", seat=seat.seat), "\n".join(worst)))
            if _is_sure(seat.doubtful_passes_loss, seat.doubtful_passes_error, self.unit):
                words = say_many(
                    "{count} pass where another move seemed better; cost in all: {lost} ±{error}",
                    "{count} passes where another move seemed better; cost in all: {lost} ±{error}",
                    seat.doubtful_passes,
                    lost=self.in_unit(seat.doubtful_passes_loss or 0.0),
                    error=self.amount(seat.doubtful_passes_error or 0.0),
                )
                rows.append((say("Passes, seat {seat}", seat=seat.seat), words))
        parts = [Part(rows, self._totals(seats) if seats else None)]
        for number in sorted({move.round for move in self.moves}):
            moves = [move for move in self.moves if move.round == number]
            words = say("lost: given what was known (= about as good); truth: with every card known (≈ estimated)")
            parts.append(Part([(say("Round"), str(number)), (say("Columns"), words)], self._table(moves, full)))
        return parts

    def amount(self, value: float) -> str:
        """Format an amount in the unit of the review."""
        digits = _DIGITS[self.unit]
        return f"{100 * value:.1f}%" if self.unit == "chance" else f"{value:.{digits}f}"

    def in_unit(self, value: float) -> str:
        """Format an amount and name its unit."""
        text = self.amount(value)
        return text if self.unit == "chance" else say("{amount} points", amount=text)

    def _totals(self, seats: Sequence[SeatReview]) -> Table:
        """Return a table of the seats' accounts, one column per seat."""
        errors = len(seats) <= 4

        def cells(name: str) -> list[str]:
            cells_shown = []
            for seat in seats:
                value, error = getattr(seat, name), getattr(seat, f"{name}_error", None)
                text = "?" if value is None else self.amount(value)
                if name in seat.unclear:
                    text = say("unclear")
                elif value is not None and error and errors:
                    text += f" ±{self.amount(error)}"
                cells_shown.append(text)
            return cells_shown

        score = say("lead") if self.unit == "lead" else say("score")
        if not all(seat.finished for seat in seats):
            score = say("{score}, or expected so far", score=score)
        lines = [
            [say("decisions"), *(str(seat.decisions) for seat in seats)],
            [say("best moves"), *(percent(seat.agreement or 0.0) for seat in seats)],
            [say("unclear moves"), *(percent(seat.unknown / seat.decisions) for seat in seats)],
            [say("bad moves"), *(percent(seat.bad_moves or 0.0) for seat in seats)],
        ]
        if any(seat.mistakes is not None for seat in seats):
            named = {
                "result": score,
                "expected": say("expected"),
                "luck": say("luck"),
                "others": say("others gave"),
                "mistakes": say("mistakes"),
                "seen": say("– seen"),
                "hidden": say("– hidden"),
            }
            if all(seat.others == 0 for seat in seats) and len(self.seats) == 1:
                del named["others"]  # nobody else plays
            if all("mistakes" in seat.unclear for seat in seats):
                del named["seen"], named["hidden"]
            lines = [[label, *cells(name)] for name, label in named.items()] + lines
        else:
            lines.append([say("lost"), *(self.amount(seat.expected_loss) for seat in seats)])
        heads = [say("seat {seat}", seat=seat.seat) for seat in seats]
        return Table(["", *heads], lines, frozenset(range(1, len(seats) + 1)))

    def where(self, move: ReviewedMove) -> str:
        """Return the trick of a move or, in games without tricks, its number in the round, for display."""
        if move.trick is None:
            return say("move {number}", number=move.number)
        return say("trick {trick}", trick=move.trick)

    def _worst(self, move: ReviewedMove) -> str:
        lost = self.in_unit(move.expected_loss or 0.0)
        rounds = {other.round for other in self.moves}
        if len(rounds) > 1:
            return say("round {round}, {place}: {move} ({best} was {lost} better)", round=move.round,
                       place=self.where(move), move=move.move, best=move.best, lost=lost)  # fmt: skip
        return say("{place}: {move} ({best} was {lost} better)", place=self.where(move), move=move.move,
                   best=move.best, lost=lost)  # fmt: skip

    def truth(self, move: ReviewedMove) -> str:
        """Format what a move gave away in the actual deal."""
        if move.true_loss is None:
            return "–" if move.true_bounds is None else "?"
        if "true_loss" in move.unclear:
            return say("unclear")
        text = self.amount(move.true_loss)
        if move.true_bounds is not None and move.true_bounds[0] == move.true_bounds[1]:
            return text
        return f"≈{text} ±{self.amount(move.true_stderr)}" if move.true_stderr else f"≈{text}"

    def _table(self, moves: Sequence[ReviewedMove], full: bool) -> Table:
        """Return a table of what each of these moves gave away, one row per move."""
        heads = ["#", say("at"), say("seat"), say("move"), say("lost"), say("best"), say("truth"), say("note")]
        lines = []
        for index, move in enumerate(moves, start=1):
            lost = "?" if move.expected_loss is None else self.amount(max(0.0, move.expected_loss))
            if "lost" in move.unclear:
                lost = say("unclear")
            elif full and move.stderr and move.verdict != "best":
                lost += f" ±{self.amount(move.stderr)}"
            best = {"best": "", "equal": f"= {move.best}"}.get(move.verdict, move.best or "?")
            lines.append(
                [str(index), self.where(move), str(move.seat), move.move, lost, best, self.truth(move), move.note]
            )
        return Table(heads, lines, frozenset({0, 2}))


def _place(move: ReviewedMove) -> Place:
    return move.round, move.number


def _is_sure(lost: float | None, error: float | None, unit: str) -> bool:
    """Return whether a loss is larger than its error, a standard error, and than what does not matter."""
    return lost is not None and error is not None and lost > max(_SURE * error, _WORSE[unit])


def _is_unclear(value: float | None, error: float | None, unit: str) -> bool:
    """Return whether too little is known of an estimate to show its figure; `error` is a standard error."""
    return value is not None and (error is None or _SURE * error > max(abs(value), _WIDE[unit]))


# ----------------------------------------------------------------------------------------------------
# One move, compared with the best hint given what its seat knew and with the actual deal, separately.


class Loss(NamedTuple):
    """What a move loses with every card known: the best moves (None if not proved), and bounds on the loss."""

    best: tuple[str, ...] | None
    least: float
    most: float


class Judged(NamedTuple):
    """The answers of the searches about one decision.

    `hint` uses what the seat knew, `analysis` knows every card, and `truth` is the hint from the actual deal.
    `again` is a second hint like `hint` from another sample, which compares the move made with the best one; None
    if they are the same, or if `hint` is exact.
    """

    hint: Hint
    analysis: Analysis | None = None
    truth: Hint | None = None
    again: Hint | None = None


def reviewed(
    table: Round,
    move: str,
    judged: Judged,
    *,
    number: int,
    round_number: int,
    text: str | None = None,
) -> ReviewedMove:
    """Return the review of a move made at `table`, given the searches about it.

    `text` is the position at the table as a line, with every card known.
    """
    seat = table.to_move
    assert seat is not None
    hint, analysis, truth, again = judged
    behind = _behind(judged, move)
    verdict = "best" if move == hint.best and behind is not None else _verdict(behind, table.unit)
    lost_by_analysis = None if analysis is None else loss(table, move, analysis, seat)
    true_loss, true_stderr = None, None
    if lost_by_analysis is not None and lost_by_analysis.least == lost_by_analysis.most:
        true_loss, true_stderr = lost_by_analysis.least, 0.0
    elif truth is not None:
        true_behind = truth.gap(move)
        if true_behind is not None:
            true_loss, true_stderr = true_behind
            if lost_by_analysis is not None:
                true_loss = min(max(true_loss, lost_by_analysis.least), lost_by_analysis.most)
    expected = expectation(table, again or hint, move, hint.best)
    judged_by = again if again is not None and again.best in (hint.best, move) else hint
    lost, stderr = behind or (None, None)
    unclear = {"expected_loss": _is_unclear(lost, stderr, table.unit) and verdict not in ("best", "equal"),
               "true_loss": _is_unclear(true_loss, true_stderr, table.unit)}  # fmt: skip
    return ReviewedMove(
        round=round_number,
        number=number,
        trick=_trick(table),
        seat=seat,
        move=move,
        best=hint.best,
        expected=None if expected is None else expected.best,
        expected_loss=lost,
        stderr=stderr,
        verdict=verdict,
        bad=verdict == "worse" and lost is not None and lost >= _BAD[table.unit],
        true_best=None if lost_by_analysis is None else lost_by_analysis.best,
        true_loss=true_loss,
        true_stderr=true_stderr,
        true_bounds=None if lost_by_analysis is None else (lost_by_analysis.least, lost_by_analysis.most),
        line=() if analysis is None else analysis.line,
        unclear=tuple(name for name, hides in unclear.items() if hides),
        text=text,
        view=hint.text,
        sure=judged_by.sure,
        causes=judged_by.causes,
        reason=judged_by.reason,
    )


def _behind(judged: Judged, move: str) -> tuple[float, float | None] | None:
    """Return how far a move is behind the hint's best one, and the standard error; None if that is unknown.

    It is negative if the second hint, whose samples did not choose the best move, finds the move made better.
    """
    hint, again = judged.hint, judged.again
    move_lead, best = (None if again is None else again.gap(text) for text in (move, hint.best or move))
    if move_lead is None or best is None:
        return hint.gap(move)
    errors = move_lead[1], best[1]
    return move_lead[0] - best[0], None if errors[0] is None or errors[1] is None else hypot(errors[0], errors[1])


def _verdict(behind: tuple[float, float | None] | None, unit: str) -> Verdict:
    """Return what is known of a move that is not the hint's, from how far it is behind that one."""
    if behind is None:
        return "unknown"
    gap, error = behind
    if gap == 0 and not error:
        return "equal"
    if error is None:
        return "unknown"
    if _is_sure(gap, error, unit):
        return "worse"
    return "equal" if gap + _SURE * error < _BAD[unit] else "unknown"


def _trick(table: Round) -> int | None:
    """Return the number of the trick being played, from 1; None in games without tricks or a history."""
    position: Any = getattr(table, "position", None)
    history = getattr(position, "history", None)
    if not isinstance(history, tuple):
        return None
    if hasattr(position, "table"):  # then the history has the current trick, too
        return len(history) + (not position.table)
    if not hasattr(position, "trick"):
        return None
    return int(getattr(position, "over", len(history))) + 1  # tricks that are not remembered are over too


def loss(table: Round, move: str, analysis: Analysis, seat: int) -> Loss | None:
    """Return what a legal move at `table` loses with every card known; None if the analysis does not list it."""
    entries = {entry.move: entry for entry in analysis.moves}
    spans: dict[str, tuple[float, float]] = {}
    for choice in table.moves():
        spans_after = [_span(entries[text], seat) for text in table.leads_to(choice) if text in entries]
        if not spans_after:
            return None
        spans[choice] = max(low for low, _ in spans_after), max(high for _, high in spans_after)
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


def _span(entry: MoveValue, seat: int) -> tuple[float, float]:
    low, high = entry.bounds
    return _worth(low, seat), _worth(high, seat)


def _worth(value: Value, seat: int) -> float:
    if isinstance(value, tuple):
        return float(value[seat])
    return _WORTH[value] if isinstance(value, str) else float(value)


# ----------------------------------------------------------------------------------------------------
# A seat's account of its rounds.


class Expectation(NamedTuple):
    """A seat's expected scores after the hint's best move and after the move made.

    `error` is the standard error of the first, `gap_error` that of the difference.
    """

    best: float
    made: float
    error: float
    gap_error: float


def expectation(table: Round, hint: Hint, move: str, best: str | None = None) -> Expectation | None:
    """Return the expected scores after the `best` move (by default the hint's) and after the move made.

    Returns None if the hint does not have them.
    """
    moves: dict[str, Any] = {entry.move: entry for entry in hint.moves}
    name = best or hint.best
    if name not in moves or move not in moves:
        return None
    key = "mean" if hasattr(moves[name], "mean") else "win_probability"
    if key == "win_probability" and table.unit != "chance":
        return None
    worths = [getattr(moves[text], key, None) for text in (name, move)]
    if None in worths:
        return None
    errors = [(hint.gap(text) or (0.0, 0.0))[1] or 0.0 for text in (name, move)]
    digits = _DIGITS[table.unit]
    first, second = (round(float(worth), digits) for worth in worths if worth is not None)
    return Expectation(first, second, moves[name].stderr or 0.0, 0.0 if name == move else hypot(*errors))


class Foreign(NamedTuple):
    """What other seats did between two decisions of a seat: whether one has `moved` with a choice, and what their
    moves have `given` in the actual deal (None if all that changed is due to them).
    """

    moved: bool
    given: float | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision in a round's account.

    It has the expected scores given what the seat knew and, if they exist, in the actual deal (`truth`).
    """

    known: Expectation
    truth: Expectation | None
    others: Foreign


class Account(NamedTuple):
    """A seat's score in a round, its `result`, and where it comes from.

    `parts` has the value of each part, such as "luck", and its squared standard error. `steps` has, for each of
    the seat's decisions, how much came from luck and how much from the others since the seat's previous decision.
    """

    result: float
    finished: bool
    parts: dict[str, tuple[float, float]]
    steps: tuple[tuple[float, float], ...]
    told: bool  # whether others' part is separate from luck
    actual: bool  # whether the score was expected in the actual deal, not only given what the seat knew


def account(decisions: Sequence[Decided], result: float | None, *, unit: str, others: Foreign) -> Account | None:
    """Split a seat's score in a round into parts, given its decisions in order; None if there are none.

    `result` is the score; if the round is not over, it is None, and the score expected after the seat's last
    decision takes its place. `others` is what other seats did since that decision.
    """
    if not decisions:
        return None
    start = decisions[0].known
    parts = dict.fromkeys(("luck", "others", "mistakes", "seen", "hidden"), (0.0, 0.0))

    def add(name: str, value: float, error: float) -> None:
        total, square = parts[name]
        parts[name] = round(total + value, _DIGITS[unit]), square + error

    def divide(step: float, error: float, others: Foreign, *, deal: bool) -> tuple[float, float]:
        """Add what changed between two decisions, and return luck's part of it and the others'."""
        if not (deal and others.moved):
            given = 0.0
        else:
            given = step if others.given is None else round(others.given, _DIGITS[unit])
        luck = round(step - given, _DIGITS[unit])
        add("others", given, error if given else 0.0)
        add("luck", luck, 0.0 if given == step else error)
        return luck, given

    at, error, deal = start.best, start.error**2, False  # where the walk is, and whether in the actual deal
    steps = []
    for decision in decisions:
        by = decision.truth or decision.known
        step, square = round(by.best - at, _DIGITS[unit]), (0.0 if by == start else error + by.error**2)
        steps.append(divide(step, square, decision.others, deal=deal and decision.truth is not None))
        known = decision.known
        seen = round(known.made - known.best, _DIGITS[unit])
        add("seen", seen, known.gap_error**2)
        add("mistakes", by.made - by.best, by.gap_error**2)
        if decision.truth is not None:
            hidden = round(by.made - by.best - seen, _DIGITS[unit])
            add("hidden", hidden, by.gap_error**2 + known.gap_error**2)
        at, error, deal = by.made, by.error**2, decision.truth is not None
    if result is not None:
        divide(round(result - at, _DIGITS[unit]), error, others, deal=deal)
    parts["expected"] = start.best, start.error**2
    actual = any(decision.truth is not None for decision in decisions)
    complete = actual or not any(decision.others.moved for decision in decisions)
    return Account(at if result is None else result, result is not None, parts, tuple(steps), complete, actual)


def totals(
    moves: Sequence[ReviewedMove], accounts: Iterable[tuple[int, Account | None]], seats: Iterable[int], unit: str
) -> tuple[SeatReview, ...]:
    """Return, for each seat, what it gave away in total, and the sums over its accounts of all rounds."""
    listed = list(accounts)
    rows = []
    for seat in seats:
        own = [move for move in moves if move.seat == seat]
        true = [move.true_loss for move in own if move.true_loss is not None]
        best = sum(move.verdict in ("best", "equal") for move in own)
        mistakes = [move for move in own if move.verdict == "worse"]
        passes = [move for move in own if move.move == "pass" and move.best not in (None, "pass")]
        worst = sorted(mistakes, key=lambda move: -(move.expected_loss or 0.0))[:_WORST]
        rows.append(
            SeatReview(
                seat=seat,
                decisions=len(own),
                best=best,
                unknown=sum(move.verdict == "unknown" for move in own),
                agreement=round(best / len(own), 4) if own else None,
                bad_moves=round(sum(move.bad for move in own) / len(own), 4) if own else None,
                doubtful_passes=len(passes),
                **_summed(passes),
                worst=tuple(map(_place, worst)),
                expected_loss=round(sum(move.expected_loss or 0.0 for move in own), 9),
                true_loss=round(sum(true), 9),
                true_decisions=len(true),
                **_added([of_seat for whose, of_seat in listed if whose == seat], unit),
            )
        )
    return tuple(rows)


def _summed(passes: Sequence[ReviewedMove]) -> dict[str, float]:
    """Return what these passes cost together, as fields of `SeatReview`; empty if that is unknown."""
    known = [
        (move.expected_loss, move.stderr)
        for move in passes
        if move.expected_loss is not None and move.stderr is not None
    ]
    if not known or len(known) < len(passes):
        return {}
    lost, error = sum(lost for lost, _ in known), hypot(*(error for _, error in known))
    return {"doubtful_passes_loss": round(lost, 9), "doubtful_passes_error": round(error, 9)}


def _added(accounts: Sequence[Account | None], unit: str) -> dict[str, Any]:
    """Return the sums of a seat's accounts, as fields of `SeatReview`; empty if an account is missing."""
    whole = [entry for entry in accounts if entry is not None]
    if not whole or len(whole) < len(accounts):
        return {}
    digits = _DIGITS[unit]

    def total(name: str) -> tuple[float, float]:
        values = [entry.parts[name] for entry in whole]
        error = sum(square for _, square in values) ** 0.5
        return round(sum(value for value, _ in values), digits), round(error, digits + 1)

    fields: dict[str, Any] = {
        "finished": all(entry.finished for entry in whole),
        "actual": any(entry.actual for entry in whole),
        "result": round(sum(entry.result for entry in whole), digits),
    }
    complete = all(entry.told for entry in whole)
    names = ("expected", "luck", *(("others",) if complete else ()), "mistakes", "seen", "hidden")
    for name in names:
        fields[name], fields[f"{name}_error"] = total(name)
    unclear = {name for name in names if _is_unclear(fields[name], fields[f"{name}_error"], unit)}
    if "mistakes" in unclear:
        unclear |= {"seen", "hidden"}  # a part alone would look like a loss that the whole does not have
    fields["unclear"] = tuple(name for name in names if name in unclear)
    return fields
