"""Analysis of Kirin with every card known: the value of every move under a model of the others' play."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import RequestError
from solver.game import ProofSearch
from solver.games.kirin.deck import ASCENDING, CARDS, KIRIN, members, name, names
from solver.games.kirin.fast_rules import QUALIFYING, WEAKER, asks, direction_after, gained
from solver.games.kirin.position import KirinAnalysis, Round, Scores, numbers
from solver.games.kirin.rules import MOST_POINTS, SEATS, Masks, Order, State, four, points
from solver.games.kirin.search import PROVERS, player_score
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, popcount, trailing_zeros
from solver.language import say
from solver.limits import Control, Part, started
from solver.search.memory import MEGABYTE, TABLE_BUDGET, new_table, table_megabytes
from solver.search.score_search import ScoreProver
from solver.tricks.analysis import (
    Form,
    PlayerScore,
    Question,
    ScoreBounds,
    all_scores,
    asked,
    bracket,
    narrow,
    one_score,
    position_scores,
    proved,
)
from solver.tricks.analysis import merit as maxn_merit
from solver.tricks.rules import CardState

# ----------------------------------------------------------------------------------------------------
# `maxn` by retrograde enumeration: the scores of the states with k cards in each hand, from k = 0 up.
#
# Under `maxn` hardly anything can be pruned, so a dense memo is filled as fast as possible. A state between two
# tricks consists of the subset of its root cards that each hand still holds, the leader and the direction. Subsets
# with k cards are numbered in colexicographic order, which does not depend on how many cards the hand had. A memo
# word has what each seat still wins, four bits per seat.
#
# Few of the states with many cards can be reached from the root: with six cards per hand, 15% of those with four
# and half of those with three. So before the memo is filled, those that can be reached are marked, from the root
# down to the level with the most states. Below it, nearly all are reached, and all are filled.
#
# A hand's cards are numbered from 0 in deck order, so that the first of equal moves is the canonical one.


MOST_CARDS = 8

# For each subset of eight cards its number among those of its size; and the subsets of each size, in order.
NUMBER = np.array(
    [
        sum(comb(card, index + 1) for index, card in enumerate(c for c in range(MOST_CARDS) if subset >> c & 1))
        for subset in range(1 << MOST_CARDS)
    ],
    np.int64,
)
SUBSETS = np.zeros((MOST_CARDS + 1, comb(MOST_CARDS, MOST_CARDS // 2)), np.int64)
for _subset in range(1 << MOST_CARDS):
    SUBSETS[_subset.bit_count(), NUMBER[_subset]] = _subset
CHOOSE = np.array([[comb(n, k) for k in range(MOST_CARDS + 2)] for n in range(MOST_CARDS + 1)], np.int64)

# Words of the cards' table, for each (seat, card): by direction SEATS times its strength (0 for a kirin), plus its
# seat; its bit; for each direction and seat, which of that seat's cards must follow it. Then come the words about
# what scores for a seat.
POWER, BIT, FOLLOWERS = 0, 2, 3
CARD_WORDS = 11
OWNS = SEATS * MOST_CARDS * CARD_WORDS
# Words about a set of hands: the hands; for each seat the cards that it may play; for each (seat, card) what this
# card, once played, adds to the number of the next set.
CHOICES = SEATS
STEPS = 2 * SEATS
HELD_WORDS = STEPS + SEATS * MOST_CARDS

# The direction after a trick, for each direction before it and set of kirin in it.
TURNED = np.array([direction_after(kirin, turn) for turn in range(2) for kirin in range(KIRIN + 1)], np.int64)

MARK = 0xFFFF  # in a memo word, until it is filled: the state can be reached


@inlined
def merit(scores: int, seat: int) -> int:
    """Return a number that is higher the better the packed `scores` are for a seat.

    Its own score decides; if that is the same, a lower total of the others is better.
    """
    own = (scores >> (4 * seat)) & 15
    pairs = (scores & 0x0F0F) + ((scores >> 4) & 0x0F0F)
    return 65 * own - (pairs & 0xFF) - (pairs >> 8)


@lean
def enter_steps(counts: Words, held: Words, level: int) -> None:
    """Write `STEPS` for the hands in `held`, which have `level` cards each."""
    stride = 8
    for seat in range(SEATS - 1, -1, -1):
        rest = held[seat]
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            held[STEPS + seat * MOST_CARDS + card] = stride * NUMBER[held[seat] ^ (1 << card)]
        stride *= CHOOSE[counts[seat], level - 1]


@lean
def trick_value(
    cards: Words,
    held: Words,
    level: int,
    leader: int,
    direction: int,
    below: NDArray[np.uint16],
    marking: bool,
) -> int:
    """Return the points that each seat still wins from a state between two tricks, four bits per seat.

    All ways to play the next trick are tried. `held` has the words about the hands, which have `level` cards each.
    `below` has the scores of the states after this trick; if `marking`, these states are marked instead, and the
    result means nothing.
    """
    first, second, third, fourth = leader, (leader + 1) & 3, (leader + 2) & 3, (leader + 3) & 3
    best1 = -1
    merit1 = -1000
    rest1 = held[CHOICES + first]
    while rest1 != 0:
        card1 = trailing_zeros(rest1)
        rest1 &= rest1 - 1
        at1 = first * MOST_CARDS + card1
        index1 = held[STEPS + at1]
        at1 *= CARD_WORDS
        power1 = cards[at1 + POWER + direction]
        follow = at1 + FOLLOWERS + 4 * direction
        legal2 = held[second] & cards[follow + second]
        legal2 = (legal2 if legal2 != 0 else held[second]) & held[CHOICES + second]
        legal3 = held[third] & cards[follow + third]
        legal3 = (legal3 if legal3 != 0 else held[third]) & held[CHOICES + third]
        legal4 = held[fourth] & cards[follow + fourth]
        legal4 = (legal4 if legal4 != 0 else held[fourth]) & held[CHOICES + fourth]
        best2 = -1
        merit2 = -1000
        while legal2 != 0:
            card2 = trailing_zeros(legal2)
            legal2 &= legal2 - 1
            at2 = second * MOST_CARDS + card2
            index2 = index1 + held[STEPS + at2]
            at2 *= CARD_WORDS
            power2 = max(power1, cards[at2 + POWER + direction])
            trick2 = cards[at1 + BIT] | cards[at2 + BIT]
            best3 = -1
            merit3 = -1000
            rest3 = legal3
            while rest3 != 0:
                card3 = trailing_zeros(rest3)
                rest3 &= rest3 - 1
                at3 = third * MOST_CARDS + card3
                index3 = index2 + held[STEPS + at3]
                at3 *= CARD_WORDS
                power3 = max(power2, cards[at3 + POWER + direction])
                trick3 = trick2 | cards[at3 + BIT]
                best4 = -1
                merit4 = -1000
                rest4 = legal4
                while rest4 != 0:
                    card4 = trailing_zeros(rest4)
                    rest4 &= rest4 - 1
                    at4 = fourth * MOST_CARDS + card4
                    index = index3 + held[STEPS + at4]
                    at4 *= CARD_WORDS
                    power4 = max(power3, cards[at4 + POWER + direction])
                    gains = 0
                    trick4 = trick3 | cards[at4 + BIT]
                    winner = leader
                    if power4 >= SEATS:
                        winner = power4 & 3
                        gains = gained(cards[OWNS + winner], trick4, level == 1) << (4 * winner)
                    after = index + 2 * winner + TURNED[(KIRIN + 1) * direction + (trick4 & KIRIN)]
                    if marking:
                        below[after] = MARK
                    gains += int(below[after])
                    worth = merit(gains, fourth)
                    if worth > merit4:
                        merit4, best4 = worth, gains
                worth = merit(best4, third)
                if worth > merit3:
                    merit3, best3 = worth, best4
            worth = merit(best3, second)
            if worth > merit2:
                merit2, best2 = worth, best3
        worth = merit(best2, first)
        if worth > merit1:
            merit1, best1 = worth, best2
    return int(best1)


@lean
def fill(
    cards: Words,
    counts: Words,
    level: int,
    below: NDArray[np.uint16],
    here: NDArray[np.uint16],
    scratch: Words,
    begin: int,
    end: int,
    marked: bool,
    marking: bool,
) -> int:
    """Compute the scores of the sets of hands numbered `begin` to `end` - 1, with `level` cards in each hand.

    Writes eight scores for each set to `here`, one for each leader and direction; if `marked`, only where there is
    a mark. `below` has the scores for one card fewer in each hand; if `marking`, the states there that follow from
    those marked here are marked, and nothing else is written. Returns the number of states looked at. `counts` has
    the number of cards that each hand had at the root. Threads may fill different parts of a level, each with its
    own `HELD_WORDS` of `scratch`.
    """
    states = 0
    for index in range(begin, end):
        rest = index
        for seat in range(3, -1, -1):
            size = CHOOSE[counts[seat], level]
            scratch[seat] = SUBSETS[level, rest % size]
            scratch[CHOICES + seat] = scratch[seat]
            rest //= size
        enter_steps(counts, scratch, level)
        for leader in range(SEATS):
            for direction in range(2):
                at = 8 * index + 2 * leader + direction
                if marked and here[at] != MARK:
                    continue
                states += 1
                scores = trick_value(cards, scratch, level, leader, direction, below, marking)
                if not marking:
                    here[at] = scores
    return states


@lean
def enter_cards(hands: Words, asked: int, words: Words) -> None:
    """Write the words of each card in `hands` (`CARD_WORDS` each) to `words`.

    `hands` has `MOST_CARDS` places for each seat, -1 where there is no card. `asked` is where the rows of
    `QUALIFYING` begin.
    """
    for at in range(SEATS * MOST_CARDS):
        number = hands[at]
        if number < 0:
            continue
        card = at * CARD_WORDS
        for direction in range(2):
            row = direction * CARDS + number
            words[card + POWER + direction] = SEATS * popcount(WEAKER[row]) + at // MOST_CARDS
            for other in range(SEATS):
                followers = 0
                for index in range(MOST_CARDS):
                    held = hands[other * MOST_CARDS + index]
                    if held >= 0:
                        followers |= ((QUALIFYING[row + asked] >> held) & 1) << index
                words[card + FOLLOWERS + 4 * direction + other] = followers
        words[card + BIT] = 1 << number


# ----------------------------------------------------------------------------------------------------
# `maxn`: everybody's exact scores, from a dense memo, if each seat maximizes its own score and, in ties, minimizes
# the others' total.
#
# The memo of seven cards per hand takes 54 MB, of eight 720 MB: more than `memo_megabytes` allows by default.
# Above that, and if a limit is reached, each seat's score lies between what it can guarantee (`paranoid`) and what
# it can reach with everybody's help (`ally`), for any way to break ties.


SETS_A_WORKER = 500  # sets of hands, a few milliseconds


def memo_megabytes() -> int:
    """Return the size limit of a memo: 256 MB, or the limit for the table of a search if that is more."""
    return max(256, table_megabytes())


class Memo:
    """The scores under `maxn` of every state between two tricks that can be reached from a root."""

    def __init__(self, root: State, colours: Masks, workers: int = 1) -> None:
        """Make an empty memo, to be filled by `workers` threads."""
        self._root, self._colours = root, colours
        hands = [list(members(hand)) for hand in root.hands]
        self._counts = np.array([len(hand) for hand in hands], np.int64)
        for index, card in enumerate(root.trick):
            hands[(root.leader + index) % SEATS].append(card)  # after all others: it is in no set of hands
        self._places = [{card: index for index, card in enumerate(hand)} for hand in hands]
        self._cards: Words = np.zeros(OWNS + SEATS, np.int64)
        self._cards[OWNS:] = [root.rules.scoring(collected) for collected in colours]
        held = [hand + [-1] * (MOST_CARDS - len(hand)) for hand in hands]
        enter_cards(np.array(held).ravel(), asks(root.rules.only_kirin), self._cards)
        self._held: Words = np.zeros(HELD_WORDS, np.int64)
        self._top = int(self._counts.min()) - (not root.trick)  # cards per hand after this trick
        self._least = self._top  # the lowest level whose states are marked
        while self._states(self._least - 1) > self._states(self._least):
            self._least -= 1
        self._levels: list[NDArray[np.uint16]] = []
        # What is left to do: whether to mark the level below or to fill this one, and the level.
        self._steps = [(True, level) for level in range(self._top, self._least, -1)]
        self._steps += [(False, level) for level in range(1, self._top + 1)]
        self._next = 0  # the first set of hands of the current step
        self._done = 0  # states filled, and those left out
        self._workers = workers

    def _states(self, level: int) -> int:
        return 8 * int(np.prod([CHOOSE[count, level] for count in self._counts])) if level > 0 else 8

    @property
    def megabytes(self) -> float:
        return sum(self._states(level) for level in range(1, self._top + 1)) * 2 / (1 << 20)

    def step(self, budget: int) -> tuple[bool, int]:
        """Mark or fill in at most `budget` more states (see `solver.limits`).

        Returns whether the memo is full, and the number of states looked at. Raises MemoryError if there is too
        little memory.
        """
        if not self._levels:
            self._begin()
        if not self._steps:
            return True, 0
        marking, level = self._steps[0]
        sets = self._states(level) // 8
        end = min(sets, self._next + max(1, budget // 8))
        states = self._look(marking, level, self._next, end)
        if not marking:
            self._done += 8 * (end - self._next)
        self._next = end
        if end == sets:
            self._next = 0
            del self._steps[0]
        return not self._steps, states

    def _begin(self) -> None:
        """Take memory for all levels, and mark the states after the root's trick."""
        sizes = [self._states(level) for level in range(1, self._top + 1)]
        self._levels = [np.zeros(8, np.uint16), *(new_table([size], np.uint16) for size in sizes)]
        if self._top > 0:
            self._hold(self._root)
            self._value(self._root, marking=True)

    def _look(self, marking: bool, level: int, begin: int, end: int) -> int:
        """Mark or fill a part of a level, in several threads if that pays; return the number of states."""
        workers = min(self._workers, 1 + (end - begin) // SETS_A_WORKER)
        edges = [begin + (end - begin) * part // workers for part in range(workers + 1)]
        states = [0] * workers

        def work(part: int) -> None:
            states[part] = fill(
                self._cards,
                self._counts,
                level,
                self._levels[level - 1],
                self._levels[level],
                np.zeros(HELD_WORDS, np.int64),
                edges[part],
                edges[part + 1],
                level >= self._least,
                marking,
            )

        threads = [threading.Thread(target=work, args=(part,)) for part in range(1, workers)]
        for thread in threads:
            if not started(thread):
                thread.run()
        work(0)
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        return sum(states)

    def share(self) -> float:
        """Return the share of the memo that is filled."""
        whole = sum(self._states(level) for level in range(1, self._top + 1))
        return self._done / whole if whole else 1.0

    def moves(self, state: State) -> list[tuple[int, Scores]]:
        """List every legal card in canonical order, with the final scores of all seats.

        The state must be reachable from the root, and the memo must be full.
        """
        seat, before = state.to_move, points(state, self._colours)
        self._hold(state)
        scored = []
        for card in state.moves():
            self._held[CHOICES + seat] = 1 << self._places[seat][card]
            word = self._value(state)
            scored.append((card, four(before[other] + (word >> 4 * other & 15) for other in range(SEATS))))
        return scored

    def _hold(self, state: State) -> None:
        """Write the words about the hands of a state, with their cards on the table."""
        played = {(state.leader + turn) % SEATS: card for turn, card in enumerate(state.trick)}
        for other, places in enumerate(self._places):
            cards = sum(1 << places[card] for card in members(state.hands[other]))
            laid = 1 << places[played[other]] if other in played else 0
            self._held[other], self._held[CHOICES + other] = cards | laid, laid or cards
        enter_steps(self._counts, self._held, int(self._held[0]).bit_count())

    def _value(self, state: State, *, marking: bool = False) -> int:
        """Call `trick_value` for a state whose hands `_hold` has written."""
        level = int(self._held[state.to_move]).bit_count()
        below, direction = self._levels[level - 1], state.rules.direction
        return int(trick_value(self._cards, self._held, level, state.leader, direction, below, marking))


def fits(memo: Memo) -> bool:
    """Whether the whole memo is within the size limit and fits into the free memory."""
    return memo.megabytes <= min(memo_megabytes(), TABLE_BUDGET.part / MEGABYTE)


def complete(memo: Memo, part: Part) -> bool:
    """Fill the memo. Returns False if it ran out of memory or used up `part`, its part of the limit."""
    try:
        return part.control.drive(
            memo.step, until=part.until, node_share=part.nodes(), stage="maxn", done=memo.share
        )
    except MemoryError:
        return False


def line(memo: Memo, state: State) -> list[int]:
    """Return the principal variation to the end of the round; each seat plays the first of its best cards."""
    cards = []
    while not state.over:
        seat = state.to_move
        card, _ = max(memo.moves(state), key=lambda item: maxn_merit(item[1], seat))
        cards.append(card)
        state = state.after(card)
    return cards


# ----------------------------------------------------------------------------------------------------
# `maxn` of states whose memo is too large: card by card, each state of this trick with its own memo.
#
# A played card makes the memo of the rest smaller: with two of eight cards played it takes 185 MB instead of 720
# MB. These memos are filled one after another, each from scratch, so it takes some minutes.


Worth = tuple[Scores, list[int]]  # each seat's final score, and the line of play


def worth(state: State, colours: Masks, part: Part) -> Worth | None:
    """Return the final scores from a state, and the first of the best lines; None if the limit was reached."""
    if state.over:
        return points(state, colours), []
    memo = Memo(state, colours, part.control.threads)
    if fits(memo):
        if not complete(memo, part):
            return None
        seat = state.to_move
        _, scores = max(memo.moves(state), key=lambda item: maxn_merit(item[1], seat))
        return scores, line(memo, state)
    del memo
    best: Worth | None = None
    for card in state.moves():
        later = worth(state.after(card), colours, part)
        if later is None:
            return None
        if best is None or maxn_merit(later[0], state.to_move) > maxn_merit(best[0], state.to_move):
            best = later[0], [card, *later[1]]
    return best


_MEMO_SHARE = 0.7  # of a limit; the rest is for bounds, if the memo is not full by then


def of_position(
    position: Round, control: Control, prover: ScoreProver, proofs: dict[int, ScoreBounds]
) -> tuple[dict[int, ScoreBounds], list[int]]:
    """Return bounds on all seats' scores after every legal card, and the principal variation.

    During the search, `proofs` has the bounds proved so far. The line is empty if the round is over or the scores
    are not exact. If the memo of the whole state is too large, the search finds bounds first, then the exact
    scores of one card after another while there is time.
    """
    state, colours = position.state, position.colours
    if state.over:
        return {}, []
    memo = Memo(state, colours, control.threads)
    if not fits(memo):
        del memo
        return _by_parts(position, control, prover, proofs)
    if complete(memo, Part(control, _MEMO_SHARE)):
        return {card: (scores, scores) for card, scores in memo.moves(state)}, line(memo, state)
    del memo
    bounded(position, control, prover, proofs)
    return proofs, []


def _by_parts(
    position: Round, control: Control, prover: ScoreProver, proofs: dict[int, ScoreBounds]
) -> tuple[dict[int, ScoreBounds], list[int]]:
    bounded(position, control, prover, proofs)
    state = position.state
    lines: dict[int, list[int]] = {}
    for card in proofs:
        solved = worth(state.after(card), position.colours, Part(control))
        if solved is None:
            return proofs, []
        scores, lines[card] = solved
        proofs[card] = (scores, scores)
    best = max(proofs, key=lambda card: maxn_merit(proofs[card][0], state.to_move))  # the first of equals
    return proofs, [best, *lines[best]]


def bounded(position: Round, control: Control, prover: ScoreProver, proofs: dict[int, ScoreBounds]) -> None:
    """Fill `proofs` with bounds on all seats' scores after every legal card.

    A seat gets at least what it can guarantee against all others, and at most what it reaches with their help.
    """

    def score_of(seat: int, allies: bool) -> PlayerScore[int]:
        return _score(position, prover, seat, allies=allies, control=control)

    bracket(position.state.moves(), SEATS, score_of, proofs)


def of_declaring(
    position: Round, control: Control, prover: ScoreProver, values: dict[int, ScoreBounds]
) -> tuple[dict[int, ScoreBounds], list[int]]:
    """Return bounds on all seats' scores after each card that a seat may set aside, and the principal variation.

    The bounds are written to `values` card by card. The line is empty if the scores are not exact. Raises
    RequestError if other seats have yet to set a card aside too.
    """
    seat = position.seat
    if position.aside.count(None) > 1:
        message = say("several seats have yet to set a card aside: maxn has no value for simultaneous choices")
        raise RequestError("undeclared", message, "declared")
    best: list[int] = []
    for card in members(position.hand_masks[seat]):
        after = position.after_choice(card)
        inner, play_line = of_position(after, control, prover, {})
        lead = after.seat_to_move
        value = position_scores(inner, lead)
        if value[0] == value[1] and all(
            maxn_merit(value[0], seat) > maxn_merit(other[1], seat) for other in values.values()
        ):
            best = [card, *play_line]
        values[card] = value
    return values, best if all(low == high for low, high in values.values()) else []


# ----------------------------------------------------------------------------------------------------
# Which card to set aside before the round, with all hands known: one player's score, by yes-no questions.
#
# The seats that have not set a card aside do so one after another, clockwise from the asked one, each seeing what
# was set aside: against the player under `paranoid`, so the score is guaranteed, and for the player under `ally`.


class Declaring:
    """The search for a player's score from a position in which some seats have yet to set a card aside."""

    def __init__(self, prover: ScoreProver, player: int, *, allies: bool, control: Control) -> None:
        self._prover = prover
        self._player = player
        self._allies = allies
        self._control = control
        self._first: dict[int, int] = {}  # the card that last decided a question, by seat

    def maximises(self, seat: int) -> bool:
        return self._allies or seat == self._player

    def round(self, position: Round) -> PlayerScore[int]:
        """Return the search for the player's score in the round that begins with `position`."""
        return _score(position, self._prover, self._player, allies=self._allies, control=self._control)

    def reaches(self, position: Round, score: int) -> bool | None:
        """Whether the player's score is at least `score`; None if the limit was reached."""
        if not position.choosing:
            search = self.round(position)
            return search.reaches(search.start, score)
        seat = position.seat
        wanted = self.maximises(seat)
        hand = list(members(position.hand_masks[seat]))
        if self._first.get(seat) in hand:
            hand.insert(0, hand.pop(hand.index(self._first[seat])))
        for card in hand:
            answer = self.reaches(position.after_choice(card), score)
            if answer is None:
                return None
            if answer is wanted:
                self._first[seat] = card
                return answer
        return not wanted

    def bounds(self, position: Round, guess: int | None) -> tuple[int, int]:
        """Return bounds on the player's score; they are equal unless the limit was reached."""
        won = position.points[self._player]
        guess = won + 1 if guess is None else guess
        return narrow(partial(self.reaches, position), won, won + MOST_POINTS, guess)

    def moves(self, position: Round) -> dict[int, tuple[int, int]]:
        """Return bounds on the player's score for each card that the seat may set aside, in canonical order."""
        bounds: dict[int, tuple[int, int]] = {}
        guess: int | None = None
        for card in members(position.hand_masks[position.seat]):
            bounds[card] = self.bounds(position.after_choice(card), guess)
            guess = bounds[card][0]
        return bounds

    def line(self, position: Round, score: int) -> list[int]:
        """Return the cards set aside and then played in best play, from a position whose value is `score`.

        The line ends early if the limit is reached.
        """
        cards: list[int] = []
        while position.choosing:
            for card in members(position.hand_masks[position.seat]):
                after = position.after_choice(card)
                if self.maximises(position.seat):
                    keeps = self.reaches(after, score)
                else:
                    kept = self.reaches(after, score + 1)
                    keeps = None if kept is None else not kept
                if keeps is None:
                    return cards
                if keeps:
                    break
            cards.append(card)
            position = after
        search = self.round(position)
        return cards + search.line(search.start, score)


def _score(
    position: Round, prover: ScoreProver, player: int, *, allies: bool, control: Control
) -> PlayerScore[int]:
    return player_score(prover, position.state, position.colours[player], player, allies=allies, control=control)


# ----------------------------------------------------------------------------------------------------
# `analyze` for Kirin with every card known: every move's value under a model of the others' play.


FORM = Form("kirin", KirinAnalysis, name)


def analyze(
    position: Round,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> KirinAnalysis:
    """Return the values of all moves, best first for the seat to move: exact, or bounds if the limit was reached.

    Raises RequestError for an unknown model or player.
    """
    question = asked(model, player, position.seat_to_move, SEATS, control)
    with PROVERS.lend() as prover:
        if question.model == "maxn":
            answer = _everybody(position, question, prover)
        elif position.choosing:
            answer = _declaring(position, question, prover)
        else:
            answer = _playing(position, question, prover)
    return answer


def _playing(position: Round, question: Question, prover: ScoreProver) -> KirinAnalysis:
    allies = question.model == "ally"
    search = _score(position, prover, question.player, allies=allies, control=question.control)
    return one_score(
        FORM,
        question,
        search.moves(name),
        high=allies or question.player == question.to_move,
        won=search.won,
        line=lambda *_: search.best_line()[1:],
    )


def _declaring(position: Round, question: Question, prover: ScoreProver) -> KirinAnalysis:
    search = Declaring(prover, question.player, allies=question.model == "ally", control=question.control)
    return one_score(
        FORM,
        question,
        search.moves(position),
        high=search.maximises(position.seat),
        won=position.points[question.player],
        line=lambda _, score: search.line(position, score)[1:],
    )


def _everybody(position: Round, question: Question, prover: ScoreProver) -> KirinAnalysis:
    proofs: dict[int, ScoreBounds] = {}
    with question.control.telling(lambda: proved(name, proofs)):
        if not position.choosing:
            moves, line = of_position(position, question.control, prover, proofs)
        else:
            moves, line = of_declaring(position, question.control, prover, proofs)
        return all_scores(FORM, question, moves, scores=position.points, line=line)


def warm() -> None:
    """Compile or load every kernel that analyses need."""
    hands = (1 << 2 | 1 << 9, 1 << 3 | 1 << 10, 1 << 4 | 1 << 11, 1 << 5 | 1 << 12)
    state = CardState(Order(), hands, 0, (), (0, 0, 0, 0))
    with PROVERS.lend() as prover:
        search = player_score(prover, state, 0, 0, allies=False, control=Control())
        card, (score, _) = next(iter(search.moves().items()))
        search.maximises(search.start)
        search.bounds(search.start)
        search.line(search.after(search.start, card), score)
    memo = Memo(state, (0, 0, 0, 0))
    complete(memo, Part(Control()))
    memo.moves(state)


# ----------------------------------------------------------------------------------------------------
# Certificates of a player's score in Kirin: the search's part.


def claim(position: object) -> dict[str, Any]:
    """Return the position that a certificate is about, as data.

    Raises RequestError for a view, and for a position in which a seat has yet to set a card aside.
    """
    assert isinstance(position, Round)
    if position.choosing:
        raise RequestError("not_offered", say("a certificate begins when every seat has set a card aside"))
    state = position.state
    data: dict[str, Any] = {
        "game": "kirin",
        "direction": "ascending" if state.rules.direction == ASCENDING else "descending",
        "leader": state.leader,
        "trick": names(state.trick),
        "hands": [names(members(hand)) for hand in state.hands],
        "declared": list(position.declared),
        "won": [names(members(pile)) for pile in state.won],
    }
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


@contextmanager
def proving(position: Round, control: Control, *, model: str | None, player: int) -> Iterator[ProofSearch]:
    """Context manager that provides a search for the score of `player`.

    All other seats oppose the player (``paranoid``) or help (``ally``).
    """
    with PROVERS.lend() as prover:
        search = _score(position, prover, player, allies=model == "ally", control=control)
        yield ProofSearch(
            start=search.start,
            after=lambda node, text: search.after(node, numbers([text])[0]),
            reaches=search.reaches,
        )
