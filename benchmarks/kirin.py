"""What benchmarks need of Kirin: the players to compare, and endings with a given number of cards to solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from benchmarks.players import Contest
from solver import registry
from solver.common import Others, Random, members
from solver.games.kirin import rules
from solver.games.kirin.deck import ALL, CARDS, colour, is_kirin, rank
from solver.games.kirin.fast_rules import (
    COLOUR_SETS,
    STATE_WORDS,
    lay,
    playable,
    start_trick,
)
from solver.games.kirin.hint import SAMPLER, best_replies, rounds
from solver.games.kirin.players import (
    BEATS_TABLE,
    BY_RULES,
    CONTEXTS,
    DECLARE,
    FEATURES,
    HEIGHT,
    MOST,
    OWN_CARD,
    PLAY,
    TRUMP,
    TURNS,
    WINS,
    WINS_OWN_CARD,
    WINS_OWN_TABLE,
    WINS_TRICKS_LEFT,
    declare_values,
    new_scratch,
    value_cards,
)
from solver.games.kirin.position import Round, number_of, numbers
from solver.games.kirin.rules import SEATS, rank_strength
from solver.games.kirin.worlds import SCORE, Deals, deals
from solver.hints.network import NOTHING
from solver.hints.policy import draw_place, to_chances
from solver.hints.rounds import Game, Games, Rounds
from solver.hints.sampled import Sampler
from solver.kernels.rng import start_stream
from solver.kernels.words import Floats
from solver.limits import Control

TRAINED: Floats = np.array(PLAY)
# The thrifty player learned nothing: the gain of a play now, minus a price for what it gives up. The prices, in
# cards won, are those of a random hill climb of 70 steps, each judged by 12,000 rounds of one such player against
# three trained ones. What it sets aside is the trained player's choice.
PRICES = {
    WINS_OWN_TABLE: 1.33,
    WINS_OWN_CARD: 1.0,
    WINS: 0.29,
    OWN_CARD: -0.72,
    TRUMP: -0.83,
    BEATS_TABLE: -0.37,
    TURNS: 0.15,
    HEIGHT: 0.12,
}
_COMING = 0.05  # of its colour, for each seat that is still to play: times the share of the unseen cards
_MOST_DEALS = 20_000  # that agree with the view of an ending
_PER_CARD = 8.0  # how surely it prefers a play worth one card more: the weight of a card in its softmax


def _thrifty() -> Floats:
    weights = np.zeros((CONTEXTS, 2, FEATURES))
    for feature, price in PRICES.items():
        weights[:, 0, feature] = price
    for played in range(CONTEXTS):
        weights[played, 0, WINS_TRICKS_LEFT] = _COMING * (CONTEXTS - 1 - played)
    return _PER_CARD * weights.ravel()


THRIFTY = _thrifty()


def flat(view: Round, cards: Sequence[int], seed: int, _others: Others) -> Rounds:
    """Flat Monte Carlo: in uniformly drawn deals, all seats go on as thrifty players.

    The player's own seat always makes the play that such a player values most.
    """
    dealt = deals(view)

    def thrifty() -> Game:
        game = dealt.game("club")
        return game._replace(own=BY_RULES, setting=game.setting._replace(play=THRIFTY))

    return replace(rounds([dealt], cards, seed, infer=False), games=[Games(dealt.total, thrifty)])


def lying(position: Round, view: Round) -> Deals:
    """The actual deal of a position, as the only deal of a view.

    While cards are being set aside, the deal has the full hands: which cards the others set aside remains open,
    even if they have already chosen.
    """
    others = [(view.seat + step) % SEATS for step in range(1, SEATS)]
    hands = [(card, group) for group, seat in enumerate(others) for card in numbers(position.hands[seat])]
    aside: list[tuple[int, int]] = []
    if not position.choosing:
        # Cards set aside are given out in this order.
        aside = [(number_of(position.declared[seat]), SEATS - 1) for seat in others]
    else:
        hands += [(card, group) for group, seat in enumerate(others) if (card := position.aside[seat]) is not None]
    cards, groups = zip(*hands, *aside, strict=True)
    sizes = [groups.count(group) for group in range(SEATS)]
    masks = tuple(1 << group for group in groups)
    return Deals(cards, masks, tuple(sizes), view, arrangements=1)


def sighted(position: Round) -> Sampler[Any, Any]:
    """The hints of a seat that sees the position: every world is the actual deal."""

    def rollouts(view: Round, cards: Sequence[int], seed: int, _others: Others) -> Rounds:
        return rounds([lying(position, view)], cards, seed, "club", infer=False)

    return replace(SAMPLER, rollouts=rollouts, ending=None, because=None)


class KirinContest(Contest):
    """`benchmarks.players.Contest` for kirin."""

    game = registry.game("kirin")
    variant = "undeclared"
    hints = SAMPLER
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]] = {
        "flat": replace(SAMPLER, rollouts=flat),
    }
    sighted: ClassVar[Mapping[str, Callable[[Any], Sampler[Any, Any]]]] = {"sighted": sighted}

    def __init__(self) -> None:
        super().__init__(SEATS)

    def scores(self, position: BaseModel) -> Sequence[float]:
        assert isinstance(position, Round)
        return position.points

    def simple(self, kind: str, view: BaseModel, random: Random) -> Any:
        assert isinstance(view, Round)
        if kind == "greedy":
            return greedy(view)
        return learned(view, random, THRIFTY if kind == "thrifty" else TRAINED)

    def endings(self, seed: int) -> Iterator[Round]:
        """Turns with two or three cards in hand."""
        return (view for view in self.turns(seed) if len(view.hand) in (2, 3))

    def ending_values(self, view: Round) -> dict[int, float] | None:
        dealt, cards = deals(view), self.game.legal_moves(view)
        if dealt.total > _MOST_DEALS:
            return None
        whole = best_replies(dealt, cards, Control(), 10**12)
        assert whole is not None
        return dict(zip(cards, whole.means[:, SCORE].tolist(), strict=True))


def greedy(view: Round) -> int:
    """A person's rule of thumb.

    Collect the colour whose remaining cards are strongest. Win a trick that has cards of the player's colour as
    cheaply as possible; otherwise give away the weakest card of another colour. Lead the strongest card.
    """
    if view.choosing:
        hand: tuple[int, ...] = numbers(view.hand)

        def worth(card: int) -> float:
            kept = [other for other in hand if colour(other) == colour(card) and other != card]
            return sum(0.2 if is_kirin(other) else 1 + (rank(other) in (0, 5, 6)) for other in kept) - 0.1 * rank(
                card
            )

        return max(hand, key=worth)
    direction = view.past.rules.direction
    mine = view.colours[view.seat]
    trick = view.plays
    legal: list[int] = list(registry.game("kirin").legal_moves(view))

    def strength(card: int) -> tuple[int, int]:
        return rank_strength(card, direction), rules.colour_strength(card, direction)

    if not trick:
        return max(legal, key=strength)
    best = max(trick, key=strength)
    winning = [card for card in legal if not is_kirin(card) and strength(card) > strength(best)]
    if winning and any(colour(card) == mine for card in (*trick, *winning)):
        return min(winning, key=strength)
    return min(legal, key=lambda card: (colour(card) == mine, strength(card)))


def learned(view: Round, random: Random, weights: Floats = TRAINED) -> int:
    """Choose a card like the players in a hint's rollouts, possibly with other weights."""
    room, words = new_scratch(), np.zeros(1, np.int64)
    hand = view.hand_mask
    start_stream(words, random.below(1 << 30), 0)
    if view.choosing:
        declare_values(hand, np.array(DECLARE), room.values)
        cards = sorted(numbers(view.hand))
        return cards[int(np.argmax(room.values[: len(cards)]))]
    table = np.zeros(STATE_WORDS, np.int64)
    start_trick(table, 0, view.leader, view.past.rules.direction, 0)
    for card in view.plays:
        lay(table, 0, card)
    declared = number_of(str(view.declared))
    unseen = view.unseen
    assert unseen & ~ALL == 0
    assert view.unseen < 1 << CARDS
    own = COLOUR_SETS[colour(declared)]
    codes, chances = np.array([*members(int(playable(hand, table, 0)))]), room.values[BY_RULES * MOST :]
    value_cards(codes, len(codes), hand, own, unseen, table, weights, NOTHING, 1 << BY_RULES, room)
    to_chances(len(codes), chances)
    return int(codes[draw_place(len(codes), chances, words)])
