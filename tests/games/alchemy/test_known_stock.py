"""Solitaires with a known stock: every move's value, the line of play, limits, and tables of short lines."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

import athanor
from solver import registry
from solver.common import Random
from solver.games.alchemy import known_stock
from solver.games.alchemy.expectimax import plan
from solver.games.alchemy.fast_rules import Lines, deal_worlds, lines
from solver.games.alchemy.known_stock import KnownStock, Search, solve_deals
from solver.games.alchemy.moves import deal, solitaire_position
from solver.games.alchemy.position import Round
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant, solitaire_moves, solitaire_play
from solver.games.alchemy.solving import hint
from solver.limits import Control, Limit, Progress
from tests.games.alchemy.turns import EACH_READING
from tests.reference import alchemy as ref
from tests.support.amounts import Amount

DrawTurn = Callable[[Variant, Random, int, int], Turn]

GAME = registry.game("alchemy")


def reference(variant: Variant, turn: Turn) -> dict[ref.Move, int]:
    assert turn.hand is not None
    return ref.solitaire_left(variant.name, turn.cap, turn.line, turn.hand, turn.stock, variant.shortest - 1)


def replayed(position: Round, texts: tuple[str, ...]) -> Turn:
    """The turn after a line of play, by the rules alone."""
    turn = position.turn
    for text in texts:
        move = GAME.parse_move(solitaire_position(position.solitaire, turn), text)
        assert str(move) == text
        turn = solitaire_play(position.solitaire, turn, move)
    return turn


@pytest.mark.covered
@EACH_READING
@pytest.mark.small
def test_every_move_has_the_references_value(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(1)
    lost = 0
    for case in range(amount(250)):
        cap = variant.shortest + case % (variant.caps)
        # A match leaves many ways on from a long line, which the reference all walks.
        turn = draw_turn(variant, random, cap, random.below({1: 17, 2: 17, 3: 17, 4: 17, 5: 12, 6: 9}[cap]))
        position = solitaire_position(variant, turn)
        expected = reference(variant, turn)
        answer = known_stock.analyze(position, Control())
        by_value = sorted(expected.items(), key=lambda item: item[1])
        parsed = [(GAME.parse_move(position, entry.move), entry.left) for entry in answer.moves]
        assert [((move.kind, move.used), left) for move, left in parsed] == by_value
        best = by_value[0][1]
        assert (answer.left, answer.value) == (best, "lost" if best else "won")
        assert answer.bounds == (answer.value, answer.value)
        assert answer.exact
        assert answer.best == answer.moves[0].move == answer.line[0]
        for entry in answer.moves:
            assert entry.exact
            assert entry.value == ("lost" if entry.left else "won")
            assert entry.bounds == (entry.value, entry.value)
        end = replayed(position, answer.line)
        assert (end.won, len(end.stock)) == (best == 0, best)
        lost += best > 0
    assert lost > amount(50)


@pytest.mark.small
def test_answers_do_not_depend_on_earlier_questions(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(2)
    for case in range(amount(150)):
        turn = draw_turn(variant, random, variant.shortest + case % (variant.caps), 14)
        shared = KnownStock(variant, turn, Control())
        turns = [turn]
        for found in turns[:60]:
            moves = shared.moves(found)
            fresh = KnownStock(variant, found, Control()).moves(found)
            assert moves == fresh
            after = [solitaire_play(variant, found, move) for move, _ in moves]
            turns += [other for other in after if other.hand is not None]
        # Asked in another order, with the memo of lost states now full.
        for found in reversed(turns[:60]):
            best = min((left for _, left in shared.moves(found) if left is not None), default=None)
            assert shared.left(found) == best


@pytest.mark.small
def test_a_search_may_be_left_unfinished(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(3)
    tables = lines(variant)
    for case in range(amount(200)):
        turn = draw_turn(variant, random, variant.shortest + case % (variant.caps), 20)
        assert turn.hand is not None
        search = Search(tables)
        search.deal([turn.hand, *turn.stock])
        line = tables.number(turn.line)
        search.enter(0, line)
        nodes = 0
        while not (step := search.step(1))[0]:
            assert step[1] == 1
            nodes += 1
        sliced = search.left
        # Abandoned after three nodes, begun again: the same value, no more work.
        search.deal([turn.hand, *turn.stock])
        search.enter(0, line)
        search.step(3)
        search.enter(0, line)
        finished, again = search.step(1 << 40)
        assert finished
        assert again <= nodes + 1
        assert search.left == sliced


@pytest.mark.small
def test_a_node_limit_is_kept_and_its_bounds_hold(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(4)
    unfinished = 0
    for case in range(amount(120)):
        turn = draw_turn(variant, random, variant.shortest + case % (variant.caps), 12)
        position = solitaire_position(variant, turn)
        truth = known_stock.analyze(position, Control())
        values = {entry.move: entry for entry in truth.moves}
        for nodes in (1, 2, 5, 20):
            answer = known_stock.analyze(position, Control(Limit(nodes=nodes)))
            assert answer.nodes <= nodes
            assert {entry.move for entry in answer.moves} == set(values)
            for entry in answer.moves:
                if entry.exact:
                    assert entry == values[entry.move]
                else:
                    assert (entry.value, entry.left, entry.bounds) == (None, None, ("lost", "won"))
            if answer.exact:
                assert (answer.value, answer.left) == (truth.value, truth.left)
                if answer.value == "lost":
                    assert all(entry.exact for entry in answer.moves)
            else:
                unfinished += 1
                assert (answer.value, answer.left, answer.bounds) == (None, None, ("lost", "won"))
                assert "won" not in [entry.value for entry in answer.moves]
                assert answer.line == (answer.best,)
            # An unknown move stands between won and lost ones.
            order = [{"won": 0, None: 1, "lost": 2}[entry.value] for entry in answer.moves]
            assert order == sorted(order)
            advice = hint(position, Control(Limit(nodes=nodes)))
            if "all_win" in {cause.code for cause in advice.causes}:
                assert all(entry.exact for entry in answer.moves)
    assert unfinished > amount(30)


def test_a_deadline_that_has_passed_proves_nothing_that_was_not_searched() -> None:
    position = deal(7)
    assert isinstance(position, Round)
    answer = known_stock.analyze(position, Control(Limit(seconds=1e-9)))
    assert not answer.exact
    assert answer.nodes == 0
    assert answer.value is None
    assert {entry.bounds for entry in answer.moves} == {("lost", "won")} or all(m.exact for m in answer.moves)
    assert known_stock.analyze(position, Control(Limit(seconds=60.0))).exact


@pytest.mark.small
def test_won_positions_and_the_last_card() -> None:
    over = Round(game="alchemy", variant="solo", cap=4, line=("2", "3"), stock=())
    answer = known_stock.analyze(over, Control())
    assert (answer.value, answer.left, answer.moves, answer.best, answer.line) == ("won", 0, (), None, ())
    last = Round(game="alchemy", variant="alternative", cap=3, line=("2", "4", "6"), hand="9", stock=())
    answer = known_stock.analyze(last, Control())
    assert [entry.left for entry in answer.moves] == [0, 0, 0]
    assert answer.nodes == 0


@pytest.mark.small
def test_deals_in_bulk_are_solved_as_they_are_one_by_one(variant: Variant, amount: Amount) -> None:
    tables = lines(variant)
    count = amount(400)
    deck = np.array(variant.deck, np.int8) - 1
    decks = deal_worlds(deck, 5, 0, count)
    search = Search(tables)
    left = np.zeros(count, np.int8)
    solve_deals(
        tables, decks, tables.cap,
        search.stack, search.memo, search.control, left,
    )  # fmt: skip
    for number in range(count):
        cards = list(variant.deck)
        Random(5, number).shuffle(cards)
        assert cards == [rank + 1 for rank in decks[number].tolist()]
        cap = variant.cap
        single = Search(tables)
        single.deal(cards[cap:])
        single.enter(0, tables.number(tuple(cards[:cap])))
        assert single.step(1 << 40)[0]
        assert left[number] == single.left


@pytest.mark.small
def test_the_stamps_of_the_memo_wrap(draw_turn: DrawTurn) -> None:
    # After 2**24 deals stamps begin anew; entries of the first deals must not count as the new ones'.
    rules = SOLITAIRE["alternative"]
    random = Random(6)
    search = Search(lines(rules))
    turns = [draw_turn(rules, random, 3, 16) for _ in range(12)]
    for wrapped in (False, True):
        if wrapped:
            search.control[2] = (1 << 24) - 4
        for turn in turns:
            assert turn.hand is not None
            search.deal([turn.hand, *turn.stock])
            search.enter(0, search.lines.number(turn.line))
            assert search.step(1 << 40)[0]
            assert search.left == min(reference(rules, turn).values())


def test_full_deals_are_played_out_as_they_say(variant: Variant) -> None:
    outcomes = set()
    for number in range(100):
        position = deal(8, number=number, variant=variant.name)
        assert isinstance(position, Round)
        answer = known_stock.analyze(position, Control())
        end = replayed(position, answer.line)
        assert end.won == (answer.value == "won")
        assert len(end.stock) == answer.left
        outcomes.add(answer.value)
    assert "won" in outcomes
    if variant.name == "alternative":
        assert "lost" in outcomes


def test_moves_that_are_solved_are_told_before_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_SLICE", 3)
    seen: list[Progress] = []
    found = athanor.analyze(athanor.deal("alchemy", seed=146, variant="solo"), progress=seen.append)
    values = {one.move: one.bounds for one in found.moves}
    told = [{one.move: one.bounds for one in step.moves or ()} for step in seen]
    assert all(bounds in (("lost", "won"), values[move]) for moves in told for move, bounds in moves.items())
    solved = [sum(bounds != ("lost", "won") for bounds in moves.values()) for moves in told]
    assert solved == sorted(solved)
    assert any(0 < number < len(values) for number in solved)


# The tables of short lines that every solitaire kernel reads, against the rules. --------------------------------


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
    for _ in range(amount(600)):
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
