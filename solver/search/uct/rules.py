"""The record in which a game hands its rules to the Monte-Carlo tree search, and the search that it gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar, NamedTuple

from solver.kernels.words import Words
from solver.search.rules import Rules
from solver.search.uct import tree_search, vocabulary


@dataclass(frozen=True, kw_only=True)
class TreeRules(Rules):
    """What the tree search needs of a game: see `vocabulary`."""

    state_words: int
    moves: Callable[[Words, Words, int, Words], int]
    play: Callable[[Words, Words, int, int, int], None]
    seat_to_move: Callable[[Words, Words, int], int]
    result: Callable[[Words, Words, int], int]
    reward: Callable[[Words, Words, int, int, int], int]
    wanted: Callable[[Words, Words, int, int, int], float] = vocabulary.wanted
    rollout: Callable[[Words, Words, int, int, Words, int, Words], int] = vocabulary.rollout
    scratch_words: int = vocabulary.SCRATCH_WORDS
    exploration: float = vocabulary.EXPLORATION
    ripe: int = vocabulary.RIPE
    first_at_random: bool = vocabulary.FIRST_AT_RANDOM

    vocabularies: ClassVar[tuple[ModuleType, ...]] = (vocabulary,)

    def _check_number(self, name: str, value: object) -> None:
        if name != "first_at_random" and (name, value) != ("scratch_words", 0):
            super()._check_number(name, value)


class TreeKernels(NamedTuple):
    """The tree search for one game: its kernels and its rules."""

    rules: TreeRules
    grow: Callable[[Words, Words, int, Words, int], bool]
    play_games: Callable[[Words, Words, Words, Words, Words, Words, Words], None]


def kernels_of(rules: TreeRules) -> TreeKernels:
    """Instantiate the search with a game's rules. Compiles nothing yet."""
    rules.enter()
    made = rules.instances()
    grow = made.of(tree_search.grow)
    made.of(tree_search.choose)
    return TreeKernels(rules, grow, made.of(tree_search.play_games))
