"""How long hints take over HTTP: ``python -m benchmarks.hint_latency [GAME] [--seconds 0.2] [--count 200]``.

First one at a time: the 50th, 90th and 99th percentile. Then eight simultaneously: the slowest of each eight, and
the worlds played.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import click
import numpy as np
from flask import Flask

from api.app import create_app
from solver import registry
from solver.common import Random
from solver.positions import position_data

_AT_ONCE = 8


def views(game: str, count: int, seed: int = 1) -> list[dict[str, Any]]:
    """The view of the seat to move at random moments of random rounds."""
    rules = registry.game(game)
    random = Random(seed)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        position: Any = rules.deal(seed, number=len(found))
        for _ in range(random.below(28)):
            moves = rules.legal_moves(position)
            position = rules.play(position, moves[random.below(len(moves))])
        view = rules.view(position, position.seat_to_move)
        if len(rules.legal_moves(view)) > 1:
            found.append(position_data(view))
        else:
            seed += 1
    return found


def ask(app: Flask, view: dict[str, Any], seconds: float, seed: int) -> tuple[float, int]:
    """The seconds that a hint takes, and the number of its worlds."""
    client = app.test_client()
    begin = time.monotonic()
    found = client.post("/v1/hint", json={"position": view, "limit": {"seconds": seconds}, "seed": seed})
    took = time.monotonic() - begin
    assert found.status_code == 200, found.text
    return took, int(found.get_json()["worlds"])


@click.command()
@click.argument("game", default="kirin")
@click.option("--seconds", default=0.2)
@click.option("--count", default=200)
def main(game: str, seconds: float, count: int) -> None:
    """Measure single hints, then eight simultaneous ones."""
    registry.game(game).warm()
    app = create_app()
    asked = views(game, count)
    times = [ask(app, view, seconds, number)[0] for number, view in enumerate(asked)]
    half, high, top = np.percentile(times, [50, 90, 99])
    click.echo(f"{count} hints of {seconds:g} s: p50 {half:.3f} s, p90 {high:.3f} s, p99 {top:.3f} s")
    slowest, fewest = [], []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for start in range(0, count - _AT_ONCE + 1, _AT_ONCE):
            batch = list(
                pool.map(lambda number: ask(app, asked[number], seconds, number), range(start, start + _AT_ONCE))
            )
            slowest.append(max(took for took, _ in batch))
            fewest.append(min(worlds for _, worlds in batch))
    click.echo(
        f"{_AT_ONCE} at once, {len(slowest)} times: slowest p50 {np.median(slowest):.3f} s, "
        f"worst {max(slowest):.3f} s; fewest worlds {min(fewest)}"
    )


if __name__ == "__main__":
    main()
