"""A service under load: ``python -m benchmarks.load [--clients 64] [--seconds 120] [--heavy 0.1]``.

Clients ask mixed questions of every game, one after the other. While they do, a line every few seconds tells the
server's resident memory, how long `/healthz` takes, and what the server itself says of its memory. Then: the
requests of each kind, their statuses, and how long those answered with 200 took.

A server is started for it unless `--url` names one. ``--set ATHANOR_MEMORY_MB=512`` sets a variable of it, and
``--address-space 4096`` has the system refuse it more than so many MiB.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from urllib.parse import urlsplit

import click
import numpy as np

from benchmarks.load.clients import Client, Mix, Tally
from benchmarks.load.questions import questions
from benchmarks.load.server import Address, health, megabytes, started, until_ready
from benchmarks.load.steady import Steady
from solver.common import Random

_STEADY_SOURCE = "127.0.0.2"


@click.command()
@click.option("--clients", default=64)
@click.option("--seconds", default=120.0, help="how long the load lasts")
@click.option("--heavy", default=0.1, help="the share of questions that take all the time that they are given")
@click.option("--limit", default=0.5, help="the seconds that heavy questions are given")
@click.option("--strange", default=0.02, help="the share of hints with a deck that nobody has sent yet")
@click.option("--patient", is_flag=True, help="after a refusal, wait as Retry-After says, and ask again")
@click.option("--steady", default=0.0, help="quick questions a second, asked by another client beside the load")
@click.option("--each", default=10, help="how many different questions of each kind and game")
@click.option("--seed", default=1)
@click.option("--every", default=10.0, help="seconds between two lines")
@click.option("--rest", default=0.0, help="seconds of quiet after the load, watched as well")
@click.option("--url", default="", help="a server that runs already")
@click.option("--pid", type=int, help="its process, to tell its memory")
@click.option("--address-space", type=int, help="MiB that the system gives to the server that is started")
@click.option("--set", "variables", multiple=True, help="NAME=VALUE for the server that is started")
def main(
    clients: int,
    seconds: float,
    heavy: float,
    limit: float,
    strange: float,
    patient: bool,
    steady: float,
    each: int,
    seed: int,
    every: float,
    rest: float,
    url: str,
    pid: int | None,
    address_space: int | None,
    variables: tuple[str, ...],
) -> None:
    """Ask a service mixed questions with many clients at once."""
    asked = questions(each, limit, seed)
    click.echo(f"{len(asked.small)} small and {len(asked.heavy)} heavy questions, {clients} clients")
    with ExitStack() as stack:
        if url:
            parts = urlsplit(url)
            address = Address(parts.hostname or "127.0.0.1", parts.port or 80, pid)
        else:
            options = dict(variable.split("=", 1) for variable in variables)
            address = stack.enter_context(started(address_space, options))
        until_ready(address)
        _line(address, 0.0, 0)
        tally = Tally()
        mix = Mix(heavy, strange, patient)
        end = threading.Event()
        crowd = [Client(address, asked, mix, Random(seed, number), tally) for number in range(clients)]
        threads = [threading.Thread(target=client.run, args=(end,)) for client in crowd]
        if steady:
            beside = Steady(address, steady, _STEADY_SOURCE, tally)
            threads.append(threading.Thread(target=beside.run, args=(end,)))
        begun = time.monotonic()
        for thread in threads:
            thread.start()
        _watch(address, tally, begun, seconds, every)
        end.set()
        for thread in threads:
            thread.join()
        _report(tally, time.monotonic() - begun)
        if rest:
            _watch(address, tally, time.monotonic(), rest, every)
        most = megabytes(address, "VmHWM")
        if most is not None:
            click.echo(f"most resident memory: {most:,.0f} MiB")


def _watch(address: Address, tally: Tally, begun: float, seconds: float, every: float) -> None:
    while (left := begun + seconds - time.monotonic()) > 0:
        time.sleep(min(every, left))
        _line(address, time.monotonic() - begun, tally.requests)


def _line(address: Address, seconds: float, requests: int) -> None:
    begun = time.monotonic()
    try:
        told = health(address).get("memory", "")
    except (OSError, ValueError) as found:
        told = f"no answer: {type(found).__name__}: {found}"
    took = time.monotonic() - begun
    resident = megabytes(address)
    memory = "" if resident is None else f"{resident:7,.0f} MiB resident, "
    click.echo(f"{seconds:6.0f} s: {requests:7,} requests, {memory}/healthz in {1e3 * took:5.0f} ms {told}")


def _report(tally: Tally, seconds: float) -> None:
    click.echo(f"{tally.requests:,} requests in {seconds:.0f} s, {tally.requests / seconds:,.0f} a second")
    click.echo(f"{'':24}{'p50':>8}{'p90':>8}{'p99':>8}{'most':>8} ms   statuses")
    for kind, counted in sorted(tally.statuses.items()):
        took = tally.seconds[kind]
        shown = np.percentile(took, [50, 90, 99, 100]) * 1e3 if took else [float("nan")] * 4
        statuses = ", ".join(f"{status}: {count:,}" for status, count in sorted(counted.items()))
        click.echo(f"{kind:24}" + "".join(f"{part:8,.0f}" for part in shown) + f"      {statuses}")
    for fault, count in tally.faults.most_common(12):
        click.echo(f"{count:6} x {fault}")


if __name__ == "__main__":
    main()
