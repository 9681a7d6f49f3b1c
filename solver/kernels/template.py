"""One search, several games: templates whose rule names are globals, instantiated with a game's rules.

Numba caches a compiled function by file, line and qualified name, not by its globals. So each instance gets a
qualified name of its own, and with it a cache file of its own that every later process hits.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import numpy as np

from solver.kernels.cache import DEPENDENCIES, Dependencies
from solver.kernels.jit import lean

F = TypeVar("F", bound=Callable[..., object])
Rules = Mapping[str, Any]


def instantiate(template: F, rules: Rules, game: str) -> F:
    """Compile `template` with the globals in `rules` put over its own. `game` makes its name unique.

    A template that calls itself by its own name calls the instance. The instance has the template's type.
    """
    assert isinstance(template, types.FunctionType)
    name = f"{template.__name__}_{game}"
    names = {**template.__globals__, **rules}
    instance = types.FunctionType(template.__code__, names, name, template.__defaults__, template.__closure__)
    instance.__qualname__ = name
    instance.__module__ = template.__module__
    setattr(instance, DEPENDENCIES, _dependencies(rules))
    made: F = lean(cast(Any, instance))
    names[template.__name__] = made
    return made


def _dependencies(rules: Rules) -> Dependencies:
    """What the machine code of an instance depends on beside the template's own module."""
    modules: set[str] = set()
    constants: list[str] = []
    for name, rule in sorted(rules.items()):
        constants.append(f"{name}={_described(rule)}")
        function = _function(rule)
        if function is not None:
            more = getattr(function, DEPENDENCIES, Dependencies())
            modules.update([function.__module__, *more.modules])
            constants.append(more.constants)
    return Dependencies(tuple(sorted(modules)), hashlib.blake2b("\n".join(constants).encode()).hexdigest())


def _function(rule: object) -> types.FunctionType | None:
    """The Python function of a rule; None for a constant."""
    function = getattr(rule, "py_func", rule)
    return function if isinstance(function, types.FunctionType) else None


def _described(rule: object) -> str:
    """A text that changes when another function or another constant is given; a function's source is stamped."""
    function = _function(rule)
    if function is not None:
        kept = [_described(cell.cell_contents) for cell in function.__closure__ or ()]
        return f"{function.__module__}:{function.__code__.co_firstlineno}:{function.__qualname__}{kept or ''}"
    if isinstance(rule, np.ndarray):
        return f"{rule.dtype}{rule.shape}{rule.tolist()}"
    return repr(rule)


class Instances:
    """Templates instantiated one after the other for one game: each sees the rules and the instances before it."""

    def __init__(self, game: str, rules: Rules) -> None:
        self.game = game
        self.names = dict(rules)

    def of(self, template: F) -> F:
        """Instantiate a template, for the caller and for the templates after it. Compiles nothing yet."""
        made = instantiate(template, dict(self.names), self.game)
        self.names[template.__name__] = made
        return made
