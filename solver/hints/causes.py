"""Why one move is ahead of another: each cause of its margin is confirmed by comparing sampled worlds (deals).

A game lists possible causes in a table of predicates (`Predicate`), each with a code, a sentence, and a function
that makes claims about the recorded worlds (`Claim`). A claim has one of three forms.

- It holds in some worlds and not in others, such as "a seat can beat this card" (`where`). It is a cause if the
  margin in the other worlds is at most half the mean margin, and significantly smaller than where the claim holds.
- It holds after one move and not after the other, such as "this card wins its trick" (`after`). It is a cause if
  it holds more often after the best move, and the margin is small, as above, in the worlds where it holds after
  both moves or after neither.
- It makes up a part of the margin in each world, such as the points of this trick (`part`). It is a cause if the
  rest is at most half the margin, and the part is significantly above 0.

A claim that holds as well for a move that is clearly worse than the best one is no cause, whatever it explains.

If the margin is not significant, only what a player may choose by is stated, such as points for somebody else.

If no cause can be shown, none is given. The worlds and the scores of all moves in them are recorded while the hint
plays them (`Witness`), so nothing is played twice and the ranking of the moves is unaffected.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.answer_tables import figures
from solver.answers import Cause as FoundCause
from solver.answers import Confidence, SampledMove
from solver.common import in_a_row, one_after_another, one_of
from solver.hints.ranking import (
    POINTS,
    Margin,
    Unit,
    Why,
    against,
    confidence_of,
    in_unit,
    level_with,
    span,
)
from solver.kernels.words import Floats, Words
from solver.language import capital, say, say_of, sentences, translated

Truths = NDArray[np.bool_]

MOST_WORLDS = 4000  # that are noted
FEWEST_BATCHES = 12  # of dependent worlds
FEWEST_WORLDS = 24  # on either side
SURE = 4.0  # standard errors: many causes are tried, and the best ones are reported
SURE_OF_FEW = 2.5  # for tables with only a handful of claims
REST = 0.5  # the share of the lead that may remain without the cause
MOST_CAUSES = 2
_ALIKE = 0.9  # two claims that agree in this share of the worlds say the same
_AS_WELL = 0.9  # a claim holds as well for another move if it holds at least this much
LAST = 2  # the rank of causes that are given only if there is no other
_DIGITS = 6  # of the numbers in a cause
_WIDE = 3  # times the least margin that matters: such values aren't close, only uncertain
_NEARLY_WON = 0.97  # above this chance to win, or with this chance to lose, the choice hardly matters


class Notes(NamedTuple):
    """What was recorded about the worlds (sampled deals) of a hint.

    `results` is an array (worlds, moves, statistics), `words` has a row of notes for each world, and `batches` the
    number of the batch in which each world was played.
    """

    results: Floats
    words: Words
    batches: Words

    @property
    def scores(self) -> Floats:
        """The score of each move in each world, an array (worlds, moves)."""
        return self.results[:, :, 0]

    def leads(self, one: int, other: int) -> Floats:
        """Return the score of a move minus that of another, for each world."""
        return self.scores[:, one] - self.scores[:, other]


class Witness:
    """Records worlds (sampled deals) and their results while threads play them in batches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: dict[int, tuple[Floats, Words]] = {}

    def note(self, first: int, results: Floats, words: Words) -> None:
        """Record a batch of worlds that begins with world number `first`.

        `results` is an array (worlds, moves, statistics), and `words` has a row of notes for each world.
        """
        if first < MOST_WORLDS:
            with self._lock:
                self._batches[first] = results.copy(), words

    def noted(self, worlds: int, *, chained: bool) -> Notes | None:
        """Return the records of the first `worlds` worlds, in order; None if there are too few to show a cause.

        If `chained`, the worlds of a batch depend on each other.
        """
        batches = [kept for first, kept in sorted(self._batches.items()) if first < worlds]
        if not batches:
            return None
        results, words = (np.concatenate(rows) for rows in zip(*batches, strict=True))
        sizes = [len(rows) for rows, _ in batches] if chained else [1] * len(results)
        if len(sizes) < (FEWEST_BATCHES if chained else 2 * FEWEST_WORLDS):
            return None
        return Notes(results, words, np.repeat(np.arange(len(sizes)), sizes))


# ----------------------------------------------------------------------------------------------------
# Claims and predicates.


class Claim(NamedTuple):
    """A possible cause of the best move's margin over another, and the `fields` with which it is reported.

    `made` has a boolean for each world: whether the claim makes a difference in it. `more` is False if it is not
    true significantly more often after the best move. `part` is how much of the margin the claim accounts for in
    each world. A claim is `certain` if the moves differ in nothing else.

    `much` has numbers that say how much the claim holds, for comparing it with the same claim about another move.
    Without them, it is the margin where the claim makes a difference, and the whole margin.
    """

    fields: Mapping[str, Any]
    made: Truths | None = None
    more: bool = True
    part: Floats | None = None
    certain: bool = False
    much: tuple[float, ...] = ()


def where(holds: Truths, /, **fields: Any) -> Claim:
    """Make a claim about the worlds themselves, whatever the move; `holds` says in which ones it is true."""
    return Claim({"share": float(holds.mean()), **fields}, holds)


def after(best: Truths, other: Truths, /, **fields: Any) -> Claim:
    """Make a claim about what a move leads to, such as winning the trick.

    `best` says for each world whether the claim is true after the best move, and `other` after the other move.
    """
    shares = {"share": float(best.mean()), "other_share": float(other.mean())}
    only, only_other = best & ~other, other & ~best
    more = surely_more(int(only.sum()), int(only_other.sum()))
    return Claim(shares | fields, only | only_other, more, much=(float(only.mean() - only_other.mean()),))


def part(parts: Floats, /, *much: float, **fields: Any) -> Claim:
    """Make a claim that accounts for part of the margin: `parts` has how much, world by world."""
    return Claim(fields, part=parts, much=much or (float(parts.mean()),))


def certain(*much: float, **fields: Any) -> Claim:
    """Make a claim about the only difference between the moves, which therefore explains the whole margin."""
    return Claim(fields, certain=True, much=much)


S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Predicate(Generic[S]):
    """A possible cause, a row of a game's table: its `code`, its `sentence`, and a function that makes its claims.

    ``claims(scene)`` makes the claims; a scene is what the game makes of two moves for `behind`. The sentence is a
    template with the fields of the cause in braces. The causes of one reason must be `about` different things.
    Causes of a lower `rank` come first, and those from rank `LAST` on are used only if there is no other. A claim
    must be significant by `sure` standard errors. If no move is ahead, only the predicates for `level` moves are
    looked at, and else only the others. One that `blames` the other move, as in "F3 is better kept", is not about
    the best move, and so never holds for a worse one.
    """

    code: str
    about: str
    sentence: str
    claims: Callable[[S], Iterable[Claim]]
    rank: int = 0
    sure: float = SURE
    level: bool = False
    blames: bool = False

    def of(self, scene: Callable[[T], S]) -> Predicate[T]:
        """Return this predicate for another type of scene; ``scene(other)`` turns one into the type it needs."""
        return Predicate(**{**vars(self), "claims": lambda larger: self.claims(scene(larger))})


class Reason(NamedTuple):
    """A cause, and the sentence that states it in the current language."""

    cause: FoundCause
    text: str


def _percent(share: float) -> str:
    """Format a share of worlds (0 to 1) in whole percent."""
    whole = round(100 * share)
    if 0 < share < 1 and whole in (0, 100):
        return say("over 99%") if whole else say("under 1%")
    return f"{whole}%"


class _Share(NamedTuple):
    """Three phrases: for what happens in no world, in every world, or in some share of the worlds."""

    none: str
    every: str
    some: str


# By the name that templates use; with "other_" in front it is the other move's share.
SHARES = {
    "deals": _Share("no deal", "every deal", "{share} of deals"),
    "games": _Share("no game", "every game", "{share} of games"),
    "share": _Share("0%", "100%", "{share}"),
}


def sentence(template: str, cause: FoundCause) -> str:
    """Fill in the template of a cause's sentence, in the current language."""
    values = {name: getattr(cause, name) for name in cause.model_fields_set}
    for before in ("", "other_"):
        share = values.get(f"{before}share")
        if share is not None:
            for name, words in SHARES.items():
                said_so = words.none if share == 0 else words.every if share == 1 else words.some
                values[before + name] = say(said_so, share=_percent(share))
    numbers = [name for name in ("points", "other_points") if name in values]
    amounts = [values[name] for name in numbers]
    whole = all(amount.is_integer() for amount in amounts)  # then they are counts, not means
    texts = [f"{amount:.0f}" for amount in amounts] if whole else figures(*amounts)
    texts = ["0" if text == "0.0" else text.replace("-", "−") for text in texts]
    values |= zip(numbers, texts, strict=True)
    for name, amount in (("points", "amount"), ("other_points", "other_amount")):
        if name in values:
            values[amount] = in_unit(values[name], POINTS)
    for name in ("cards", "other_cards"):
        if name in values:
            values[name] = in_a_row(_grouped(values[name]))
    if "item" in values:
        values["item"] = translated(values["item"])
    moves = values.get("moves", ())
    if moves:
        values["moves"] = in_a_row(in_words(moves))
    return of_moves(template, moves, **values)


def of_moves(template: str, moves: Sequence[str] = (), /, **values: Any) -> str:
    """Fill in a template in which `move` and `other` are moves in notation, in the current language.

    `moves` are those that other values name. Words begin a sentence with a capital letter, a card's code does not.
    """
    words = [named for named in in_words(moves) if named not in moves]
    for name in ("move", "other"):
        if name in values:
            (named,) = in_words([values[name]])
            if named != values[name]:
                words.append(named)
            values[name] = named
    text = say(template, **values)
    return capital(text) if text.startswith(tuple(words)) else text


_MOST_GIVEN = 3  # cards that are listed as given for the same one


def in_words(moves: Sequence[str]) -> list[str]:
    """Return moves as a sentence names them: cards by their codes, and what else there is to do in words.

    Moves that differ only in the card given away are named together: "giving W10, W8 or W7". Of exchanges for the
    same card, many are named by that card alone.
    """
    given: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    drawn = all(move.startswith("pass") for move in moves) and len(moves) > 1  # what remains is to exchange a card
    for move in moves:
        word, *rest = re.split(r"[\s>]", move)
        if word == "take" and "give" in rest:
            key, card = ("give", tuple(rest[:-2])), rest[-1]
        elif word == "pass" and rest:
            key, card = ("exchange", tuple(rest[1:])), rest[0]
        elif word == "discard":
            key, card = (word, ()), rest[0]
        elif word == "take":
            key, card = (word, tuple(rest)), ""
        elif drawn:
            key, card = ("keep", ()), ""
        else:
            key, card = (move, ()), ""
        given.setdefault(key, []).append(card)
    most = _MOST_GIVEN if len(given) == 1 else 1  # a list within a list is hard to read
    return [
        _named(word, taken, "" if word == "exchange" and len(cards) > most else _either(cards))
        for (word, taken), cards in given.items()
    ]


def _either(cards: Sequence[str]) -> str:
    """Join cards of which one is given away: unlike moves in a list, Japanese can't join them by "and"."""
    if len(cards) == 1:
        return cards[0]
    return say_of("a choice", "{some} or {last}").format(some=one_after_another(cards[:-1]), last=cards[-1])


def _named(word: str, cards: tuple[str, ...], given: str) -> str:
    """Name a move by what is done in it, the cards taken, and the card given away or discarded, if any."""
    taken = in_a_row(cards) if cards else ""
    match word:
        case "pass":
            return say("passing")
        case "keep":
            return say("exchanging nothing")
        case "exchange" if not given:
            return say("taking {taken} in exchange", taken=taken)
        case "exchange":
            return say("exchanging {given} for {taken}", given=given, taken=taken)
        case "discard":
            return say("discarding {given}", given=given)
        case "none":
            return say("making no match")
        case "take":
            return say("taking nothing") if taken == "-" else say("taking {taken}", taken=taken)
        case "give" if taken == "-":
            return say("giving {given}", given=given)
        case "give":
            return say("taking {taken} and giving {given}", taken=taken, given=given)
        case _:
            return word


def _grouped(cards: Sequence[str]) -> list[str]:
    """Join each run of equal cards with blanks, the way several cards played together are written: Na Na."""
    return [" ".join(same) for _, same in groupby(cards)]


def told_cause(code: str, template: str, fields: Mapping[str, Any]) -> Reason:
    """Make a cause and its sentence. Fields that are None are left out."""
    kept = {
        name: round(value, _DIGITS) if isinstance(value, float) else value
        for name, value in fields.items()
        if value is not None
    }
    cause = FoundCause(code=code, **kept)
    return Reason(cause, sentence(template, cause))


def behind(
    table: Sequence[Predicate[S]], compare: Callable[[int, int], S], noted: Notes, ahead: Margin
) -> tuple[Reason, ...]:
    """Return at most two causes of the best move's margin `ahead`.

    ``compare(one, other)`` is the scene of two moves, given by their indices. Causes of lower rank come first;
    within a rank, those that explain more of the margin.
    """
    scenes = cache(lambda move: compare(move, ahead.second))
    leads = noted.leads(ahead.best, ahead.second)
    asked = [predicate for predicate in table if predicate.level != ahead.clear]
    claims = [(predicate, claim) for predicate in asked for claim in predicate.claims(scenes(ahead.best))]
    rests = zip(_rests(leads, noted, claims), claims, strict=True)
    ordered = [(rest, *named) for rest, named in rests if rest is not None]
    ordered.sort(key=lambda one: (one[1].rank, abs(one[0])))
    chosen: list[tuple[Predicate[S], Claim]] = []
    for _, predicate, claim in ordered:
        if chosen and not _says_more(predicate, claim, *chosen[0]):
            continue
        if _holds_for_worse(predicate, claim, scenes, noted, ahead):
            continue
        chosen.append((predicate, claim))
        if claim.certain or len(chosen) == MOST_CAUSES:
            break
    return tuple(told_cause(predicate.code, predicate.sentence, claim.fields) for predicate, claim in chosen)


def _holds_for_worse(
    predicate: Predicate[S], claim: Claim, scenes: Callable[[int], S], noted: Notes, ahead: Margin
) -> bool:
    """Return whether a claim about the best move holds as well for a move that is clearly worse.

    ``scenes(move)`` compares a move with the rival of the best one.
    """
    if predicate.blames or not ahead.worse:
        return False
    subject = _subject(predicate, claim, ahead.texts[ahead.best])
    strength = _strength(claim, noted.leads(ahead.best, ahead.second))
    for move in ahead.worse:
        if move == ahead.second:
            continue
        for same in predicate.claims(scenes(move)):
            if _subject(predicate, same, ahead.texts[move]) == subject:
                theirs = _strength(same, noted.leads(move, ahead.second))
                if all(mine >= _AS_WELL * whole for mine, whole in zip(theirs, strength, strict=True)):
                    return True
    return False


def _subject(predicate: Predicate[S], claim: Claim, move: str) -> list[object]:
    """Return the cards, seats and words that a claim's sentence names, with None in place of the claim's move."""
    named = re.findall(r"{(\w+)", predicate.sentence)
    return [
        None if value == move else value
        for name, value in claim.fields.items()
        if name in named and (name == "seat" or not isinstance(value, int | float))
    ]


def _strength(claim: Claim, leads: Floats) -> tuple[float, ...]:
    """Return numbers that say how much a claim about a move holds.

    `leads` has the move's margin over the other in each world.
    """
    if claim.made is None or claim.much:
        return claim.much
    return float((leads * claim.made).mean()), float(leads.mean())


def _says_more(predicate: Predicate[S], claim: Claim, first: Predicate[S], first_claim: Claim) -> bool:
    """Return whether a second cause adds to the first.

    It must be about something else, and the two must often be true in different worlds.
    """
    if predicate.rank >= LAST or claim.certain or predicate.about == first.about:
        return False
    if claim.made is None or first_claim.made is None:
        return True
    return float((claim.made == first_claim.made).mean()) < _ALIKE


# ----------------------------------------------------------------------------------------------------
# Reasons: how sure the best move is, and the sentences of its causes.


def said(sure: Confidence | None, code: str, template: str, /, **fields: Any) -> Why:
    """Make a reason with a single cause, given by its code, sentence and fields.

    `sure` is a field of the answer: how surely and how far the best move is ahead (see
    `ranking.confidence_of`).
    """
    cause = told_cause(code, template, fields)
    return Why(sure, (cause.cause,), cause.text)


def only(move: str) -> Why:
    """Return the reason to give when `move` is the only legal move."""
    return said("only", "only", "{move} is the only legal move.", move=move)


def why(moves: Sequence[SampledMove], ahead: Margin | None, reasons: Sequence[Reason], unit: Unit) -> Why:
    """Explain why the best move is best: by `reasons`, or by the means.

    If moves are level, they are named before the causes. `moves` are those of the answer, best first, and `ahead`
    is the margin (`ranking.lead`).
    """
    sure = confidence_of(ahead, unit)
    if ahead is None:
        return only(moves[0].move)
    if sure == "close":
        level_moves = level_with(moves, unit)
        same = all(move.gap == move.gap_stderr == 0 for move in level_moves[1:])
        level = close([(move.move, move.mean) for move in level_moves], unit, same=same)
        causes = (*level.causes, *(cause.cause for cause in reasons))
        return Why(sure, causes, sentences(level.reason, *(cause.text for cause in reasons)))
    means = [(move.move, move.mean) for move in moves]
    rival = [move.move for move in moves].index(ahead.texts[ahead.second])
    return leading(sure, means, rival, reasons, unit)


class _Wins(NamedTuple):
    """The sentences in which moves differ by their chances to win."""

    apart: str
    close: str
    certain: str
    hopeless: str


# By `Unit.chance`.
_WINS = {
    "games": _Wins(
        "{move} wins in {amount} of games, {other} in {other_amount}.",
        "{moves}: too close to call. Each of these moves wins in {amount} of games.",
        "{moves}: a win is almost certain.",
        "{moves}: a win is very unlikely.",
    ),
    "deals": _Wins(
        "{move} wins in {amount} of deals, {other} in {other_amount}.",
        "{moves}: too close to call. Each of these moves wins in {amount} of deals.",
        "{moves}: almost every deal is won.",
        "{moves}: hardly any deal is won.",
    ),
    "matches": _Wins(
        "{move} wins the match against an equal opponent in {amount} of cases, {other} in {other_amount}.",
        "{moves}: too close to call. Each of these moves wins the match against an equal opponent in {amount} of "
        "cases.",
        "{moves}: the match is almost certainly won.",
        "{moves}: the match is almost certainly lost.",
    ),
}


def leading(
    sure: Confidence, moves: Sequence[tuple[str, float]], rival: int, reasons: Sequence[Reason], unit: Unit
) -> Why:
    """Explain a significant margin by `reasons` or, if there are none, by both moves' mean scores.

    `moves` are the moves with their mean scores, best first, and `rival` is the index of the move that the best
    one is compared with. If that is not the next best, the reason begins with it.
    """
    best, other = moves[0], moves[rival]
    if reasons:
        reason = sentences(*(cause.text for cause in reasons))
        if rival != 1:
            reason = of_moves("Why not {other}? {reason}", other=other[0], reason=reason)
        return Why(sure, tuple(cause.cause for cause in reasons), reason)
    amount, other_amount = against(best[1], other[1], unit)
    values = {"move": best[0], "other": other[0], "amount": amount, "other_amount": other_amount}
    if unit.chance:
        return Why(sure, (), of_moves(_WINS[unit.chance].apart, **values))
    template = "{move} brings {amount} on average in the whole round, {other} {other_amount}."
    if amount == other_amount:
        template = "{move} brings slightly more than {other} in the whole round: both {amount} when rounded."
    return Why(sure, (), of_moves(template, **values))


def close(level: Sequence[tuple[str, float]], unit: Unit, *, same: bool = False) -> Why:
    """Return the reason for moves that are too close to call, or the `same` in every deal.

    `level` has each of them with its mean score, best first.
    """
    moves, values = [move for move, _ in level], [value for _, value in level]
    words = in_words(moves)
    mean = "share" if unit.chance else "points"
    cause = FoundCause(code="close", moves=tuple(moves), **{mean: round(values[0], _DIGITS)})
    if unit.chance and min(values) > _NEARLY_WON:
        template = _WINS[unit.chance].certain
    elif unit.chance and max(values) < 1 - _NEARLY_WON:
        template = _WINS[unit.chance].hopeless
    elif len(moves) > 2 and len(words) > 1 and all(move.startswith("take ") for move in moves):
        return Why("close", (cause,), _close_takings(moves, span(values, unit)))
    elif max(values) - min(values) > _WIDE * unit.enough:
        template = "{moves}: too few deals were tried to tell them apart."
    elif unit.chance:
        template = _WINS[unit.chance].close
    elif same:
        template = "{moves}: equally good in every deal tried. Each brings {amount} in the whole round."
        cause = cause.model_copy(update={"code": "equal"})
    else:
        template = "{moves}: too close to call. Each brings {amount} in the whole round."
    text = of_moves(template, moves, moves=one_of(words), amount=span(values, unit))
    return Why("close", (cause,), text)


def _close_takings(moves: Sequence[str], amount: str) -> str:
    """Return the sentence for several takings that are too close to call: what they have in common.

    To name each of them would take a paragraph, of which a player could only make use of this part.
    """
    parts = [move.removeprefix("take ").partition(" give ") for move in moves]
    takings = [set(taken.split()) for taken, _, _ in parts]
    shared = [card for card in parts[0][0].split() if all(card in taken for taken in takings)]
    given = {card for _, _, card in parts}
    card = given.pop() if len(given) == 1 else ""
    if not shared and not card:
        return say("{count} choices are too close to call: {amount} each.", count=len(moves), amount=amount)
    doing = _named("give" if card else "take", tuple(shared) or ("-",), card)
    return say(
        "{count} choices are too close to call: {amount} each, all of them {doing}.",
        count=len(moves),
        amount=amount,
        doing=doing,
    )


# ----------------------------------------------------------------------------------------------------
# What remains of a lead without a claim.


def _rests(leads: Floats, noted: Notes, claims: Sequence[tuple[Predicate[S], Claim]]) -> list[float | None]:
    """Return, for each claim, the mean margin that it leaves unexplained; None for a claim that is not a cause.

    `leads` has the best move's margin over the other in each world.
    """
    whole = float(leads.mean())
    rests: list[float | None] = [0.0 if claim.certain else None for _, claim in claims]
    if whole <= 0:
        return rests
    partly = [number for number, (_, claim) in enumerate(claims) if claim.made is not None]
    if partly:
        by_world = np.array([claims[number][1].made for number in partly]).T.astype(np.float64)  # (worlds, claims)
        inside, outside, errors = _sides(leads, by_world, noted.batches)
        count, sure = by_world.sum(axis=0), np.array([claims[number][0].sure for number in partly])
        clear = (count >= FEWEST_WORLDS) & (len(leads) - count >= FEWEST_WORLDS)
        clear &= (inside - outside > sure * errors) & (outside <= REST * whole)
        for column, number in enumerate(partly):
            if clear[column] and claims[number][1].more:
                rests[number] = float(outside[column])
    for number, (predicate, claim) in enumerate(claims):
        if claim.part is not None and beyond_doubt(noted, claim.part, predicate.sure):
            rest = whole - float(claim.part.mean())
            rests[number] = rest if rest <= REST * whole else None
    return rests


def surely_more(more: int, less: int) -> bool:
    """Return whether `more` is significantly greater than `less`.

    Each counts the worlds in which something happens after one move but not after the other.
    """
    return more - less > SURE * float(np.sqrt(more + less))


def _sides(leads: Floats, holds: Floats, batches: Words) -> tuple[Floats, Floats, Floats]:
    """Compare, for each cause, the worlds in which it holds with the others.

    Returns the mean margins where it holds, the mean margins elsewhere, and the standard errors of their
    differences. `holds` is an array (worlds, causes) of 0 and 1. Worlds of a batch may depend on each other (a
    Markov chain), so the standard errors are computed from sums over batches, by the delta method for ratios.
    """
    starts = np.flatnonzero(np.diff(batches, prepend=-1))
    count = np.maximum(holds.sum(axis=0), 1.0)
    rest = np.maximum(len(leads) - holds.sum(axis=0), 1.0)
    inside = leads @ holds / count
    outside = (leads.sum() - leads @ holds) / rest
    parts = np.add.reduceat(holds, starts, axis=0)
    sums = np.add.reduceat(holds * leads[:, None], starts, axis=0)
    sizes = np.diff(np.append(starts, len(leads)))[:, None]
    totals = np.add.reduceat(leads, starts)[:, None]
    influence = (sums - inside * parts) / count - ((totals - sums) - outside * (sizes - parts)) / rest
    groups = len(starts)
    return inside, outside, np.sqrt((influence**2).sum(axis=0) * groups / (groups - 1))


def beyond_doubt(noted: Notes, part: Floats, sure: float = SURE) -> bool:
    """Return whether the mean of `part`, some part of the margin in each world, is significantly above 0."""
    mean = float(part.mean())
    starts = np.flatnonzero(np.diff(noted.batches, prepend=-1))
    strays = np.add.reduceat(part - mean, starts)  # by batch, as in `_sides`
    error = float(np.sqrt((strays**2).sum() * len(starts) / (len(starts) - 1))) / len(part)
    return mean > sure * error
