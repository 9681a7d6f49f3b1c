"""Hints in small endings: the best response to the other players over all possible deals, if time allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial
from typing import NamedTuple

import numpy as np

from solver.common import Others
from solver.games.aqua_regia.deck import FIELDS, Deck
from solver.games.aqua_regia.fast_rules import (
    BITS,
    DRAW,
    EXCHANGE,
    OUT,
    PASS,
    SEATS,
    STATE_WORDS,
    STATUS,
    STOCK,
    STOCK_SIZE,
    Deal,
    count_of,
    count_played,
    deal_of,
    drawn_of,
    exchange_number,
    field_of,
    metal_given,
    metal_of,
    metal_played,
    metal_taken,
    moves,
    next_field,
    node_of,
    number_of,
    owner_of,
    play_number,
    reactivity_rows,
    reversed_of,
    turn_of,
)
from solver.games.aqua_regia.fast_rules import play as after_move
from solver.games.aqua_regia.players import WEIGHTS_OF, Turn, move_chances
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import LEFT, SCORE, STATISTICS, TOOK
from solver.games.aqua_regia.rules import Counts, Move
from solver.games.aqua_regia.worlds import (
    DRAWS,
    FIELD,
    FIRST,
    KIND,
    PASSES,
    PLAYS,
    SEAT,
    SECOND,
    STUCK,
    Evidence,
    evidence,
    exchange_chance,
    play_chance,
)
from solver.hints.endings import (
    MOST_DEALS,
    OTHERS,
    OVER,
    OWN,
    SHARE,
    Start,
    best_replies,
    expectation_kernel,
    steps_allowed,
)
from solver.hints.ranking import Whole
from solver.kernels.jit import kernel, lean
from solver.kernels.words import Floats, Words
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# The possible hands of another seat, weighted by the likelihood of what the seat was seen to do.
#
# Cards that a seat drew are hidden, so a hand may have arisen in many ways. From each possible current hand, the
# past is followed backward: a drawn card may be any of the cards held then. Each hand before a step is kept once,
# however many ways lead on from it, and the likelihoods are then added up forward (the forward algorithm for
# hidden Markov models: Rabiner 1989).
#
# Every card hidden at the start of the history may be in any hidden place. So the weight of the hands of all seats
# together is the product of the results of `HandLikelihoods.likelihoods`, divided by the product over the metals
# of the factorial of the metal's cards out of play (`deals_left`).
#
# A set of cards is a word with a lane for each metal of the deck.


class TooManyError(Exception):
    """There are too many hands, or ways in which they can have arisen, for the time available."""


@dataclass(frozen=True)
class Lanes:
    """A way to pack the number of cards of each metal into one word, with `bits` bits per metal."""

    bits: int
    metals: int

    def word(self, counts: Counts) -> int:
        return sum(count << self.bits * metal for metal, count in enumerate(counts))

    def held(self, words: Words, metal: int) -> Words:
        """Return the number of cards of a metal in each of the packed sets `words`."""
        return words >> self.bits * metal & (1 << self.bits) - 1

    def one(self, metal: int) -> int:
        return 1 << self.bits * metal


def lanes_of(deck: Deck) -> Lanes | None:
    """Return the packing for a deck's cards; None if they do not fit in a word."""
    bits = deck.copies.bit_length()
    return Lanes(bits, deck.size) if bits * deck.size < 64 else None


@kernel
def step_chances(evidence: Evidence, row: int, bits: int, exchanges: bool, hands: Words) -> Floats:
    """Return the likelihood of a step for each of `hands`.

    The likelihood is that of the step's play or pass or, if `exchanges`, of its exchange. The step is in row `row`
    of `evidence.steps`.
    """
    step, hand = evidence.steps[row], np.zeros(evidence.reactivity.shape[1], np.int64)
    chances, likelihoods = evidence.chances, np.zeros(len(hands))
    for index in range(len(hands)):
        size = 0
        for metal in range(len(hand)):
            hand[metal] = (hands[index] >> (bits * metal)) & ((1 << bits) - 1)
            size += hand[metal]
        if exchanges:
            likelihoods[index] = exchange_chance(hand, evidence.piles[row], evidence.copies, step, chances)
        else:
            likelihoods[index] = play_chance(evidence.reactivity, hand, size, step, chances)
    return likelihoods


def subsets(counts: Counts, size: int) -> Iterator[Counts]:
    """Yield every choice of `size` cards from `counts`, as counts by metal."""
    if not counts:
        if not size:
            yield ()
        return
    first, rest = counts[0], counts[1:]
    for some in range(max(0, size - sum(rest)), min(first, size) + 1):
        for others in subsets(rest, size - some):
            yield (some, *others)


@dataclass
class _Before:
    """A step of a seat, traced backward: the hands that the seat may have held before it and after it.

    Hands are packed into words. Of the `after` hands after the step, those at the indices `kept` are possible. If
    no card is drawn, `before` has the hand that leads to each of these. For a pass, `passing` has the hands
    between its draw and its exchange, one for each of `kept`. If a card is drawn, hand ``came[k]`` of `before` can
    become hand ``went[k]`` of `passing`.
    """

    row: int
    kind: int
    after: int
    kept: Words
    before: Words
    passing: Words | None = None
    came: Words | None = None
    went: Words | None = None


class HandLikelihoods:
    """Likelihoods of hands, given a history.

    Traces past hands backward from the current ones. Raises TooManyError if there are more than `most` of them.
    """

    def __init__(self, evidence: Evidence, lanes: Lanes, most: int) -> None:
        self._evidence = evidence
        self._lanes = lanes
        self._most = most
        self.looked_at = 0

    def likelihoods(self, seat: int, hands: Words) -> Floats:
        """Return the likelihood of a seat's observed moves, given each hand that it may hold now.

        `hands` must be distinct. Each value is summed over all ways to arrive at the hand; all are scaled by the
        same unknown factor.
        """
        steps = [row for row in range(len(self._evidence.steps)) if self._evidence.steps[row, SEAT] == seat]
        befores = []
        states = hands
        for row in reversed(steps):
            befores.append(self._back(row, states))
            states = befores[-1].before
        ways = self._ways(seat, states)
        for before in reversed(befores):
            ways = self._forward(before, ways)
            if ways.max(initial=0.0) > 0:
                ways = ways / ways.max()
        return ways

    def _ways(self, seat: int, hands: Words) -> Floats:
        """Count the ways to deal a seat each of its possible first `hands`, up to a common factor."""
        ways = np.ones(len(hands))
        for metal in range(self._lanes.metals):
            hidden = self._lanes.held(hands, metal) - self._evidence.held[seat, metal]
            ways = np.where(hidden < 0, 0.0, ways)
            ways = ways / FACTORIALS[np.maximum(hidden, 0)]
        return ways

    def _back(self, row: int, states: Words) -> _Before:
        step, lanes = self._evidence.steps[row], self._lanes
        first, kind, after = int(step[FIRST]), int(step[KIND]), len(states)
        kept = np.arange(after)
        if kind == STUCK:
            lets = [metal for metal in range(lanes.metals) if self._evidence.reactivity[step[FIELD], metal] > 0]
            none = sum(lanes.word((0,) * metal + ((1 << lanes.bits) - 1,)) for metal in lets)
            kept = np.flatnonzero(states & none == 0)
            return _Before(row, kind, after, kept, states[kept])
        if kind == PLAYS:
            before = states + int(step[SECOND]) * lanes.one(first)
            return _Before(row, kind, after, kept, self._looked_at(before))
        if first >= 0:
            kept = np.flatnonzero(lanes.held(states, int(step[SECOND])) > 0)
            states = states[kept] + lanes.one(first) - lanes.one(int(step[SECOND]))
        if step[DRAWS] == 0:
            return _Before(row, kind, after, kept, self._looked_at(states), states)
        return self._back_over_draw(row, after, kept, states)

    def _back_over_draw(self, row: int, after: int, kept: Words, passing: Words) -> _Before:
        lanes = self._lanes
        went = [np.flatnonzero(lanes.held(passing, metal) > 0) for metal in range(lanes.metals)]
        came = [passing[places] - lanes.one(metal) for metal, places in enumerate(went)]
        before, places = np.unique(np.concatenate(came), return_inverse=True)
        looked_at = self._looked_at(before)
        return _Before(row, PASSES, after, kept, looked_at, passing, places, np.concatenate(went))

    def _looked_at(self, states: Words) -> Words:
        self.looked_at += len(states)
        if self.looked_at > self._most:
            raise TooManyError
        return states

    def _forward(self, step: _Before, chances: Floats) -> Floats:
        """Compute the likelihoods after a step from those before it (`chances`)."""
        if step.kind != STUCK:
            chances = chances * step_chances(self._evidence, step.row, self._lanes.bits, False, step.before)
        if step.passing is not None:
            if step.came is not None and step.went is not None:
                chances = np.bincount(step.went, chances[step.came], len(step.passing)).astype(np.float64)
            chances = chances * step_chances(self._evidence, step.row, self._lanes.bits, True, step.passing)
        after = np.zeros(step.after)
        after[step.kept] = chances
        return after


FACTORIALS = np.array([float(factorial(number)) for number in range(64)])


def ways_now(view: Round, lanes: Lanes, seat: int, hidden: Words) -> Floats:
    """Count the ways to deal each set of `hidden` cards to a seat's unknown places, up to a common factor.

    This is for views without a usable history. The count is 0 if the hand would have more cards playable in some
    field than `deal_passes` allows.
    """
    ways = np.ones(len(hidden))
    for metal in range(lanes.metals):
        ways = ways / FACTORIALS[lanes.held(hidden, metal)]
    known = view.known_counts(seat)
    for passed in view.deal_passes or ():
        if passed.seat == seat:
            row = view.metals.reactivity[FIELDS.index(passed.field)]
            playable = sum(
                (lanes.held(hidden, metal) + known[metal]) * (row[metal] > 0) for metal in range(lanes.metals)
            )
            ways = np.where(playable > passed.max_playable, 0.0, ways)
    return ways


# ----------------------------------------------------------------------------------------------------
# Aqua Regia for the best reply over all deals, as kernels (`solver.hints.endings`).
#
# A particle has the hands of the other seats, and the stock. A choice of the asking seat is recorded in the public
# state, and the particles then give its effect: the card drawn, or who leads next and in which field, which
# depends on the others' hands. Sets of cards are words (`kernel`).


# Words of a public state: a node with only the asking seat's hand; that seat's choice + 1 (0: none pending); the
# metal it has drawn + 1 (0: none); who won the question's trick + 1 (0: nobody yet).
CHOSEN = STATE_WORDS
DREW = CHOSEN + 1
TAKER = DREW + 1
PUBLIC_WORDS = TAKER + 1

# Words of a particle: five hands, the asking seat's empty; and the stock of the question, 6 bits per card, the
# first one lowest.
HIDDEN_STOCK = 5
GRAIN = HIDDEN_STOCK + 1
MOST_STOCK = 10  # cards

# Codes of what is seen: this bit, the move, and the status after it; or DRAW, and the lane of the card drawn.
SEEN = 1 << 60
_STATUS_BITS = 34


class Ending(NamedTuple):
    """Data shared by all lines of play from the position asked about, and scratch memory.

    `seat` is the asking seat. `deal` has the constants that the rules read, including the stock of the
    possible deal (particle) examined last; `metals` maps each lane to the index of its metal in the deck. Moves of
    the other seats with a probability of at most `rare` are ignored. The fields from `node` on are scratch memory.
    """

    seat: int
    deal: Words
    metals: Words
    reactivity: Words  # from `kernel.reactivity_rows`
    weights: Floats  # of the other players
    rare: float
    node: Words
    child: Words
    listed: Words
    moves: Words
    hand: Words
    chances: Floats


@lean
def turn(game: Ending, public: Words) -> int:
    """Return whose turn it is: OWN, OTHERS or OVER (see `solver.hints.endings`).

    Once the asking seat has chosen its move, the turn is OTHERS; the move is carried out as part of that turn.
    """
    status = public[STATUS]
    if status >> OUT:
        return OVER
    return OWN if public[CHOSEN] == 0 and turn_of(status) == game.seat else OTHERS


@lean
def own_choices(game: Ending, public: Words, codes: Words) -> int:
    """Write to `codes` the asking seat's choices (numbers of moves); return how many there are.

    A pass that draws leaves the exchange open until the card is known.
    """
    deal, status = game.deal, public[STATUS]
    drawn = drawn_of(status)
    opened = public[DREW] == 0 and drawn < deal[STOCK_SIZE]
    if public[DREW] > 0:
        deal[STOCK + 2 * drawn] = public[DREW] - 1
    count = moves(deal, public, 0, codes, 0, 1)
    kept = 0
    for index in range(count):
        move = codes[index]
        if (opened and move > PASS) or (public[DREW] > 0 and move < PASS):
            continue
        cards = count_played(move) << (deal[BITS] * metal_played(move)) if move < PASS else 0
        if public[game.seat] == cards:  # to go out is always best
            codes[0] = move
            return 1
        codes[kept] = move
        kept += 1
    return kept


@lean
def lay_node(game: Ending, public: Words, particle: Words) -> None:
    """Write to `game.node` the state of the game in a particle (a possible deal), and to `game.deal` its stock."""
    node, deal = game.node, game.deal
    for word in range(STATE_WORDS):
        node[word] = public[word]
    for seat in range(deal[SEATS]):
        if seat != game.seat:
            node[seat] = particle[seat]
    for index in range(deal[STOCK_SIZE]):
        deal[STOCK + 2 * index] = (particle[HIDDEN_STOCK] >> (6 * index)) & 63


@lean
def follow(game: Ending, particle: Words, move: int, answer: int, answers: Words, after: Words) -> None:
    """Make a move in the state in `game.node`; write what the asking seat sees of it, and the resulting particle.

    They are written to place `answer` of `answers` and of `after`.
    """
    child = game.child
    after_move(game.deal, game.node, 0, child, 0, move)
    answers[answer] = SEEN | (move << _STATUS_BITS) | child[STATUS]
    first = answer * GRAIN
    for seat in range(HIDDEN_STOCK):
        after[first + seat] = child[seat] if seat != game.seat else 0
    after[first + HIDDEN_STOCK] = particle[HIDDEN_STOCK]


@lean
def take_hand(game: Ending, cards: int) -> int:
    """Write to `game.hand` the number of cards of each metal in the set `cards`; return the total."""
    size, bits = 0, game.deal[BITS]
    for lane in range(len(game.metals)):
        held = (cards >> (bits * lane)) & ((1 << bits) - 1)
        game.hand[game.metals[lane]] = held
        size += held
    return int(size)


@lean
def number_metals(game: Ending, count: int) -> None:
    """Write the first `count` moves of `game.listed` to `game.moves`, with the deck's metals instead of lanes."""
    for index in range(count):
        move = game.listed[index]
        if move < PASS:
            move = play_number(game.metals[metal_played(move)], count_played(move))
        elif move >= EXCHANGE:
            move = exchange_number(game.metals[metal_given(move)], game.metals[metal_taken(move)])
        game.moves[index] = move


@lean
def lay_chances(game: Ending, count: int) -> None:
    """Write to `game.chances` the probability of each of the first `count` moves in `game.listed` (plays first).

    The moves are those of the seat to move in the state `game.node`.
    """
    deal, status = game.deal, game.node[STATUS]
    field, top, drawn = field_of(status), count_of(status), drawn_of(status)
    draws = 1 if drawn < deal[STOCK_SIZE] else 0
    metal = game.metals[metal_of(status)] if top > 0 else 0
    now = Turn(field, next_field(field, reversed_of(status)), metal, top, draws)
    cards = game.node[turn_of(status)]
    plays = 0
    while plays < count and game.listed[plays] < PASS:
        plays += 1
    number_metals(game, count)
    first = min(plays + 1, count)  # first a play or a pass is chosen, then the exchange
    size = take_hand(game, cards)
    move_chances(game.reactivity, game.hand, size, now, game.moves[:first], game.weights, game.chances[:first])
    if first == count:
        return
    passes, exchanges = game.chances[plays], game.chances[plays:count]
    if draws > 0:
        size = take_hand(game, cards + (1 << (deal[BITS] * deal[STOCK + 2 * drawn])))
    move_chances(game.reactivity, game.hand, size, now, game.moves[plays:count], game.weights, exchanges)
    for index in range(plays, count):
        game.chances[index] *= passes


@lean
def respond(game: Ending, public: Words, particle: Words, answers: Words, chances: Floats, after: Words) -> int:
    """List the possible observations of the asking seat after the next step, with probabilities and new particles.

    The step is the asking seat's own choice, or a move of another seat. Returns the number of observations, or -1
    if there are too many (see `solver.hints.endings`).
    """
    deal = game.deal
    lay_node(game, public, particle)
    if public[CHOSEN] > 0:
        count, move = 1, public[CHOSEN] - 1
        game.listed[0], game.chances[0] = move, 1.0
        drawn = drawn_of(public[STATUS])
        if move == PASS and public[DREW] == 0 and drawn < deal[STOCK_SIZE]:
            answers[0], chances[0] = SEEN | (DRAW << _STATUS_BITS) | deal[STOCK + 2 * drawn], 1.0
            for word in range(GRAIN):
                after[word] = particle[word]
            return 1
    else:
        count = moves(deal, game.node, 0, game.listed, 0, 1)
        lay_chances(game, count)
    kept = 0
    for index in range(count):
        if game.chances[index] > game.rare:
            if kept == len(answers):
                return -1
            chances[kept] = game.chances[index]
            follow(game, particle, game.listed[index], kept, answers, after)
            kept += 1
    return kept


@lean
def play(game: Ending, public: Words, code: int) -> None:
    """Record the asking seat's choice, or update the public state after a move or draw that was seen.

    See `solver.hints.endings`.
    """
    if code < SEEN:
        public[CHOSEN] = code + 1
        return
    deal, before = game.deal, public[STATUS]
    move, status = (code - SEEN) >> _STATUS_BITS, code & ((1 << _STATUS_BITS) - 1)
    public[CHOSEN] = 0
    if move == DRAW:
        public[DREW] = status + 1
        return
    if public[DREW] > 0:
        deal[STOCK + 2 * drawn_of(before)] = public[DREW] - 1
        public[DREW] = 0
    after_move(deal, public, 0, public, 0, move)
    for seat in range(deal[SEATS]):  # the other hands are the particles'
        if seat != game.seat:
            public[seat] = 0
    public[STATUS] = status  # who has gone out, or leads next, depends on these hands
    if public[TAKER] == 0:
        public[TAKER] = owner_of(before) + 1 if count_of(status) == 0 else status >> OUT


@lean
def outcome(game: Ending, public: Words, numbers: Floats) -> None:
    """Write the asking seat's statistics of a finished game to `numbers`, indexed as in `rollouts`.

    They are its score, the number of its cards left, and whether it won the first trick that ended.
    """
    numbers[SCORE] = 1.0 if public[STATUS] >> OUT == game.seat + 1 else 0.0
    numbers[LEFT] = take_hand(game, public[game.seat])
    numbers[TOOK] = 1.0 if public[TAKER] == game.seat + 1 else 0.0


follow_lines = expectation_kernel(
    "aqua", turn=turn, own_choices=own_choices, respond=respond, play=play, outcome=outcome
)


RARE = 1e-7  # less likely choices of the others are dropped, along with their results


class Limits(NamedTuple):
    """How many deals there may be, how many hands of one seat, and how many pairs of hands are examined."""

    deals: int
    hands: int
    pairs: int


OF_HINTS = Limits(5000, 2000, 1 << 20)
OF_PROOFS = Limits(MOST_DEALS, MOST_DEALS, 1 << 25)
_A_SECOND = 2_500_000  # steps per second, half of the usual speed
_A_PAST = 2  # this many steps take at least as long as one past hand
# The approximate size of an ending: this many steps without cards, times this factor for each card held; a card in
# the stock counts as two, and seats make up for some. With three to five seats and few remaining deals, endings
# with up to 11 or 12 cards mostly took at most 500,000 steps.
_STEPS, _A_CARD, _A_SEAT = 60, 4.0, 1.5
_MANY = 100  # cards: caps the exponent, since such endings are too large anyway
_CHILDREN = 512  # different observations
_ROOM = 1 << 16  # particles


@dataclass(frozen=True)
class RemainingDeals:
    """All deals that agree with a view, when only few are left.

    A deal has a set of cards for every place. The places are the hands of the other seats, in the order of
    `seats`, then the cards in the stock. `hands` has the possible sets for each place, and `picks` the index of
    the set in each place, one row per deal. `weights` are the relative probabilities of the deals.
    """

    seats: tuple[int, ...]
    hands: tuple[Words, ...]
    picks: Words  # one row per deal
    weights: Floats


def all_deals(
    view: Round, made: Sequence[Move], control: Control, worlds: int | None, others: Others = "equal"
) -> Whole | None:
    """Return the statistics of each move over all deals; None if there are too many deals, or more than `worlds`.

    Each move in each deal counts as one node of `control`; so does each earlier hand of a seat that is examined.
    """
    if len(made) < 2 or view.hidden_stock >= MOST_STOCK or view.in_part:
        return None
    steps, nodes = steps_allowed(control, _A_SECOND), control.nodes_left()
    if nodes is not None:
        steps = min(steps, int(SHARE * nodes))
    cards = sum(view.counts) + 2 * view.stock_count
    if _STEPS * _A_CARD ** min(cards - _A_SEAT * view.players, _MANY) > steps:
        return None
    pasts = control.nodes
    try:
        left = deals_left(view, steps // _A_PAST, control, WEIGHTS_OF[others])
    except TooManyError:
        return None
    if left is None or len(left.weights) > (worlds or OF_HINTS.deals):
        return None
    ending, start = ending_of(view, made, left, WEIGHTS_OF[others])
    return best_replies(follow_lines, ending, start, control, steps - _A_PAST * (control.nodes - pasts))


def deals_left(
    view: Round,
    most: int,
    control: Control,
    weights: Floats = WEIGHTS_OF["equal"],
    *,
    limits: Limits = OF_HINTS,
) -> RemainingDeals | None:
    """Return every deal that agrees with a view; None if the cards do not fit in a word.

    Raises TooManyError if there are more than the `limits`, or if more than `most` hands, current or past, must be
    examined.
    """
    lanes = lanes_of(view.metals)
    if lanes is None:
        return None
    others = tuple(seat for seat in range(view.players) if seat != view.seat)
    at_once = min(limits.hands, most)
    hands = [_hands(view, lanes, view.hidden(seat), at_once) for seat in others]
    gathered = evidence(view, 0, weights)
    if gathered is None:
        likely = [ways_now(view, lanes, seat, words) for seat, words in zip(others, hands, strict=True)]
    else:
        pasts = HandLikelihoods(gathered, lanes, most)
        try:
            likely = [
                pasts.likelihoods(seat, words + lanes.word(view.known_counts(seat)))
                for seat, words in zip(others, hands, strict=True)
            ]
        finally:
            control.nodes += pasts.looked_at
    stocks = _hands(view, lanes, 1, at_once) if view.hidden_stock else np.zeros(0, np.int64)
    hands += [stocks] * view.hidden_stock
    likely += [np.ones(len(stocks))] * view.hidden_stock
    return _combined(view, lanes, others, hands, likely, limits)


def deals_at_most(view: Round) -> int:
    """Return an upper bound on the number of deals that agree with a view: any unseen card may be anywhere.

    Adds up the ways to place one metal after another, with the cards of the stock in order.
    """
    sizes = [*(view.hidden(seat) for seat in range(view.players) if seat != view.seat), view.hidden_stock]
    ways = np.zeros([size + 1 for size in sizes])
    ways.flat[0] = 1
    for count in view.unseen:
        before, ways = ways, np.zeros_like(ways)
        for placed in product(*(range(min(count, size) + 1) for size in sizes)):
            if sum(placed) <= count:
                target = tuple(slice(number, None) for number in placed)
                source = tuple(slice(size + 1 - number) for size, number in zip(sizes, placed, strict=True))
                ways[target] += before[source] / factorial(placed[-1])
    return round(float(ways.flat[-1]) * factorial(view.hidden_stock))


def _hands(view: Round, lanes: Lanes, size: int, most: int) -> Words:
    words = []
    for cards in subsets(view.unseen, size):
        words.append(lanes.word(cards))
        if len(words) > most:
            raise TooManyError
    return np.array(words, np.int64)


def _combined(
    view: Round, lanes: Lanes, seats: tuple[int, ...], hands: list[Words], likely: list[Floats], limits: Limits
) -> RemainingDeals:
    """Combine the possible hands in all ways for which there are enough unseen cards."""
    rest, weights = np.array([lanes.word(view.unseen)], np.int64), np.ones(1)
    picks = np.zeros((1, 0), np.int64)
    for words, chances in zip(hands, likely, strict=True):
        if len(rest) * len(words) > limits.pairs:
            raise TooManyError
        suffices = np.broadcast_to(chances > 0, (len(rest), len(words)))
        for metal in range(lanes.metals):
            suffices = suffices & (lanes.held(rest, metal)[:, None] >= lanes.held(words, metal)[None])
        before, pick = np.nonzero(suffices)
        if len(pick) > limits.deals:
            raise TooManyError
        rest, weights = rest[before] - words[pick], weights[before] * chances[pick]
        picks = np.column_stack([picks[before], pick])
    for metal in range(lanes.metals):  # cards out of play are interchangeable
        weights = weights / FACTORIALS[lanes.held(rest, metal)]
    return RemainingDeals(seats, tuple(hands), picks, weights)


def ending_of(
    view: Round,
    made: Sequence[Move],
    left: RemainingDeals,
    weights: Floats = WEIGHTS_OF["equal"],
    *,
    rare: float = RARE,
) -> tuple[Ending, Start]:
    """Convert all deals of a view, with their weights, to the data that the kernels need."""
    deck, lanes = view.metals, lanes_of(view.metals)
    assert lanes is not None
    deal, public = _public(view)
    particles = np.zeros((len(left.weights), GRAIN), np.int64)
    for seat in range(view.players):
        if seat != view.seat:
            particles[:, seat] = deal.set_of(view.known_counts(seat))
    for holder, words in enumerate(left.hands):
        counts = np.column_stack([lanes.held(words, metal) for metal in deal.metals])
        sets = counts @ (1 << deal.bits * np.arange(len(deal.metals)))
        picked = left.picks[:, holder]
        if holder < len(left.seats):
            particles[:, left.seats[holder]] += sets[picked]
        else:
            drawn = holder - len(left.seats) + (view.drawn is not None)
            particles[:, HIDDEN_STOCK] |= counts.argmax(axis=1)[picked] << 6 * drawn
    if view.drawn is not None:
        particles[:, HIDDEN_STOCK] |= public[DREW] - 1
    ending = Ending(
        view.seat,
        deal.words,
        np.array(deal.metals, np.int64),
        reactivity_rows(deck),
        weights,
        rare,
        np.zeros(STATE_WORDS, np.int64),
        np.zeros(STATE_WORDS, np.int64),
        np.zeros(deal.moves, np.int64),
        np.zeros(deal.moves, np.int64),
        np.zeros(deck.size, np.int64),
        np.zeros(deal.moves),
    )
    start = Start(
        public=public,
        codes=[number_of(move, deal.metals) for move in made],
        particles=particles,
        weights=left.weights,
        numbers=STATISTICS,
        children=_CHILDREN,
        depths=2 * deal.depth + 2,
        room=max(_ROOM, 16 * len(left.weights)),
    )
    return ending, start


def _public(view: Round) -> tuple[Deal, Words]:
    """Return the constants of the search, and the public part of a view as words for the kernels.

    The constants are the same for every deal of the view, except for the stock, which `lay_node` fills in.
    """
    deck, hand = view.metals, view.metals.counts(view.metals.numbers(view.hand))
    unseen = view.unseen
    drawn = None if view.drawn is None else deck.index[view.drawn]
    some = next((metal for metal, count in enumerate(unseen) if count), drawn)
    hands = [view.known_counts(seat) if seat != view.seat else hand for seat in range(view.players)]
    other = (view.seat + 1) % view.players
    hands[other] = tuple(known + more for known, more in zip(hands[other], unseen, strict=True))
    stock = () if some is None else (some if drawn is None else drawn,) * view.stock_count
    state = view.state_with(hands, stock)
    deal = deal_of(deck, state, "paranoid")
    public = np.zeros(PUBLIC_WORDS, np.int64)
    public[:STATE_WORDS] = node_of(deal, state)
    for seat in range(view.players):
        if seat != view.seat:
            public[seat] = 0
    public[STATUS] &= (1 << OUT) - 1  # hands without known cards are not empty
    public[DREW] = 0 if drawn is None else deal.metals.index(drawn) + 1
    return deal, public
