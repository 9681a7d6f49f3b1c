"""The tables of short lines that every solitaire kernel reads, against the rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb

import pytest

from solver.common import Random
from solver.games.alchemy.expectimax import plan
from solver.games.alchemy.fast_rules import Lines, lines
from solver.games.alchemy.rules import Variant, solitaire_moves
from tests.games.alchemy.readings import EACH_READING


def ranks_of(tables: Lines, line: int) -> tuple[int, ...]:
    return tuple(int(digit) + 1 for digit in tables.digits[line] if digit >= 0)


@EACH_READING
@pytest.mark.small
def test_lines_are_numbered_by_size_and_found_again(variant: Variant) -> None:
    tables = lines(variant)
    every = [
        line
        for size in range(variant.cap + 1)
        for line in combinations_with_replacement(range(1, variant.ranks + 1), size)
    ]
    assert len(every) == len(tables.size) == sum(comb(variant.ranks + s - 1, s) for s in range(variant.cap + 1))
    numbers = set()
    for line in every:
        number = tables.number(line[::-1])
        assert ranks_of(tables, number) == line
        assert tables.size[number] == len(line)
        assert tables.offset[len(line)] <= number < tables.offset[len(line) + 1]
        numbers.add(number)
    assert len(numbers) == len(every)
    # A full line takes no further card.
    full = tables.number((1,) * variant.cap)
    assert all(tables.insert[full * variant.ranks + rank] == -1 for rank in range(variant.ranks))


@EACH_READING
@pytest.mark.small
def test_a_turn_leaves_what_the_rules_say(variant: Variant, amount: Callable[[int], int]) -> None:
    tables = lines(variant)
    random = Random(1)
    shortest = int(tables.offset[variant.shortest])
    for _ in range(amount(4000)):
        line = shortest + random.below(len(tables.size) - shortest)
        hand = 1 + random.below(variant.ranks)
        held = ranks_of(tables, line)
        left: list[tuple[int, ...]] = []
        moves = solitaire_moves(variant, held, hand)
        for move in moves:
            rest = list(held)
            for rank in move.used:
                rest.remove(rank)
            left.append(tuple(rest))
        key = line * variant.ranks + hand - 1
        found = tables.outcome[tables.start[key] : tables.start[key + 1]].tolist()
        if moves[0].kind == "match":
            assert all(rest >= 0 for rest in found)
            assert sorted(ranks_of(tables, rest) for rest in found) == sorted(left)
            # The most cards used first, so that simple players and searches meet the best bet first.
            assert [tables.size[rest] for rest in found] == sorted(tables.size[rest] for rest in found)
        else:
            assert all(rest < 0 for rest in found)
            assert sorted(ranks_of(tables, ~rest) for rest in found) == sorted(left)
            # The highest discard last: the simple player takes it from there.
            highest = list(held)
            highest.remove(max(held))
            assert ranks_of(tables, ~found[-1]) == tuple(highest)


@EACH_READING
@pytest.mark.small
def test_the_whole_line_meets_a_hand(variant: Variant, amount: Callable[[int], int]) -> None:
    tables = lines(variant)
    random = Random(2)
    for _ in range(amount(2000)):
        line = random.below(len(tables.size))
        held = ranks_of(tables, line)
        for hand in range(1, variant.ranks + 1):
            parts = {
                sum(rank for place, rank in enumerate(held) if mask >> place & 1) for mask in range(1 << len(held))
            }
            spare = sum(held) - hand
            meets = bool(held) and spare >= 0 and spare % 2 == 0 and spare // 2 in parts
            assert bool(tables.meets[line] >> (hand - 1) & 1) == meets


@EACH_READING
@pytest.mark.small
def test_the_plan_holds_every_turn_that_does_not_lose_at_once(variant: Variant) -> None:
    tables, work = lines(variant), plan(variant)
    turns = len(work.node)
    assert turns == (int(tables.offset[variant.cap + 1]) - int(tables.offset[variant.shortest])) * variant.ranks
    sizes = work.begin[1:] - work.begin[:-1]
    assert (sizes[:-1] <= sizes[1:]).all()
    assert len(set(zip(work.line.tolist(), work.rank.tolist(), strict=True))) == turns
    for turn in range(0, turns - 1, 1 + turns // 500):
        line, rank = int(work.line[turn]), int(work.rank[turn])
        cap = int(tables.size[line])
        assert work.node[turn] == work.base[cap] + line
        key = line * variant.ranks + rank
        rests = tables.outcome[tables.start[key] : tables.start[key + 1]].tolist()
        targets = work.targets[work.begin[turn] : work.begin[turn + 1]].tolist()
        lost = 0xFFFF  # a discard at the shortest cap
        expected = [
            work.base[cap] + rest if rest >= 0 else work.base[cap - 1] + ~rest if cap > variant.shortest else lost
            for rest in rests
        ]
        assert targets == expected
