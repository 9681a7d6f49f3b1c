"""The catalogs of translations: complete, with the same places, and compiled as they stand."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

import pytest

from solver.answers import Cause
from solver.games.alchemy import duel, hidden_stock
from solver.games.aqua_regia import reasons as aqua_regia
from solver.games.king import reasons as king
from solver.games.kirin import reasons as kirin
from solver.hints.causes import SHARES, Predicate
from solver.language import say, say_many, speaking
from solver.tricks import causes as tricks
from solver.tricks import plain
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


def predicates() -> Iterator[Predicate[Any]]:
    """The rows of all tables of causes."""
    for module in (tricks, plain, aqua_regia, king, kirin, duel, hidden_stock):
        for table in vars(module).values():
            if isinstance(table, tuple):
                yield from (row for row in table if isinstance(row, Predicate))


# How sentences name a cause's shares.
SHARED = {before + name for before in ("", "other_") for name in SHARES}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_cause_can_be_said(language: str) -> None:
    rows, catalog = list(predicates()), kept(language)
    assert len({row.code for row in rows}) > 60
    for row in rows:
        assert places(row.sentence) <= set(Cause.model_fields) | SHARED | {"amount"}, row.code
        message = catalog.get(row.sentence)
        assert message is not None, row.sentence
        assert message.string, row.sentence


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
