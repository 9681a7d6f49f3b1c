"""What the learned judgement of the card set aside is worth: ``python -m benchmarks.kirin_asides --help``.

A hint sits in every seat of every deal in turn. Where it would set another card aside with the network than
without, the round is played both ways, with the same random numbers; elsewhere the two rounds are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from benchmarks.arena import interval, play_deal
from benchmarks.arena_kirin import KirinContest
from benchmarks.arena_players import Contest, limit_of, named
from solver.games.kirin.hint import SAMPLER, Rounds
from solver.games.kirin.position import DeclareView, View, fields_number
from solver.games.kirin.rollouts import SCORE
from solver.games.kirin.worlds import deals
from solver.hints.network import Network, read
from solver.hints.sampled import Sampler
from solver.kernels.arrays import Floats
from solver.limits import Control, Limit
from training.kirin.aside_inputs import MORE, judged


class Taught(Rounds):
    """Rounds in which a card set aside is worth so much more as the network says."""

    def __init__(self, view: DeclareView, cards: Sequence[int], seed: int, net: Network) -> None:
        super().__init__(deals(view), cards, seed)
        self._more = judged(net, view, cards)[:, MORE]

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        super().play(first, results, weights)
        results[:, :, SCORE] += self._more


def taught(net: Network) -> Sampler[Any, Any]:
    """Hints that ask the network."""

    def rounds(view: View | DeclareView, cards: Sequence[int], seed: int) -> Rounds:
        assert isinstance(view, DeclareView)
        return Taught(view, cards, seed, net)

    return replace(SAMPLER, rollouts=rounds)


def chosen(sampler: Any, view: BaseModel, limit: Limit, seed: int) -> int:
    """The card that hints of a sampler set aside."""
    return fields_number(str(sampler.hint(view, Control(limit), seed=seed).best))


def with_card(player: Callable[[BaseModel], Any], card: int) -> Callable[[BaseModel], Any]:
    """A player who sets a card aside, whatever it would say itself."""
    return lambda view: card if isinstance(view, DeclareView) else player(view)


def gains(
    contest: Contest, sampler: Sampler[Any, Any], one: str, other: str, number_: int, seed: int
) -> list[float]:
    """By seat, how many more points `one` scores with a sampler's cards set aside, against copies of `other`."""
    limit = limit_of(one)
    assert limit is not None
    found = []
    for seat in range(contest.seats):
        position = contest.deal(seed, number_)
        while contest.to_move(position) != seat:
            position = position.model_copy(update={"seat": seat})
        view = contest.game.view(position, seat)
        cards = [chosen(by, view, limit, 4 * number_ + seat) for by in (sampler, SAMPLER)]
        if cards[0] == cards[1]:
            found.append(0.0)
            continue
        scores = []
        for card in cards:
            players = [
                named(contest, one if place == seat else other, number_ * contest.seats + place)
                for place in range(contest.seats)
            ]
            players[seat] = with_card(players[seat], card)
            scores.append(play_deal(contest, players, seed, number_)[seat])
        found.append(scores[0] - scores[1])
    return found


@click.command()
@click.option("--one", default="hint:4000n", help="who is measured, by games a move or seconds")
@click.option("--against", default="rule", help="who the others are, as in benchmarks.arena")
@click.option("--deals", "count", default=100)
@click.option("--first", default=0, help="number of the first deal")
@click.option("--seed", default=1)
@click.option(
    "--weights",
    default="training/runs/kirin/asides.npz",
    type=click.Path(exists=True, path_type=Path),
    help="of the network, which make train makes",
)
def main(weights: Path, one: str, against: str, count: int, first: int, seed: int) -> None:
    """Print how many more points a round a hint scores with the network, with the 95% interval over deals."""
    contest, sampler = KirinContest(), taught(read(weights)[0])
    rows, other_cards = [], 0
    for number_ in range(first, first + count):
        found = gains(contest, sampler, one, against, number_, seed)
        rows.append(sum(found) / len(found))
        other_cards += sum(gain != 0 for gain in found)
        if len(rows) % 10 == 0 or len(rows) == count:
            mean, around = interval(rows)
            click.echo(f"{len(rows):5} deals: {mean:+.3f} ± {around:.3f}; {other_cards} rounds came out otherwise")


if __name__ == "__main__":
    main()
