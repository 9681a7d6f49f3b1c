"""Bit sets of cards, reproducible random numbers, confidence intervals, phrases for messages, the user's folders.

A set of cards is an integer, called a mask: bit c stands for card c. For compiled code, the
modules `solver.kernels.words` and `solver.kernels.rng` do the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import sqrt
from pathlib import Path
from typing import Literal, TypeVar, get_args

from solver.language import called, names, say, say_many

Others = Literal["equal", "club", "beginner"]  # assumed strength of the other players
STRENGTHS: tuple[Others, ...] = get_args(Others)


def mask(cards: Iterable[int]) -> int:
    """Return a set of cards as a bit set: bit c stands for card c."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def members(cards: int) -> Iterator[int]:
    """Yield the cards of a bit set in ascending order."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


# ----------------------------------------------------------------------------------------------------
# Our own random numbers, so that a seed always means the same deal, in kernels and in plain Python.
#
# SplitMix64 (Steele, Lea and Flood 2014) with Lemire's unbiased bounded integers (2019). NumPy and the standard
# library promise no stable shuffle across versions. `solver.kernels.rng` does the same in kernels.


T = TypeVar("T")

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
EXACT = 1 << 53  # JavaScript, and so JSON, holds all whole numbers below this exactly
SEEDS = EXACT  # seeds and deal numbers are below this
MOST_WORLDS = 100_000  # in a hint: a sampler may keep a number for each world and move
MOST_WAYS = 100  # of compounding, in one answer


def mix(word: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit words."""
    word &= _MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


class Random:
    """A random number generator that gives the same numbers on every platform: stream `number` of a seed.

    Streams are independent for all practical purposes.
    """

    def __init__(self, seed: int, number: int = 0) -> None:
        self._state = mix(mix(seed + _GAMMA) + number)

    def word(self) -> int:
        """Return the next random 64-bit word."""
        self._state = (self._state + _GAMMA) & _MASK
        return mix(self._state)

    def below(self, bound: int) -> int:
        """Return a uniform integer in [0, bound), for 0 < bound < 2**31."""
        product = (self.word() >> 32) * bound
        if product & 0xFFFFFFFF < bound:
            threshold = (1 << 32) % bound
            while product & 0xFFFFFFFF < threshold:
                product = (self.word() >> 32) * bound
        return product >> 32

    def shuffle(self, cards: MutableSequence[T]) -> None:
        """Shuffle a list in place (Fisher-Yates, from the last item down)."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


# ----------------------------------------------------------------------------------------------------
# Intervals for shares and means.


Z95 = 1.959963984540054  # the 97.5% point of the normal distribution


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return Wilson's 95% score interval for a proportion (Wilson 1927); (0, 1) if there are no trials."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    z = Z95
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high


# ----------------------------------------------------------------------------------------------------
# Words of messages.


def counted(number: int, one: str) -> str:
    """Return a number with its noun, as in "1 card" or "2 cards"; for English only."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def gone_unseen(count: int) -> str:
    """Return a phrase such as "2 of these are gone" for a list of cards."""
    return say_many("{count} of these is gone", "{count} of these are gone", count)


def cards_counted(number: int) -> str:
    """Return a phrase such as "1 card" or "2 cards"."""
    return say_many("{count} card", "{count} cards", number)


def points_counted(number: int) -> str:
    """Return a phrase such as "1 point" or "2 points"."""
    return say_many("{count} point", "{count} points", number)


def one_after_another(texts: Iterable[str]) -> str:
    """Join texts with commas, as in "D6, S1"."""
    return say(", ").join(texts)


def seats_named(seats: Sequence[int]) -> str:
    """Name one or more seats, as in "seat 1", "seats 1, 2" or, if they have names, "Geber and Jabir"."""
    if names():
        *some, last = map(called, seats)
        return say("{some} and {last}", some=one_after_another(some), last=last) if some else last
    return say_many("seat {seats}", "seats {seats}", len(seats), seats=one_after_another(map(str, seats)))


_NAMED = 3  # names in a list; the rest is given as a number


def _first(texts: Sequence[str]) -> tuple[str, int]:
    """Join the texts before the final "and" or "or"; also return how many texts a long list leaves out, else 0."""
    many = len(texts) > _NAMED
    return one_after_another(texts[: _NAMED - 1] if many else texts[:-1]), len(texts) - _NAMED + 1 if many else 0


def in_a_row(texts: Sequence[str]) -> str:
    """Join texts with "and", as in "D6, S1 and B+"; a long list is cut, as in "D6, S1 and 4 others".

    There must be at least one text.
    """
    some, rest = _first(texts)
    if rest:
        return say_many("{some} and {count} other", "{some} and {count} others", rest, some=some)
    return say("{some} and {last}", some=some, last=texts[-1]) if some else texts[0]


def one_of(texts: Sequence[str]) -> str:
    """Join texts with "or", as in "D6, S1 or B+"; a long list is cut, as in "D6, S1 or 4 others".

    There must be at least one text.
    """
    some, rest = _first(texts)
    if rest:
        return say_many("{some} or {count} other", "{some} or {count} others", rest, some=some)
    return say("{some} or {last}", some=some, last=texts[-1]) if some else texts[0]


# Characters that a terminal obeys or hides: control characters except tabs and line ends, and the marks that
# break lines or change the direction of writing.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def width(text: str) -> int:
    """Return how many terminal columns `text` takes; a Japanese character takes two."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    columns: int = wcswidth(text)
    return columns if columns >= 0 else len(text)


def visible(text: str) -> str:
    """Make untrusted text safe to print by escaping control characters, as in ``\\u001b``.

    JSON text can be passed too: in its strings the escapes mean the same characters.
    """
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def in_one_line(text: str) -> str:
    """Like `visible`, but also escape line ends, so that untrusted text can't imitate another line of a list."""
    return visible(text).replace("\n", "\\u000a")


HUGE = 10**15  # a bound that nobody would type


def range_of(
    *, ge: float | None = None, gt: float | None = None, le: float | None = None, lt: float | None = None
) -> str:
    """Describe a range, as in "1 to 60", "at least 1", "more than 0" or "less than 4"."""
    if isinstance(lt, int) and le is None:
        le, lt = lt - 1, None
    if le is not None and le > HUGE and (ge is not None or gt is not None):
        le = None
    if ge is not None and le is not None:
        return say("{least} to {most}", least=_plain(ge), most=_plain(le))
    if gt is not None and le is not None:
        return say("more than {least} and at most {most}", least=_plain(gt), most=_plain(le))
    if ge is not None or gt is not None:
        return (
            say("at least {least}", least=_plain(ge)) if gt is None else say("more than {least}", least=_plain(gt))
        )
    return say("at most {most}", most=_plain(le)) if lt is None else say("less than {most}", most=_plain(lt))


def outside(value: int, least: int | None, most: int | None) -> str:
    """Say that a number is not in a range. If a huge bound is exceeded, the other one would say nothing."""
    is_huge = most is not None and value > most > HUGE
    wanted = range_of(le=most) if is_huge else range_of(ge=least, le=most)
    return say("{range} is expected, not {value}", range=wanted, value=value)


def _plain(bound: float | None) -> str:
    return f"{bound:g}" if isinstance(bound, float) else f"{bound:,}"


# ----------------------------------------------------------------------------------------------------
# The one deal that hints use when the cards are known.


LYING: ContextVar[tuple[int, ...]] = ContextVar("LYING", default=())


@contextmanager
def lying(hands: Iterable[int]) -> Iterator[None]:
    """Within this context, hints use one known deal instead of sampling deals.

    `hands` are the other seats' hands as bit sets, in turn order after the seat that asks. The simulated players
    still see only their own cards, so a hint then says what each move is worth in this deal.
    """
    token = LYING.set(tuple(hands))
    try:
        yield
    finally:
        LYING.reset(token)


def compared(moves: Sequence[str], wanted: str | None) -> int:
    """Return the index of the move that a hint's reason compares with the best one: `wanted`, or the next best.

    `moves` has at least two moves, best first.
    """
    return moves.index(wanted, 1) if wanted in moves[1:] else 1


# ----------------------------------------------------------------------------------------------------
# The user's folders.

_HOMELESS = {"cache": ".cache", "config": ".config", "data": ".local/share", "state": ".local/state"}


def user_folder(kind: Literal["cache", "config", "data", "state"]) -> Path:
    """Return Athanor's folder of this kind for the current user, which may not exist.

    A user without a home, neither in HOME nor among the system's users, has the home "/", as in containers.
    """
    import platformdirs

    try:
        return Path(getattr(platformdirs, f"user_{kind}_path")("athanor", appauthor=False))
    except RuntimeError:
        return Path("/", _HOMELESS[kind], "athanor")
