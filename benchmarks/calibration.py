"""What hints say against what is then scored: ``python -m benchmarks.calibration kirin --others rule``.

One player who follows the hint sits among others of one kind, in every seat of every deal in turn, as in the
arena. At each of its choices the mean that the hint says of its best move is noted, and after the round what it
scored. Where the two agree on average the hint's model of the others is right; the interval is over the deals,
which are independent.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS, interval, play_deal
from benchmarks.arena_players import Contest, Player, limit_of, named
from solver.common.control import Control, Limit
from solver.common.rng import Random

Said = tuple[int, float]  # how many cards the hand had, and the mean that was said


def noting(contest: Contest, limit: Limit, seed: int, said: list[Said]) -> Player:
    """A player who follows the hint, and notes what it says."""
    random = Random(seed, 7)

    def play(view: BaseModel) -> Any:
        moves = contest.game.legal_moves(view)
        if len(moves) == 1:
            return moves[0]
        answer: Any = contest.game.hint(view, Control(limit), seed=random.below(1 << 30))
        said.append((len(view.hand), answer.moves[0].mean))  # type: ignore[attr-defined]
        return contest.game.parse_move(view, str(answer.best))

    return play


def deal_errors(contest: Contest, others: str, limit: Limit, seed: int, number: int) -> dict[int, float]:
    """By the cards in the hand: what hints said less what was scored, on average over the seats of a deal."""
    found: dict[int, list[float]] = defaultdict(list)
    for seat in range(contest.seats):
        said: list[Said] = []
        players = [
            noting(contest, limit, number * contest.seats + place, said)
            if place == seat
            else named(contest, others, number * contest.seats + place)
            for place in range(contest.seats)
        ]
        score = play_deal(contest, players, seed, number)[seat]
        for cards, mean in said:
            found[cards].append(mean - score)
    return {cards: float(np.mean(errors)) for cards, errors in found.items()}


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--others", multiple=True, default=["rule", "random"], help="as in the arena")
@click.option("--limit", default="hint:1000n", help="the hint, as in the arena")
@click.option("--deals", default=40)
@click.option("--seed", default=1)
def main(game: str, others: tuple[str, ...], limit: str, deals: int, seed: int) -> None:
    """Print how much more hints say than is scored, by the cards in the hand, with 95% intervals."""
    contest = CONTESTS[game]()
    contest.game.warm()
    most = limit_of(limit)
    assert most is not None
    for kind in others:
        rows = [deal_errors(contest, kind, most, seed, number) for number in range(deals)]
        click.echo(f"{game}, {limit} among {kind}, {deals} deals: said less scored")
        for cards in sorted({cards for row in rows for cards in row}, reverse=True):
            mean, half = interval([row[cards] for row in rows if cards in row])
            click.echo(f"{cards:3} cards {mean:+.3f} ± {half:.3f}")


if __name__ == "__main__":
    main()
