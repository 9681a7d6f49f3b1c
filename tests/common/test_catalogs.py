"""The catalogs of translations: complete, with the same places, and compiled as they stand."""

from __future__ import annotations

import re
import string

import pytest

from solver.language import say, say_many, speaking
from tests.catalog import TRANSLATED, compiled, kept, po_file, template_catalog


def places(text: str) -> set[str]:
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


def texts(found: object) -> tuple[str, ...]:
    """The forms of a message or of its translation: several, where it has a plural."""
    return tuple(map(str, found if isinstance(found, list | tuple) else (found or "",)))


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalog_is_complete(language: str) -> None:
    catalog, source = kept(language), template_catalog()
    wanted = {message.id for message in source if message.id}
    there = {message.id for message in catalog if message.id and all(texts(message.string))}
    assert sorted(map(str, wanted - there)) == []
    assert sorted(map(str, there - wanted)) == [], "python -m tests.catalog takes these out"


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_places_of_the_source(language: str) -> None:
    for message in kept(language):
        ids = texts(message.id)
        if not message.id or not re.search(r"\{\w", ids[-1]):
            continue
        for text in texts(message.string):
            assert places(text) - {"count"} == places(ids[-1]) - {"count"}, ids[0]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalog_is_that_of_the_source(language: str) -> None:
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled(kept(language))


def test_sentences_are_said_in_japanese() -> None:
    with speaking("ja"):
        assert say("the round is over") != "the round is over"
        assert "2" in say_many("{count} entry taken back.", "{count} entries taken back.", 2)
