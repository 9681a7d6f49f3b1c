"""The duel's exchange, solved for both orders of grabbing: points, the opponent's best reply, denial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.answers import Hint, Rows
from solver.common import counted
from solver.errors import MoveError, RequestError
from solver.games.alchemy.deck import COPIES, JOKER, KING, NONE, Move, card, cards, parse_move, points
from solver.games.alchemy.fast_rules import deal_worlds
from solver.games.alchemy.position import (
    DuelAnalysis,
    DuelGrabHint,
    DuelGrabMove,
    DuelHint,
    DuelHintMove,
    DuelMove,
    DuelOrder,
    DuelPosition,
    ranks_of,
)
from solver.games.alchemy.position import Round as RaceRace
from solver.games.alchemy.position import exchange as race_exchange
from solver.games.alchemy.rules import (
    DUEL_LINE,
    JOKER_POINTS,
    JOKER_TOTAL,
    SOLITAIRE,
    WINNING_TOTAL,
    duel_min_line,
    match_of,
    matches,
)
from solver.hints.causes import Cause, Noted, amount, beyond_doubt, shown, told
from solver.hints.ranking import Lead, share
from solver.language import say
from solver.limits import Control

_BITS = 4  # a rank lies in a line at most four times; the field's top bit is a guard
_GUARDS = sum(8 << _BITS * rank for rank in range(14))


@dataclass(frozen=True, slots=True)
class Grab:
    """A player's move in an exchange: what it scores with the pile that the player has."""

    move: Move
    points: int
    packed: int  # the used cards as counts of `_BITS` bits


@dataclass(frozen=True, slots=True)
class Option:
    """A first grab and the opponent's best answer to it."""

    grab: Grab
    reply: Grab
    denies: bool  # the opponent has no match left

    @property
    def swing(self) -> int:
        return self.grab.points - self.reply.points


def _pack(ranks: Sequence[int]) -> int:
    return sum(1 << _BITS * rank for rank in ranks)


def grabs(line: Sequence[int], hand: int, table_jokers: int, pile: Sequence[int]) -> list[Grab]:
    """Every move of a player who has the whole line before them; to decline (`none`) is the last.

    Each has the points that it adds to those of the player's pile.
    """
    held = points(pile)
    choices = []
    for move in matches(line, hand, duel_min_line(hand, table_jokers)):
        gained = points([*pile, *move.used, hand, *[JOKER] * table_jokers]) - held
        choices.append(Grab(move, gained, _pack(move.used)))
    return [*choices, Grab(NONE, 0, 0)]


def options(position: DuelPosition, first: int) -> list[Option]:
    """Each move of the player who grabs first (0 is me) with the best reply to it, the best swing first."""
    line, jokers = position.line_ranks, position.table_jokers
    hands, piles = position.drawn, position.piles
    second = 1 - first
    mine = grabs(line, hands[first], jokers, piles[first])
    theirs = grabs(line, hands[second], jokers, piles[second])
    decline = theirs[-1]
    # The most points first; among equals the canonical order stays.
    replies = sorted(theirs[:-1], key=lambda grab: -grab.points)
    whole = _pack(line)
    choices = []
    for grab in mine:
        reply = None
        if grab.move is NONE or not jokers:  # with jokers set aside a match discards the rest of the line
            rest = whole - grab.packed
            reply = next((r for r in replies if not _lacks(rest, r.packed)), None)
        choices.append(Option(grab, reply or decline, reply is None))
    return sorted(choices, key=lambda option: -option.swing)


def _lacks(line: int, wanted: int) -> bool:
    """Whether some rank is wanted more often than it lies in the line (both packed)."""
    return ((line | _GUARDS) - wanted) & _GUARDS != _GUARDS  # a field that falls short takes its guard


def _moves(choices: list[Option]) -> tuple[DuelMove, ...]:
    return tuple(
        DuelMove(
            move=str(option.grab.move),
            value=option.swing,
            bounds=(option.swing, option.swing),
            exact=True,
            used=tuple(cards(option.grab.move.used)),
            points=option.grab.points,
            reply=option.reply.points,
            swing=option.swing,
            denies=option.denies,
        )
        for option in choices
    )


def _line(best: Option) -> tuple[str, str]:
    return str(best.grab.move), str(best.reply.move)


def analyze(position: DuelPosition, control: Control) -> DuelAnalysis:
    """The exchange with me grabbing first and, under `if_opponent_first`, with the opponent first."""
    mine, theirs = options(position, 0), options(position, 1)
    control.nodes += len(mine) + len(theirs)
    return DuelAnalysis(
        game="alchemy",
        variant="duel",
        player=0,
        to_move=0,
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
        nodes=control.nodes,
        seconds=control.seconds,
    )


# ----------------------------------------------------------------------------------------------------
# Many rounds of a duel at once, played on by two players who each take what is best in the exchange.
#
# A *world* is one way that the deck may lie. The arrays have a row a world. A match is the set of line cards that
# it uses, as bits of their places; set 0 is to decline.


Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SETS = 1 << DUEL_LINE
_NO_MATCH = -(1 << 30)
_ROUNDS_BITS: Ints = (np.arange(SETS)[:, None] >> np.arange(DUEL_LINE)) & 1  # (sets, places)
_SIZE: Ints = _ROUNDS_BITS.sum(axis=1)
_ACES_SET = 6  # what four aces together are worth beside their own points


@dataclass
class Worlds:
    """Rounds in progress.

    `line` (worlds, 6) has ranks, 0 for an empty place; `deck` (worlds, cards) is in draw order, and `place` its
    next card. `hands`, the `aces` collected, and the `jokers` collected and `points` scored from here on have a
    column a player. `table` is how many jokers are set aside, `going` whether the round goes on.
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
    """New rounds with these shuffled decks (worlds, cards), the first exchange flipped."""
    count = len(decks)
    empty = np.zeros((count, DUEL_LINE), np.int64)
    pair, none = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
    worlds = Worlds(
        empty, pair, none, decks, none.copy(), pair.copy(), pair.copy(), pair.copy(), np.ones(count, np.bool_)
    )  # fmt: skip
    flip(worlds)
    return worlds


def flip(worlds: Worlds) -> None:
    """Fill the lines and draw both hands; a round for which there are too few cards is over."""
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
    """The sum of each set of the line (worlds, sets), and a word with bit s set where a part of it sums to s."""
    sums, parts = np.zeros((len(line), 1), np.int64), np.ones((len(line), 1), np.int64)
    for place in range(DUEL_LINE):
        rank = line[:, place][:, None]
        sums = np.concatenate([sums, sums + rank], axis=1)
        parts = np.concatenate([parts, parts | parts << rank], axis=1)  # half of all is below bit 40
    return sums, parts


def gains(worlds: Worlds, player: int) -> Ints:
    """What each set of the whole line scores as the player's match (worlds, sets); far below 0 if it is none."""
    line, hand = worlds.line, worlds.hands[:, player]
    sums, parts = _sums(line)
    spare = sums - hand[:, None]  # what the cards beside the hand have, less those against it
    matches = (spare >= 0) & (spare & 1 == 0) & (parts >> np.maximum(spare >> 1, 0) & 1 == 1)
    fewest = np.where(
        hand == JOKER,
        np.where(worlds.table > 0, duel_min_line(JOKER, 1), duel_min_line(JOKER, 0)),
        np.where(worlds.table > 0, duel_min_line(KING, 1), duel_min_line(KING, 0)),
    )
    matches &= fewest[:, None] <= _SIZE
    own = np.where(hand == JOKER, JOKER_POINTS, np.where(hand == KING, 2, 1)) + JOKER_POINTS * worlds.table
    aces = ((line == 1) @ _ROUNDS_BITS.T) + (hand == 1)[:, None]
    before = worlds.aces[:, player][:, None]
    scored = _SIZE + ((line == KING) @ _ROUNDS_BITS.T) + own[:, None]
    scored += _ACES_SET * ((before < COPIES) & (before + aces >= COPIES))
    scored = np.where(matches, scored, _NO_MATCH)
    scored[:, 0] = 0
    return scored


def replies(worlds: Worlds, theirs: Ints) -> Ints:
    """The most that the other player scores after each set was taken (worlds, sets), of their `gains`."""
    most = theirs.reshape(-1, *(2,) * DUEL_LINE).copy()
    for axis in range(1, DUEL_LINE + 1):
        lower, upper = np.take(most, 0, axis), np.take(most, 1, axis)
        most = np.stack([lower, np.maximum(lower, upper)], axis)
    left = most.reshape(-1, SETS)[:, ::-1].copy()  # of the sets within what is left
    left[worlds.table > 0, 1:] = 0  # with jokers set aside a match discards the rest of the line
    return left


def exchange(worlds: Worlds, first: int, grabbed: Ints | None = None, answer: Ints | None = None) -> None:
    """Play one exchange in the rounds that go on, and flip the next cards.

    `grabbed` (worlds,) is what the player who is first takes, by default the best for the exchange; `answer` what
    the other takes then, by default the best that is left.
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
    """Play all rounds to their ends, the players taking turns at grabbing first."""
    while worlds.going.any():
        exchange(worlds, first)
        first = 1 - first


# ----------------------------------------------------------------------------------------------------
# The chance to win a race to 100 from its totals, between rounds: by rounds that were played out beforehand.
#
# A sample of whole rounds tells how likely each result of a round is; backward induction over the totals does the
# rest. Who grabs first in a round changes from round to round, and counts as even. Several samples, each of them
# solved by itself, tell the error of the mean.


Chances = NDArray[np.float64]

SAMPLES = 4
_ROUNDS = 300  # of a sample
_SEED = 5


@lru_cache(maxsize=16)
def chances(early: int, late: int) -> Chances:
    """The chances of player 0 by the totals of both (samples, 100, 100), with so many jokers in the deck.

    `early` are those of a round that begins with both below 75 points, `late` of any other one.
    """
    found = np.zeros((SAMPLES, WINNING_TOTAL, WINNING_TOTAL))
    for sample in range(SAMPLES):
        first, then = (_results(jokers, sample) for jokers in (early, late))
        found[sample] = _solved(first, then)
    return found


def _results(jokers: int, sample: int) -> NDArray[np.int64]:
    """The points of both players in rounds played out (2 * rounds, 2), each result from both sides."""
    cards = np.array([*SOLITAIRE["solo"].deck, *[JOKER] * jokers], np.int8)
    worlds = fresh(deal_worlds(cards, _SEED + jokers, sample * _ROUNDS, _ROUNDS).astype(np.int64))
    play_out(worlds, 0)
    return np.concatenate([worlds.points, worlds.points[:, ::-1]])


def _solved(early: NDArray[np.int64], late: NDArray[np.int64]) -> Chances:
    """The chances by the totals, from the results that a round may have."""
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
        for here, (more, others, weights) in zip((~from_75, from_75), weighed, strict=True):
            after = value[mine[here][:, None] + more, theirs[here][:, None] + others]
            value[mine[here], theirs[here]] = after @ weights
    return value[:WINNING_TOTAL, :WINNING_TOTAL]


def ended(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Chances:
    """The chance once one of the totals is 100 or more; a tie plays on, and is even."""
    return np.asarray(0.5 * (1.0 + np.sign(mine - theirs)), np.float64)


def after_round(mine: NDArray[np.int64], theirs: NDArray[np.int64], early: int, late: int) -> Chances:
    """The chance of player 0 with these totals between two rounds (samples, …)."""
    table = chances(early, late)
    inside = WINNING_TOTAL - 1
    over = np.maximum(mine, theirs) >= WINNING_TOTAL
    return np.where(over, ended(mine, theirs), table[:, np.minimum(mine, inside), np.minimum(theirs, inside)])


# ----------------------------------------------------------------------------------------------------
# The chance to win the race to 100 after each move of an exchange: sampled decks, each round played out.
#
# After every move the same decks are played out by players who take what is best in each exchange, and take turns
# at grabbing first; what the totals are worth then is known from `races`.


WORLDS = 400
_CHUNK = 20  # worlds between two looks at the time
_CLEAR = 2.0  # standard errors beyond which a difference is no luck
_TAKEN = -1  # no rank
_FEWEST = 40  # worlds before any difference counts as clear


@dataclass(frozen=True)
class Race:
    """The chances after each move, from so many worlds; the error is that of worlds and of `races` together.

    One world does not tell any error: then there are no `errors`.
    """

    means: NDArray[np.float64]
    errors: NDArray[np.float64] | None
    results: NDArray[np.float64]  # (worlds, moves)
    ended: NDArray[np.int64]  # the totals after the round (worlds, moves, 2)
    aces: NDArray[np.int64]  # that each player has collected then (worlds, moves, 2)
    jokers: NDArray[np.int64]  # that each has collected from here on (worlds, moves, 2)
    decks: tuple[int, int]  # the jokers in the deck of an early and of a late round

    def chance(self, move: int) -> dict[str, float]:
        """What an answer tells of a move."""
        found = {"win_probability": round(float(self.means[move]), 9)}
        if self.errors is not None:
            found["stderr"] = round(float(self.errors[move]), 9)
        return found

    @property
    def worlds(self) -> int:
        return len(self.results)

    def order(self, swings: Sequence[int]) -> list[int]:
        """The moves, the best first. Those that cannot be told from the best one stand by their points."""
        top = int(np.argmax(self.means))
        near = [move for move in range(len(self.means)) if not self._clearly_behind(move, top)]
        far = sorted(set(range(len(self.means))) - set(near), key=lambda move: -self.means[move])
        return [*sorted(near, key=lambda move: (-swings[move], -self.means[move])), *far]

    def leads(self, move: int, other: int) -> bool:
        """Whether a move leads another beyond doubt."""
        return self._clearly_behind(other, move)

    def with_points(self, move: int, mine: int, theirs: int) -> NDArray[np.float64]:
        """The chances after a move in each world, had the round ended with so many points more for each."""
        ended = self.ended[:, move] + np.array([mine, theirs])
        chances: NDArray[np.float64] = after_round(ended[:, 0], ended[:, 1], *self.decks).mean(axis=0)
        return chances

    def _clearly_behind(self, move: int, top: int) -> bool:
        gaps = self.results[:, top] - self.results[:, move]
        if self.worlds < _FEWEST:
            return False
        return bool(gaps.mean() > _CLEAR * gaps.std(ddof=1) / sqrt(self.worlds))


def race(
    position: DuelPosition, moves: Sequence[Move], control: Control, worlds: int | None, seed: int
) -> Race | None:
    """What each of my moves is worth for the race; None where there was no time.

    I grab first or, where the opponent has grabbed in this position, second. It has `totals`.
    """
    most = worlds or WORLDS
    grab, line = position.grab, list(position.line_ranks)
    theirs = None
    if grab is not None:
        theirs = _places(line, grab[1])
        line = [_TAKEN if theirs >> place & 1 else rank for place, rank in enumerate(line)]
    mine = np.array([_places(line, move) for move in moves])
    unseen = np.array(position.unseen_ranks, np.int8)
    early, late = position.jokers
    base = np.array(
        [total + points(pile) for total, pile in zip(position.totals or (0, 0), position.piles, strict=True)]
    )
    found: list[NDArray[np.float64]] = []  # (samples of races, worlds, moves)
    noted: list[NDArray[np.int64]] = []  # (worlds, moves, what is noted, players)

    def step(_budget: int) -> tuple[bool, int]:
        done = sum(one.shape[1] for one in found)
        count = min(_CHUNK, most - done)
        decks = deal_worlds(unseen, seed, done, count).astype(np.int64)
        playing = _tiled(position, np.repeat(decks, len(moves), axis=0))
        if theirs is None:
            exchange(playing, 0, np.tile(mine, count))
            play_out(playing, 1)
        else:
            exchange(playing, 1, np.full(playing.count, theirs), np.tile(mine, count))
            play_out(playing, 0)
        ended = base + playing.points
        chances = after_round(ended[:, 0], ended[:, 1], early, late)
        found.append(np.broadcast_to(chances, (SAMPLES, count * len(moves))).reshape(-1, count, len(moves)))
        kept = np.stack([ended, playing.aces, playing.jokers], axis=1)
        noted.append(kept.reshape(count, len(moves), *kept.shape[1:]))
        return done + count >= most, count * len(moves)

    chances(early, late)  # worked out once, and no part of the time
    control.drive(step, stage="rounds played out", done=lambda: sum(one.shape[1] for one in found) / most)
    if not found:
        return None
    every = np.concatenate(found, axis=1)
    results = every.mean(axis=0)
    by_sample = every.mean(axis=1)
    of_races = by_sample.std(axis=0, ddof=1) / sqrt(SAMPLES)
    means, errors = results.mean(axis=0), None
    if len(results) > 1:
        of_worlds = results.std(axis=0, ddof=1) / sqrt(len(results))
        errors = np.sqrt(of_races**2 + of_worlds**2)
    ended, aces, jokers = np.moveaxis(np.concatenate(noted), 2, 0)
    return Race(means, errors, results, ended, aces, jokers, (early, late))


def _places(line: Sequence[int], move: Move) -> int:
    """The set of line places that a move uses."""
    found = 0
    for rank in move.used:
        place = next(place for place, held in enumerate(line) if held == rank and not found >> place & 1)
        found |= 1 << place
    return found


def _tiled(position: DuelPosition, decks: NDArray[np.int64]) -> Worlds:
    """The exchange with each of these decks (worlds, cards)."""
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
# What may be behind the lead of a duel's move: a card that the other lacks then, a joker, the aces, the race.
#
# In an exchange by itself everything lies open, and each cause is a change of this exchange. In a race both moves
# are played on in the same decks (`winning`), and a cause is what happens there, or what other points would
# change.


_ACE = 1
_FOUR_ACES = points([_ACE] * COPIES) - COPIES  # what they are worth together beside their own points
_REST = 0.5  # the share of the lead that may be left without the cause
_WHOLE = 0.1  # a chance from which on percentages need no digits


class _Change(NamedTuple):
    """What one move does and the other does not, in a clause, and the points that it makes for either player."""

    what: str
    mine: int = 0
    theirs: int = 0

    @property
    def points(self) -> int:
        return self.mine - self.theirs


_Row = DuelHintMove | DuelGrabMove


def in_exchange(position: DuelPosition, rows: Sequence[_Row]) -> str:
    """What is behind a lead of points, as a sentence with a space before it; empty where nothing shows.

    The lead is that of the first move over the next that is worth less; or, for jokers and aces, over the first
    match that would be as good without them.
    """
    best = rows[0]
    behind = [row for row in rows if _worth(row) < _worth(best)]
    for second in behind:
        lead = _worth(best) - _worth(second)
        near = second is behind[0]
        changes = [*_own(position, best, second), *(_denied(position, best, second) if near else ())]
        found = max(changes, key=lambda change: change.points, default=None)
        left = lead - (found.points if found else 0)
        if found and left <= (_REST * lead if near else 0) and (near or second.used):
            return _told(found, left, lead, second)
    return ""


def _told(found: _Change, left: int, lead: int, second: _Row) -> str:
    if left:
        rest = f"{counted(abs(left), 'point')} {'more' if left > 0 else 'less'} than {second.move}"
    else:
        rest = f"as much as {second.move}"
    return f" This is because {found.what}: else it would be worth {rest}, and not {counted(lead, 'point')} more."


def in_race(position: DuelPosition, race: Race, best: tuple[int, _Row], second: tuple[int, _Row]) -> str:
    """What is behind a clear lead in chances, as a sentence with a space before it; empty where nothing shows.

    The moves have their numbers in the race before them.
    """
    if not race.leads(best[0], second[0]):
        return ""
    places = [best[0], second[0]]
    scores = race.results[:, places]
    leads = scores[:, 0] - scores[:, 1]
    lead = float(leads.mean())
    noted = Noted(scores[:, :, None], np.zeros((len(scores), 0), np.int64), np.arange(len(scores)))
    digits = 0 if lead >= _WHOLE else 1
    found = shown(noted, Lead(0, 1, lead, 0.0), [*_in_decks(race, best, second)])
    text, left = told(found, "%", "decks", digits), np.inf if found is None else abs(found.outside)
    for change in (*_own(position, best[1], second[1]), *_denied(position, best[1], second[1])):
        made = scores[:, 0] - race.with_points(best[0], -change.mine, -change.theirs)
        rest = lead - float(made.mean())
        if beyond_doubt(noted, made) and rest <= _REST * lead and abs(rest) < left:
            less, over = amount(lead - rest, "%", digits), amount(rest, "%", digits)
            text = (
                f" This is because {change.what}: else it would win {less} less often, "
                f"and the lead over {second[1].move} would be {over}."
            )
            left = abs(rest)
    return text


def _in_decks(race: Race, best: tuple[int, _Row], second: tuple[int, _Row]) -> Iterator[Cause]:
    """What happens to the end of the round in more decks after the one move than after the other."""

    def causes(happens: NDArray[np.bool_], what: str) -> Iterator[Cause]:
        for player, who in enumerate(("the player to move", "the opponent")):
            after, other = (happens[:, number, player] for number, _ in (best, second))
            often, less = (share(float(one.mean())) for one in (after, other))
            text = f"{who} {what} in {often} of the decks after {best[1].move}, in {less} after {second[1].move}"
            for_me = player == 0
            yield Cause(text, *((after & ~other, other & ~after) if for_me else (other & ~after, after & ~other)))

    reached = race.ended >= WINNING_TOTAL
    yield from causes(reached, "reaches 100 points in this round")
    yield from causes(race.aces >= COPIES, "collects the four aces")
    yield from causes(race.jokers > 0, "collects a joker")


def _worth(row: _Row) -> int:
    return row.points - _reply(row)


def _reply(row: _Row) -> int:
    """What the other takes then; nothing where the other has grabbed before."""
    return row.reply if isinstance(row, DuelHintMove) else 0


def _own(position: DuelPosition, best: _Row, second: _Row) -> Iterator[_Change]:
    """The jokers that the best move alone takes, and the four aces that it alone completes."""
    jokers = position.table_jokers + (position.drawn[0] == JOKER)
    if jokers and best.used and not second.used:
        what = "the joker" if jokers == 1 else f"{jokers} jokers"
        yield _Change(f"{best.move} brings {what}", mine=JOKER_POINTS * jokers)
    if _completes(position, best) and not _completes(position, second):
        yield _Change(f"{best.move} completes the four aces", mine=_FOUR_ACES)


def _completes(position: DuelPosition, row: _Row) -> bool:
    """Whether a match brings the fourth ace."""
    held = position.piles[0].count(_ACE)
    taken = ranks_of(row.used).count(_ACE) + (position.drawn[0] == _ACE) if row.used else 0
    return held < COPIES <= held + taken


def _denied(position: DuelPosition, best: _Row, second: _Row) -> Iterator[_Change]:
    """What the other lacks after the best move: a card, put back to see what it would bring; or all in all."""
    if position.grab is not None or not best.used:
        return
    used, others, reply = ranks_of(best.used), ranks_of(second.used), _reply(best)
    left = list(position.line_ranks)
    for rank in used:
        left.remove(rank)
    takes = f"takes only {reply}" if reply else "has no match"
    for rank in dict.fromkeys(used):
        if used.count(rank) > others.count(rank) and not position.table_jokers:
            answers = grabs([*left, rank], position.drawn[1], 0, position.piles[1])
            answer = max(answers, key=lambda grab: grab.points)
            if answer.move is not NONE and answer.points > reply:
                what = f"{answer.move} would take {counted(answer.points, 'point')}"
                yield _Change(
                    f"{best.move} takes the {card(rank)} without which the opponent {takes}; with it {what}",
                    theirs=reply - answer.points,
                )
    if _reply(second) > reply:
        yield _Change(
            f"the opponent {takes} after {best.move}, and takes {_reply(second)} after {second.move}",
            theirs=reply - _reply(second),
        )


# ----------------------------------------------------------------------------------------------------
# `hint` for the two players of a duel's exchange: the one who grabs first, and the one who grabs second.


def hint(
    position: DuelPosition, control: Control, seed: int, worlds: int | None = None
) -> DuelHint | DuelGrabHint:
    """My best move of an exchange: to grab first, and what the other takes then; or after the other has grabbed.

    Of a position with `totals` each move has the chance to win the race, from at most so many sampled decks.
    Raises RequestError where I have nothing to decide.
    """
    if position.over:
        raise RequestError("not_playable", "the round is over: there is nothing to decide", "hand")
    if position.grab is not None:
        if position.seat_to_move:
            raise RequestError("not_playable", "you have grabbed: the opponent is to move", "grabbed")
        return _second(position, control, seed, worlds)
    analysis = analyze(position, control)
    if position.totals is not None:
        return _in_race(position, analysis, control, seed, worlds)
    rows = [
        DuelHintMove(move=m.move, used=m.used, points=m.points, reply=m.reply, swing=m.swing, denies=m.denies)
        for m in analysis.moves
    ]
    best = rows[0]
    theirs = analysis.if_opponent_first
    if best.move == "none":
        # A match is never worth less: what it leaves can't offer the opponent more than the whole line does.
        reason = "There is no match."
    else:
        reason = f"{best.move} takes {counted(best.points, 'point')}"
        if best.denies:
            reason += " and leaves the opponent without a match"
        else:
            reason += f"; the opponent's best answer, {analysis.line[1]}, takes {best.reply}"
        most = max(rows, key=lambda row: row.points)
        if most.points > best.points:
            reason += f". {most.move} takes more, {most.points}, but then the opponent takes {most.reply}"
        reason += "." + in_exchange(position, rows)
    if theirs.best != "none":
        reason += f" If the opponent grabs first, expect {theirs.best}."
    return DuelHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=True,
        best=best.move,
        moves=tuple(rows),
        reason=reason,
        method="exchange solved",
        worlds=0,
        seed=seed,
        nodes=analysis.nodes,
        seconds=control.seconds,
    )


def _in_race(
    position: DuelPosition, analysis: DuelAnalysis, control: Control, seed: int, worlds: int | None
) -> DuelHint:
    """The moves by their chance to win the race, beside the points of this exchange."""
    moves = [match_of(ranks_of(m.used), position.drawn[0]) or NONE for m in analysis.moves]
    found = race(position, moves, control, worlds, seed)
    order = list(range(len(moves))) if found is None else found.order([m.swing for m in analysis.moves])
    rows = []
    for number in order:
        m = analysis.moves[number]
        chance = {} if found is None else found.chance(number)
        rows.append(
            DuelHintMove(
                move=m.move, used=m.used, points=m.points, reply=m.reply, swing=m.swing, denies=m.denies, **chance
            )
        )
    return DuelHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=False,
        best=rows[0].move,
        moves=tuple(rows),
        reason=_race_reason(rows, [row.swing for row in rows]) + _because_in_race(position, found, order, rows),
        method="exchange solved" if found is None else "rounds played out",
        worlds=0 if found is None else found.worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _because_in_race(
    position: DuelPosition,
    found: Race | None,
    order: Sequence[int],
    rows: Sequence[DuelHintMove] | Sequence[DuelGrabMove],
) -> str:
    """What is behind the first move's lead in the race; `order` has the numbers that the moves have there."""
    if found is None or len(rows) < 2:
        return ""
    return in_race(position, found, (order[0], rows[0]), (order[1], rows[1]))


def _race_reason(rows: Sequence[DuelHintMove] | Sequence[DuelGrabMove], worth: Sequence[int]) -> str:
    """Why the first move: its points and, where they are known, its chance in the race.

    `worth` is what each move is worth by the points of this exchange alone.
    """
    best = rows[0]
    deed = "There is no match" if best.move == "none" else f"{best.move} takes {counted(best.points, 'point')}"
    if best.win_probability is None:
        return f"{deed}; there was no time to look at the race."
    error = "error unknown" if best.stderr is None else f"± {100 * best.stderr:.1f}"
    chance = f"the race is won in about {100 * best.win_probability:.1f}% ({error}) of the games played on"
    most = rows[max(range(len(rows)), key=lambda row: worth[row])]
    if max(worth) > worth[0] and most.win_probability is not None:
        chance += f", against {100 * most.win_probability:.1f}% after {most.move}, which is better by points alone"
    likely = rows[max(range(len(rows)), key=lambda row: rows[row].win_probability or 0.0)]
    if likely.win_probability is not None and likely.win_probability > best.win_probability:
        chance += f". {likely.move}, in {100 * likely.win_probability:.1f}%, can't be told apart from it so far"
    return f"{deed}; {chance}."


def _second(position: DuelPosition, control: Control, seed: int, worlds: int | None) -> DuelGrabHint:
    """What to take of what the other has left: the most points or, in a race, what wins it most often."""
    left, (hand, _) = position.left_ranks, position.drawn
    choices = sorted(grabs(left, hand, position.table_jokers, position.piles[0]), key=lambda grab: -grab.points)
    control.nodes += len(choices)
    found = None
    if position.totals is not None:
        found = race(position, [grab.move for grab in choices], control, worlds, seed)
    points = [grab.points for grab in choices]
    rows = []
    order = list(range(len(choices))) if found is None else found.order(points)
    for number in order:
        grab, chance = choices[number], {} if found is None else found.chance(number)
        rows.append(
            DuelGrabMove(move=str(grab.move), used=tuple(cards(grab.move.used)), points=grab.points, **chance)
        )
    if position.totals is not None:
        reason = _race_reason(rows, [row.points for row in rows]) + _because_in_race(position, found, order, rows)
    elif rows[0].points:
        reason = f"{rows[0].move} takes {counted(rows[0].points, 'point')}, the most that is left."
        reason += in_exchange(position, rows)
    else:
        reason = "There is no match."
    return DuelGrabHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=position.totals is None,
        best=rows[0].move,
        moves=tuple(rows),
        reason=reason,
        method="exchange solved" if found is None else "rounds played out",
        worlds=0 if found is None else found.worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


# ----------------------------------------------------------------------------------------------------
# A round of a duel in play: the players take turns at grabbing first.
#
# At the table whoever sees a match first grabs it. Here nobody is hurried: the two alternate from exchange to
# exchange.


@dataclass(frozen=True)
class DuelInPlay:
    """A round of a duel. `grabbed` is the move of the player who was first in this exchange, once made."""

    race: RaceRace
    first: int
    grabbed: Move | None = None
    players: int = 2

    @property
    def to_move(self) -> int | None:
        if self.race.hands is None:
            return None
        return self.first if self.grabbed is None else 1 - self.first

    def _seat(self) -> int:
        seat = self.to_move
        if seat is None:
            raise MoveError("illegal_move", "the round is over")
        return seat

    def _line(self) -> list[int]:
        """What is left of the line."""
        line = list(self.race.line)
        for rank in self.grabbed.used if self.grabbed else ():
            line.remove(rank)
        return line

    def moves(self) -> Sequence[str]:
        return [] if self.to_move is None else [str(move) for move in self.race.moves(self._seat(), self._line())]

    def move_of(self, text: str) -> str:
        return str(self._parsed(text))

    def _parsed(self, text: str) -> Move:
        seat, line = self._seat(), self._line()
        assert self.race.hands is not None
        hand = self.race.hands[seat]
        move = parse_move(text, hand)
        if move.kind == "match":
            move = match_of(move.used, hand) or move
        if move not in self.race.moves(seat, line):
            left = " ".join(cards(line)) or "empty"
            raise MoveError("illegal_move", f"{text!r} is no move here: you drew {card(hand)}, the line is {left}")
        return move

    def announcement(self, move: str) -> str:
        return move

    def secret(self, move: str) -> bool:
        return False

    def drawn(self, move: str) -> str | None:
        """None: the cards for the next exchange are turned up for both."""
        return None

    @property
    def opens(self) -> bool:
        return self.grabbed is None and self.race.hands is not None

    @property
    def late(self) -> str:
        return str(NONE)

    def play(self, move: str) -> DuelInPlay:
        chosen = self._parsed(move)
        if self.grabbed is None:
            return replace(self, grabbed=chosen)
        after = race_exchange(self.race, self.first, self.grabbed, chosen)
        return DuelInPlay(after, 1 - self.first)

    def seen(self, seat: int) -> DuelPosition:
        """The exchange as a seat sees it, or the round when it is over."""
        seen = self.race.position(seat)
        if self.grabbed is None:
            return seen
        return seen.model_copy(update={"grabbed": f"{int(self.first != seat)}:{self.grabbed}"})

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        return hint(self.seen(self._seat()), control, seed)

    def for_match(self) -> DuelInPlay:
        return self  # hints go by the race in any case

    def by_points(self) -> DuelInPlay:
        return self  # what a move gave away is counted in points

    @property
    def unit(self) -> str:
        return "points"

    @property
    def known(self) -> None:
        """None: both hands of an exchange lie open, so the hint knows all that is not left to the deck."""
        return None

    def leads_to(self, move: str) -> Sequence[str]:
        return (move,)

    def rows(self, seat: int | None = None) -> Rows:
        mover = self.to_move
        piles = self.race.piles
        if mover is None:
            rows = [(say("Seat {seat}", seat=player), _pile(pile)) for player, pile in enumerate(piles)]
            return [(say("Line"), " ".join(cards(self.race.line)) or "–"), *rows]
        assert self.race.hands is not None
        you = mover if seat is None else seat
        if self.grabbed is not None:
            when = say("seat {seat} has grabbed: {move}", seat=self.first, move=self.grabbed)
        elif mover == you:
            when = say("you grab first")
        else:
            when = say("seat {seat} grabs first", seat=mover)
        rows = [(say("Line"), f"{' '.join(cards(self._line())) or '–'}   ({when})")]
        for label, player in ((say("You"), you), (say("Opponent"), 1 - you)):
            rows.append((label, f"{card(self.race.hands[player])}   (pile: {_pile(piles[player])})"))
        return [*rows, (say("Deck"), counted(len(self.race.deck), "card"))]

    def cards(self) -> list[dict[str, str]]:
        return []


def _pile(pile: Sequence[int]) -> str:
    total = points(pile)
    return f"{counted(len(pile), 'card')}, {counted(total, 'point')}"
