"""`Rules`: the base class of dataclasses that hold a game's rules for a search, and check them.

A field is a number or a kernel (`solver.kernels.jit`). For each kernel, the module that defines the dataclass has
a function of the same name, which documents the rule and is the default if the rule is optional. The templates of
the search use a kernel under its own name, and a number under its name in capitals.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from solver.kernels.jit import Instances


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A game's rules for one kind of search. `game` is the name under which compiled kernels are cached.

    Raises TypeError if a rule is not a function with the right parameters, ValueError if a number is not above 0.
    """

    game: str

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            documented = self._documented(field.name)
            if documented is not None:
                self._check_rule(field.name, value, documented)
            elif field.name != "game":
                self._check_number(field.name, value)

    @property
    def who(self) -> str:
        """The name of these rules in error messages."""
        return f"{type(self).__name__} of {self.game!r}"

    def _documented(self, name: str) -> Callable[..., Any] | None:
        inherited = (getattr(sys.modules[kind.__module__], name, None) for kind in type(self).__mro__)
        return next((function for function in inherited if inspect.isfunction(function)), None)

    def _check_rule(self, name: str, rule: object, documented: Callable[..., Any]) -> None:
        function = getattr(rule, "py_func", rule)
        wanted = ", ".join(inspect.signature(documented).parameters)
        if not inspect.isfunction(function):
            raise TypeError(f"{self.who}: {name} is a kernel of ({wanted}), not {rule!r}")
        parameters = inspect.signature(function).parameters
        if len(parameters) != len(inspect.signature(documented).parameters):
            raise TypeError(f"{self.who}: {name} is a kernel of ({wanted}), not of ({', '.join(parameters)})")

    def _check_number(self, name: str, value: object) -> None:
        if not isinstance(value, int | float) or value <= 0:
            raise ValueError(f"{self.who}: {name} is a number above 0, not {value!r}")

    def enter(self) -> None:
        """Register that a search is instantiated with these rules.

        Raises ValueError if a search of this kind is registered under the same game's name with other rules, since
        compiled kernels are cached under that name.
        """
        if _entered.setdefault((type(self).__name__, self.game), self) != self:
            raise ValueError(f"{self.who}: another search has this name, with other rules")

    def instances(self, more: dict[str, Any] | None = None) -> Instances:
        """Return the `Instances` of the game, whose templates get the rules and the names in `more` as globals.

        The defaults of optional rules that the game left out are instantiated first.
        """
        names: dict[str, Any] = {}
        left_out: list[Callable[..., Any]] = []
        for field in fields(self):
            value = getattr(self, field.name)
            documented = self._documented(field.name)
            if documented is not None and value is documented:
                left_out.append(documented)
            elif field.name != "game":
                names[field.name if documented is not None else field.name.upper()] = value
        instances = Instances(self.game, names | (more or {}))
        for default in left_out:
            instances.of(default)
        return instances


_entered: dict[tuple[str, str], Rules] = {}


# ----------------------------------------------------------------------------------------------------
# Switches of the searches: one bit of a deal's word `SWITCHES` for each part that can be turned off.
#
# The shared parts have their bits here; a game's own follow from `FIRST_OWN` on. The answer to a question never
# depends on a switch, only the work does; so tests turn each part off and on.


TABLE = 1 << 0  # both trick searches: remember boundaries
PROOF_NUMBERS = 1 << 1  # the score search: proof numbers while many tricks are left, not only alpha-beta
ATTEMPTS = 1 << 2  # the score search: short attempts, each in another order
HISTORY = 1 << 3  # the fail-soft search: moves that have cut before come first
RELATED = 1 << 4  # the fail-soft search: bounds from nodes known to be worth less or more
RELAXING = 1 << 5  # the fail-soft search: first try a node that is worth no more
PROBING = 1 << 6  # the fail-soft search: try the opponents' moves in rounds of few nodes
FIRST_OWN = 16  # the number of the bit of a game's first own switch
