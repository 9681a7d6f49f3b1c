"""The records in which a trick game hands its rules to a search: typed, with defaults, and checked when made.

Each field is a rule of `vocabulary`, `score_vocabulary` or `fail_soft_vocabulary`, where its role is described;
what a game leaves out is done as it says there. `checks.check_rules` tests a game's rules by playing random games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

from solver.kernels.words import Words
from solver.search.rules import Rules
from solver.search.tricks import fail_soft_vocabulary, score_vocabulary, vocabulary
from solver.search.tricks.score_table import WORD_BITS, data_bits, generations

OfNode = Callable[[Words, Words, int], int]
WithTable = Callable[[Words, Words, int, Words], int]
Bounds = Callable[[Words, Words, int, Words, int, int], None]

_LONGEST = 120
LEAST_DEALS = 1 << 8  # told apart before a table must be cleared


@dataclass(frozen=True, kw_only=True)
class SearchRules(Rules):
    """What both searches need: see `vocabulary`.

    `longest_line` is more than the moves of any line of the game, choices that are not cards included.
    """

    state_words: int
    most_moves: int
    boundary: Callable[[Words, Words, int], bool]
    size: OfNode
    maximises: OfNode
    play: Callable[[Words, Words, int, Words, int, int], None]
    longest_line: int = _LONGEST

    vocabularies: ClassVar[tuple[ModuleType, ...]] = (vocabulary,)


@dataclass(frozen=True, kw_only=True)
class ScoreRules(SearchRules):
    """What the score search needs: see `score_vocabulary`.

    Raises ValueError too when keys and questions do not fit one word, or keys, bounds and proof numbers two.
    """

    point_bits: int
    key_bits: int
    key: OfNode
    in_play: OfNode
    listed: Callable[[Words, Words, int, Words, int], int]
    settle: OfNode = score_vocabulary.settle
    estimate: OfNode = score_vocabulary.estimate
    finish: WithTable = score_vocabulary.finish
    assured: WithTable = score_vocabulary.assured
    choices: OfNode = score_vocabulary.choices
    moves: Callable[[Words, Words, int, Words, int, int], int] = score_vocabulary.moves

    vocabularies: ClassVar[tuple[ModuleType, ...]] = (vocabulary, score_vocabulary)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.key_bits + self.point_bits > WORD_BITS:
            raise ValueError(
                f"{self.who}: a key of {self.key_bits} bits and a question of {self.point_bits} do not fit a word "
                f"of {WORD_BITS}: number only the cards of the deal, or leave out what follows from the rest"
            )
        if data_bits(self.point_bits) > WORD_BITS or generations(self.point_bits, self.key_bits) < LEAST_DEALS:
            raise ValueError(
                f"{self.who}: the bounds and proof numbers of scores of {self.point_bits} bits do not fit a word "
                f"of {WORD_BITS} with what tells deals apart; the fail-soft search is for many scores"
            )


@dataclass(frozen=True, kw_only=True)
class FailSoftRules(SearchRules):
    """What the fail-soft search needs: see `fail_soft_vocabulary`."""

    settle: Bounds
    key: Callable[[Words, Words, int, Words, int], None]
    moves: Callable[[Words, Words, int, Words, int, int, Words, int], int]
    estimate: Bounds = fail_soft_vocabulary.estimate
    context: OfNode = fail_soft_vocabulary.context
    relaxed: Callable[[Words, Words, int, Words, int, int], bool] = fail_soft_vocabulary.relaxed
    probing: Callable[[Words, int], int] = fail_soft_vocabulary.probing
    stalled: Callable[[Words], bool] = fail_soft_vocabulary.stalled
    toll: Callable[[Words], int] = fail_soft_vocabulary.toll

    vocabularies: ClassVar[tuple[ModuleType, ...]] = (vocabulary, fail_soft_vocabulary)
