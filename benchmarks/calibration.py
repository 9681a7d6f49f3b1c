"""What hints predict, compared with what is then scored: ``python -m benchmarks.calibration kirin --others rule``.

One player who follows the hint sits in every seat of every deal in turn, among opponents of one kind, as in the
arena. At each of its choices, the hint's mean for its best move is recorded, and after the round the score. If the
two agree on average, the hint's model of the others is right. Intervals are over deals, which are independent.
Deals are appended to a file, one line each, so that a longer run continues an earlier one, and a picture of all of
them can be drawn.

Finally it prints each game's table `calibrated`: how wrong hints are if the others differ from what they assume.
For each kind of player and number of cards in the hand, a straight line is fitted to the score as a function of
the prediction. The model's error is the root mean square distance, over the hints, between that line and "score =
prediction": the line's mean shows predictions that are too high or too low, its slope predicted differences that
are too large or too small. The luck of the deal is the scatter around the line; its contribution to the distance
is subtracted. Errors that cancel at the same prediction don't show, so the true error may be larger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS, interval, play_deal
from benchmarks.players import Contest, Player, done, limit_of, named
from solver.common import Random
from solver.kernels.words import Floats
from solver.limits import Control, Limit

_TELLING = 5  # deals in which hints are asked for the errors that they state
Errors = dict[int, float]  # of a deal, by the cards in the hand
_FEWEST = 20  # rounds for a line


class Said(NamedTuple):
    """A hint's prediction: the `mean` of its best move and its sampling error, with this number of `cards` in the
    hand.
    """

    cards: int
    mean: float
    stderr: float


class Round(NamedTuple):
    """The hints' predictions in a round, one for each choice, and the score."""

    said: list[Said]
    scored: float


def squared_error(said: Floats, scored: Floats, rounds: int) -> float:
    """The mean squared distance between a fitted line and `said`, minus the expected contribution of luck.

    A line has two parameters, so luck of variance v adds 2 v / n for n independent rounds.
    """
    slope, offset = np.polyfit(said, scored, 1)
    line = offset + slope * said
    luck = float(np.sum((scored - line) ** 2)) / max(len(said) - 2, 1)
    return float(np.mean((said - line) ** 2)) - 2 * luck / rounds


def model_errors(kinds: Mapping[str, Sequence[Round]]) -> dict[int, float]:
    """The model's error for each number of cards in hand: the root mean square over the kinds of opponents.

    Each number is pooled with the numbers one lower and one higher. Numbers with too few rounds are left out.
    """
    counts = sorted({said.cards for rounds in kinds.values() for round_ in rounds for said in round_.said})
    errors = {}
    for cards in counts:
        squares = []
        for rounds in kinds.values():
            near = [
                (said.mean, round_.scored)
                for round_ in rounds
                for said in round_.said
                if abs(said.cards - cards) <= 1
            ]
            there = sum(any(abs(said.cards - cards) <= 1 for said in round_.said) for round_ in rounds)
            if there >= _FEWEST and len({mean for mean, _ in near}) > 2:
                means, scores = np.array(near).T
                squares.append(squared_error(means, scores, there))
        if len(squares) == len(kinds):
            errors[cards] = float(np.sqrt(max(0.0, float(np.mean(squares)))))
    return errors


def noting(contest: Contest, limit: Limit, seed: int, said: list[Said]) -> Player:
    """A player who follows the hint and records its predictions."""
    random = Random(seed, 7)

    def play(view: BaseModel) -> Any:
        moves = contest.game.legal_moves(view)
        if len(moves) == 1:
            return moves[0]
        answer: Any = contest.game.hint(view, Control(limit), seed=random.below(1 << 30))
        best = answer.moves[0]
        said.append(Said(len(view.hand), best.mean, best.stderr or 0.0))  # type: ignore[attr-defined]
        return contest.game.parse_move(view, str(answer.best))

    return play


def deal_rounds(contest: Contest, others: str, limit: Limit, seed: int, number: int) -> list[Round]:
    """The rounds of a deal: a player who follows hints in each seat in turn, among opponents of one kind."""
    rounds = []
    for seat in range(contest.seats):
        said: list[Said] = []
        players = [
            noting(contest, limit, number * contest.seats + index, said)
            if index == seat
            else named(contest, others, number * contest.seats + index)
            for index in range(contest.seats)
        ]
        rounds.append(Round(said, play_deal(contest, players, seed, number)[seat]))
    return rounds


def errors_of(rounds: Sequence[Round]) -> Errors:
    """The mean of prediction minus score over all choices of a deal, for each number of cards in hand."""
    by_cards: dict[int, list[float]] = defaultdict(list)
    for round_ in rounds:
        for said in round_.said:
            by_cards[said.cards].append(said.mean - round_.scored)
    return {cards: float(np.mean(errors)) for cards, errors in by_cards.items()}


def table(rows: Sequence[Errors]) -> dict[int, tuple[float, float]]:
    """The mean error over the deals and the half-width of its 95% interval, for each number of cards in hand."""
    return {
        cards: interval([row[cards] for row in rows if cards in row])
        for cards in sorted({cards for row in rows for cards in row}, reverse=True)
    }


def draw(
    path: Path,
    title: str,
    tables: Mapping[str, Mapping[int, tuple[float, float]]],
    told: Mapping[int, float],
    unit: str,
) -> None:
    """Plot errors against the number of cards in hand.

    `tables` has the result of `table` for each kind of opponent, which becomes a line; `told` has the errors that
    hints state, which become a shaded band.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color="grey", linewidth=0.8)
    places, errors = list(told), 1.96 * np.array(list(told.values()))
    axes.fill_between(places, -errors, errors, color="grey", alpha=0.2, linewidth=0, label="the error told (95%)")
    for step, (kind, means) in enumerate(tables.items()):
        shown = {cards: means[cards] for cards in means if cards in told}
        beside = [cards + 0.08 * (step - (len(tables) - 1) / 2) for cards in shown]
        middles, halves = zip(*shown.values(), strict=True)
        axes.errorbar(beside, middles, yerr=halves, marker="o", markersize=3, capsize=2, label=kind)
    axes.invert_xaxis()
    axes.set(title=title, xlabel="cards in the hand", ylabel=f"said less scored, {unit}")
    axes.legend(title="among")
    figure.savefig(path)


def errors_told(contest: Contest, cards: Collection[int]) -> dict[int, float]:
    """The error of its model that a hint states, for each number of cards in hand in `cards`."""
    errors: dict[int, float] = {}
    for number in range(_TELLING):
        position = contest.deal(0, number)
        player = named(contest, "rule", number)
        while (seat := contest.to_move(position)) is not None:
            view: Any = contest.game.view(position, seat)
            if len(view.hand) in cards and len(view.hand) not in errors:
                answer: Any = contest.game.hint(view, Control(), worlds=1)
                errors[len(view.hand)] = answer.model_error or 0.0
            position = contest.game.play(position, contest.decide(player, position, seat))
    return dict(sorted(errors.items()))


def rounds_of(told: Sequence[Any]) -> list[Round]:
    """The rounds of a deal, from JSON."""
    return [Round([Said(*said) for said in of_hints], scored) for of_hints, scored in told]


@click.command()
@click.argument("game", type=click.Choice(sorted(CONTESTS)))
@click.option("--others", multiple=True, default=["rule", "thrifty", "greedy", "random"], help="as in the arena")
@click.option("--limit", default="hint:1000n", help="the hint, as in the arena")
@click.option("--deals", default=40, help="of each kind, those in the file counted")
@click.option("--seed", default=1)
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
@click.option("--draw", "picture", type=click.Path(path_type=Path), help="a picture: .svg or .png")
def main(
    game: str,
    others: tuple[str, ...],
    limit: str,
    deals: int,
    seed: int,
    path: Path | None,
    picture: Path | None,
) -> None:
    """Print how much hints overestimate the score for each number of cards in hand, with 95% intervals."""
    contest = CONTESTS[game]()
    contest.game.warm()
    most = limit_of(limit)
    assert most is not None
    tables = {}
    everything = {}
    for kind in others:
        key = {"game": game, "limit": limit, "others": kind, "seed": seed}
        play = partial(deal_rounds, contest, kind, most, seed)
        rows = [rounds_of(data) for data in done(path, key, "rounds", range(deals), play)]
        everything[kind] = [round_ for rounds in rows for round_ in rounds]
        errors = [errors_of(rounds) for rounds in rows]
        tables[kind] = table(errors)
        click.echo(f"{game}, {limit} among {kind}, {len(rows)} deals: said less scored")
        for cards, (mean, half) in tables[kind].items():
            click.echo(f"{cards:3} cards {mean:+.3f} ± {half:.3f}")
        mean, half = interval([sum(row.values()) / len(row) for row in errors if row])
        click.echo(f"    all   {mean:+.3f} ± {half:.3f}")
    click.echo(f"{game}, {limit}: the error of the model, by cards")
    click.echo(", ".join(f"{cards}: {error:.3f}" for cards, error in model_errors(everything).items()))
    if picture is not None:
        stated = errors_told(contest, {cards for means in tables.values() for cards in means})
        unit = "wins" if game.startswith("aqua") else "points"
        draw(picture, f"{game}: what hints say and what is scored", tables, stated, unit)


if __name__ == "__main__":
    main()
