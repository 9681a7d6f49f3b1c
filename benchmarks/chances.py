"""Whether hints' predictions come true: ``python -m benchmarks.chances aqua-regia --players 3 --rounds 200``.

In each round every seat follows its hints, as in `athanor play`; with ``--others club`` or ``beginner`` only one
seat does, and knows the strength of the others. At each decision the mean of the chosen move is recorded, and
after the round its seat's score. It prints:

* prediction minus score, by number of cards in hand;
* the sum, over the seats of a table, of the predictions at their first decisions;
* how much of a predicted difference between two moves is real: in each round, one decision is changed to another
  legal move, and the round is played on from there. The decision and the move are drawn at random; the larger the
  predicted difference, the more likely they are.

With ``--remember 2`` all seats remember two tricks (`remembering`), and the round is played once more with one
seat remembering everything: how much more that seat then scores is the cost of forgetting.

Intervals of 95% are over rounds, which are independent. Rounds are appended to a file, one line each, so that a
longer run continues an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from pydantic import BaseModel

from benchmarks.arena import CONTESTS, interval
from benchmarks.players import Contest, done, limit_of
from solver.common import STRENGTHS, Others, Random, mask, members
from solver.decks import kind_of
from solver.games.aqua_regia.hint import sure_by
from solver.games.aqua_regia.position import Round as AquaRound
from solver.games.king.position import Round as KingRound
from solver.games.kirin.deck import DIRECTIONS, names
from solver.games.kirin.position import Round, number_of
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data

_GAMES = sorted({name.rstrip("-2345") for name in CONTESTS})
_FEWEST = 20  # rounds that a row of the table needs
_LEAST = 1e-3  # the smallest weight of a pair of moves, when one is drawn by predicted difference
_BINS = 10  # of a reliability diagram
_OF_ALL_TRICKS = ("discard", "known", "deal_passes")  # in Aqua Regia, what follows from tricks that are forgotten


class Asked(NamedTuple):
    """The settings of a hint: the assumed strength of the others, the limit, and how many tricks a forgetful seat
    remembers.
    """

    others: Others
    limit: Limit
    remember: int | None = None


class Said(NamedTuple):
    """A decision of a seat with this number of `cards`, and the predicted result of its move.

    `sure_by` has the two numbers from which Aqua Regia's hints compute a correction for overconfidence; it is None
    in other games.
    """

    seat: int
    cards: int
    mean: float
    sure_by: tuple[int, float] | None = None


class Pair(NamedTuple):
    """How much better one move is than another: the predicted difference `said`, and the real one `came`."""

    said: float
    came: float


class Played(NamedTuple):
    """A round: its predictions, each seat's score, a pair of moves at one of its decisions, and the cost of
    forgetting.
    """

    said: list[Said]
    scores: list[float]
    pair: Pair | None
    cost: float | None = None


class Decided(NamedTuple):
    """A decision: the position, what its seat has already chosen there, what it sees, and its hint."""

    position: BaseModel
    before: tuple[Any, ...]
    view: Any
    hint: Any


class Table:
    """The players of a round: who follows hints (`following`), the kind of the others, and who forgets."""

    def __init__(
        self,
        contest: Contest,
        asked: Asked,
        following: Collection[int],
        seed: int,
        forgetting: Collection[int] = (),
    ) -> None:
        self._contest = contest
        self._asked = asked
        self._following = following
        self._forgetting = forgetting
        self._random = Random(seed, 11)

    def play_on(self, position: BaseModel, begin: Sequence[Any] = ()) -> tuple[list[Decided], Sequence[float]]:
        """Play on to the end of the round; returns the hinted decisions with more than one move, and the scores.

        The seat to move starts with the choices of `begin`.
        """
        game, waiting = self._contest.game, list(begin)
        decided: list[Decided] = []
        while (seat := self._contest.to_move(position)) is not None:
            choosing = _Choosing(self._choice, decided, position, waiting)
            position = game.play(position, self._contest.decide(choosing, position, seat))
        return decided, self._contest.scores(position)

    def _choice(self, view: Any) -> tuple[Any, Any]:
        """The move of the seat with this view, and its hint if it follows hints."""
        game, others = self._contest.game, self._asked.others
        moves = game.legal_moves(view)
        if len(moves) == 1:
            return moves[0], None
        if view.seat not in self._following:
            return game.parse_move(view, game.drawn(view, others, self._random.below(1 << 30))), None
        seen = view
        if view.seat in self._forgetting and self._asked.remember is not None:
            seen = remembering(view, self._asked.remember)
        hint: Any = game.hint(seen, Control(self._asked.limit), seed=self._random.below(1 << 30), others=others)
        return game.parse_move(view, str(hint.best)), hint


class _Choosing:
    """The player in the seat to move, which records its decisions.

    If it passes and draws a card, it is asked a second time, for the exchange.
    """

    def __init__(
        self,
        choice: Callable[[Any], tuple[Any, Any]],
        decided: list[Decided],
        position: BaseModel,
        waiting: list[Any],
    ) -> None:
        self._choice = choice
        self._decided = decided
        self._position = position
        self._waiting = waiting
        self._made: tuple[Any, ...] = ()

    def __call__(self, view: BaseModel) -> Any:
        move, hint = (self._waiting.pop(0), None) if self._waiting else self._choice(view)
        if hint is not None:
            self._decided.append(Decided(self._position, self._made, view, hint))
        self._made += (move,)
        return move


def said_in(decided: Sequence[Decided]) -> list[Said]:
    """The predicted result of the move made at each decision."""
    return [
        Said(
            some.view.seat,
            len(some.view.hand),
            some.hint.moves[0].mean,
            sure_by(some.view) if isinstance(some.view, AquaRound) else None,
        )
        for some in decided
    ]


def play_from_memory(contest: Contest, asked: Asked, seed: int, number: int) -> Played:
    """Play a round in which all seats forget, and again with one seat that remembers everything."""
    random, rememberer = Random(seed + 3, number), number % contest.seats
    position, draws = contest.deal(seed, number), random.below(1 << 30)
    seats = range(contest.seats)
    decided, scores = Table(contest, asked, seats, draws, seats).play_on(position)
    _, whole = Table(contest, asked, seats, draws, {*seats} - {rememberer}).play_on(position)
    return Played(said_in(decided), list(scores), None, whole[rememberer] - scores[rememberer])


def play_round(contest: Contest, asked: Asked, seed: int, number: int) -> Played:
    """Play a round by hints, and the same round with another move at one of its decisions."""
    random = Random(seed + 3, number)
    following = range(contest.seats) if asked.others == "equal" else (number % contest.seats,)
    position = contest.deal(seed, number)
    decided, scores = Table(contest, asked, following, random.below(1 << 30)).play_on(position)
    said = said_in(decided)
    others = [
        (some, other, max(some.hint.moves[0].mean - other.mean, _LEAST))
        for some in decided
        for other in some.hint.moves[1:]
    ]
    if not others:
        return Played(said, list(scores), None)
    left = random.below(1 << 30) / (1 << 30) * sum(gap for _, _, gap in others)
    at, other = others[-1][:2]
    for decision, move, gap in others:
        left -= gap
        if left < 0:
            at, other = decision, move
            break
    begin = (*at.before, contest.game.parse_move(at.view, other.move))
    _, otherwise = Table(contest, asked, following, random.below(1 << 30)).play_on(at.position, begin)
    came = scores[at.view.seat] - otherwise[at.view.seat]
    return Played(said, list(scores), Pair(at.hint.moves[0].mean - other.mean, came))


class Row(NamedTuple):
    """The mean of prediction minus score over some decisions, and the half-width of its interval."""

    name: str
    rounds: int
    error: float
    half: float


def row_of(name: str, errors: Sequence[Sequence[float]]) -> Row:
    """The row for errors grouped by round: their mean over all decisions.

    Its interval allows for the errors of a round being alike.
    """
    some = [np.array(each) for each in errors if len(each)]
    counts, sums = np.array([len(each) for each in some]), np.array([each.sum() for each in some])
    mean = float(sums.sum() / counts.sum())
    _, half = interval(list((sums - mean * counts) / counts.mean()))
    return Row(name, len(some), mean, half)


def table(rounds: Sequence[Played], by: int) -> list[Row]:
    """Prediction minus score by number of cards in hand: a row for every `by` numbers, and a last row for all."""
    most = max((said.cards for played in rounds for said in played.said), default=0)
    rows = []
    for last in range(-(-most // by) * by, 0, -by):
        first = last - by + 1
        errors = [
            [said.mean - played.scores[said.seat] for said in played.said if first <= said.cards <= last]
            for played in rounds
        ]
        if sum(map(bool, errors)) >= _FEWEST:
            rows.append(row_of(f"{first} to {last}" if by > 1 else f"{last}", errors))
    every = [[said.mean - played.scores[said.seat] for said in played.said] for played in rounds]
    return [*rows, row_of("all", every)]


def first_sums(rounds: Sequence[Played]) -> list[float]:
    """The sums over the seats of their first predictions, for rounds in which every seat had one."""
    sums = []
    for played in rounds:
        first = {said.seat: said.mean for said in reversed(played.said)}
        if len(first) == len(played.scores):
            sums.append(sum(first.values()))
    return sums


def slope(rounds: Sequence[Played]) -> tuple[float, float]:
    """The share of a predicted difference between two moves that is real, and the half-width of its interval."""
    pairs = np.array([played.pair for played in rounds if played.pair is not None])
    weight = float((pairs[:, 0] ** 2).sum())
    share = float((pairs[:, 0] * pairs[:, 1]).sum()) / weight
    residuals = pairs[:, 0] * (pairs[:, 1] - share * pairs[:, 0])
    return share, 1.96 * sqrt(float((residuals**2).sum())) / weight


def too_sure(rounds: Sequence[Played]) -> tuple[list[float], list[float]]:
    """Estimate how much too high the log odds of the predicted chances are.

    Returns three estimates: a constant, and the increase with each of the two numbers in `sure_by`; and the
    half-width of each one's 95% interval.
    """
    rows = [
        (number, each.mean, each.sure_by, played.scores[each.seat])
        for number, played in enumerate(rounds)
        for each in played.said
    ]
    of, means, parts, scores = zip(*rows, strict=True)
    said, came = np.clip(means, 1e-3, 1 - 1e-3), np.array(scores)
    by = np.column_stack([np.ones(len(rows)), parts])
    logit, surely = np.log(said / (1 - said)), np.zeros(by.shape[1])
    for _ in range(20):  # Newton's method
        chance = 1 / (1 + np.exp(by @ surely - logit))
        information = (by * (chance * (1 - chance))[:, None]).T @ by
        surely += np.linalg.solve(information, by.T @ (chance - came))
    sums = np.zeros((len(rounds), by.shape[1]))
    np.add.at(sums, np.array(of), by * (chance - came)[:, None])
    inverse = np.linalg.inv(information)
    halves = 1.96 * np.sqrt(np.diag(inverse @ sums.T @ sums @ inverse))
    return surely.tolist(), halves.tolist()


def draw(path: Path, title: str, rounds: Sequence[Played]) -> None:
    """A reliability diagram: result against prediction, in bins with equally many decisions."""
    from matplotlib.figure import Figure

    said, came, of = (
        np.array(column)
        for column in zip(
            *(
                (each.mean, played.scores[each.seat], number)
                for number, played in enumerate(rounds)
                for each in played.said
            ),
            strict=True,
        )
    )
    figure = Figure(figsize=(3.6, 3.4), layout="constrained")
    axes = figure.subplots()
    for places in np.array_split(np.argsort(said, kind="stable"), _BINS):
        by_round = [came[places[of[places] == number]] for number in np.unique(of[places])]
        row = row_of("", by_round)
        axes.errorbar(
            said[places].mean(), row.error, yerr=row.half, color="C0", marker="o", markersize=3, capsize=2
        )
    ends = [float(said.min()), float(said.max())]
    axes.plot(ends, ends, color="grey", linewidth=0.8)
    axes.set(title=title, xlabel="predicted", ylabel="actual")
    figure.savefig(path)


def played_of(told: Sequence[Any]) -> Played:
    """A round, from JSON."""
    said, scores, pair, cost = told
    return Played([Said(*each) for each in said], scores, pair and Pair(*pair), cost)


def remembering(view: BaseModel, tricks: int) -> BaseModel:
    """The view of a player who remembers the last `tricks` finished tricks and the current one.

    Of earlier tricks, the player knows only its own pile, in King × Alchemy and Kirin. It sees Kirin's direction,
    the removed cards, the field, Aqua Regia's discard pile while cards may be exchanged, and the number of cards
    in each place.
    """
    data: dict[str, Any] = position_data(view)
    history = data.get("history") or ()
    now = isinstance(view, AquaRound) and bool(view.table)  # whether the last of these is still on the table
    if len(history) <= tricks + now:
        return view
    data["history"] = history[len(history) - tricks - now :]
    if isinstance(view, Round):
        data["direction"] = DIRECTIONS[view.past.rules.direction]
        own = view.past.won[view.seat] & ~mask(map(number_of, _cards_of(data["history"])))
        data["won"] = [names(members(own)) if seat == view.seat else [] for seat in range(view.players)]
    elif isinstance(view, KingRound):
        data["won"] = [pile if seat == view.seat else [] for seat, pile in enumerate(data["won"])]
    elif isinstance(view, AquaRound):
        gone = []
        if view.drawn is not None or not view.stock_count:  # a player who may exchange looks through the pile
            gone = data.get("discard", [])
        data = {key: value for key, value in data.items() if key not in _OF_ALL_TRICKS} | {"gone": gone}
        data["history"] = data["history"] or None
    return parse_position(data)


def _cards_of(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for trick in history:
        yield from trick["cards"]


@click.command()
@click.argument("game", type=click.Choice(_GAMES))
@click.option("--players", type=int, help="as many as sit at the table")
@click.option("--rounds", default=100, help="those in the file counted")
@click.option("--limit", default="200n", help="of a hint: SECONDS, or 200n for so many games")
@click.option(
    "--others", type=click.Choice(STRENGTHS), default="equal", help="who sit at the table, and are expected"
)
@click.option("--deck", help="a deck's name, or random: another one for each round")
@click.option("--remember", type=click.IntRange(0), help="tricks that every seat remembers of those that are over")
@click.option("--seed", default=1)
@click.option("--by", default=3, help="numbers of cards in a row of the table")
@click.option("--file", "path", type=click.Path(path_type=Path), help="JSON lines to go on from and append to")
@click.option("--draw", "picture", type=click.Path(path_type=Path), help="a reliability diagram: .svg or .png")
def main(
    game: str,
    players: int | None,
    rounds: int,
    limit: str,
    others: Others,
    deck: str | None,
    remember: int | None,
    seed: int,
    by: int,
    path: Path | None,
    picture: Path | None,
) -> None:
    """Print prediction minus score, by number of cards in hand."""
    contest = contest_of(game, players, deck)
    contest.game.warm()
    most = limit_of(f"hint:{limit}")
    assert most is not None
    key = {"game": game, "players": contest.seats, "limit": limit, "others": others, "deck": deck, "seed": seed}
    play = play_round if remember is None else play_from_memory
    if remember is not None:
        key["remember"] = remember
    asked = Asked(others, most, remember)
    stored = done(path, key, "round", range(rounds), lambda number: play(contest, asked, seed, number))
    results = [played_of(data) for data in stored]
    click.echo(f"{game}, {contest.seats} players, others {others}, {limit}, {len(results)} rounds: said less came")
    for row in table(results, by):
        click.echo(f"{row.name:>8} cards {row.rounds:5} rounds {row.error:+.3f} ± {row.half:.3f}")
    costs = [played.cost for played in results if played.cost is not None]
    if costs:
        mean, half = interval(costs)
        click.echo(f"with {remember} tricks remembered a seat scores {mean:.3f} ± {half:.3f} less than with all")
    elif others == "equal":
        mean, half = interval(first_sums(results))
        click.echo(f"first decisions of a table: the sum of what was said {mean:.3f} ± {half:.3f}")
    if any(played.pair is not None for played in results):
        share, half = slope(results)
        click.echo(f"a difference between two moves brings {share:.2f} ± {half:.2f} of what was said")
    if game == "aqua-regia" and not costs:
        added = ", ".join(f"{more:+.3f} ± {half:.3f}" for more, half in zip(*too_sure(results), strict=True))
        click.echo(f"to be added to `TOO_SURE` (start, a card gone, all played): {added}")
    if picture is not None:
        draw(picture, f"{game}, {contest.seats} players", results)


def contest_of(game: str, players: int | None, deck: str | None) -> Contest:
    """The contest for this number of players, with rounds dealt from a deck. Raises BadParameter if there is
    none.
    """
    name = game if game in CONTESTS else f"{game}-{players or 3}"
    if name not in CONTESTS:
        raise click.BadParameter(f"{game} is not played by {players}")
    contest = CONTESTS[name]()
    if deck is not None:
        if kind_of(contest.game) is None:
            raise click.BadParameter(f"the cards of {game} are always the same")
        contest.deck = contest.random_deck if deck == "random" else lambda _seed, _number: deck
    return contest


if __name__ == "__main__":
    main()
