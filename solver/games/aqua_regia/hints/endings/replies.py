"""The hint in a small ending: the best reply over all deals that are left, where there is time for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.common.control import Control
from solver.games.aqua_regia.cards.rules import Move, Play, State
from solver.games.aqua_regia.fast_rules import kernel
from solver.games.aqua_regia.fast_rules.encode import Deal, deal_of, node_of
from solver.games.aqua_regia.hints.endings.hands import (
    FACTORIALS,
    Lanes,
    Pasts,
    TooManyError,
    lanes_of,
    subsets,
    ways_now,
)
from solver.games.aqua_regia.hints.endings.rules import (
    DEAL,
    DREW,
    GRAIN,
    HIDDEN_STOCK,
    MOST_STOCK,
    PUBLIC_WORDS,
    Ending,
    follow_lines,
)
from solver.games.aqua_regia.hints.evidence import evidence
from solver.games.aqua_regia.hints.kinds import KINDS
from solver.games.aqua_regia.hints.policy import reactivity_rows
from solver.games.aqua_regia.hints.rollouts import STATISTICS
from solver.games.aqua_regia.positions.known import View
from solver.hints.endings.lines import Start
from solver.hints.endings.replies import SHARE, best_replies, steps_allowed
from solver.hints.paired import Whole
from solver.kernels.arrays import Floats, Words

RARE = 1e-7  # choices of the others that are no likelier are left out: what they would bring is lost
_MOST_DEALS = 5000
_MOST_HANDS = 2000  # of one seat
_MOST_PAIRS = 1 << 20  # looked at when hands are put together
_A_SECOND = 2_500_000  # steps; half of what is usual
_A_PAST = 2  # steps take as long as it takes to look at one past hand; mostly less
# What an ending takes, about: so many steps without a card, and so many times as many with each card that is held;
# a card of the stock counts as two, and each seat makes up for some. Endings of plausible players were mostly
# worked out in 500,000 steps that had up to 11 or 12 cards, with three to five seats, where few deals were left.
_STEPS, _A_CARD, _A_SEAT = 60, 4.0, 1.5
_MANY = 100  # cards, which are too many
_CHILDREN = 512  # different things that may be seen
_ROOM = 1 << 16  # particles
_TINY = 1e-300  # chances that are not 0 are larger


@dataclass(frozen=True)
class Left:
    """The deals that are left: by place the number of its hand in `hands`; the last places are of the stock.

    `seats` has the seats of the places before those; `shares` says, by place, how likely a seat with each of these
    hands is of each kind of player, and `weights` how likely the deals are.
    """

    seats: tuple[int, ...]
    hands: tuple[Words, ...]
    shares: tuple[Floats, ...]
    picks: Words  # a row a deal
    weights: Floats


def all_deals(view: View, made: Sequence[Move], control: Control, worlds: int | None) -> Whole | None:
    """The statistics of each move over all deals; None where these are too many, or `worlds` is less.

    A step is a node: one deal followed by one move, or one past hand of a seat looked at.
    """
    if len(made) < 2 or view.hidden_stock >= MOST_STOCK:
        return None
    steps, nodes = steps_allowed(control, _A_SECOND), control.nodes_left()
    if nodes is not None:
        steps = min(steps, int(SHARE * nodes))
    cards = sum(view.counts) + 2 * view.stock_count
    if _STEPS * _A_CARD ** min(cards - _A_SEAT * view.players, _MANY) > steps:
        return None
    pasts = control.nodes
    try:
        left = deals_left(view, steps // _A_PAST, control)
    except TooManyError:
        return None
    if left is None or len(left.weights) > (worlds or _MOST_DEALS):
        return None
    ending, start = ending_of(view, made, left)
    return best_replies(follow_lines, ending, start, control, steps - _A_PAST * (control.nodes - pasts))


def deals_left(view: View, most: int, control: Control) -> Left | None:
    """Every deal that agrees with a view; None where its cards do not fit a word.

    Raises TooManyError where there are too many, or where more than `most` hands, or past hands, must be
    looked at.
    """
    lanes = lanes_of(view.metals)
    if lanes is None:
        return None
    others = tuple(seat for seat in range(view.players) if seat != view.seat)
    hands = [_hands(view, lanes, view.hidden(seat), most) for seat in others]
    found = evidence(view, 0)
    if found is None:
        ways = [ways_now(view, lanes, seat, words) for seat, words in zip(others, hands, strict=True)]
        likely = [column[:, None] * KINDS.expected for column in ways]
    else:
        pasts = Pasts(found, lanes, most)
        try:
            likely = [
                pasts.likelihoods(seat, words + lanes.word(_known(view, seat)))
                for seat, words in zip(others, hands, strict=True)
            ]
        finally:
            control.nodes += pasts.looked_at
    one = _hands(view, lanes, 1, most) if view.hidden_stock else np.zeros(0, np.int64)
    hands += [one] * view.hidden_stock
    likely += [np.ones((len(one), 1))] * view.hidden_stock
    return _together(view, lanes, others, hands, likely)


def _known(view: View, seat: int) -> tuple[int, ...]:
    return view.metals.counts(view.metals.numbers(view.known_of(seat)))


def _hands(view: View, lanes: Lanes, size: int, most: int) -> Words:
    found = []
    for cards in subsets(view.unseen, size):
        found.append(lanes.word(cards))
        if len(found) > min(_MOST_HANDS, most):
            raise TooManyError
    return np.array(found, np.int64)


def _together(view: View, lanes: Lanes, seats: tuple[int, ...], hands: list[Words], likely: list[Floats]) -> Left:
    """All ways to put these hands together that the unseen cards suffice for."""
    rest, weights = np.array([lanes.word(view.unseen)], np.int64), np.ones(1)
    picks = np.zeros((1, 0), np.int64)
    for words, of_kinds in zip(hands, likely, strict=True):
        chances = of_kinds.sum(1)
        if len(rest) * len(words) > _MOST_PAIRS:
            raise TooManyError
        suffices = np.broadcast_to(chances > 0, (len(rest), len(words)))
        for metal in range(lanes.metals):
            suffices = suffices & (lanes.held(rest, metal)[:, None] >= lanes.held(words, metal)[None])
        before, pick = np.nonzero(suffices)
        if len(pick) > _MOST_DEALS:
            raise TooManyError
        rest, weights = rest[before] - words[pick], weights[before] * chances[pick]
        picks = np.column_stack([picks[before], pick])
    for metal in range(lanes.metals):  # of cards that are nowhere it does not matter which is which
        weights = weights / FACTORIALS[lanes.held(rest, metal)]
    shares = tuple(of_kinds / np.maximum(of_kinds.sum(1, keepdims=True), _TINY) for of_kinds in likely)
    return Left(seats, tuple(hands), shares, picks, weights)


def ending_of(
    view: View, made: Sequence[Move], left: Left, *, rare: float = RARE, hasten: int = 1
) -> tuple[Ending, Start]:
    """All deals of a view, weighted, as kernels follow them."""
    deck, lanes = view.metals, lanes_of(view.metals)
    assert lanes is not None
    deal, public = _public(view)
    particles = np.zeros((len(left.weights), GRAIN), np.int64)
    particles[:, DEAL] = np.arange(len(left.weights))
    shares = np.tile(KINDS.expected, (len(left.weights), view.players, 1))
    for seat in range(view.players):
        if seat != view.seat:
            particles[:, seat] = deal.set_of(_known(view, seat))
    for place, words in enumerate(left.hands):
        counts = np.column_stack([lanes.held(words, metal) for metal in deal.metals])
        sets = counts @ (1 << deal.bits * np.arange(len(deal.metals)))
        picked = left.picks[:, place]
        if place < len(left.seats):
            particles[:, left.seats[place]] += sets[picked]
            shares[:, left.seats[place]] = left.shares[place][picked]
        else:
            drawn = place - len(left.seats) + (view.drawn is not None)
            particles[:, HIDDEN_STOCK] |= counts.argmax(axis=1)[picked] << 6 * drawn
    if view.drawn is not None:
        particles[:, HIDDEN_STOCK] |= public[DREW] - 1
    ending = Ending(
        view.seat,
        deal.words,
        np.array(deal.metals, np.int64),
        reactivity_rows(deck),
        KINDS.weights,
        shares,
        rare,
        hasten,
        np.zeros(kernel.STATE_WORDS, np.int64),
        np.zeros(kernel.STATE_WORDS, np.int64),
        np.zeros(deal.moves, np.int64),
        np.zeros((deal.moves, 3), np.int64),
        np.zeros(deck.size, np.int64),
        np.zeros(deal.moves),
        np.zeros(deal.moves),
    )
    start = Start(
        public=public,
        codes=[_code(deal, move) for move in made],
        particles=particles,
        weights=left.weights,
        numbers=STATISTICS,
        children=_CHILDREN,
        depths=2 * deal.depth + 2,
        room=max(_ROOM, 16 * len(left.weights)),
    )
    return ending, start


def _public(view: View) -> tuple[Deal, Words]:
    """The words that do not change, with any stock, and the public state of a view."""
    deck, hand = view.metals, view.metals.counts(view.metals.numbers(view.hand))
    unseen = view.unseen
    drawn = None if view.drawn is None else deck.index[view.drawn]
    some = next((metal for metal, count in enumerate(unseen) if count), drawn)
    hands = [_known(view, seat) if seat != view.seat else hand for seat in range(view.players)]
    other = (view.seat + 1) % view.players
    hands[other] = tuple(known + more for known, more in zip(hands[other], unseen, strict=True))
    state = State(
        hands=tuple(hands),
        turn=view.turn,
        field=view.field_number,
        reversed=view.reversed,
        table=deck.numbers(view.table),
        owner=view.owner,
        stock=() if some is None else (some if drawn is None else drawn,) * view.stock_count,
        discard=view.pile,
    )
    deal = deal_of(deck, state, "paranoid")
    public = np.zeros(PUBLIC_WORDS, np.int64)
    public[: kernel.STATE_WORDS] = node_of(deal, state)
    for seat in range(view.players):
        if seat != view.seat:
            public[seat] = 0
    public[kernel.STATUS] &= (1 << kernel.OUT) - 1  # hands without a known card are no empty ones
    public[DREW] = 0 if drawn is None else deal.metals.index(drawn) + 1
    return deal, public


def _code(deal: Deal, move: Move) -> int:
    """A move as `fast_rules` numbers it."""
    if isinstance(move, Play):
        return 4 * deal.metals.index(move.metal) + move.count - 1
    if move.discarded is None or move.taken is None:
        return kernel.PASS
    return kernel.EXCHANGE + 64 * deal.metals.index(move.discarded) + deal.metals.index(move.taken)
