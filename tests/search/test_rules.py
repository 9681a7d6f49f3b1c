"""What games hand over: records of rules, and the check of them."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import Any

import pytest

from solver.games.aqua_regia import search as aqua_regia_search
from solver.games.king import analyze as king_search
from solver.games.kirin import fast_rules, search
from solver.games.kirin.fast_rules import node_words
from solver.kernels.jit import inlined
from solver.kernels.words import Words
from solver.limits import Control
from solver.search.checks import check_rules
from solver.search.fail_soft import FailSoftProver, FailSoftRules
from solver.search.rules import PROOF_NUMBERS, Rules
from solver.search.score_search import Parts, ScoreProver, score_search
from solver.search.trick_rules import NEED, SWITCHES, ScoreRules, SearchRules, write_members
from tests.games.kirin.deals import full_deal
from tests.hints import toy_tricks
from tests.hints.toy_tricks import BEST, CARDS, HOLDER, LEADER, LIVE, PLAYED, legal, play, started
from tests.support.marks import in_python

pytestmark = pytest.mark.small

TOY = toy_tricks.search().rules
RECORDS: list[Rules] = [TOY, search.search().rules, king_search.search().rules, aqua_regia_search.search().rules]


def given(rules: Rules) -> dict[str, Any]:
    return {field.name: getattr(rules, field.name) for field in fields(rules)}


def changed(rules: Rules, name: str, value: Any) -> Rules:
    return type(rules)(**{**given(rules), name: value})


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


@pytest.mark.parametrize("rules", RECORDS, ids=lambda rules: rules.game)
def test_a_rule_of_the_wrong_kind_is_named(rules: Rules) -> None:
    for name, value in given(rules).items():
        if name == "game":
            continue
        for wrong in (None, "a text", -1, 0, lambda: 0):
            with pytest.raises((TypeError, ValueError), match=f"of '{rules.game}': {name} is a "):
                changed(rules, name, wrong)
        assert changed(rules, name, value) == rules


def test_parameters_are_counted() -> None:
    with pytest.raises(TypeError, match=r"key is a kernel of \(deal, state, at\), not of \(deal, state, at, .*\)"):
        changed(TOY, "key", TOY.play)


@pytest.mark.parametrize(("key_bits", "point_bits", "fits"), [(59, 4, True), (60, 4, False), (40, 12, False)])
def test_what_does_not_fit_the_words_of_the_search(key_bits: int, point_bits: int, fits: bool) -> None:
    if fits:
        replace(TOY, key_bits=key_bits, point_bits=point_bits)
        return
    with pytest.raises(ValueError, match="ScoreRules of 'toy'"):
        replace(TOY, key_bits=key_bits, point_bits=point_bits)


def test_two_searches_have_two_names() -> None:
    with pytest.raises(ValueError, match="another search has this name"):
        score_search(replace(TOY, key_bits=41))
    assert score_search(TOY).rules == TOY


def test_what_a_game_leaves_out_is_filled_in() -> None:
    names = TOY.instances().names
    for left_out in ("listed", "settle", "estimate", "finish", "assured"):
        assert names[left_out] is not getattr(TOY, left_out)
    for own in ("legal", "moves"):
        assert names[own] is getattr(TOY, own)
    assert names["KEY_BITS"] == TOY.key_bits
    assert "game" not in names
    assert isinstance(TOY, SearchRules)
    assert issubclass(FailSoftRules, SearchRules)


def states(count: int) -> list[toy_tricks.Round]:
    return [toy_tricks.started(seed, random.Random(seed).randrange(4, 8)) for seed in range(count)]


@in_python
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


@in_python
@pytest.mark.parametrize("small", [1, 8])
def test_a_question_may_need_nothing(small: int) -> None:
    prover = ScoreProver(toy_tricks.search(), 1, parts=Parts(small=small))
    for state in states(3):
        deal, node = toy_tricks.encode(state)
        assert prover.ask(deal, node, 0, Control()) is True
        assert prover.ask(deal, node, -2, Control()) is True


def test_a_worth_out_of_range_is_not_asked_about() -> None:
    prover = FailSoftProver(king_search.search(), 1)
    for need in (-1, 1 << 27):
        with pytest.raises(OverflowError):
            prover.ask(prover.deal, prover.table, need, Control())


# ----------------------------------------------------------------------------------------------------
# `check_rules` passes what games bring, and names the rule that is broken.


@inlined
def short_key(deal: Words, state: Words, at: int) -> int:
    """The cards alone: the leader is missing."""
    return int(state[at + LIVE] + 1)


@inlined
def twice(deal: Words, state: Words, at: int, out: Words, to: int) -> int:
    count = write_members(legal(deal, state, at), out, to)
    if count > 0:
        out[to + count] = out[to]
        count += 1
    return int(count)


@inlined
def generous(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    play(deal, state, at, child, to, move)
    child[to + NEED] -= 1


@inlined
def losing(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    play(deal, state, at, child, to, move)
    child[to + NEED] += 2


@inlined
def stubborn(deal: Words, state: Words, at: int) -> int:
    return -1


@inlined
def unordered(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    return write_members(legal(deal, state, at), out, to)


@in_python
@pytest.mark.parametrize("allies", [False, True])
def test_kirin(allies: bool) -> None:
    position = full_deal(random.Random(1))
    deal = fast_rules.deal_words(position.state, 0, position.colours[0], allies=allies)
    check_rules(search.search().rules, deal, node_words(position.state, deal), games=5)


@in_python
def test_the_toy_game() -> None:
    for seed in range(5):
        check_rules(TOY, *toy_tricks.encode(started(seed, seed)))


@in_python
@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("key", short_key, "key: .* is the key of two nodes"),
        ("key_bits", 8, r"key: .* below 2\*\*8"),
        ("point_bits", 2, "point_bits: too few for the 4 points"),
        ("listed", twice, "listed: a move twice"),
        ("most_moves", 2, "listed: .* most_moves says 2"),
        ("longest_line", 15, "longest_line: a game has more than 15 moves"),
        ("play", generous, "in_play: "),
        ("play", losing, "play: -.* points won"),
        ("settle", stubborn, "settle: not YES"),
        ("moves", unordered, "moves: begins with"),
    ],
)
def test_what_is_broken_is_named(name: str, wrong: Any, message: str) -> None:
    broken: dict[str, Any] = {name: wrong}
    with pytest.raises(ValueError, match=message):
        check_rules(replace(TOY, **broken), *toy_tricks.encode(started(1, 0)), games=200)


PARTS = ((LIVE, CARDS), (LEADER, 2), (PLAYED, 2), (BEST, 4), (HOLDER, 2))


@in_python
@pytest.mark.parametrize(("short", "bits"), [(0, 1), (0, 2), (0, 3), (3, 2)])
def test_parts_of_a_key_that_overlap_are_found_at_once(short: int, bits: int) -> None:
    """A part of the key has too few bits. Two in three deals show it, or more."""

    @inlined
    def key(deal: Words, state: Words, at: int) -> int:
        number, shift = 0, 1
        for place, (word, width) in enumerate(PARTS):
            number |= int(state[at + word]) << shift
            shift += max(1, width - bits * (place == short))
        return number | 1

    found = 0
    for seed in range(6):
        try:
            check_rules(replace(TOY, key=key), *toy_tricks.encode(started(seed, 0)))
        except ValueError as error:
            found += "is the key of two nodes, which differ in the words" in str(error)
    assert found >= 4


@in_python
def test_a_key_without_proof_numbers_is_for_nodes_between_tricks() -> None:
    @inlined
    def key(deal: Words, state: Words, at: int) -> int:
        return int(state[at + LIVE] << 4 | state[at + LEADER] << 1 | 1) if state[at + PLAYED] == 0 else 0

    rules = replace(TOY, key=key, key_bits=20)
    deal, node = toy_tricks.encode(started(1, 0))
    with pytest.raises(ValueError, match="key: 0 is not above 0"):
        check_rules(rules, deal, node)
    deal[SWITCHES] &= ~PROOF_NUMBERS
    check_rules(rules, deal, node)
