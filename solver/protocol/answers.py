"""The answer types that every game shares: `MoveValue`, `Analysis`, `Hint`.

They are frozen pydantic models: the JSON that users get and the schemas of ``/openapi.json`` are both made
from them. A game that has more to say subclasses them. Fields that were not set are left out of the JSON; a
field that is set to None is an honest "unknown".
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from solver.protocol.showing import shown
from solver.protocol.showing.rows import Part, Rows, Worded, fields_of, label, span, text_of

# A score, a word for an outcome ("won", "lost"), or one score a seat.
Value = float | int | str | tuple[int, ...]


# The canonical line of the position that was asked about.
Text = Annotated[str | None, Field(description="The position as one line of text, to ask about it again.")]


# Fields of analyses and hints that are said in sentences of their own, or by the table of moves.
_TOLD = {
    "game", "variant", "text", "model", "player", "to_move", "exact", "value", "bounds", "best", "moves", "line",
    "reason", "method", "worlds", "seed", "nodes", "seconds",
}  # fmt: skip


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

    def parts(self, *, cut: bool = False) -> list[Part]:
        """What the answer says to a person: one part for itself, and one for each answer within it.

        `cut`: the search was interrupted, which an answer does not know itself.
        """
        listed = {
            name: value
            for name, value in ((name, getattr(self, name)) for name in type(self).model_fields)
            if isinstance(value, tuple) and value and all(isinstance(entry, Answer) for entry in value)
        }
        rows = fields_of(self, without=listed)
        return [Part(rows), *(Part([(label(name), "")], entries) for name, entries in listed.items())]

    def __str__(self) -> str:
        return shown.parts_text(self.parts())

    def _repr_html_(self) -> str:
        return shown.parts_html(self.parts())


class MoveValue(Answer):
    """One legal move and what it is worth; `bounds` is what is proved, equal when `exact`."""

    move: str
    value: Value | None
    bounds: tuple[Value, Value]
    exact: bool


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

    def parts(self, *, cut: bool = False) -> list[Part]:
        rows = [("Value", self._value_text()), ("For", self._point_of_view()), ("Best", self.best or "no move")]
        if len(self.line) > 1:
            rows.append(("Line", "  ".join(self.line)))
        rows.append(("Proof", _proof(self.exact, cut, "the limit ended the search, this is the best so far")))
        return [Part([*rows, *_further_rows(self), _search(self.nodes, self.seconds)], self.moves), *_within(self)]

    def _value_text(self) -> str:
        if self.exact:
            return "none" if self.value is None else text_of(self.value)
        return "unknown" if self.bounds is None else f"{span(self.bounds)}, not proved further"

    def _point_of_view(self) -> str:
        player = self.to_move if self.player is None else self.player
        whose = f"player {player}"
        whose += ", to move" if player == self.to_move else f"; player {self.to_move} is to move"
        return whose + (f"; the others play by the model {self.model}" if self.model else "")


class HintMove(Answer):
    """One legal move of a view, and how it does over the cards that are not seen."""

    move: str


class Hint(Answer):
    """Which move, and why, for a player who sees only some of the cards. Best move first."""

    game: str
    variant: str | None = None
    text: Text = None
    to_move: int
    exact: bool
    best: str | None
    moves: tuple[HintMove, ...]
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

    def parts(self, *, cut: bool = False) -> list[Part]:
        worlds = (
            f", {self.worlds:,} {'world' if self.worlds == 1 else 'worlds'}, seed {self.seed}"
            if self.worlds
            else ""
        )
        rows = [
            ("Best", self.best or "no move"),
            ("Why", self.reason),
            ("Proof", f"{_proof(self.exact, cut, 'an estimate')} ({self.method}{worlds})"),
        ]
        return [Part([*rows, *_further_rows(self), _search(self.nodes, self.seconds)], self.moves), *_within(self)]


class SampledMove(HintMove):
    """A move judged by play sampled over the hidden cards.

    `mean` is the score that it leads to, `stderr` the mean's standard error. `behind` is how much less that is
    than the best move's mean, and `behind_stderr` the standard error of this difference: smaller than the errors
    of the two means, since both moves were played in the same worlds. An error is None, unknown, when too few
    worlds were played to tell. `total_error` is the mean's standard error in all, that of the model of the players
    too (`SampledHint.model_error`); it is left out where that is not known. Where the round decides the match,
    these are chances to win the match or to share the win, and `points` is the mean score of the round.
    """

    mean: float
    stderr: float | None
    total_error: float | None = None
    behind: float
    behind_stderr: float | None
    worlds: int
    method: str
    points: float | None = None


class SampledHint(Hint):
    """A hint from sampled play.

    `model_error` is how far such means are off besides the errors of sampling: the root mean square over rounds
    that were played among others of several kinds. All means are off by about as much, so it says little of the
    differences between them. None: it was not measured for this deck, these rules, or chances to win a match.
    """

    moves: tuple[SampledMove, ...]
    model_error: float | None = None

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


AnySampledHint = SampledHint | PolicyHint


class Proved(Answer):
    """What an answer proves of its position; None where the search ended before.

    `best` holds every optimal move. Not `complete`: the answer is one optimum of possibly several, and `best`
    holds it and those of the moves asked about that are as good.
    """

    value: Value | None
    best: tuple[str, ...] | None
    complete: bool = True


def _proof(exact: bool, cut: bool, otherwise: str) -> str:
    if exact:
        return "exact"
    return f"none: {'interrupted, this is the best so far' if cut else otherwise}"


def _search(nodes: int, seconds: float) -> tuple[str, str]:
    return "Search", f"{nodes:,} nodes in {seconds:.3f} s"


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
            text = f"value {text_of(value)}, best {best}" + (f", line {'  '.join(line)}" if line else "")
            parts.append(Part([(label(name), text)], getattr(other, "moves", ())))
    return parts
