"""Text from outside: what people type where codes and numbers are expected, and the bytes that programs write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from solver.errors import PositionError
from solver.language import say

# ----------------------------------------------------------------------------------------------------
# What people type where codes, keys and numbers are expected: on a Japanese keyboard, or pasted from anywhere.


_PIECE = 256  # characters normalized at a time: the time for combining marks grows with the square of their number
_DASHES = "\u02d7\u1806\u2043\u2212\u2500\u2501\u2796\u2e3a\u2e3b\u30a0\u30fc" + "".join(
    map(chr, range(0x2010, 0x2016))
)
_INVISIBLE = [
    0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF,
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),  # zero width, and directions
    *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),  # which picture of a character is drawn
]  # fmt: skip
_PLAIN = {
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, "\u3001\uff64\u060c"), ","),
    **dict.fromkeys(_INVISIBLE, None),
}


def plain(text: str) -> str:
    """Return typed text in the characters of codes, keys and numbers: ``Ｄ６、Ｇ−`` is ``D6,G-``.

    Full-width letters, digits and signs become ASCII (NFKC), every comma ``,`` and every dash ``-``; invisible
    characters are left out. Only for codes, keys, numbers and what separates them: names and titles stay as a
    person wrote them.
    """
    if text.isascii():
        return text
    pieces = (unicodedata.normalize("NFKC", text[at : at + _PIECE]) for at in range(0, len(text), _PIECE))
    return "".join(pieces).translate(_PLAIN)


# ----------------------------------------------------------------------------------------------------
# Bytes as text.
#
# Programs write UTF-8, with or without a byte order mark; Windows PowerShell writes UTF-16 with one; spreadsheets
# in Japan write Shift JIS as Windows does (CP932). Only the last has to be guessed, since nearly all bytes are
# some text in it: Latin-1's "Säure" is "S舫re". It is believed only where Japanese words are the rule.


_MARKED = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_FOREIGN = re.compile(r"[^\x00-\x7f]+")  # a word, as far as it isn't ASCII
_HALF_WIDTH = re.compile(r"[\uff61-\uff9f]+")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffe\uffff]")
_MOST_NAMES = 8  # that were guessed, of those that are shown


class Read(str):
    """Text read from bytes. `names` are words of it, to be shown to a person, if its encoding was guessed."""

    names: tuple[str, ...] = ()


def decoded(content: bytes) -> Read:
    """Return the text in the bytes of a file: UTF-8, UTF-16 with a byte order mark, or CP932, which is guessed.

    Raises PositionError ("invalid_text"), which says what to do instead, for any other encoding.
    """
    for mark, encoding in _MARKED:
        if content.startswith(mark):
            return _in(content[len(mark) :], encoding)
    try:
        text = content.decode()
    except UnicodeDecodeError as found:
        return _guessed(content, found)
    if "\x00" in text or "\x1b$" in text:
        encoding = "UTF-16" if "\x00" in text else "ISO-2022-JP"
        raise _refused(say("this seems to be {encoding} without a mark that says so", encoding=encoding))
    return Read(text)


def is_utf16(content: bytes) -> bool:
    """Whether bytes begin with the byte order mark of UTF-16."""
    return content.startswith((b"\xff\xfe", b"\xfe\xff"))


def _in(content: bytes, encoding: str) -> Read:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as found:
        raise _refused(_not(encoding.upper()[:6].rstrip("-"), found)) from None
    if "\x00" in text:
        raise _refused(say("this is no text"))
    return Read(text)


def _guessed(content: bytes, found: UnicodeDecodeError) -> Read:
    try:
        text = Read(content.decode("cp932"))
    except UnicodeDecodeError:
        text = Read()
    if not text or not _is_japanese(text):
        seems = ""
        if _is(content, "euc_jp"):
            seems = say("it seems to be EUC-JP")
        elif not _NO_TEXT.search(content.decode("cp1252", "replace").replace("\ufffd", "\x00")):
            seems = say("it seems to be Latin-1")
        why = _not("UTF-8", found)
        raise _refused(say("{why}; {seems}", why=why, seems=seems) if seems else why)
    if _is(content, "euc_jp"):
        raise _refused(say("{why}; {seems}", why=_not("UTF-8", found), seems=say("it seems to be EUC-JP")))
    text.names = tuple(dict.fromkeys(_FOREIGN.findall(text)))[:_MOST_NAMES]
    return text


def _not(encoding: str, found: UnicodeDecodeError) -> str:
    return say(
        "this is not {encoding}: {reason} at byte {start}",
        encoding=encoding,
        reason=found.reason,
        start=found.start,
    )


def _refused(why: str) -> PositionError:
    message = say("{why}. Save it as UTF-8: a spreadsheet calls it “CSV UTF-8”", why=why)
    return PositionError("invalid_text", message)


def _is(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _is_japanese(text: str) -> bool:
    """Whether Japanese words are the rule: not single characters within Latin words, nor of half width."""
    if _NO_TEXT.search(text):
        return False
    right = wrong = 0
    for word in _FOREIGN.finditer(text):
        start, end = word.span()
        within = text[start - 1 : start].isalpha() or text[end : end + 1].isalpha()
        if end - start == 1 and (within or _HALF_WIDTH.fullmatch(word[0])):
            wrong += 1
        elif not _HALF_WIDTH.fullmatch(word[0]):
            right += 1
    return right > wrong


def names_read(read: Iterable[str]) -> str:
    """Return a sentence that shows the words of a text whose encoding was guessed."""
    return say(
        "read as Shift JIS (CP932): {names} … If these are wrong, save the file as UTF-8.", names=", ".join(read)
    )
