"""A line of text and its parts: the game, words, keys with what stands behind them, and the rounds of a record.

    alchemy solo line=4,7,K,2,9,A hand=6
    kirin round declared=D3,S1,B+,G6 won=… round declared=…

Blanks part the words of a line; ``&`` and ``%20`` do so too, so that a line can stand in a link. A word without a
key belongs to the key before it: ``hand=S1 S4 BT`` is ``hand=S1,S4,BT``. There may be blanks beside ``=``, and a
comma or a semicolon behind a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solver.inputs.errors import PositionError

ROUND = "round"
MOST_LETTERS = 200_000  # of a line; that of a game with 11,632 cards has 50,000
# The keys that a letter stands for in a line, in every game: that which the game has, the first of several.
SHORT: Mapping[str, Sequence[str]] = {
    "n": ("players",),
    "s": ("seat",),
    "h": ("hand",),
    "d": ("declared",),
    "p": ("pick",),
    "r": ("removed",),
    "m": ("history", "moves"),
    "t": ("trick", "table"),
    "l": ("line", "leader"),
    "o": ("opponent_hand",),
}

_BETWEEN = re.compile(r"(?:\s|&|%20)+")
_KEYED = re.compile(r"([A-Za-z][A-Za-z_]*)=(.*)", re.DOTALL)
_LINE = re.compile(r"\s*[A-Za-z][A-Za-z0-9-]*[,;]?(?:\s|&|%20)+[^{\s]")
_BEHIND = ",;"  # what may stand behind a word or a value

Pairs = dict[str, str]


@dataclass
class Line:
    """The parts of a line, the keys in small letters."""

    game: str
    words: list[str] = field(default_factory=list)
    pairs: Pairs = field(default_factory=dict)
    rounds: list[Pairs] = field(default_factory=list)


def is_line(text: str) -> bool:
    """Whether a text looks like a line, and not like JSON."""
    return _LINE.match(text) is not None


def parsed(text: str) -> Line:
    """The parts of a line. Raises PositionError for an empty or very long one, and for a key that it has twice."""
    if len(text) > MOST_LETTERS:
        raise PositionError("too_large", f"a line of text has at most {MOST_LETTERS:,} letters, not {len(text):,}")
    beside = "=".join(map(str.strip, text.split("=")))  # a pattern with blanks on both sides would take n² steps
    words = [word for word in _BETWEEN.split(beside) if word]
    if not words:
        raise PositionError("invalid_text", "the line is empty")
    line = Line(words[0].lower().rstrip(_BEHIND))
    pairs: dict[str, list[str]] = {}
    parts, last = [pairs], ""  # the pairs of the position and of each round
    for word in words[1:]:
        keyed = _KEYED.fullmatch(word)
        if word.lower() == ROUND:
            pairs, last = {}, ""
            parts.append(pairs)
        elif keyed is None and last:
            pairs[last].append(word)
        elif keyed is None:
            if len(parts) > 1:
                raise PositionError("invalid_text", f"{word!r} comes before the first key of its round")
            line.words.append(word.lower().rstrip(_BEHIND))
        else:
            last = keyed[1].lower()
            if last in pairs:
                raise PositionError("duplicate_key", f"the key {last!r} is there twice", last)
            pairs[last] = [keyed[2]]
    if parts == [{}]:
        message = "this is neither JSON nor keys with their values, as in kirin seat=2 hand=S1,S4: it has no ="
        raise PositionError("invalid_text", message)
    line.pairs, *line.rounds = (
        {key: " ".join(found).rstrip(_BEHIND) for key, found in one.items()} for one in parts
    )
    return line


def composed(game: str, words: Iterable[str], pairs: Pairs, rounds: Iterable[Pairs] = ()) -> str:
    """The line that has these parts, in this order."""

    def all_words() -> Iterator[str]:
        yield game
        yield from words
        yield from (f"{key}={text}" for key, text in pairs.items())
        for one in rounds:
            yield ROUND
            yield from (f"{key}={text}" for key, text in one.items())

    return " ".join(all_words())
