"""Why King × Alchemy's hint prefers a move, in a sentence: what the rounds played say, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from solver.common import mask, members
from solver.games.king.compounding_kernel import KEPT_DECKS, PATIENCE, best, tables, working_space
from solver.games.king.deck import DANCER, SUIT_NAMES, SUITS, TRUMP, Deck
from solver.games.king.moves import format_move
from solver.games.king.position import PickView, View
from solver.games.king.rollouts import BONUS, TOOK, TRICK_POINTS
from solver.games.king.rules import Move, Play, plays, winner
from solver.hints.causes import (
    FEWEST_WORLDS,
    REST,
    Cause,
    Noted,
    Truths,
    Witnessed,
    beyond_doubt,
    shown,
    surely_more,
    told,
    told_undone,
)
from solver.hints.match import deciding
from solver.hints.ranking import Lead, Sums, alike, lead, of, points, share
from solver.kernels.words import Floats, Words


def reason(view: View | PickView, moves: Sequence[Move], known: Sums, sums: Sums, rollouts: Judged) -> str:
    """The whole reason for the best of the moves, which are in canonical order."""
    ahead = lead(known, len(moves))
    behind = because(view, moves, sums, ahead, rollouts) if ahead is not None and ahead.clear else ""
    return _reason(view, moves, known) + behind


def _reason(view: View | PickView, moves: Sequence[Move], sums: Sums) -> str:
    texts = [format_move(view, move) for move in moves]
    if view.goes_by_match:
        return deciding(texts, sums, view.rounds_to_come)
    ahead = lead(sums, len(texts))
    if ahead is None:
        return _only(view, texts[0], sums)
    first, second = _named(view, texts[ahead.best]), _named(view, texts[ahead.second])
    if not ahead.clear:
        named = [_named(view, text) for text in texts]
        return _capital(alike(named, sums, f"{ahead.gap:.2f} points a round"))
    text = f"{_capital(first)} brings {points(ahead.gap)} a round more on average than {second}, the next best: "
    trick, bonus, later = _parts(ahead, sums)
    recipes = _signed(bonus, "recipes")
    if isinstance(view, PickView) or _shares(view):
        return f"{text}{_signed(trick + later, 'the points of cards')}, {recipes}."
    took = [share(float(sums.means[move, TOOK])) for move in (ahead.best, ahead.second)]
    return (
        f"{text}{_signed(trick, 'the points of this trick')} (it takes the trick in {took[0]} of the {of(sums)}, "
        f"the other in {took[1]}), {_signed(later, 'the points of later ones')}, {recipes}."
    )


def _named(view: View | PickView, text: str) -> str:
    """A move within a sentence."""
    return f"to {text}" if _shares(view) else f"picking {text}" if isinstance(view, PickView) else text


def _shares(view: View | PickView) -> bool:
    return isinstance(view, View) and len(view.trick) == view.players


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _only(view: View | PickView, text: str, sums: Sums) -> str:
    if _shares(view):
        return f"There is no choice: {text} is the only legal move."
    took, gain = float(sums.means[0, TOOK]), float(sums.means[0, TRICK_POINTS])
    return (
        f"{text} is the only legal card; it takes this trick in {share(took)} of the {of(sums)}, and brings "
        f"{points(gain)} of its cards on average."
    )


def _parts(ahead: Lead, sums: Sums) -> tuple[float, float, float]:
    """By how much the best leads the next: in points of this trick, in bonuses, and in all other points."""
    gaps = sums.means[ahead.best] - sums.means[ahead.second]
    trick, bonus = float(gaps[TRICK_POINTS]), float(gaps[BONUS])
    return trick, bonus, ahead.gap - trick - bonus


def _signed(value: float, what: str) -> str:
    return f"{value:+.2f} by {what}".replace("-", "−")


# ----------------------------------------------------------------------------------------------------
# For which recipes there is all that it takes in the piles of sampled worlds.


def can_make(deck: Deck, carrier: int, piles: Words) -> Truths:
    """In which of some piles there is all that a recipe takes, if nothing else is made."""
    found: Truths = (piles >> carrier & 1) != 0
    for serving, count in _needs(deck)[carrier]:
        found &= np.bitwise_count(piles & serving) >= count
    return found


@lru_cache(maxsize=KEPT_DECKS)
def _needs(deck: Deck) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each card and each need of its recipe the cards that serve (a mask), and how many it takes of them."""
    return tuple(
        tuple(
            (
                mask(other for other, card in enumerate(deck.cards) if card.provides == need and other != carrier),
                count,
            )
            for need, count in Counter(held.recipe.needs if held.recipe else ()).items()
        )
        for carrier, held in enumerate(deck.cards)
    )


# ----------------------------------------------------------------------------------------------------
# A card that another seat lacks for a recipe, as what is behind a lead where hints go by the match.
#
# In an ordinary round it brings nothing that another seat makes less. Where the chance to win the match is what
# counts, it does, and a counterfactual on the same worlds tells how much: where the seat ends without the card
# after one move alone, and the recipe lacks nothing else, it is given the bonus that the card would bring, and the
# match is counted once more.


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
            for carrier in _denied_recipes(deck, card) if _may_matter(lost, first, least) else ():
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


def _denied_recipes(deck: Deck, card: int) -> Iterator[int]:
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


# ----------------------------------------------------------------------------------------------------
# What may be behind the lead of one of King × Alchemy's moves: recipes, a trump kept, who can beat or follow.


def because(view: View | PickView, moves: Sequence[Move], sums: Sums, ahead: Lead, rollouts: Judged) -> str:
    """What is behind a clear lead, as a sentence with a space before it; empty where nothing shows.

    The rollouts have noted of each world the hands, then for each move the seat's own pile in the end, as masks;
    where hints go by the match, also the piles and scores of all seats.
    """
    noted = rollouts.witness.noted(sums.worlds, chained=rollouts.chained)
    if noted is None:
        return ""
    causes = [*_recipes(view, moves, noted, ahead)]
    if isinstance(view, View) and not view.trick_is_full:
        causes += [*_kept(view, moves, noted, ahead), *_answers(view, moves, noted, ahead)]
    found = shown(noted, ahead, causes)
    if not view.goes_by_match:
        return told(found, "points")
    text, left = told(found, "%"), np.inf if found is None else abs(found.outside)
    leads = noted.scores[:, ahead.best] - noted.scores[:, ahead.second]
    lead = float(leads.mean())
    for lack in denied(view, moves, noted, ahead, rollouts):
        rest = float(lack.leads.mean())
        if beyond_doubt(noted, leads - lack.leads) and rest <= REST * lead and abs(rest) < left:
            text, left = told_undone(lack.what, rest, lead, "%"), abs(rest)
    return text


def _recipes(view: View | PickView, moves: Sequence[Move], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """A recipe can be made more often after the best move."""
    deck = view.full_deck
    piles = noted.words[:, view.players :]
    gained = _gained(view, moves[ahead.best])
    for carrier, card in enumerate(deck.cards):
        if card.recipe is None:
            continue
        made, other = (can_make(deck, carrier, piles[:, move]) for move in (ahead.best, ahead.second))
        often, less = (share(float(found.mean())) for found in (made, other))
        first, second = (format_move(view, moves[move]) for move in (ahead.best, ahead.second))
        what = f"{card.recipe.item} can be made in {often} of the deals after {first}, in {less} after {second}"
        serving = [
            held.code
            for number, held in enumerate(deck.cards)
            if gained >> number & 1 and (number == carrier or held.provides in card.recipe.needs)
        ]
        if serving:
            what += f" ({' and '.join(serving)} {'serves' if len(serving) == 1 else 'serve'} for it)"
        yield Cause(what, made & ~other, other & ~made)


def _gained(view: View | PickView, move: Move) -> int:
    """The cards that a move may bring the seat: those taken, the one picked, or those of the trick."""
    if not isinstance(move, Play):
        return mask(move.taken)
    lying = () if isinstance(view, PickView) else view.plays
    return mask([move.card, *(play.card for play in lying)])


def _kept(view: View, moves: Sequence[Move], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The next best card is a trump or the Dancer, and kept back it wins a trick: then it is in the own pile."""
    best, second = moves[ahead.best], moves[ahead.second]
    assert isinstance(best, Play)
    assert isinstance(second, Play)
    card = view.full_deck.cards[second.card]
    if card.suit in (TRUMP, DANCER) and best.card != second.card:
        won = (noted.words[:, view.players + ahead.best] >> second.card & 1) != 0
        yield Cause(f"{card.code}, kept back, may win a later trick", won)


def _answers(view: View, moves: Sequence[Move], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The seats that are still to play can beat a card, or not; can follow, or not."""
    deck, lying = view.full_deck, view.plays
    later = [(view.seat + step) % view.players for step in range(1, view.players - len(lying))]
    for place in (ahead.best, ahead.second):
        move = moves[place]
        assert isinstance(move, Play)
        text = format_move(view, move)
        trick = (*lying, move)
        wins = winner(deck, trick) == len(lying)
        beating = _beating(deck, trick, view.unseen) if wins else 0
        someone = np.zeros(len(noted.words), np.bool_)
        suit = trick[0].suit
        for seat in later:
            hand: Words = noted.words[:, seat]
            if suit < SUITS:
                void = (hand & deck.of_suit[suit]) == 0
                yield Cause(f"seat {seat} may hold no {SUIT_NAMES[suit]}", void)
                yield Cause(f"seat {seat} may have to follow with {SUIT_NAMES[suit]}", ~void)
            someone |= (hand & beating) != 0
            for card in members(beating):
                yield Cause(f"seat {seat} may beat {text} with {deck.code(card)}", (hand >> card & 1) != 0)
        if beating and later:
            yield Cause(f"a seat that is still to play may beat {text}", someone)
            yield Cause(f"{text} may be beaten by nobody still to play", ~someone)


def _beating(deck: Deck, trick: tuple[Play, ...], cards: int) -> int:
    """Which of some cards would win the trick as it lies; the Dancer does so if it does by any name."""
    return mask(play.card for play in plays(deck, cards) if winner(deck, (*trick, play)) == len(trick))
