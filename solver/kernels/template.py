"""Templates: functions that use a game's rules as globals, and are compiled anew for each game.

The cache identifies a function by its qualified name and the globals it reads (`solver.kernels.cache`). So each
instance gets its own qualified name, the same in every process.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from solver.kernels.jit import lean

F = TypeVar("F", bound=Callable[..., object])
Rules = Mapping[str, Any]


def instantiate(template: F, rules: Rules, game: str) -> F:
    """Make a kernel from `template`, with its globals overridden by `rules`. `game` makes its name unique.

    A template that calls itself by its own name calls the instance. The instance has the template's type.
    """
    assert isinstance(template, types.FunctionType)
    name = f"{template.__name__}_{game}"
    names = {**template.__globals__, **rules}
    instance = types.FunctionType(template.__code__, names, name, template.__defaults__, template.__closure__)
    instance.__qualname__ = name
    instance.__module__ = template.__module__
    made: F = lean(cast(Any, instance))
    names[template.__name__] = made
    return made


class Instances:
    """Instantiates templates for one game; each instance sees the game's rules and the earlier instances."""

    def __init__(self, game: str, rules: Rules) -> None:
        self.game = game
        self.names = dict(rules)

    def of(self, template: F) -> F:
        """Return an instance of a template, which later instances can call. Nothing is compiled yet."""
        made = instantiate(template, dict(self.names), self.game)
        self.names[template.__name__] = made
        return made
