"""How well a hint of Kirin places the others' cards: ``python -m benchmarks.kirin_placed --help``.

In rounds of four equal players every third choice of a play, with two to seven cards in the hand, is looked at.
What is told is which share of the others' cards lies where it really is, and how many of them have set a card of
their real colour aside, in 400 worlds as the hint weighs them, and in the same worlds where it also expects a
share of learned players (`kirin_mixed`). Which model of the others is nearer their plays tell, too: the mean of
the logarithm of a choice's chance is printed, of all choices until two cards were left, by seats whose cards are
known.
"""

from __future__ import annotations

from collections import defaultdict
from math import log

import click
import numpy as np

from benchmarks.arena import interval
from benchmarks.arena_kirin import KirinContest
from benchmarks.arena_players import Sighted, named
from benchmarks.kirin_mixed import OTHERS, Mixed, learned_plays, new_eye, plausible_plays, watched
from benchmarks.kirin_tree import reading_of
from solver.common import Random, mask
from solver.games.kirin.fast_rules import INNER, to_inner
from solver.games.kirin.players import colour_of
from solver.games.kirin.position import KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import deals
from solver.kernels.arrays import Floats

WORLDS = 400
MOST, LEAST = 7, 2  # cards in the hand
CARDS, COLOURS, COUNTED = range(3)  # what is told of a view for each share; the last is the worlds that count


def placed(view: View, position: KnownPosition, shares: tuple[float, ...]) -> Floats:
    """For each share of learned players (a row) what is told of a view."""
    rounds = Mixed(view, (), 5)
    times, worlds = np.zeros((WORLDS, OTHERS)), np.zeros((WORLDS, 8), np.int64)
    rounds.judge(0, np.zeros((WORLDS, 0)), times, worlds)
    right = np.zeros((2, WORLDS))
    for step in range(1, 4):
        other = (view.seat + step) % 4
        hand = to_inner(mask(numbers(position.hands[other])))
        aside = colour_of(INNER[fields_number(position.declared[other])])
        right[CARDS] += np.bitwise_count(worlds[:, other] & hand) / hand.bit_count() / OTHERS
        right[COLOURS] += np.array([colour_of(int(card)) == aside for card in worlds[:, 4 + other]]) / OTHERS
    found = np.zeros((len(shares), 3))
    for row, share in enumerate(shares):
        weights = np.prod(1 - share + share * times, axis=1)
        found[row, :COUNTED] = right @ weights / weights.sum()
        found[row, COUNTED] = weights.sum() ** 2 / (weights**2).sum() / WORLDS
    return found


def fitting(view: View, position: KnownPosition) -> tuple[float, float]:
    """The logarithm of the chance that plausible players play what was played, and that learned ones do."""
    setting = deals(view).by_rules
    reading, looks = reading_of(setting), watched(setting)
    eye = new_eye(looks.net)
    plausible = learned = 0.0
    for seat in range(4):
        hand = to_inner(mask(numbers(position.hands[seat])))
        aside = INNER[fields_number(position.declared[seat])]
        plausible += log(plausible_plays(reading, seat, hand, aside))
        learned += log(learned_plays(reading, looks, eye, seat, hand, aside))
    return plausible, learned


@click.command()
@click.option("--who", default="first", help="who plays, as the arena names players")
@click.option("--deals", "most", default=60)
@click.option("--seed", default=77)
@click.option("--share", "shares", multiple=True, default=[0.5, 1.0], help="of learned players, expected")
def main(who: str, most: int, seed: int, shares: tuple[float, ...]) -> None:
    """Print the shares, and by how much they differ from the hint's, on average over deals with 95% intervals."""
    contest = KirinContest()
    found: dict[int, list[Floats]] = defaultdict(list)  # by the deal
    chances: list[list[float]] = []
    for dealt in range(most):
        position = contest.deal(seed, dealt)
        players, random = [named(contest, who, dealt * 4 + seat) for seat in range(4)], Random(dealt, 1)
        choices, even = 0, 0.0
        while (seat := contest.to_move(position)) is not None:
            view = contest.game.view(position, seat)
            if isinstance(position, KnownPosition) and isinstance(view, View):
                left, count = len(view.hand), len(contest.game.legal_moves(view))
                if LEAST <= left <= MOST and random.below(3) == 0 and count > 1:
                    found[dealt].append(placed(view, position, (0.0, *shares)))
                if left == LEAST and not view.plays:
                    chances.append([value / choices for value in (even, *fitting(view, position))])
                choices += count > 1
                even -= log(count)
            if isinstance(player := players[seat], Sighted):
                player.see(position)
            position = contest.game.play(position, contest.decide(player, position, seat))
    rows = np.array([np.mean(views, axis=0) for views in found.values()])
    click.echo(f"{sum(map(len, found.values()))} views of {len(rows)} deals among {who}")
    for row, share in enumerate((0.0, *shares)):
        for name, column in (("cards", CARDS), ("colours", COLOURS)):
            mean, half = interval(list(rows[:, row, column]))
            more, within = interval(list(rows[:, row, column] - rows[:, 0, column]))
            click.echo(f"share {share}: {name} {mean:.4f} ± {half:.4f}, {more:+.4f} ± {within:.4f} more")
        click.echo(f"  {np.mean(rows[:, row, COUNTED]):.3f} of the worlds count")
    at_random, plausible, learned = np.array(chances).T
    click.echo(f"the logarithm of a choice's chance: any card {at_random.mean():.4f},")
    for name, logs, than in (("plausible", plausible, at_random), ("learned", learned, plausible)):
        more, within = interval(list(logs - than))
        click.echo(f"  {name} {logs.mean():.4f}, {more:+.4f} ± {within:.4f} more")


if __name__ == "__main__":
    main()
