"""What hints say against what is then scored: ``python -m benchmarks.calibration kirin --others rule``.

One player who follows the hint sits among others of one kind, in every seat of every deal in turn, as in the
arena. At each of its choices the mean that the hint says of its best move is noted, and after the round what it
scored. Where the two agree on average the hint's model of the others is right; the interval is over the deals,
which are independent. Deals are appended to a file, a line a deal, so that a longer run goes on where another
ended, and a picture can be drawn of all that it has.

With ``--once`` the player follows the hint at one choice only, drawn at random, and plays as the trained rule
player before it and after it. That is what a hint reckons with: its mean is of rounds in which the own seat, too,
plays on by rules.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS, interval, play_deal
from benchmarks.arena_players import Contest, Player, limit_of, named
from solver.common.control import Control, Limit
from solver.common.rng import Random

Said = tuple[int, float]  # how many cards the hand had, and the mean that was said


def noting(contest: Contest, limit: Limit, seed: int, said: list[Said], *, once: int | None = None) -> Player:
    """A player who follows the hint, and notes what it says; or only the first time that it has `once` cards."""
    random = Random(seed, 7)

    def play(view: BaseModel) -> Any:
        moves = contest.game.legal_moves(view)
        if len(moves) == 1:
            return moves[0]
        if once is not None and (said or len(view.hand) != once):  # type: ignore[attr-defined]
            return contest.simple("rule", view, random)
        answer: Any = contest.game.hint(view, Control(limit), seed=random.below(1 << 30))
        said.append((len(view.hand), answer.moves[0].mean))  # type: ignore[attr-defined]
        return contest.game.parse_move(view, str(answer.best))

    return play


def deal_errors(
    contest: Contest, others: str, limit: Limit, seed: int, number: int, *, once: bool = False
) -> dict[int, float]:
    """By the cards in the hand: what hints said less what was scored, on average over the seats of a deal."""
    found: dict[int, list[float]] = defaultdict(list)
    most = len(contest.game.view(contest.deal(seed, number), 0).hand)  # type: ignore[attr-defined]
    cards_left = Random(seed + 5, number)
    for seat in range(contest.seats):
        said: list[Said] = []
        only = 2 + cards_left.below(most - 1) if once else None
        players = [
            noting(contest, limit, number * contest.seats + place, said, once=only)
            if place == seat
            else named(contest, others, number * contest.seats + place)
            for place in range(contest.seats)
        ]
        score = play_deal(contest, players, seed, number)[seat]
        for cards, mean in said:
            found[cards].append(mean - score)
    return {cards: float(np.mean(errors)) for cards, errors in found.items()}


Errors = dict[int, float]  # of a deal, by the cards in the hand


def table(rows: Sequence[Errors]) -> dict[int, tuple[float, float]]:
    """By the cards in the hand: the mean error over the deals, and half of its 95% interval."""
    return {
        cards: interval([row[cards] for row in rows if cards in row])
        for cards in sorted({cards for row in rows for cards in row}, reverse=True)
    }


def draw(path: Path, title: str, tables: Mapping[str, Mapping[int, tuple[float, float]]]) -> None:
    """A picture of the tables, a line for each kind of the others."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color="grey", linewidth=0.8)
    for step, (kind, means) in enumerate(tables.items()):
        places = [cards + 0.08 * (step - (len(tables) - 1) / 2) for cards in means]
        middles, halves = zip(*means.values(), strict=True)
        axes.errorbar(places, middles, yerr=halves, marker="o", markersize=3, capsize=2, label=kind)
    axes.invert_xaxis()
    axes.set(title=title, xlabel="cards in the hand", ylabel="said less scored, points")
    axes.legend(title="among")
    figure.savefig(path)


def recorded(path: Path | None, key: Mapping[str, object]) -> dict[int, Errors]:
    """The deals of a file that were played so, by their numbers."""
    if path is None or not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {
        row["deal"]: {int(cards): error for cards, error in row["errors"].items()}
        for row in rows
        if {name: row.get(name, False) for name in key} == key
    }


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--others", multiple=True, default=["rule", "random"], help="as in the arena")
@click.option("--limit", default="hint:1000n", help="the hint, as in the arena")
@click.option("--deals", default=40, help="of each kind, those in the file counted")
@click.option("--seed", default=1)
@click.option("--once", is_flag=True, help="follow the hint at one choice, the trained rule player elsewhere")
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
@click.option("--draw", "picture", type=click.Path(path_type=Path), help="a picture: .svg or .png")
def main(
    game: str,
    others: tuple[str, ...],
    limit: str,
    deals: int,
    seed: int,
    once: bool,
    path: Path | None,
    picture: Path | None,
) -> None:
    """Print how much more hints say than is scored, by the cards in the hand, with 95% intervals."""
    contest = CONTESTS[game]()
    contest.game.warm()
    most = limit_of(limit)
    assert most is not None
    tables = {}
    for kind in others:
        key = {"game": game, "limit": limit, "others": kind, "seed": seed, "once": once}
        rows = recorded(path, key)
        for number in range(deals):
            if number not in rows:
                rows[number] = deal_errors(contest, kind, most, seed, number, once=once)
                if path is not None:
                    with path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({**key, "deal": number, "errors": rows[number]}) + "\n")
        tables[kind] = table(list(rows.values()))
        click.echo(f"{game}, {limit} among {kind}, {len(rows)} deals: said less scored")
        for cards, (mean, half) in tables[kind].items():
            click.echo(f"{cards:3} cards {mean:+.3f} ± {half:.3f}")
        mean, half = interval([error for row in rows.values() if row for error in [sum(row.values()) / len(row)]])
        click.echo(f"    all   {mean:+.3f} ± {half:.3f}")
    if picture is not None:
        draw(picture, f"{game}: what hints say and what is scored", tables)


if __name__ == "__main__":
    main()
