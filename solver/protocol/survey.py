"""Surveys: what a game can tell from many deals.

Some are commands, ``athanor NAME VARIANT``. Some can be done in parts, by jobs and batches: each part has rows,
which are data, and all rows together come to a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from solver.common.control import Control
    from solver.protocol.answers import Answer


class Run(Protocol):
    def __call__(
        self, variant: str, *, deals: int, seed: int = ..., jobs: int = ..., control: Control | None = ...
    ) -> Answer:
        """Play deals 0 to `deals` of a seed with `jobs` threads; the same result whatever `jobs` is.

        What the control ends early has the deals done by then.
        """


Row = Mapping[str, Any]


class Part(Protocol):
    def __call__(self, variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterable[Row]:
        """Look at so many deals of a seed, from deal `number` on: rows of what JSON knows.

        The same rows each time: no clock decides. Each names its deal, ``number``, or the range of deals that it
        counts, ``number`` and ``deals``. What the control cancels is not used.
        """


class Merge(Protocol):
    def __call__(self, variant: str, seed: int, rows: Iterable[Row]) -> Answer:
        """What the rows of parts of one survey come to, in whatever order they stand.

        Raises RequestError for deals that are counted twice.
        """


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How a survey is done in parts: of how many `deals` each, by whom, and what they come to together."""

    deals: int
    part: Part
    merged: Merge


class Section(NamedTuple):
    """Part of a result for a person: a heading, or none, and labelled lines."""

    heading: str | None
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """A survey over the deals of some variants of a game, which has `run`, `parts`, or both.

    `help` is one sentence, `deals` how many are played unless a number is asked for. With `run` there is a command
    called `name`; with `parts` it is a job. `sections` tells a result, of `run` or of parts, to a person. `draw`,
    if there is one, draws what `drawn` says (such as "where deals are lost") into a file whose name ends in .png
    or .svg; it raises OSError.
    """

    name: str
    help: str
    variants: tuple[str, ...]
    deals: int
    sections: Callable[[Any], Sequence[Section]]
    run: Run | None = None
    parts: Parts | None = None
    draw: Callable[[Any, Path], None] | None = None
    drawn: str = ""
