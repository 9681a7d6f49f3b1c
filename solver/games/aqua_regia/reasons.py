"""Possible reasons why one move of Aqua Regia is better than another, from the sampled worlds of a hint.

For each world (a possible deal of the hidden cards), the rollouts record the cards of each hand by metal, seat by
seat, and then which seat goes out first after each move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rollouts import TOOK
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Counts, Move, Play, follows, lets, text_of
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
    certain,
    part,
    surely_more,
    where,
)
from solver.hints.ranking import Lead
from solver.kernels.words import Floats, Words


class _Move(NamedTuple):
    """One of the two compared moves.

    `wins` has the seat that goes out first in each world, `takes` whether the player wins the trick there. `hand`
    is the player's hand afterwards, a count per metal. If `draws` is True, the move also draws an unknown card,
    which `hand` does not include.
    """

    move: Move
    text: str
    hand: Counts
    draws: bool
    wins: Words
    takes: Truths

    @property
    def left(self) -> int:
        """The number of cards in the hand after the move."""
        return sum(self.hand) + self.draws

    @property
    def taken(self) -> int | None:
        """The metal that a pass takes in exchange."""
        return None if isinstance(self.move, Play) else self.move.taken


class _Scene(NamedTuple):
    best: _Move
    other: _Move
    view: View
    noted: Noted
    leads: Floats

    @property
    def named(self) -> dict[str, str]:
        return {"move": self.best.text, "other": self.other.text}


def because(view: View, moves: Sequence[Move], noted: Noted, ahead: Lead, _rollouts: object) -> Sequence[Told]:
    """Return the reasons why the best move is better than the second best (`solver.hints.causes`)."""
    if not noted.words.shape[1]:
        return ()
    winners = noted.words[:, view.players * view.metals.size :]

    @cache
    def move_of(place: int) -> _Move:
        return _Move(
            moves[place],
            text_of(view.metals, moves[place]),
            view.held_after(moves[place]),
            not isinstance(moves[place], Play) and view.drawn is None and view.stock_count > 0,
            winners[:, place],
            noted.results[:, place, TOOK] > 0,
        )

    def compared(one: int, other: int) -> _Scene:
        return _Scene(move_of(one), move_of(other), view, noted, noted.leads(one, other))

    return behind(PREDICATES, compared, noted, ahead)


def _by_hand(scene: _Scene, *much: float, **fields: Any) -> Claim:
    """Make the claim that the best move is better because of the hand that it leaves.

    In worlds in which both moves win the trick or both lose it, the hand explains the whole difference between
    them; in the other worlds, it explains nothing. If both moves are ways to end the same pass, only the hands
    differ, so the claim explains the whole margin.
    """
    if not any(isinstance(move.move, Play) or move.draws for move in (scene.best, scene.other)):
        return certain(*much, **fields)
    same = scene.best.takes == scene.other.takes
    return part(np.where(same, scene.leads, 0.0), *(much or (1.0,)), **fields)


def _kept(move: _Move, other: _Move) -> list[int]:
    """List the metals of the cards that `move` keeps in the hand and `other` does not."""
    return [
        metal
        for metal, (one, another) in enumerate(zip(move.hand, other.hand, strict=True))
        for _ in range(one - another)
    ]


def _goes_out(scene: _Scene) -> Iterator[Claim]:
    if scene.best.left == 0 < scene.other.left:
        yield certain(move=scene.best.text)


def _sheds_more(scene: _Scene) -> Iterator[Claim]:
    if 0 < scene.best.left < scene.other.left:
        counts = {"count": scene.best.left, "other_count": scene.other.left}
        yield _by_hand(scene, scene.other.left - scene.best.left, **scene.named, **counts)


def _keeps_together(scene: _Scene) -> Iterator[Claim]:
    yield from (_together(scene, metal) for metal in _sets(scene) if metal != scene.best.taken)


def _brings_together(scene: _Scene) -> Iterator[Claim]:
    """Yield a claim if the best move takes a card that joins others of its metal in the hand."""
    yield from (_together(scene, metal) for metal in _sets(scene) if metal == scene.best.taken)


def _sets(scene: _Scene) -> list[int]:
    """List the metals of which the best move keeps two or more cards, and more than the other move does.

    Metals whose reactivity is below 2 in every field are left out: as a rule, several of their cards can't be
    played together.
    """
    metals = scene.view.metals.metals
    kept = sorted(set(_kept(scene.best, scene.other)))
    return [metal for metal in kept if scene.best.hand[metal] > 1 and max(metals[metal].reactivity) > 1]


def _together(scene: _Scene, metal: int) -> Claim:
    (card,) = _symbols(scene, [metal])
    count = scene.best.hand[metal]
    return _by_hand(scene, count, move=scene.best.text, card=card, count=count)


def _keeps(scene: _Scene, better: Callable[[Deck, list[int], list[int]], bool]) -> Iterator[Claim]:
    """Yield the claim that the cards kept only by the best move are better than those kept only by the other.

    ``better(deck, cards, others)`` compares the two lists of metals. If either is empty, there is no claim.
    """
    one, other = _kept(scene.best, scene.other), _kept(scene.other, scene.best)
    if one and other and better(scene.view.metals, one, other):
        cards = {"cards": _symbols(scene, one), "other_cards": _symbols(scene, other)}
        yield _by_hand(scene, **scene.named, **cards)


def _keeps_easy(scene: _Scene) -> Iterator[Claim]:
    def easier(deck: Deck, one: list[int], other: list[int]) -> bool:
        return min(_fields(deck, metal) for metal in one) > max(_fields(deck, metal) for metal in other)

    yield from _keeps(scene, easier)


def _fields(deck: Deck, metal: int) -> int:
    """Return the number of fields in which a metal can be played."""
    return sum(reactivity > 0 for reactivity in deck.metals[metal].reactivity)


def _keeps_strong(scene: _Scene) -> Iterator[Claim]:
    yield from _keeps(scene, lambda _deck, one, other: min(one) > max(other))


def _keeps_instead(scene: _Scene) -> Iterator[Claim]:
    yield from _keeps(scene, lambda _deck, one, other: len(one) == len(other))


def _keeps_for_later(scene: _Scene) -> Iterator[Claim]:
    if scene.best.left > scene.other.left and _kept(scene.best, scene.other):
        yield _by_hand(scene, move=scene.best.text, cards=_symbols(scene, _kept(scene.best, scene.other)))


# If one move always wins the trick and the other never does, no world separates the trick from the hand. Both
# together are the whole difference between the moves.


def _takes_and_sheds(scene: _Scene) -> Iterator[Claim]:
    if _takes_more(scene.best, scene.other) and scene.best.left < scene.other.left:
        counts = {"count": scene.best.left, "other_count": scene.other.left}
        fewer = scene.other.left - scene.best.left
        yield certain(*_takes_difference(scene), fewer, **scene.named, **_takes_shares(scene), **counts)


def _takes_and_keeps(scene: _Scene) -> Iterator[Claim]:
    kept, others = _kept(scene.best, scene.other), _kept(scene.other, scene.best)
    if _takes_more(scene.best, scene.other) and scene.best.left == scene.other.left and kept and others:
        cards = {"cards": _symbols(scene, kept), "other_cards": _symbols(scene, others)}
        yield certain(*_takes_difference(scene), **scene.named, **_takes_shares(scene), **cards)


def _gives_up_trick(scene: _Scene) -> Iterator[Claim]:
    kept = _kept(scene.best, scene.other)
    if _takes_more(scene.other, scene.best) and kept:
        yield certain(**scene.named, **_takes_shares(scene), cards=_symbols(scene, kept))


def _takes_more(one: _Move, other: _Move) -> bool:
    """Whether `one` wins the trick significantly more often than `other`."""
    return surely_more(int((one.takes & ~other.takes).sum()), int((other.takes & ~one.takes).sum()))


def _takes_shares(scene: _Scene) -> dict[str, float]:
    return {"share": float(scene.best.takes.mean()), "other_share": float(scene.other.takes.mean())}


def _takes_difference(scene: _Scene) -> tuple[float]:
    return (float(scene.best.takes.mean() - scene.other.takes.mean()),)


def _symbols(scene: _Scene, metals: list[int]) -> tuple[str, ...]:
    return tuple(scene.view.metals.symbols(metals))


def _takes(scene: _Scene) -> Iterator[Claim]:
    yield after(scene.best.takes, scene.other.takes, **scene.named)


def _leaves(scene: _Scene) -> Iterator[Claim]:
    yield after(~scene.best.takes, ~scene.other.takes, **scene.named)


def _seat_goes_out(scene: _Scene) -> Iterator[Claim]:
    """Yield claims that another seat goes out first less often after the best move than after the other.

    With two players this would say nothing, so there is no claim.
    """
    for seat in range(scene.view.players) if scene.view.players > 2 else ():
        if seat != scene.view.seat:
            best, other = scene.best.wins == seat, scene.other.wins == seat
            shares = {"share": float(best.mean()), "other_share": float(other.mean())}
            yield after(~best, ~other, seat=seat, **scene.named)._replace(
                fields={"seat": seat, **scene.named, **shares}
            )


def _answers(scene: _Scene, move: _Move) -> Iterator[tuple[int, Truths]]:
    """Yield each other seat, and whether it can follow `move` in each world; nothing if `move` is a pass."""
    view, size = scene.view, scene.view.metals.size
    if not isinstance(move.move, Play):
        return
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        hands = scene.noted.words[:, seat * size : (seat + 1) * size]
        able: Truths = np.zeros(len(hands), np.bool_)
        for metal in range(move.move.metal + 1, size):
            for count in range(move.move.count, min(move.move.count + 1, MOST_AT_ONCE) + 1):
                answer = Play(metal, count)
                if follows(answer, move.move) and lets(view.metals, view.field_number, answer, move.move):
                    able |= hands[:, metal] >= count
        yield seat, able


def _best(scene: _Scene) -> _Move:
    return scene.best


def _other(scene: _Scene) -> _Move:
    return scene.other


def _seat_follows(move_of: Callable[[_Scene], _Move], *, can: bool) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields, for each other seat, the claim that it can follow a move (or can't).

    ``move_of(scene)`` returns the move.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        for seat, able in _answers(scene, move_of(scene)):
            yield where(able == can, seat=seat, **scene.named)

    return claims


def _somebody_follows(move_of: Callable[[_Scene], _Move], *, can: bool) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields the claim that some other seat can follow a move, or that none can.

    ``move_of(scene)`` returns the move.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        answers = [able for _, able in _answers(scene, move_of(scene))]
        if answers:
            yield where(np.any(answers, axis=0) == can, **scene.named)

    return claims


PREDICATES: tuple[Predicate[_Scene], ...] = (
    Predicate("goes_out", "{move} goes out and wins.", _goes_out, "hand"),
    Predicate("takes_trick", "{move} wins this trick in {games}, {other} in {other_share}.", _takes, "trick"),
    Predicate(
        "leaves_trick",
        "It is better to lose this trick: {move} loses it in {games}, {other} in {other_share}.",
        _leaves,
        "trick",
    ),
    Predicate(
        "seat_goes_out",
        "{seat:Who} {seat:goes|go} out first in {games} after {move}, in {other_share} after {other}.",
        _seat_goes_out,
        "race",
    ),
    Predicate(
        "seat_can_follow",
        "{other} is worse mainly because {seat:who} can follow it in {games}.",
        _seat_follows(_other, can=True),
        "follow",
    ),
    Predicate(
        "seat_cannot_follow",
        "{seat:Who} can't follow {move} in {games}.",
        _seat_follows(_best, can=False),
        "follow",
    ),
    Predicate(
        "can_be_followed",
        "{other} is worse mainly because somebody can follow it in {games}.",
        _somebody_follows(_other, can=True),
        "follow",
    ),
    Predicate(
        "cannot_be_followed",
        "Nobody can follow {move} in {games}.",
        _somebody_follows(_best, can=False),
        "follow",
    ),
    Predicate(
        "better_if_seat_follows",
        "{move} is better than {other} mainly when {seat:who} can follow {move} ({games}).",
        _seat_follows(_best, can=True),
        "follow",
        rank=1,
    ),
    Predicate(
        "better_if_seat_cannot",
        "{move} is better than {other} mainly when {seat:who} can't follow {other} ({games}).",
        _seat_follows(_other, can=False),
        "follow",
        rank=1,
    ),
    Predicate(
        "better_if_followed",
        "{move} is better than {other} mainly when somebody can follow {move} ({games}).",
        _somebody_follows(_best, can=True),
        "follow",
        rank=1,
    ),
    Predicate(
        "better_if_not_followed",
        "{move} is better than {other} mainly when nobody can follow {other} ({games}).",
        _somebody_follows(_other, can=False),
        "follow",
        rank=1,
    ),
    Predicate(
        "brings_together",
        "After {move}, {count} {card} can be played together.",
        _brings_together,
        "hand",
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "keeps_together",
        "{move} keeps {count} {card} to play together.",
        _keeps_together,
        "hand",
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "sheds_more",
        "{move} leaves fewer cards in hand than {other}: {count}, not {other_count}.",
        _sheds_more,
        "hand",
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "keeps_easy",
        "It is better to keep {cards} than {other_cards}, which can be played in fewer fields.",
        _keeps_easy,
        "hand",
        rank=1,
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "keeps_strong",
        "It is better to keep {cards} than the weaker {other_cards}.",
        _keeps_strong,
        "hand",
        rank=1,
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "keeps_for_later",
        "It is better to keep {cards} for later.",
        _keeps_for_later,
        "hand",
        rank=1,
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "keeps_instead",
        "It is better to keep {cards} for later than {other_cards}.",
        _keeps_instead,
        "hand",
        rank=LAST,
        sure=SURE_OF_FEW,
    ),
    Predicate(
        "takes_and_sheds",
        "{move} wins this trick in {games} and leaves fewer cards in hand than {other}: {count}, not "
        "{other_count}.",
        _takes_and_sheds,
        "trick",
        rank=LAST,
    ),
    Predicate(
        "takes_and_keeps",
        "{move} wins this trick in {games}, {other} in {other_share}.",
        _takes_and_keeps,
        "trick",
        rank=LAST,
    ),
    Predicate(
        "gives_up_trick",
        "{other} would win this trick in {other_games}, but {move} keeps {cards} for later.",
        _gives_up_trick,
        "trick",
        rank=LAST,
    ),
)
