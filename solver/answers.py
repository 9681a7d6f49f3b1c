"""Answer types shared by all games, such as `MoveValue`, `Analysis` and `Hint`.

They are frozen pydantic models; the JSON that users get and the schemas in ``/openapi.json`` are generated from
them. A game with more to report subclasses them. JSON omits fields that were not set; a field set to None means
"unknown".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from solver.answer_tables import (
    BEST,
    SHOWN,
    Columns,
    Part,
    Rows,
    Table,
    Worded,
    columns_of,
    fields_of,
    figures,
    label,
    method_text,
    parts_html,
    parts_text,
    percent,
    shown_columns,
    span,
    table_of,
    text_of,
)  # fmt: skip
from solver.common import Others, in_a_row
from solver.language import say, say_many

if TYPE_CHECKING:
    from solver.errors import AthanorError
    from solver.limits import Control


class AnyPosition(BaseModel):
    """A position, view or record of any game (`solver.positions`).

    Which of the fields below exist depends on the game and the question; cards and moves are texts in the game's
    notation.
    """

    if TYPE_CHECKING:

        @property
        def game(self) -> str: ...
        @property
        def seat(self) -> int: ...
        @property
        def leader(self) -> int: ...
        @property
        def hand(self) -> Sequence[str]: ...
        @property
        def hands(self) -> Sequence[Sequence[str]]: ...
        @property
        def trick(self) -> Sequence[str]: ...
        @property
        def won(self) -> Sequence[Sequence[str]]: ...
        @property
        def table(self) -> Sequence[str]: ...
        @property
        def line(self) -> Sequence[str]: ...
        @property
        def stock(self) -> Sequence[str] | None: ...
        def _repr_html_(self) -> str: ...


# A score, a word for an outcome ("won", "lost"), or one score per seat.
Value = float | int | str | tuple[int, ...]


def number_of(value: Value | None, seat: int | None = None) -> float:
    """Return a value as a number: 1 for "won", 0 for "lost", and of one score per seat that of `seat`.

    It is nan if it is unknown.
    """
    if isinstance(value, tuple):
        return nan if seat is None else float(value[seat])
    if isinstance(value, str):
        return float(value == "won")
    return nan if value is None else float(value)


# The canonical line of the position that was asked about.
Text = Annotated[str | None, Field(description="The position as one line of text, which requests accept.")]


# Fields of analyses and hints that are shown as sentences or in the table of moves.
_TOLD = {
    "game", "variant", "text", "model", "player", "to_move", "exact", "value", "bounds", "best", "moves", "line",
    "kind", "sure", "causes", "reason", "method", "worlds", "seed", "nodes", "seconds", "unit",
}  # fmt: skip


# Fields of moves that a brief table leaves out or shows in columns of its own.
_IN_BRIEF = {"move", "value", "bounds", "exact", "estimate", "used", "swing"}


class Answer(Worded):
    """Base class of all answers: an immutable model that rejects undeclared fields.

    ``str`` and notebooks show an answer as labelled lines and a table of its moves.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that were set, in declaration order, as JSON-compatible data."""
        return self.model_dump(mode="json", exclude_unset=True)

    def to_json(self) -> str:
        return self.model_dump_json(exclude_unset=True)

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        """Return the answer for display: its labelled rows, then a part for each field that is a list of answers.

        With `full`, every move and every figure is shown. `cut` means that the search was interrupted, which the
        answer itself does not record.
        """
        listed = {
            name: value
            for name, value in ((name, getattr(self, name)) for name in type(self).model_fields)
            if isinstance(value, tuple) and value and all(isinstance(entry, Answer) for entry in value)
        }
        rows = fields_of(self, without=listed)
        return [Part(rows), *(Part([(label(name), "")], table_of(entries)) for name, entries in listed.items())]

    def __str__(self) -> str:
        return parts_text(self.parts())

    def _repr_html_(self) -> str:
        return parts_html(self.parts())


class MoveValue(Answer):
    """One legal move and its value, with proved lower and upper `bounds` (equal if the value is `exact`).

    Each field of a move, those of a game's subclass too, is a key in JSON and a column of the table of moves. A
    column is left out if it is None in all moves.

    `estimate` is set only if the value is not proved. It is the mean score of simulated games after the move, with
    all cards known to every player (in the model `maxn`, the score of the seat to move).
    """

    move: str
    value: Value | None
    bounds: tuple[Value, Value]
    exact: bool
    estimate: float | None = None

    @property
    def number(self) -> float:
        """The value as a number (`number_of`), to reckon with."""
        return number_of(self.value)

    def estimate_text(self) -> str:
        """Return the estimate for display; empty if there is none."""
        return "" if self.estimate is None else f"≈ {self.estimate:.1f}"


class Analysis(Answer):
    """The value of a position with every card known, and of each of its moves, best first."""

    game: str
    variant: str | None = None
    text: Text = None
    model: str | None = None
    player: int | None = None
    to_move: int
    exact: bool
    value: Value | None
    bounds: tuple[Value, Value] | None
    best: str | None
    moves: tuple[MoveValue, ...]
    line: tuple[str, ...]
    nodes: int
    seconds: float

    @property
    def number(self) -> float:
        """The value as a number (`number_of`), to reckon with."""
        return number_of(self.value)

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        rows = [(say("Value"), self._value_text())]
        best = self.moves[0] if self.moves else None
        if isinstance(best, MoveValue) and best.estimate is not None:
            words = say("{estimate} after {move}: from simulated games with every card known, not proved",
                        estimate=best.estimate_text(), move=best.move)  # fmt: skip
            rows.append((say("Estimate"), words))
        if self.model is not None:
            rows.append((say("For"), self._point_of_view(self.model)))
        rows.append((say("Best"), self.best or say("no move")))
        if len(self.line) > 1:
            rows.append((say("Line"), "  ".join(self.line)))
        if full or cut or not self.exact:
            rows.append((say("Proof"), _proof(self.exact, cut, say("none: the limit ended the search"))))
        rows += _further_rows(self)
        if full:
            return [Part([*rows, _search(self.nodes, self.seconds)], table_of(self.moves)), *_within(self)]
        more = max(0, len(self.moves) - SHOWN)
        return [Part(rows, self._table() if self.moves else None, more), *_within(self)]

    def _table(self) -> Table:
        """Return a table of the first moves, with their values, their estimates and the game's own columns."""
        valued = [move for move in self.moves if isinstance(move, MoveValue)]
        figures = []
        if valued:
            values = [text_of(move.value) if move.exact else span(move.bounds) for move in valued]
            figures.append((say("value"), values))
        if any(move.estimate is not None for move in valued):
            figures.append((say("estimate"), [move.estimate_text() for move in valued]))
        further = [name for name in shown_columns(self.moves) if name not in _IN_BRIEF]
        figures += [
            (label(name).lower(), [text_of(getattr(move, name)) for move in self.moves]) for name in further
        ]
        return columns_of([move.move for move in self.moves], figures, SHOWN)

    def _value_text(self) -> str:
        if self.exact:
            return say("none") if self.value is None else text_of(self.value)
        if self.bounds is None:
            return say("unknown")
        return say("{bounds}, not proved further", bounds=span(self.bounds))

    def _point_of_view(self, model: str) -> str:
        player = self.to_move if self.player is None else self.player
        mover = self.to_move
        whose = (
            say("seat {seat}, to move", seat=player)
            if player == mover
            else say("seat {seat}; seat {mover} is to move", seat=player, mover=mover)
        )
        return say("; ").join([whose, self.models()[model]])

    @staticmethod
    def models() -> Mapping[str, str]:
        """Return a description of each model of how the other seats play."""
        return {
            "paranoid": say("all others play against that seat (paranoid)"),
            "ally": say("all others play for that seat (ally)"),
            "maxn": say("each plays for their own score (maxn)"),
        }


class HintMove(Answer):
    """One legal move in a hint, judged over the possible deals of the cards that the player does not see.

    In hints that sample deals, `mean` is the expected score or the chance to win. Moves in Alchemy have
    `win_probability` or `points` instead.
    """

    move: str

    if TYPE_CHECKING:

        @property
        def mean(self) -> float: ...
        @property
        def stderr(self) -> float | None: ...
        @property
        def win_probability(self) -> float: ...


Confidence = Literal["clear", "slight", "close", "only"]


class Cause(Answer):
    """One reason why a move is ahead of another: a `code` for the reason, and the data that the sentence needs.

    Fields that the sentence does not need are not set. `move` is usually the best move, and `other` the one it is
    compared with. `share` (a fraction of the sampled deals, 0 to 1), `points` (a mean), `count` and `cards`
    describe `move`; `other_share` and so on describe `other`. `seat` is the seat that acts, and `card` the card
    that the reason is about.
    """

    code: str
    move: str | None = None
    other: str | None = None
    moves: tuple[str, ...] | None = None
    card: str | None = None
    cards: tuple[str, ...] | None = None
    other_cards: tuple[str, ...] | None = None
    seat: int | None = None
    seats: tuple[int, ...] | None = None
    suit: str | None = None
    item: str | None = None
    count: int | None = None
    other_count: int | None = None
    share: float | None = None
    other_share: float | None = None
    points: float | None = None
    other_points: float | None = None


class Hint(Answer):
    """The best move and why, for a player who sees only some of the cards. Moves are sorted, best first.

    `sure` says how surely and how far the best move is ahead: "clear", "slight" (surely, but by little),
    "close" (may be sampling noise) or "only" (the only legal move); None if moves were not compared. `causes` has
    at most two reasons why it is ahead, and `reason` states them in one or two sentences. `notes` are sentences
    about the position, such as a ruling that tables dispute. `kind` says which numbers the moves have.
    """

    game: str
    variant: str | None = None
    kind: str
    text: Text = None
    to_move: int
    exact: bool
    best: str | None
    moves: tuple[HintMove, ...]
    notes: tuple[str, ...] = ()
    sure: Confidence | None = None
    causes: tuple[Cause, ...] = ()
    reason: str
    method: str
    worlds: int
    seed: int
    nodes: int
    seconds: float

    def gap(self, move: str) -> tuple[float, float | None] | None:
        """Return how far a move is behind the best one, and the standard error of the difference.

        The standard error is None if it is unknown. Returns None if the value of the move is unknown.
        """
        return None

    def worths(self) -> Sequence[float | None]:
        """Return the value by which each move is ranked, in the order of `moves`; None for an unknown value."""
        return [None] * len(self.moves)

    def figures(self) -> Columns:
        """Return the columns of figures to show beside the moves, each as a label and one cell per move."""
        return []

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        rows = [(say("Best"), self.best or say("no move")), (say("Why"), self.reason)]
        if self.sure is not None:
            rows.append((say("Sure"), _confidences()[self.sure]))
        worths = self.worths()
        higher = [
            move.move for move, worth in zip(self.moves, worths, strict=True) if worth and worth > (worths[0] or 0)
        ]
        if higher:
            words = say("{moves}: higher, but only within the sampling error",
                        moves=in_a_row(higher))  # fmt: skip
            rows.append((say("Note"), words))
        rows += [(say("Note"), sentence) for sentence in self.notes]
        if not full:
            if cut:
                rows.append((say("Proof"), _proof(self.exact, cut, "")))
            table = columns_of([move.move for move in self.moves], self.figures(), BEST) if self.moves else None
            return [Part(rows, table, max(0, len(self.moves) - BEST))]
        worlds = ""
        if self.worlds:
            worlds = say_many(", {count} world, seed {seed}", ", {count:,} worlds, seed {seed}", self.worlds,
                              seed=self.seed)  # fmt: skip
        proof = f"{_proof(self.exact, cut, say('none: an estimate'))} ({method_text(self.method)}{worlds})"
        rows += [(say("Proof"), proof), *_further_rows(self), _search(self.nodes, self.seconds)]
        return [Part(rows, table_of(self.moves)), *_within(self)]


class Fault(Answer):
    """A fault in what was sent: `code` is a stable identifier, `path` the path of the wrong key, and `message` an
    explanation for people.
    """

    code: str
    path: Annotated[
        str, Field(examples=["position.hands[2][4]", "limit.seconds", "questions[3].position.hand", ""])
    ]
    message: str

    @classmethod
    def of(cls, error: AthanorError) -> tuple[Self, ...]:
        """Return the faults of an error."""
        return tuple(cls(code=fault.code, path=fault.path, message=fault.message) for fault in error.faults)


class Moves(Answer):
    """The possible next moves. When the round is over, `to_move` is null, and there are no moves."""

    game: str
    text: str
    to_move: int | None
    legal_moves: tuple[str, ...]
    possible_moves: tuple[str, ...]


class Share(Answer):
    """The share of deals won with its 95% Wilson interval; `lost_at[n]` deals ended with n stock cards left."""

    deals: int
    won: int
    share: float
    low: float
    high: float
    lost_at: tuple[int, ...]


class PolicyShare(Share):
    """The share of deals won by a simple player who does not see the stock."""

    name: str
    description: str


class WinrateResult(Share):
    """The share of deals that can be won; `finished` is False if a limit was reached before all were solved.

    Results merged from parts have no `seconds`. Deal number i of a seed is the one dealt by
    ``athanor deal alchemy --seed SEED --number i``.
    """

    variant: str
    seed: int
    finished: bool
    nodes: int
    seconds: float | None
    deals_per_second: float | None
    policies: tuple[PolicyShare, ...]


class OpponentMatch(Answer):
    """What a player finds in a race."""

    move: str
    seconds: float


class LeftOver(Answer):
    """The cards that seats still have at the end of a round, which only they have seen."""

    counts: tuple[int, ...]
    own_cards: tuple[str, ...]
    possible_cards: tuple[str, ...]


class Score(Answer):
    """The score of finished rounds. `totals` has one entry per seat; the score of a solitaire has no totals."""

    if TYPE_CHECKING:

        @property
        def totals(self) -> Sequence[int]: ...


class SampledMove(HintMove):
    """A move judged by playing it out in sampled deals.

    `mean` is the mean score and `stderr` its standard error. `gap` is how far the mean is below the best
    move's, and `gap_stderr` the standard error of that difference: less than those of the two means suggest,
    since all moves are played in the same deals. ± 1.96 standard errors is a 95% interval, even with few deals. A
    standard error is None if there is only one deal, or one chain of dependent deals.

    `total_error` also includes the error of the player model (`SampledHint.model_error`); it is left out if that
    is unknown. If the round decides the match, the scores are chances to win or share the match, and `points` is
    the mean score of the round.

    `worst_tenth` is the mean of the worst tenth of the sampled results, in points if there are `points`; it is
    left out if fewer than ten deals were sampled, or all deals solved.
    """

    mean: float
    worst_tenth: float | None = None
    stderr: float | None
    total_error: float | None = None
    gap: float
    gap_stderr: float | None
    worlds: int
    method: str
    points: float | None = None


class Unknown(Worded):
    """Cards that a player does not know to be out of play: `gone` of `possible_cards` are, played or removed."""

    model_config = ConfigDict(frozen=True)

    gone: int
    possible_cards: tuple[str, ...]

    def one_line(self) -> str:
        return say_many("{count} card that is gone", "{count} cards that are gone", self.gone)


class SampledHint(Hint):
    """A hint from playing out every move in sampled deals.

    `model_error` is the root mean square error of the means that is not due to sampling, as measured in rounds
    against several kinds of players. It shifts all means about equally, so it hardly affects the differences
    between them. It is None where it was not measured: for other decks or rules, and for chances to win a match.
    `others` is the assumed strength of the other players; None if there are none or it makes no difference.
    `unknown` is set if the player does not remember everything that was seen.
    """

    kind: Literal["sampled"]
    moves: tuple[SampledMove, ...]
    model_error: float | None = None
    unknown: Unknown | None = None
    others: Others | None = None
    unit: Literal["points", "chance"] = "points"

    def worths(self) -> Sequence[float | None]:
        return [move.mean for move in self.moves]

    def figures(self) -> Columns:
        means = [move.mean for move in self.moves]
        if self.unit == "chance":
            return [(say("wins"), [percent(mean) for mean in means])]
        return [(say("points"), figures(*means[:BEST]) + figures(*means[BEST:]))]

    def gap(self, move: str) -> tuple[float, float | None] | None:
        entries = [entry for entry in self.moves if entry.move == move]
        return (entries[0].gap, entries[0].gap_stderr) if entries else None


class PolicyMove(HintMove):
    """A move, and the `chance` (0 to 1) that a player who does not think ahead makes it."""

    chance: float
    method: str


class PolicyHint(Hint):
    """What a player who does not think ahead would do: an instant answer without sampling."""

    kind: Literal["policy"]
    moves: tuple[PolicyMove, ...]

    def figures(self) -> Columns:
        return [(say("played"), [percent(move.chance) for move in self.moves])]


AnySampledHint = SampledHint | PolicyHint


class Proved(Answer):
    """What an answer proves about its position. A field is None if the search ended before it was proved.

    If `complete`, `best` holds every optimal move. Otherwise there may be others: `best` holds at least one, and
    all optimal moves among those that `Game.proved` was given as `stated`.
    """

    value: Value | None
    best: tuple[str, ...] | None
    complete: bool = True


def _confidences() -> Mapping[str, str]:
    """Return the words for each value of `Hint.sure`."""
    return {
        "only": say("the only legal move"),
        "clear": say("surely and noticeably better than the next"),
        "slight": say("surely better than the next, but by little"),
        "close": say("too close to call"),
    }


def _proof(exact: bool, cut: bool, otherwise: str) -> str:
    if exact:
        return say("exact")
    return say("none: interrupted, this is the best so far") if cut else otherwise


def _search(nodes: int, seconds: float) -> tuple[str, str]:
    return say("Search"), say("{nodes:,} nodes in {seconds:.3f} s", nodes=nodes, seconds=seconds)


def _further(answer: Answer) -> list[tuple[str, Any]]:
    """Return the names and values of the fields that were set, except those that are shown elsewhere (`_TOLD`)."""
    set_fields = answer.model_fields_set - _TOLD
    return [(name, getattr(answer, name)) for name in type(answer).model_fields if name in set_fields]


def _further_rows(answer: Answer) -> Rows:
    simple = bool | int | float | str
    return [(label(name), text_of(value)) for name, value in _further(answer) if isinstance(value, simple)]


def _within(answer: Answer) -> list[Part]:
    """Return a part for each field that is itself an answer."""
    parts = []
    for name, other in _further(answer):
        if isinstance(other, Answer):
            value, best, line = (getattr(other, key, None) for key in ("value", "best", "line"))
            text = say("value {value}, best {best}", value=text_of(value), best=best)
            if line:
                text = say("{text}, line {line}", text=text, line="  ".join(line))
            parts.append(Part([(label(name), text)], table_of(getattr(other, "moves", ()))))
    return parts


# ----------------------------------------------------------------------------------------------------
# How a game declares further questions, beyond those about moves.


class Example(NamedTuple):
    """An example request for the API documentation: a complete body, and a short description of what it asks."""

    summary: str
    body: Mapping[str, Any]


class Question(Protocol):
    """A question that only some games answer, such as "compound". `Game.asks` says which positions allow it."""

    @property
    def examples(self) -> Mapping[str, Example]:
        """Example requests, by a short name."""

    def answer(self, position: BaseModel, control: Control, wishes: Any = None) -> Answer:
        """Answer the question for a position. `wishes` are the options of the question; None means the defaults.

        Raises RequestError for a position or wishes that cannot be answered.
        """

    def warm(self) -> None:
        """Load everything needed to answer the question, so that the first user does not have to wait for it."""


# ----------------------------------------------------------------------------------------------------
# The answer to `compound`, for games with recipes, and the protocol of such a game.


ASK = "compound"


class MadeRecipe(Answer):
    """A recipe as it was used: the card it is printed on, the item it makes, and the ingredient cards (`uses`)."""

    card: str
    item: str
    uses: tuple[str, ...]
    bonus: int


class Compounding(Answer):
    """One way to compound a set of cards, that is, to carry out some of the recipes on them for bonus points.

    `vp` is the sum of the points printed on all cards, `bonus` the sum of the recipes' bonuses, and `recipes` is
    in the deck's order.
    """

    vp: int
    bonus: int
    total: int
    recipes: tuple[MadeRecipe, ...]


class Missing(Answer):
    """A card that is not in the set, and what adding it would `gain`: its own points (`vp`) and extra `bonus`."""

    card: str
    gain: int
    vp: int
    bonus: int


class CompoundAnalysis(Compounding):
    """The best way to compound a set of cards, with proved `bounds` on the total (equal if `exact`).

    If several ways were requested, `ways` lists the best ones, this one first. If requested, `missing` lists the
    other cards of the deck, the most valuable first. If not `exact`, the search reached its limit: `missing` may
    then be incomplete, but each of its entries is proved.
    """

    game: str
    text: Text = None
    exact: bool
    bounds: tuple[int, int]
    ways: tuple[Compounding, ...] | None = None
    missing: tuple[Missing, ...] | None = None
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Wishes:
    """Options of the question "compound".

    Recipes must use the cards in `must` and none of those in `without`. `best` is how many ways to list, and
    `missing` says whether to value the cards that are not in the set.
    """

    must: Sequence[str] = ()
    without: Sequence[str] = ()
    best: int = 1
    missing: bool = False


class Compounder(Question, Protocol):
    """The question "compound": how best to use a position's cards in recipes."""

    def answer(self, position: BaseModel, control: Control, wishes: Wishes | None = None) -> CompoundAnalysis:
        """Find the best ways to compound the position's cards.

        Raises RequestError for wishes that cannot be met.
        """

    def check(self, position: BaseModel, wishes: Wishes) -> None:
        """Raise RequestError for wishes that do not fit the position's cards."""

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        """Return the result of carrying out these recipes, each given as its card and its ingredient cards.

        Raises MoveError, with a path like ``[1].uses``, if they can't be carried out.
        """

    def picture(self, position: BaseModel, compounding: Compounding) -> str:
        """Draw the position's recipe graph as SVG, with the recipes of `compounding` highlighted."""


# ----------------------------------------------------------------------------------------------------
# What an analysis of a trick game proves: the value, and every optimal move.


def proved(answer: Analysis) -> Proved:
    """Return the value of an analysis and all optimal moves; each is None unless it is proved.

    In the model `maxn` (every seat plays for its own score), a move is optimal if it ties with the best one on the
    mover's score and on the total of the others' scores.
    """
    value = answer.value if answer.bounds is not None and answer.bounds[0] == answer.bounds[1] else None
    if len(answer.moves) <= 1:
        return Proved(value=value, best=tuple(entry.move for entry in answer.moves))
    worths = [_worth(entry.bounds, answer) for entry in answer.moves]
    floor = max(low for low, _ in worths)
    standing = [index for index, (_, high) in enumerate(worths) if high >= floor]
    if any(worths[index][0] != worths[index][1] for index in standing):
        return Proved(value=value, best=None)  # a move not yet refuted may be better or worse
    return Proved(value=value, best=tuple(answer.moves[index].move for index in standing))


Worth = tuple[int, int]  # compared in order: own (or the opposed seat's) points, then minus the others' total


def _worth(bounds: tuple[Value, Value], answer: Analysis) -> tuple[Worth, Worth]:
    """Return proved bounds on what a move is worth to the seat to move."""
    low, high = bounds
    if isinstance(low, tuple) and isinstance(high, tuple):
        seat = answer.to_move
        return (low[seat], -_others(high, seat)), (high[seat], -_others(low, seat))
    assert isinstance(low, int)
    assert isinstance(high, int)
    if answer.model == "ally" or answer.player == answer.to_move:
        return (low, 0), (high, 0)
    return (-high, 0), (-low, 0)


def _others(scores: tuple[int, ...], seat: int) -> int:
    return sum(scores) - scores[seat]


# ----------------------------------------------------------------------------------------------------
# The answers of games with points: one player's score, or each seat's.


Scores = tuple[int, ...]  # one score per seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class ScoreMove(MoveValue):
    """A move, and the final score that it leads to."""

    value: Points | None
    bounds: Bounds


class ScoreAnalysis(Analysis):
    """The value of a round with every card known: the score of `player`, or under `maxn` of each seat."""

    value: Points | None
    bounds: Bounds | None
    moves: tuple[ScoreMove, ...]


class SidesAnalysis(ScoreAnalysis):
    """An analysis of a game in which seats form sides that share their points."""

    @staticmethod
    def models() -> Mapping[str, str]:
        return {
            **ScoreAnalysis.models(),
            "paranoid": say("the other side plays against it (paranoid)"),
            "maxn": say("each side plays for its own score (maxn)"),
        }


class MatchScore(Score):
    """The points of each round and in total, seat by seat.

    `winners` has the seat with the highest total, or all seats that tie for it; it is None until the last round is
    over.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool
