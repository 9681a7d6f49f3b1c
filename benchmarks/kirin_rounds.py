"""Players of kirin against three others on the same deals, luck taken off: ``python -m benchmarks.kirin_rounds``.

As in the arena one player sits in every seat of every deal in turn, and what two players score is compared deal by
deal. But here only that player's turns are positions in Python; the others, who play by weights, and the cards are
in one kernel. And the chances of all that the others choose are known, so the luck in their choices can be
measured and taken off (AIVAT: Burch and others 2018): where one of them chooses, the round is played to its end
some times after each of its cards, by its own kind and the trained rule player; what its card brought the player
there, less what its cards bring on average by their chances, has the mean zero, whoever plays and however good the
estimates are. The sum over a round is a control variate of its score. The same players choose the cards to set
aside whoever plays (`--aside`, `--others-aside`), so that differences are about the play alone.

Of hints it also prints what they said less what was then scored, less the luck that came after.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from benchmarks.arena import interval
from benchmarks.arena_kirin import TRAINED, KirinContest
from benchmarks.arena_players import Sighted, limit_of, named
from benchmarks.kirin_round_kernel import COUNT, POINTS, Round, advance, lay, new_play, new_round
from benchmarks.kirin_thrifty import THRIFTY
from solver.common import mask, members
from solver.games.kirin.deck import name, names
from solver.games.kirin.fast_rules import DECK, INNER, to_inner
from solver.games.kirin.players import DIRECTION, LEADER
from solver.games.kirin.position import DeclarePosition, FinishedTrick, KnownPosition, numbers
from solver.kernels.arrays import Floats
from solver.limits import Control

CONTEST = KirinContest()
OTHERS = {"rule": TRAINED, "thrifty": THRIFTY}


class Deal(NamedTuple):
    """By seat the hands of nine (masks), and what the one and the others set aside there; the leader."""

    hands: list[int]
    own: list[int]
    others: list[int]
    leader: int


class Played(NamedTuple):
    """What a player has scored, the luck in the others' choices, and by the cards in the hand what hints said too
    much (the luck that came later taken off).
    """

    points: float
    luck: float
    errors: dict[int, float]


def position_of(now: Round) -> KnownPosition:
    """The round as it stands, every card known."""
    count = int(now.book[COUNT])
    plays = [(int(seat), name(DECK[int(card)])) for seat, card in now.plays[:count]]
    tricks = [plays[first : first + 4] for first in range(0, count - count % 4, 4)]
    return KnownPosition(
        game="kirin",
        direction="descending" if now.table[DIRECTION] else "ascending",
        leader=int(now.table[LEADER]),
        trick=tuple(card for _, card in plays[count - count % 4 :]),
        hands=tuple(tuple(names(sorted(DECK[card] for card in members(int(hand))))) for hand in now.hands),
        declared=tuple(name(DECK[int(card)]) for card in now.aside),
        history=tuple(
            FinishedTrick(leader=trick[0][0], cards=tuple(card for _, card in trick)) for trick in tricks
        ),
    )


def chosen(text: str, position: KnownPosition | DeclarePosition, seat: int, seed: int) -> tuple[int, float | None]:
    """The card (as in `order`) that a player of the arena, such as hint:600n, chooses, and a hint's mean of it."""
    view = CONTEST.game.view(position, seat)
    if not text.startswith("hint"):
        player = named(CONTEST, text, seed)
        if isinstance(player, Sighted):
            player.see(position)
        return INNER[player(view)], None
    answer: Any = CONTEST.game.hint(view, Control(limit_of(text)), seed=seed)
    move: Any = CONTEST.game.parse_move(view, str(answer.best))
    return INNER[move], float(answer.moves[0].mean)


def score(text: str, deal: Deal, me: int, others: Floats, seed: int) -> Played:
    """What the player of a name scores in seat `me`."""
    aside = [deal.own[seat] if seat == me else card for seat, card in enumerate(deal.others)]
    hands = [hand & ~(1 << card) for hand, card in zip(deal.hands, aside, strict=True)]
    now, spare = (new_round(np.array(hands, np.int64), np.array(aside, np.int64), deal.leader) for _ in range(2))
    play, luck = new_play(others, TRAINED), np.zeros(1)
    said: list[tuple[int, float, float]] = []
    while advance(now, spare, me, seed, play, luck):
        cards = int(now.hands[me]).bit_count()
        card, mean = chosen(text, position_of(now), me, 16 * seed + cards)
        if mean is not None:
            said.append((cards, mean, float(luck[0])))
        lay(now, me, card)
    points, all_ = float(now.book[POINTS + me]), float(luck[0])
    return Played(points, all_, {cards: mean - points + all_ - before for cards, mean, before in said})


def dealt(seed: int, number: int, own: str, others: str) -> Deal:
    """A deal, and what the players of two names set aside in each seat."""
    position = CONTEST.deal(seed, number)
    assert isinstance(position, DeclarePosition)
    asked = [position.model_copy(update={"seat": seat}) for seat in range(4)]
    by_name = {
        text: [chosen(text, asked[seat], seat, 4 * number + seat)[0] for seat in range(4)]
        for text in {own: 0, others: 0}
    }
    hands = [to_inner(mask(numbers(hand))) for hand in position.hands]
    return Deal(hands, by_name[own], by_name[others], position.leader)


def totals(rounds: list[list[Played]]) -> Floats:
    """A row a deal: the score and the luck, on average over the seats."""
    return np.array(
        [[np.mean([seat.points for seat in seats]), np.mean([seat.luck for seat in seats])] for seats in rounds]
    )


def gain(one: Floats, than: Floats) -> tuple[tuple[float, float], tuple[float, float], float]:
    """How much more a player scores: as it is, with luck taken off, and so many times fewer deals that needs.

    Of each player there is a row a deal, with its score and the luck. How much of the luck is taken off is the
    regression of the difference on it.
    """
    points, luck = (one - than).T
    spread = float(np.var(luck))
    share = float(np.cov(points, luck, bias=True)[0, 1]) / spread if spread > 0 else 0.0
    plain, taken = interval(list(points)), interval(list(points - share * luck))
    return plain, taken, (plain[1] / taken[1]) ** 2 if taken[1] > 0 else 1.0


def errors(rounds: list[list[Played]]) -> dict[int, tuple[float, float]]:
    """By the cards in the hand: what hints said less what was scored, on average over deals, with the interval."""
    found: dict[int, list[float]] = defaultdict(list)
    for seats in rounds:
        for cards in {cards for seat in seats for cards in seat.errors}:
            found[cards].append(float(np.mean([seat.errors[cards] for seat in seats if cards in seat.errors])))
    return {cards: interval(found[cards]) for cards in sorted(found, reverse=True)}


def recorded(path: Path | None) -> dict[tuple[Any, ...], list[Played]]:
    """The rounds of a file: by player, others, who sets aside, seed and deal those of all seats."""
    if path is None or not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {
        tuple(key): [
            Played(points, luck, {int(cards): error for cards, error in told.items()})
            for points, luck, told in seats
        ]
        for *key, seats in rows
    }


@click.command()
@click.option("--one", multiple=True, default=["hint:600n", "tree:600n"], help="players of the arena")
@click.option("--against", multiple=True, type=click.Choice(sorted(OTHERS)), default=sorted(OTHERS))
@click.option("--aside", default="hint:600n", help="who chooses the cards to set aside")
@click.option("--others-aside", help="who does for the others; without it the same player")
@click.option("--deals", default=100, help="those in the file counted")
@click.option("--seed", default=1)
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
def main(
    one: tuple[str, ...],
    against: tuple[str, ...],
    aside: str,
    others_aside: str | None,
    deals: int,
    seed: int,
    path: Path | None,
) -> None:
    """Play, and print what each player scores more than the first, with 95% intervals."""
    done = recorded(path)
    whose = f"{aside} {others_aside}" if others_aside else aside
    found: dict[tuple[str, str], list[list[Played]]] = {}
    for number in range(deals):
        deal = None
        for kind in against:
            for text in one:
                key = (text, kind, whose, seed, number)
                if key not in done:
                    deal = deal or dealt(seed, number, aside, others_aside or aside)
                    done[key] = [score(text, deal, me, OTHERS[kind], 4 * number + me) for me in range(4)]
                    if path is not None:
                        with path.open("a", encoding="utf-8") as file:
                            file.write(json.dumps([*key, done[key]]) + "\n")
                found.setdefault((kind, text), []).append(done[key])
    for (kind, text), rounds in found.items():
        rows, first = totals(rounds), totals(found[kind, one[0]])
        mean, half = interval(list(rows[:, 0]))
        _, (steady, around), _ = gain(rows, np.zeros_like(rows))
        (more, within), (less, inside), fewer = gain(rows, first)
        click.echo(f"{text} among {kind}, {len(rows)} deals: {mean:.3f} ± {half:.3f}; with luck taken off")
        click.echo(f"  {steady:.3f} ± {around:.3f}")
        if text != one[0]:
            click.echo(f"  more than {one[0]}: {more:+.3f} ± {within:.3f}; with luck taken off")
            click.echo(f"  {less:+.3f} ± {inside:.3f}, which would take {fewer:.2f} times the deals without")
        for cards, (mean, half) in errors(rounds).items():
            click.echo(f"  {cards} cards: said less scored {mean:+.3f} ± {half:.3f}")


if __name__ == "__main__":
    main()
