"""Whether reviews account for scores correctly: ``python -m benchmarks.reviews --jobs 2 --file reviews.jsonl``.

Rounds of every game are played by seats that all follow hints and by seats that all play at random, in turn, and
reviewed. In every round, the parts of a seat's account must add up to its score exactly. On average, the mistakes
of seats that follow hints as strong as the review's must not be significant, and those of random seats must be.
The seats of a round share its cards, so each round counts as one number, the mean over its seats.

Proofs with every card known are left out, since accounts don't use them. Rounds are appended to the file, one line
each, so that a longer run continues an earlier one. The exit code is 1 if a check fails.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import click

from athanor.reviews import Wish, assembled, decisions
from athanor.sessions import Saved, Session
from solver.common import Random, mix
from solver.limits import Control, Limit
from solver.reviewing import SeatReview

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("kirin", {}),
    ("king", {"players": 3}),
    ("aqua-regia", {"players": 2}),
    ("alchemy", {"variant": "alternative"}),
    ("alchemy", {"variant": "duel"}),
)
PLAYERS = ("hint", "random")
_SURE = 2.58  # standard errors: a mean is within them in 99% of runs, as some eight means are checked


class Reviewed(NamedTuple):
    """A reviewed round: the game or variant, who played it, the mean of the seats' mistakes, and what is wrong."""

    game: str
    player: str
    mistakes: float
    wrong: list[str]


def reviewed(number: int, nodes: int) -> Reviewed:
    """Play and review round `number`, with hints of `nodes` nodes.

    The number determines the game and who plays.
    """
    name, options = GAMES[number % len(GAMES)]
    player = PLAYERS[number // len(GAMES) % len(PLAYERS)]
    table = Session(Saved(game=name, seed=number, seconds=0.1, rounds=1, **options))
    random = Random(number)
    while not table.over:
        moves = table.round.moves()
        if len(moves) == 1:
            table.play(moves[0])
        elif player == "hint":
            seed = mix(1000 * number + table.count) & 0xFFFFFFF
            best = table.round.by_points().hint(Control(Limit(nodes=nodes)), seed=seed).best
            table.play(best or moves[0])
        else:
            table.play(moves[random.below(len(moves))])
    wish = Wish(Limit(nodes=nodes), seed=number + 1)
    judged = [decision.judged(table, None, proving=False) for decision in decisions(table, wish)]
    whole = assembled(table, wish, judged)
    seats = [seat for seat in whole.seats if seat.mistakes is not None]
    wrong = [text for seat in seats for text in _wrong(table, seat)]
    lost = statistics.fmean(seat.mistakes or 0.0 for seat in seats) if seats else 0.0
    return Reviewed(options.get("variant", name), player, lost, wrong)


def _wrong(table: Session, seat: SeatReview) -> list[str]:
    """The contradictions in a seat's account, in words; empty if it adds up."""
    score = table.result(0, seat.seat)
    amounts = (seat.result, seat.expected, seat.luck, seat.others, seat.mistakes, seat.seen, seat.hidden)
    result, expected, luck, others, mistakes, seen, hidden = (Decimal(str(amount or 0.0)) for amount in amounts)
    faults = []
    if result != Decimal(str(score)):
        faults.append(f"seat {seat.seat} has {score}, not {result}")
    if result != expected + luck + others + mistakes:
        faults.append(f"seat {seat.seat}: {result} is not {expected} + {luck} + {others} + {mistakes}")
    if mistakes != seen + hidden:
        faults.append(f"seat {seat.seat}: {mistakes} is not {seen} + {hidden}")
    return faults


@click.command()
@click.option("--rounds", default=1000, show_default=True)
@click.option("--nodes", default=300, show_default=True, help="of each hint")
@click.option("--jobs", default=1, show_default=True, help="how many processes play and review")
@click.option("--file", "path", type=click.Path(path_type=Path), help="where rounds are kept")
def main(rounds: int, nodes: int, jobs: int, path: Path | None) -> None:
    """Review rounds, and check their accounts."""
    lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
    reviews = [Reviewed(*json.loads(line)) for line in lines[:rounds]]
    numbers = range(len(reviews), rounds)
    with ProcessPoolExecutor(jobs) as pool:
        for number, review in zip(numbers, pool.map(reviewed, numbers, repeat(nodes)), strict=True):
            reviews.append(review)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(review) + "\n")
            for text in review.wrong:
                click.echo(f"round {number}, {review.game}: {text}")
    kinds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for review in reviews:
        kinds[review.game, review.player].append(review.mistakes)
    holds = not any(review.wrong for review in reviews)
    click.echo(f"{len(reviews)} rounds, {sum(bool(review.wrong) for review in reviews)} that do not add up")
    for (game, player), mistakes in sorted(kinds.items()):
        mean = statistics.fmean(mistakes)
        error = statistics.stdev(mistakes) / len(mistakes) ** 0.5 if len(mistakes) > 1 else float("inf")
        right = abs(mean) <= _SURE * error if player == "hint" else mean < -_SURE * error
        holds &= right
        mark = "" if right else "  !"
        click.echo(f"{game:11} {player:7} {len(mistakes):5} rounds {mean:9.4f} ± {error:.4f}{mark}")
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
