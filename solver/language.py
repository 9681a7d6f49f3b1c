"""Sentences for people in the requested language: gettext catalogs keyed by the English sentences.

A sentence is a template with named places, ``say("{card} is the only legal card.", card="D6")``, so that
translators see it whole and can reorder it. Codes, keys and card codes are the same in every language.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "ja")
CATALOGS = Path(__file__).with_name("locale")
_language: ContextVar[str | None] = ContextVar("language", default=None)
_usual = LANGUAGES[0]  # the language outside `speaking`


def say(template: str, /, **values: object) -> str:
    """The sentence `template` in the current language, its ``{places}`` filled with `values`."""
    return _catalog(language()).gettext(template).format(**values)


def say_many(one: str, many: str, count: int, /, **values: object) -> str:
    """`one` or `many` in the current language, depending on `count`, which fills ``{count}``."""
    catalog = _catalog(language())
    text = catalog.gettext(catalog.ngettext(one, many, count))  # the forms may be in the catalog one by one
    return text.format(count=count, **values)


def say_of(what: str, text: str, /) -> str:
    """The translation of an ambiguous `text` without places; `what` is the context."""
    return _catalog(language()).pgettext(what, text)


def translated(text: str) -> str:
    """The translation of text without places."""
    return _catalog(language()).gettext(text)


def sentences(*texts: str) -> str:
    """Sentences one after another. Japanese has no space between them."""
    return " ".join(texts).replace("。 ", "。")


AND = " · "


def joined(ideas: Sequence[str]) -> str:
    """The title of a puzzle: its first two themes, joined."""
    return AND.join(ideas[:2])


def titled(title: str) -> str:
    """A title in the current language, as far as the catalog has its themes or the whole title."""
    return AND.join(map(translated, title.split(AND)))


def language() -> str:
    """The current language, one of `LANGUAGES`."""
    return _language.get() or _usual


def use(name: str) -> None:
    """Make `name`, one of `LANGUAGES`, the language of this process, in all its threads."""
    global _usual
    _usual = name


def speak(name: str | None) -> None:
    """Make `name`, one of `LANGUAGES`, the current language of this thread or task; None: that of the process."""
    _language.set(name)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Make `name`, one of `LANGUAGES`, the current language of this thread or task."""
    token = _language.set(name)
    try:
        yield
    finally:
        _language.reset(token)


def accepted(header: str) -> str:
    """The language preferred by an ``Accept-Language`` header or ``LANG``; English by default."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:1000].split(",")):
        name, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            quality = 0.0
        wanted.append((-quality, place, name.strip().lower().replace("_", "-").split("-")[0]))
    return next((name for quality, _, name in sorted(wanted) if quality < 0 and name in LANGUAGES), "en")


@cache
def _catalog(name: str) -> gettext.NullTranslations:
    return gettext.translation("athanor", CATALOGS, [name], fallback=True)
