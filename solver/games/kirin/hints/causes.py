"""What may be behind the lead of one of kirin's cards: who can beat it, who has to follow, a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.common.masks import members
from solver.games.kirin.cards.deck import is_kirin, name
from solver.games.kirin.cards.rules import SEATS, winner
from solver.games.kirin.fast_rules.order import CARDS, DECK, INNER, QUALIFYING, STRONGER
from solver.games.kirin.hints import declaring
from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.known import View
from solver.hints.causes import Cause, Noted, Witnessed, shown, told
from solver.hints.paired import Sums
from solver.hints.ranking import Lead
from solver.hints.words import share
from solver.kernels.arrays import Words


def because(view: View | DeclareView, cards: Sequence[int], sums: Sums, ahead: Lead, rollouts: Witnessed) -> str:
    """What is behind a clear lead, as a sentence with a space before it; empty where nothing shows.

    The rollouts have noted of each world the hands, then for each move the direction after the first trick, or,
    where a card is to be set aside, what `declaring` says.
    """
    noted = rollouts.witness.noted(sums)
    if noted is None:
        return ""
    if isinstance(view, DeclareView):
        return declaring.because(view, cards, sums, ahead, noted)
    causes = [*_turns(view, cards, noted, ahead), *_answers(view, cards, noted, ahead)]
    return told(shown(noted, ahead, causes), "%" if view.goes_by_match else "points")


def _turns(view: View, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The one or the other card turns the order more often."""
    turned = noted.words[:, SEATS:] != view.past.rules.direction
    for one, other in ((ahead.best, ahead.second), (ahead.second, ahead.best)):
        often, less = (share(float(turned[:, move].mean())) for move in (one, other))
        what = f"{name(cards[one])} turns the order in {often} of the deals, {name(cards[other])} in {less}"
        yield Cause(what, turned[:, one] & ~turned[:, other], turned[:, other] & ~turned[:, one])


def _answers(view: View, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The seats that are still to play can beat a card, or not; have to follow it, or not."""
    later = [(view.seat + step) % SEATS for step in range(1, SEATS - len(view.plays))]
    direction = view.past.rules.direction
    for move in (ahead.best, ahead.second):
        card = cards[move]
        lead = view.plays[0] if view.plays else card
        follow = int(QUALIFYING[direction * CARDS + INNER[lead]])
        beating = int(STRONGER[direction * CARDS + INNER[card]]) if _wins_so_far(view, card) else 0
        someone = np.zeros(len(noted.words), np.bool_)
        for seat in later:
            hand: Words = noted.words[:, seat]
            has_to = (hand & follow) != 0
            if not view.plays:
                yield Cause(f"seat {seat} may have to follow {name(card)}", has_to)
                yield Cause(f"seat {seat} may have nothing that has to follow {name(card)}", ~has_to)
            answers = np.where(has_to, hand & follow, hand) & beating
            someone |= answers != 0
            for held in members(int(np.bitwise_or.reduce(answers))):
                what = f"seat {seat} may beat {name(card)} with {name(DECK[held])}"
                yield Cause(what, (answers >> held & 1) != 0)
        if beating and later:
            who = "a seat that is still to play"
            yield Cause(f"{who} may beat {name(card)}", someone)
            yield Cause(f"{name(card)} may be beaten by nobody still to play", ~someone)


def _wins_so_far(view: View, card: int) -> bool:
    """Whether a card, laid next to the trick, is the one to beat."""
    return not is_kirin(card) and winner((*view.plays, card), view.past.rules.direction) == len(view.plays)
