"""`athanor jobs`: what is submitted to be done in time, by a running service or by `athanor jobs work`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from api.cli.bulk.job_inputs import question_options, units_of
from api.cli.terminal.console import echo
from api.cli.terminal.failures import FAILED, INTERRUPTED
from api.cli.terminal.options import cluster_option, jobs_option, json_option

if TYPE_CHECKING:
    from athanor.jobs import Job, Store

F = TypeVar("F", bound=Callable[..., Any])


@click.group()
def jobs() -> None:
    """Work that lasts: submitted, done by a running `athanor serve`, and kept.

    The jobs are in the file that ATHANOR_JOBS names, by default one of yours that all commands share.
    """


@jobs.command()
@question_options()
@click.option("--title", default="", help="What the list calls it.")
@click.option("--key", help="Submitted again with the same key and questions, it is the same job.")
@json_option()
def submit(
    kind: str, file: tuple[str, ...], limit: int | None, title: str, key: str | None, as_json: bool, **options: Any
) -> None:
    """Submit a job. KIND and FILE are as for `athanor batch`."""
    units = units_of(kind, file, limit, options)
    with _store() as store:
        job, _ = store.submit(kind, units, title=title, key=key)
    _tell(job, as_json)


@jobs.command(name="list")
@json_option("Print a line of JSON a job.")
def listed(as_json: bool) -> None:
    """The newest jobs."""
    with _store() as store:
        found = store.jobs()
    for job in found:
        echo(
            job.to_json()
            if as_json
            else f"{job.id}  {job.created}  {job.kind:<8} {_state(job)}  {job.title}".rstrip()
        )


@jobs.command()
@click.argument("job")
@json_option()
def show(job: str, as_json: bool) -> None:
    """How far a job is."""
    with _store() as store:
        _tell(store.job(job), as_json)


@jobs.command()
@click.argument("job")
@click.option("--after", type=click.IntRange(0), default=0, metavar="ID", help="Only the results after this one.")
def follow(job: str, after: int) -> None:
    """Print the results, a line of JSON each, as they come, until the job has ended."""
    with _store() as store:
        for result in store.follow(job, after=after):
            echo(result.to_json())
        if store.job(job).status != "done":
            click.get_current_context().exit(FAILED)


@jobs.command()
@click.argument("job")
def cancel(job: str) -> None:
    """Do no more of a job; what is done is kept."""
    with _store() as store:
        _tell(store.cancel(job), False)


@jobs.command()
@click.argument("job")
def retry(job: str) -> None:
    """Do again what failed or was cancelled."""
    with _store() as store:
        _tell(store.retry(job), False)


@jobs.command()
@click.argument("job")
def delete(job: str) -> None:
    """Forget a job and its results."""
    with _store() as store:
        store.delete(job)


@jobs.command()
@jobs_option("Do N units at once, each in a process of its own.")
@cluster_option()
def work(jobs: int, cluster: str | None) -> None:
    """Do what waits, until nothing does. Not needed where `athanor serve` runs.

    Ctrl-C stops it, and what is done is kept.
    """
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt
    from athanor.jobs.batches import team_of
    from athanor.jobs.workers import work as do

    with _store() as store, cancel_on_interrupt() as interrupted:

        def run() -> None:
            with team_of(jobs, cluster) as team:
                do(store, team, stop=interrupted.is_set)

        if store.left():
            apart(run)
        if interrupted.is_set():
            click.get_current_context().exit(INTERRUPTED)


@contextmanager
def _store() -> Iterator[Store]:
    from athanor.jobs import Store

    store = Store()
    try:
        yield store
    finally:
        store.close()


def _tell(job: Job, as_json: bool) -> None:
    echo(job.to_json() if as_json else f"{job.id}: {_state(job)}")


def _state(job: Job) -> str:
    done = job.units.done + job.units.failed
    failed = f", {job.units.failed} failed" if job.units.failed else ""
    return f"{job.status}, {done} of {job.total}{failed}"
