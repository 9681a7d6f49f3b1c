"""Duels: the best moves of an exchange, chances to win the race to 100 points, hints, and rounds in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.answer_tables import Rows, figures
from solver.answers import Hint, OpponentMatch, SampledHint
from solver.common import Random, cards_counted, compared, one_after_another, points_counted
from solver.errors import RequestError
from solver.games.alchemy.deck import (
    COPIES,
    FOUR_ACES,
    JOKER,
    KING,
    NONE,
    WORTH,
    Move,
    card,
    cards,
    points,
    rank_of,
)
from solver.games.alchemy.fast_rules import deal_worlds
from solver.games.alchemy.position import (
    DuelAnalysis,
    DuelGrabHint,
    DuelGrabMove,
    DuelHint,
    DuelHintMove,
    DuelMove,
    DuelOrder,
    Round,
    about,
    duel_view,
    observe_duel,
    ranks_of,
)
from solver.games.alchemy.rules import (
    DUEL_LINE,
    JOKER_TOTAL,
    SOLITAIRE,
    WINNING_TOTAL,
    duel_min_line,
    match_of,
    matches,
)
from solver.hints.causes import (
    LAST,
    SURE_OF_FEW,
    Claim,
    Notes,
    Predicate,
    after,
    behind,
    close,
    leading,
    of_moves,
    part,
    said,
)
from solver.hints.ranking import CHANCE, POINTS, Margin, Sums, Unit, Whole, Why, confidence_of, in_unit, ranked
from solver.kernels.words import Words
from solver.language import say, say_of, sentences
from solver.limits import Control
from solver.rounds_in_play import Round as RoundInPlay

_BITS = 4  # a line has a rank at most four times; the field's top bit is a guard
_GUARDS = sum(8 << _BITS * rank for rank in range(14))


@dataclass(frozen=True, slots=True)
class Grab:
    """A player's move in one exchange of a duel, and the points it adds to that player's pile."""

    move: Move
    points: int
    packed: int  # counts of the used cards, in fields of `_BITS` bits


@dataclass(frozen=True, slots=True)
class Option:
    """A move by the player who grabs first, and the other player's best reply."""

    grab: Grab
    reply: Grab
    denies: bool  # whether the opponent has no match left

    @property
    def swing(self) -> int:
        return self.grab.points - self.reply.points


def _pack(ranks: Sequence[int]) -> int:
    return sum(1 << _BITS * rank for rank in ranks)


def grabs(position: Round, player: int, line: Sequence[int] | None = None) -> list[Grab]:
    """Return all moves of a player of an exchange who can use the whole `line`; the last is to decline (`none`).

    By default, the line is the position's. The points are those that a move adds to the player's pile.
    """
    line = position.line_ranks if line is None else line
    hand, pile, jokers = position.drawn[player], position.piles[player], position.table_jokers
    held = points(pile)
    choices = []
    for move in matches(line, hand, duel_min_line(hand, jokers)):
        gained = points([*pile, *move.used, hand, *[JOKER] * jokers]) - held
        choices.append(Grab(move, gained, _pack(move.used)))
    return [*choices, Grab(NONE, 0, 0)]


def options(position: Round, first: int) -> list[Option]:
    """Return every move of player `first`, who grabs first, each with the other player's best reply.

    They are sorted by the points of the move minus those of the reply, highest first. Player 0 is me.
    """
    mine, theirs = grabs(position, first), grabs(position, 1 - first)
    decline = theirs[-1]
    # The most points first; equal ones stay in canonical order.
    replies = sorted(theirs[:-1], key=lambda grab: -grab.points)
    whole = _pack(position.line_ranks)
    choices = []
    for grab in mine:
        reply = None
        # With jokers set aside, a match discards the rest of the line.
        if grab.move is NONE or not position.table_jokers:
            rest = whole - grab.packed
            reply = next((r for r in replies if not _lacks(rest, r.packed)), None)
        choices.append(Option(grab, reply or decline, reply is None))
    return sorted(choices, key=lambda option: -option.swing)


def _lacks(line: int, wanted: int) -> bool:
    """Whether `line` lacks some of the cards `wanted`; both are counts of each rank, packed by `_pack`."""
    return ((line | _GUARDS) - wanted) & _GUARDS != _GUARDS  # a field that falls short borrows from its guard bit


def _moves(choices: list[Option]) -> tuple[DuelMove, ...]:
    return tuple(
        DuelMove(
            move=str(option.grab.move),
            value=option.swing,
            bounds=(option.swing, option.swing),
            exact=True,
            used=tuple(cards(option.grab.move.used)),
            points=option.grab.points,
            opponent_points=option.reply.points,
            swing=option.swing,
            denies=option.denies,
        )
        for option in choices
    )


def _line(best: Option) -> tuple[str, str]:
    return str(best.grab.move), str(best.reply.move)


def analyze(position: Round, control: Control) -> DuelAnalysis:
    """Solve an exchange with me grabbing first and, under `if_opponent_first`, with the opponent first."""
    mine, theirs = options(position, 0), options(position, 1)
    control.nodes += len(mine) + len(theirs)
    return DuelAnalysis(
        **about(position, control),
        player=0,
        exact=True,
        value=mine[0].swing,
        bounds=(mine[0].swing, mine[0].swing),
        best=str(mine[0].grab.move),
        moves=_moves(mine),
        line=_line(mine[0]),
        if_opponent_first=DuelOrder(
            value=theirs[0].swing,
            best=str(theirs[0].grab.move),
            moves=_moves(theirs),
            line=_line(theirs[0]),
        ),
    )


# ----------------------------------------------------------------------------------------------------
# Many rounds of a duel at once, played out by two players who each maximize the current exchange.
#
# A *world* is one order of the deck. The arrays have one row per world. A match is the set of line cards that it
# uses, as bits of their places; set 0 means declining.


Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SETS = 1 << DUEL_LINE
_NO_MATCH = -(1 << 30)
_ROUNDS_BITS: Ints = (np.arange(SETS)[:, None] >> np.arange(DUEL_LINE)) & 1  # (sets, places)
_SIZE: Ints = _ROUNDS_BITS.sum(axis=1)
_WORTH: Ints = np.array(WORTH, np.int64)


@dataclass
class Worlds:
    """A batch of simulated rounds in progress, one row per round.

    `line` (rounds, 6) holds ranks, 0 for an empty place. `deck` (rounds, cards) is in draw order, and `place` is
    the index of its next card. `aces` is the number of aces in each player's pile; `jokers` and `points` count
    only what is collected from now on. `hands`, `aces`, `jokers` and `points` have one column per player. `table`
    is the number of jokers set aside; `going` is False for rounds that are over.
    """

    line: Ints
    hands: Ints
    table: Ints
    deck: Ints
    place: Ints
    aces: Ints
    jokers: Ints
    points: Ints
    going: Flags

    @property
    def count(self) -> int:
        return len(self.line)


def fresh(decks: Ints) -> Worlds:
    """Start a round with each of these shuffled decks (rounds, cards) by dealing the first line and both hands."""
    count = len(decks)
    empty = np.zeros((count, DUEL_LINE), np.int64)
    pair, none = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
    worlds = Worlds(
        empty, pair, none, decks, none.copy(), pair.copy(), pair.copy(), pair.copy(), np.ones(count, np.bool_)
    )  # fmt: skip
    flip(worlds)
    return worlds


def flip(worlds: Worlds) -> None:
    """Refill the lines and draw both hands; end the rounds in which too few cards are left."""
    rows = np.arange(worlds.count)
    last = worlds.deck.shape[1] - 1
    for slot in range(DUEL_LINE):
        while True:
            wanted = worlds.going & (worlds.line[:, slot] == JOKER) & (worlds.place <= last)
            if not wanted.any():
                break
            drawn = worlds.deck[rows, np.minimum(worlds.place, last)]
            worlds.place[wanted] += 1
            worlds.table[wanted & (drawn == JOKER)] += 1
            worlds.line[wanted, slot] = drawn[wanted]
    enough = (worlds.line != JOKER).all(axis=1) & (worlds.place < last)
    worlds.going &= enough
    for player in range(2):
        drawn = worlds.deck[rows, np.minimum(worlds.place, last)] if last >= 0 else worlds.place
        worlds.hands[worlds.going, player] = drawn[worlds.going]
        worlds.place[worlds.going] += 1


def _sums(line: Ints) -> tuple[Ints, Ints]:
    """Return the sum of each subset of line cards, and the sums that parts of the subset can make.

    Both arrays are (rounds, 64). Bit s of the second is set if some part of the subset sums to s.
    """
    sums, parts = np.zeros((len(line), 1), np.int64), np.ones((len(line), 1), np.int64)
    for column in range(DUEL_LINE):
        rank = line[:, column][:, None]
        sums = np.concatenate([sums, sums + rank], axis=1)
        parts = np.concatenate([parts, parts | parts << rank], axis=1)  # half the sum of all is below bit 40
    return sums, parts


def gains(worlds: Worlds, player: int) -> Ints:
    """Return the points the player would score with each subset of the line's cards, as an array (rounds, 64).

    A subset that is not a match gets a very negative number.
    """
    line, hand = worlds.line, worlds.hands[:, player]
    sums, parts = _sums(line)
    spare = sums - hand[:, None]  # the other line cards of the hand's side, minus the other side's
    matches = (spare >= 0) & (spare & 1 == 0) & (parts >> np.maximum(spare >> 1, 0) & 1 == 1)
    fewest = np.where(
        hand == JOKER,
        np.where(worlds.table > 0, duel_min_line(JOKER, 1), duel_min_line(JOKER, 0)),
        np.where(worlds.table > 0, duel_min_line(KING, 1), duel_min_line(KING, 0)),
    )
    matches &= fewest[:, None] <= _SIZE
    own = _WORTH[hand] + WORTH[JOKER] * worlds.table
    aces = ((line == 1) @ _ROUNDS_BITS.T) + (hand == 1)[:, None]
    before = worlds.aces[:, player][:, None]
    scored = (_WORTH[line] @ _ROUNDS_BITS.T) + own[:, None]
    scored += FOUR_ACES * ((before < COPIES) & (before + aces >= COPIES))
    scored = np.where(matches, scored, _NO_MATCH)
    scored[:, 0] = 0
    return scored


def replies(worlds: Worlds, theirs: Ints) -> Ints:
    """Return the opponent's best score after each subset of the line has been taken, as an array (rounds, 64).

    `theirs` is the opponent's `gains`, with the whole line available.
    """
    most = theirs.reshape(-1, *(2,) * DUEL_LINE).copy()
    for axis in range(1, DUEL_LINE + 1):
        lower, upper = np.take(most, 0, axis), np.take(most, 1, axis)
        most = np.stack([lower, np.maximum(lower, upper)], axis)
    left = most.reshape(-1, SETS)[:, ::-1].copy()  # over the sets within what is left
    left[worlds.table > 0, 1:] = 0  # with jokers set aside, a match discards the rest of the line
    return left


def exchange(worlds: Worlds, first: int, grabbed: Ints | None = None, answer: Ints | None = None) -> None:
    """Play one exchange in every unfinished round, then deal the next line and hands.

    `grabbed` (rounds,) is the match that player `first` takes, as a bit set of line places; by default the one
    whose points minus those of the best reply are highest. `answer` is the other player's match; by default the
    highest-scoring one left.
    """
    rows, second = np.arange(worlds.count), 1 - first
    mine, theirs = gains(worlds, first), gains(worlds, second)
    if grabbed is None:
        grabbed = np.argmax(mine - replies(worlds, theirs), axis=1)
    if answer is None:
        free = (np.arange(SETS) & grabbed[:, None]) == 0
        free &= (np.arange(SETS) == 0) | (worlds.table == 0)[:, None] | (grabbed == 0)[:, None]
        answer = np.argmax(np.where(free, theirs, _NO_MATCH), axis=1)
    taken = np.zeros((worlds.count, DUEL_LINE), np.bool_)
    for player, used, scored in ((first, grabbed, mine), (second, answer, theirs)):
        places = _ROUNDS_BITS[used] == 1
        goes = worlds.going & (used > 0)
        worlds.points[goes, player] += scored[rows, used][goes]
        ones = ((worlds.line == 1) & places).sum(axis=1) + (worlds.hands[:, player] == 1)
        worlds.aces[goes, player] += ones[goes]
        worlds.jokers[goes, player] += (worlds.table + (worlds.hands[:, player] == JOKER))[goes]
        taken |= places
    taken |= (worlds.table > 0)[:, None]
    worlds.line[taken & worlds.going[:, None]] = JOKER
    worlds.table[worlds.going] = 0
    flip(worlds)


def play_out(worlds: Worlds, first: int) -> None:
    """Play all rounds to the end; the players alternate in grabbing first."""
    while worlds.going.any():
        exchange(worlds, first)
        first = 1 - first


# ----------------------------------------------------------------------------------------------------
# The chance to win a race to 100 from the totals between rounds, from rounds played out beforehand.
#
# A sample of whole rounds gives the distribution of a round's result; backward induction over the totals does the
# rest. The first grabber alternates from round to round, and is treated as random. Several samples, each solved
# separately, give the error of the mean.


Chances = NDArray[np.float64]

SAMPLES = 4
_ROUNDS = 300  # in a sample
_SEED = 5


@lru_cache(maxsize=16)
def chances(early: int, late: int) -> Chances:
    """Return player 0's chance to win the race to 100 from each pair of totals, as an array (samples, 100, 100).

    `early` is the number of jokers in the deck in rounds that begin with both players below 75 points, `late` in
    all other rounds. Each sample is based on its own simulated rounds, so their spread shows the sampling error.
    """
    solved = np.zeros((SAMPLES, WINNING_TOTAL, WINNING_TOTAL))
    for sample in range(SAMPLES):
        first, then = (_results(jokers, sample) for jokers in (early, late))
        solved[sample] = _solved(first, then)
    return solved


@lru_cache(maxsize=16)
def _results(jokers: int, sample: int) -> NDArray[np.int64]:
    """Return both players' points in simulated rounds (2 * rounds, 2), each round listed from both sides."""
    cards = np.array([*SOLITAIRE["solo"].deck, *[JOKER] * jokers], np.int8)
    worlds = fresh(deal_worlds(cards, _SEED + jokers, sample * _ROUNDS, _ROUNDS).astype(np.int64))
    play_out(worlds, 0)
    return np.concatenate([worlds.points, worlds.points[:, ::-1]])


def _solved(early: NDArray[np.int64], late: NDArray[np.int64]) -> Chances:
    """Return player 0's chance to win from each pair of totals, given sampled round results (rounds, 2)."""
    weighed = []
    for results in (early, late):
        pairs, counts = np.unique(results[results.sum(axis=1) > 0], axis=0, return_counts=True)
        weighed.append((pairs[:, 0], pairs[:, 1], counts / counts.sum()))
    most = max(int(pairs.max()) for pairs in (early, late))
    value = ended(np.arange(WINNING_TOTAL + most)[:, None], np.arange(WINNING_TOTAL + most)[None, :])
    for total in range(2 * WINNING_TOTAL - 2, -1, -1):
        mine = np.arange(max(0, total - WINNING_TOTAL + 1), min(WINNING_TOTAL - 1, total) + 1)
        theirs = total - mine
        from_75 = np.maximum(mine, theirs) >= JOKER_TOTAL
        for mask, (more, others, weights) in zip((~from_75, from_75), weighed, strict=True):
            after = value[mine[mask][:, None] + more, theirs[mask][:, None] + others]
            value[mine[mask], theirs[mask]] = after @ weights
    return value[:WINNING_TOTAL, :WINNING_TOTAL]


def ended(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Chances:
    """Return player 0's chance to win once a total has reached 100: 1, 0, or 0.5 for a tie.

    After a tie another round is played.
    """
    return np.asarray(0.5 * (1.0 + np.sign(mine - theirs)), np.float64)


def after_round(mine: NDArray[np.int64], theirs: NDArray[np.int64], early: int, late: int) -> Chances:
    """Return player 0's chance to win the race from these totals between two rounds, as an array (samples, …)."""
    table = chances(early, late)
    inside = WINNING_TOTAL - 1
    over = np.maximum(mine, theirs) >= WINNING_TOTAL
    return np.where(over, ended(mine, theirs), table[:, np.minimum(mine, inside), np.minimum(theirs, inside)])


# ----------------------------------------------------------------------------------------------------
# The chance to win the race to 100 after each move of an exchange: sampled decks, each round played out.
#
# After every move the same decks are played out by players who maximize each exchange and take turns at grabbing
# first; `chances` values the totals after the round.


WORLDS = 400
_CHUNK = 20  # worlds between two checks of the clock
_CLEAR = 2.0  # standard errors beyond which a difference is significant
_TAKEN = -1  # marks a taken card: not a rank
_FEWEST = 40  # worlds before any difference counts as clear


Worth = Callable[[NDArray[np.int64], NDArray[np.int64]], Chances]


@dataclass(frozen=True)
class Race:
    """The simulated value of each move: its mean over the sampled decks, and the standard error of that mean.

    The error includes the sampling error of `chances`; `errors` is None if there was only one deck. `worth` maps
    both players' totals after the round to values (samples, …), either the chance to win or the lead in points.
    """

    means: NDArray[np.float64]
    errors: NDArray[np.float64] | None
    results: NDArray[np.float64]  # (worlds, moves)
    ended: NDArray[np.int64]  # the totals after the round (worlds, moves, 2)
    aces: NDArray[np.int64]  # collected by each player by then (worlds, moves, 2)
    jokers: NDArray[np.int64]  # collected by each from now on (worlds, moves, 2)
    worth: Worth

    def chance(self, move: int) -> dict[str, float]:
        described = {"win_probability": round(float(self.means[move]), 9)}
        if self.errors is not None:
            described["stderr"] = round(float(self.errors[move]), 9)
        return described

    @property
    def worlds(self) -> int:
        return len(self.results)

    def order(self, swings: Sequence[int]) -> list[int]:
        """Return the indices of the moves, best first.

        Moves with equal means are sorted by `swings`: the points of each move minus those of the reply to it.
        """
        return sorted(range(len(self.means)), key=lambda move: (-self.means[move], -swings[move]))

    def leads(self, move: int, other: int) -> bool:
        """Whether `move` is significantly better than `other`."""
        gaps = self.results[:, move] - self.results[:, other]
        if self.worlds < _FEWEST:
            return False
        return bool(gaps.mean() > _CLEAR * gaps.std(ddof=1) / sqrt(self.worlds))

    def with_points(self, move: int, more: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return a move's value in each world if `more` points were added to the players' totals after the round.

        `more` is (2,) or (worlds, 2).
        """
        ended = self.ended[:, move] + more
        chances: NDArray[np.float64] = self.worth(ended[:, 0], ended[:, 1]).mean(axis=0)
        return chances


def race(
    position: Round,
    moves: Sequence[Move],
    control: Control,
    worlds: int | None,
    seed: int,
    *,
    worth: Worth | None = None,
) -> Race | None:
    """Estimate the value of each of my moves by playing out the round; None if there was no time.

    I grab first or, if the opponent has already grabbed, second. The position must have `totals`. The round is
    played out with `worlds` sampled orders of the deck. `worth` maps the totals after the round to a value, by
    default the chance to win the race.
    """
    most = worlds or WORLDS
    unseen = np.array(position.unseen_ranks, np.int8)
    if worth is None:
        worth = partial(_after_round, jokers=position.jokers)
        chances(*position.jokers)  # computed once, outside the time limit
    base = _totals(position)
    batches: list[NDArray[np.float64]] = []  # (samples of `chances`, worlds, moves)
    noted: list[NDArray[np.int64]] = []  # (worlds, moves, notes, players)

    def step(_budget: int) -> tuple[bool, int]:
        done = sum(batch.shape[1] for batch in batches)
        count = min(_CHUNK, most - done)
        playing = _played(position, moves, deal_worlds(unseen, seed, done, count).astype(np.int64))
        ended = base + playing.points
        batches.append(worth(ended[:, 0], ended[:, 1]).reshape(-1, count, len(moves)))
        kept = np.stack([ended, playing.aces, playing.jokers], axis=1)
        noted.append(kept.reshape(count, len(moves), *kept.shape[1:]))
        return done + count >= most, count * len(moves)

    control.drive(step, stage="rounds played out", done=lambda: sum(batch.shape[1] for batch in batches) / most)
    if not batches:
        return None
    every = np.concatenate(batches, axis=1)
    results = every.mean(axis=0)
    by_sample = every.mean(axis=1)
    of_races = by_sample.std(axis=0, ddof=1) / sqrt(SAMPLES) if len(by_sample) > 1 else 0.0
    means, errors = results.mean(axis=0), None
    if len(results) > 1:
        sums = _summed(results)
        of_worlds = [sums.stderr(move) if len(unseen) else 0.0 for move in range(len(moves))]
        errors = np.hypot(of_races, of_worlds)
    ended, aces, jokers = np.moveaxis(np.concatenate(noted), 2, 0)
    return Race(means, errors, results, ended, aces, jokers, worth)


def _summed(results: Chances) -> Sums:
    """Each move's results (worlds, moves), with the sampling errors of means and of differences."""
    sums = Sums(results.shape[1], 1)
    sums.add(results[:, :, None], np.ones(len(results)))
    return sums


def _played(position: Round, moves: Sequence[Move] | None, decks: Ints, player: int = 0) -> Worlds:
    """Play the round out after each of the player's moves with each deck (decks, cards).

    The result has one row for each deck and move, with all moves of the first deck first. If `moves` is None, the
    player takes the match that is best in this exchange, and there is one row for each deck.
    """
    grab, line = position.grab, list(position.line_ranks)
    theirs = 0
    if grab is not None:
        theirs = _places(line, grab[1])
        line = [_TAKEN if theirs >> index & 1 else rank for index, rank in enumerate(line)]
    mine = None if moves is None else np.tile(np.array([_places(line, move) for move in moves]), len(decks))
    playing = _tiled(position, decks if moves is None else np.repeat(decks, len(moves), axis=0))
    if grab is None:
        exchange(playing, player, mine)
        play_out(playing, 1 - player)
    else:
        exchange(playing, 1 - player, np.full(playing.count, theirs), mine)
        play_out(playing, player)
    return playing


def _after_round(mine: NDArray[np.int64], theirs: NDArray[np.int64], jokers: tuple[int, int]) -> Chances:
    """Like `after_round`, but always (SAMPLES, …), even if all given totals end the match."""
    return np.broadcast_to(after_round(mine, theirs, *jokers), (SAMPLES, *mine.shape))


def _lead(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Chances:
    return (mine - theirs)[None].astype(np.float64)


def _totals(position: Round) -> Ints:
    """Return both players' points in the match, including the current round."""
    return np.array(
        [total + points(pile) for total, pile in zip(position.totals or (0, 0), position.piles, strict=True)]
    )


def _places(line: Sequence[int], move: Move) -> int:
    """Return the positions in the line of the cards that a move uses, as a bit set."""
    taken = 0
    for rank in move.used:
        index = next(index for index, held in enumerate(line) if held == rank and not taken >> index & 1)
        taken |= 1 << index
    return taken


def _tiled(position: Round, decks: NDArray[np.int64]) -> Worlds:
    """Set up a round with each of these decks (rounds, cards), at the exchange of `position`."""
    count = len(decks)
    aces = [min(4, pile.count(1)) for pile in position.piles]
    return Worlds(
        line=np.tile(np.array(position.line_ranks, np.int64), (count, 1)),
        hands=np.tile(np.array(position.drawn, np.int64), (count, 1)),
        table=np.full(count, position.table_jokers, np.int64),
        deck=decks,
        place=np.zeros(count, np.int64),
        aces=np.tile(np.array(aces, np.int64), (count, 1)),
        jokers=np.zeros((count, 2), np.int64),
        points=np.zeros((count, 2), np.int64),
        going=np.ones(count, np.bool_),
    )


# ----------------------------------------------------------------------------------------------------
# Possible causes of the lead of a duel's move: a card that the other then lacks, a joker, the aces, the race.
#
# In a single exchange everything is open, and each cause is tested by changing the exchange. In a race, the rounds
# after both moves are played out with the same decks (`race`), and a cause is an event in these rounds, or the
# effect of changed points.


_ACE = 1
_EXCHANGE = POINTS._replace(enough=1)
_LEAD = Unit("a lead of {amount} point", "a lead of {amount} points", POINTS.enough)
_MATCH = CHANCE._replace(chance="matches")
_METHOD = "rounds played out"
_OPEN_WORLDS = 2  # identical, since all cards are open
_NO_WORDS: Words = np.zeros((0, 0), np.int64)  # nothing but the scores is noted of a world
_Row = DuelHintMove | DuelGrabMove


class _Scene:
    """The two moves to compare. In a race, also the `race` and the indices of the two moves in it (`numbers`)."""

    def __init__(
        self,
        position: Round,
        best: _Row,
        other: _Row,
        race: Race | None = None,
        numbers: tuple[int, int] = (0, 0),
    ) -> None:
        self.position, self.best, self.other, self.race, self.numbers = position, best, other, race, numbers
        self.named = {"move": best.move, "other": other.move}
        self.more, self.reply, self.other_reply = best.points - other.points, _reply(best), _reply(other)
        # The points for jokers that only the best move scores:
        jokers = position.table_jokers + (position.drawn[0] == JOKER)
        self.jokers = WORTH[JOKER] * jokers if best.used and not other.used else 0

    def gains(self, mine: int, theirs: int, **fields: Any) -> Claim:
        """Claim that the best move brings me `mine` points more than the other, and the opponent `theirs`.

        The claim's part of the margin is measured in points or, in a race, in chances to win.
        """
        gained = np.full(_OPEN_WORLDS, float(mine - theirs))
        if self.race is not None:
            best = self.numbers[0]
            gained = self.race.results[:, best] - self.race.with_points(best, np.array([-mine, -theirs]))
        return part(gained, **self.named | fields)

    def completes_aces(self, row: _Row) -> bool:
        """Whether a move gives me the fourth ace."""
        held = self.position.piles[0].count(_ACE)
        taken = ranks_of(row.used).count(_ACE) + (self.position.drawn[0] == _ACE) if row.used else 0
        return held < COPIES <= held + taken

    def needed(self) -> Iterator[Claim]:
        """Claim for cards that only the best move takes, and a reply needs that is open after the other move."""
        position, used = self.position, ranks_of(self.best.used)
        if position.grab is not None or position.table_jokers:
            return
        line, others = Counter(position.line_ranks), Counter(ranks_of(self.other.used))
        left = line - Counter(used)
        for rank in dict.fromkeys(used):
            if used.count(rank) > others[rank]:
                replies = grabs(position, 1, list((left + Counter([rank])).elements()))
                possible = [reply for reply in replies if Counter(reply.move.used) <= line - others]
                answer = max(possible, key=lambda reply: reply.points)
                if answer.move is not NONE and answer.points > self.reply:
                    fields = {"card": card(rank), "other": str(answer.move), "points": answer.points}
                    yield self.gains(0, self.reply - answer.points, other_points=self.reply, **fields)

    def happens(self, what: Callable[[Race], NDArray[np.bool_]], player: int) -> list[Claim]:
        """Claim that something happens more often to me (`player` 0), or less often to the opponent (1)."""
        if self.race is None:
            return []
        best, other = (what(self.race)[:, number, player] == (player == 0) for number in self.numbers)
        return [after(best, other, **self.named)]

    def later(self, player: int) -> list[Claim]:
        """Claim that the points of a player (0 for me, 1 for the opponent) in the rest of the round differ."""
        if self.race is None:
            return []
        race, rows, start = self.race, (self.best, self.other), _totals(self.position)[player]
        best, other = (
            race.ended[:, number, player] - start - (row.points, _reply(row))[player]
            for number, row in zip(self.numbers, rows, strict=True)
        )
        less = np.zeros((race.worlds, 2), np.int64)
        less[:, player] = other - best
        lost = race.results[:, self.numbers[0]] - race.with_points(self.numbers[0], less)
        now = {} if player else {"count": self.best.points, "other_count": self.other.points}
        return [part(lost, points=float(best.mean()), other_points=float(other.mean()), **now, **self.named)]


def _reply(row: _Row) -> int:
    """Return the points of the opponent's reply, or 0 if the opponent has already grabbed."""
    return row.opponent_points if isinstance(row, DuelHintMove) else 0


def _worth(row: _Row) -> int:
    return row.points - _reply(row)


row = Predicate[_Scene]

PREDICATES: tuple[Predicate[_Scene], ...] = (
    row("joker", "mine", "{move} brings {count} points for jokers.",
        lambda s: [s.gains(s.jokers, 0, count=s.jokers)] if s.jokers else []),
    row("four_aces", "mine", "{move} completes the four aces (+{count} points).",
        lambda s: [s.gains(FOUR_ACES, 0, count=FOUR_ACES)]
        if s.completes_aces(s.best) and not s.completes_aces(s.other) else []),
    row("takes_needed_card", "theirs",
        "{move} takes the {card} that the opponent needs for {other}, worth {amount}.", _Scene.needed),
    row("leaves_nothing", "theirs",
        "{move} leaves the opponent no match; {other} leaves one worth {other_amount}.",
        lambda s: [s.gains(0, -s.other_reply, other_points=s.other_reply)]
        if s.reply == 0 < s.other_reply else []),
    row("leaves_less", "theirs",
        "{move} leaves the opponent a match worth {amount}; {other} leaves one worth {other_points}.",
        lambda s: [s.gains(0, s.reply - s.other_reply, points=s.reply, other_points=s.other_reply)]
        if 0 < s.reply < s.other_reply else []),
    row("takes_more", "mine", "{move} scores {amount}; {other} scores {other_points}.",
        lambda s: [s.gains(s.more, 0, points=s.best.points, other_points=s.other.points)] if s.more > 0 else [],
        rank=1),
    row("later_mine", "later",
        "{move} scores {count} now and {amount} on average in the rest of the round; {other} scores {other_count} "
        "and {other_points}.",
        lambda s: s.later(0), rank=LAST, sure=SURE_OF_FEW),
    row("later_theirs", "later",
        "After {move}, the opponent scores {amount} on average in the rest of the round; after {other}, "
        "{other_points}.",
        lambda s: s.later(1), rank=LAST, sure=SURE_OF_FEW),
    row("gains_more", "mine",
        "With the opponent's best reply taken off, {move} brings {amount}; {other} brings {other_points}.",
        lambda s: [s.gains(s.more, s.reply - s.other_reply, points=_worth(s.best), other_points=_worth(s.other))],
        rank=LAST, sure=SURE_OF_FEW, blames=True),
    row("reaches_100", "race", "{move} reaches 100 in this round in {deals}, {other} in {other_share}.",
        lambda s: s.happens(lambda race: race.ended >= WINNING_TOTAL, 0)),
    row("keeps_from_100", "race", "{move} keeps the opponent below 100 in {deals}, {other} in {other_share}.",
        lambda s: s.happens(lambda race: race.ended >= WINNING_TOTAL, 1)),
    row("collects_aces", "aces", "{move} leads to the four aces in {deals}, {other} in {other_share}.",
        lambda s: s.happens(lambda race: race.aces >= COPIES, 0)),
    row("keeps_from_aces", "aces",
        "{move} keeps the opponent from the four aces in {deals}, {other} in {other_share}.",
        lambda s: s.happens(lambda race: race.aces >= COPIES, 1)),
    row("collects_joker", "jokers", "{move} leads to a joker in {deals}, {other} in {other_share}.",
        lambda s: s.happens(lambda race: race.jokers > 0, 0)),
    row("keeps_from_joker", "jokers",
        "{move} keeps the opponent from jokers in {deals}, {other} in {other_share}.",
        lambda s: s.happens(lambda race: race.jokers > 0, 1)),
)  # fmt: skip


def _why_exchange(position: Round, rows: Sequence[_Row], compare: str | None) -> Why:
    """Explain why the first move is best, judged by this exchange alone."""
    best = rows[0]
    if len(rows) == 1:
        return said("only", "no_match", "There is no match.")
    compared_row = compared([row.move for row in rows], compare)
    second = rows[compared_row]
    level = tuple(row.move for row in rows if _worth(row) == _worth(best))
    if len(level) > 1 and (compared_row == 1 or second.move in level):
        return said(
            "close", "equal", "{moves} are worth the same: {amount}.", moves=level, points=float(_worth(best))
        )
    worths = np.array([float(_worth(row)) for row in rows])
    noted = Notes(np.tile(worths, (_OPEN_WORLDS, 1))[:, :, None], _NO_WORDS, np.arange(_OPEN_WORLDS))
    leads = worths[0] - worths
    worse = tuple(np.flatnonzero(leads >= _EXCHANGE.enough).tolist())
    ahead = Margin(0, compared_row, float(leads[compared_row]), 0.0, worths[0], worse, [row.move for row in rows])
    causes = behind(PREDICATES, lambda one, other: _Scene(position, rows[one], rows[other]), noted, ahead)
    means = [(row.move, float(_worth(row))) for row in rows]
    return leading(confidence_of(ahead, _EXCHANGE), means, compared_row, causes, _EXCHANGE)


def _why_race(
    position: Round,
    race: Race | None,
    order: Sequence[int],
    rows: Sequence[_Row],
    compare: str | None,
    unit: Unit = _MATCH,
) -> Why:
    """Explain why the first move is best in the race; `order` maps rows to the indices of the moves in `race`."""
    best = rows[0]
    if len(rows) == 1:
        return said("only", "no_match", "There is no match.")
    if race is None:
        return Why(
            None,
            (),
            of_moves(
                "{move} scores the most in this exchange. There was no time to look beyond it.", move=best.move
            ),
        )
    chances = [(row.move, round(float(race.means[number]), 9)) for row, number in zip(rows, order, strict=True)]
    second = compared([row.move for row in rows], compare)
    level = [chance for number, chance in zip(order, chances, strict=True) if not race.leads(order[0], number)]
    if len(level) > 1 and (second == 1 or chances[second] in level):
        why = close(level, unit)
        numbered = zip(order, rows, strict=True)
        equal = [(number, row) for number, row in numbered if not race.leads(order[0], number)]
        return why._replace(reason=sentences(why.reason, *_made_up(race, equal)))
    results = race.results[:, order]
    leads = (results[:, :1] - results).mean(axis=0)
    worse = tuple(
        number
        for number in range(1, len(rows))
        if leads[number] >= unit.enough and race.leads(order[0], order[number])
    )
    ahead = Margin(0, second, float(leads[second]), 0.0, chances[0][1], worse, [row.move for row in rows])
    noted = Notes(results[:, :, None], _NO_WORDS, np.arange(len(results)))

    def compared_by(one: int, other: int) -> _Scene:
        return _Scene(position, rows[one], rows[other], race, (order[one], order[other]))

    causes = behind(PREDICATES, compared_by, noted, ahead)
    return leading(confidence_of(ahead, unit), chances, second, causes, unit)


_LITTLE = 2  # points in an exchange that need no explanation


def _made_up(race: Race, level: Sequence[tuple[int, _Row]]) -> list[str]:
    """Say how a move makes up for the points that it brings less in this exchange; nothing if it is hardly any.

    `level` has the moves that are too close to call, with their indices in `race`.
    """
    (most, more), (least, fewer) = (end(level, key=lambda one: _worth(one[1])) for end in (max, min))
    less = _worth(more) - _worth(fewer)
    leads = (race.ended[:, :, 0] - race.ended[:, :, 1]).mean(axis=0)
    later = less - float(leads[most] - leads[least])  # more in the rest of the round
    if less < _LITTLE or later < less / 2:
        return []
    words = of_moves(
        "{move} is {count} points behind {other} after this exchange, and makes up for {amount} in the rest of "
        "the round, on average.",
        move=fewer.move,
        other=more.move,
        count=less,
        amount=in_unit(figures(later)[0], POINTS),
    )
    return [words]


# ----------------------------------------------------------------------------------------------------
# `hint` for both players of an exchange: the one who grabs first, and the one who grabs second.


def _my_moves(position: Round, control: Control) -> list[DuelHintMove] | list[DuelGrabMove]:
    """Return my moves, best first by the points of this exchange. Raises RequestError if it is not my turn."""
    if position.over:
        raise RequestError("not_playable", say("the round is over: there is nothing to decide"), "hand")
    if position.grab is None:
        known = set(DuelHintMove.model_fields)
        return [DuelHintMove(**move.model_dump(include=known)) for move in analyze(position, control).moves]
    if position.seat_to_move:
        raise RequestError("not_playable", say("you have grabbed: the opponent is to move"), "grabbed")
    choices = grabs(position, 0, position.left_ranks)
    control.nodes += len(choices)
    return [
        DuelGrabMove(move=str(grab.move), used=tuple(cards(grab.move.used)), points=grab.points)
        for grab in sorted(choices, key=lambda grab: -grab.points)
    ]


def hint(position: Round, control: Control, seed: int, worlds: int | None = None) -> DuelHint | DuelGrabHint:
    """Recommend a move for me in an exchange, whether I grab first or the opponent has already grabbed.

    If the position has `totals`, each move has its chance to win the race, from at most `worlds` sampled decks.
    Raises RequestError if the round is over or it is the opponent's turn.
    """
    rows = _my_moves(position, control)
    raced = None
    if position.totals is None:
        why = _why_exchange(position, rows, control.compare)
    else:
        moves = [match_of(ranks_of(row.used), position.drawn[0]) or NONE for row in rows]
        raced = race(position, moves, control, worlds, seed)
        order = list(range(len(rows))) if raced is None else raced.order([_worth(row) for row in rows])
        chances = {} if raced is None else {number: raced.chance(number) for number in order}
        rows = [rows[number].model_copy(update=chances.get(number)) for number in order]  # type: ignore[assignment]
        why = _why_race(position, raced, order, rows, control.compare)
    answer: type[DuelHint | DuelGrabHint] = DuelHint if position.grab is None else DuelGrabHint
    return answer(
        **about(position, control),
        kind="first_grab" if position.grab is None else "second_grab",
        exact=position.totals is None,
        best=rows[0].move,
        moves=tuple(rows),
        **why._asdict(),
        method="exchange solved" if raced is None else _METHOD,
        worlds=0 if raced is None else raced.worlds,
        seed=seed,
    )


def by_lead(position: Round, control: Control, seed: int) -> SampledHint | None:
    """Rank my moves by how many more points than the opponent I have, on average, at the end of the round.

    Returns None if there was no time. As in `race`, the round is played out after each move; in every exchange,
    both players take the move that is best in that exchange.
    """
    rows: Sequence[_Row] = _my_moves(position, Control())
    totals = position.totals or (0, 0)
    raced = position.model_copy(update={"totals": totals})
    moves = [match_of(ranks_of(row.used), position.drawn[0]) or NONE for row in rows]
    played = race(raced, moves, control, None, seed, worth=_lead)
    if played is None:
        return None
    order = played.order([_worth(row) for row in rows])
    rows = [rows[number] for number in order]
    leads = played.results[:, order] - (totals[0] - totals[1])
    why = _why_race(raced, played, order, rows, control.compare, _LEAD)
    return _sampled([row.move for row in rows], leads, why, control, seed)


def by_lead_in(position: Round, player: int, deck: Sequence[int], control: Control) -> SampledHint:
    """Rank the moves of `player`, who is to move, as `by_lead` does, but with the actual `deck` in draw order."""
    moves = position.moves(player)
    leads = _leads_in(position, player, deck, moves)
    control.nodes += len(moves)
    order = np.argsort(-leads, kind="stable")
    return _sampled([str(moves[number]) for number in order], leads[None, order], Why(None, (), ""), control, 0)


def _leads_in(position: Round, player: int, deck: Sequence[int], moves: Sequence[Move] | None) -> Chances:
    """The lead of `player` at the end of the round after each move (moves,), as in `_played`."""
    playing = _played(position, moves, np.array([deck], np.int64).reshape(1, -1), player)
    ended = playing.points + [points(pile) for pile in position.piles]
    return (ended[:, player] - ended[:, 1 - player]).astype(np.float64)


def _sampled(moves: Sequence[str], leads: Chances, why: Why, control: Control, seed: int) -> SampledHint:
    """Build a hint from each move's results in the sampled worlds; the best move must come first.

    `leads` (worlds, moves) holds the seat's points minus the opponent's at the end of the round. A single world is
    the actual deal, so that the standard errors are 0.
    """
    worlds = len(leads)
    sums = _summed(leads) if worlds > 1 else Whole(worlds, leads.T)
    return SampledHint(
        game="alchemy",
        kind="sampled",
        to_move=0,
        exact=False,
        best=moves[0],
        moves=ranked(sums, moves, _METHOD, ranking=range(len(moves))),
        **why._asdict(),
        method=_METHOD,
        worlds=worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


# ----------------------------------------------------------------------------------------------------
# A duel's round in play.
#
# At the table, whoever sees a match first grabs it. Here nobody has to hurry: the two alternate from exchange to
# exchange, unless the round is a race.


_GLANCE = 3.0  # seconds that a player needs to take in the cards of an exchange
_LOOK = 0.4  # seconds for each card of a set that is added up


@dataclass(frozen=True)
class DuelInPlay(RoundInPlay):
    """A round of a duel in play. `position` is seen from seat 0, and has the deck's order where that is known.

    `first` is the seat that grabs first in the current exchange. In a race, it does so only if the move does not
    begin with the other seat.
    """

    position: Round
    first: int = 0
    leading: bool = False  # whether hints maximize the lead in the round, not the chance to win the race
    racing: bool = False

    @property
    def to_move(self) -> int | None:
        if self.position.over:
            return None
        return self.first if self.position.grab is None else self.position.seat_to_move

    def in_view(self, move: Move) -> bool:
        return False  # the position alone does not say who grabs first

    @property
    def opens(self) -> bool:
        return self.position.grab is None and not self.position.over

    @property
    def late(self) -> str:
        return str(NONE)

    def raced(self, seat: int) -> DuelInPlay:
        return self if self.seat is not None else replace(self, first=seat, racing=True)  # a table is one anyway

    def find(self, seat: int, seed: int) -> OpponentMatch | None:
        """Return the match that a player finds who adds up sets of line cards, small ones first."""
        if not self.racing or self.position.over:
            return None
        moves = {move.used: move for move in self.position.moves(seat) if move is not NONE}
        line, seconds = self.position.left_ranks, _GLANCE
        for size in range(1, len(line) + 1 if moves else 0):
            sets = [tuple(sorted(chosen)) for chosen in combinations(line, size)]
            Random(seed, size).shuffle(sets)
            for chosen in sets:
                seconds += _LOOK * size
                if chosen in moves:
                    return OpponentMatch(move=str(moves[chosen]), seconds=round(seconds, 1))
        return None

    def by(self, move: str) -> tuple[DuelInPlay, str]:
        seat, colon, bare = move.partition(":")
        if not (self.racing and self.opens):
            return self, move
        return replace(self, first=int(seat) if colon else self.first, racing=False), bare if colon else move

    def moves(self) -> Sequence[str]:
        own = super().moves()
        if not (self.racing and self.opens):
            return own
        other = 1 - self.first
        return [*own, *(f"{other}:{move}" for move in self.position.moves(other))]

    def move_of(self, text: str) -> str:
        if self.seat is not None:
            return super().move_of(text.removeprefix(f"{self.seat}:"))
        seat, colon, bare = text.partition(":")
        if not (self.racing and self.opens and colon and seat in ("0", "1")):
            return super().move_of(text)
        move = replace(self, first=int(seat), racing=False).move_of(bare)
        return move if int(seat) == self.first else f"{seat}:{move}"

    def play(self, move: str) -> DuelInPlay:
        if self.seat is not None:
            return super().play(move)
        by, text = self.by(self.move_of(move))
        assert by.to_move is not None
        after, _ = observe_duel(self.position, [f"{by.to_move}:{text}"])
        return replace(self, position=after, first=self.first if after.grab or self.racing else by.to_move)

    def seen(self, seat: int) -> Round:
        """Return the exchange, or the finished round, as `seat` sees it."""
        deck = tuple(cards(self.position.unseen_ranks))
        return duel_view(self.position, seat).model_copy(update={"unseen": deck, "discarded": ()})

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        seat = self.to_move
        if self.leading and seat is not None:
            seen = self.seen(seat)
            answer = by_lead(seen, control, seed)
            if answer is not None:
                return answer.model_copy(update={"text": self.game.notation.write(seen)})
        return super().hint(control, seed=seed)

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        """Rank the moves with the actual order of the deck; None if it is unknown or the round is over."""
        seat, stock = self.to_move, self.position.stock
        return None if seat is None or stock is None else by_lead_in(self.position, seat, ranks_of(stock), control)

    def given(self, move: str) -> float | None:
        table = self.by_points()
        position, stock = table.position, table.position.stock
        seat, colon, bare = move.partition(":")
        mover = int(seat) if colon else self.to_move
        found = {str(one): one for one in position.moves(mover)} if mover is not None else {}
        made = found.get(bare if colon else move)
        if mover is None or made is None or stock is None:
            return None
        meant, lead = (_leads_in(position, mover, ranks_of(stock), moves)[0] for moves in (None, [made]))
        return float(meant - lead)

    def for_match(self) -> DuelInPlay:
        return self  # hints play for the race anyway

    def by_points(self) -> DuelInPlay:
        """Return the round with hints that maximize the player's points minus the opponent's in this round.

        After a round at a real table, the cards turned up later give the order of the deck.
        """
        view = self.position
        if self.hindsight is not None:
            words = (word for text in self.hindsight.later for word in text.split())
            turned = ranks_of(word for word in words if rank_of(word) is not None)
            left = Counter(view.unseen_ranks) - Counter(turned)
            stock = tuple(cards([*turned, *left.elements()]))
            view = view.model_copy(update={"stock": stock, "unseen": None})
        return replace(self, position=view, leading=True, seat=None, hindsight=None)

    def closed(self) -> DuelInPlay:
        return self

    @property
    def unit(self) -> str:
        return "lead"

    @property
    def known(self) -> None:
        """Always None: both hands are open, so a hint already knows all but the order of the deck."""
        return None

    def rows(self, seat: int | None = None) -> Rows:
        position, mover = self.position, self.to_move
        if self.seat is not None:
            return super().rows(seat)
        line = " ".join(cards(position.left_ranks)) or "–"
        label = say_of("cards on the table", "Line")
        if mover is None:
            piles = enumerate(position.piles)
            return [(label, line), *((say("Seat {seat}", seat=player), _pile(pile)) for player, pile in piles)]
        you = mover if seat is None else seat
        if position.grab is not None:
            when = say("seat {seat} has grabbed: {move}", seat=position.grab[0], move=position.grab[1])
        elif mover == you:
            when = say("you grab first")
        else:
            when = say("seat {seat} grabs first", seat=mover)
        rows = [(label, f"{line}   ({when})")]
        for label, player in ((say("You"), you), (say("Opponent"), 1 - you)):
            pile = say("pile: {pile}", pile=_pile(position.piles[player]))
            rows.append((label, f"{card(position.drawn[player])}   ({pile})"))
        return [*rows, (say("Deck"), cards_counted(len(position.unseen_ranks)))]


def _pile(pile: Sequence[int]) -> str:
    return one_after_another([cards_counted(len(pile)), points_counted(points(pile))])
