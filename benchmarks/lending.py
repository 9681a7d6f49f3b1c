"""What it costs that searches borrow their tables: ``python -m benchmarks.lending [--pairs 9] [--nodes 300000]``.

The same analyses, in turn, with provers from the pool and with provers that keep tables of their own which are in
no account. More than 1 in the last column is what the pool costs; the times are the thread's.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
import numpy as np

import athanor
from benchmarks.kernels import compare
from solver.limits import Limit
from solver.search.memory import table_megabytes
from tests.support import rounds

_GAMES = ("king", "kirin", "aqua-regia")
_POSITIONS = 4


class _Own:
    """In the place of a pool: always the same prover, whose table is its own."""

    def __init__(self, pool: Any) -> None:
        self._prover = pool._make(table_megabytes())
        self._prover.table = np.zeros(len(self._prover.table), np.int64)

    @contextmanager
    def lend(self, _: float | None = None) -> Iterator[Any]:
        yield self._prover


def _analyses(name: str, nodes: int) -> tuple[Callable[[], int], Callable[[], object]]:
    """Analyses of some positions of a game, with the pool and without."""
    module: Any = importlib.import_module(f"solver.games.{name.replace('-', '_')}.search.analyze")
    pool, own = module.PROVERS, _Own(module.PROVERS)
    case = [case for case in rounds.CASES if case.name == name and case.players in (None, 4)][-1]
    rounds_played = [rounds.playout(case, seed) for seed in range(1, 1 + _POSITIONS)]
    positions = [played[len(played) // 3] for played in rounds_played]

    def analyses(provers: Any) -> int:
        module.PROVERS = provers
        try:
            return sum(athanor.analyze(position, limit=Limit(nodes=nodes)).nodes for position in positions)
        finally:
            module.PROVERS = pool

    return lambda: analyses(pool), lambda: analyses(own)


@click.command()
@click.option("--pairs", default=9)
@click.option("--nodes", default=300_000, help="of each analysis")
def main(pairs: int, nodes: int) -> None:
    """Compare borrowed tables with own ones."""
    click.echo(f"{'':12}{'borrowed':>12}{'own':>12}{'nodes':>12}{'borrowed / own':>16}")
    for name in _GAMES:
        athanor.game(name).warm()
        found = compare(name, *_analyses(name, nodes), pairs=pairs)
        click.echo(
            f"{name:12}{1e3 * found.kernel_seconds:9,.0f} ms{1e3 * found.reference_seconds:9,.0f} ms"
            f"{found.nodes:12,}{1 / found.ratio:16.3f}"
        )


if __name__ == "__main__":
    main()
