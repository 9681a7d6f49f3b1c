"""The answer types that every game shares: `MoveValue`, `Analysis`, `Hint`.

They are frozen pydantic models: the JSON that users get and the schemas of ``/openapi.json`` are both made
from them. A game that has more to say subclasses them. Fields that were not set are left out of the JSON; a
field that is set to None is an honest "unknown".
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
# What answers and positions say to a person: labelled lines, and tables made from the fields of models.
#
# Terminals, notebooks and ``str`` show the same lines and tables, each in its own way.


Rows = list[tuple[str, str]]

SHOWN = 10  # moves of an analysis, unless all are asked for
BEST = 3  # moves of a hint, the same


Columns = Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text under labels. `numbers` are the columns, counted from 0, to be aligned to the right."""

    labels: Sequence[str]
    lines: Sequence[Sequence[str]]
    numbers: frozenset[int]


class Worded(BaseModel):
    """A model that can be told within a line of another one."""

    def one_line(self) -> str:
        """All that it says, in one line."""
        return " ".join(f"{name}={getattr(self, name)!r}" for name in type(self).model_fields)


@dataclass(frozen=True, slots=True)
class Part:
    """Labelled lines, and the table that belongs to them, such as an answer's moves, which leaves `more` out."""

    rows: Rows
    table: Table | None = None
    more: int = 0

    @property
    def below(self) -> str:
        """What is said below the table; empty when it leaves nothing out."""
        return say_many("… and {count} more", "… and {count} more", self.more) if self.more else ""


def fields_of(model: BaseModel, without: Container[str] = ()) -> Rows:
    """A model's fields as labelled lines, but for those that are None and those of `without`."""
    shown = ((name, getattr(model, name)) for name in type(model).model_fields if name not in without)
    return [(label(name), text_of(value, name)) for name, value in shown if value is not None]


def table_of(entries: Sequence[Worded]) -> Table | None:
    """Entries as a numbered table of the fields worth a column; None where there are no entries."""
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


def columns_of(moves: Sequence[str], figures: Columns, shown: int, first: str = "") -> Table:
    """The first `shown` moves, or what `first` calls them, as a numbered table with columns of figures beside."""
    texts = [moves, *(column for _, column in figures)]
    lines = [[str(number), *cells] for number, cells in enumerate(zip(*texts, strict=True), 1)]
    labels = ["#", first or say("move"), *(name for name, _ in figures)]
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
    """A field's name for a person."""
    return translated(name.replace("_", " ").capitalize())


def _method(method: str) -> str:
    """How an answer was found, for a person: a row of the names of methods."""
    return one_after_another(map(translated, method.split(", ")))


def _columns(entries: Sequence[Worded]) -> list[str]:
    """The fields worth a column: those that say something, and not the same of every entry by definition."""
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
    """Means of points to one digit after the point; to two where one does not tell them apart."""
    for digits in (1, 2):
        texts = [f"{value:.{digits}f}" for value in values]
        if len(set(texts)) == len(texts):
            break
    return [text if text.strip("-0.") else text.removeprefix("-") for text in texts]


def percent(value: float) -> str:
    """A chance from 0 to 1 in whole percent, with one digit more below 5% and above 95%."""
    percentage = 100 * value
    text = f"{percentage:.0f}%" if 5 <= percentage <= 95 else f"{percentage:.1f}%"
    if text in ("0.0%", "100.0%"):  # what is rounded is neither sure nor hopeless
        sure = min(percentage, 100 - percentage) <= 1e-10
        return text.replace(".0", "") if sure else say("under 0.1%") if percentage < 50 else say("over 99.9%")
    return text.replace(".0%", "%")


def _holds_models(value: tuple[object, ...]) -> bool:
    """Whether there are models in a tuple, or in tuples within: each is told on a line."""
    return any(isinstance(item, Worded) or (isinstance(item, tuple) and _holds_models(item)) for item in value)


def span(bounds: tuple[Any, ...]) -> str:
    """Bounds as text: one value where they are equal."""
    low, high = map(text_of, bounds)
    return low if low == high else f"{low} … {high}"


# ----------------------------------------------------------------------------------------------------
# Labelled lines and tables as plain text, and as HTML for notebooks.


def rows_text(rows: Rows) -> str:
    """Labelled lines as text, the labels aligned; further lines of a value lie under its first."""
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
    """Labelled lines as text, and below them their tables."""
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
    # A cell of several lines is told in one.
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
    """A text with blanks on one side, as wide as `most` columns of a terminal."""
    blanks = " " * (most - width(text))
    return blanks + text if right else text + blanks


def _table_html(table: Table) -> str:
    head = "".join(f"<th>{_html(label)}</th>" for label in table.labels)
    lines = ("".join(f"<td>{_html(cell)}</td>" for cell in line) for line in table.lines)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")


# A score, a word for an outcome ("won", "lost"), or one score a seat.
Value = float | int | str | tuple[int, ...]


# The canonical line of the position that was asked about.
Text = Annotated[str | None, Field(description="The position as one line of text, to ask about it again.")]


# Fields of analyses and hints that are said in sentences of their own, or by the table of moves.
_TOLD = {
    "game", "variant", "text", "model", "player", "to_move", "exact", "value", "bounds", "best", "moves", "line",
    "sure", "causes", "reason", "method", "worlds", "seed", "nodes", "seconds", "unit",
}  # fmt: skip


# Fields of moves that a brief table leaves out, or says in columns of its own.
_IN_BRIEF = {"move", "value", "bounds", "exact", "estimate", "used", "swing"}


class Answer(Worded):
    """Base of everything that is returned: immutable, and closed to keys that are not declared.

    As text, and in a notebook, an answer is labelled lines and a table of its moves.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready data with the fields that were set, in declared order."""
        return self.model_dump(mode="json", exclude_unset=True)

    def to_json(self) -> str:
        return self.model_dump_json(exclude_unset=True)

    def parts(self, *, full: bool = False, cut: bool = False) -> list[Part]:
        """What the answer says to a person: one part for itself, and one for each answer within it.

        `full`: every move and every figure. `cut`: the search was interrupted, which the answer doesn't know.
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
    """One legal move and what it is worth; `bounds` is what is proved, equal when `exact`.

    `estimate` is there only where the value is not proved: the mean score of games played on from the move with
    every card known, under `maxn` that of the seat to move. It proves nothing.
    """

    move: str
    value: Value | None
    bounds: tuple[Value, Value]
    exact: bool
    estimate: float | None = None

    def estimate_text(self) -> str:
        """The estimate for a person; empty where there is none."""
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
            words = say("{estimate} after {move}: from games played on with every card known, not proved",
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
        """The first moves with what is proved or estimated of them, and what else the game says of them."""
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
    """One legal move of a view, and how it does over the cards that are not seen.

    `mean` is the expected score, or chance to win, where the hint samples deals; Alchemy's moves have
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
    """One thing behind the lead of a move: its `code`, and what its sentence names; other fields are left out.

    `move` is usually the best move, `other` the one that it leads. `share`, a share of the sampled worlds from 0
    to 1, `points`, which are means, `count` and `cards` belong to `move`, and those with `other_` to `other`.
    `seat` is the seat that does something, `card` the card that it is about.
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
    """Which move, and why, for a player who sees only some of the cards. Best move first.

    `sure` says how far the best move leads the next: "clear", "slight" (beyond doubt, but worth little), "close"
    (it may be the luck of the draw), or "only" (it is the only legal move); None where moves were not compared.
    `causes` are at most two things behind the lead, and `reason` says them in a sentence or two.
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
        """How much less a move brings than the best one, and the standard error of that, None where it is unknown.

        None, where nothing is known of what the move brings.
        """
        return None

    def worths(self) -> Sequence[float | None]:
        """By what the moves are compared, in their order; None where that was not found out."""
        return [None] * len(self.moves)

    def figures(self) -> Columns:
        """Columns for a person beside the moves: a label, and a text for each move."""
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
            words = say("{moves}: higher by less than the error of sampling, which decides nothing",
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
    """The score of finished rounds; `totals` is each seat's, but for a solitaire."""

    if TYPE_CHECKING:

        @property
        def totals(self) -> Sequence[int]: ...


class SampledMove(HintMove):
    """A move judged by play sampled over the hidden cards.

    `mean` is the score that it leads to, `stderr` the mean's standard error. `behind` is how much less that is
    than the best move's mean, and `behind_stderr` the standard error of this difference: smaller than the errors
    of the two means, since both moves were played in the same worlds. Of either, ± 1.96 standard errors make a 95%
    interval, however few worlds there are. An error is None, unknown, where one world or chain was played.
    `total_error` is the mean's standard error in all, that of the model of the players too
    (`SampledHint.model_error`); it is left out where that is not known. Where the round decides the match, these
    are chances to win the match or to share the win, and `points` is the mean score of the round.
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
    """What a player does not remember: `gone` cards that are out, each of them one of `among`.

    Knowing which they are would be `worth` so much for this move, at least, by what the sampled worlds show, with
    the standard error `stderr`; None where they are too few to tell.
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
        return say("{cards}; to know them now is worth {worth}", cards=text, worth=f"{self.worth:.2f}")


class SampledHint(Hint):
    """A hint from sampled play.

    `model_error` is how far such means are off besides the errors of sampling: the root mean square over rounds
    that were played among others of several kinds. All means are off by about as much, so it says little of the
    differences between them. None: it was not measured for this deck, these rules, or chances to win a match.
    `others` is whom the hint takes the other players to be; None where there are none, or it makes no difference.
    `unknown` is there where a player does not remember all that was seen.
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
    """A move, and how likely a player makes it who thinks no further: `chance`, from 0 to 1."""

    chance: float
    method: str


class PolicyHint(Hint):
    """What a player would do who thinks no further: an answer at once, for which no deals were sampled."""

    moves: tuple[PolicyMove, ...]

    def figures(self) -> Columns:
        return [(say("played"), [percent(move.chance) for move in self.moves])]


AnySampledHint = SampledHint | PolicyHint


class Proved(Answer):
    """What an answer proves of its position; None where the search ended before.

    `best` holds every optimal move. Not `complete`: the answer is one optimum of possibly several, and `best`
    holds it and those of the moves asked about that are as good.
    """

    value: Value | None
    best: tuple[str, ...] | None
    complete: bool = True


def _sureties() -> Mapping[str, str]:
    """How sure a hint is, in words."""
    return {
        "only": say("the only legal move"),
        "clear": say("clearly better than the next"),
        "slight": say("slightly better than the next"),
        "close": say("too close to call"),
    }


def _outcomes() -> Mapping[str, str]:
    """How a solitaire ends, in words."""
    return {"won": say_of("an outcome", "won"), "lost": say_of("an outcome", "lost")}


def _models() -> Mapping[str, str]:
    """The models of play, in words."""
    return {
        "paranoid": say("all others play against that seat (paranoid)"),
        "ally": say("all others play for that seat (ally)"),
        "maxn": say("each plays for the own score (maxn)"),
    }


def _proof(exact: bool, cut: bool, otherwise: str) -> str:
    if exact:
        return say("exact")
    return say("none: interrupted, this is the best so far") if cut else otherwise


def _search(nodes: int, seconds: float) -> tuple[str, str]:
    return say("Search"), say("{nodes:,} nodes in {seconds:.3f} s", nodes=nodes, seconds=seconds)


def _further(answer: Answer) -> list[tuple[str, Any]]:
    """The fields that were set, but for those that every game's answers have."""
    set_fields = answer.model_fields_set - _TOLD
    return [(name, getattr(answer, name)) for name in type(answer).model_fields if name in set_fields]


def _further_rows(answer: Answer) -> Rows:
    simple = bool | int | float | str
    return [(label(name), text_of(value)) for name, value in _further(answer) if isinstance(value, simple)]


def _within(answer: Answer) -> list[Part]:
    """Answers within the answer: the other order of a duel's exchange."""
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
# What a game declares of a question of its own, beside those about moves.


class Example(NamedTuple):
    """A body of a request that works as it is, and what it asks for in a few words."""

    summary: str
    body: Mapping[str, Any]


class Question(Protocol):
    """A question that some positions of a game can be asked, such as "compound". `asks` tells of which."""

    @property
    def answer_type(self) -> type[Answer]:
        """The type of `answer`, for the API's document."""

    @property
    def examples(self) -> Mapping[str, Example]:
        """Requests that ask it, by a short name."""

    def answer(self, position: BaseModel, control: Control, wishes: Any = None) -> Answer:
        """The answer. `wishes` are what the question takes beside a position; None: nothing is wished.

        Raises RequestError for a position or for wishes that cannot be answered.
        """

    def warm(self) -> None:
        """Load all that answering needs, so that no user waits for it."""


# ----------------------------------------------------------------------------------------------------
# What games with recipes answer to `compound`: the contract's answer, and the protocol that such a game meets.


ASK = "compound"
MOST_WAYS = 100


class Made(Answer):
    """A recipe that is made: its carrier, the item, the cards that serve in the order of the recipe's needs."""

    card: str
    item: str
    uses: tuple[str, ...]
    bonus: int


class Compounding(Answer):
    """A way to compound cards: points of the cards, bonus of the recipes, and these in the deck's order."""

    vp: int
    bonus: int
    total: int
    recipes: tuple[Made, ...]


class Missing(Answer):
    """A card that is not in the set: what it would add to the total, by itself (`vp`) and by what it lets make."""

    card: str
    gain: int
    vp: int
    bonus: int


class CompoundAnalysis(Compounding):
    """The best way to compound a set of cards. `bounds` are the total's, equal when `exact`.

    `ways` has the best ones, this one first, when more than one was asked for; `missing` the other cards of the
    deck, the one that would add most first, when asked for. Not `exact`: the limit came first; then what
    `missing` tells is still proved, but cards may be left out.
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
    """What is asked beside the best way: cards to use and not to use, how many ways, what a missing card adds."""

    must: Sequence[str] = ()
    without: Sequence[str] = ()
    best: int = 1
    missing: bool = False


class Compounder(Question, Protocol):
    """The question "compound" of a game, for positions whose `asks` has it."""

    def answer(self, position: BaseModel, control: Control, wishes: Wishes | None = None) -> CompoundAnalysis:
        """The best ways to compound the position's cards. Raises RequestError for wishes that cannot be met."""

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        """What these carriers make of these cards. Raises MoveError if they cannot, at a path as ``[1].uses``."""

    def picture(self, position: BaseModel, compounding: Compounding) -> str:
        """The position's recipe graph as SVG, with what `compounding` makes."""


# ----------------------------------------------------------------------------------------------------
# What an analysis of a trick game proves: the value, and every optimal move.


def proved(answer: Analysis) -> Proved:
    """The value where it is proved, and every optimal move of the seat to move where these are.

    Under `maxn` every move that ties with the best on own score and on the total of the others is optimal.
    """
    value = answer.value if answer.bounds is not None and answer.bounds[0] == answer.bounds[1] else None
    if len(answer.moves) <= 1:
        return Proved(value=value, best=tuple(entry.move for entry in answer.moves))
    worths = [_worth(entry.bounds, answer) for entry in answer.moves]
    floor = max(low for low, _ in worths)
    standing = [index for index, (_, high) in enumerate(worths) if high >= floor]
    if any(worths[index][0] != worths[index][1] for index in standing):
        return Proved(value=value, best=None)  # one that still stands may be better or worse than it seems
    return Proved(value=value, best=tuple(answer.moves[index].move for index in standing))


Worth = tuple[int, int]  # compared: own points (or against whom they are), then the total of the others negated


def _worth(bounds: tuple[Value, Value], answer: Analysis) -> tuple[Worth, Worth]:
    """The least and the most that a move is proved to be worth to the seat to move."""
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
