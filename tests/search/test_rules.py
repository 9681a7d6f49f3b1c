"""The records in which games hand over their rules: what is missing, wrong or too wide is an error at once."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import Any

import pytest

from solver.games.aqua_regia import search as aqua_regia_search
from solver.games.king import search as king_search
from solver.games.kirin import search
from solver.limits import Control
from solver.search.fail_soft import FailSoftProver, FailSoftRules
from solver.search.rules import Rules
from solver.search.score_search import Parts, ScoreProver, score_search
from solver.search.trick_rules import ScoreRules, SearchRules
from tests.hints import toy_tricks

TOY = toy_tricks.search().rules
RECORDS: list[Rules] = [TOY, search.search().rules, king_search.search().rules, aqua_regia_search.search().rules]


def given(rules: Rules) -> dict[str, Any]:
    return {field.name: getattr(rules, field.name) for field in fields(rules)}


def changed(rules: Rules, name: str, value: Any) -> Rules:
    return type(rules)(**{**given(rules), name: value})


@pytest.mark.small
@pytest.mark.parametrize("rules", RECORDS, ids=lambda rules: rules.game)
def test_a_missing_rule_is_named(rules: Rules) -> None:
    defaults = {field.name for field in fields(type(rules)) if field.default is not field.default_factory}
    for name in given(rules):
        some = {other: value for other, value in given(rules).items() if other != name}
        if name in defaults:
            type(rules)(**some)
        else:
            with pytest.raises(TypeError, match=f"'{name}'"):
                type(rules)(**some)


@pytest.mark.small
@pytest.mark.parametrize("rules", RECORDS, ids=lambda rules: rules.game)
def test_a_rule_of_the_wrong_kind_is_named(rules: Rules) -> None:
    for name, value in given(rules).items():
        if name == "game":
            continue
        for wrong in (None, "a text", -1, 0, lambda: 0):
            with pytest.raises((TypeError, ValueError), match=f"of '{rules.game}': {name} is a "):
                changed(rules, name, wrong)
        assert changed(rules, name, value) == rules


@pytest.mark.small
def test_parameters_are_counted() -> None:
    with pytest.raises(TypeError, match=r"key is a kernel of \(deal, state, at\), not of \(deal, state, at, .*\)"):
        changed(TOY, "key", TOY.play)


@pytest.mark.small
@pytest.mark.parametrize(("key_bits", "point_bits", "fits"), [(59, 4, True), (60, 4, False), (40, 12, False)])
def test_what_does_not_fit_the_words_of_the_search(key_bits: int, point_bits: int, fits: bool) -> None:
    if fits:
        replace(TOY, key_bits=key_bits, point_bits=point_bits)
        return
    with pytest.raises(ValueError, match="ScoreRules of 'toy'"):
        replace(TOY, key_bits=key_bits, point_bits=point_bits)


@pytest.mark.small
def test_two_searches_have_two_names() -> None:
    with pytest.raises(ValueError, match="another search has this name"):
        score_search(replace(TOY, key_bits=41))
    assert score_search(TOY).rules == TOY


@pytest.mark.small
def test_what_a_game_leaves_out_is_filled_in() -> None:
    names = TOY.instances().names
    for left_out in ("settle", "estimate", "finish", "assured"):
        assert names[left_out] is not getattr(TOY, left_out)
    for own in ("moves", "choices"):
        assert names[own] is getattr(TOY, own)
    assert names["KEY_BITS"] == TOY.key_bits
    assert "game" not in names
    assert isinstance(TOY, SearchRules)
    assert issubclass(FailSoftRules, SearchRules)


def states(count: int) -> list[toy_tricks.Round]:
    return [toy_tricks.started(seed, random.Random(seed).randrange(4, 8)) for seed in range(count)]


def test_a_key_that_is_too_wide_is_an_error() -> None:
    """Not a wrong value: the game said 24 bits, and its keys take more."""
    narrow = score_search(replace(TOY, game="toy_narrow", key_bits=24))
    assert isinstance(TOY, ScoreRules)
    prover = ScoreProver(narrow, 1)
    for state in states(3):
        deal, node = toy_tricks.encode(state)
        with pytest.raises(OverflowError, match=r"toy_narrow: a key of the search takes [23]. bits"):
            prover.values(deal, node, Control())
        with pytest.raises(OverflowError, match="a key of the search"):
            prover.ask(deal, node, 2, Control())


@pytest.mark.small
@pytest.mark.parametrize("small", [1, 8])
def test_a_question_may_need_nothing(small: int) -> None:
    prover = ScoreProver(toy_tricks.search(), 1, parts=Parts(small=small))
    for state in states(3):
        deal, node = toy_tricks.encode(state)
        assert prover.ask(deal, node, 0, Control()) is True
        assert prover.ask(deal, node, -2, Control()) is True


@pytest.mark.small
def test_a_worth_out_of_range_is_not_asked_about() -> None:
    prover = FailSoftProver(king_search.search(), 1)
    for need in (-1, 1 << 27):
        with pytest.raises(OverflowError):
            prover.ask(prover.deal, prover.table, need, Control())
