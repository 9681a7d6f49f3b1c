"""CP-SAT under a `Control`: the constraint solver's counterpart of `Control.drive`."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from solver.common.control import Control
from solver.common.threads import started
from solver.search.constraints import cp_model

_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Optimum:
    """What was proved of an objective. Without a solution `value` is None.

    `feasible` is False when it is proved that there is no solution. `values` are the variables' in the best
    solution found, in the order in which they were asked for.
    """

    value: int | None
    bound: int
    exact: bool
    feasible: bool
    values: tuple[int, ...]


def optimize(model: cp_model.CpModel, variables: list[Any], control: Control) -> Optimum:
    """Solve a model with an integer objective. One worker and a fixed seed: the same answer every time.

    Raises MemoryError where the system lets no thread be started, without which nothing could end it early.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.catch_sigint_signal = False  # that handler aborts the process; see Control
    left = control.seconds_left()
    if left is not None:
        solver.parameters.max_time_in_seconds = max(left, 1e-3)
    nodes = control.nodes_left()
    if nodes is not None:
        solver.parameters.max_number_of_conflicts = nodes
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_POLL_SECONDS):
            if control.cancelled():
                solver.stop_search()
            control.report(stage="constraint search")

    watcher = threading.Thread(target=watch, daemon=True)
    if not started(watcher):
        raise MemoryError("the system lets no more threads be started")
    try:
        status = solver.solve(model)
    finally:
        done.set()
        watcher.join()
    control.nodes += max(1, int(solver.num_conflicts))
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return Optimum(
        value=round(solver.objective_value) if found else None,
        bound=round(solver.best_objective_bound),
        exact=status in (cp_model.OPTIMAL, cp_model.INFEASIBLE),
        feasible=status != cp_model.INFEASIBLE,
        values=tuple(solver.value(variable) for variable in variables) if found else (),
    )
