"""Tests of sentences in the asked language."""

from solver.language import accepted, language, say, say_many, sentences, speaking
from tests.support.templates import calls, places


def test_a_sentence_is_filled_in_and_english_by_default() -> None:
    assert say("{card} beats {other}.", card="D6", other="D4") == "D6 beats D4."
    assert say_many("{count} card", "{count} cards", 1) == "1 card"
    assert say_many("{count} card", "{count} cards", 2) == "2 cards"


def test_a_language_holds_within_its_block() -> None:
    with speaking("ja"):
        assert language() == "ja"
    assert language() == "en"


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


def test_japanese_sentences_follow_one_another_without_a_space() -> None:
    assert sentences("One.", "Two.") == "One. Two."
    assert sentences("一つ。", "二つ。") == "一つ。二つ。"
