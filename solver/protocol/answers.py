"""The answer types that every game shares: `MoveValue`, `Analysis`, `Hint`.

They are frozen pydantic models: the JSON that users get and the schemas of ``/openapi.json`` are both made
from them. A game that has more to say subclasses them. Fields that were not set are left out of the JSON; a
field that is set to None is an honest "unknown".
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

# A score, a word for an outcome ("won", "lost"), or one score a seat.
Value = float | int | str | tuple[int, ...]


class Answer(BaseModel):
    """Base of everything that is returned: immutable, and closed to keys that are not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready data with the fields that were set, in declared order."""
        return self.model_dump(mode="json", exclude_unset=True)

    def to_json(self) -> str:
        return self.model_dump_json(exclude_unset=True)


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


class HintMove(Answer):
    """One legal move of a view, and how it does over the cards that are not seen."""

    move: str


class Hint(Answer):
    """Which move, and why, for a player who sees only some of the cards. Best move first."""

    game: str
    variant: str | None = None
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


class SampledMove(HintMove):
    """A move judged by play sampled over the hidden cards.

    `mean` is the score that it leads to, `stderr` the mean's standard error. `behind` is how much less that is
    than the best move's mean, and `behind_stderr` the standard error of this difference: smaller than the errors
    of the two means, since both moves were played in the same worlds. An error is None, unknown, when too few
    worlds were played to tell.
    """

    mean: float
    stderr: float | None
    behind: float
    behind_stderr: float | None
    worlds: int
    method: str


class SampledHint(Hint):
    """A hint from sampled play."""

    moves: tuple[SampledMove, ...]


class Proved(Answer):
    """What an answer proves of its position; None where the search ended before.

    `best` holds every optimal move. Not `complete`: the answer is one optimum of possibly several, and `best`
    holds it and those of the moves asked about that are as good.
    """

    value: Value | None
    best: tuple[str, ...] | None
    complete: bool = True
