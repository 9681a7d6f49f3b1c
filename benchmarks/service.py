"""The service and commands, timed from outside: ``python -m benchmarks.service start``, and so on.

``start`` measures the seconds until the port is open, a first request is answered, and the first game and all
games are ready, with nothing compiled (an empty cache folder) and with everything compiled. It also measures the
CPU time of the server and of the processes that compile for it.

``load`` puts one load after another on the service, with the clients on the same machine: small calls as fast as
they are answered; hints of 50 ms from ten clients; 100 quick questions a second alongside six clients that request
long searches; and a client that disconnects during a long search. Finally it prints the server's memory.

``hints`` times hints, first one at a time, then eight simultaneously. For these it prints the times of the
slowest, and the fewest worlds.

``small`` prints the CPU milliseconds of small questions, asked in Python about a position and about its JSON, and
as a request; then those of a request that asks nothing, to Flask, and to waitress and Flask with its client.

``commands`` prints the least and the median wall-clock seconds, and the least CPU seconds of short commands.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import Any

import click
import numpy as np
from flask import Flask, request
from waitress import create_server
from werkzeug.test import create_environ, run_wsgi_app

import athanor
from api.app import create_app
from solver import registry
from solver.common import Random
from solver.positions import position_data
from tests.attack.server import Address, health, megabytes, started, until_ready
from tests.games.king.rounds import position_of, round_at
from tests.games.kirin.deals import full_deal

_ATHANOR = [sys.executable, "-m", "api.cli"]


@click.group()
def main() -> None:
    """Time the service and commands from outside."""


class Stopwatch:
    """The wall-clock seconds since it was made, and the CPU seconds of processes that have ended since."""

    def __init__(self) -> None:
        self._begun, self._before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    @property
    def cpu(self) -> float:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - self._before.ru_utime - self._before.ru_stime


# ----------------------------------------------------------------------------------------------------
# Starting


@main.command()
@click.option("--warm", default=3, help="how many starts with everything compiled")
@click.option("--cold", default=1, help="how many starts with nothing compiled")
def start(warm: int, cold: int) -> None:
    """Start a server as often as requested, and print a row for each start."""
    click.echo(f"{'cache':6}{'port open':>12}{'answers':>12}{'first game':>12}{'all games':>12}{'CPU':>12}")
    for _ in range(cold):
        with tempfile.TemporaryDirectory() as empty:
            _row("empty", _start({**os.environ, "XDG_CACHE_HOME": empty}))
    for number in range(warm + 1):
        seconds = _start(dict(os.environ))
        if number:  # the first may have had to compile
            _row("full", seconds)


def _row(cache: str, seconds: list[float]) -> None:
    click.echo(f"{cache:6}" + "".join(f"{part:10.2f} s" for part in seconds))


def _start(environ: dict[str, str]) -> list[float]:
    """The seconds to each event of one start, and its total CPU seconds."""
    watch = Stopwatch()
    server = subprocess.Popen([*_ATHANOR, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environ)
    try:
        assert server.stdout is not None
        match = re.search(r":(\d+)/", server.stdout.readline())
        assert match, "the server did not say its address"
        events = [watch.seconds]
        while len(events) < 4:
            games = health(Address("127.0.0.1", int(match[1]), None))["games"]
            ready = sum(game["state"] == "ready" for game in games.values())
            reached = 2 + (ready > 0) + (ready == len(games))
            events += [watch.seconds] * (reached - len(events))
            time.sleep(0.1)
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate()
    return [*events, watch.cpu]


# ----------------------------------------------------------------------------------------------------
# Load

_FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": list("23579"), "hand": "9"}
_VIEW = position_data(athanor.view(athanor.deal("kirin", seed=2), 0))
_HARD = position_data(athanor.deal("king", seed=2))
Asked = tuple[str, dict[str, Any]]  # a path, and a body
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
    """Run clients that send requests again and again; with a `pace`, each sends one request per `pace` seconds."""
    tally = Tally()

    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        moment = time.monotonic() + pace * number / clients
        while not until():
            if pace:
                time.sleep(max(0.0, moment - time.monotonic()))
                moment += pace
            ask(connection, asked, tally)
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
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
        return sum(float(count) for count in re.findall(r"(?m)^athanor_searches_inside\{.*\} (.*)$", text))

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


@main.command()
@click.option("--seconds", default=20.0, help="how long each load lasts")
def load(seconds: float) -> None:
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


# ----------------------------------------------------------------------------------------------------
# Hints in time

AT_ONCE = 8


def _views(game: str, count: int, seed: int = 1) -> list[dict[str, Any]]:
    """The view of the seat to move at random moments of random rounds."""
    rules = registry.game(game)
    random = Random(seed)
    views: list[dict[str, Any]] = []
    while len(views) < count:
        position: Any = rules.deal(seed, number=len(views))
        for _ in range(random.below(28)):
            moves = rules.legal_moves(position)
            position = rules.play(position, moves[random.below(len(moves))])
        view = rules.view(position, position.seat_to_move)
        if len(rules.legal_moves(view)) > 1:
            views.append(position_data(view))
        else:
            seed += 1
    return views


def _hint(app: Flask, view: dict[str, Any], seconds: float, seed: int) -> tuple[float, int]:
    """The seconds that a hint takes, and the number of its worlds."""
    client = app.test_client()
    begin = time.monotonic()
    answer = client.post("/v1/hint", json={"position": view, "limit": {"seconds": seconds}, "seed": seed})
    took = time.monotonic() - begin
    assert answer.status_code == 200, answer.text
    return took, int(answer.get_json()["worlds"])


@main.command()
@click.argument("game", default="kirin")
@click.option("--seconds", default=0.2)
@click.option("--count", default=200)
def hints(game: str, seconds: float, count: int) -> None:
    """Measure single hints, then eight simultaneous ones."""
    registry.game(game).warm()
    app = create_app()
    asked = _views(game, count)
    times = [_hint(app, view, seconds, number)[0] for number, view in enumerate(asked)]
    half, high, top = np.percentile(times, [50, 90, 99])
    click.echo(f"{count} hints of {seconds:g} s: p50 {half:.3f} s, p90 {high:.3f} s, p99 {top:.3f} s")
    slowest, fewest = [], []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for first in range(0, count - AT_ONCE + 1, AT_ONCE):
            batch = list(
                pool.map(lambda number: _hint(app, asked[number], seconds, number), range(first, first + AT_ONCE))
            )
            slowest.append(max(took for took, _ in batch))
            fewest.append(min(worlds for _, worlds in batch))
    click.echo(
        f"{AT_ONCE} at once, {len(slowest)} times: slowest p50 {np.median(slowest):.3f} s, "
        f"worst {max(slowest):.3f} s; fewest worlds {min(fewest)}"
    )


# ----------------------------------------------------------------------------------------------------
# Small questions

_THREE_CARDS: dict[str, Callable[[random.Random], Any]] = {
    "kirin": lambda rng: full_deal(rng, 3),
    "king": lambda rng: position_of(round_at(rng, 4, 3)),
}


def _least(ask: Callable[[], object], times: int, several: int = 1) -> float:
    """The least CPU milliseconds in all threads, each averaged over several."""
    milliseconds = []
    for _ in range(times // several):
        begin = time.process_time()
        for _ in range(several):
            ask()
        milliseconds.append(1e3 * (time.process_time() - begin) / several)
    return min(milliseconds)


def _handled(app: Flask, body: bytes) -> None:
    """Let an application answer a request, without a server."""
    environ = create_environ("/v1/analyze", method="POST", data=body, content_type="application/json")
    parts, status, _ = run_wsgi_app(app.wsgi_app, environ, buffered=True)
    assert status == "200 OK", b"".join(parts)


@main.command()
@click.option("--positions", default=12)
@click.option("--times", default=100, help="that each is asked about")
def small(positions: int, times: int) -> None:
    """Measure small questions in Python and as requests."""
    app, alone = create_app(), Flask("alone")
    alone.add_url_rule("/v1/analyze", view_func=lambda: request.get_data() and {}, methods=["POST"])
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # of a busy machine
    server = create_server(alone, port=0)
    threading.Thread(target=server.run, daemon=True).start()
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port)

    def served(body: bytes) -> None:
        connection.request("POST", "/v1/analyze", body)
        assert connection.getresponse().read() == b"{}\n"

    click.echo(f"{'':8}{'position':>10}{'JSON':>10}{'request':>10}{'Flask':>10}{'waitress':>10}")
    for game, make in _THREE_CARDS.items():
        registry.game(game).warm()
        rng, rows = random.Random(5), []
        for _ in range(positions):
            position = make(rng)
            text = json.dumps(position_data(position))
            body = b'{"position": %s}' % text.encode()
            making = _least(partial(create_environ, method="POST", data=body), times)
            ways = (
                _least(partial(athanor.analyze, position), times),
                _least(partial(athanor.analyze, text), times),
                _least(partial(_handled, app, body), times) - making,
                _least(partial(_handled, alone, body), times) - making,
                _least(partial(served, body), times, 10),
            )
            rows.append(ways)
        click.echo(f"{game:8}" + "".join(f"{median(column):7.2f} ms" for column in zip(*rows, strict=True)))


# ----------------------------------------------------------------------------------------------------
# Commands

COMMANDS = (
    "--help",
    "analyze docs/examples/duel.json",
    "analyze docs/examples/king.json",
    "analyze docs/examples/aqua.json",
    "hint docs/examples/ending.json",
    "hint docs/examples/kirin-view.json --nodes 1000",
    "hint docs/examples/king-view.json --nodes 300",
    "compound docs/examples/won.json",
)


@main.command()
@click.option("--runs", default=5, help="how many runs of each command")
def commands(runs: int) -> None:
    """Print a row for every command."""
    click.echo(f"{'':50}{'least':>9}{'median':>9}{'CPU':>9}")
    for command in COMMANDS:
        _run(command)  # it may have to compile
        seconds, cpu = zip(*(_run(command) for _ in range(runs)), strict=True)
        parts = min(seconds), median(seconds), min(cpu)
        click.echo(f"{command:50}" + "".join(f"{part:7.2f} s" for part in parts))


def _run(command: str) -> tuple[float, float]:
    """The wall-clock and CPU seconds of a command."""
    watch = Stopwatch()
    subprocess.run([*_ATHANOR, *command.split()], stdout=subprocess.DEVNULL, check=True)
    return watch.seconds, watch.cpu


if __name__ == "__main__":
    main()
