"""Runs the constraint solver CP-SAT under a `Control`, and imports its `cp_model` without pandas.

`ortools.sat.python.cp_model` spends four fifths of its import time on importing pandas, for functions that take
or return tables of variables. Nothing here calls these functions. A stand-in supplies the types in their
signatures; if one of the functions is called after all, pandas itself is imported.
"""

from __future__ import annotations

import importlib
import math
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from solver.limits import Control, started

__all__ = ["cp_model"]
_PANDAS, _MODELS = "pandas", "ortools.sat.python.cp_model"


class _Types(ModuleType):
    """A stand-in for pandas, with the names that `cp_model` uses in signatures."""

    Index = type("Index", (), {})
    Series = type("Series", (), {})


class _Later(ModuleType):
    """Pandas, imported when one of its attributes is used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(_PANDAS), name)


def _imported() -> Any:
    if _PANDAS in sys.modules or _MODELS in sys.modules:
        return importlib.import_module(_MODELS)
    sys.modules[_PANDAS] = _Types(_PANDAS)
    try:
        models: Any = importlib.import_module(_MODELS)
    finally:
        del sys.modules[_PANDAS]
    models.pd = _Later(_PANDAS)
    return models


if TYPE_CHECKING:
    from ortools.sat.python import cp_model
else:
    cp_model = _imported()


# ---------------------------------------------------------------------------------------- the solver under a limit

_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Optimum:
    """The result of a search: the best value of the objective (None without a solution), and a proved bound.

    `exact` is True if the search was completed, `feasible` is False if it is proved that there is no solution.
    `values` are the values of the requested variables in the best solution.
    """

    value: int | None
    bound: int
    exact: bool
    feasible: bool
    values: tuple[int, ...]


class _Seen(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
    """Records the best solution found so far, and the bound proved on the objective."""

    def __init__(self, variables: list[Any]) -> None:
        super().__init__()
        self._variables = variables
        self.found = Optimum(None, 0, False, True, ())

    def on_solution_callback(self) -> None:
        self.found = replace(
            self.found,
            value=round(self.objective_value),
            bound=round(self.best_objective_bound),
            values=tuple(self.value(variable) for variable in self._variables),
        )

    def proved(self, bound: float) -> None:
        if math.isfinite(bound):
            self.found = replace(self.found, bound=round(bound))


def optimize(
    model: cp_model.CpModel,
    variables: list[Any],
    control: Control,
    *,
    tell: Callable[[Optimum], tuple[str | None, tuple[int, int] | None]] = lambda _: (None, None),
) -> Optimum:
    """Optimize a model's integer objective. The answer is always the same: one worker, and a fixed seed.

    `tell` converts the result so far to a progress report: the best move, and bounds on the value. Raises
    MemoryError if the system refuses to start a thread, since then nothing could stop the solver early.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.catch_sigint_signal = False  # its handler would abort the process; see Control
    left = control.seconds_left()
    if left is not None:
        solver.parameters.max_time_in_seconds = max(left, 1e-3)
    nodes = control.nodes_left()
    if nodes is not None:
        solver.parameters.max_number_of_conflicts = nodes
    done = threading.Event()
    seen = _Seen(variables)
    solver.best_bound_callback = seen.proved

    def report() -> None:
        best = seen.found  # read once, so that the move and the bounds belong together
        control.report(stage="constraint search", best=lambda: tell(best)[0], bounds=lambda: tell(best)[1])

    def watch() -> None:
        while not done.wait(_POLL_SECONDS):
            if control.cancelled():
                solver.stop_search()
            report()

    watcher = threading.Thread(target=watch, daemon=True)
    if not started(watcher):
        raise MemoryError("the system can't start more threads")
    try:
        status = solver.solve(model, seen)
    finally:
        done.set()
        watcher.join()
    control.nodes += max(1, int(solver.num_conflicts))
    solved = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return Optimum(
        value=round(solver.objective_value) if solved else None,
        bound=round(solver.best_objective_bound),
        exact=status in (cp_model.OPTIMAL, cp_model.INFEASIBLE),
        feasible=status != cp_model.INFEASIBLE,
        values=tuple(solver.value(variable) for variable in variables) if solved else (),
    )
