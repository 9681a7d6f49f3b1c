"""A card that another seat lacks for a recipe, as what is behind a lead where hints go by the match.

In an ordinary round it brings nothing that another seat makes less. Where the chance to win the match is what
counts, it does, and a counterfactual on the same worlds tells how much: where the seat ends without the card after
one move alone, and the recipe lacks nothing else, it is given the bonus that the card would bring, and the match
is counted once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from solver.common.masks import members
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import Move
from solver.games.king.compounding.kernel import best, working_space
from solver.games.king.compounding.tables import PATIENCE, tables
from solver.games.king.hints.recipes import can_make
from solver.games.king.positions.known import View
from solver.games.king.positions.moves import format_move
from solver.games.king.positions.picks import PickView
from solver.hints.causes import FEWEST_WORLDS, REST, Noted, Witnessed, surely_more
from solver.hints.ranking import Lead
from solver.hints.words import share
from solver.kernels.arrays import Floats, Words


class Judged(Witnessed, Protocol):
    """Rollouts that can tell how likely the match is won in worlds with other scores (worlds, seats)."""

    def chances(self, worlds: Words, scores: Floats) -> Floats: ...


class Denied(NamedTuple):
    """What a seat lacks, in a clause, and what the lead would be in each world if it had it."""

    what: str
    leads: Floats


class _Ends(NamedTuple):
    """How the worlds end after a move: the chance to win the match; and of each seat its pile and its score."""

    chances: Floats
    piles: Words
    scores: Words


class _Lacking(NamedTuple):
    """The worlds in which a seat lacks a card after one move alone; what it would bring it, were it not so."""

    worlds: Words
    bonuses: Words


def denied(
    view: View | PickView, moves: Sequence[Move], noted: Noted, ahead: Lead, rollouts: Judged
) -> Iterator[Denied]:
    """Each card, seat and recipe of which the best move denies more, as far as it may be half the lead."""
    deck, players = view.full_deck, view.players
    pair = ahead.best, ahead.second
    rest = noted.words[:, players + len(moves) :].reshape(len(noted.words), len(moves), players, 2)
    ends = [_Ends(noted.scores[:, move], rest[:, move, :, 0], rest[:, move, :, 1]) for move in pair]
    texts = [format_move(view, moves[move]) for move in pair]
    first = ends[0].chances
    leads = first - ends[1].chances
    least = (1 - REST) * float(leads.sum())  # that is to be lost of all leads
    for seat in (other for other in range(players) if other != view.seat):
        mine, other = (np.ascontiguousarray(end.piles[:, seat]) for end in ends)
        for card in members(int(np.bitwise_or.reduce(other & ~mine))):
            lost = np.flatnonzero((other & ~mine) >> card & 1)
            for carrier in _recipes(deck, card) if _may_matter(lost, first, least) else ():
                short = _short(deck, card, carrier, lost, mine, other)
                if not _may_matter(short, first, least):
                    continue
                less = _lacking(deck, card, short, mine, other)
                gained = np.flatnonzero((mine & ~other) >> card & 1)
                more = _lacking(deck, card, _short(deck, card, carrier, gained, other, mine), other, mine)
                if len(less.worlds) < FEWEST_WORLDS or not surely_more(len(less.worlds), len(more.worlds)):
                    continue
                undone = leads.copy()
                undone[less.worlds] += _undone(ends[0], seat, less, rollouts)
                undone[more.worlds] -= _undone(ends[1], seat, more, rollouts)
                recipe = deck.cards[carrier].recipe
                assert recipe is not None
                often, seldom = (share(len(found.worlds) / len(leads)) for found in (less, more))
                yield Denied(
                    f"seat {seat} lacks {deck.code(card)} for {recipe.item} in {often} of the deals after "
                    f"{texts[0]} alone, in {seldom} after {texts[1]} alone",
                    undone,
                )


def _recipes(deck: Deck, card: int) -> Iterator[int]:
    """The carriers of the recipes that a card can serve, itself among them."""
    provides = deck.cards[card].provides
    for carrier, held in enumerate(deck.cards):
        if held.recipe is not None and (carrier == card or provides in held.recipe.needs):
            yield carrier


def _may_matter(worlds: Words, chances: Floats, least: float) -> bool:
    """Whether there are enough worlds, and enough chances in them that could be lost."""
    return len(worlds) >= FEWEST_WORLDS and bool(chances[worlds].sum() >= least)


def _short(deck: Deck, card: int, carrier: int, worlds: Words, without: Words, having: Words) -> Words:
    """Those of some worlds in which a recipe lacks the card alone in one pile, and has it in the other."""
    for piles in (without, having):
        rest = piles[worlds] & ~(1 << card)
        worlds = worlds[can_make(deck, carrier, rest | 1 << card) & ~can_make(deck, carrier, rest)]
    return worlds


def _lacking(deck: Deck, card: int, worlds: Words, without: Words, having: Words) -> _Lacking:
    """Those of some worlds in which the card would bring more bonus in one pile, and does so in the other."""
    lacking = _brings(deck, card, without[worlds])
    worlds, lacking = worlds[lacking > 0], lacking[lacking > 0]
    serving = _brings(deck, card, having[worlds]) > 0
    return _Lacking(worlds[serving], lacking[serving])


def _brings(deck: Deck, card: int, piles: Words) -> Words:
    """How much more bonus piles make with a card than without."""
    kinds, places = np.unique(piles & ~(1 << card), return_inverse=True)
    table, work = tables(deck), working_space()
    patience = int(table[PATIENCE])
    found = [
        best(table, work, rest | 1 << card, patience) - best(table, work, rest, patience)
        for rest in kinds.tolist()
    ]
    return np.array(found, np.int64)[places]


def _undone(ends: _Ends, seat: int, lacking: _Lacking, rollouts: Judged) -> Floats:
    """By how much the chances change if a seat has the bonus of the card that it lacks."""
    scores = ends.scores[lacking.worlds].astype(np.float64)
    scores[:, seat] += lacking.bonuses
    return rollouts.chances(lacking.worlds, scores) - ends.chances[lacking.worlds]
