"""How well a hint of Aqua Regia places the others' cards: ``python -m benchmarks.aqua_placed --help``.

In games of three equal players every fifth choice is looked at. What is told is which share of the others' hidden
cards lies where they really are, in 400 worlds: if all others are taken for trained rule players, if they are of
the kinds that hints reckon with, and in the same worlds weighted as if players who choose as the learned network
does were among them (`aqua_by_network`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click
import numpy as np

from benchmarks.aqua_by_network import ByNetwork
from benchmarks.arena import interval
from benchmarks.arena_aqua import AquaContest
from benchmarks.arena_players import named
from solver.games.aqua_regia.moves import legal_moves
from solver.games.aqua_regia.players import KINDS, ONLY_TRAINED
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import Games
from solver.kernels.arrays import Floats, Words

WORLDS = 400
EVERY = 5
MODELS: dict[str, Callable[..., Games]] = {
    "trained": partial(Games, kinds=ONLY_TRAINED),
    "kinds": partial(Games, kinds=KINDS),
    "trained, network": partial(ByNetwork, kinds=ONLY_TRAINED),
    "kinds, network": partial(ByNetwork, kinds=KINDS),
}


class _Hands:
    """Keeps the hands of the worlds that are played (`solver.hints.causes.Witness`)."""

    noted: Words

    def note(self, _first: int, _results: Floats, noted: Words) -> None:
        self.noted = noted


def placed(games: Games, view: View, hands: Words) -> tuple[float, float]:
    """The weighted share of the others' hidden cards that lie where they are, in the worlds of some games.

    And how many worlds of equal weight would tell as much.
    """
    results, weights, kept = np.empty((WORLDS, games.moves, games.statistics)), np.ones(WORLDS), _Hands()
    games.witness = kept  # type: ignore[assignment]
    games.play(0, results, weights)
    found = kept.noted[:, : hands.size].reshape(WORLDS, *hands.shape)
    shares = []
    for seat in range(view.players):
        known, hidden = len(view.known_of(seat)), view.hidden(seat)
        if seat != view.seat and hidden:
            shares.append((np.minimum(found[:, seat], hands[seat]).sum(1) - known) / hidden)
    share = float((weights * np.mean(shares, axis=0)).sum() / weights.sum())
    return share, float(weights.sum() ** 2 / (weights**2).sum())


@click.command()
@click.option("--who", default="first", help="who plays, as the arena names players")
@click.option("--players", default=3)
@click.option("--deals", "count", default=40)
@click.option("--seed", default=77)
def main(who: str, players: int, count: int, seed: int) -> None:
    """Print the shares, and by how much they differ, on average over deals."""
    contest = AquaContest(players)
    by_deal: list[Floats] = []
    worlds: list[list[float]] = []
    looked_at = 0
    for number in range(count):
        position = contest.deal(seed, number)
        table = [named(contest, who, number * players + seat) for seat in range(players)]
        rows: list[list[float]] = []
        while (seat := contest.to_move(position)) is not None:
            assert isinstance(position, KnownPosition)
            view = contest.game.view(position, seat)
            assert isinstance(view, View)
            looked_at += 1
            hidden = any(view.hidden(other) for other in range(players) if other != seat)
            if looked_at % EVERY == 0 and hidden and view.history:
                deck = position.metals
                hands = np.array([deck.counts(deck.numbers(hand)) for hand in position.hands], np.int64)
                found = [placed(model(view, legal_moves(view)[:1], 5), view, hands) for model in MODELS.values()]
                rows.append([share for share, _ in found])
                worlds.append([many for _, many in found])
            position = contest.game.play(position, contest.decide(table[seat], position, seat))
        if rows:
            by_deal.append(np.mean(rows, axis=0))
    click.echo(f"{who}, {players} players: {len(worlds)} views of {len(by_deal)} deals")
    for place, name in enumerate(MODELS):
        more, half = interval([float(row[place] - row[0]) for row in by_deal])
        share, many = np.mean(by_deal, axis=0)[place], np.median(worlds, axis=0)[place]
        click.echo(f"  {name:18} {share:.4f}: {more:+.4f} ± {half:.4f} more; {many:.0f} worlds' worth")


if __name__ == "__main__":
    main()
