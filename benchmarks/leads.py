"""How far hints say the best move is ahead of the next best, compared with how far it really is.

Run it with ``python -m benchmarks.leads kirin --others rule``.

One player who plays by the trained rules sits in every seat of every deal in turn, among opponents of one kind. At
each of its choices a hint is asked for, and the round is played to its end after the hint's best move and after
the next best, in the actual deal and with the same random numbers. So each predicted lead (`said`) is paired with
the real one (`came`), for the play that hints assume: the player's seat continues by rules.

Let a predicted lead be d = g + e, where g is the expected real lead and e the error of the prediction; `came` is g
plus luck. If e averages zero whatever g is, the mean of d (d − came) estimates the mean of e². The variance from
sampling is known; the rest is the error of the model of the others. Intervals treat deals as independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS, interval
from benchmarks.players import Contest, Player, done, limit_of, named
from solver.common import Random
from solver.hints.ranking import SURE
from solver.limits import Control, Limit


class Lead(NamedTuple):
    """The lead of the best move over the next: predicted (`said`), with its sampling error, and real (`came`)."""

    cards: int
    said: float
    stderr: float
    came: float


def after(
    contest: Contest, position: BaseModel, seat: int, made: Sequence[Any], players: Sequence[Player]
) -> float:
    """The score of a seat that first makes the moves `made`, and then plays like its player in `players`."""
    waiting = list(made)

    def begins(view: BaseModel) -> Any:
        return waiting.pop(0) if waiting else players[seat](view)

    position = contest.game.play(position, contest.decide(begins, position, seat))
    while (turn := contest.to_move(position)) is not None:
        position = contest.game.play(position, contest.decide(players[turn], position, turn))
    return contest.scores(position)[seat]


class Asked(NamedTuple):
    """The kind of the `others`, and the limit of the hint."""

    others: str
    limit: Limit


def deal_leads(contest: Contest, asked: Asked, seed: int, number: int) -> list[Lead]:
    """The leads of a deal, for every choice of every seat."""
    return [lead for seat in range(contest.seats) for lead in _seat_leads(contest, asked, seed, number, seat)]


def _seat_leads(contest: Contest, asked: Asked, seed: int, number: int, seat: int) -> list[Lead]:
    leads: list[Lead] = []
    kinds = ["rule" if index == seat else asked.others for index in range(contest.seats)]

    def players(salt: int) -> list[Player]:
        return [
            named(contest, kind, (number * contest.seats + index) * 1000 + salt)
            for index, kind in enumerate(kinds)
        ]

    playing = players(0)
    random = Random(seed + 9, number * contest.seats + seat)
    position = contest.deal(seed, number)
    steps: list[Any] = []  # at this turn: some moves are made in two steps, with a card drawn in between

    def looked_at(view: BaseModel) -> Any:
        """The choice of the seat's player, after recording the lead that a hint predicts."""
        drawn = random.below(1 << 30)
        if len(contest.game.legal_moves(view)) > 1:
            moves, lead = _said(contest, asked, view, drawn)
            best, other = (after(contest, position, seat, [*steps, move], players(1)) for move in moves)
            leads.append(lead._replace(came=best - other))
        steps.append(playing[seat](view))
        return steps[-1]

    while (turn := contest.to_move(position)) is not None:
        steps.clear()
        player = looked_at if turn == seat else playing[turn]
        position = contest.game.play(position, contest.decide(player, position, turn))
    return leads


def _said(contest: Contest, asked: Asked, view: BaseModel, seed: int) -> tuple[list[Any], Lead]:
    """The two best moves of a hint, and the lead it predicts of the first over the second; `came` is still 0."""
    answer: Any = contest.game.hint(view, Control(asked.limit), seed=seed)
    moves = [contest.game.parse_move(view, entry.move) for entry in answer.moves[:2]]
    second = answer.moves[1]
    lead = Lead(len(view.hand), second.gap, second.gap_stderr or 0.0, 0.0)  # type: ignore[attr-defined]
    return moves, lead


def squared_error(leads: Sequence[Lead]) -> float:
    """An estimate of the mean square of the model's error in leads; luck may make it negative."""
    return float(np.mean([lead.said * (lead.said - lead.came) - lead.stderr**2 for lead in leads]))


def described(deals: Sequence[Sequence[Lead]]) -> str:
    """A summary of the leads of some deals, in words; intervals are over the deals."""
    with_leads = [leads for leads in deals if leads]
    every = [lead for leads in with_leads for lead in leads]
    if not every:
        return "none"
    said, _ = interval([float(np.mean([lead.said for lead in leads])) for leads in with_leads])
    more, half = interval([float(np.mean([lead.said - lead.came for lead in leads])) for leads in with_leads])
    squared, width = interval([squared_error(leads) for leads in with_leads])
    other, same = (sum(sign * lead.came > 0 for lead in every) for sign in (-1, 1))
    return (
        f"{len(every)}, said {said:.3f}, too much by {more:+.3f} ± {half:.3f}; squared error {squared:+.4f} ± "
        f"{width:.4f}; {same} came so, {other} the other way"
    )


def clear(lead: Lead) -> bool:
    """Whether a hint calls such a lead clear, without a caveat for the luck of the draw."""
    return lead.said > SURE * lead.stderr


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--others", multiple=True, default=["rule", "greedy"], help="as in the arena")
@click.option("--limit", default="hint:2000n", help="the hint, as in the arena")
@click.option("--deals", default=40, help="of each kind, those in the file counted")
@click.option("--seed", default=1)
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
def main(
    game: str,
    others: tuple[str, ...],
    limit: str,
    deals: int,
    seed: int,
    path: Path | None,
) -> None:
    """Print how much hints overestimate leads, with 95% intervals."""
    contest = CONTESTS[game]()
    contest.game.warm()
    most = limit_of(limit)
    assert most is not None
    everything: list[list[Lead]] = []
    for kind in others:
        key = {"game": game, "limit": limit, "others": kind, "seed": seed}
        play = partial(deal_leads, contest, Asked(kind, most), seed)
        rows = [[Lead(*lead) for lead in data] for data in done(path, key, "leads", range(deals), play)]
        everything += rows
        click.echo(f"{game}, {limit} among {kind}, {len(rows)} deals")
        _tell(rows)
    click.echo(f"{game}, {limit}, all together")
    _tell(everything)


def _tell(deals: Sequence[Sequence[Lead]]) -> None:
    click.echo(f"  all leads:       {described(deals)}")
    surely = [[lead for lead in leads if clear(lead)] for leads in deals]
    click.echo(f"  without caveat:  {described(surely)}")


if __name__ == "__main__":
    main()
