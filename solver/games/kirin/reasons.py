"""Why kirin's hint prefers a card, in a sentence: what the sampled rounds say, and nothing that they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.common import members
from solver.games.kirin import rollouts as kirin_rollouts
from solver.games.kirin.deck import COLOUR_NAMES, COLOURS, colour, is_kirin, name
from solver.games.kirin.fast_rules import CARDS, DECK, INNER, QUALIFYING, STRONGER
from solver.games.kirin.position import DeclareView, View
from solver.games.kirin.rollouts import SCORE, TRICK_POINTS, WON_TRICK
from solver.games.kirin.rules import SEATS, winner
from solver.hints.causes import Cause, Noted, Witnessed, shown, told
from solver.hints.match import deciding
from solver.hints.ranking import SURE, Lead, Sums, alike, lead, of, order, points, share
from solver.kernels.words import Words


def reason(view: View | DeclareView, cards: Sequence[int], sums: Sums) -> str:
    """The reason for the best of `cards`, the legal ones in canonical order."""
    if view.goes_by_match:
        return deciding([name(card) for card in cards], sums, view.rounds_to_come)
    if isinstance(view, DeclareView):
        return _declaring(cards, sums)
    return _playing(cards, sums)


def _declaring(cards: Sequence[int], sums: Sums) -> str:
    ranking = order(sums, len(cards))
    best = ranking[0]
    mine = colour(cards[best])
    text = (
        f"Collecting {COLOURS[mine]}, {COLOUR_NAMES[mine]}, with {name(cards[best])} set aside brings "
        f"{points(float(sums.means[best, SCORE]))} a round on average over the sampled deals"
    )
    other = next((move for move in ranking if colour(cards[move]) != mine), None)
    if other is None:
        return f"{text}; there is no card of another colour."
    gap, error = sums.difference(best, other)
    if gap > SURE * error:
        return f"{text}; the best of another colour, {name(cards[other])}, brings {gap:.2f} less."
    return f"{text}; {name(cards[other])}, the best of another colour, can't be told apart from it."


def _playing(cards: Sequence[int], sums: Sums) -> str:
    means = sums.means
    ahead = lead(sums, len(cards))
    if ahead is None:
        won, gain = means[0, WON_TRICK], float(means[0, TRICK_POINTS])
        return (
            f"{name(cards[0])} is the only legal card; it wins this trick in {share(won)} of the {of(sums)}, "
            f"with {points(gain)} on average."
        )
    first, second = name(cards[ahead.best]), name(cards[ahead.second])
    here = float(means[ahead.best, TRICK_POINTS] - means[ahead.second, TRICK_POINTS])
    later = ahead.gap - here
    if not ahead.clear:
        return alike([name(card) for card in cards], sums, f"{ahead.gap:.2f} points a round")
    if here >= later:
        shares = [share(means[move, WON_TRICK]) for move in (ahead.best, ahead.second)]
        gains = [points(float(means[move, TRICK_POINTS])) for move in (ahead.best, ahead.second)]
        text = (
            f"{first} wins this trick in {shares[0]} of the {of(sums)} and {gains[0]} with it on average; "
            f"the next best, {second}, wins it in {shares[1]}, with {gains[1]}"
        )
        if later < -0.005:
            text += f", and makes up only {-later:.2f} of that in later tricks"
        return text + "."
    text = f"After {first} later tricks bring {points(later)} more on average than after the next best, {second}"
    if here < -0.005:
        return f"{text}; in this trick {second} would win {-here:.2f} more."
    if here > 0.005:
        return f"{text}, and this trick {here:.2f} more."
    return f"{text}; this trick brings the same."


# ----------------------------------------------------------------------------------------------------
# What may be behind the lead of one of kirin's cards: who can beat it, who has to follow, a turn.


def because(view: View | DeclareView, cards: Sequence[int], sums: Sums, ahead: Lead, rollouts: Witnessed) -> str:
    """What is behind a clear lead, as a sentence with a space before it; empty where nothing shows.

    The rollouts have noted of each world the hands, then for each move the direction after the first trick, or,
    where a card is to be set aside, what `declaring` says.
    """
    noted = rollouts.witness.noted(sums)
    if noted is None:
        return ""
    if isinstance(view, DeclareView):
        return kirin_rollouts.because(view, cards, sums, ahead, noted)
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
