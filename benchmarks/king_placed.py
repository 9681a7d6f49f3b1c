"""How well a hint of King × Alchemy places the others' cards: ``python -m benchmarks.king_placed --help``.

In rounds of four equal players every sixth choice of a play, with three to nine cards in the hand, is looked at.
What is told is which share of the others' cards lies where they really are, in 400 worlds as the hint weighs them,
and in the same worlds if they are weighed by four kinds of players (`king_fourth`).
"""

from __future__ import annotations

import click
import numpy as np

from benchmarks.arena import interval
from benchmarks.arena_king import KingContest
from benchmarks.arena_players import named
from benchmarks.king_fourth import Fourth
from solver.common import Random
from solver.games.king.hint import Rounds
from solver.games.king.moves import legal_moves
from solver.games.king.position import KnownPosition, View
from solver.games.king.worlds import deals
from solver.kernels.arrays import Floats, Words

WORLDS = 400


class _Hands:
    """Keeps the hands of the worlds that are played (`solver.hints.causes.Witness`)."""

    noted: Words

    def note(self, _first: int, _results: Floats, noted: Words) -> None:
        self.noted = noted


def placed(rounds: Rounds, seat: int, hands: tuple[int, ...]) -> float:
    """The weighted share of the cards in the other `hands` that lie there in the worlds of some rounds."""
    results, weights, kept = np.empty((WORLDS, rounds.moves, rounds.statistics)), np.ones(WORLDS), _Hands()
    rounds.witness = kept  # type: ignore[assignment]
    rounds.play(0, results, weights)
    shares = np.zeros(WORLDS)
    others = [other for other in range(len(hands)) if other != seat]
    for other in others:
        right = [(int(hand) & hands[other]).bit_count() for hand in kept.noted[:, other]]
        shares += np.array(right) / hands[other].bit_count() / len(others)
    return float((weights * shares).sum() / weights.sum())


@click.command()
@click.option("--who", default="first", help="who plays, as the arena names players")
@click.option("--deals", "count", default=60)
@click.option("--seed", default=77)
def main(who: str, count: int, seed: int) -> None:
    """Print the shares, and by how much they differ, by the cards in the hand."""
    contest = KingContest(4)
    found: dict[int, list[tuple[float, float]]] = {}
    for number in range(count):
        position = contest.deal(seed, number)
        players, random = [named(contest, who, number * 4 + seat) for seat in range(4)], Random(number, 1)
        while (seat := contest.to_move(position)) is not None:
            if isinstance(position, KnownPosition) and not position.trick_is_full:
                view = contest.game.view(position, seat)
                assert isinstance(view, View)
                moves, left = legal_moves(view), len(view.hand)
                if 3 <= left <= 9 and random.below(6) == 0 and len(moves) > 1:
                    hands, dealt = position.state.hands, deals(view)
                    three, four = (placed(kind(dealt, moves, 5), seat, hands) for kind in (Rounds, Fourth))
                    found.setdefault(left, []).append((three, four))
            position = contest.game.play(position, contest.decide(players[seat], position, seat))
    every = [pair for left in found for pair in found[left]]
    for name, pairs in [*((f"{left} cards", found[left]) for left in sorted(found)), ("all", every)]:
        more, half = interval([four - three for three, four in pairs])
        means = np.mean(pairs, axis=0)
        click.echo(
            f"{name:8} {len(pairs):5} views: three kinds {means[0]:.4f}, four {means[1]:.4f}: "
            f"{more:+.4f} ± {half:.4f} more"
        )


if __name__ == "__main__":
    main()
