"""Why one card is better than another in Kirin: what both lead to in every sampled world, and the causes.

For each world, the rollouts record the hands and, for each move, the cards that the seat wins after it and the
direction after the first trick. If these cards include one from the seat's own hand, that card won its trick,
since a seat takes a trick only with the card that it plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from solver.common import mask
from solver.games.kirin.deck import ALL, CARDS, COLOUR_NAMES, COLOURS, colour, is_kirin, members, name, of_colour
from solver.games.kirin.fast_rules import QUALIFYING, STRONGER, asks
from solver.games.kirin.position import Round
from solver.games.kirin.rules import SEATS
from solver.games.kirin.worlds import DIRECTION_BIT, TRICK_POINTS, WON_TRICK
from solver.hints.causes import (
    Claim,
    Notes,
    Predicate,
    Reason,
    Truths,
    after,
    behind,
    part,
    where,
)
from solver.hints.ranking import Margin
from solver.kernels.words import Floats, Words
from solver.tricks.causes import TRICK_PREDICATES, Pair, Played, is_most


class Move:
    """One of the two compared cards, and what follows it.

    By world, `won` has the cards that the seat wins (a mask), `takes` is True if it takes the first trick,
    `points` are its points in that trick, and `turned` is True if that trick reverses the order.
    """

    def __init__(self, view: Round, card: int, noted: Notes, place: int) -> None:
        direction = view.past.rules.direction
        words = noted.words[:, SEATS + place]
        self.view, self.noted, self.card, self.text, self.colour = view, noted, card, name(card), colour(card)
        self.won: Words = words & (1 << DIRECTION_BIT) - 1
        self.takes: Truths = noted.results[:, place, WON_TRICK] > 0
        self.points: Floats = noted.results[:, place, TRICK_POINTS]
        self.turned: Truths = words >> DIRECTION_BIT != direction

    def wins(self, card: int) -> Truths:
        """Return whether the seat wins a card, for each world."""
        won: Truths = (self.won >> card & 1) != 0
        return won

    def number(self, cards: int) -> Floats:
        """Count how many of a set of cards (a mask) the seat wins in each world."""
        number: Floats = np.bitwise_count(self.won & cards).astype(np.float64)
        return number

    @cached_property
    def played(self) -> Played:
        """Who can beat the card if it is played now, and who has to follow the card led."""
        view = self.view
        assert not view.choosing
        start, led = view.past.rules.direction * CARDS, view.plays[0] if view.plays else self.card
        follow = int(QUALIFYING[start + led + asks(view.trick_rules.only_kirin)])
        beating = int(STRONGER[start + self.card])
        later = [(view.seat + step) % SEATS for step in range(1, SEATS - len(view.plays))]
        hands = {seat: self.noted.words[:, seat] for seat in later}
        follows = {seat: (hand & follow) != 0 for seat, hand in hands.items()}
        answers = {seat: np.where(follows[seat], hand & follow, hand) & beating for seat, hand in hands.items()}
        wins = not is_kirin(self.card) and view.past.rules.winner((*view.plays, self.card)) == len(view.plays)
        return Played(self.text, name(led), answers if wins else None, follows)


class Scene:
    """Two compared cards of a view in the noted worlds; in play, `own` has the cards that score (a mask)."""

    def __init__(self, view: Round, best: Move, other: Move, noted: Notes, leads: Floats) -> None:
        self.view, self.best, self.other, self.noted, self.leads = view, best, other, noted, leads
        self.by_points, self.named = not view.goes_by_match, {"move": best.text, "other": other.text}
        self.own = view.own_colour
        self.lying = mask(view.plays)

    @property
    def pair(self) -> Pair:
        return Pair(self.best.played, self.other.played, name)

    def means(self, best: Floats, other: Floats, **fields: Any) -> list[Claim]:
        """Claim that a difference in points is part of the margin, unless moves are compared by the match."""
        means = {"points": float(best.mean()), "other_points": float(other.mean())}
        return [part(best - other, **fields, **self.named, **means)] if self.by_points else []

    def mostly(self, best: Floats, other: Floats) -> list[Claim]:
        """Claim that a difference in points is most of the margin, if it is."""
        return self.means(best, other) if is_most(self.leads, best - other) else []

    def only_it_wins(self, *, scoring: bool) -> list[Claim]:
        """Claim that the best card wins the trick, and the other card can't.

        If `scoring`, the seat plays last, and cards that score for it are on the table; else the best card need
        not be sure to win.
        """
        takes = self.best.takes
        lying = tuple(map(name, members(self.own & self.lying))) if self.lying.bit_count() == SEATS - 1 else ()
        if not self.by_points or not takes.any() or self.other.takes.any() or bool(lying) != scoring:
            return []
        if scoring:
            return [part(self.best.points, **self.named, cards=lying)] if takes.all() else []
        numbers = {"share": float(takes.mean()), "points": float(self.best.points[takes].mean())}
        return [part(self.best.points, **self.named, **numbers)]

    def wins(self, cards: int) -> Iterator[Claim]:
        """Claim for each card of a mask that the seat wins it more often after the best move."""
        for card in members(cards):
            best, other = self.best.wins(card), self.other.wins(card)
            claim = after(best, other, card=name(card), **self.named)
            is_point = self.by_points and self.own >> card & 1
            yield part(best.astype(np.float64) - other, **claim.fields) if is_point else claim

    @cached_property
    def aside(self) -> Words:
        """The cards that the others have set aside, those in no hand, as a mask for each world."""
        held: Words = np.bitwise_or.reduce(self.noted.words[:, :SEATS], axis=1)
        return ~(held | self.view.hand_mask) & ALL

    def collected(self, suit: int, *, by_others: bool, **fields: Any) -> list[Claim]:
        """Claim that others collect a colour, or that none does; nothing if both cards have the same colour."""
        collected = (self.aside & of_colour(suit)) != 0
        named = {"suit": COLOURS[suit], "item": COLOUR_NAMES[suit], **fields}
        return [where(collected == by_others, **named)] if self.best.colour != self.other.colour else []

    def counted(self, cards: int) -> list[Claim]:
        """Claim that the seat wins more points from `cards` with the best card set aside than with the other."""
        best, other = (
            move.number(cards & of_colour(move.colour) & ~(1 << move.card)) for move in (self.best, self.other)
        )
        return self.means(best, other, suit=COLOURS[self.best.colour])


def because(view: Round, cards: Sequence[int], noted: Notes, ahead: Margin, _rollouts: object) -> Sequence[Reason]:
    """Return the reasons why the best card is better than the second best (`solver.hints.causes`)."""
    move = cache(lambda place: Move(view, cards[place], noted, place))
    return behind(
        DECLARING if view.choosing else PLAYING,
        lambda one, other: Scene(view, move(one), move(other), noted, noted.leads(one, other)),
        noted,
        ahead,
    )


row = Predicate[Scene]

PLAYING: tuple[Predicate[Scene], ...] = (
    *(cause.of(lambda s: s.pair) for cause in TRICK_PREDICATES),
    row("wins_cards", "trick", "{move} wins this trick with {cards} in it; {other} can't win it.",
        lambda s: s.only_it_wins(scoring=True)),
    row("only_it_wins", "trick",
        "{move} wins this trick in {deals}, then scoring {amount} on average; {other} can't win it.",
        lambda s: s.only_it_wins(scoring=False)),
    row("trick_points", "trick", "This trick brings {amount} on average with {move}, {other_points} with {other}.",
        lambda s: s.mostly(s.best.points, s.other.points) if s.best.takes.any() and s.other.takes.any() else []),
    row("takes_trick", "trick", "{move} wins this trick in {deals}, {other} in {other_share}.",
        lambda s: [after(s.best.takes, s.other.takes, **s.named)]),
    row("leaves_trick", "trick",
        "It is better to lose this trick: {move} loses it in {deals}, {other} in {other_share}.",
        lambda s: [after(~s.best.takes, ~s.other.takes, **s.named)]),
    row("turns_order", "turn",
        "It is better if this trick reverses the order: that happens in {deals} with {move}, in {other_share} "
        "with {other}.",
        lambda s: [after(s.best.turned, s.other.turned, **s.named)]),
    row("keeps_order", "turn",
        "It is better if this trick keeps the order: that happens in {deals} with {move}, in {other_share} with "
        "{other}.",
        lambda s: [after(~s.best.turned, ~s.other.turned, **s.named)]),
    row("kept_wins", "later",
        "{card} is better kept: it wins a later trick in {deals}, this one in {other_share}.",
        lambda s: [after(s.best.wins(s.other.card), s.other.takes, card=s.other.text)], blames=True),
    row("card_wins", "later", "{card} wins a later trick in {deals} after {move}, in {other_share} after {other}.",
        lambda s: s.wins(s.view.hand_mask & ~(1 << s.best.card | 1 << s.other.card))),
    row("catches_card", "later",
        "The chance to win {card} (1 point) is {share} with {move}, {other_share} with {other}.",
        lambda s: s.wins(s.own & ~s.view.hand_mask & ~s.lying), rank=1),
)  # fmt: skip

DECLARING: tuple[Predicate[Scene], ...] = (
    row("kept_in_hand", "card",
        "{move} is better kept in hand: it wins a trick in {deals}, {other} would in {other_share}.",
        lambda s: [after(s.best.wins(s.other.card), s.other.wins(s.best.card),
                         move=s.other.text, other=s.best.text)],
        blames=True),
    row("collects_alone", "others", "The {item} is better mainly when nobody competes for it ({deals}).",
        lambda s: s.collected(s.best.colour, by_others=False)),
    row("colour_shared", "others",
        "{other} is worse mainly when another player competes for the {item} ({deals}).",
        lambda s: s.collected(s.other.colour, by_others=True, other=s.other.text)),
    row("own_cards", "cards",
        "With {move} set aside, the cards of its colour in hand score {amount} on average; with {other}, "
        "{other_points}.",
        lambda s: s.counted(s.view.hand_mask)),
    row("others_cards", "cards",
        "With {move} set aside, cards of its colour won from others score {amount} on average; with {other}, "
        "{other_points}.",
        lambda s: s.counted(~s.view.hand_mask)),
)  # fmt: skip
