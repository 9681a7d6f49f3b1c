"""Text from outside: what people type where codes and numbers are expected, and the bytes that programs write."""

from __future__ import annotations

import csv
import html
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TextIO, TypeGuard

from solver.errors import PositionError, reason_of
from solver.language import say, translated

# ----------------------------------------------------------------------------------------------------
# What people type where codes, keys and numbers are expected: on a Japanese keyboard, or pasted from anywhere.


_PIECE = 256  # characters normalized at a time: the time for combining marks grows with the square of their number
_DASHES = "\u02d7\u1806\u2043\u2212\u2500\u2501\u2796\u2e3a\u2e3b\u30a0\u30fc" + "".join(
    map(chr, range(0x2010, 0x2016))
)
_INVISIBLE = [
    0xAD, 0x34F, 0x61C, 0x180E, 0x20E3, 0xFEFF,  # 20E3: the key around 4 in an emoji
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),  # zero width, and directions
    *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),  # which picture of a character is drawn
]  # fmt: skip
QUOTES = "\"'`\xab\xbb\u2032\u2033\u2039\u203a\u300c\u300d\u300e\u300f" + "".join(
    map(chr, [*range(0x2018, 0x2020), *range(0x301D, 0x3020)])
)
_QUOTE = re.compile(f"[{QUOTES}]")
_QUOTED_APART = re.compile(rf"(?<=[\w+-])[{QUOTES}]{{2,}}(?=\w)")  # "S1""S4"
_DIGIT = re.compile(r"[^\D0-9]")  # of another script
_LONG = re.compile("[\ufdfa\ufdfb]")  # ligatures of which each would become up to 18 letters
BLANKS = r"\s\u115f\u1160\u2800\u3164\uffa0"  # for a class of characters: also what spaces chats out
_PLAIN = {
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, "\u3001\uff64\u060c\u2e41\u30fb\xb7\u2022\u22c5"), ","),
    **dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"), " "),
    ord("\u2795"): "+",
    **dict.fromkeys(map(ord, "\u2715\u2716\u2a09\u2a2f"), "\xd7"),
    **dict.fromkeys(_INVISIBLE, None),
}


def plain(text: str) -> str:
    """Return typed text in the characters of codes, keys and numbers: ``Ｄ６、Ｇ−`` is ``D6,G-``.

    Full-width letters and signs become ASCII (NFKC), and so do digits of all scripts; every comma and middle dot
    becomes ``,``, every dash ``-``; quotation marks and invisible characters are left out. Only for codes, keys,
    numbers and what separates them: names and titles stay as a person wrote them.
    """
    if not text.isascii():
        text = _LONG.sub("\N{REPLACEMENT CHARACTER}", text)
        pieces = (unicodedata.normalize("NFKC", text[at : at + _PIECE]) for at in range(0, len(text), _PIECE))
        text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), "".join(pieces).translate(_PLAIN))
    return _QUOTE.sub("", _QUOTED_APART.sub(",", text)) if _QUOTE.search(text) else text


# What stands before a line that was quoted, listed, numbered or ticked off: in raw characters, or in those of
# `plain`. Signs that may be cards, or begin them, are marks only with a blank behind them.
_MARK = re.compile(
    "(?:[>\uff1e]\\s*|[$*%+\u2013\u2014\u2192\u21d2\u25a0-\u25ff\u2610-\u2612\u2705\u2713\u2714\u2794\u279c\u27a1-]\ufe0f?\\s+"
    "|[\u2022\u2023\u2043\u25aa\u25cf\u25e6\u30fb\uff65\u2460-\u2473]\\s*|\\[[ xX]?\\]\\s+|\\[\\d{1,3}\\]\\s+"
    "|[(\uff08]?(?:\\d{1,3}|[a-z])(?:[.)]\\s+|[\uff0e\uff09]\\s*))+(?=[^\\s-])"
)


def mark_of(line: str) -> str:
    """Return the marks of a quoted or listed line at its start, such as ``> ``, ``- [ ] `` or ``1. ``, or ""."""
    found = _MARK.match(line)
    return found[0] if found else ""


_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,12});", re.IGNORECASE)
_LINKED = re.compile(
    r"<a\b[^<>]{0,200}?\bhref\s*=\s*[\"']?([^\s\"'<>]+)[\"']?[^<>]{0,200}>(?:[^<>]*</a>)?|<(https?://[^\s|<>]+)\|[^<>]*>",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"</?(?:(br|p|li|div|tr|td|th|pre|h[1-6]|blockquote)|b|i|u|s|a|em|strong|code|kbd|samp|tt|span|font|mark|small|sub"
    r"|sup|ol|ul|table|tbody|thead|html|body)(?:\s[^<>]{0,400})?/?>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*+(?:`{3,}|~{3,})[ \t]*+\w*+[ \t]*+$", re.MULTILINE)
_SIGNATURE = re.compile(r"(?:^|\n)-- ?\n.*\Z", re.DOTALL)


def unwrapped(text: str) -> str:
    """Return a text without what a program puts around what is copied from it.

    These are tags and entities of HTML (of a link, its address stays), fences of Markdown, and a mail's signature.
    """
    if "<" in text:
        text = _LINKED.sub(lambda link: f" {link[1] or link[2]} ", text)
        text = _TAG.sub(lambda tag: "\n" if tag[1] else "", text)
    if "&" in text:
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("", text)
    return _SIGNATURE.sub("", text) if "--" in text else text


def length_of_plain(text: str) -> int:
    """Return about how many characters `plain` makes of a text: one may become eighteen."""
    counts = Counter(text)
    return sum(count * len(unicodedata.normalize("NFKC", letter)) for letter, count in counts.items())


# What else people call our own games, without blanks.
OTHER_NAMES = {
    "alchemy": "アルケミー 錬金術",
    "king": "king×alchemy キング キング×アルケミー キング×アルケミー研究所",
    "kirin": "麒麟 キリン きりん",
    "aqua-regia": "aquaregia 王水 アクアレギア アクア・レギア",
}
_GAMES = {plain(word): game for game, words in OTHER_NAMES.items() for word in words.split()}
_LONGEST_NAME = 100  # letters


def game_typed(name: str) -> str:
    """Return the name of a game as a person may have typed it in the spelling of names.

    So for ``Aqua Regia``, and for what our own games are called in Japanese, ``王水``.
    """
    words = plain(name[:_LONGEST_NAME]).lower().replace("_", " ").split()
    return _GAMES.get("".join(words), "-".join(words))


# ----------------------------------------------------------------------------------------------------
# Bytes as text.
#
# Programs write UTF-8, with or without a byte order mark; Windows PowerShell writes UTF-16 with one; spreadsheets
# in Japan write Shift JIS as Windows does (CP932). Only the last has to be guessed, since nearly all bytes are
# some text in it: Latin-1's "Säure" is "S舫re". It is believed only where Japanese words are the rule.


_MARKED = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_FOREIGN = re.compile(r"[^\x00-\x7f]+")  # a word, as far as it isn't ASCII
_HALF_WIDTH = re.compile(r"[\uff61-\uff9f]")
_KANA = re.compile(r"[\u3041-\u30fa]")
_USUAL = (0x81, 0xA0)  # the first bytes of usual characters
_MOST_WRONG = 4  # as many words that can't be Japanese as words that are: names of cards may be A金
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffe\uffff]")
_MOST_NAMES = 8  # that were guessed, of those that are shown
_MOST_WORDS = 1000  # that are looked at, and
_LONGEST_WORD = 20  # letters of each: more would say the same


class Read(str):
    """Text read from bytes. `names` are words of it, to be shown to a person, if its encoding was guessed.

    Lines that all end with CR, as some programs on a Mac write them, end with LF.
    """

    names: tuple[str, ...] = ()

    def __new__(cls, text: str = "") -> Read:
        return super().__new__(cls, text if "\n" in text else text.replace("\r", "\n"))


def decoded(content: bytes | str) -> Read:
    """Return the text in the bytes of a file: UTF-8, UTF-16 with a byte order mark, or CP932, which is guessed.

    Text is kept as it is, but for a mark. Raises PositionError ("invalid_text"), which says what to do instead,
    for any other encoding.
    """
    if isinstance(content, str):
        return content if isinstance(content, Read) else Read(content.removeprefix("\ufeff"))
    content = content.removesuffix(b"\x1a")  # the end of a file, as programs of DOS wrote it
    for mark, encoding in _MARKED:
        if content.startswith(mark):
            return _in(content[len(mark) :], encoding)
    if content.startswith(b"PK\x03\x04"):
        raise _refused(say("this is no text, but packed as spreadsheets keep their own files"))
    if b"\x00" in content:
        raise _refused(say("this is no text, or UTF-16 without a mark that says so"))
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        return _guessed(content, error)
    if "\x1b$" in text:
        raise _refused(say("it seems to be {encoding}", encoding="ISO-2022-JP"))
    return Read(text)


def is_utf16(content: bytes) -> bool:
    """Whether bytes begin with the byte order mark of UTF-16."""
    return content.startswith((b"\xff\xfe", b"\xfe\xff"))


def _in(content: bytes, encoding: str) -> Read:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _refused(_not(encoding.upper()[:6].rstrip("-"), error)) from None
    if "\x00" in text:
        raise _refused(say("this is no text"))
    return Read(text)


def _guessed(content: bytes, error: UnicodeDecodeError) -> Read:
    try:
        text = Read(content.decode("cp932"))
    except UnicodeDecodeError:
        text = Read()
    if not text or _is(content, "EUC-JP") or not _is_japanese(text):
        others = (encoding for encoding in ("EUC-JP", "Latin-1") if _is(content, encoding))
        seems = [say("it seems to be {encoding}", encoding=encoding) for encoding in islice(others, 1)]
        raise _refused("; ".join([_not("UTF-8", error), *seems]))
    names = dict.fromkeys(word[0][:_LONGEST_WORD] for word in _words(text))
    text.names = tuple(islice(names, _MOST_NAMES))
    return text


def _not(encoding: str, error: UnicodeDecodeError) -> str:
    line = len(error.object[: error.start + 1].splitlines())
    return say(
        "this is not {encoding}: {reason} in line {line}",
        encoding=encoding,
        reason=translated(error.reason),
        line=line,
    )


def _refused(why: str) -> PositionError:
    message = say("{why}. Save it as UTF-8: a spreadsheet calls it “CSV UTF-8”", why=why)
    return PositionError("invalid_text", message)


def _is(content: bytes, encoding: str) -> bool:
    try:
        return not _NO_TEXT.search(content.decode(encoding))
    except UnicodeDecodeError:
        return False


def _words(text: str) -> Iterator[re.Match[str]]:
    return islice(_FOREIGN.finditer(text), _MOST_WORDS)


def _is_japanese(text: str) -> bool:
    """Whether Japanese words are the rule.

    They have kana, or usual kanji beside no Latin letter. Other alphabets become single kanji within Latin words,
    rare kanji (whose bytes are accented letters) and letters of half width.
    """
    if _NO_TEXT.search(text):
        return False
    right = wrong = 0
    for word in _words(text):
        start, end = word.span()
        if _KANA.search(word[0]):
            right += 1
        elif text[start - 1 : start].isalpha() or text[end : end + 1].isalpha() or _HALF_WIDTH.search(word[0]):
            wrong += 1
        else:
            letters = word[0][:_LONGEST_WORD]
            right += any(_USUAL[0] <= letter.encode("cp932")[0] < _USUAL[1] for letter in letters)
    return right > 0 and wrong <= _MOST_WRONG * right


def names_read(read: Iterable[str]) -> str:
    """Return a sentence that shows the words of a text whose encoding was guessed."""
    return say(
        "read as Shift JIS (CP932): {names} … If these are wrong, save the file as UTF-8.", names=", ".join(read)
    )


# ----------------------------------------------------------------------------------------------------
# Tables as CSV, which spreadsheets open as they are: with a byte order mark, and without cells that are formulas.


_FORMULA = "=+-@\t\r\uff1d\uff0b\uff0d\uff20"  # the last four in full width
_TEXT_MARK = "'"  # in front of a cell that would be a formula
_AS_TEXT = re.compile(r'="([^"]*)"')  # how some programs write a text that looks like a number
_NAMED_SEPARATOR = re.compile(r'"?sep=(.)"?\n', re.IGNORECASE)


def write_csv(file: TextIO, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a table, given row by row, to a file that was opened for UTF-8 and with ``newline=""``."""
    file.write("\ufeff")
    table = csv.writer(file, lineterminator="\n")
    table.writerow(columns)
    for row in rows:
        table.writerow([_no_formula(row.get(column, "")) for column in columns])


def _no_formula(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell[:1] in _FORMULA and cell not in ("", "-")
    return f"{_TEXT_MARK}{cell}" if is_formula else cell


def separator_of(text: str) -> tuple[str | None, str]:
    """Return the separator that the first line of a CSV names (``sep=;``), or None; and the text.

    Its ends of lines are those of Unix, and a line that named the separator is empty.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    named = _NAMED_SEPARATOR.match(text)
    return (None, text) if named is None else (named[1], "\n" + text[named.end() :])


def read_csv(text: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line of a CSV, from 1, and its cells, without blanks around them.

    Raises PositionError, with the line for its path, where that is no CSV.
    """
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=separator, skipinitialspace=True)
    try:
        for cells in reader:
            yield reader.line_num, list(map(_cell, cells))
    except csv.Error as error:
        message = say("the table cannot be read: {why}", why=reason_of(error))
        raise PositionError("invalid_text", message, f"line {reader.line_num}") from None


def _cell(cell: str) -> str:
    cell = cell.strip()
    if cell[:1] == _TEXT_MARK and cell[1:2] in _FORMULA:
        return cell[1:]
    as_text = _AS_TEXT.fullmatch(cell)
    return as_text[1] if as_text else cell


# ----------------------------------------------------------------------------------------------------
# Values in TOML, each on one line.


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')


def toml_value(value: object) -> str:
    """Return a value as TOML; raises TypeError for one that TOML does not have."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(key)} = {toml_value(held)}" for key, held in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if is_list(value):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    raise TypeError(f"no TOML for {value!r}")


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether a value is a list in TOML and JSON."""
    return isinstance(value, Sequence) and not isinstance(value, str)


def toml_key(key: str) -> str:
    """Return a key as TOML, in quotes if it needs them."""
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"


def _string(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'
