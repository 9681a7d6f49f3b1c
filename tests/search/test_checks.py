"""`check_rules` passes what games bring, and names the rule that is broken."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from solver.games.kirin import search
from solver.games.kirin.fast_rules import node_words
from solver.kernels.jit import inlined
from solver.kernels.words import Words
from solver.search.checks import check_rules
from solver.search.trick_rules import NEED
from tests.games.kirin.deals import full_deal
from tests.hints import toy_tricks
from tests.hints.toy_tricks import LIVE, listed, play, started

pytestmark = pytest.mark.small
TOY = toy_tricks.search().rules


@inlined
def short_key(deal: Words, state: Words, at: int) -> int:
    """The cards alone: the leader is missing."""
    return int(state[at + LIVE] + 1)


@inlined
def twice(deal: Words, state: Words, at: int, out: Words, to: int) -> int:
    count = listed(deal, state, at, out, to)
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
    return listed(deal, state, at, out, to)


@pytest.mark.covered
@pytest.mark.parametrize("allies", [False, True])
def test_kirin(allies: bool) -> None:
    rng = random.Random(1)
    for _ in range(3):
        position = full_deal(rng)
        deal = search.search_words(position.state, 0, position.colours[0], allies=allies)
        check_rules(search.search().rules, deal, node_words(position.state, deal), games=5)


def test_the_toy_game() -> None:
    for seed in range(5):
        check_rules(TOY, *toy_tricks.encode(started(seed, seed)))


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
