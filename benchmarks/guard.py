"""Whether searches and hints are as fast as accepted: ``python -m benchmarks.guard [--quick]``.

Each row's work takes turns with a yardstick, one compiled loop that is the same everywhere, in one process and
in CPU time. So their ratio says little about the machine, or about what else it does: on one machine, with six
busy processes per core, it varied by up to 20%. `guard.toml` has the accepted ratio of each row and its spread:
how many times as much, or as little, a ratio may be, which leaves room for other processors. The guard fails if a
row leaves its spread, and leaves it again when measured once more. A row that is much faster fails, too: either
its accepted ratio is out of date and guards nothing any more, or a search ends too early.

After an intended change, ``--accept`` writes the measured ratios into the file, which keeps the spreads.
"""

from __future__ import annotations

import random
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click
import numpy as np

from benchmarks import compare
from solver import registry
from solver.kernels.jit import lean
from solver.kernels.words import Words, popcount, wrapping_product, wrapping_sum
from solver.limits import Control, Limit

ACCEPTED = Path(__file__).with_name("guard.toml")
_PAIRS, _QUICK_PAIRS = 15, 5
_SHORTEST = 0.02  # seconds of one timing; shorter work is repeated
_STEPS, _FEW = 4_000_000, 8_000
_WORDS = 1 << 17  # of a table that is larger than a processor's fast caches, as those of searches are
_NODES = 64  # of a hint
_SPREAD = 1.5  # of a new row
_ADVICE = {
    "slower": "What was changed in their kernels, or in what calls them?",
    "faster": "Their accepted ratios are out of date, or their searches end too early: `python -m tests.search` "
    "compares searches with the references.",
}
_RENEWING = (
    "If the change is intended, run `python -m benchmarks.guard --accept` on an idle machine, and commit "
    "benchmarks/guard.toml."
)

Work = Callable[[], object]


class Accepted(NamedTuple):
    """A row's accepted ratio, and how many times as much or as little it may be."""

    ratio: float
    spread: float

    def judge(self, ratio: float) -> str:
        """Return "slower" or "faster" for a ratio outside the spread, and otherwise nothing."""
        return (
            "slower" if ratio > self.ratio * self.spread else "faster" if ratio * self.spread < self.ratio else ""
        )


@lean
def probe(table: Words, steps: int) -> int:
    """Do what searches do: probe and fill a table, with branches that nobody can predict. Returns a checksum."""
    word, total = np.int64(1), 0
    for _ in range(steps):
        word = wrapping_sum(wrapping_product(word, 6364136223846793005), 1442695040888963407)
        index = (word >> 33) & (len(table) - 1)
        bits = popcount(table[index] & 0x5555555555555555)
        if bits & 1:
            total += bits
        else:
            table[index] = word & 0x7FFFFFFFFFFFFFFF
    return total


def yardstick(steps: int = _STEPS, run: Callable[[Words, int], int] = probe) -> int:
    """Run the yardstick on an empty table."""
    return run(np.zeros(_WORDS, np.int64), steps)


# ----------------------------------------------------------------------------------------------------
# Rows: work that is the same in each run. It was warmed up when it is returned.


def in_python() -> None:
    """Run a part of the yardstick in plain Python."""
    yardstick(_FEW, probe.py_func)  # type: ignore[attr-defined]


def _analyses(name: str, count: int) -> Work:
    """Analyses of random positions, of a row of `benchmarks.compare`."""
    model, make = compare.rows()[name]
    rng = random.Random(1)
    positions = [make(rng) for _ in range(count)]
    analyze = registry.game(name.split()[0]).analyze

    def work() -> None:
        for position in positions:
            analyze(position, Control(), model=model)

    return work


def _hint(game: str) -> Work:
    """A hint to whoever moves first in a deal."""
    known = registry.game(game)
    deal = known.deal(1)
    view = known.view(deal, deal.seat_to_move)  # type: ignore[attr-defined]
    return lambda: known.hint(view, Control(Limit(nodes=_NODES)))


class Row(NamedTuple):
    """How a row's work is made ready, and what it is compared with."""

    ready: Callable[[], Work]
    reference: Work = yardstick


ROWS: dict[str, Row] = {
    # If all kernels are compiled worse than before, the yardstick is, too.
    "yardstick": Row(lambda: yardstick, reference=in_python),
    "kirin paranoid 6": Row(partial(_analyses, "kirin paranoid 6", 10)),
    "kirin paranoid 8": Row(partial(_analyses, "kirin paranoid 8", 2)),
    "kirin ally 8": Row(partial(_analyses, "kirin ally 8", 10)),
    "kirin maxn 4": Row(partial(_analyses, "kirin maxn 4", 4)),
    "kirin hint": Row(partial(_hint, "kirin")),
    "king paranoid 3p 7": Row(partial(_analyses, "king paranoid 3p 7", 2)),
    "king paranoid 4p 3": Row(partial(_analyses, "king paranoid 4p 3", 10)),
    "king paranoid 5p 5": Row(partial(_analyses, "king paranoid 5p 5", 2)),
    "king ally 3p 6": Row(partial(_analyses, "king ally 3p 6", 10)),
    "king maxn 4p 4": Row(partial(_analyses, "king maxn 4p 4", 2)),
    "king hint": Row(partial(_hint, "king")),
    "aqua-regia 2p 10": Row(partial(_analyses, "aqua-regia 2p 10", 10)),
    "aqua-regia 3p 15": Row(partial(_analyses, "aqua-regia 3p 15", 4)),
    "aqua-regia hint": Row(partial(_hint, "aqua-regia")),
}


# ----------------------------------------------------------------------------------------------------
# Measuring and judging


def _timed(work: Work, repeats: int) -> float:
    """CPU seconds of one run, averaged over several, in all threads: hints have their own."""
    begin = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - begin) / repeats


def measured(name: str, pairs: int) -> float:
    """Return a row's time in those of its reference: the median over pairs of timings that take turns."""
    work, reference = ROWS[name].ready(), ROWS[name].reference
    reference()
    work()
    repeats = max(1, round(_SHORTEST / max(_timed(work, 1), 1e-5)))
    return median(_timed(work, repeats) / _timed(reference, 1) for _ in range(pairs))


def outside(
    names: Iterable[str], accepted: Mapping[str, Accepted], measure: Callable[[str], float]
) -> dict[str, list[float]]:
    """Measure rows, and those that leave their spread once more.

    Returns the two ratios of each row that left it twice.
    """
    failed = {}
    for name in names:
        ratios: list[float] = []
        while len(ratios) < 2 and accepted[name].judge(ratio := measure(name)):
            ratios.append(ratio)
        if len(ratios) == 2:
            failed[name] = ratios
    return failed


def complaint(failed: Mapping[str, Sequence[float]], accepted: Mapping[str, Accepted]) -> str:
    """Say which rows left their spread twice, and what to look at."""
    last = {name: accepted[name].judge(ratios[-1]) for name, ratios in failed.items()}
    lines = []
    for verdict, advice in _ADVICE.items():
        rows = [name for name in last if last[name] == verdict]
        if rows:
            lines.append(f"{verdict} than accepted, twice: {', '.join(rows)}. {advice}")
    return "\n".join([*lines, _RENEWING])


def read_accepted(path: Path) -> dict[str, Accepted]:
    """Return the accepted ratios in a file, by row."""
    return {name: Accepted(**entry) for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def write_accepted(accepted: Mapping[str, Accepted], path: Path) -> None:
    """Write accepted ratios into a file."""
    path.write_text(
        "# Accepted CPU times in yardsticks, and how many times as much or as little each may be:"
        " benchmarks/guard.py.\n"
        + "".join(
            f'"{name}" = {{ ratio = {ratio:.3g}, spread = {spread:g} }}\n'
            for name, (ratio, spread) in accepted.items()
        ),
        encoding="utf-8",
    )


@click.command()
@click.option("--quick", is_flag=True, help="Measure each row fewer times: less than a minute.")
@click.option("--accept", is_flag=True, help="Write the measured ratios into the file instead of judging them.")
def main(quick: bool, accept: bool) -> None:
    """Measure rows and compare them with the accepted ratios."""
    names = list(ROWS)
    pairs = _QUICK_PAIRS if quick else _PAIRS
    accepted = read_accepted(ACCEPTED)
    for game in {name.split()[0] for name in names} & set(registry.names()):
        registry.game(game).warm()

    def measure(name: str) -> float:
        ratio = measured(name, pairs)
        beside = accepted.get(name)
        known = f"{beside.ratio:9.3g} {beside.spread:7.2f}x  {beside.judge(ratio)}" if beside else ""
        click.echo(f"{name:24} {ratio:9.3g} {known}".rstrip())
        return ratio

    click.echo(f"{'':24} {'ratio':>9} {'accepted':>9} {'spread':>8}")
    if accept:
        usual = Accepted(0.0, _SPREAD)
        renewed = {name: accepted.get(name, usual)._replace(ratio=measure(name)) for name in names}
        write_accepted({name: (accepted | renewed)[name] for name in ROWS if name in accepted | renewed}, ACCEPTED)
    elif failed := outside(names, accepted, measure):
        raise click.ClickException(complaint(failed, accepted))


if __name__ == "__main__":
    main()
