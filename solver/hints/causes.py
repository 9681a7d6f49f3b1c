"""Why one move leads another: what the sampled worlds show to be behind the lead, each cause by a counterfactual.

A game names what may be behind it (`Cause`): that a seat holds a card that beats a move, or has to follow, or that
a move turns the order. Each says of every world whether it is so there, and the same worlds tell what it does: by
how much the best move leads where it is so, and by how much elsewhere. It is behind the lead when the second is at
most half the lead, and the two differ beyond doubt. Where nothing of the kind shows, nothing is said.

The worlds and the scores of all moves in them are noted while a hint plays them (`Witness`), so that nothing is
played again, and no move is judged otherwise.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.hints.ranking import Lead, Sums, share
from solver.kernels.words import Floats, Words

Truths = NDArray[np.bool_]

MOST_WORLDS = 4000  # that are noted
_FEWEST_BATCHES = 12  # of the hint's worlds, which alone are independent of each other
FEWEST_WORLDS = 24  # on either side
SURE = 4.0  # standard errors: many causes are tried, and the best of them is told
REST = 0.5  # the share of the lead that may be left without the cause


class Noted(NamedTuple):
    """Worlds that a hint has counted: of each the `scores` of all moves, what else was noted, and its batch."""

    scores: Floats
    words: Words
    batches: Words


class Witness:
    """What is noted of the worlds while threads play them in batches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: dict[int, tuple[Floats, Words]] = {}

    def note(self, first: int, results: Floats, words: Words) -> None:
        """Note the worlds from number `first` on: `results` by world, move and statistic, `words` by world."""
        if first < MOST_WORLDS:
            with self._lock:
                self._batches[first] = results[:, :, 0].copy(), words

    def noted(self, sums: Sums) -> Noted | None:
        """The worlds that were counted, in order; None where there are too few to tell anything."""
        counted = [(first, *kept) for first, kept in sorted(self._batches.items()) if first < sums.worlds]
        if len(counted) < _FEWEST_BATCHES:
            return None
        sizes = [len(scores) for _, scores, _ in counted]
        return Noted(
            np.concatenate([scores for _, scores, _ in counted]),
            np.concatenate([words for _, _, words in counted]),
            np.repeat(np.arange(len(counted)), sizes),
        )


class Witnessed(Protocol):
    """Rollouts that note their worlds; each game says what it notes of one."""

    witness: Witness


class Cause(NamedTuple):
    """What may be behind a lead: `what` it is, in a clause, and in which worlds it is so.

    With `against`, the worlds in which the same is so after the other move alone, `holds` are those in which it is
    so after the best move alone.
    """

    what: str
    holds: Truths
    against: Truths | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A cause that shows: the lead where it is so (`inside`), the lead elsewhere, and the share of its worlds.

    `differing`: these are the worlds in which it is so after one of the moves alone.
    """

    what: str
    differing: bool
    share: float
    inside: float
    outside: float


def shown(noted: Noted, ahead: Lead, causes: Sequence[Cause]) -> Shown | None:
    """The cause that leaves least of the lead, if one is behind it."""
    leads = noted.scores[:, ahead.best] - noted.scores[:, ahead.second]
    lead = float(leads.mean())
    if not causes or lead <= 0:
        return None
    made = np.array([_makes(cause) for cause in causes]).T.astype(np.float64)  # (worlds, causes)
    inside, outside, errors = _sides(leads, made, noted.batches)
    count = made.sum(axis=0)
    enough = (count >= FEWEST_WORLDS) & (len(leads) - count >= FEWEST_WORLDS)
    clear = enough & (inside - outside > SURE * errors) & (outside <= REST * lead)
    for place, cause in enumerate(causes):
        clear[place] = clear[place] and _more_for(cause)
    if not clear.any():
        return None
    best = int(np.argmin(np.where(clear, outside, np.inf)))
    differing = causes[best].against is not None
    return Shown(
        causes[best].what, differing, float(made[:, best].mean()), float(inside[best]), float(outside[best])
    )


def _makes(cause: Cause) -> Truths:
    """The worlds in which a cause makes a difference."""
    return cause.holds if cause.against is None else cause.holds | cause.against


def _more_for(cause: Cause) -> bool:
    """Whether what the moves do is done more often by the best one, beyond doubt."""
    if cause.against is None:
        return True
    return surely_more(int(cause.holds.sum()), int(cause.against.sum()))


def surely_more(more: int, less: int) -> bool:
    """Whether something is so in more worlds after one move alone than after the other alone, beyond doubt."""
    return more - less > SURE * float(np.sqrt(more + less))


def _sides(leads: Floats, made: Floats, batches: Words) -> tuple[Floats, Floats, Floats]:
    """The mean lead where each cause is so, and where not, and the standard error of the difference.

    `made` has a column of 0 and 1 for each cause. Worlds of a batch may depend on each other (a Markov chain), so
    the error is that of sums over batches: of ratios, by the delta method.
    """
    starts = np.flatnonzero(np.diff(batches, prepend=-1))
    count = np.maximum(made.sum(axis=0), 1.0)
    rest = np.maximum(len(leads) - made.sum(axis=0), 1.0)
    inside = leads @ made / count
    outside = (leads.sum() - leads @ made) / rest
    parts = np.add.reduceat(made, starts, axis=0)
    sums = np.add.reduceat(made * leads[:, None], starts, axis=0)
    sizes = np.diff(np.append(starts, len(leads)))[:, None]
    totals = np.add.reduceat(leads, starts)[:, None]
    influence = (sums - inside * parts) / count - ((totals - sums) - outside * (sizes - parts)) / rest
    groups = len(starts)
    return inside, outside, np.sqrt((influence**2).sum(axis=0) * groups / (groups - 1))


def beyond_doubt(noted: Noted, part: Floats) -> bool:
    """Whether the mean of what a part of a lead makes in each world is above 0, beyond doubt."""
    mean = float(part.mean())
    starts = np.flatnonzero(np.diff(noted.batches, prepend=-1))
    strays = np.add.reduceat(part - mean, starts)  # by batch, as in `_sides`
    error = float(np.sqrt((strays**2).sum() * len(starts) / (len(starts) - 1))) / len(part)
    return mean > SURE * error


def told_part(what: str, part: float, lead: float, unit: str) -> str:
    """A part of a lead as a sentence with a space before it."""
    rest = amount(lead - part, unit)
    return f" This is because {what}: that makes {amount(part, unit)} of the lead, and all else {rest}."


def told_undone(what: str, rest: float, lead: float, unit: str) -> str:
    """What a seat lacks, and what would be left of a lead if it had it, as a sentence with a space before it."""
    left, all_of_it = amount(rest, unit), amount(lead, unit)
    return f" This is because {what}: if it had it there, the lead would be {left}, not {all_of_it}."


def told(found: Shown | None, unit: str, sample: str = "deals", digits: int = 0) -> str:
    """A cause as a sentence with a space before it; empty where none shows.

    `unit` is that of leads, or ``%``, which then have so many `digits` behind the point.
    """
    if found is None:
        return ""
    where = "the two differ in that" if found.differing else "that is so"
    inside, outside = amount(found.inside, unit, digits), amount(found.outside, unit, digits)
    there = f"the {share(found.share)} of the {sample} where {where}"
    return f" This is because {found.what}: the lead is {inside} in {there}, and {outside} elsewhere."


def amount(lead: float, unit: str, digits: int = 0) -> str:
    """A lead as a person reads it; a lead of the other move is below 0."""
    figure = f"{100 * lead:.{digits}f}%" if unit == "%" else f"{lead:.2f} {unit}"
    if not figure.strip("-0.% abcdefghijklmnopqrstuvwxyz"):
        return "nothing"
    return figure.replace("-", "\N{MINUS SIGN}")
