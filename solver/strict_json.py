"""Strict readers of JSON and TOML: input that other parsers may understand differently is rejected."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, NoReturn, TypeVar

from pydantic import AfterValidator, BaseModel, Field, ValidationError, WrapValidator

from solver.common import EXACT
from solver.errors import Fault, PositionError, reason_of
from solver.language import say, translated
from solver.texts import decoded, length_of_plain, plain, unwrapped
from solver.validation import fault, findings_of, refusal

M = TypeVar("M", bound=BaseModel)

# ----------------------------------------------------------------------------------------------------
# TOML text as data, in time and memory proportional to the text.
#
# The time and memory that `tomllib` needs grow with the square of the number of parts of a key: 80 KB of
# ``a.a.a.… = 1`` take 27 s and 5.9 GB. So the text is scanned first, in one pass that knows strings and comments
# but builds nothing.


MOST_PARTS = 32  # of a dotted key
MOST_LETTERS = 4000  # of a number or a bare key: reading thousands of digits is slow
MOST_KEYS = 1000  # of one table or object

# A quoted string; an unterminated one does not match. No repetition backtracks, so matching is linear. (Before
# 3.11.5, Python gets possessive repetitions of patterns that backtrack wrong, gh-106052; an atomic group means the
# same.)
TEXT = (
    r'"""(?>(?:[^"\\]++|\\.|"(?!""))*)"{3,5}|\'\'\'(?>(?:[^\']++|\'(?!\'\'))*)\'{3,5}'
    r'|"(?!"")(?>(?:[^"\\\n]++|\\[^\n])*)"|\'(?!\'\')[^\'\n]*+\''
)
# The text up to the next mark, and the mark, if there is one.
_MARK = re.compile(
    rf"([^#\n\[\]{{}}=,.\"']*+)(#[^\n]*+|\n(?>(?:\s++|#[^\n]*+)*)|{TEXT}|[\[\]{{}}=,.\"']|\Z)", re.DOTALL
)
_VALUES = frozenset("=,[{.")  # each precedes a value or a part of a key
_MARKS_A_VALUE = 5  # at most: texts, ends of lines and brackets, too


def loads_toml(text: str, most_values: int | None = None) -> dict[str, Any]:
    """Parse a TOML text with at most `most_values` values and keys, of which quotation marks may be typographic.

    Raises tomllib.TOMLDecodeError, ValueError for a number or bare key of thousands of letters, RecursionError for
    deep nesting or a key with very many parts, and PositionError ("too_large").
    """
    _look_through(text, most_values)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if text.isascii() or "'" in text:  # which may begin a text, too
            raise
        straight = _straight(unwrapped(text), _DOUBLE_QUOTES)
        _look_through(straight, most_values)
        try:
            data = tomllib.loads(straight)
        except tomllib.TOMLDecodeError:
            raise error from None
    check_tables(data)
    return data


def too_many_values(most: int) -> PositionError:
    return PositionError("too_large", say("this has more than {most:,} values", most=most))


def too_many_keys() -> PositionError:
    return PositionError("too_large", say("an object has more than {most_keys:,} keys", most_keys=MOST_KEYS))


def check_tables(data: object) -> None:
    """Raise PositionError ("too_large") if `data` contains a table with very many keys."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            if len(value) > MOST_KEYS:
                raise too_many_keys()
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(item for item in value if isinstance(item, dict | list))


def _look_through(text: str, most_values: int | None) -> None:
    dots = values = 0
    most = len(text) + 1 if most_values is None else most_values
    if sum(map(text.count, "\n\"'")) > _MARKS_A_VALUE * most:  # quickly: one mark can have most of them
        raise too_many_values(most)
    for count, mark_at in enumerate(_MARK.finditer(text)):
        passed, mark = mark_at.groups()
        if len(passed) > MOST_LETTERS and any(len(word) > MOST_LETTERS for word in passed.split()):
            raise ValueError(f"a number or key of more than {MOST_LETTERS:,} letters")
        values += mark in _VALUES or _steps(mark)
        if values > most or count > _MARKS_A_VALUE * most:
            raise too_many_values(most)
        if mark == ".":
            dots += 1
            if dots >= MOST_PARTS:
                raise RecursionError
        elif mark in ('"', "'"):  # an unterminated string: `tomllib` reports it, and stops there
            if text.count("\\", mark_at.start()) > most:
                raise too_many_values(most)
            return
        elif mark[:1] not in ("#", '"', "'"):
            dots = 0


def _steps(mark: str) -> int:
    """Count the parts of `mark`, a token of the text, that take as long to parse as a value.

    These are empty lines, escapes, and the quotation marks of a multi-line string.
    """
    if mark[:1] == "\n":
        return mark.count("\n") - 1
    quotes = mark.count(mark[0]) if mark[:3] in ('"""', "'''") else 0
    return mark.count("\\") + quotes


_MOST_DIGITS = 1000  # the time to read a number grows with their square
_TEXT = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"', re.DOTALL)


@cache
def _decoder(what: str) -> json.JSONDecoder:
    """Return the decoder of JSON texts that messages call `what`; `json.loads` would make one for each text."""

    def constant(name: str) -> NoReturn:
        raise _broken(say("the {what} is not JSON: {name} is not a JSON number", what=translated(what), name=name))

    def whole(text: str) -> int:
        if len(text) > _MOST_DIGITS:
            raise _broken(
                say(
                    "the {what} has a number of more than {most_digits:,} digits",
                    what=translated(what),
                    most_digits=_MOST_DIGITS,
                )
            )
        return int(text)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(pairs) > MOST_KEYS:
            raise too_many_keys()
        if len(values) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated = next(key for at, key in enumerate(keys) if key in keys[:at])
            raise _broken(say("the key {key!r} appears twice in one object", key=repeated))
        return values

    return json.JSONDecoder(
        object_pairs_hook=members, parse_constant=constant, parse_float=_number, parse_int=whole
    )


def _broken(message: str) -> PositionError:
    return PositionError("invalid_json", message)


def loads_json(text: str | bytes, what: str = "position", most_values: int | None = None) -> Any:
    """Parse a JSON text with at most `most_values` values. Messages call it `what`.

    Raises PositionError: "invalid_json", also for NaN, a repeated key in an object, or an unpaired surrogate;
    "invalid_text" for bytes that are no text (`decoded`); "too_large" for too many values, before any is read, and
    for an object with very many keys.
    """
    plain = decoded(text)
    if not plain.strip():
        raise _broken(say("the {what} is empty", what=translated(what)))
    if most_values is not None and _values(plain) > most_values and _values(_TEXT.sub("", plain)) > most_values:
        raise too_many_values(most_values)
    try:
        data = _decoder(what).decode(plain)
        if "\\u" in plain:
            json.dumps(data, ensure_ascii=False).encode()
    except RecursionError:
        raise _broken(say("the {what} is nested too deeply", what=translated(what))) from None
    except UnicodeEncodeError:
        raise _broken(
            say("the {what} has half a character (a surrogate without its other half)", what=translated(what))
        ) from None
    except ValueError as error:
        raise _broken(
            say("the {what} is not JSON: {found}", what=translated(what), found=reason_of(error))
        ) from None
    return data


_JSON = re.compile(r"[\s`>\u200b\ufeff]*(?:json\s*)?[{\uff5b]")  # as a chat or a document begins it, too
_DOUBLE_QUOTES = re.compile('["\uff02\u201c-\u201f]')
_QUOTES = re.compile("[\"'\uff02\uff07\u2018-\u201f\xab\xbb]")


def is_json(text: str) -> bool:
    """Return whether a text looks like an object in JSON, as typed or pasted."""
    return _JSON.match(text) is not None


def typed_json(text: str | bytes, what: str = "position") -> Any:
    """Like `loads_json`, for what a person typed or pasted: other programs' quotation marks, blanks and full-width
    signs stand for those of JSON, wherever these do not make JSON by themselves.
    """
    try:
        return loads_json(text, what)
    except PositionError as error:
        if error.code != "invalid_json":
            raise
        pasted = unwrapped(decoded(text))
        begun = _JSON.match(pasted)
        try:
            pasted = pasted[begun.end() - 1 :].rstrip("`; \n") if begun else pasted
            return loads_json(_straight(pasted, _QUOTES), what)
        except PositionError:
            raise error from None


def _straight(text: str, quotes: re.Pattern[str]) -> str:
    """Return JSON or TOML in the characters that it needs; what stands between quotation marks stays as it is."""
    parts = quotes.split(text)
    parts[::2] = (plain(part) for part in parts[::2])
    return '"'.join(parts)


def _number(text: str) -> float:
    """Parse a number with a point or an exponent; 1.0 gives an int, as it is an integer in JSON Schema."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < EXACT else number


def _values(text: str) -> int:
    """Return an upper bound on the number of values in a JSON text, from its commas and opening brackets."""
    return text.count(",") + text.count("[") + text.count("{")


# ----------------------------------------------------------------------------------------------------
# The size of data, of which texts may be lists that are read later.


class Size(NamedTuple):
    """How many entries the lists in some data have, and how many letters its texts."""

    entries: int
    letters: int


_SCALARS = (int, float, bool, type(None))
_LONG = 24  # letters: no card has a longer name
_TOO_LONG = 200_000  # letters: of longer texts together, nothing else is counted
_WORDS, _TIMES_SIGN, _MOST_TIMES = re.compile(r"[^\s,;|/]+"), re.compile(r"[×*][1-9]"), 9


def size_of(data: object) -> Size:
    """Return the size of data of lists, mappings and texts, at any depth.

    A text that is longer than a card's name may be a list. Its entries are estimated, but it is not read. Once
    there are far too many letters, only they are counted.
    """
    count, letters, left = 0, 0, [data]
    while left:
        value = left.pop()
        inside: Iterable[Any] = ()
        if isinstance(value, list | tuple):
            count += len(value)
            inside = value
        elif isinstance(value, Mapping):
            inside = value.values()
        elif isinstance(value, str) and len(value) > _LONG:
            long = len(value) if value.isascii() or len(value) > _TOO_LONG else length_of_plain(value)
            letters += long
            typed = plain(value) if letters <= _TOO_LONG else ""
            words = len(_WORDS.findall(typed)) + (_MOST_TIMES - 1) * len(_TIMES_SIGN.findall(typed))
            count += max(typed.count("/") + 1, words)
        left += [
            value
            for value in inside
            if (len(value) > _LONG if type(value) is str else type(value) not in _SCALARS)
        ]
    return Size(count, letters)


# ----------------------------------------------------------------------------------------------------
# Shared by the readers of all games' decks: texts, and errors that name the card.


def _printable(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise fault("wrong_text", say("{text!r} must be printable text", text=text))
    return text


Text = Annotated[str, Field(strict=True, min_length=1, max_length=80), AfterValidator(_printable)]


_MOST_IN_DECK = 2000  # entries of all its lists, and words of its longer texts


def introduced(
    kind: Any, introduction: Callable[[Any, str], str], among: Callable[[Any], Iterable[Fault]]
) -> WrapValidator:
    """Make a validator for decks of type `kind` whose error messages begin by naming the card.

    ``introduction(data, path)`` gets the deck's data and a fault's path, and returns the text to put before the
    fault's message, or "". A deck with a card that cannot be read is not checked as a whole: ``among(data)`` finds
    what is wrong among the other cards.
    """

    def validate(data: Any, handler: Callable[[Any], Any]) -> Any:
        if size_of(data).entries > _MOST_IN_DECK:
            raise fault("wrong_size", say("at most {most:,} entries are expected in a deck", most=_MOST_IN_DECK))
        try:
            return handler(data)
        except ValidationError as error:
            raise refusal(
                wrong._replace(message=introduction(data, wrong.path) + wrong.message)
                for wrong in (*findings_of(error, data, kind), *among(data))
            ) from None

    return WrapValidator(validate)


def readable(data: Any, key: str, kind: type[M]) -> Iterator[tuple[int, M]]:
    """Yield the entries of the array `key` in `data` that are valid as `kind`, each with its index."""
    entries = data.get(key) if isinstance(data, Mapping) else None
    for index, entry in enumerate(entries if isinstance(entries, list | tuple) else ()):
        try:
            yield index, kind.model_validate(entry)
        except ValidationError:
            continue


def entry_at(data: Any, path: str, key: str) -> tuple[Mapping[str, Any], str]:
    """Return the entry of the array `key` that `path` leads into, and the rest of the path.

    Both are empty if there is no such entry.
    """
    number, _, rest = path.removeprefix(f"{key}[").partition("]")
    entries = data.get(key) if isinstance(data, Mapping) else None
    if not path.startswith(f"{key}[") or not isinstance(entries, list | tuple) or not number.isdecimal():
        return {}, ""
    entry = entries[int(number)]
    return (entry, rest) if isinstance(entry, Mapping) else ({}, "")
