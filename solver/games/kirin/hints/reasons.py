"""Why kirin's hint prefers a card, in a sentence: what the sampled rounds say, and nothing that they do not."""

from __future__ import annotations

from collections.abc import Sequence

from solver.games.kirin.cards.deck import COLOUR_NAMES, COLOURS, colour, name
from solver.games.kirin.hints.rollouts import SCORE, TRICK_POINTS, WON_TRICK
from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.known import View
from solver.hints.match import deciding
from solver.hints.paired import Sums
from solver.hints.ranking import SURE, lead, order
from solver.hints.words import alike, of, points, share


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
