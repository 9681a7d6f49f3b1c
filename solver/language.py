"""Sentences for people in the requested language: gettext catalogs keyed by the English sentences.

A sentence is a template with named placeholders, ``say("{card} is the only legal card.", card="D6")``, so that
translators see it whole and can reorder it. Codes, keys and card codes are the same in every language.

A seat in a sentence is named as the reader knows it: "seat 2", a name, or "you". ``{seat:who}`` is the name, which
``{seat:Who}`` begins with a capital, and ``{seat:has|have}`` is the form for somebody else or for "you".
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from unicodedata import normalize

LANGUAGES = ("en", "ja")
_LONGEST_TAG = 100  # letters that are read: of a megabyte, normalizing alone could take minutes
CATALOGS = Path(__file__).with_name("locale")
_language: ContextVar[str | None] = ContextVar("language", default=None)
_usual = LANGUAGES[0]  # the language outside `speaking`


class Voice(str):
    """A language, and the players' names by seat: "" for the reader. Seats without a name are numbered."""

    names: tuple[str, ...] = ()


def voiced(name: str, names: Sequence[str]) -> Voice:
    """Return a language in which the players have these names."""
    voice = Voice(name)
    voice.names = tuple(names)
    return voice


def called(seat: int) -> str:
    """Return what a seat is called: its name, "you", or "seat 2"."""
    if is_reader(seat):
        return translated("you")
    named = names()
    return named[seat] if seat < len(named) else translated("seat {seat}").format(seat=seat)


def is_reader(seat: int) -> bool:
    return "" in names()[seat : seat + 1]


def names() -> tuple[str, ...]:
    """Return the current names of the players, as in `Voice`."""
    voice = language()
    return voice.names if isinstance(voice, Voice) else ()


def capital(text: str) -> str:
    """Return the text with a capital letter at its beginning, as a sentence begins."""
    return text[0].upper() + text[1:]


class _Sentence(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec in ("who", "Who"):
            who = called(int(str(value)))
            return capital(who) if format_spec == "Who" else who
        if "|" in format_spec:
            return format_spec.split("|")[is_reader(int(str(value)))]
        return str(format(value, format_spec))


_SENTENCE = _Sentence()


def say(template: str, /, **values: object) -> str:
    """Return the sentence `template` in the current language, with `values` for its ``{placeholders}``."""
    return _SENTENCE.vformat(_catalog(language()).gettext(template), (), values)


def say_many(one: str, many: str, count: int, /, **values: object) -> str:
    """Return `one` (singular) or `many` (plural) in the current language, filling in `count` and `values`."""
    catalog = _catalog(language())
    text = catalog.gettext(catalog.ngettext(one, many, count))  # the forms may be in the catalog one by one
    return _SENTENCE.vformat(text, (), {"count": count, **values})


def say_of(what: str, text: str, /) -> str:
    """Translate an ambiguous text without placeholders; `what` is its context."""
    return _catalog(language()).pgettext(what, text)


def translated(text: str) -> str:
    """Translate text without placeholders; none is none, although a catalog keeps its own data under no text."""
    return text and _catalog(language()).gettext(text)


def sentences(*texts: str) -> str:
    """Join sentences, with spaces between them except in Japanese."""
    return " ".join(texts).replace("。 ", "。")


AND = " · "


def joined(*parts: str) -> str:
    """Return the title of a puzzle that is made of these parts, which are translated one by one."""
    return AND.join(parts)


def titled(title: str) -> str:
    """Translate the title of a puzzle, part by part; parts without a translation are kept."""
    return AND.join(map(translated, title.split(AND)))


def language() -> str:
    """Return the current language, one of `LANGUAGES`."""
    return _language.get() or _usual


def use(name: str) -> None:
    """Make `name`, one of `LANGUAGES`, the language of this process, in all its threads."""
    global _usual
    _usual = name


def speak(name: str | None) -> None:
    """Make `name`, one of `LANGUAGES`, the language of this thread or task; None for that of the process."""
    _language.set(name)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Within this context, make `name`, one of `LANGUAGES`, the current language of this thread or task."""
    token = _language.set(name)
    try:
        yield
    finally:
        _language.reset(token)


def named(tag: str) -> str | None:
    """Return the language of a tag such as ``ja-JP``, ``JA`` or ``ja_JP.UTF-8``; None if it is none of ours."""
    name = re.split("[-_.@]", normalize("NFKC", tag[:_LONGEST_TAG]).strip().lower(), maxsplit=1)[0]
    return name if name in LANGUAGES else None


def accepted(header: str) -> str:
    """Return the language preferred by ``Accept-Language``, ``LANGUAGE`` or ``LANG``; English by default."""
    return _accepted(header[:1000])


@lru_cache(maxsize=256)
def _accepted(header: str) -> str:
    wanted: list[tuple[float, int, str | None]] = []
    for index, part in enumerate(re.split("[,:]", header)):
        name, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            quality = 0.0
        wanted.append((-quality, index, named(name)))
    wanted.sort(key=lambda one: one[:2])
    return next((name for quality, _, name in wanted if quality < 0 and name), "en")


@cache
def _catalog(name: str) -> gettext.NullTranslations:
    return gettext.translation("athanor", CATALOGS, [name], fallback=True)


class _Words(gettext.NullTranslations):
    """Sentences with their translations, of which the catalog has none."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self._words = words

    def gettext(self, message: str) -> str:
        return self._words.get(message) or super().gettext(message)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def add_words(name: str, words: Mapping[str, str]) -> None:
    """Add translations into a language, by what they translate: those of a game of another package."""
    _catalog(name).add_fallback(_Words(words))
