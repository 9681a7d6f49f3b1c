"""The text form of positions, a line of ``key=value`` pairs: how it is declared, read and written.

A game declares how the value of each key is written, what its cards are called, and what the canonical text omits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from pydantic import (
    BaseModel,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from solver.errors import MOST_FAULTS, Fault, PositionError, joined
from solver.language import say, translated
from solver.strict_json import size_of
from solver.texts import BLANKS, OTHER_NAMES, QUOTES, game_typed, mark_of, plain, unwrapped
from solver.validation import KEYS_IN_JAPANESE, findings_of, models_of, nearest, refuse, unknown_key

# ----------------------------------------------------------------------------------------------------
# A line of text and its parts: the game, words, keys with values, and the rounds of a record.
#
# alchemy solo line=4,7,K,2,9,A hand=6 kirin round declared=D3,S1,B+,G6 won=… round declared=…
#
# Blanks separate the words of a line; ``&`` and ``%20`` do so too, so that a line can stand in a link. A word
# without a key belongs to the key before it: ``hand=S1 S4 BT`` is ``hand=S1,S4,BT``. Blanks are allowed around
# ``=``, and a comma or semicolon after a value. What is pasted with a line (`bare`) is left out: comments, quotes,
# the address of the page.


ROUND = "round"
MOST_LETTERS = 200_000  # of a line, or of all texts of a position; a game with 11,632 cards needs 50,000
MOST_ENTRIES = 50_000  # of all lists of a position, as text or not
# The keys that a letter may stand for in a line: it means the first of them that the game has.
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

PLAYERS = "players"  # a key of every game: one for a single number of players only checks it

_BETWEEN = re.compile(rf"(?:[{BLANKS}]|&(?:amp;|#38;)*|%20)+")
_ABROAD_KEY = r"(?!\d)\w*[^\W\x00-\x7f][\w-]*"  # a word with a letter that isn't ASCII: a long vowel is a dash
_KEY = re.compile(rf"[A-Za-z][A-Za-z_]*|{_ABROAD_KEY}")
_NEXT_KEY = re.compile(r"\s+[A-Za-z_]{3,}\s*")  # a value that is only the next key
_LINE = re.compile(rf"[A-Za-z][A-Za-z0-9_-]*[,;:]?(?:\s|&|%20)+[^{{\s]|{_ABROAD_KEY}\S*(?:\s|&|%20)+[^{{=]*=")
_LONGEST_WORD = 20  # letters of a first word that is no game's name, as a message shows it
_FIRST_LETTERS = 200  # of a line, among which its first words end
# Allowed after a word or a value.
_BEHIND = ",;.|\uff0c\uff1b\uff0e\uff5c\N{IDEOGRAPHIC FULL STOP}\N{IDEOGRAPHIC COMMA}"
_BEHIND_NAME = _BEHIND + ":\uff1a"
_EQUALS = re.compile("[=\ufe66\ua78a\N{FULLWIDTH EQUALS SIGN}]")
_WORD = r"(?:[A-Za-z_]{3,24}|[^\W\x00-\x7f]\w{0,15})"  # that may be a key, and no card
_GLUED_KEY = re.compile(rf"[{_BEHIND}](?={_WORD}\s{{0,9}}{_EQUALS.pattern})")  # seat=2,hand=S1
_COLON_KEY = re.compile(rf"(?<![^{_BEHIND}{BLANKS}]){_WORD}\s{{0,9}}[:\uff1a]")  # seat: 2 hand: S1
_BEFORE_LINE = QUOTES + "(<"
_BEHIND_LINE = QUOTES + ".,;)\uff0e\uff0c\uff1b\uff09\N{IDEOGRAPHIC FULL STOP}\N{IDEOGRAPHIC COMMA}"
_BEHIND_LINK = _BEHIND_LINE + ":!?>]*\uff1a\uff01\uff1f\uff1e\uff3d"
_OWN_KEY = "~"
_REMARK_SIGN = ";"
_REMARK_SIGNS = re.compile("[;\uff1b]")
_LETTERS = re.compile(r"[^\W\d_]{4,}")  # fewer may be a card that is written wrongly, WII
_MOST_WORDS = 3  # in a game's name
_MAY_BE_CARD = re.compile(r"[+\u2013\u2014-]\s")  # of these marks
_ASSIGNED = re.compile(rf"\A\w{{1,40}}\s{{0,9}}=\s{{0,9}}[{QUOTES}]")  # as in a file of puzzles or a program
_ENDED = re.compile(r"\n\s*\n|\s[(\uff08](?=[^()=]*[)\uff09]\Z)")  # a line may: words behind it are a remark
_CONTINUED = re.compile(r"\s[\\^`]\Z")  # a command that goes on in the next line
_COMMAND = re.compile(r"(?:[^=\n]{0,60}[$%>#]\s+)?athanor\s+(?:--lang[\s=]\S+\s+)?[a-z]+\s+", re.IGNORECASE)
_OPTIONS = re.compile(r"\s--[a-z].*")
_REMARK = re.compile(r"\s(?:[#\uff03](?!\S*&)|//(?:\s|\Z)).*|\s\{(?![^{}]*[\":=])[^{}]*\}")
_LINK = re.compile(r"https?://", re.IGNORECASE)
_IN_LINK = r"\s<>\"\u201c\u201d\u300c-\u3011\u3002\uff01\uff1f\uff08\uff09"  # what is not: it ends there
# What ends an address: nothing after it is more of it.
_OVER = re.compile("[.,]?[)>\u300d\u300f\u3011\u3002\uff01\uff1f\uff09]|\n\n|\\W*\\Z")
_LINK_WITHIN = re.compile(
    r"(?:https?://[^\s#]{0,300})?(?:#|/p/)[A-Za-z][A-Za-z0-9-]{0,40}(?:&|%2[06]|\+)"
    rf"[^={_IN_LINK}]{{0,400}}(?:=|%3D)[^{_IN_LINK}]*",
    re.IGNORECASE,
)
_BETWEEN_PARTS = re.compile("&(?:amp;|#38;)*")
_OF_A_FORM = re.compile(r"[A-Za-z][A-Za-z0-9-]*+\+")  # blanks as forms write them; their own + is %2B
_ON_PAGE = re.compile(r"#[A-Za-z][A-Za-z0-9-]*+&(?=\S*=)\S++")  # an address without the service

Pairs = dict[str, str]
EXAMPLE = "kirin seat=2 hand=S1,S4"  # of a line, for messages


@dataclass
class Line:
    """A position or record split into parts: the game's name, words without a key, key-value pairs, and rounds.

    Keys are in lower case.
    """

    game: str
    words: list[str] = field(default_factory=list)
    pairs: Pairs = field(default_factory=dict)
    rounds: list[Pairs] = field(default_factory=list)


def is_line(text: str) -> bool:
    """Return whether `text` looks like a line of ``key=value`` pairs rather than JSON."""
    return _LINE.match(plain(bare(text)[:_FIRST_LETTERS])) is not None


def is_address(text: str) -> bool:
    """Return whether a text is an address of the web, with or without a position."""
    return _LINK.match(unquoted(text)) is not None


def bare(text: str) -> str:
    """Return the line in a text without what was pasted with it, like `unquoted`, and without its address."""
    text = unquoted(text)
    return _of_address(text) if text.startswith("#") or _LINK.match(text) else text


def unquoted(text: str) -> str:
    """Return the line or the address of a page in a text without what was pasted with it.

    These are lines that begin with ``#`` or ``;``, what follows a ``#`` after a blank, comments in braces, the
    marks of quoted and of listed lines, the command in front of its argument, quotation marks, the words around
    an address, and punctuation at the end. Words after an address follow it as a remark (`_without_remark`).
    """
    text = text.strip()
    if not _ON_PAGE.fullmatch(text) and not text.startswith(("{", "[{")):
        text = _linked("\n".join(_unmarked(unwrapped(text).splitlines())))
        text = text if text.startswith("#") or _LINK.match(text) else _from_name(_ASSIGNED.sub("", text, count=1))
    text = text.strip().lstrip(_BEFORE_LINE).strip()
    if text.startswith("#") or _LINK.match(text):
        return text.rstrip(_BEHIND_LINK)
    value = text.rfind("=") + 1
    line, words = text[:value], text[value:]
    return (line + _ENDED.sub(f" {_REMARK_SIGN} ", words, count=1) if line else text).rstrip(_BEHIND_LINE)


def _unmarked(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines without marks, comments and remarks. A dash is a mark in the first line, or in all others."""
    stripped = [line.strip() for line in lines]
    others = [line for line in stripped[1:] if line]
    listed = len(others) > 1 and all(map(_MAY_BE_CARD.match, others))
    for number, line in enumerate(stripped):
        if number == 0 or listed or not _MAY_BE_CARD.match(line):
            line = line.removeprefix(mark_of(line))
        if command := _COMMAND.match(line):
            line = _OPTIONS.sub("", line[command.end() :])
        if not line.startswith(("#", ";")) or _ON_PAGE.match(line):
            yield _CONTINUED.sub("", _REMARK.sub("", line))


_MOST_IN_FRONT = 400  # letters in front of the first key
_TAG = re.compile(r"\[\s{0,9}(?:game|\u30b2\u30fc\u30e0)\s", re.IGNORECASE)  # of a saved game, which is no line
_OPENING = "([{<\uff08\uff3b\u3008\u300a\u3010\u3014*_~|"  # the last four are Markdown's
_CLOSING = dict(zip(_OPENING, ")]}>\uff09\uff3d\u3009\u300b\u3011\u3015*_~|", strict=True))

_CALLED = [name for game, words in OTHER_NAMES.items() for name in (game, *words.split())]
_A_NAME = re.compile(
    rf"(?<![A-Za-z0-9-])(?:{'|'.join(map(re.escape, sorted(_CALLED, key=len, reverse=True)))})".replace(
        r"\-", "[-_ ]?"
    )
    + rf"(?=[{_BEHIND_NAME}\uff09\u300d-\u3011{BLANKS}&]|%20)",
    re.IGNORECASE,
)


def _from_name(text: str) -> str:
    """Return a line from its game on (one of ours), without words and signs in front of it and what these enclose.

    So in a chat, ``[21:45] Ann: **kirin seat=2 …**``. If no key has a ``=``, colons stand for it.
    """
    if text.partition(" ")[0] in OTHER_NAMES and "=" in text:  # quickly: nearly always
        return text
    equals = _EQUALS.search(text)
    front = text[: min(equals.start() if equals else len(text), _MOST_IN_FRONT)]
    name, _ = _name([word for word in _BETWEEN.split(front) if word])
    if (equals and name in OTHER_NAMES and text[0].isalnum()) or _TAG.search(front):
        return text
    named = list(_A_NAME.finditer(front))
    if not named:
        return text
    begin, end = named[-1 if equals else 0].span()
    line, words = text[begin:].rstrip(), text[:begin].rstrip()
    for sign in words[len(words.rstrip(_OPENING)) :]:
        line = line.removesuffix(_CLOSING[sign]).rstrip()
    if equals:
        return line
    name, keys = line[: end - begin], line[end - begin :]
    return name + _COLON_KEY.sub(lambda key: key[0][:-1] + "=", keys)


def _linked(text: str) -> str:
    """Return the address in a text, if there is one before any key, and the words after it as a remark."""
    link = _LINK_WITHIN.search(text)
    if link is None or "=" in text[: link.start()]:
        return text
    written, behind = link[0].rstrip(_BEHIND_LINK), text[link.end() :]
    address = written if _LINK.match(written) else f"http://{written}"
    if "=" in behind:  # it has blanks within
        return address + text[link.start() + len(written) :]
    over = _OVER.match(text, link.start() + len(written)) and "(" not in written
    return address if over else f"{address} {_REMARK_SIGN} {behind}"


def _of_address(address: str) -> str:
    """Return the line in an address, ``…/#kirin&seat=2&~tab=hint`` or ``…/p/kirin&seat=2``; without one, "".

    The page's own keys begin with ``~``. Of those, only `moves_in` matters for the position.
    """
    position = unquote(_spaced(address.partition("#")[0].partition("/p/")[2].partition("?")[0]))
    parts = _BETWEEN_PARTS.split(position) if position else _fragment(address)
    return " ".join(part for part in parts if part[:1] != _OWN_KEY)


def _fragment(address: str) -> list[str]:
    """Return the parts of an address after its ``#``, which some programs escape as a whole.

    A note among the moves may have blanks, so only ``&`` separates them.
    """
    fragment = _spaced(address.partition("#")[2])
    escaped_whole = "&" not in fragment and ("%26" in fragment or " " in fragment)
    return _BETWEEN_PARTS.split(unquote(fragment) if escaped_whole else fragment)


def _spaced(position: str) -> str:
    return position.replace("+", " ") if _OF_A_FORM.match(position) else position


def moves_in(text: str) -> list[str]:
    """Return the moves from the line in an address of the page to the position on its table.

    Empty if the text is no such address, or has its position in its path (``/p/``), where it is that on the table.
    The key ``~moves`` has a tree, ``D4;S3(S5;B2)*note;G1``, in which alternatives to the move before them are in
    parentheses, and ``~at`` the path into it: ``a2`` is the first branch twice, ``b1`` the second once.
    """
    text = unquoted(text)
    if not (_ON_PAGE.fullmatch(text) or _LINK.match(text)) or "/p/" in text.partition("#")[0]:
        return []
    pairs = [part[1:].partition("=") for part in _fragment(text) if part[:1] == _OWN_KEY]
    keys = {key: unquote(value) for key, _, value in pairs}
    root: list[Any] = []
    stack, branches, last = [], root, root  # `last` has the branches that `branches` is an alternative in
    for token in re.findall(r"\*[^();*]*|[();]|[^();*]+", keys.get("moves", "")):
        if token == "(":
            stack.append((branches, last))
            branches = last
        elif token == ")" and stack:
            branches, last = stack.pop()
        elif token not in ";)" and token[0] != "*":
            branches.append((unquote(token.replace("_", " ")), []))
            last, branches = branches, branches[-1][1]
    moves: list[str] = []
    branches = root
    for kind, number in re.findall(r"([ab])(\d{1,4})", keys.get("at", "")):
        for which in [0] * int(number) if kind == "a" else [int(number)]:
            if which >= len(branches):
                return moves
            move, branches = branches[which]
            moves += move.split(" | ")
    return moves


def game_in(text: str) -> str:
    """Return the word with which a line begins, the name of its game, without reading the rest."""
    name, _ = _name([word for word in _BETWEEN.split(bare(text)[:_FIRST_LETTERS]) if word])
    return name


def _name(words: Sequence[str]) -> tuple[str, int]:
    """Return the name of the game with which words begin, and how many of them it has: ``Aqua Regia`` has two."""
    for count in range(_MOST_WORDS, 0, -1):
        name = game_typed(" ".join(words[:count]).rstrip(_BEHIND_NAME))
        if name in OTHER_NAMES:
            return name, min(count, len(words))
    return plain("".join(words[:1])).lower().rstrip(_BEHIND_NAME), 1


def parsed(text: str) -> Line:
    """Split a line of ``key=value`` pairs into its parts.

    Raises PositionError if it is malformed, too long, or repeats a key.
    """
    if len(text) > MOST_LETTERS:
        raise PositionError(
            "too_large",
            say(
                "a line of text has at most {most_letters:,} letters, not {count:,}",
                most_letters=MOST_LETTERS,
                count=len(text),
            ),
        )
    parts_of = _EQUALS.split(_GLUED_KEY.sub(" ", bare(text)))
    beside = "=".join(map(str.strip, parts_of))  # matching blanks on both sides would take n² steps
    empty = {
        plain(word).lower()
        for before, part in pairwise(parts_of[:-1])
        for word in before.split()[-1:]
        if _NEXT_KEY.fullmatch(part)
    }
    words = [word for word in _BETWEEN.split(beside) if word]
    if not words:
        raise PositionError("invalid_text", say("the line is empty"))
    name, count = _name(words)
    line = Line(name)
    pairs: dict[str, list[str]] = {}
    parts, last = [pairs], ""  # the pairs of the position, then those of each round
    signed = remarked = False  # a semicolon came after the last key, and words after it
    for word in words[count:]:
        start, equals, value = word.partition("=")
        key = plain(start).lower()
        if equals and _KEY.fullmatch(key):
            if key in pairs:
                raise PositionError("duplicate_key", say("the key {last!r} appears twice", last=key), key)
            if key in empty:
                raise PositionError("invalid_text", say("the key {key!r} has no value", key=key), key)
            pairs[key] = [value]
            last = key
            signed, remarked = _REMARK_SIGNS.search(value) is not None, False
        elif plain(word).lower() == ROUND and not remarked:
            pairs, last = {}, ""
            parts.append(pairs)
        elif last:
            pairs[last].append(word)
            signed, remarked = signed or _REMARK_SIGNS.search(word) is not None, signed
        elif len(parts) > 1:
            raise PositionError("invalid_text", say("{word!r} comes before the first key of its round", word=word))
        else:
            line.words.append(plain(word).lower().rstrip(_BEHIND))
    if parts == [{}]:
        raise PositionError("invalid_text", _no_pairs())
    line.pairs, *line.rounds = (
        {key: " ".join(values).rstrip(_BEHIND + " ") for key, values in word_lists.items()} for word_lists in parts
    )
    return line


def _no_pairs() -> str:
    return say("this is neither JSON nor keys with their values, as in kirin seat=2 hand=S1,S4: it has no =")


def not_a_line(text: str, what: str, *, is_game: bool) -> PositionError:
    """Return the error for a text that should be a line of a `what`; `is_game` if it only names a game."""
    if is_address(text):
        message = say("this address has no position, as in http://…/#kirin&seat=2&hand=S1,S4")
    elif is_game:
        message = say(
            "{name} alone is not a {what}: add its keys, as in kirin seat=2 hand=S1,S4",
            name=text.strip(),
            what=translated(what),
        )
    elif text.lstrip().startswith("{"):
        message = say("an object is written here without quotation marks around it")
    elif "=" in text:
        word = repr(text.split()[0][:_LONGEST_WORD])
        message = say(
            "a line begins with the name of a game, as in kirin seat=2 hand=S1,S4, not with {word}", word=word
        )
    else:
        message = _no_pairs()
    return PositionError("invalid_text", message)


def composed(game: str, words: Iterable[str], pairs: Pairs, rounds: Iterable[Pairs] = ()) -> str:
    """Join a game's name, words, key-value pairs and rounds into a line, in this order."""
    words_written = [game, *words, *[f"{key}={text}" for key, text in pairs.items()]]
    for of_round in rounds:
        words_written += [ROUND, *[f"{key}={text}" for key, text in of_round.items()]]
    return " ".join(words_written)


# ----------------------------------------------------------------------------------------------------
# The names of a deck's cards, and runs of cards without separators: ``S1S4BT``, or a trick with the cards that its
# winner took and gave, ``F2F9E1tF2E1gF9``.
#
# Text that is a card's name means that card. Any other text is split into names; a reading in the deck's own case
# is preferred. If it is still ambiguous, it is kept as written, as `TwoReadings`, and the checks report it:
# nothing is guessed.


_MOST_LETTERS = 2000  # of a run of cards without separators
_MOST_IN_ALL = 8000  # letters of such runs in one position
_WAYS = 2  # readings that are followed: two are already a fault
_COLON, _NOTHING = ":", "-"


@dataclass(frozen=True)
class Mark:
    """A word between cards, such as ``take``; its first letter is enough, and colons around it are optional."""

    word: str


class TwoReadings(str):
    """Text that can be read in two ways, kept as it was written; `message` names both readings."""

    message: str

    @classmethod
    def of(cls, text: str, ways: Sequence[str]) -> TwoReadings:
        """Return `text` with a message that names its two readings, `ways`."""
        unclear = cls(text)
        first, other = ways
        unclear.message = say(
            "{text!r} can be read as {one} or as {other}: write commas between the cards",
            text=text,
            one=first,
            other=other,
        )
        return unclear


Found = str | Mark
_Way = tuple[Any, Found] | None  # a reading: the reading before it, and its last part
_Ways = dict[tuple[int, int], list[_Way]]  # keyed by the place reached and the number of marks before it


class _Places(dict[str, int]):
    """The index of each card in the deck; unknown text sorts after all cards."""

    def __missing__(self, text: str) -> int:
        return len(self)


class _Cards(NamedTuple):
    """Lookup tables for the card names of a deck.

    `places` maps each card to its index in the deck. `texts` has the names of all cards and the further names in
    `Names.played`, each mapped to itself. `folded` maps each case-folded name to the names it may stand for, and
    `turned` does so for names with the number or sign in front, such as ``4s``. `lengths` are those of all names.
    """

    places: _Places
    texts: Mapping[str, Sequence[str]]
    lengths: Sequence[int]
    folded: Mapping[str, Sequence[str]]
    turned: Mapping[str, Sequence[str]]


@lru_cache(maxsize=64)  # decks of some dozens of cards each: making this anew for each request would be slow
def _cards(codes: tuple[str, ...], played: tuple[str, ...]) -> _Cards:
    places = _Places((code, index) for index, code in enumerate(codes))
    texts = {text: [text] for text in (*places, *played)}
    folded: dict[str, list[str]] = {}
    turned: dict[str, list[str]] = {}
    for text in texts:
        folded.setdefault(_folded(text), []).append(text)
    for text in texts:
        parts = _LETTERS_FIRST.fullmatch(text)
        if parts is not None and _folded(parts[2] + parts[1]) not in folded:
            turned.setdefault(_folded(parts[2] + parts[1]), []).append(text)
    return _Cards(places, texts, sorted({len(text) for text in folded if text}), folded, turned)


_LETTERS_FIRST = re.compile(r"([A-Za-z]+)(\d+|[T+-])")


# Letters of other alphabets that look like Latin ones, as a keyboard for two languages types them.
_LOOK_ALIKES = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7",
    "abekmhopctyxsijabezhikmnoptyx",
)


def _folded(text: str) -> str:
    return plain(text).casefold().translate(_LOOK_ALIKES)


class Names:
    """The card names of a deck, in the deck's order. Case is ignored where that is unambiguous.

    `played` has further names that occur only in play, such as ``D:F`` for a Dancer played as suit F. Use a new
    object for each position: after `_MOST_IN_ALL` letters of cards without separators, `run` no longer splits
    text.
    """

    def __init__(self, codes: Iterable[str], played: Iterable[str] = ()) -> None:
        self._places, self._texts, self._lengths, self._folded, self._turned = _cards(tuple(codes), tuple(played))
        self._letters_left = _MOST_IN_ALL
        self.place = self._places.__getitem__  # a key for `sorted`
        self.known = self._places.keys()

    @property
    def codes(self) -> Sequence[str]:
        """The cards of the deck, in its order."""
        return list(self._places)

    @property
    def longest(self) -> int:
        """The number of letters of the longest name."""
        return max(self._lengths, default=0)

    @property
    def spent(self) -> bool:
        """Whether `run` no longer splits text."""
        return self._letters_left < 0

    def card(self, text: str) -> str:
        """Return the card that `text` means, in the deck's spelling; unknown text is returned unchanged."""
        if text in self._places:
            return text
        typed = _folded(text).strip()
        meant = self._folded.get(typed) or self._turned.get(typed, ())
        return meant[0] if len(meant) == 1 else text

    def has(self, text: str) -> bool:
        """Return whether `text` is a card's name in the deck's spelling."""
        return text in self._places

    def run(self, text: str, marks: Sequence[Mark] = ()) -> list[Found]:
        """Split text without separators, such as ``S1S4BT``, into cards and marks.

        Marks appear in the order of `marks`, each at most once. An unreadable end is returned as it is, after the
        cards; ambiguous text as a single `TwoReadings`.
        """
        if text in self._texts or len(text) > _MOST_LETTERS or not (self._lengths or marks):
            return [text]
        usual = plain(text)
        if usual != text:
            cards = self.run(usual, marks)
            return [text] if cards == [usual] and usual not in self._texts else cards
        self._letters_left -= len(text)
        if self._letters_left < 0:
            return [text]
        folded = _folded(text)
        if len(folded) != len(text):
            folded = text
        for written, meant, between in (
            (text, self._texts, ()), (folded, self._turned, ()), (folded, self._folded, marks)
        ):  # fmt: skip
            ways = self._ends(written, meant, between)
            readings = [way for (end, _), there in ways.items() if end == len(text) for way in there]
            if len(readings) > 1:
                return [TwoReadings.of(text, [_told(_parts(way)) for way in readings[:_WAYS]])]
            if readings:
                return _parts(readings[0])
        return _known_start(text, ways)

    def _ends(self, text: str, meant: Mapping[str, Sequence[str]], marks: Sequence[Mark]) -> _Ways:
        """Return up to `_WAYS` ways to split each prefix of `text` into marks and names (the keys of `meant`).

        Each key is the length of a prefix, and how many of `marks`, from the first on, can no longer follow it.
        """
        ways: _Ways = {(0, 0): [None]}
        for start in range(len(text)):
            for behind in range(len(marks) + 1):
                splits = ways.get((start, behind))
                if splits is None:
                    continue
                steps: list[tuple[int, int, Found]] = [
                    (start + length, behind, card)
                    for length in self._lengths
                    for card in meant.get(text[start : start + length], ())
                    if start + length <= len(text)
                ]
                steps += _marks_at(text, start, marks, behind)
                for end, after, part in steps:
                    there = ways.setdefault((end, after), [])
                    there += [(way, part) for way in splits[: _WAYS - len(there)]]
        return ways


def _marks_at(text: str, place: int, marks: Sequence[Mark], behind: int) -> Iterator[tuple[int, int, Found]]:
    """Yield each mark of ``marks[behind:]`` found at `place`, as (end index, new value of `behind`, mark)."""
    start = place + text.startswith(_COLON, place)
    for number, mark in enumerate(marks[behind:], start=behind):
        for word in (mark.word, mark.word[0]):
            end = start + len(word)
            if text[start:end].lower() != word:
                continue
            end += text.startswith(_COLON, end)
            nothing = text[end : end + 2]
            if nothing in (_NOTHING, _NOTHING + _COLON):
                end += 1
            yield end, number + 1, mark


def _parts(way: _Way) -> list[Found]:
    chain: list[Found] = []
    while way is not None:
        way, part = way
        chain.append(part)
    return chain[::-1]


def _told(parts: Sequence[Found]) -> str:
    return " ".join(part.word if isinstance(part, Mark) else part for part in parts)


def _known_start(text: str, ways: _Ways) -> list[Found]:
    """Split off the longest start of `text` that has only one reading and is followed by a letter.

    Returns its cards and marks, then the rest of `text`; if there is no such start, only `text`.
    """
    for (end, _), there in sorted(ways.items(), reverse=True):
        if 0 < end < len(text) and text[end].isalpha() and len(there) == 1:
            return [*_parts(there[0]), text[end:]]
    return [text]


# ----------------------------------------------------------------------------------------------------
# Texts inside a line: whatever a shell, a link or the line itself would misread is escaped.
#
# Every character except ASCII letters, digits and ``_ . + -`` is percent-encoded as UTF-8, as in a link. A lone
# hyphen is escaped too, since it stands for an empty list.


NOTHING = "-"


def escaped(text: str, keep: str = "") -> str:
    """Escape `text`, except for the characters of `keep`, for use in a line of ``key=value`` pairs."""
    if text.isascii() and text.replace("+", "").replace("-", "").isalnum():  # nearly every card
        return text
    if text == NOTHING:
        return "%2D"
    return re.sub(r"\.$", "%2E", quote(text, safe="+" + keep).replace("~", "%7E"))  # a sentence may end behind it


def unescaped(text: str) -> str:
    """Undo `escaped`. A ``%`` that does not begin an escape is kept."""
    return unquote(text) if "%" in text else text


# ----------------------------------------------------------------------------------------------------
# How the values of a position's keys are written in a line of text, and what JSON may have instead of a list.
#
# A `Value` turns text into JSON-like data (`read`) and back (`write`). `tidied` normalizes what a caller sent in
# JSON, where a list of cards may be a string too, in either case. It keeps what it cannot read, and the position's
# checks report it.


_PARTS = re.compile(r"[\s,;|]+")
_BRACKETS = ("[]", "()", "{}")
_ABROAD = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")  # a browser's escapes of characters that aren't ASCII
_TIMES = re.compile(r"(.+)[×*]([1-9])")
_PLUS = re.compile(r"[^+]\+[^+]")
_BEHIND_TIMES = re.compile(r"(?<=[×*][1-9])(?=.)")
YES, NO = "yes", "no"
_IN_JAPANESE = {
    "昇順": "ascending", "降順": "descending",
    "水": "water", "水蒸気": "vapor", "酸": "acid", "王水": "aqua-regia",
    "ソリティア": "solo", "対戦": "duel", "はい": YES, "いいえ": NO,
}  # fmt: skip


LISTS = (list, tuple)  # for `isinstance`, which takes three times as long with ``list | tuple``


class Value:
    """How the value of one key is written as text. This base class is for plain text."""

    room = 1  # a list may have this many times `Notation.most_entries` entries
    counts: Sequence[str] = ()  # what the indices of a path into the value count, such as "seat" and then "card"
    typed = True  # whether it has only codes, words and numbers, so that it may be typed in other characters
    # The words beside cards and numbers, from which a remark is told apart; None: there may be any, and no remark.
    words: Collection[str] | None = None
    marks: Sequence[Mark] = ()  # between cards without separators

    def read_typed(self, text: str) -> Any:
        """Like `read`, but in whatever characters a person typed the text (`plain`)."""
        return self.read(plain(_ABROAD.sub(lambda match: unquote(match[0]), text)) if self.typed else text)

    def tidied_typed(self, value: Any, names: Names) -> Any:
        """Like `tidied`, but in whatever characters a person typed the value (`plain`)."""
        return self.tidied(plain(value) if self.typed and isinstance(value, str) else value, names)

    def read(self, text: str) -> Any:
        """Convert the text of a ``key=text`` pair to JSON-like data, without knowing the deck."""
        return unescaped(text)

    def tidied(self, value: Any, names: Names) -> Any:
        """Normalize a value, which comes from `read` or from JSON, with the card names of the deck."""
        return value

    def write(self, value: Any) -> str:
        """Return the text for a ``key=text`` pair, given a value of a valid position."""
        return escaped(str(value))

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        """Return a value in canonical order; ``place(card)`` is the index of a card in the deck."""
        return value


class Word(Value):
    """Case-insensitive text."""

    words = ()

    def read(self, text: str) -> Any:
        word = unescaped(text).lower()
        return _IN_JAPANESE.get(word, word)


@dataclass(frozen=True)
class OneOf(Value):
    """One of some words, which may be typed in any case."""

    words: tuple[str, ...]

    def read(self, text: str) -> Any:
        plain = unescaped(text)
        return next((word for word in self.words if word.casefold() == plain.casefold()), plain)


class Whole(Value):
    words = ()

    def read(self, text: str) -> Any:
        return int(text) if text.isascii() and text.isdecimal() and len(text) <= 20 else text


class Flag(Value):
    """A flag, written as ``yes`` or ``no``."""

    words = ()

    def read(self, text: str) -> Any:
        return {YES: True, NO: False}.get(WORD.read(text), text)

    def write(self, value: Any) -> str:
        return YES if value else NO


class Numbers(Value):
    """Whole numbers, such as one per seat: ``10,9,8``."""

    counts = ("number",)
    words = ()

    room = 10  # numbers are cheap to check, and a score sheet has thousands

    def read(self, text: str) -> Any:
        return [WHOLE.read(part) for part in parts(text)]

    def write(self, value: Any) -> str:
        return ",".join(map(str, value)) or NOTHING


class ValuesData(Value):
    """A deck: its name, or the deck itself as a JSON object."""

    typed = False

    def read(self, text: str) -> Any:
        plain = unescaped(text)
        try:
            return json.loads(plain) if plain.startswith("{") else plain
        except (ValueError, RecursionError):
            return plain

    def write(self, value: Any) -> str:
        if isinstance(value, str):
            return escaped(value)
        return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class Voids(Value):
    """The suits that each seat is known to be out of: ``2:F/3:W,T``."""

    def read(self, text: str) -> Any:
        by_seat: dict[str, list[str]] = {}
        for part in text.split("/"):
            seat, colon, kinds = part.partition(":")
            if not colon:
                return text
            by_seat[seat.strip()] = parts(kinds)
        return by_seat

    def write(self, value: Any) -> str:
        return "/".join(f"{seat}:{','.join(kinds)}" for seat, kinds in value.items())

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        return dict(sorted(value.items()))


class Card(Value):
    words = ()

    def read(self, text: str) -> Any:
        return unescaped(text) if text != NOTHING else ""

    def tidied(self, value: Any, names: Names) -> Any:
        return names.card(value) if isinstance(value, str) else value

    def write(self, value: Any) -> str:
        return written(value)


class Listed(Value):
    """Base class of lists, which may be written as a string even in JSON."""

    def read(self, text: str) -> Any:
        return text

    def tidied(self, value: Any, names: Names) -> Any:
        if isinstance(value, str):
            return self.of_text(value, names)
        return self.of_list(value, names) if isinstance(value, LISTS) else value

    def of_text(self, text: str, names: Names) -> Any:
        """Convert a list that is written as a string to JSON-like data."""
        raise NotImplementedError

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        """Normalize the entries of a value that is already a list."""
        return entries


class Cards(Listed):
    """A list of cards, ``S1,S4,BT``, sorted in the deck's order unless its own order matters (`in_order`)."""

    counts: Sequence[str] = ("card",)
    words = ()

    def __init__(self, *, in_order: bool = False) -> None:
        self._in_order = in_order

    def of_text(self, text: str, names: Names) -> Any:
        return cards_of(text, names)

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        card = names.card
        known = names.known
        return [
            entry if type(entry) is str and entry in known else card(entry) if isinstance(entry, str) else entry
            for entry in entries
        ]

    def write(self, value: Any) -> str:
        return listed(value)

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        return value if self._in_order else sorted(value, key=place)


class Piles(Listed):
    """One list of cards, or of other values, per seat, or per what `per` says: ``S1,S4/BT/-/D6``."""

    def __init__(self, of: Value | None = None, per: str = "seat") -> None:
        self._of = of or CARDS
        self.room = self._of.room
        self.counts = (per, *self._of.counts)
        self.words = self._of.words

    def of_text(self, text: str, names: Names) -> Any:
        return self.of_list([self._of.read(part) for part in piles(text)], names)

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return [self._of.tidied(pile, names) for pile in entries]

    def write(self, value: Any) -> str:
        return "/".join(map(self._of.write, value)) or NOTHING

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        return [self._of.sorted(pile, place) for pile in value]


class Rules(Listed):
    """Names of the optional rules that are on: ``one,another``. In JSON it may be an object or the same text."""

    def of_text(self, text: str, names: Names) -> Any:
        return dict.fromkeys(parts(text), True)

    def write(self, value: Any) -> str:
        return ",".join(value) or NOTHING


class CardOrCards(Cards):
    """One card, or one card per seat with a hyphen for a seat that has none: ``S1`` or ``S1,-,D6``."""

    counts = ("seat",)

    def __init__(self) -> None:
        super().__init__(in_order=True)

    def of_text(self, text: str, names: Names) -> Any:
        cards = cards_of(text, names)
        return cards[0] if len(cards) == 1 else cards

    def write(self, value: Any) -> str:
        return CARD.write(value) if isinstance(value, str) else listed(value)


class HandOrHands(Listed):
    """One hand, or one hand per seat separated by slashes: ``S1,S4`` or ``S1,S4/BT``."""

    counts = ("seat", "card")
    words = ()

    def of_text(self, text: str, names: Names) -> Any:
        return (PILES if "/" in text else CARDS).of_text(text, names)

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return (CARDS if texts(entries) else PILES).of_list(entries, names)


TEXT, WORD, WHOLE, FLAG, NUMBERS, DATA, CARD = Value(), Word(), Whole(), Flag(), Numbers(), ValuesData(), Card()
RULES = Rules()
CARDS, ROW = Cards(), Cards(in_order=True)
PILES = Piles()
CARD_OR_CARDS, HAND_OR_HANDS = CardOrCards(), HandOrHands()


@lru_cache(maxsize=4096)  # the same few cards are written again and again
def written(card: str) -> str:
    """Escape a card's name, except for colons, which a name may contain, as in ``D:F``.

    A hyphen stands for an empty name.
    """
    return escaped(card, ":") if card else NOTHING


def listed(cards: Iterable[str]) -> str:
    """Join cards with commas, as in ``S1,S4,BT``; a hyphen stands for an empty list."""
    return ",".join(map(written, cards)) or NOTHING


def parts(text: str) -> list[str]:
    """Split a list, in brackets or not, at commas, blanks and the like; a lone hyphen is an empty list."""
    text = text.strip()
    if text[:1] + text[-1:] in _BRACKETS:
        text = text[1:-1]
    return [part for part in _PARTS.split(text) if part] if text != NOTHING else []


def cards_of(text: str, names: Names) -> list[str]:
    """Read a list of cards: ``S1,S4`` or ``S1S4``. ``Zn×3`` or ``Zn*3`` means ``Zn,Zn,Zn``."""
    words = parts(text)
    read = {word: run_of(word, names) for word in dict.fromkeys(words)}  # a long list repeats the same words
    return [card if isinstance(card, str) else card.word for word in words for card in read[word]]


def run_of(word: str, names: Names, marks: Sequence[Mark] = ()) -> list[Found]:
    """Split a word such as ``S1S4BT`` or ``Zn×3`` into cards and the marks between them.

    A lone hyphen stands for no card: it gives ``[""]``.
    """
    if word == NOTHING:
        return [""]
    if word.isalnum():  # nothing to unescape or repeat
        return names.run(word, marks)
    if _PLUS.search(word):  # a blank, in an address that a form has written; a + of a name is %2B there
        cards = [names.card(unescaped(part)) for part in word.split("+")]
        if all(map(names.has, cards)):
            return [*cards]
    run: list[Found] = []
    runs: dict[str, list[Found]] = {}  # each is checked once
    for part in _BEHIND_TIMES.split(word):
        times = _TIMES.fullmatch(part)
        text = unescaped(part if times is None else times[1])
        if text not in runs:  # some programs escape the commas of an address, too
            words = [text] if names.has(text) else parts(text)
            runs[text] = [found for word in words for found in names.run(word, marks)]
        run += runs[text]
        run += [run[-1]] * (int(times[2]) - 1 if times is not None else 0)
    return run


def piles(text: str) -> list[str]:
    """Split `text` at slashes; a lone hyphen is an empty list."""
    return [part.strip() for part in text.split("/")] if text.strip() != NOTHING else []


def texts(value: object) -> Sequence[str] | None:
    """Return the value if it is a list of strings, else None."""
    if isinstance(value, LISTS) and all(isinstance(entry, str) for entry in value):
        return value
    return None


def entries(value: object) -> Sequence[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, LISTS) else ()


def mapping(value: object) -> Mapping[str, Any]:
    """Return the value if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


# ----------------------------------------------------------------------------------------------------
# Tricks in a line: ``3:S1,G2,D4,B6``, the leader and the cards in play order.


_LED = re.compile(r"\s*(\d{1,9}):(.*)", re.DOTALL)


@dataclass(frozen=True)
class Led:
    """The cards of a trick, possibly still as text, and the seat that led it (None if not given)."""

    leader: int | None
    cards: Any


class Trick(Cards):
    """The trick on the table, with its leader in front unless another key names the leader: ``3:S1,G2``."""

    def of_text(self, text: str, names: Names) -> Any:
        led = led_by(text)
        cards = cards_of(led.cards, names)
        return cards if led.leader is None else Led(led.leader, cards)

    def write(self, value: Any) -> str:
        if isinstance(value, Led):
            return f"{value.leader}:{listed(value.cards)}"
        return listed(value)


class Tricks(Listed):
    """The finished tricks, separated by slashes.

    `words` maps each word that may follow a trick's cards to the key of the cards after it, as in
    ``2:F2,F9,E1:take:F2,E1:give:F9``. When reading, the first letter of a word is enough, and the colons may be
    blanks or missing: ``2:F2F9E1tF2E1gF9``.
    """

    counts = ("trick", "card")

    def __init__(self, words: Mapping[str, str] | None = None) -> None:
        self._words = words or {}
        self.words = tuple(self._words)
        self.marks = [Mark(word) for word in self._words]
        either = "|".join(f"{word}|{word[0]}" for word in self._words)
        self._marked = re.compile(rf"(:(?:{either}):)", re.IGNORECASE) if either else None

    def of_text(self, text: str, names: Names) -> Any:
        return [self._trick(trick, names) for trick in piles(text)]

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return [self._tidied(trick, names) for trick in entries]

    def _tidied(self, value: Any, names: Names) -> Any:
        if isinstance(value, str):
            return self._trick(value, names)
        if isinstance(value, Mapping):
            lists = {"cards", *self._words.values()}
            return {
                key: CARDS.tidied(entry, names) if key in lists and entry is not None else entry
                for key, entry in value.items()
            }
        return value

    def _trick(self, text: str, names: Names) -> dict[str, Any]:
        led = led_by(text)
        trick: dict[str, Any] = {} if led.leader is None else {"leader": led.leader}
        cards: list[str] = []
        trick["cards"] = cards
        for card in self._found(led.cards, names):
            if isinstance(card, Mark):
                cards = trick.setdefault(self._words[card.word], [])
            elif card or self._marked is None:
                cards.append(card)
        return trick

    def _found(self, text: str, names: Names) -> Iterator[Found]:
        left = self.marks
        for word in parts(text):
            run = run_of(word, names, left)
            if self._marked is not None and len(run) == 1 and run[0] == word:  # the mark is not a card
                run = [card for part in self._marked.split(word) if part for card in run_of(part, names, left)]
            yield from run
            behind = [self.marks.index(card) + 1 for card in run if isinstance(card, Mark)]
            left = self.marks[max(behind) :] if behind else left

    def write(self, value: Any) -> str:
        return "/".join(map(self._written, value)) or "-"

    def _written(self, trick: Mapping[str, Any]) -> str:
        text = f"{trick['leader']}:{listed(trick['cards'])}"
        for word, key in self._words.items():
            cards = trick.get(key)
            if cards:
                text += f":{word}:{listed(cards)}"
        return text

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        lists = set(self._words.values())
        return [
            {key: sorted(part, key=place) if key in lists else part for key, part in trick.items()}
            for trick in value
        ]


def led_by(text: str) -> Led:
    """Split the text of a trick into the seat that led (None if it does not begin with a seat) and the cards."""
    matched = _LED.fullmatch(text)
    return Led(None, text) if matched is None else Led(int(matched[1]), matched[2])


Data = dict[str, Any]


class Typed(Data):
    """Data read from a line of text.

    `keys_typed` maps each key to the one that the user typed, such as ``history`` to ``m``.
    """

    keys_typed: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How the positions and records of a game are written as text.

    `values` maps each key to the format of its value, in the order of the canonical text; `rounds` does so for
    each round of a record. `words` are keys whose value is written without the key, such as a variant.
    ``names(data)`` returns the card names of the deck in a position's data. ``shortened(data, position)`` rewrites
    the data of a valid position for output, without the keys that follow from others.

    At most `most_entries` entries, times `Value.room`, are accepted under one key. Longer lists are rejected
    before validation, since pydantic would collect an error for each entry.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    rounds: Mapping[str, Value] = field(default_factory=dict)
    words: Sequence[str] = ()
    names: Callable[[Mapping[str, Any]], Names] = lambda data: Names(())
    most_entries: int = 1000
    shortened: Callable[[Data, BaseModel], Data] = lambda data, position: data

    def read(self, line: Line) -> Data:
        """Convert a parsed line to JSON-like data, in which lists are still strings (see `given`)."""
        data = Typed({"game": line.game})
        data |= dict(zip(self.words, map(WORD.read, line.words), strict=False))
        for word in line.words[len(self.words) :]:
            data.setdefault(word, True)  # no key: the position's checks report it
        pairs = self.with_whole_keys(line.pairs)
        data.keys_typed = dict(zip(pairs, line.pairs, strict=True))
        deck: Data = {}
        if "deck" in pairs:  # its own remark is left out before its cards' names are looked for
            deck["deck"] = DATA.read_typed(_without_remark(pairs["deck"], self.names({}), WORD))
        data |= self._read(pairs, {PLAYERS: WHOLE, **self.values}, deck)
        if line.rounds:
            rounds = [self.with_whole_keys(of_round, self.rounds) for of_round in line.rounds]
            data["rounds"] = [self._read(of_round, self.rounds, deck) for of_round in rounds]
        return data

    def _read(self, pairs: Pairs, values: Mapping[str, Value], deck: Data) -> Data:
        if any(map(_REMARK_SIGNS.search, pairs.values())):
            names = self.names(deck)
            pairs = {key: _without_remark(text, names, values.get(key, TEXT)) for key, text in pairs.items()}
        return {key: values.get(key, TEXT).read_typed(text) for key, text in pairs.items()}

    def with_whole_keys(self, pairs: Pairs, among: Mapping[str, Value] | None = None) -> Pairs:
        """Expand abbreviated and Japanese keys: in a game with the key `hand`, ``h=S1`` becomes ``hand=S1``."""
        values = {PLAYERS: WHOLE, **self.values} if among is None else among
        whole: Pairs = {}
        typed_keys: dict[str, str] = {}
        for key, text in pairs.items():
            others = SHORT.get(key) or KEYS_IN_JAPANESE.get(key, ())
            meant = key if key in values else next((other for other in others if other in values), key)
            if meant in whole:
                short = next(other for other in (key, typed_keys[meant]) if other != meant)
                message = say("the key {key!r} appears twice, once as {short!r}", key=meant, short=short)
                raise PositionError("duplicate_key", message, meant)
            whole[meant] = text
            typed_keys[meant] = key
        return whole

    def oversized(self, data: Mapping[str, Any]) -> list[Fault]:
        """Return faults for texts and lists that are too long, at any depth, before anything is parsed."""
        whole = size_of([*data.values()])
        if whole.letters <= MOST_LETTERS and whole.entries <= min(self.most_entries, MOST_ENTRIES):
            return []
        rounds = entries(data.get("rounds") if self.rounds else None)
        sizes = {(key, self.values.get(key)): size_of(value) for key, value in data.items() if value is not rounds}
        for number, played in enumerate(rounds):
            for key, value in mapping(played).items():
                sizes[f"rounds[{number}].{key}", self.rounds.get(key)] = size_of(value)
        letters = sum(size.letters for size in sizes.values())
        if letters > MOST_LETTERS:
            longest, _ = max(sizes, key=lambda key: sizes[key].letters)
            message = say(
                "at most {most_letters:,} letters are expected, not {count:,}",
                most_letters=MOST_LETTERS,
                count=letters,
            )
            return [Fault("wrong_size", message, longest)]
        counts = {(path, value): size.entries for (path, value), size in sizes.items() if value is not None}
        total = sum(counts.values())
        limits = [(path, MOST_ENTRIES, total) for path, _ in sorted(counts, key=counts.__getitem__)[-1:]]
        if total <= MOST_ENTRIES:
            limits = [(path, value.room * self.most_entries, count) for (path, value), count in counts.items()]
        return [
            Fault(
                "wrong_size",
                say("at most {most:,} entries are expected, not {count:,}", most=most, count=count),
                path,
            )
            for path, most, count in limits
            if count > most
        ]

    def given(self, data: Mapping[str, Any], faults: list[Fault]) -> Data:
        """Normalize JSON-like data from a caller, before validation. Adds ambiguous texts to `faults`."""
        names = self.names(data)

        def tidy(values: Mapping[str, Value], given: Mapping[str, Any]) -> Data:
            return {key: values.get(key, TEXT).tidied_typed(value, names) for key, value in given.items()}

        tidied = tidy(self.values, data)
        if self.rounds and isinstance(tidied.get("rounds"), LISTS):
            tidied["rounds"] = [
                tidy(self.rounds, round_) if isinstance(round_, Mapping) else round_ for round_ in tidied["rounds"]
            ]
        faults += (Fault("two_readings", text.message, path) for path, text in _unclear(tidied))
        return tidied

    def write(self, position: BaseModel) -> str:
        """Return the canonical text of a valid position, view or record: one line."""
        data = self.canonical(position)
        game: str = data.pop("game")
        written = self.shortened({"game": game, **data}, position)
        words = [str(written.pop(key)) for key in self.words]
        rounds = [_pairs(self.rounds, played) for played in written.pop("rounds", ())]
        return composed(game, words, _pairs(self.values, written), rounds)

    def canonical(self, position: BaseModel) -> Data:
        """Return a position's data without defaults, with unordered lists of cards sorted in the deck's order."""
        data = position.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        index = self.names(data).place

        def ordered(values: Mapping[str, Value], given: Data) -> Data:
            return {key: values.get(key, TEXT).sorted(value, index) for key, value in given.items()}

        sorted_data = ordered(self.values, data)
        if self.rounds and "rounds" in data:
            sorted_data["rounds"] = [ordered(self.rounds, round_) for round_ in data["rounds"]]
        return sorted_data


def _unclear(value: Any, path: str = "") -> Iterator[tuple[str, TwoReadings]]:
    """Yield the ambiguous texts in the data, each with its path."""
    if isinstance(value, LISTS):
        if _CLEAR.issuperset(map(type, value)):
            return
        for index, entry in enumerate(value):
            if type(entry) not in _CLEAR:
                yield from _unclear(entry, f"{path}[{index}]")
    elif isinstance(value, TwoReadings):
        yield path, value
    elif isinstance(value, Led):
        yield from _unclear(value.cards, path)
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            if type(entry) not in _CLEAR:
                yield from _unclear(entry, joined(path, str(key)))


_CLEAR = frozenset({str, int})  # the types of nearly all entries of long lists


def _without_remark(text: str, names: Names, value: Value) -> str:
    """Return a value's text without the remark behind a semicolon: words that no cards can be read in.

    Between cards a semicolon is a comma, so text that may be cards with a slip stays, and is reported as such.
    """
    kept, *others = _REMARK_SIGNS.split(text)
    for part in others if value.words is not None else ():
        if any(_is_word(letters, names, value) for letters in _LETTERS.findall(plain(part))):
            return kept.rstrip()
        kept += _REMARK_SIGN + part
    return text


def _is_word(letters: str, names: Names, value: Value) -> bool:
    """Whether letters are nothing of a value, not even with a slip: one too many at the end, or two before."""
    if not names.longest < len(letters) <= _LONGEST_WORD or any(
        word in letters.lower() for word in value.words or ()
    ):
        return False
    unread = [names.run(letters[start:], value.marks)[-1] for start in range(3)]
    if names.spent or len(str(unread[0])) == 1:
        return False
    return not any(isinstance(last, Mark | TwoReadings) or names.has(last) for last in unread)


def _pairs(values: Mapping[str, Value], data: Data) -> Pairs:
    """Return the data's values as text, by key, in declared order."""
    return {key: value.write(data[key]) for key, value in values.items() if key in data}


# ----------------------------------------------------------------------------------------------------
# The pydantic annotation that reads a game's positions and records by its notation.


@dataclass(frozen=True, eq=False)
class NotationReader:
    """Annotation of positions and records: they are read by a notation, and all faults are reported together.

    `kind` is the annotated type, a union of models. An unknown key is reported with the most similar known key, if
    there is one; its value is then validated as that key's.
    """

    notation: Notation
    kind: Any
    players_fault: Callable[[object, object], Fault | None] = lambda players, variant: None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self._read, handler(source))

    @cached_property
    def _own_keys(self) -> frozenset[str]:
        fields = {key for model in models_of(self.kind) for key in model.model_fields}
        return frozenset(fields | self.notation.values.keys())

    @cached_property
    def _keys(self) -> frozenset[str]:
        return self._own_keys | {PLAYERS}

    def _read(self, sent: Any, handler: Callable[[Any], Any]) -> Any:
        if not isinstance(sent, Mapping):
            return handler(sent)
        unknown: list[Fault] = []
        known = self._with_known_keys(sent, unknown)
        refuse(self.notation.oversized(known))
        players = known.get(PLAYERS) if PLAYERS in self._own_keys else known.pop(PLAYERS, None)
        impossible = None if players is None else self.players_fault(players, known.get("variant"))
        if impossible is not None:  # whatever else is wrong may follow from it
            refuse([self._as_sent(impossible, sent)])
        wrong: list[Fault] = []
        data = self.notation.given(known, wrong)
        invalid: list[Fault] = []
        try:
            read = handler(data)
        except ValidationError as error:
            corrected = known.keys() - sent.keys()  # already reported as unknown, as they were sent
            unclear = {fault.path for fault in wrong if fault.code == "two_readings"}
            invalid = [
                self._with_all_keys(fault) if fault.path in sent else fault
                for fault in findings_of(error, data, self.kind)
                if fault.path not in unclear and not (fault.code == "unknown_key" and fault.path in corrected)
            ]
        if unknown or wrong or invalid:
            faults = [*unknown, *self._causes(wrong, invalid, known)]
            refuse(self._as_sent(fault, sent) for fault in dict.fromkeys(faults))
        return read

    def _as_sent(self, fault: Fault, sent: Mapping[Any, Any]) -> Fault:
        return _as_typed(fault, sent, self.notation) if isinstance(sent, Typed) else fault

    def _causes(self, wrong: list[Fault], invalid: list[Fault], sent: Data) -> Iterator[Fault]:
        """Yield the faults that are not just consequences of others.

        `wrong` are the contradictions found while filling in keys, `invalid` the faults found by validation. If
        the deck is wrong, only faults about it and about unknown keys are kept. If the leader of the first trick
        is missing, a single fault says so. Of a history, only the first illegal move is reported. If there are
        contradictions, faults about keys that were or should have been filled in are left out.
        """
        faults = [*wrong, *invalid]
        if any(head_of(fault.path) == "deck" and fault.code != "unknown_key" for fault in faults):
            yield from (fault for fault in faults if head_of(fault.path) == "deck" or fault.code == "unknown_key")
            return
        if any((fault.code, fault.path) == ("missing_key", "hands") for fault in faults) and "hand" in self._keys:
            wrong, faults = [], self._without_hands(faults, sent)
        lacking = [fault for fault in invalid if fault.code == "missing_key" and not wrong]
        leads = [fault for fault in lacking if _LEADS.fullmatch(fault.path)]
        if leads:
            message = say("leader is missing: which seat led the first trick?")
            if isinstance(sent.get("history"), str):
                cards = piles(sent["history"])[0]
                message = say(
                    "who led the first trick? Write its seat in front of the cards, as in 0:{cards}", cards=cards
                )
            yield leads[0]._replace(message=message)
        history_told = False
        for fault in faults:
            head, missing = head_of(fault.path), fault.code == "missing_key"
            filled_in = head == "history" if missing else head not in sent
            if fault in leads or (leads and missing and fault.path == "leader"):
                continue
            if wrong and fault not in wrong and head and filled_in:
                continue
            if head == "history" and fault.code in _OF_MOVES:
                if history_told:
                    continue
                history_told = True
            yield fault

    def _without_hands(self, faults: list[Fault], sent: Data) -> list[Fault]:
        """Return the faults of a position without hands: if it has a seat, that one's hand is what it lacks."""
        if "points" in sent:  # a score sheet where a position is wanted
            return faults
        faults = [fault for fault in faults if fault.code != "unknown_key" or fault.path not in self._keys]
        if "seat" in sent:
            message = say("hand is missing, the cards of the seat")
            return [Fault("missing_key", message, "hand")]
        message = say("hands is missing, the cards of every seat; for a hint, write seat and hand instead")
        return [fault._replace(message=message) if fault.path == "hands" else fault for fault in faults]

    def _by_letter(self, key: str) -> tuple[str, str] | None:
        """Return the key that `key` abbreviates in the text form, with advice to write it in full; else None."""
        meant = next((key_meant for key_meant in SHORT.get(key.lower(), ()) if key_meant in self._keys), None)
        if meant is None:
            return None
        return meant, say("write {key}: the letter is only for a line of text", key=meant)

    def _with_all_keys(self, fault: Fault) -> Fault:
        """Add a list of all keys to a fault about a key that resembles no known key; leave other faults alone."""
        if fault.code != "unknown_key" or fault.path in self._keys:
            return fault
        keys = [*self.notation.words, *self.notation.values]
        message = say("{sentence} (keys: {keys})", sentence=fault.message, keys=" ".join(keys))
        return fault._replace(message=message)

    def _with_known_keys(self, sent: Mapping[Any, Any], faults: list[Fault]) -> Data:
        """Return the data with misspelt keys corrected, adding a fault for each.

        A misspelt key is dropped if the correct one is there too, and so is any unknown key after the first
        `MOST_FAULTS`.
        """
        data: Data = {}
        unknown = 0
        for key, value in sent.items():
            meant = key if key in self._keys else None
            unknown += meant is None
            if meant is None and unknown > MOST_FAULTS:
                continue
            if meant is None and isinstance(key, str):
                near = self._by_letter(key) or nearest(key, self._keys)
                if near:
                    meant, said = near
                    faults.append(Fault("unknown_key", unknown_key(key, said), key))
                if meant in sent or meant in data:
                    continue
                if meant is not None and isinstance(sent, Typed) and isinstance(value, str):
                    value = self.notation.values.get(meant, TEXT).read_typed(value)
            data[key if meant is None else meant] = value
        return data


_HEAD = re.compile(r"\w+")


def head_of(path: str) -> str:
    """Return the first key of a path."""
    matched = _HEAD.match(path)
    return matched[0] if matched else ""


def _as_typed(fault: Fault, sent: Typed, notation: Notation) -> Fault:
    """Return the fault with the first key of its path as the user typed it, and its places counted from 1."""
    key = head_of(fault.path)
    path = sent.keys_typed.get(key, key) + fault.path[len(key) :]

    def counted(match: re.Match[str]) -> str:
        return _counted(match[0], sent, notation)

    words = _PATH.sub(counted, path)
    message = _PATH.sub(counted, fault.message)
    return fault._replace(path=path, message=message, words="" if words == path else words)


_PATH = re.compile(r"\b[a-z_]++(?=[a-z_.]{0,40}\[)(?:\[\d{1,9}\]|\.[a-z_]++(?=[\[.]|\b))++")
_STEP = re.compile(r"\[(\d+)\]|[a-z_]+")
_FROM_0 = "seat"  # seats have numbers as their names; everything else is counted


def _counted(path: str, sent: Typed, notation: Notation) -> str:
    """Return a path into a line as people read it: ``history (trick 3, card 2)`` for ``history[2].cards[1]``.

    A path that leads elsewhere is returned unchanged.
    """
    key, *steps = _STEP.finditer(path)
    written = {typed: meant for meant, typed in sent.keys_typed.items()}
    meant = written.get(key[0], key[0])
    counts = ["round"] if meant == "rounds" else list(notation.values.get(meant, TEXT).counts)
    if sum(step[1] is not None for step in steps) == 1 and counts == [*HAND_OR_HANDS.counts]:
        counts = counts[1:]
    words = []
    for step in steps:
        if step[1] is None:
            if step[0] not in ("cards", "moves"):
                words.append(step[0])
            if meant == "rounds" and step[0] in notation.rounds:
                counts = list(notation.rounds[step[0]].counts)
        elif not counts:
            return path
        else:
            what = counts.pop(0)
            words.append(_place_of(what, int(step[1]) + (what != _FROM_0)))
    return f"{key[0]} ({', '.join(words)})"


def _place_of(what: str, n: int) -> str:
    if what == "card":
        return say("card {n}", n=n)
    if what == "seat":
        return say("seat {n}", n=n)
    if what == "trick":
        return say("trick {n}", n=n)
    if what == "move":
        return say("move {n}", n=n)
    return say("round {n}", n=n) if what == "round" else say("number {n}", n=n)


_LEADS = re.compile(r"history\[\d+\]\.leader")
_OF_MOVES = frozenset({"conflict", "illegal_move", "illegal_play"})


# ----------------------------------------------------------------------------------------------------
# How the OpenAPI document describes positions that callers send: what may be text.


class OrText:
    """Annotation whose JSON schema says that a list may also be sent as a string."""

    def __init__(self, example: str) -> None:
        self._example = example

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), {"type": "string", "examples": [self._example]}]}
