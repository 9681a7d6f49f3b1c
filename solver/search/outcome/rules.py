"""The record in which a game of yes-no questions hands its rules to the search: typed, and checked when made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

from solver.kernels.words import Words
from solver.search.outcome import vocabulary
from solver.search.rules import Rules


@dataclass(frozen=True, kw_only=True)
class OutcomeRules(Rules):
    """What the search needs: see `vocabulary`. `settle` writes `scratch_words` words beyond a node's own."""

    state_words: int
    scratch_words: int
    any_suffices: Callable[[Words, Words, int], bool]
    moves: Callable[[Words, Words, int, Words, int, int], int]
    play: Callable[[Words, Words, int, Words, int, int], None]
    ask: Callable[[Words, Words, int, Words, int, int], int]
    settle: Callable[[Words, Words, int], int]
    digest: Callable[[Words, Words, int, int], int]
    efforts: Callable[[Words, Words, int], int]

    vocabularies: ClassVar[tuple[ModuleType, ...]] = (vocabulary,)
