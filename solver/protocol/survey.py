"""Surveys: what a game can tell from playing many deals, each a command: ``athanor NAME VARIANT``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


class Section(NamedTuple):
    """Part of a result for a person: a heading, or none, and labelled lines."""

    heading: str | None
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """A survey over the deals of some variants of a game.

    `name` is the command's, `help` one sentence, `deals` how many are played unless a number is asked for.
    `sections` tells a result of `run` to a person. `draw`, if there is one, draws what `drawn` says (such as
    "where deals are lost") into a file whose name ends in .png or .svg; it raises OSError.
    """

    name: str
    help: str
    variants: tuple[str, ...]
    deals: int
    run: Run
    sections: Callable[[Any], Sequence[Section]]
    draw: Callable[[Any, Path], None] | None = None
    drawn: str = ""
