"""Why one move leads another: what the sampled worlds show to be behind the lead, each cause by a counterfactual.

A game lists what may be behind a lead in a table of predicates (`Predicate`): a code, a sentence, and what the
noted worlds say of it (`Claim`). A claim is of one of three forms.

* It holds in some worlds and not in others, as that a seat can beat a card (`where`). It is behind the lead if the
  lead elsewhere is at most half of the mean lead, and smaller beyond doubt.
* It holds after one move and not after the other, as that a card wins its trick (`after`). It is behind the lead
  if it holds more often after the best move, and the lead where the moves do not differ in it is as above.
* It makes so much of the lead in each world, as the points of this trick (`part`). It is behind the lead if the
  rest is at most half of it, and the part is above 0 beyond doubt.

Where nothing of the kind shows, nothing is said. The worlds and the scores of all moves in them are noted while a
hint plays them (`Witness`), so that nothing is played again, and no move is judged otherwise.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.answers import Cause as FoundCause
from solver.common import in_a_row, one_of
from solver.hints.ranking import (
    Lead,
    Sums,
    Unit,
    Why,
    against,
    figures,
    lead,
    level_with,
    percent,
    share,
    span,
    sureness,
)
from solver.kernels.words import Floats, Words
from solver.language import say

Truths = NDArray[np.bool_]

MOST_WORLDS = 4000  # that are noted
FEWEST_BATCHES = 12  # of worlds that depend on each other
FEWEST_WORLDS = 24  # on either side
SURE = 4.0  # standard errors: many causes are tried, and the best of them are named
_SURE_OF_LAST = 2.5  # of the causes of the last rank, which are few
REST = 0.5  # the share of the lead that may be left without the cause
MOST_CAUSES = 2
LAST = 2  # rank
_DIGITS = 6  # of the numbers in a cause


class Noted(NamedTuple):
    """Worlds that a hint has counted: `results` by world, move and statistic, what else was noted, and batches."""

    results: Floats
    words: Words
    batches: Words

    @property
    def scores(self) -> Floats:
        """The score of each move in each world."""
        return self.results[:, :, 0]

    def leads(self, ahead: Lead) -> Floats:
        """By how much the best move leads the other in each world."""
        return self.scores[:, ahead.best] - self.scores[:, ahead.second]


class Witness:
    """What is noted of the worlds while threads play them in batches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: dict[int, tuple[Floats, Words]] = {}

    def note(self, first: int, results: Floats, words: Words) -> None:
        """Note the worlds from number `first` on: `results` by world, move and statistic, `words` by world."""
        if first < MOST_WORLDS:
            with self._lock:
                self._batches[first] = results.copy(), words

    def noted(self, worlds: int, *, chained: bool) -> Noted | None:
        """The first so many worlds, in order; None where there are too few to show anything.

        Worlds of a batch depend on each other where they are `chained`.
        """
        batches = [kept for first, kept in sorted(self._batches.items()) if first < worlds]
        if not batches:
            return None
        results, words = (np.concatenate(rows) for rows in zip(*batches, strict=True))
        sizes = [len(rows) for rows, _ in batches] if chained else [1] * len(results)
        if len(sizes) < (FEWEST_BATCHES if chained else 2 * FEWEST_WORLDS):
            return None
        return Noted(results, words, np.repeat(np.arange(len(sizes)), sizes))


class Witnessed(Protocol):
    """Rollouts that note their worlds; each game says what it notes of one."""

    witness: Witness
    chained: bool


# ----------------------------------------------------------------------------------------------------
# Claims and predicates.


class Claim(NamedTuple):
    """What may be behind a lead: the `fields` of its cause, and where it `holds`, or its `part` of the lead.

    With `against`, the worlds in which the same holds after the other move alone, `holds` are those in which it
    holds after the best move alone.
    """

    fields: Mapping[str, Any]
    holds: Truths | None = None
    against: Truths | None = None
    part: Floats | None = None


def where(holds: Truths, /, **fields: Any) -> Claim:
    """A claim that holds in some worlds, whatever the move; its `share` is that of these worlds."""
    return Claim({"share": float(holds.mean()), **fields}, holds)


def after(best: Truths, other: Truths, /, **fields: Any) -> Claim:
    """A claim that holds in some worlds after the `best` move, and in some after the `other`."""
    shares = {"share": float(best.mean()), "other_share": float(other.mean())}
    return Claim({**shares, **fields}, best & ~other, other & ~best)


def part(made: Floats, /, **fields: Any) -> Claim:
    """A claim that makes so much of the lead in each world."""
    return Claim(fields, part=made)


S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Predicate(Generic[S]):
    """A row of a game's table: the `code` of a cause, its `sentence`, and the claims that a scene makes of it.

    The sentence is a template with the fields of the cause in braces. The causes of one reason are `about`
    different things. One of a lower `rank` is named before others, and one of rank `LAST` only where no other is.
    """

    code: str
    sentence: str
    claims: Callable[[S], Iterable[Claim]]
    about: str
    rank: int = 0

    def of(self, scene: Callable[[T], S]) -> Predicate[T]:
        """The same predicate of larger scenes, each of which has a `scene` for it."""
        return Predicate(
            self.code, self.sentence, lambda larger: self.claims(scene(larger)), self.about, self.rank
        )


class Told(NamedTuple):
    """A cause, and its sentence in the current language."""

    cause: FoundCause
    text: str


def sentence(template: str, cause: FoundCause) -> str:
    """A cause in the current language."""
    values = {name: getattr(cause, name) for name in cause.model_fields_set}
    for name in ("share", "other_share"):
        if name in values:
            values[name] = percent(values[name])
    numbers = [name for name in ("points", "other_points") if name in values]
    values |= zip(numbers, figures(*(values[name] for name in numbers)), strict=True)
    for name in ("cards", "moves"):
        if name in values:
            values[name] = in_a_row(values[name])
    return say(template, **values)


def told_cause(code: str, template: str, fields: Mapping[str, Any]) -> Told:
    """A cause of these fields with its sentence; fields that are None are left out."""
    kept = {
        name: round(value, _DIGITS) if isinstance(value, float) else value
        for name, value in fields.items()
        if value is not None
    }
    cause = FoundCause(code=code, **kept)
    return Told(cause, sentence(template, cause))


def behind(table: Sequence[Predicate[S]], scene: S, noted: Noted, ahead: Lead) -> tuple[Told, ...]:
    """The causes behind a lead, at most two, first the one that leaves least of it."""
    leads = noted.leads(ahead)
    if leads.mean() <= 0:
        return ()
    claims = [(predicate, claim) for predicate in table for claim in predicate.claims(scene)]
    sure = [_SURE_OF_LAST if predicate.rank == LAST else SURE for predicate, _ in claims]
    rests = _rests(leads, noted, [claim for _, claim in claims], sure)
    found = [(rest, *named) for rest, named in zip(rests, claims, strict=True) if rest is not None]
    found.sort(key=lambda one: (one[1].rank, abs(one[0])))
    chosen: list[Told] = []
    about: set[str] = set()
    for _, predicate, claim in found:
        if predicate.about not in about and len(chosen) < MOST_CAUSES and not (chosen and predicate.rank == LAST):
            about.add(predicate.about)
            chosen.append(told_cause(predicate.code, predicate.sentence, claim.fields))
    return tuple(chosen)


# ----------------------------------------------------------------------------------------------------
# Reasons: how sure the best move is, and the sentences of what is behind its lead.


def only(move: str) -> Why:
    """The reason of a move that is the only legal one."""
    told = told_cause("only", "{move} is the only legal move.", {"move": move})
    return Why("only", (told.cause,), told.text)


def why(texts: Sequence[str], sums: Sums, found: Sequence[Told], unit: Unit) -> Why:
    """Why the best of some moves is best: what was `found` behind a lead beyond doubt, else what they are worth.

    `texts` are the moves in canonical order.
    """
    ahead = lead(sums, len(texts))
    sure = sureness(ahead, unit)
    if ahead is None:
        return only(texts[0])
    means = sums.means[:, 0]
    if sure == "close":
        return _close(texts, [(place, float(means[place])) for place in level_with(sums, len(texts))], unit)
    if found:
        return Why(sure, tuple(told.cause for told in found), " ".join(told.text for told in found))
    amount, other_amount = against(float(means[ahead.best]), float(means[ahead.second]), unit)
    values = {
        "move": texts[ahead.best],
        "other": texts[ahead.second],
        "amount": amount,
        "other_amount": other_amount,
    }
    if sure == "slight":
        text = say("{move} is slightly better than {other}: {amount} against {other_amount}.", **values)
    else:
        text = say("{move} is clearly better than {other}: {amount} against {other_amount}.", **values)
    return Why(sure, (), text)


def _close(texts: Sequence[str], level: Sequence[tuple[int, float]], unit: Unit) -> Why:
    """That some moves, by their places and means, can't be told apart."""
    moves, values = [texts[place] for place, _ in level], [value for _, value in level]
    mean = "share" if unit.chance else "points"
    cause = FoundCause(code="close", moves=tuple(moves), **{mean: round(values[0], _DIGITS)})
    text = say("{moves}: too close to call ({amount}).", moves=one_of(moves), amount=span(values, unit))
    return Why("close", (cause,), text)


# ----------------------------------------------------------------------------------------------------
# What is left of a lead without a claim.


def _rests(leads: Floats, noted: Noted, claims: Sequence[Claim], sure: Sequence[float]) -> list[float | None]:
    """What is left of a lead without each claim, None for those that are not behind it, to so many errors."""
    whole = float(leads.mean())
    rests: list[float | None] = [None] * len(claims)
    places = [place for place, claim in enumerate(claims) if claim.part is None]
    if places:
        made = np.array([_makes(claims[place]) for place in places]).T.astype(np.float64)  # (worlds, claims)
        inside, outside, errors = _sides(leads, made, noted.batches)
        count = made.sum(axis=0)
        clear = (count >= FEWEST_WORLDS) & (len(leads) - count >= FEWEST_WORLDS)
        clear &= (inside - outside > np.array(sure)[places] * errors) & (outside <= REST * whole)
        for column, place in enumerate(places):
            if clear[column] and _more_for(claims[place]):
                rests[place] = float(outside[column])
    for place, claim in enumerate(claims):
        if claim.part is not None and beyond_doubt(noted, claim.part, sure[place]):
            rest = whole - float(claim.part.mean())
            rests[place] = rest if rest <= REST * whole else None
    return rests


def _makes(claim: Claim) -> Truths:
    """The worlds in which a claim makes a difference."""
    assert claim.holds is not None
    return claim.holds if claim.against is None else claim.holds | claim.against


def _more_for(claim: Claim) -> bool:
    """Whether what the moves do is done more often by the best one, beyond doubt."""
    if claim.against is None or claim.holds is None:
        return True
    return surely_more(int(claim.holds.sum()), int(claim.against.sum()))


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


def beyond_doubt(noted: Noted, part: Floats, sure: float = SURE) -> bool:
    """Whether the mean of what a part of a lead makes in each world is above 0, beyond doubt."""
    mean = float(part.mean())
    starts = np.flatnonzero(np.diff(noted.batches, prepend=-1))
    strays = np.add.reduceat(part - mean, starts)  # by batch, as in `_sides`
    error = float(np.sqrt((strays**2).sum() * len(starts) / (len(starts) - 1))) / len(part)
    return mean > sure * error


# ----------------------------------------------------------------------------------------------------
# Causes as glued sentences, for games that have no table yet.


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
    whole = float(leads.mean())
    if not causes or whole <= 0:
        return None
    made = np.array([_makes_of(cause) for cause in causes]).T.astype(np.float64)  # (worlds, causes)
    inside, outside, errors = _sides(leads, made, noted.batches)
    count = made.sum(axis=0)
    enough = (count >= FEWEST_WORLDS) & (len(leads) - count >= FEWEST_WORLDS)
    clear = enough & (inside - outside > SURE * errors) & (outside <= REST * whole)
    for place, cause in enumerate(causes):
        clear[place] = clear[place] and _more_for_of(cause)
    if not clear.any():
        return None
    best = int(np.argmin(np.where(clear, outside, np.inf)))
    differing = causes[best].against is not None
    return Shown(
        causes[best].what, differing, float(made[:, best].mean()), float(inside[best]), float(outside[best])
    )


def _makes_of(cause: Cause) -> Truths:
    """The worlds in which a cause makes a difference."""
    return cause.holds if cause.against is None else cause.holds | cause.against


def _more_for_of(cause: Cause) -> bool:
    """Whether what the moves do is done more often by the best one, beyond doubt."""
    if cause.against is None:
        return True
    return surely_more(int(cause.holds.sum()), int(cause.against.sum()))


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
