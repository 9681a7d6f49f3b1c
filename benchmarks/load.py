"""The service under load: ``python -m benchmarks.load [--seconds 20]``, with the clients on the same machine.

It starts a server and runs one load after another: small calls as fast as they are answered; hints of 50 ms from
ten clients; 100 quick questions a second alongside six clients that request long searches; and a client that
disconnects during a long search. Finally it prints the server's memory.
"""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import click
import numpy as np

import athanor
from solver.positions import position_data
from tests.attack.server import Address, megabytes, started, until_ready

_FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": list("23579"), "hand": "9"}
_VIEW = position_data(athanor.view(athanor.deal("kirin", seed=2), 0))
_HARD = position_data(athanor.deal("king", seed=2))
Asked = tuple[str, dict[str, Any]]
QUICK: Asked = ("/v1/analyze", {"position": _FREE})
SMALL: Asked = ("/v1/moves", {"position": _FREE})
HINT: Asked = ("/v1/hint", {"position": _VIEW, "limit": {"seconds": 0.05}})
LONG: Asked = ("/v1/analyze", {"position": _HARD, "limit": {"seconds": 5.0}})


class Tally:
    """The outcomes of requests: the times of those answered with 200, and all statuses."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.statuses: Counter[int] = Counter()

    def __str__(self) -> str:
        p50, p99 = np.percentile(self.seconds or [np.nan], [50, 99]) * 1e3
        return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, statuses {dict(self.statuses)}"


def ask(connection: http.client.HTTPConnection, asked: Asked, tally: Tally) -> None:
    """Send a request, and record its outcome."""
    path, body = asked
    began = time.monotonic()
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    tally.statuses[answer.status] += 1
    if answer.status == 200:
        tally.seconds.append(time.monotonic() - began)


def crowd(port: int, clients: int, asked: Asked, until: Callable[[], bool], pace: float = 0.0) -> Tally:
    """Clients that send requests again and again; with a `pace`, one request each per `pace` seconds."""
    tally = Tally()

    def client(place: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        moment = time.monotonic() + pace * place / clients
        while not until():
            if pace:
                time.sleep(max(0.0, moment - time.monotonic()))
                moment += pace
            ask(connection, asked, tally)
        connection.close()

    threads = [threading.Thread(target=client, args=(place,)) for place in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return tally


def lasting(seconds: float) -> Callable[[], bool]:
    """A function that returns whether this many seconds have passed since `lasting` was called."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def left(port: int) -> float:
    """The seconds between a client's disconnecting from a long search and the end of that search."""

    def inside() -> float:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return sum(float(found) for found in re.findall(r"(?m)^athanor_searches_inside\{.*\} (.*)$", text))

    while inside():
        time.sleep(0.1)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = json.dumps({**LONG[1], "limit": {"seconds": 30.0}})
    connection.request("POST", LONG[0], body, {"Content-Type": "application/json"})
    time.sleep(1.0)
    assert inside()
    connection.close()
    began = time.monotonic()
    while inside():
        time.sleep(0.005)
    return time.monotonic() - began


@click.command()
@click.option("--seconds", default=20.0, help="How long each load lasts.")
def main(seconds: float) -> None:
    """Run the loads on a service, and print the results."""
    began = time.monotonic()
    with started(None, {}) as address:
        click.echo(f"port open after {time.monotonic() - began:.2f} s")
        until_ready(address)
        click.echo(f"all games ready after {time.monotonic() - began:.1f} s")
        _loads(address, seconds)


def _loads(address: Address, seconds: float) -> None:
    port = address.port
    tally = crowd(port, 8, SMALL, lasting(seconds))
    click.echo(f"small calls: {tally.statuses[200] / seconds:.0f} a second, {tally}")
    tally = crowd(port, 10, HINT, lasting(seconds))
    click.echo(f"hints of 50 ms, 10 clients: {tally.statuses[200] / seconds:.0f} a second, {tally}")
    ended = threading.Event()
    long = threading.Thread(target=crowd, args=(port, 6, LONG, ended.is_set))
    long.start()
    time.sleep(1.0)
    tally = crowd(port, 10, QUICK, lasting(seconds), pace=0.1)
    most = megabytes(address) or 0.0
    ended.set()
    long.join()
    click.echo(f"quick questions, 100 a second, beside 6 clients with long ones: {tally}")
    click.echo(f"a search that its client leaves is over after {left(port):.2f} s")
    click.echo(f"memory of all processes under this load: {most:.0f} MiB")


if __name__ == "__main__":
    main()
