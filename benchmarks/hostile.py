"""Requests that once stopped the service, and their cost now: ``python -m benchmarks.hostile``.

For each: the status, the response time, the service's processor time, the growth of its memory, and the slowest
`/healthz` meanwhile. The service is started for this, and gets no other requests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

import athanor
from solver.common import Random
from solver.positions import position_data
from tests.attack.case import Case, request
from tests.attack.replies import Connection
from tests.attack.server import Address, Watcher, megabytes, processor_seconds, started, until_ready
from tests.support.hard_decks import hard_deck

_METALS, _COPIES = 118, 99
_TOML = "application/toml"
_HARD = 4  # of the decks below; the whole deck would take the kernel millions of nodes


class Hostile(NamedTuple):
    """A request that is sent to the service, with its name in the output."""

    name: str
    address: str
    body: bytes
    kind: str = "application/json"


def _posted(name: str, address: str, body: Any) -> Hostile:
    return Hostile(name, address, json.dumps(body).encode())


def _king() -> Iterator[Hostile]:
    """A deck with many overlapping recipes, of which one seat has won nearly all cards."""
    deck = hard_deck(Random(7, _HARD))
    codes = [card["code"] for card in deck["card"]]
    won = [codes[:43], codes[43:44], codes[44:45]]
    yield _posted(
        "1 hard deck, score", "/v1/score", {"record": {"game": "king", "deck": deck, "rounds": [{"won": won}]}}
    )
    hands = [codes[seat * 3 : seat * 3 + 3] for seat in range(3)]
    position = {"game": "king", "deck": deck, "leader": 0, "trick": [], "hands": hands, "won": [codes[9:], [], []]}
    yield _posted(
        "1 hard deck, 0.5 s", "/v1/analyze", {"position": position, "limit": {"seconds": 0.5}, "model": "maxn"}
    )


def _bodies() -> Iterator[Hostile]:
    """Bodies of about a megabyte each, and the one of 80 KB that once took 27 s and 5.9 GB."""
    yield Hostile("2 TOML, one dotted key", "/v1/solve", f"{'.'.join('a' * 40_000)} = 1".encode(), _TOML)
    yield Hostile("2 TOML, 95,000 tables", "/v1/solve", b"[[puzzle]]\n" * 95_000, _TOML)
    yield Hostile("2 TOML, as many values as are read", "/v1/solve", b"[[puzzle]]\na = 1\n" * 6000, _TOML)
    cards = ",".join(["{}"] * 340_000)
    deck = f'{{"position":{{"game":"king","deck":{{"card":[{cards}]}}}}}}'
    yield Hostile("3 340,000 cards of a deck", "/v1/analyze", deck.encode())
    line = ",".join(["1"] * 45_000)
    free = f'{{"position":{{"game":"alchemy","variant":"free","min_line":1,"line":[{line}],"hand":"6"}}}}'
    yield Hostile("3 45,000 wrong cards", "/v1/analyze", free.encode())
    puzzles = ",".join(["{}"] * 24_000)
    yield Hostile("3 24,000 empty puzzles", "/v1/solve", f'{{"puzzle":[{puzzles}]}}'.encode())


def _searches() -> Iterator[Hostile]:
    ranks = ["A", *map(str, range(2, 11)), "J", "Q"]
    free = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ranks * 2, "hand": "K"}
    yield _posted("5 free line of 24, 0.05 s", "/v1/analyze", {"position": free, "limit": {"seconds": 0.05}})
    metals = [f"M{number}" for number in range(_METALS)]
    reactivity = dict.fromkeys(("water", "vapor", "acid", "aqua-regia"), 2)
    cards = [{"symbol": metal, "reactivity": reactivity} for metal in metals]
    deck = {"name": "large", "copies": _COPIES, "metal": cards}
    for size, stock in ((10, 11_632), (100, 0), (200, 0)):
        view = {
            "game": "aqua-regia", "deck": deck, "field": "water", "turn": 0, "seat": 0,
            "hand": [metals[number * 7 % _METALS] for number in range(size)],
            "counts": [size] * 5, "stock_count": stock,
        }  # fmt: skip
        name = f"6 Aqua Regia, hands of {size}, stock of {stock:,}"
        yield _posted(name, "/v1/hint", {"position": view, "limit": {"seconds": 0.3}})
    dealt = {"position": position_data(athanor.deal("aqua-regia", seed=1, players=4)), "limit": {"seconds": 0.02}}
    yield _posted("7 Aqua Regia's first search, 0.02 s", "/v1/analyze", dealt)


def _measured(address: Address, hostile: Hostile) -> str:
    sent = request("POST", hostile.address, hostile.body, hostile.kind)
    before, memory = processor_seconds(address), megabytes(address) or 0.0
    with Watcher(address) as watcher:
        [reply] = Connection(address.host, address.port).ask(Case("", sent, 60))
    spent = processor_seconds(address) - before
    more = max(watcher.most_megabytes, megabytes(address) or 0.0) - memory
    answer = json.loads(reply.body.partition(b"\n")[0] or b"{}")
    code = answer.get("error", {}).get("code", "")
    health = max(watcher.health, default=float("nan"))
    return (
        f"{hostile.name:40}{reply.status:5} {code:15}{reply.seconds:8.3f} s{spent:8.2f} s{more:8,.0f} MiB"
        f"{1e3 * health:9.0f} ms"
    )


@click.command()
def main() -> None:
    """Send each request once, and print its cost."""
    with started(None, {}) as address:
        until_ready(address)
        click.echo(f"{'':40}{'status':>6}{'':15}{'answer':>9}{'processor':>11}{'memory':>11}{'/healthz':>11}")
        for hostile in (*_king(), *_bodies(), *_searches()):
            click.echo(_measured(address, hostile))


if __name__ == "__main__":
    main()
