"""Words of reasons: means over the sampled worlds, as people say them.

A reason is read by whoever asks why a seat played so, not by that seat alone. So it addresses nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.common.words import in_a_row
from solver.hints.paired import Sums
from solver.hints.ranking import level_with


def amount(value: float, unit: tuple[str, str]) -> str:
    """A number, such as a mean, to two places; `unit` names one and several."""
    one, several = unit
    return f"{value:.2f} {several}" if f"{value:.2f}" != "1.00" else f"1 {one}"


def points(value: float) -> str:
    """A number of points, such as a mean, to two places."""
    return amount(value, ("point", "points"))


def alike(texts: Sequence[str], sums: Sums, lead: str, sample: str = "deals") -> str:
    """That the best move and others can't be told apart.

    `texts` are the moves in canonical order as they stand in a sentence, and `lead` is the lead of the best one,
    such as ``0.02 points``.
    """
    equal = level_with(sums, len(texts))
    text = f"{in_a_row([texts[move] for move in equal])} are equal, as far as the {of(sums, sample)} tell"
    if not lead.strip("0.% abcdefghijklmnopqrstuvwxyz"):  # no digit above 0 in what is rounded
        return f"{text}."
    return f"{text}: the lead of {texts[equal[0]]}, {lead}, may be the luck of the draw."


def of(sums: Sums, sample: str = "deals") -> str:
    """What tells of the moves: what the worlds are called, and what there is beside them."""
    return (sums.sample or f"sampled {sample}") + sums.beside


def share(value: float) -> str:
    """A share of the sampled worlds, from 0 to 1; what is rounded is neither all nor none."""
    if value >= 1 - 1e-12:
        return "all"
    if value <= 1e-12:
        return "none"
    return chance(value)


def chance(value: float) -> str:
    """An estimated chance, from 0 to 1, of which nobody knows that it is either."""
    percent = round(100 * value)
    return "more than 99%" if percent == 100 else "less than 1%" if percent == 0 else f"{percent}%"
