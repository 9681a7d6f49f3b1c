"""Attack a service: ``python -m tests.attack --minutes 30``, or ``--seed 1 --first 4711 --show`` for one request.

A service with short limits is started for it. What breaks a promise is printed with the number of the request that
did it, and at the end there are figures.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

from tests.attack.case import SLACK_SECONDS
from tests.attack.cases import case
from tests.attack.replies import Connection
from tests.attack.run import COLLECTION, Attack, Ledger, Report, Sums, alone, settings, sums_of
from tests.attack.server import Address, megabytes, started, until_ready


@click.command()
@click.option("--seed", default=1)
@click.option("--first", default=0, help="the number of the first request")
@click.option("--count", type=int, help="how many requests; without it as many as the time allows")
@click.option("--minutes", default=30.0)
@click.option("--processes", default=2, help="of clients")
@click.option("--connections", default=3, help="of each process")
@click.option("--round", "round_seconds", default=60.0, help="seconds between two whiles of quiet")
@click.option("--set", "variables", multiple=True, help="NAME=VALUE for the service")
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), help="a file to add the run to")
@click.option("--show", is_flag=True, help="send the first request alone, and print it and what comes back")
def main(
    seed: int,
    first: int,
    count: int | None,
    minutes: float,
    processes: int,
    connections: int,
    round_seconds: float,
    variables: tuple[str, ...],
    ledger: Path | None,
    show: bool,
) -> None:
    """Send random requests, and check what holds for every answer.

    With `--ledger` a run goes on where the last one with this seed ended, and what all of them found is told.
    """
    book = Ledger(ledger, seed) if ledger is not None else None
    if book is not None:
        first = max(first, book.next)
    named = dict(variable.split("=", 1) for variable in variables)
    with TemporaryDirectory() as jobs, started(None, settings(Path(jobs)) | named) as address:
        until_ready(address)
        first_of_all = Connection(address.host, address.port)
        first_of_all.ask(COLLECTION)
        first_of_all.close()
        if show:
            _show(address, seed, first)
            return
        begun, told = time.monotonic(), 0
        attack = Attack(address, seed, first, processes, connections)
        for report in attack.rounds(count, 60 * minutes, round_seconds):
            for violation in report.violations[told:]:
                click.echo(f"! {violation}")
            told = len(report.violations)
            click.echo(
                f"{time.monotonic() - begun:6.0f} s: {report.requests:9,} requests, {told} violations, "
                f"{megabytes(address) or 0:,.0f} MiB"
            )
            if book is not None:
                _tell(book.keep(sums_of(report, seed, first, report.next, time.monotonic() - begun)))
        _report(attack.report, time.monotonic() - begun)
    sys.exit(1 if attack.report.violations else 0)


def _show(address: Address, seed: int, number: int) -> None:
    asked = case(seed, number)
    click.echo(f"{asked.kind}, {asked.seconds:.2f} s allowed:\n{asked.sent!r}\n")
    for reply in Connection(address.host, address.port).ask(asked):
        click.echo(f"{reply.status} {reply.fault} after {reply.seconds:.3f} s\n{reply.headers}\n{reply.body!r}")
    click.echo(f"violations: {alone(address, asked) or 'none'}")


def _report(report: Report, seconds: float) -> None:
    statuses: dict[str, Counter[int]] = defaultdict(Counter)
    for (kind, status), count in report.tally.statuses.items():
        statuses[kind][status] += count
    click.echo(f"\n{report.requests:,} requests in {seconds:,.0f} s, {report.requests / seconds:,.0f} a second")
    for kind, counted in sorted(statuses.items()):
        told = ", ".join(f"{status or 'none'}: {count:,}" for status, count in sorted(counted.items()))
        click.echo(f"{kind:14}{told}")
    over = np.array(report.tally.over) + SLACK_SECONDS
    click.echo(f"{'':34}{'p50':>9}{'p99':>9}{'p99.9':>9}{'most':>9} ms")
    _percentiles("over the limit, among others", over)
    _percentiles("/healthz", np.array(report.health))
    _percentiles("waking up (the machine's part)", np.array(report.late))
    click.echo(f"{np.mean(np.array(report.health) > 0.1):.2%} of /healthz took more than 100 ms")
    click.echo(f"sent once more or only alone: {report.alone:,}; late or turned away and not: {report.unjudged:,}")
    click.echo(f"clients that left: {report.left:,}; most resident memory: {report.most_megabytes:,.0f} MiB")
    click.echo(f"{len(report.violations)} violations")


def _tell(found: Sums) -> None:
    click.echo(
        f"  in all: {found.requests:,} requests (numbers {found.first:,} to {found.next - 1:,}) in "
        f"{found.seconds:,.0f} s, {found.violations} violations, {found.broken} 5xx, {found.unanswered} without "
        f"an answer, {found.refused:,} 503, {found.late:,} late, /healthz over 100 ms {found.slow_health:,} of "
        f"{found.health:,}, {found.left:,} left, at most {found.most_megabytes:,.0f} MiB"
    )


def _percentiles(name: str, found: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    shown = np.percentile(found, [50, 99, 99.9, 100]) * 1e3 if len(found) else [float("nan")] * 4
    click.echo(f"{name:34}" + "".join(f"{part:9,.1f}" for part in shown))


if __name__ == "__main__":
    main()
