"""Languages: sentences in the asked one, and the catalogs of translations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from solver.answers import Cause
from solver.common import counted, seats_named
from solver.games.alchemy import duel, hidden_stock
from solver.games.aqua_regia import reasons as aqua_regia
from solver.games.king import reasons as king
from solver.games.kirin import reasons as kirin
from solver.hints.causes import SHARES, Predicate
from solver.language import accepted, language, say, say_many, sentences, speaking, titled, translated, voiced
from solver.tricks import causes as tricks
from solver.tricks import hint as plain
from tests.catalog import TAKING, TRANSLATED, compiled, kept, po_file, template_catalog
from tests.support.templates import calls, name_of, places, sources


def test_a_sentence_is_filled_in_and_english_by_default() -> None:
    assert say("{card} beats {other}.", card="D6", other="D4") == "D6 beats D4."
    assert say_many("{count} card", "{count} cards", 1) == "1 card"
    assert say_many("{count} card", "{count} cards", 2) == "2 cards"


def test_a_language_holds_within_its_block() -> None:
    with speaking("ja"):
        assert language() == "ja"
    assert language() == "en"


def test_seats_are_called_what_the_reader_calls_them() -> None:
    template = (
        "{seat:who} {seat:has|have} passed and drawn {drawn}: {seat:it|you} may exchange a card, or pass without"
    )

    def drawn(seat: int) -> str:
        return say(template, seat=seat, drawn="Na").split(":")[0]

    assert drawn(1) == "seat 1 has passed and drawn Na"
    assert say("{seat:Who} {seat:goes|go} out first and {seat:wins|win}.", seat=1).startswith("Seat 1 goes out")
    with speaking(voiced("en", ["", "Geber"])):
        assert [drawn(seat) for seat in range(3)] == [
            "you have passed and drawn Na",
            "Geber has passed and drawn Na",
            "seat 2 has passed and drawn Na",
        ]
        assert (
            say("{seat:Who} {seat:goes|go} out first and {seat:wins|win}.", seat=0) == "You go out first and win."
        )
        assert (seats_named([1]), seats_named([1, 2, 3])) == ("Geber", "Geber, seat 2 and seat 3")
    with speaking(voiced("ja", ["", "ゲーベル"])):
        assert say(template, seat=0, drawn="Na").startswith("あなたはパスしてNaを引きました。")
        assert say(template, seat=1, drawn="Na").startswith("ゲーベルはパスしてNaを引きました。")


def test_headers_and_locales_name_a_language() -> None:
    for japanese in ("ja", "ja_JP.UTF-8", "fr, ja;q=0.8, en;q=0.5"):
        assert accepted(japanese) == "ja"
    for english in ("en-GB,ja;q=0.9", "", "C", "ja;q=x", "ja;q=0"):
        assert accepted(english) == "en"


# What is said here stands in tables of predicates and units of the games.
OF_TABLES = {"solver/hints/causes.py", "solver/hints/ranking.py"}


def test_every_sentence_has_what_its_places_name() -> None:
    wrong = []
    for call in calls():
        if not call.templates and call.place.split(":")[0] not in OF_TABLES:
            wrong.append(f"{call.place}: no template is found")
        for template in call.templates if call.keywords is not None else ():
            given = {*(call.keywords or ()), *({"count"} if call.name == "say_many" else ())}
            if None not in given and not places(template) <= given:
                wrong.append(f"{call.place}: {template}")
    assert not wrong


def test_the_catalog_knows_which_functions_are_given_what_they_say() -> None:
    """Else their sentences stay in English, and nobody notices."""
    unknown = set()
    for path, tree, _ in sources():
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef) or function.name in TAKING or path in OF_TABLES:
                continue
            given = {argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]}
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and name_of(call.func) in ("say", "say_many"):
                    unknown |= {f"{path}: {function.name}" for one in call.args[:2] if name_of(one) in given}
    assert not unknown


def test_japanese_sentences_follow_one_another_without_a_space() -> None:
    assert sentences("One.", "Two.") == "One. Two."
    assert sentences("一つ。", "二つ。") == "一つ。二つ。"


# ----------------------------------------------------------------------------------------------------
# Words of messages: one thing is not several.


def test_counted() -> None:
    assert [counted(number, "card") for number in range(3)] == ["0 cards", "1 card", "2 cards"]


# ----------------------------------------------------------------------------------------------------
# The catalogs of translations: complete, with the same places, and compiled as they stand.


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
        assert places(row.sentence) <= set(Cause.model_fields) | SHARED | {"amount", "other_amount"}, row.code
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


@pytest.mark.parametrize("name", TRANSLATED)
def test_no_text_is_translated_by_none(name: str) -> None:
    """A catalog keeps its own data under an empty text: puzzles without a grade or title were printed with it."""
    with speaking(name):
        assert (translated(""), titled(""), titled("A ·  · B")) == ("", "", "A ·  · B")
