"""`athanor generate`: new puzzles with proved solutions."""

from __future__ import annotations

import time
from typing import Any

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import FAILED, INTERRUPTED
from api.cli.terminal.options import SEED, game_argument, jobs_option, nodes_option, seconds_option
from solver.common import counted


@click.command()
@game_argument()
@click.option("--out", required=True, metavar="FILE", help="The puzzle file (TOML) that is written.")
@click.option(
    "--count", type=click.IntRange(1, 100_000), default=10, show_default=True, metavar="N", help="How many."
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of the deals: each has one puzzle at most.")
@click.option(
    "--ask",
    metavar="QUESTION",
    help="best-move, value, … as puzzle files have it, or hidden-hand; default: the game's first.",
)
@click.option("--grade", metavar="GRADE", help="Only easy, medium, hard or expert ones.")
@click.option("--theme", metavar="THEME", help="Only those with this theme, such as duck.")
@click.option("--model", metavar="MODEL", help="Only with this model of the others' play.")
@click.option(
    "--best", type=click.IntRange(1, 100), default=1, show_default=True, metavar="N", help="Moves best at most."
)
@click.option("--unlike", multiple=True, metavar="FILE", help="Repeat no puzzle of this file. May be repeated.")
@click.option(
    "--deals", type=click.IntRange(1, 1_000_000), metavar="N", help="Try N deals at most; default: 5,000."
)
@nodes_option("Drop a position whose proof takes more than N nodes.")
@seconds_option("Write what is found after S seconds; then two runs may differ.")
@jobs_option("Work on N deals at once, each in a process of its own.")
def generate(game: str, out: str, count: int, deals: int | None, **options: Any) -> None:
    """Make new puzzles of GAME, each with one best move that is proved.

    Every puzzle is graded by what was measured: what a player by simple rules, a short search and a hint make of
    it, how far the obvious falls short, and how long the solution is. No two differ by a symmetry alone.

    The same options make the same file. Ctrl-C keeps what is done, and the same command goes on from there.
    """
    from api.cli.terminal import outputs
    from api.cli.terminal.console import counting
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt
    from athanor.generating import DEALS
    from athanor.generating import generate as make

    begun = time.monotonic()
    with cancel_on_interrupt() as cancel, outputs.writing(out), counting("generating", count) as report:
        made = apart(
            lambda: make(
                game,
                out,
                count=count,
                deals=deals or DEALS,
                cancel=cancel,
                progress=lambda puzzles, _: report(puzzles),
                **options,
            )
        )
    for message in sorted(set(made.faults)):
        echo(f"Error: {made.faults.count(message)} of the deals failed: {message}", err=True)
    took = (
        f"{counted(made.puzzles, 'puzzle')} from {counted(made.deals, 'deal')} in {time.monotonic() - begun:.1f} s"
    )
    if not made.complete:
        echo(f"interrupted: {took}; the same command goes on from there", err=True)
        click.get_current_context().exit(INTERRUPTED)
    left_out = f" ({made.repeated} left out as repeated)" if made.repeated else ""
    echo(f"{took}{left_out}: {out}", err=True)
    if made.faults:
        click.get_current_context().exit(FAILED)
