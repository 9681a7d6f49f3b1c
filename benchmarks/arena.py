"""Players of hidden-card games against each other on the same deals: ``python -m benchmarks.arena --help``.

One player sits in every seat of every deal in turn, against copies of another. A deal's margin is the player's
score minus the mean of the others', averaged over the seatings; the interval is over deals, which are independent.
A seat's random numbers don't depend on who plays, so the scores of two players against the same opponents can be
compared deal by deal. Results are appended to a file, one line per deal, so that a longer run continues an earlier
one; deal `i` of a seed is always the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import sqrt
from pathlib import Path

import click
import numpy as np

from benchmarks.aqua_regia import AquaContest
from benchmarks.king import KingContest
from benchmarks.kirin import KirinContest
from benchmarks.players import Contest, Player, Sighted, done, limit_of, named, parted
from benchmarks.release import ReleaseError
from solver.errors import MoveError, RequestError
from solver.hints.ranking import SURE, student

CONTESTS: dict[str, Callable[[], Contest]] = {
    **{f"aqua-regia-{seats}": partial(AquaContest, seats) for seats in (2, 3, 4, 5)},
    "kirin": KirinContest,
    **{f"king-{seats}": partial(KingContest, seats) for seats in (3, 4, 5)},
}
_PLAYERS = (
    "random, greedy, rule, first (the first answer of a hint), hint:SECONDS, hint:20000n (games a move), "
    "sighted:SECONDS (who sees all cards) or release:REF:SECONDS (the hint of a commit, a tag or a wheel); in "
    "king and kirin thrifty and flat:SECONDS; in aqua-regia but-stock:SECONDS (sees hands, not the stock); or "
    "MODULE:FUNCTION of your own, which gets a view and returns a move (see docs/research.md)"
)
Seatings = list[list[float]]  # of a deal, for each seat of a player: its score, and the mean of the others'
_THINKERS = ("hint", "release")  # and those that sample as hints do


def play_deal(contest: Contest, players: list[Player], seed: int, number: int) -> list[float]:
    """Play a deal, and return the score of each seat."""
    position = contest.deal(seed, number)
    while (seat := contest.to_move(position)) is not None:
        player = players[seat]
        if isinstance(player, Sighted):
            player.see(position)
        position = contest.game.play(position, contest.decide(player, position, seat))
    return list(contest.scores(position))


def play_seatings(contest: Contest, one: str, other: str, seed: int, number: int) -> Seatings:
    """For each seat that `one` takes: its score, and the mean of the others' scores."""
    rows = []
    for seat in range(contest.seats):
        players = [
            named(contest, one if index == seat else other, number * contest.seats + index)
            for index in range(contest.seats)
        ]
        scores = play_deal(contest, players, seed, number)
        rows.append([scores[seat], (sum(scores) - scores[seat]) / (contest.seats - 1)])
    return rows


def interval(values: list[float]) -> tuple[float, float]:
    """The mean, and the half-width of its 95% interval, by Student's t, since a run may have only a few deals."""
    count = len(values)
    if count < 2:
        return (values[0] if values else 0.0), float("inf")
    return float(np.mean(values)), float(SURE * student(count - 1) * np.std(values, ddof=1)) / sqrt(count)


def gain(rows: list[Seatings], than: list[Seatings]) -> tuple[float, float]:
    """How much more one player scores than another against the same opponents on the same deals.

    Returns the mean difference, and the half-width of its 95% interval.
    """
    scores = ([float(np.mean([score for score, _ in row])) for row in rows_] for rows_ in (rows, than))
    return interval([own - other for own, other in zip(*scores, strict=False)])


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--one", multiple=True, default=["hint:0.05"], help=f"who is measured: {_PLAYERS}")
@click.option(
    "--against",
    multiple=True,
    default=["random", "greedy", "rule"],
    help="who the others are; without SECONDS they get as many",
)
@click.option("--deals", default=20, help="of each pairing, those in the file counted")
@click.option("--first", default=0, help="number of the first deal")
@click.option("--seed", default=1)
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
def main(
    game: str,
    one: tuple[str, ...],
    against: tuple[str, ...],
    deals: int,
    first: int,
    seed: int,
    path: Path | None,
) -> None:
    """Play, and print a table of margins with 95% intervals."""
    contest = CONTESTS[game]()
    try:
        for name in (*one, *against):
            named(contest, name, 0)
    except (RequestError, ReleaseError) as error:
        raise click.UsageError(str(error)) from None
    contest.game.warm()
    click.echo(f"{'player':12} {'against':12} {'deals':>6} {'score':>16} {'others':>8} {'margin (95%)':>18}")
    first_rows: dict[str, list[Seatings]] = {}  # of the first player, by who the others were
    for who in one:
        for whom in against:
            kind, _, unlimited = parted(whom)
            if (
                kind in (*_THINKERS, *contest.sampled, *contest.sighted)
                and not unlimited
                and limit_of(who) is not None
            ):
                whom += ":" + parted(who)[2]
            key = {"game": game, "one": who, "against": whom, "seed": seed}
            play = partial(play_seatings, contest, who, whom, seed)
            try:
                rows: list[Seatings] = list(done(path, key, "scores", range(first, first + deals), play))
            except MoveError as error:
                raise click.ClickException(error.message) from None
            own, spread = interval([float(np.mean([s for s, _ in row])) for row in rows])
            others, _ = interval([float(np.mean([o for _, o in row])) for row in rows])
            margin, half = interval([float(np.mean([s - o for s, o in row])) for row in rows])
            click.echo(
                f"{who:12} {whom:12} {len(rows):6} {own:8.3f} ± {spread:.3f} {others:8.3f} "
                f"{margin:10.3f} ± {half:.3f}"
            )
            if (than := first_rows.setdefault(whom, rows)) is not rows:
                more, half = gain(rows, than)
                click.echo(f"{'':12} on the same deals {more:+.3f} ± {half:.3f} points more than {one[0]}")


if __name__ == "__main__":
    main()
