"""The answer types that every game shares: `MoveValue`, `Analysis`, `Hint`.

They are frozen pydantic models, from which both the JSON that users get and the schemas of ``/openapi.json`` are
made. A game with more to report subclasses them. Fields that were not set are left out of the JSON; a field set to
None means "unknown".
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from solver.common import Others, in_a_row, one_after_another, width
from solver.language import say, say_many, say_of, translated

if TYPE_CHECKING:
    from solver.limits import Control


# ----------------------------------------------------------------------------------------------------
# How answers and positions are shown to a person: labelled lines, and tables made from the fields of models.
#
# Terminals, notebooks and ``str`` show the same lines and tables, each in its own format.


Rows = list[tuple[str, str]]

SHOWN = 10  # moves shown of an analysis, unless all are asked for
BEST = 3  # moves shown of a hint, likewise


Columns = Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text under labels. `numbers` are the right-aligned columns, counted from 0."""

    labels: Sequence[str]
    lines: Sequence[Sequence[str]]
    numbers: frozenset[int]


class Worded(BaseModel):
    """A model that can be shown on one line inside another model."""

    def one_line(self) -> str:
        """The whole model on one line."""
        return " ".join(f"{name}={getattr(self, name)!r}" for name in type(self).model_fields)


@dataclass(frozen=True, slots=True)
class Part:
    """Labelled lines, optionally with a table below them, such as an answer's moves, that omits `more` rows."""

    rows: Rows
    table: Table | None = None
    more: int = 0

    @property
    def below(self) -> str:
        """The line below the table that says how many rows are left out; empty if none are."""
        return say_many("… and {count} more", "… and {count} more", self.more) if self.more else ""


def fields_of(model: BaseModel, without: Container[str] = ()) -> Rows:
    """A model's fields as labelled lines, except those that are None or in `without`."""
    shown = ((name, getattr(model, name)) for name in type(model).model_fields if name not in without)
    return [(label(name), text_of(value, name)) for name, value in shown if value is not None]


def table_of(entries: Sequence[Worded]) -> Table | None:
    """Entries as a numbered table, without the columns that add nothing; None when there are no entries."""
    if not entries:
        return None
    names = _columns(entries)
    right = {
        column
        for column, name in enumerate(names, start=1)
        if all(isinstance(getattr(entry, name), int | float | None) for entry in entries)
    }
    lines = [
        [str(number), *(text_of(getattr(entry, name), name) for name in names)]
        for number, entry in enumerate(entries, 1)
    ]
    return Table(["#", *(label(name).lower() for name in names)], lines, frozenset({0, *right}))


def columns_of(moves: Sequence[str], figures: Columns, shown: int) -> Table:
    """The first `shown` moves as a numbered table, with columns of figures."""
    texts = [moves, *(column for _, column in figures)]
    lines = [[str(number), *cells] for number, cells in enumerate(zip(*texts, strict=True), 1)]
    labels = ["#", say("move"), *(name for name, _ in figures)]
    return Table(labels, lines[:shown], frozenset({0, *range(2, len(labels))}))


def text_of(value: object, name: str = "") -> str:
    """A field's value as text."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        if name == "bounds":
            return span(value)
        if _holds_models(value):
            return "\n".join(map(text_of, value))
        nested = any(isinstance(item, tuple) for item in value)
        return ("; " if nested else " ").join(map(text_of, value)) or "–"
    if isinstance(value, Worded):
        return value.one_line()
    if name == "method" and isinstance(value, str):
        return _method(value)
    return _outcomes().get(value, value) if isinstance(value, str) else str(value)


def label(name: str) -> str:
    """The label that people see for a field."""
    return translated(name.replace("_", " ").capitalize())


def _method(method: str) -> str:
    """The comma-separated names of the methods that found an answer, translated for people."""
    return one_after_another(map(translated, method.split(", ")))


def _columns(entries: Sequence[Worded]) -> list[str]:
    """The fields that get a column: those with values, but no bounds if all are exact, and no shared method."""
    exact = all(getattr(entry, "exact", True) for entry in entries)
    names = []
    for name in type(entries[0]).model_fields:
        values = [getattr(entry, name) for entry in entries]
        if all(value is None for value in values) or (exact and name in ("bounds", "exact")):
            continue
        if name == "method" and len(set(values)) == 1:
            continue
        names.append(name)
    return names


def figures(*values: float) -> list[str]:
    """Mean points with one decimal, or with two if different means would otherwise look equal."""
    for digits in (1, 2):
        texts = [f"{value:.{digits}f}" for value in values]
        if len(set(texts)) == len(texts):
            break
    return [text if text.strip("-0.") else text.removeprefix("-") for text in texts]


def percent(value: float) -> str:
    """A chance from 0 to 1 in whole percent, with one decimal below 5% and above 95%."""
    percentage = 100 * value
    text = f"{percentage:.0f}%" if 5 <= percentage <= 95 else f"{percentage:.1f}%"
    if text in ("0.0%", "100.0%"):  # a rounded chance is neither certain nor hopeless
        sure = min(percentage, 100 - percentage) <= 1e-10
        return text.replace(".0", "") if sure else say("under 0.1%") if percentage < 50 else say("over 99.9%")
    return text.replace(".0%", "%")


def _holds_models(value: tuple[object, ...]) -> bool:
    """Whether a tuple contains models, possibly in further tuples; each model then gets a line."""
    return any(isinstance(item, Worded) or (isinstance(item, tuple) and _holds_models(item)) for item in value)


def span(bounds: tuple[Any, ...]) -> str:
    """Bounds as text: one value where they are equal."""
    low, high = map(text_of, bounds)
    return low if low == high else f"{low} … {high}"


# ----------------------------------------------------------------------------------------------------
# Labelled lines and tables as plain text, and as HTML for notebooks.


def rows_text(rows: Rows) -> str:
    """Labelled lines as text, with aligned labels; the later lines of a value are indented below its first."""
    most = max((width(label) for label, _ in rows), default=0)
    lines = []
    for label, value in rows:
        first, *others = value.split("\n")
        lines.append(f"{_filled(label, most)}  {first}".rstrip())
        lines += [f"{'':<{most}}  {other}".rstrip() for other in others]
    return "\n".join(lines)


def rows_html(rows: Rows) -> str:
    """Labelled lines as an HTML table. Everything is escaped: titles and cards may come from strangers."""
    cells = (f"<tr><th>{_html(label)}</th><td>{_html(value)}</td></tr>" for label, value in rows)
    return f"<table>{''.join(cells)}</table>"


def parts_text(parts: Sequence[Part]) -> str:
    """Parts as text: their labelled lines, each with its table below."""
    found = []
    for part in parts:
        found += [rows_text(part.rows), _table_text(part.table) if part.table else "", part.below]
    return "\n\n".join(filter(None, found))


def parts_html(parts: Sequence[Part]) -> str:
    """Labelled lines and their tables as HTML tables, without scripts or styles."""
    found = []
    for part in parts:
        found += [rows_html(part.rows), _table_html(part.table) if part.table else "", _html(part.below)]
    return "".join(found)


def _table_text(table: Table) -> str:
    # A cell of several lines is joined into one.
    lines = [[cell.replace("\n", "; ") for cell in line] for line in (table.labels, *table.lines)]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            _filled(cell, most, right=column in table.numbers)
            for column, (cell, most) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _filled(text: str, most: int, *, right: bool = False) -> str:
    """`text` padded with blanks to `most` terminal columns: on the left if `right`, else on the right."""
    blanks = " " * (most - width(text))
    return blanks + text if right else text + blanks


def _table_html(table: Table) -> str:
    head = "".join(f"<th>{_html(label)}</th>" for label in table.labels)
    lines = ("".join(f"<td>{_html(cell)}</td>" for cell in line) for line in table.lines)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")


# A score, a word for an outcome ("won", "lost"), or one score per seat.
Value = float | int | str | tuple[int, ...]


# The canonical line of the position that was asked about.
Text = Annotated[str | None, Field(description="The position as one line of text, which requests accept.")]


# Fields of analyses and hints that are shown as sentences or in the table of moves.
_TOLD = {
    "game", "variant", "text", "model", "player", "to_move", "exact", "value", "bounds", "best", "moves", "line",
    "sure", "causes", "reason", "method", "worlds", "seed", "nodes", "seconds", "unit",
}  # fmt: skip


# Fields of moves that a brief table leaves out or shows in columns of its own.
_IN_BRIEF = {"move", "value", "bounds", "exact", "estimate", "used", "swing"}


class Answer(Worded):
    """The base class of all answers: immutable, and without undeclared keys.

    As text and in a notebook, an answer is shown as labelled lines and a table of its moves.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_dict(self) -> dict[str, Any]:
        """The fields that were set, in declared order, as JSON-ready data."""
        return self.model_dump(mode="json", exclude_unset=True)

    def to_json(self) -> str:
        return self.model_dump_json(exclude_unset=True)

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        """The answer as people see it: its own labelled lines, then a part for each list of answers in it.

        `full`: show every move and every figure. `cut`: the search was interrupted; the answer itself does not
        record that.
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
    """One legal move and its value. `bounds` are the proved bounds, which are equal when the value is `exact`.

    `estimate` is set only where the value is not proved: the mean score of games played on from the move with
    every card known (under `maxn`, the score of the seat to move). It proves nothing.
    """

    move: str
    value: Value | None
    bounds: tuple[Value, Value]
    exact: bool
    estimate: float | None = None

    def estimate_text(self) -> str:
        """The estimate as people see it; empty if there is none."""
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
        """The first moves with their proved or estimated values, and the game's own columns."""
        valued = [move for move in self.moves if isinstance(move, MoveValue)]
        figures = []
        if valued:
            values = [text_of(move.value) if move.exact else span(move.bounds) for move in valued]
            figures.append((say("value"), values))
        if any(move.estimate is not None for move in valued):
            figures.append((say("estimate"), [move.estimate_text() for move in valued]))
        further = [name for name in _columns(self.moves) if name not in _IN_BRIEF]
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
        return say("; ").join([whose, _models()[model]])


class HintMove(Answer):
    """One legal move of a view, and how good it is over the possible deals of the unseen cards.

    `mean` is the expected score or the chance to win, for hints that sample deals; Alchemy's moves have
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


Sure = Literal["clear", "slight", "close", "only"]


class Cause(Answer):
    """One reason why a move is ahead: a `code`, and the parameters of its sentence; unused fields are left out.

    `move` is usually the best move, `other` the move it is compared with. `share` (of the sampled worlds, 0 to 1),
    `points` (means), `count` and `cards` belong to `move`; those with `other_` belong to `other`. `seat` is the
    seat that acts, `card` the card in question.
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

    `sure` is how far the best move is ahead of the next: "clear", "slight" (significant, but worth little),
    "close" (may be sampling noise) or "only" (the only legal move); None where moves were not compared. `causes`
    has at most two reasons why it is ahead, and `reason` states them in one or two sentences.
    """

    game: str
    variant: str | None = None
    text: Text = None
    to_move: int
    exact: bool
    best: str | None
    moves: tuple[HintMove, ...]
    sure: Sure | None = None
    causes: tuple[Cause, ...] = ()
    reason: str
    method: str
    worlds: int
    seed: int
    nodes: int
    seconds: float

    def behind(self, move: str) -> tuple[float, float | None] | None:
        """How far a move is behind the best one, with the standard error (None where it is unknown).

        Returns None where the value of the move is unknown.
        """
        return None

    def worths(self) -> Sequence[float | None]:
        """The values by which the moves are compared, in order of the moves; None where unknown."""
        return [None] * len(self.moves)

    def figures(self) -> Columns:
        """The columns of figures that people see: each has a label and a cell for each move."""
        return []

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        rows = [(say("Best"), self.best or say("no move")), (say("Why"), self.reason)]
        if self.sure is not None:
            rows.append((say("Sure"), _sureties()[self.sure]))
        worths = self.worths()
        higher = [
            move.move for move, worth in zip(self.moves, worths, strict=True) if worth and worth > (worths[0] or 0)
        ]
        if higher:
            words = say("{moves}: higher, but only within the sampling error",
                        moves=in_a_row(higher))  # fmt: skip
            rows.append((say("Note"), words))
        if not full:
            if cut:
                rows.append((say("Proof"), _proof(self.exact, cut, "")))
            table = columns_of([move.move for move in self.moves], self.figures(), BEST) if self.moves else None
            return [Part(rows, table, max(0, len(self.moves) - BEST))]
        worlds = ""
        if self.worlds:
            worlds = say_many(", {count} world, seed {seed}", ", {count:,} worlds, seed {seed}", self.worlds,
                              seed=self.seed)  # fmt: skip
        proof = f"{_proof(self.exact, cut, say('none: an estimate'))} ({_method(self.method)}{worlds})"
        rows += [(say("Proof"), proof), *_further_rows(self), _search(self.nodes, self.seconds)]
        return [Part(rows, table_of(self.moves)), *_within(self)]


class Score(Answer):
    """The score of finished rounds. `totals` has one per seat, except for a solitaire."""

    if TYPE_CHECKING:

        @property
        def totals(self) -> Sequence[int]: ...


class SampledMove(HintMove):
    """A move judged by playing it in sampled deals.

    `mean` is the mean score and `stderr` its standard error. `behind` is how far the mean is below the best
    move's, and `behind_stderr` the standard error of the difference; it is smaller than the errors of the two
    means, since all moves are played in the same worlds. For both, ± 1.96 standard errors is a 95% interval,
    however few worlds there are. An error is None if only one world or chain was played. `total_error` also
    includes the error of the player model (`SampledHint.model_error`); it is left out where that is unknown. Where
    the round decides the match, the scores are chances to win or share the match, and `points` is the mean score
    of the round.
    """

    mean: float
    stderr: float | None
    total_error: float | None = None
    behind: float
    behind_stderr: float | None
    worlds: int
    method: str
    points: float | None = None


class Unknown(Worded):
    """Cards that a player does not remember: `gone` cards have been played, all of them from `among`.

    `worth` is a lower bound on what the player could gain at this move by knowing which cards are gone.
    It is estimated from the sampled worlds, with standard error `stderr`; None where there are too few worlds.
    """

    model_config = ConfigDict(frozen=True)

    gone: int
    among: tuple[str, ...]
    worth: float | None = None
    stderr: float | None = None

    def one_line(self) -> str:
        text = say_many("{count} card that is gone", "{count} cards that are gone", self.gone)
        if self.worth is None:
            return text
        return say("{cards}; knowing which is worth {worth} now", cards=text, worth=f"{self.worth:.2f}")


class SampledHint(Hint):
    """A hint from sampled play.

    `model_error` is the error of the means apart from sampling error: its root mean square over rounds played
    against several kinds of players. It shifts all means about equally, so it matters little for the differences
    between them. None: not measured for this deck, these rules, or chances to win a match. `others` is the assumed
    strength of the other players; None where there are none or it makes no difference. `unknown` is set where the
    player does not remember everything that was seen.
    """

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

    def behind(self, move: str) -> tuple[float, float | None] | None:
        found = [entry for entry in self.moves if entry.move == move]
        return (found[0].behind, found[0].behind_stderr) if found else None


class PolicyMove(HintMove):
    """A move, and the `chance` (0 to 1) that a player who does not think ahead makes it."""

    chance: float
    method: str


class PolicyHint(Hint):
    """What a player who does not think ahead would do: an instant answer without sampling."""

    moves: tuple[PolicyMove, ...]

    def figures(self) -> Columns:
        return [(say("played"), [percent(move.chance) for move in self.moves])]


AnySampledHint = SampledHint | PolicyHint


class Proved(Answer):
    """What an answer proves about its position. A field is None if the search ended before it was proved.

    `best` holds every optimal move. If not `complete`, there may be others: `best` then holds at least one, and
    those moves of the solution being checked that are equally good.
    """

    value: Value | None
    best: tuple[str, ...] | None
    complete: bool = True


def _sureties() -> Mapping[str, str]:
    """The levels of certainty of a hint, in words."""
    return {
        "only": say("the only legal move"),
        "clear": say("clearly better than the next"),
        "slight": say("slightly better than the next"),
        "close": say("too close to call"),
    }


def _outcomes() -> Mapping[str, str]:
    """The outcomes of a solitaire, in words."""
    return {"won": say_of("an outcome", "won"), "lost": say_of("an outcome", "lost")}


def _models() -> Mapping[str, str]:
    """The models of play, in words."""
    return {
        "paranoid": say("all others play against that seat (paranoid)"),
        "ally": say("all others play for that seat (ally)"),
        "maxn": say("each plays for their own score (maxn)"),
    }


def _proof(exact: bool, cut: bool, otherwise: str) -> str:
    if exact:
        return say("exact")
    return say("none: interrupted, this is the best so far") if cut else otherwise


def _search(nodes: int, seconds: float) -> tuple[str, str]:
    return say("Search"), say("{nodes:,} nodes in {seconds:.3f} s", nodes=nodes, seconds=seconds)


def _further(answer: Answer) -> list[tuple[str, Any]]:
    """The fields that were set, except those that are shown elsewhere."""
    set_fields = answer.model_fields_set - _TOLD
    return [(name, getattr(answer, name)) for name in type(answer).model_fields if name in set_fields]


def _further_rows(answer: Answer) -> Rows:
    simple = bool | int | float | str
    return [(label(name), text_of(value)) for name, value in _further(answer) if isinstance(value, simple)]


def _within(answer: Answer) -> list[Part]:
    """Answers within the answer, such as the other order of a duel's exchange."""
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
    """A request body that works as it is, and a short description of what it asks."""

    summary: str
    body: Mapping[str, Any]


class Question(Protocol):
    """A question that applies to some positions of a game, such as "compound"; `Game.asks` decides which."""

    @property
    def answer_type(self) -> type[Answer]:
        """The type of `answer`, for the OpenAPI document."""

    @property
    def examples(self) -> Mapping[str, Example]:
        """Example requests, by a short name."""

    def answer(self, position: BaseModel, control: Control, wishes: Any = None) -> Answer:
        """The answer. `wishes` are the options of the question; None: the defaults.

        Raises RequestError for a position or wishes that cannot be answered.
        """

    def warm(self) -> None:
        """Load everything that answering needs, so that no user waits for it."""


# ----------------------------------------------------------------------------------------------------
# The answer to `compound`, for games with recipes, and the protocol of such a game.


ASK = "compound"
MOST_WAYS = 100


class Made(Answer):
    """A recipe that is made: the card that carries it, the item, and the cards used, in the recipe's order."""

    card: str
    item: str
    uses: tuple[str, ...]
    bonus: int


class Compounding(Answer):
    """One way to compound cards: the cards' points, the bonus, and the recipes in the deck's order."""

    vp: int
    bonus: int
    total: int
    recipes: tuple[Made, ...]


class Missing(Answer):
    """A card that is not in the set: what it would add to the total, its own points (`vp`) included."""

    card: str
    gain: int
    vp: int
    bonus: int


class CompoundAnalysis(Compounding):
    """The best way to compound a set of cards. `bounds` are proved bounds on the total, equal when `exact`.

    `ways` lists the best ways, this one first, when several were asked for. `missing` lists the other cards of the
    deck when asked for, the most valuable first. If not `exact`, the limit was reached; every entry of `missing`
    is still proved, but there may be more.
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
    """Options of "compound": cards to use or avoid, how many ways to list, whether to value the missing cards."""

    must: Sequence[str] = ()
    without: Sequence[str] = ()
    best: int = 1
    missing: bool = False


class Compounder(Question, Protocol):
    """The question "compound", for positions whose `asks` includes it."""

    def answer(self, position: BaseModel, control: Control, wishes: Wishes | None = None) -> CompoundAnalysis:
        """The best ways to compound the position's cards. Raises RequestError for wishes that cannot be met."""

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        """The result of compounding these recipes.

        Raises MoveError, with a path like ``[1].uses``, if it is impossible.
        """

    def picture(self, position: BaseModel, compounding: Compounding) -> str:
        """The position's recipe graph as SVG, with `compounding` highlighted."""


# ----------------------------------------------------------------------------------------------------
# What an analysis of a trick game proves: the value, and every optimal move.


def proved(answer: Analysis) -> Proved:
    """The value if it is proved, and every optimal move of the seat to move if those are proved.

    Under `maxn`, a move is optimal if it ties with the best on its own score and on the total of the others.
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
    """The proved bounds on what a move is worth to the seat to move."""
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
