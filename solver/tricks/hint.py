"""Hints of plain games (`solver.tricks.plain`): sampled deals, played to their end, and the causes of a lead.

Worlds are drawn uniformly from the deals that agree with what a seat sees: the sizes of the other hands, and the
cards that seats are known not to hold. After each legal card the round is played to its end, with the rules of the
search: all seats play as the game's `policy` says. The mean over the worlds is the card's score for the side of
the seat that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from solver.common import mask, members
from solver.hints.causes import Claim, Notes, Predicate, Reason, Witness, behind, where
from solver.hints.ranking import Margin
from solver.hints.worlds import HiddenCards, may_hold
from solver.kernels.rng import start_stream
from solver.kernels.words import Floats, Words
from solver.search.trick_rules import MOST_MOVES, NEED, STATE_WORDS, ScoreRules, listed, play
from solver.tricks.causes import TRICK_PREDICATES, Pair, Played
from solver.tricks.positions import CardRound
from solver.tricks.rules import Masks, PlainRules

View = CardRound[PlainRules]


def hidden_cards(view: View) -> HiddenCards:
    """Return the deals that agree with a view; group g is the hand g + 1 seats after the asking seat.

    If there are more unseen cards than the hands hold, the rest are one more group.
    """
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    cards = tuple(members(view.unseen))
    sizes = [view.count(seat) for seat in others]
    excluded = [view.past.excluded(seat) for seat in others]
    if sum(sizes) < len(cards):
        sizes.append(len(cards) - sum(sizes))
        excluded.append(0)
    return HiddenCards(cards, may_hold(cards, excluded), tuple(sizes))


def dealt(view: View, hidden: HiddenCards, places: Sequence[int]) -> tuple[int, ...]:
    """Return the hands of a deal as bit sets, by seat; `places` has the group of each hidden card."""
    hands = [0] * (view.players + 1)
    for card, box in zip(hidden.cards, places, strict=True):
        hands[box + 1] |= 1 << card
    hands[0] = view.hand_mask
    return tuple(hands[(seat - view.seat) % view.players] for seat in range(view.players))


class SampledDeals:
    """The `Rollouts` of one view (`solver.hints.sampled`), in deals drawn uniformly.

    ``scores_of(view, hands, random)`` plays each legal card in a deal, and returns the scores in canonical order.
    """

    statistics = 1
    chained = False

    def __init__(
        self, scores_of: Callable[[View, Masks, Words], Floats], view: View, cards: Sequence[int], seed: int
    ) -> None:
        self.moves = len(cards)
        legal = view.legal_cards
        self._judged = [legal.index(card) for card in cards]
        self._scores_of = scores_of
        self._view = view
        self._hidden = hidden_cards(view)
        self._seed = seed
        self.witness = Witness()

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        random, places = np.zeros(1, np.int64), np.zeros(len(self._hidden.cards), np.int64)
        noted = np.empty((len(results), self._view.players), np.int64)
        for world in range(len(results)):
            start_stream(random, self._seed, first + world)
            self._hidden.draw(random, places)
            noted[world] = hands = dealt(self._view, self._hidden, places.tolist())
            results[world, :, 0] = self._scores_of(self._view, hands, random)[self._judged]
        self.witness.note(first, results, noted)


# ----------------------------------------------------------------------------------------------------
# Rounds played to their end. Templates, but for `policy`.
#
# They are instantiated with a game's rules over words (`solver.search.trick_rules`), `listed` and `play`, and its
# `policy`. The score of a finished game is what the maximizing side has won since the node's word `NEED` was 0.


def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """Return the card that the seat to move plays in the node at `state[at]`.

    Each game has its own kernel for this. The card must be legal, and should depend only on what that seat sees:
    its hand, the trick, and which cards were played. The more these players are like people, the better are
    hints; some of their cards should be random. `out` has room to list the legal cards from index `to` on, and
    `random` is the state of a random number generator.
    """
    raise NotImplementedError


def play_out(deal: Words, work: Words, at: int, other: int, out: int, random: Words) -> int:
    """Play the game from the node at index `at` of `work` to its end, and return the maximizing side's score.

    `work` has room for another node at index `other`, and for moves at index `out`.
    """
    while listed(deal, work, at, work, out) > 0:
        move = policy(deal, work, at, work, out, random)
        play(deal, work, at, work, other, move)
        at, other = other, at
    return int(-work[at + NEED])


def try_moves(deal: Words, node: Words, random: Words, work: Words, results: Floats) -> int:
    """Play out each legal move of a node to the end of the game, with the same random numbers for all moves.

    Writes the scores to `results`, in canonical order, and returns the number of moves. `work` has room
    for two nodes, and for the moves of two.
    """
    first, second = 0, STATE_WORDS
    legal = 2 * STATE_WORDS
    out = legal + MOST_MOVES
    count = listed(deal, node, 0, work, legal)
    begin = random[0]
    for index in range(count):
        random[0] = begin
        play(deal, node, 0, work, first, work[legal + index])
        results[index] = play_out(deal, work, first, second, out, random)
    return int(count)


def moves_tried(
    rules: ScoreRules, policy: Callable[..., int]
) -> Callable[[Words, Words, Words, Words, Floats], int]:
    """Instantiate `try_moves` with a game's rules and `policy`. Compiles nothing yet."""
    instances = rules.instances({"policy": policy})
    instances.of(play_out)
    return instances.of(try_moves)


# ----------------------------------------------------------------------------------------------------
# Possible causes of the lead of a card in a plain game: who can beat it, who has to follow, what is kept back.
#
# Everything comes from the game's rules (`solver.tricks.rules.PlainRules`), so a game gets it for free: a card
# beats the trick if it is `playable` and then the `winner`, and a hand has to follow if it has any of the cards
# that a player with all cards would have to choose from.


class _Cards(NamedTuple):
    """Two cards of a view, compared over the sampled worlds; `other` is the index of `pair.other` in the deck."""

    pair: Pair
    view: View
    other: int
    noted: Notes


def because(
    view: View, cards: Sequence[int], noted: Notes, ahead: Margin, _rollouts: object = None
) -> Sequence[Reason]:
    """Return the causes that make the best card better than another (see `solver.hints.causes`).

    `ahead` has indices in `cards`. `noted` has the hands of each world, as masks by seat.
    """
    played = cache(lambda place: _played(view, cards[place], noted))

    def compared(one: int, other: int) -> _Cards:
        pair = Pair(played(one), played(other), view.past.rules.name)
        return _Cards(pair, view, cards[other], noted)

    return behind(_PREDICATES, compared, noted, ahead)


def _played(view: View, card: int, noted: Notes) -> Played:
    rules, trick = view.past.rules, (*view.plays, card)
    later = [(view.seat + step) % view.players for step in range(1, view.players - len(view.plays))]
    beaten_by = None
    if rules.winner(trick) == len(view.plays):
        beating = _beating(rules, trick, view.unseen)
        beaten_by = {seat: _playable(rules, noted.words[:, seat], trick) & beating for seat in later}
    follow = rules.playable(rules.all_cards, trick[:1])
    follows = {seat: (noted.words[:, seat] & follow) != 0 for seat in later}
    return Played(rules.name(card), rules.lead_text(trick[0]), beaten_by, follows)


def _kept(cards: _Cards) -> Iterator[Claim]:
    """Yield the claim that the other card, if kept back and led later, can't be beaten by any other hand."""
    view, trick = cards.view, (cards.other,)
    rules = view.past.rules
    beating = _beating(rules, trick, view.unseen)
    safe = np.ones(len(cards.noted.words), np.bool_)
    for seat in range(view.players):
        if seat != view.seat:
            safe &= (_playable(rules, cards.noted.words[:, seat], trick) & beating) == 0
    yield where(safe, card=rules.name(cards.other))


_PREDICATES: tuple[Predicate[_Cards], ...] = (
    *(row.of(lambda cards: cards.pair) for row in TRICK_PREDICATES),
    Predicate(
        "kept_is_high",
        "later",
        "Kept back, {card} can be led later and not be beaten, in {share} of deals.",
        _kept,
        blames=True,
    ),
)


def _beating(rules: PlainRules, trick: tuple[int, ...], cards: int) -> int:
    """The mask of the `cards` (a mask) that would win the trick if played next and not beaten later."""
    return mask(card for card in members(cards) if rules.winner((*trick, card)) == len(trick))


def _playable(rules: PlainRules, hands: Words, trick: tuple[int, ...]) -> Words:
    """The cards that each hand may play to an unfinished trick, as masks."""
    return np.array([rules.playable(hand, trick) for hand in hands.tolist()], np.int64)
