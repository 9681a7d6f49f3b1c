"""`Rules`: the base of the records in which a game hands its rules to a search, checked when they are made.

A field of a record is a number or a kernel (`solver.kernels.jit`). The *vocabulary* modules of a search have a
function of the same name for each kernel, which documents its role, and which is what is done if a game may leave
it out. The templates of the search see a kernel under its own name, and a number under its name in capitals.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, ClassVar

from solver.kernels.template import Instances


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A game's rules for one kind of search. `game` names the instance.

    Raises TypeError when a rule is no function of the right parameters, ValueError when a number is not above 0.
    """

    game: str

    vocabularies: ClassVar[tuple[ModuleType, ...]] = ()

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
        """What errors call the record."""
        return f"{type(self).__name__} of {self.game!r}"

    def _documented(self, name: str) -> Callable[..., Any] | None:
        found = (getattr(module, name, None) for module in self.vocabularies)
        return next((function for function in found if inspect.isfunction(function)), None)

    def _check_rule(self, name: str, rule: object, documented: Callable[..., Any]) -> None:
        function = getattr(rule, "py_func", rule)
        wanted = ", ".join(inspect.signature(documented).parameters)
        if not inspect.isfunction(function):
            raise TypeError(f"{self.who}: {name} is a kernel of ({wanted}), not {rule!r}")
        given = inspect.signature(function).parameters
        if len(given) != len(inspect.signature(documented).parameters):
            raise TypeError(f"{self.who}: {name} is a kernel of ({wanted}), not of ({', '.join(given)})")

    def _check_number(self, name: str, value: object) -> None:
        if not isinstance(value, int | float) or value <= 0:
            raise ValueError(f"{self.who}: {name} is a number above 0, not {value!r}")

    def enter(self) -> None:
        """Note that a search is instantiated with these rules.

        Compiled kernels are kept under the game's name. So it raises ValueError when a search of this kind with
        other rules has it already.
        """
        if _entered.setdefault((type(self).__name__, self.game), self) != self:
            raise ValueError(f"{self.who}: another search has this name, with other rules")

    def instances(self, more: dict[str, Any] | None = None) -> Instances:
        """The rules, and `more` names, as the globals of templates; what was left out is instantiated already."""
        names: dict[str, Any] = {}
        left_out: list[Callable[..., Any]] = []
        for field in fields(self):
            value = getattr(self, field.name)
            documented = self._documented(field.name)
            if documented is not None and value is documented:
                left_out.append(documented)
            elif field.name != "game":
                names[field.name if documented is not None else field.name.upper()] = value
        made = Instances(self.game, names | (more or {}))
        for default in left_out:
            made.of(default)
        return made


_entered: dict[tuple[str, str], Rules] = {}
