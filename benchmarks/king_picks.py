"""What a hint of King × Alchemy would pick with the network for picks beside its sampled rounds.

``python -m benchmarks.king_picks --help``. Of random hands every pick's points are estimated by many rounds among
trained rule players: by these picks are judged. A hint of so many worlds picks the card with the best mean. With
the network, its points count as much as those of so many further worlds; with endless many it picks alone.
"""

from __future__ import annotations

import click
import numpy as np

from benchmarks.arena import interval
from solver.games.king import GAME
from solver.games.king.hint import Rounds
from solver.games.king.learned import heads, judge_picks, sight_of, trial
from solver.games.king.moves import legal_moves
from solver.games.king.players import EXPECTED, TRAINED, new_room
from solver.games.king.position import PickView
from solver.games.king.worlds import deals
from solver.kernels.arrays import Floats

_OTHER_SEED = 1_000_003  # of the rounds that judge
_TRAINED_ALONE = np.eye(len(EXPECTED))[TRAINED]


def means(view: PickView, worlds: int, seed: int, expected: Floats, counts: tuple[int, ...]) -> Floats:
    """The mean points of each pick in so many of the worlds, a row for each of the `counts`."""
    rounds = Rounds(deals(view), legal_moves(view), seed, expected=expected)
    results = np.empty((worlds, rounds.moves, rounds.statistics))
    rounds.play(0, results, np.ones(worlds))
    return np.array([results[:count, :, 0].mean(0) for count in counts])


def pick_worth(view: PickView) -> Floats:
    """How many points the network makes of each pick, in the order of the legal moves."""
    seen, room, (judges, _, _) = sight_of(view), new_room(), heads()
    tried = trial(seen.values, judges.pick.net)
    count = judge_picks(judges, seen, view.seat, view.hand_mask, view.unseen, room, tried)
    return tried.worth[:count]


@click.command()
@click.option("--players", default=4)
@click.option("--hands", default=300)
@click.option("--first", default=0, help="number of the first hand")
@click.option("--worlds", "counts", multiple=True, default=[30, 100, 300, 1000], help="of a hint")
@click.option(
    "--further", multiple=True, default=[0.0, 30.0, 100.0, 300.0, 1000.0, 1e9], help="the network counts"
)
@click.option("--judged", default=1500, help="rounds that judge a pick")
def main(
    players: int, hands: int, first: int, counts: tuple[int, ...], further: tuple[float, ...], judged: int
) -> None:
    """Print how many points a round the picks are better than those of the hint without the network."""
    found: dict[tuple[int, float], list[float]] = {}
    for number in range(first, first + hands):
        view = GAME.view(GAME.deal(1, number=number, players=players, variant="unpicked"), number % players)
        assert isinstance(view, PickView)
        points = means(view, judged, _OTHER_SEED + number, _TRAINED_ALONE, (judged,))[0]
        told = pick_worth(view)
        for count, sampled in zip(counts, means(view, max(counts), number, EXPECTED, counts), strict=True):
            own = float(points[np.argmax(sampled)])
            found.setdefault((count, -1.0), []).append(own - float(points.max()))
            for many in further:
                # Only differences count: the network's points need not be at the level of the rounds.
                both = count * (sampled - sampled.mean()) + many * (told - told.mean())
                found.setdefault((count, many), []).append(float(points[np.argmax(both)]) - own)
    for (count, many), gains in found.items():
        more, half = interval(gains)
        what = (
            "the hint, less the best pick" if many < 0 else f"the network as {many:g} worlds, more than the hint"
        )
        click.echo(f"{count:6} worlds  {what:50} {more:+.3f} ± {half:.3f}")


if __name__ == "__main__":
    main()
