"""Possible reasons why one card is better than another in Kirin, from the sampled worlds of a hint.

For each world, the rollouts record the hands and, for each move, the cards that the seat wins after it and the
direction after the first trick. If these cards include one from the seat's own hand, that card won its trick,
since a seat takes a trick only with the card that it plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from solver.common import mask, members
from solver.games.kirin.deck import ALL, CARDS, COLOUR_NAMES, COLOURS, colour, is_kirin, name, names, of_colour
from solver.games.kirin.fast_rules import DECK, INNER, QUALIFYING, STRONGER, asks, to_inner
from solver.games.kirin.position import DeclareView, View, number_of
from solver.games.kirin.rules import SEATS
from solver.games.kirin.worlds import DIRECTION_BIT, TRICK_POINTS, WON_TRICK
from solver.hints.causes import (
    LAST,
    SURE_OF_FEW,
    Claim,
    Noted,
    Predicate,
    Told,
    Truths,
    after,
    behind,
    part,
    where,
)
from solver.hints.ranking import Lead
from solver.kernels.words import Floats, Words
from solver.tricks.causes import TRICK_PREDICATES, Pair, Played, halves, is_whole

_WON = (1 << DIRECTION_BIT) - 1


class _Move(NamedTuple):
    """One of the two compared cards, and what follows it in each world.

    `won` has the cards that the seat wins (a mask). `turned` is True if the order is reversed after the first
    trick, `takes` if the seat takes that trick, and `points` are the seat's points in it.
    """

    card: int
    text: str
    won: Words
    turned: Truths
    takes: Truths
    points: Floats

    def wins(self, card: int) -> Truths:
        """Whether the seat wins a card, for each world."""
        found: Truths = (self.won >> INNER[card] & 1) != 0
        return found

    def number(self, cards: int) -> Floats:
        """Count how many of a set of cards (a mask in deck numbering) the seat wins in each world."""
        found: Floats = np.bitwise_count(self.won & to_inner(cards)).astype(np.float64)
        return found


class _Scene(NamedTuple):
    best: _Move
    other: _Move
    view: View | DeclareView
    noted: Noted
    leads: Floats


class _Playing(NamedTuple):
    """Two compared cards that may be played; `own` is the mask of the cards that score for the seat."""

    scene: _Scene
    pair: Pair
    view: View
    own: int


def because(
    view: View | DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead, _rollouts: object
) -> Sequence[Told]:
    """Return the reasons why the best card is better than the second best (`solver.hints.causes`)."""
    direction = view.past.rules.direction if isinstance(view, View) else 0

    def compared(one: int, other: int) -> _Scene:
        best, second = (_move(noted, cards, place, direction) for place in (one, other))
        return _Scene(best, second, view, noted, noted.leads(one, other))

    if isinstance(view, DeclareView):
        return behind(DECLARING, compared, noted, ahead)
    own = of_colour(colour(number_of(view.declared)))
    played = cache(lambda card: _played(view, card, noted))

    def playing(one: int, other: int) -> _Playing:
        scene = compared(one, other)
        pair = Pair(played(scene.best.card), played(scene.other.card), lambda bit: name(DECK[bit]))
        return _Playing(scene, pair, view, own)

    return behind(PLAYING, playing, noted, ahead)


def _move(noted: Noted, cards: Sequence[int], place: int, direction: int) -> _Move:
    words = noted.words[:, SEATS + place]
    takes = noted.results[:, place, WON_TRICK] > 0
    points = noted.results[:, place, TRICK_POINTS]
    turned = words >> DIRECTION_BIT != direction
    return _Move(cards[place], name(cards[place]), words & _WON, turned, takes, points)


# ----------------------------------------------------------------------------------------------------
# A played card: who can beat and follow it, what its trick brings, what is won later, a reversal of the order.


def _played(view: View, card: int, noted: Noted) -> Played:
    direction = view.past.rules.direction
    led = view.plays[0] if view.plays else card
    follow = int(QUALIFYING[direction * CARDS + INNER[led] + asks(view.trick_rules.only_kirin)])
    wins = not is_kirin(card) and view.past.rules.winner((*view.plays, card)) == len(view.plays)
    beating = int(STRONGER[direction * CARDS + INNER[card]])
    hands = {
        seat: noted.words[:, seat]
        for seat in ((view.seat + step) % SEATS for step in range(1, SEATS - len(view.plays)))
    }
    follows = {seat: (hand & follow) != 0 for seat, hand in hands.items()}
    answers = {seat: np.where(follows[seat], hand & follow, hand) & beating for seat, hand in hands.items()}
    return Played(name(card), name(led), answers if wins else None, follows)


def _trick_points(playing: _Playing) -> Iterator[Claim]:
    best, other = playing.scene.best, playing.scene.other
    now = best.points - other.points
    if best.takes.any() and other.takes.any() and is_whole(playing.scene.leads, now):
        yield part(now, **_named(playing.scene), **_means(best.points, other.points))


def _wins_cards(playing: _Playing) -> Iterator[Claim]:
    """Yield the claim that the best card, played last, wins a trick with scoring cards, and the other does not."""
    best, other, lying = playing.scene.best, playing.scene.other, _lying(playing)
    if lying and best.takes.all() and not other.takes.any():
        yield part(best.points, **_named(playing.scene), cards=lying)


def _lying(playing: _Playing) -> tuple[str, ...]:
    """Return the cards on the table that score for the seat, if it plays last; otherwise none."""
    plays = playing.view.plays
    return tuple(names(members(playing.own & mask(plays)))) if len(plays) == SEATS - 1 else ()


def _only_best_wins(playing: _Playing) -> Iterator[Claim]:
    """Yield the claim that the best card may win the trick, and the other card can't."""
    best, other = playing.scene.best, playing.scene.other
    if not _lying(playing) and best.takes.any() and not other.takes.any():
        numbers = {"share": float(best.takes.mean()), "points": float(best.points[best.takes].mean())}
        yield part(best.points, **_named(playing.scene), **numbers)


def _later_points(playing: _Playing) -> Iterator[Claim]:
    scene = playing.scene
    later = [move.number(playing.own) - move.points for move in (scene.best, scene.other)]
    if is_whole(scene.leads, later[0] - later[1]):
        yield part(later[0] - later[1], **_named(scene), **_means(*later))


def _now_and_later(playing: _Playing) -> tuple[Floats, Floats] | None:
    scene = playing.scene
    if scene.view.goes_by_match:
        return None
    now = scene.best.points - scene.other.points
    return now, scene.leads - now


def _more(holds: Callable[[_Move], Truths]) -> Callable[[_Playing], Iterator[Claim]]:
    """Return a function that claims that `holds` is true more often after the best card than after the other."""

    def claims(playing: _Playing) -> Iterator[Claim]:
        yield after(holds(playing.scene.best), holds(playing.scene.other), **_named(playing.scene))

    return claims


def _kept(playing: _Playing) -> Iterator[Claim]:
    """Yield the claim that the other card wins a trick more often if it is kept than if it is played now."""
    scene = playing.scene
    yield after(scene.best.wins(scene.other.card), scene.other.takes, card=scene.other.text)


def _wins(playing: _Playing) -> Iterator[Claim]:
    """Yield claims that a card kept by both moves wins a trick more often after the best than after the other."""
    scene = playing.scene
    for card in members(scene.view.hand_mask & ~(1 << scene.best.card | 1 << scene.other.card)):
        yield _won_card(scene, card, playing.own)


def _catches(playing: _Playing) -> Iterator[Claim]:
    """Yield claims about the scoring cards in the other hands.

    Each says that the seat wins the card more often after the best card than after the other one.
    """
    lying = mask(playing.view.plays)
    for card in members(playing.own & ~playing.scene.view.hand_mask & ~lying):
        yield _won_card(playing.scene, card, playing.own)


def _won_card(scene: _Scene, card: int, own: int) -> Claim:
    best, other = scene.best.wins(card), scene.other.wins(card)
    claim = after(best, other, card=name(card), **_named(scene))
    if scene.view.goes_by_match or not own >> card & 1:
        return claim
    return part(best.astype(np.float64) - other, **claim.fields)  # each such card is a point


def _in_points(claims: Callable[[_Playing], Iterator[Claim]]) -> Callable[[_Playing], Iterable[Claim]]:
    """Wrap `claims` in a function that yields nothing if moves are compared by the chance to win the match."""
    return lambda playing: () if playing.scene.view.goes_by_match else claims(playing)


def _named(scene: _Scene) -> dict[str, str]:
    return {"move": scene.best.text, "other": scene.other.text}


def _means(best: Floats, other: Floats) -> dict[str, float]:
    return {"points": float(best.mean()), "other_points": float(other.mean())}


PLAYING: tuple[Predicate[_Playing], ...] = (
    *(row.of(lambda playing: playing.pair) for row in TRICK_PREDICATES),
    Predicate(
        "wins_cards",
        "trick",
        "{move} wins this trick with {cards} in it; {other} can't win it.",
        _in_points(_wins_cards),
    ),
    Predicate(
        "only_it_wins",
        "trick",
        "{move} wins this trick in {deals}, then scoring {amount} on average; {other} can't win it.",
        _in_points(_only_best_wins),
    ),
    Predicate(
        "trick_points",
        "trick",
        "This trick brings {amount} on average with {move}, {other_points} with {other}.",
        _in_points(_trick_points),
    ),
    Predicate(
        "takes_trick",
        "trick",
        "{move} wins this trick in {deals}, {other} in {other_share}.",
        _more(lambda move: move.takes),
    ),
    Predicate(
        "leaves_trick",
        "trick",
        "It is better to lose this trick: {move} loses it in {deals}, {other} in {other_share}.",
        _more(lambda move: ~move.takes),
    ),
    Predicate(
        "turns_order",
        "turn",
        "It is better if this trick reverses the order: that happens in {deals} with {move}, in {other_share} "
        "with {other}.",
        _more(lambda move: move.turned),
    ),
    Predicate(
        "keeps_order",
        "turn",
        "It is better if this trick keeps the order: that happens in {deals} with {move}, in {other_share} with "
        "{other}.",
        _more(lambda move: ~move.turned),
    ),
    Predicate(
        "kept_wins",
        "later",
        "{card} is better kept: it wins a later trick in {deals}, this one in {other_share}.",
        _kept,
        blames=True,
    ),
    Predicate(
        "card_wins",
        "later",
        "{card} wins a later trick in {deals} after {move}, in {other_share} after {other}.",
        _wins,
    ),
    Predicate(
        "catches_card",
        "later",
        "The chance to win {card} (1 point) is {share} with {move}, {other_share} with {other}.",
        _catches,
        rank=1,
    ),
    Predicate(
        "later_points",
        "later",
        "Later tricks bring {amount} on average after {move}, {other_points} after {other}.",
        _in_points(_later_points),
        rank=LAST,
        sure=SURE_OF_FEW,
    ),
    *halves(
        _now_and_later,
        lambda playing: _named(playing.scene),
        "On average, {move} brings {amount} more than {other} in this trick, and {other_points} more later.",
        "On average, {move} brings {amount} more than {other} in this trick, but {other_points} less later.",
        "On average, {move} brings {amount} less than {other} in this trick, but {other_points} more later.",
    ),
)


# ----------------------------------------------------------------------------------------------------
# A card that is set aside: what is won in the round, and who collects the same colour.


def _kept_in_hand(scene: _Scene) -> Iterator[Claim]:
    """Yield the claim that the other card, if kept, wins a trick more often than the best card, if kept."""
    best, other = scene.best.wins(scene.other.card), scene.other.wins(scene.best.card)
    yield after(best, other, move=scene.other.text, other=scene.best.text)


def _alone(scene: _Scene) -> Iterator[Claim]:
    mine, others = colour(scene.best.card), colour(scene.other.card)
    if mine != others:
        yield where((_aside(scene) & to_inner(of_colour(mine))) == 0, suit=COLOURS[mine], item=COLOUR_NAMES[mine])


def _shared(scene: _Scene) -> Iterator[Claim]:
    mine, others = colour(scene.best.card), colour(scene.other.card)
    if mine != others:
        shared = (_aside(scene) & to_inner(of_colour(others))) != 0
        yield where(shared, other=scene.other.text, suit=COLOURS[others], item=COLOUR_NAMES[others])


def _aside(scene: _Scene) -> Words:
    """Return, for each world, the mask of the cards that the others have set aside: those in no hand."""
    held: Words = np.bitwise_or.reduce(scene.noted.words[:, :SEATS], axis=1)
    return ~(held | to_inner(scene.view.hand_mask)) & ALL


def _own_cards(scene: _Scene) -> Iterator[Claim]:
    yield from _counted(scene, scene.view.hand_mask)


def _others_cards(scene: _Scene) -> Iterator[Claim]:
    yield from _counted(scene, ~scene.view.hand_mask)


def _counted(scene: _Scene, cards: int) -> Iterator[Claim]:
    """Yield the claim that the seat wins more points from `cards` after the best card than after the other."""
    if not scene.view.goes_by_match:
        best, other = (move.number(cards & of_colour(colour(move.card)) & ~(1 << move.card)) for move in scene[:2])
        suits = {"suit": COLOURS[colour(scene.best.card)]}
        yield part(best - other, **suits, **_named(scene), **_means(best, other))


DECLARING: tuple[Predicate[_Scene], ...] = (
    Predicate(
        "kept_in_hand",
        "card",
        "{move} is better kept in hand: it wins a trick in {deals}, {other} would in {other_share}.",
        _kept_in_hand,
        blames=True,
    ),
    Predicate(
        "collects_alone", "others", "The {item} is better mainly when nobody competes for it ({deals}).", _alone
    ),
    Predicate(
        "colour_shared",
        "others",
        "{other} is worse mainly when another player competes for the {item} ({deals}).",
        _shared,
    ),
    Predicate(
        "own_cards",
        "cards",
        "With {move} set aside, the cards of its colour in hand score {amount} on average; with {other}, "
        "{other_points}.",
        _own_cards,
    ),
    Predicate(
        "others_cards",
        "cards",
        "With {move} set aside, cards of its colour won from others score {amount} on average; with {other}, "
        "{other_points}.",
        _others_cards,
    ),
)
