"""What may be behind the lead of a card that is set aside: what the seat wins after it, and who collects the same.

The rollouts have noted of each world the hands, then for each move the cards that the seat wins in the round. The
points of a move are those of its colour among them, so that a lead is the sum of two parts in every world: of the
cards that the seat held itself, and of those that it took from others. A part is behind a lead when it is there
beyond doubt and the other one is at most half the lead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.common.masks import mask, members
from solver.games.kirin.cards.deck import COLOURS, TRUMP, colour, name, names, of_colour, rank
from solver.games.kirin.cards.rules import SEATS
from solver.games.kirin.fast_rules.order import INNER, to_inner
from solver.games.kirin.hints.policy import ALL
from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.fields import numbers
from solver.hints.causes import Cause, Noted, beyond_doubt, shown, told, told_part
from solver.hints.paired import Sums
from solver.hints.ranking import Lead, order
from solver.hints.words import share
from solver.kernels.arrays import Floats


class _Part(NamedTuple):
    """A part of a lead: what is so after either move, in a clause, and what it makes in each world."""

    what: str
    leads: Floats


def because(view: DeclareView, cards: Sequence[int], sums: Sums, ahead: Lead, noted: Noted) -> str:
    """What is behind the lead over the best of another colour, and over the next best where it is of the same."""
    best = ahead.best
    text = ""
    other = next((move for move in order(sums, len(cards)) if colour(cards[move]) != colour(cards[best])), None)
    if other is not None:
        lead = Lead(best, other, *sums.difference(best, other))
        if lead.clear:
            text += _behind(view, cards, noted, lead)
    if ahead.second != other:
        found = _behind(view, cards, noted, ahead)
        if found:
            less = f"{100 * ahead.gap:.0f}%" if view.goes_by_match else f"{ahead.gap:.2f}"
            text += f" {name(cards[ahead.second])}, of the same colour, brings {less} less.{found}"
    return text


def _behind(view: DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead) -> str:
    causes = [_kept(view, cards, noted, ahead), *_collecting(cards, noted, ahead)]
    found = shown(noted, ahead, causes)
    unit = "%" if view.goes_by_match else "points"
    text, left = told(found, unit), np.inf if found is None else abs(found.outside)
    if not view.goes_by_match:
        leads = noted.scores[:, ahead.best] - noted.scores[:, ahead.second]
        lead = float(leads.mean())
        for part in _parts(view, cards, noted, ahead):
            made = float(part.leads.mean())
            if beyond_doubt(noted, part.leads) and lead - made <= lead / 2 and abs(lead - made) < left:
                text, left = told_part(part.what, made, lead, unit), abs(lead - made)
    return text


def _kept(view: DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead) -> Cause:
    """The card that is kept wins its trick, or lies in one that the seat wins."""
    hand = numbers(view.hand)
    lone = sum(rank(card) == TRUMP for card in hand) == 1
    clauses, won = [], []
    for move, other in ((ahead.best, ahead.second), (ahead.second, ahead.best)):
        kept = cards[other]
        found = (noted.words[:, SEATS + move] >> INNER[kept] & 1) != 0
        which = f"{name(kept)}, the only trump," if lone and rank(kept) == TRUMP else name(kept)
        often = share(float(found.mean()))
        clauses.append(f"{which} is won in {often} of the deals after {name(cards[move])}")
        won.append(found)
    return Cause(f"{clauses[0]}, and {clauses[1]}", won[0] & ~won[1], won[1] & ~won[0])


def _collecting(cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """Another seat has set a card of the same colour aside, or nobody has."""
    aside = ALL & ~np.bitwise_or.reduce(noted.words[:, :SEATS], axis=1)
    mine, other = (colour(cards[move]) for move in (ahead.best, ahead.second))
    if mine != other:
        alone = (aside & to_inner(of_colour(mine))) == 0
        yield Cause(f"perhaps nobody else collects {COLOURS[mine]}", alone)
        shared = (aside & to_inner(of_colour(other))) != 0
        yield Cause(f"another seat may collect {COLOURS[other]}", shared)


def _parts(view: DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[_Part]:
    """The own cards of the colour that are won, and those of others."""
    hand = mask(numbers(view.hand))
    held = to_inner(hand)
    own, others = [], []
    own_clauses, other_clauses = [], []
    for move in (ahead.best, ahead.second):
        card = cards[move]
        suit = of_colour(colour(card))
        won = noted.words[:, SEATS + move] & to_inner(suit)
        own.append(np.bitwise_count(won & held).astype(np.float64))
        others.append(np.bitwise_count(won & ~held).astype(np.float64))
        kept = names(members(hand & suit & ~(1 << card)))
        mean = f"{own[-1].mean():.2f}"
        own_clauses.append(
            f"after {name(card)} {mean} of the {len(kept)} cards {' '.join(kept)} are won"
            if len(kept) > 1
            else f"after {name(card)} {kept[0]} is won in {share(float(own[-1].mean()))} of the deals"
            if kept
            else f"after {name(card)} no other {COLOURS[colour(card)]} is in the hand"
        )
        other_clauses.append(
            f"after {name(card)} {others[-1].mean():.2f} of the others' {COLOURS[colour(card)]} cards are won"
        )
    yield _Part(" and ".join(own_clauses), own[0] - own[1])
    yield _Part(" and ".join(other_clauses), others[0] - others[1])
