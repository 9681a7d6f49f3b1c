"""Analyses of random positions, compared with another commit's: ``python -m benchmarks.compare main``.

Two processes, one of this tree and one of the other commit, analyze the same positions in turn. They measure
thread time, on which other work has little effect. Each position is analyzed several times, and the shortest time
counts. ``ratio`` is the other commit's number divided by this one's: its median over the positions, and for the
sums of the times and of the nodes.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import click


class Row(NamedTuple):
    """A kind of question: the model of the others' play, and a function that makes random positions."""

    model: str
    make: Callable[[random.Random], Any]


def rows() -> dict[str, Row]:
    """All kinds of questions, by name."""
    from tests.games.aqua_regia.deals import ending
    from tests.games.king.rounds import position_of, round_at
    from tests.games.kirin.deals import full_deal

    def king(players: int, cards: int) -> Callable[[random.Random], Any]:
        return lambda rng: position_of(round_at(rng, players, cards))

    def kirin(cards: int) -> Callable[[random.Random], Any]:
        return lambda rng: full_deal(rng, cards)

    def aqua_regia(players: int, cards: int) -> Callable[[random.Random], Any]:
        return lambda rng: ending(rng, players, cards)

    kinds: dict[str, Row] = {}
    for model, cards in (("paranoid", 3), ("paranoid", 6), ("paranoid", 8), ("ally", 8), ("maxn", 4)):
        kinds[f"kirin {model} {cards}"] = Row(model, kirin(cards))
    for model, players, cards in (
        ("paranoid", 3, 3), ("paranoid", 3, 7), ("paranoid", 3, 8), ("paranoid", 4, 3), ("paranoid", 4, 6),
        ("paranoid", 5, 3), ("paranoid", 5, 5), ("ally", 3, 6), ("maxn", 3, 4), ("maxn", 4, 4), ("maxn", 5, 3),
    ):  # fmt: skip
        kinds[f"king {model} {players}p {cards}"] = Row(model, king(players, cards))
    for players, cards in ((2, 10), (2, 16), (3, 15), (4, 16)):
        kinds[f"aqua-regia {players}p {cards}"] = Row("paranoid", aqua_regia(players, cards))
    return kinds


# ----------------------------------------------------------------------------------------------------
# The process that answers, of either commit. It reads questions from its input, one per line.


def answer_questions() -> None:
    """Answer questions until the input ends; the first one about a game loads what it needs."""
    from solver.limits import Control
    from solver.positions import parse_position, read_line
    from solver.registry import game_of

    warmed = set()
    for line in sys.stdin:
        asked = json.loads(line)
        position = parse_position(read_line(asked["position"]))
        game = game_of(position)
        if game.name not in warmed:
            warmed.add(game.name)
            game.warm()
            game.analyze(position, Control(), model=asked["model"])
        control = Control()
        begin = time.thread_time()
        answer = game.analyze(position, control, model=asked["model"])
        seconds = time.thread_time() - begin
        values = [answer.value, sorted((entry.move, entry.bounds) for entry in answer.moves)]
        print(json.dumps({"seconds": seconds, "nodes": answer.nodes, "values": values}), flush=True)


@click.command()
@click.argument("reference")
@click.option("--positions", default=15, help="of each row")
@click.option("--times", default=3, help="that each position is asked about")
@click.option("--seed", default=1)
@click.option("--only", multiple=True, help="rows with this word in their name; may be given again")
def main(reference: str, positions: int, times: int, seed: int, only: tuple[str, ...]) -> None:
    """Compare the analyses of this tree with those of a commit, row by row."""
    from benchmarks.release import REPOSITORY, Apart, code_of  # of this tree alone
    from solver.positions import text_of

    click.echo(f"{'':24} {'median':>10} {'ratio':>6} {'sum':>11} {'ratio':>6} {'nodes':>12} {'ratio':>6}")
    before, now = (Apart(tree, __file__, "--answer") for tree in (code_of(reference), REPOSITORY))
    for name, (model, make) in rows().items():
        if only and not any(word in name for word in only):
            continue
        rng = random.Random(seed)
        pairs = []
        for _ in range(positions):
            text = text_of(make(rng))
            question = {"position": text, "model": model}
            asked = [(before.ask(question), now.ask(question)) for _ in range(times)]
            if any(old["values"] != new["values"] for old, new in asked):
                raise click.ClickException(f"{name}: other values of {text}")
            least = [min((pair[side] for pair in asked), key=lambda one: one["seconds"]) for side in (0, 1)]
            pairs.append((least[0], least[1]))
        click.echo(f"{name:24} {told(pairs)}")


def told(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    """Format a row: this tree's median time, total time and nodes, each followed by its `ratio`."""
    middle = median(old["seconds"] / new["seconds"] for old, new in pairs)
    typical = 1e3 * median(new["seconds"] for _, new in pairs)
    sums = {key: [sum(pair[side][key] for pair in pairs) for side in (0, 1)] for key in ("seconds", "nodes")}
    return (
        f"{typical:7.2f} ms {middle:6.2f} {1e3 * sums['seconds'][1]:8.1f} ms "
        f"{sums['seconds'][0] / sums['seconds'][1]:6.2f} {sums['nodes'][1]:12,} "
        f"{sums['nodes'][0] / max(1, sums['nodes'][1]):6.2f}"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--answer"]:
        answer_questions()
    else:
        main()
