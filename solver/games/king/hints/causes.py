"""What may be behind the lead of one of King × Alchemy's moves: recipes, a trump kept, who can beat or follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.common.masks import mask, members
from solver.games.king.cards.deck import DANCER, SUIT_NAMES, SUITS, TRUMP, Deck
from solver.games.king.cards.rules import Move, Play, plays, winner
from solver.games.king.hints.denied import Judged, denied
from solver.games.king.hints.recipes import can_make
from solver.games.king.positions.known import View
from solver.games.king.positions.moves import format_move
from solver.games.king.positions.picks import PickView
from solver.hints.causes import REST, Cause, Noted, beyond_doubt, shown, told, told_undone
from solver.hints.paired import Sums
from solver.hints.ranking import Lead
from solver.hints.words import share
from solver.kernels.arrays import Words


def because(view: View | PickView, moves: Sequence[Move], sums: Sums, ahead: Lead, rollouts: Judged) -> str:
    """What is behind a clear lead, as a sentence with a space before it; empty where nothing shows.

    The rollouts have noted of each world the hands, then for each move the seat's own pile in the end, as masks;
    where hints go by the match, also the piles and scores of all seats.
    """
    noted = rollouts.witness.noted(sums)
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
