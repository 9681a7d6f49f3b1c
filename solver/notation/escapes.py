"""Texts inside a line: what a shell, a link or the line itself would read as something else is escaped.

A character that is no letter or digit of ASCII and none of ``_ . + -`` is written as the bytes of its UTF-8, each
as ``%`` and two hexadecimal digits, as in a link. A text that is a hyphen alone is escaped too: it means nothing.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

NOTHING = "-"


def escaped(text: str, keep: str = "") -> str:
    """A text as it stands in a line; the characters of `keep` stay as they are."""
    if text == NOTHING:
        return "%2D"
    return quote(text, safe="+" + keep).replace("~", "%7E")


def unescaped(text: str) -> str:
    """The text that stands in a line. What follows a ``%`` and is no escape stays as it is."""
    return unquote(text) if "%" in text else text
