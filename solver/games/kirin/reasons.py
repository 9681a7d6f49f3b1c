"""Why kirin's hint prefers a card, in a sentence: what the sampled rounds say, and nothing that they do not."""

from __future__ import annotations

from solver.games.kirin.cards import COLOUR_NAMES, COLOURS, colour, name
from solver.games.kirin.positions import DeclareView, View
from solver.games.kirin.rollouts import SCORE, TRICK_POINTS, WON_TRICK
from solver.hints.paired import Sums
from solver.hints.ranking import lead, order


def reason(view: View | DeclareView, cards: list[int], sums: Sums) -> str:
    """The reason for the best of `cards`, the legal ones in canonical order."""
    if isinstance(view, DeclareView):
        return _declaring(cards, sums)
    return _playing(cards, sums)


def _points(value: float) -> str:
    return f"{value:.2f} points" if f"{value:.2f}" != "1.00" else "1 point"


def _share(value: float) -> str:
    """A share of the sampled deals; what is rounded is neither all nor none."""
    if value >= 1 - 1e-12:
        return "all"
    if value <= 1e-12:
        return "none"
    percent = round(100 * value)
    return "more than 99%" if percent == 100 else "less than 1%" if percent == 0 else f"{percent}%"


def _declaring(cards: list[int], sums: Sums) -> str:
    ranking = order(sums, len(cards))
    best = ranking[0]
    mine = colour(cards[best])
    text = (
        f"Collecting {COLOURS[mine]}, {COLOUR_NAMES[mine]}, with {name(cards[best])} set aside brings "
        f"{_points(float(sums.means[best, SCORE]))} a round on average over the sampled deals"
    )
    other = next((move for move in ranking if colour(cards[move]) != mine), None)
    if other is None:
        return f"{text}; you have no other colour."
    gap, error = sums.difference(best, other)
    text += f"; the best of another colour, {name(cards[other])}, brings {gap:.2f} less"
    return f"{text}." if gap > 1.96 * error else f"{text}, which may be the luck of the draw."


def _playing(cards: list[int], sums: Sums) -> str:
    means = sums.means
    found = lead(sums, len(cards))
    if found is None:
        won, points = means[0, WON_TRICK], float(means[0, TRICK_POINTS])
        return (
            f"{name(cards[0])} is the only card that you may play; it wins this trick in {_share(won)} of the "
            f"sampled deals, with {_points(points)} on average."
        )
    first, second = name(cards[found.best]), name(cards[found.second])
    here = float(means[found.best, TRICK_POINTS] - means[found.second, TRICK_POINTS])
    later = found.gap - here
    if not found.clear:
        return (
            f"{first} and {second} do about equally well in the sampled deals: {first} leads by {found.gap:.2f} "
            "points a round, which may be the luck of the draw."
        )
    if here >= later:
        shares = [_share(means[move, WON_TRICK]) for move in (found.best, found.second)]
        gains = [_points(float(means[move, TRICK_POINTS])) for move in (found.best, found.second)]
        text = (
            f"{first} wins this trick in {shares[0]} of the sampled deals and {gains[0]} with it on average; "
            f"the next best, {second}, wins it in {shares[1]}, with {gains[1]}"
        )
        if later < -0.005:
            text += f", and makes up only {-later:.2f} of that in later tricks"
        return text + "."
    text = f"After {first} later tricks bring {_points(later)} more on average than after the next best, {second}"
    if here < -0.005:
        return f"{text}; in this trick {second} would win {-here:.2f} more."
    if here > 0.005:
        return f"{text}, and this trick {here:.2f} more."
    return f"{text}; this trick brings the same."
