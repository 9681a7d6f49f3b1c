"""Leads that hints say against what they bring: ``python -m benchmarks.leads kirin --others rule``.

One player who plays by the trained rules sits among others of one kind, in every seat of every deal in turn. At
each of its choices a hint is asked, and the round is played to its end after the hint's best move and after the
next best, with the cards as they lie and the same random numbers. So a hint's lead (`said`) has what it brought
(`came`) beside it, for the play that hints reckon with: the own seat goes on by rules.

With a lead said d that errs by e, d = g + e, what comes is g and luck. Where the error does not depend on g, the
mean of d (d − came) is the mean of e², of which the error of sampling is known; the rest is the error of the model
of the others. Intervals are over the deals, which are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS, interval
from benchmarks.arena_players import Contest, Player, limit_of, named
from benchmarks.kept_deals import complete, kept
from solver.common.control import Control, Limit
from solver.common.rng import Random

_SURE = 1.96  # standard errors, as in what hints say


class Lead(NamedTuple):
    """How much the best move led the next by what was `said`, with the error of sampling, and by what `came`."""

    cards: int
    said: float
    stderr: float
    came: float


def after(contest: Contest, position: BaseModel, seat: int, move: Any, players: Sequence[Player]) -> float:
    """What a seat scores that makes a move now, and goes on as the player in its seat does."""
    waiting = [move]

    def begins(view: BaseModel) -> Any:
        return waiting.pop() if waiting else players[seat](view)

    position = contest.game.play(position, contest.decide(begins, position, seat))
    while (turn := contest.to_move(position)) is not None:
        position = contest.game.play(position, contest.decide(players[turn], position, turn))
    return contest.scores(position)[seat]


def deal_leads(contest: Contest, others: str, limit: Limit, seed: int, number: int, *, rounds: int) -> list[Lead]:
    """The leads of a deal, of every choice of every seat; after each move so many rounds are played to the end."""
    found = []
    for seat in range(contest.seats):

        def players(salt: int, seat: int = seat) -> list[Player]:
            return [
                named(contest, "rule" if place == seat else others, (number * contest.seats + place) * 1000 + salt)
                for place in range(contest.seats)
            ]

        playing = players(0)
        random = Random(seed + 9, number * contest.seats + seat)
        position = contest.deal(seed, number)
        while (turn := contest.to_move(position)) is not None:
            if turn == seat:
                lead = _lead(contest, position, seat, limit, random.below(1 << 30), players, rounds)
                found += [lead] if lead else []
            position = contest.game.play(position, contest.decide(playing[turn], position, turn))
    return found


def _lead(
    contest: Contest,
    position: BaseModel,
    seat: int,
    limit: Limit,
    seed: int,
    players: Callable[[int], list[Player]],
    rounds: int,
) -> Lead | None:
    view = contest.game.view(position, seat)
    if len(contest.game.legal_moves(view)) == 1:
        return None
    answer: Any = contest.game.hint(view, Control(limit), seed=seed)
    moves = [contest.game.parse_move(view, entry.move) for entry in answer.moves[:2]]
    came = [
        after(contest, position, seat, moves[0], players(salt))
        - after(contest, position, seat, moves[1], players(salt))
        for salt in range(1, rounds + 1)
    ]
    second = answer.moves[1]
    return Lead(len(view.hand), second.behind, second.behind_stderr or 0.0, float(np.mean(came)))  # type: ignore[attr-defined]


def squared_error(leads: Sequence[Lead]) -> float:
    """An estimate of the mean square of the model's error of leads, which luck may put below 0."""
    return float(np.mean([lead.said * (lead.said - lead.came) - lead.stderr**2 for lead in leads]))


def described(deals: Sequence[Sequence[Lead]]) -> str:
    """What all leads tell, and the clear ones; intervals are over the deals."""
    told = [leads for leads in deals if leads]
    said, _ = interval([float(np.mean([lead.said for lead in leads])) for leads in told])
    more, half = interval([float(np.mean([lead.said - lead.came for lead in leads])) for leads in told])
    squared, width = interval([squared_error(leads) for leads in told])
    return f"said {said:.3f}, too much by {more:+.3f} ± {half:.3f}; squared error {squared:+.4f} ± {width:.4f}"


def clear(lead: Lead) -> bool:
    """Whether a hint says such a lead without a caveat for the luck of the draw."""
    return lead.said > _SURE * lead.stderr


def recorded(path: Path | None, key: Mapping[str, object]) -> dict[int, list[Lead]]:
    """The deals of a file that were played so, by their numbers."""
    return {number: [Lead(*lead) for lead in told] for number, told in kept(path, key, "leads").items()}


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--others", multiple=True, default=["rule", "greedy"], help="as in the arena")
@click.option("--limit", default="hint:2000n", help="the hint, as in the arena")
@click.option("--deals", default=40, help="of each kind, those in the file counted")
@click.option("--rounds", default=1, help="that are played to the end after each of two moves")
@click.option("--seed", default=1)
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
def main(
    game: str, others: tuple[str, ...], limit: str, deals: int, rounds: int, seed: int, path: Path | None
) -> None:
    """Print how much more hints say that a move leads by than it brings, with 95% intervals."""
    contest = CONTESTS[game]()
    contest.game.warm()
    most = limit_of(limit)
    assert most is not None
    everything: list[list[Lead]] = []
    for kind in others:
        key = {"game": game, "limit": limit, "others": kind, "seed": seed, "rounds": rounds}
        rows = recorded(path, key)
        play = partial(deal_leads, contest, kind, most, seed, rounds=rounds)
        complete(rows, deals, path, key, "leads", play)
        everything += rows.values()
        click.echo(f"{game}, {limit} among {kind}, {len(rows)} deals, {sum(map(len, rows.values()))} leads")
        _tell(list(rows.values()))
    click.echo(f"{game}, {limit}, all together")
    _tell(everything)


def _tell(deals: Sequence[Sequence[Lead]]) -> None:
    click.echo(f"  all leads:       {described(deals)}")
    surely = [[lead for lead in leads if clear(lead)] for leads in deals]
    click.echo(f"  without caveat:  {described(surely)}")


if __name__ == "__main__":
    main()
