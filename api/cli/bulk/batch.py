"""`athanor batch`: many questions on all cores, into one file, whatever is stopped in between."""

from __future__ import annotations

import time
from typing import Any

import click

from api.cli.bulk.job_inputs import question_options, units_of
from api.cli.terminal.console import echo
from api.cli.terminal.failures import FAILED, INTERRUPTED
from api.cli.terminal.options import cluster_option, jobs_option
from solver.common import counted


@click.command()
@question_options()
@click.option(
    "--out",
    required=True,
    metavar="PATH",
    help="Where the results go: a name that ends in .ndjson, .csv or .parquet.",
)
@click.option("--overwrite", is_flag=True, help="Replace PATH if it is there already.")
@jobs_option("Do N questions at once, each in a process of its own.")
@cluster_option()
def batch(
    kind: str,
    file: tuple[str, ...],
    limit: int | None,
    out: str,
    overwrite: bool,
    jobs: int,
    cluster: str | None,
    **options: Any,
) -> None:
    """Ask the same of many positions, puzzles or deals.

    KIND is analyze, hint, solve, deal or survey. A FILE holds positions, one on each line as JSON or as text; for
    solve it is a puzzle file or a folder of them; for deal a game's name, or JSON with game, seed, number and
    deals; for survey GAME/SURVEY or GAME/SURVEY/VARIANT.

    Ctrl-C keeps what is done, and the same command goes on from there; the output is the same as without a stop.
    Exit code 2 when a question failed, whose line in the output says why.
    """
    from api.cli.terminal import outputs
    from api.cli.terminal.console import counting
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt
    from athanor.jobs.batches import Batch

    with outputs.writing(out):
        started = Batch(kind, units_of(kind, file, limit, options), out, overwrite=overwrite)
    total = started.job.total
    begun = time.monotonic()
    with cancel_on_interrupt() as cancel:
        with counting(kind, total) as report:
            complete = apart(
                lambda: started.run(jobs, cluster=cluster, stop=cancel.is_set, report=lambda done, _: report(done))
            )
        if not complete:
            echo(f"interrupted: what is done is in {started.path}; the same command goes on from there", err=True)
            click.get_current_context().exit(INTERRUPTED)
    with outputs.writing(out):
        failed = started.finish()
    said = f"{counted(total, 'unit')} in {time.monotonic() - begun:.1f} s: {out}"
    echo(f"{said}; {failed} failed" if failed else said, err=True)
    if failed:
        click.get_current_context().exit(FAILED)
