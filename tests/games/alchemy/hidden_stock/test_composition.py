"""Composition DP against its formula in plain Python, and games played by its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from solver.common import Random
from solver.games.alchemy import hidden_stock
from solver.games.alchemy.expectimax import Composition
from solver.games.alchemy.fast_rules import deal_worlds, lines
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant, solitaire_moves
from tests.conftest import JIT
from tests.games.alchemy.readings import EACH_READING

DrawTurn = Callable[[Variant, Random, int, int], Turn]
Line = tuple[int, ...]


def counts(cards: tuple[int, ...], ranks: int) -> list[int]:
    return [cards.count(rank) for rank in range(1, ranks + 1)]


class Formula:
    """W[k][cap, line] as the issue defines it: cards come with replacement from the unseen ones."""

    def __init__(self, variant: Variant, unseen: Line, root: Line) -> None:
        self.variant = variant
        self.unseen = Counter(unseen)
        self.root = Counter(root)
        self.turns: dict[tuple[Line, int], list[tuple[bool, Line]]] = {}
        self.value = cache(self._value)

    def weight(self, line: Line, rank: int) -> int:
        return max(0, self.unseen[rank] - max(0, line.count(rank) - self.root[rank]))

    def possible(self, line: Line) -> bool:
        """Whether a line can be made from the root line and the unseen cards."""
        return all(number - self.root[rank] <= self.unseen[rank] for rank, number in Counter(line).items())

    def after(self, line: Line, hand: int) -> list[tuple[bool, Line]]:
        if (line, hand) not in self.turns:
            found = []
            for move in solitaire_moves(self.variant, line, hand):
                rest = list(line)
                for rank in move.used:
                    rest.remove(rank)
                found.append((move.kind == "match", tuple(rest)))
            self.turns[line, hand] = found
        return self.turns[line, hand]

    def _value(self, left: int, cap: int, line: Line) -> float:
        weights = {rank: self.weight(line, rank) for rank in range(1, self.variant.ranks + 1)}
        total = sum(weights.values())
        if left <= 1 or total == 0:  # the last card drawn wins; or the line holds all unseen cards
            return 1.0
        mean = 0.0
        for rank, weight in weights.items():
            if not weight:
                continue
            if len(line) < cap:
                mean += weight * self.value(left - 1, cap, tuple(sorted((*line, rank))))
                continue
            best = 0.0
            for matched, rest in self.after(line, rank):
                if matched or cap > self.variant.shortest:
                    best = max(best, self.value(left - 1, cap if matched else cap - 1, rest))
            mean += weight * best
        return mean / total


def solved(variant: Variant, turn: Turn, budget: int = 1 << 40) -> Composition:
    unseen, line = counts(turn.stock, variant.ranks), counts(turn.line, variant.ranks)
    table = Composition(variant, turn.cap, unseen, line)
    while not table.step(budget)[0]:
        pass
    return table


@pytest.mark.covered
@EACH_READING
@pytest.mark.small
@pytest.mark.parametrize(("cap", "stock", "stride"), [(3, 7, 1), (4, 5, 1), (4, 24, 97)])
def test_every_layer_is_the_formulas(
    variant: Variant, draw_turn: DrawTurn, cap: int, stock: int, stride: int
) -> None:
    # A long stock is looked at here and there: the formula in Python is slow.
    if stock > 20 and (variant.name == "solo" or not JIT):
        stride *= 3
    turn = draw_turn(variant, Random(1, stock), cap, stock)
    table = solved(variant, turn)
    formula = Formula(variant, turn.stock, turn.line)
    assert len(table.values) == stock + 1
    compared = 0
    for short in range(variant.shortest, cap + 1):
        for size in range(short + 1):
            every = combinations_with_replacement(range(1, variant.ranks + 1), size)
            for index, line in enumerate(every):
                if index % stride or not formula.possible(line):
                    continue
                node = table.plan.base[short] + table.tables.number(line)
                for left in range(stock + 1):
                    assert table.values[left, node] == pytest.approx(formula.value(left, short, line), abs=2e-5)
                    compared += 1
    assert compared > 100


@pytest.mark.covered
@pytest.mark.small
def test_slices_change_nothing(variant: Variant, draw_turn: DrawTurn) -> None:
    turn = draw_turn(variant, Random(2), 4, 6)
    whole = solved(variant, turn)
    for budget in (1, 700, 10_000) if variant.name == "alternative" else (9_999,):
        sliced = solved(variant, turn, budget)
        assert (sliced.values == whole.values).all()
        assert sliced.control[3] == whole.control[3]


def play_by_table(variant: Variant, table: Composition, cap: int, line: Line, stock: Line) -> bool:
    """One game in plain Python: always the outcome with the largest W, the first of equal ones."""
    held, cards = list(line), list(stock)
    while True:
        while cards and len(held) < cap:
            held.append(cards.pop(0))
        if not cards:
            return True
        hand = cards.pop(0)
        if not cards:
            return True
        tables = table.tables
        key = tables.number(tuple(held)) * variant.ranks + hand - 1
        outcomes = tables.outcome[tables.start[key] : tables.start[key + 1]].tolist()
        cap -= outcomes[0] < 0
        if cap < variant.shortest:
            return False
        rests = [rest if rest >= 0 else ~rest for rest in outcomes]
        best = max(rests, key=lambda rest: float(table.values[len(cards), table.plan.base[cap] + rest]))
        held = [int(digit) + 1 for digit in tables.digits[best] if digit >= 0]


def run_play_on(
    table: Composition, cap: int, line: Line, stock: Line, few: int = 0
) -> tuple[list[int], list[int], float]:
    """The kernel's end state, what it left unseen, and its luck; `stock` in draw order."""
    tables = table.tables
    drawn = np.array(stock[::-1], np.int8) - 1
    unseen = np.array(counts(stock, tables.ranks), np.int64)
    state = np.array([cap, tables.number(line), len(stock), 0], np.int64)
    luck = hidden_stock.play_on(
        tables, table.plan.base, table.values,
        drawn, unseen, state, few,
    )  # fmt: skip
    return state.tolist(), unseen.tolist(), float(luck)


@EACH_READING
@pytest.mark.small
def test_luck_has_mean_zero_and_games_end_as_in_python(
    variant: Variant, draw_turn: DrawTurn, amount: Callable[[int], int]
) -> None:
    random = Random(3)
    as_played = adjusted = 0.0
    for case in range(amount(36)):
        cap = variant.shortest + case % min(3, variant.caps)
        turn = draw_turn(variant, random, cap, 5)
        table = solved(variant, turn)
        line = turn.line[: 1 + random.below(cap)]
        won: list[int] = []
        lucks: list[float] = []
        for order in permutations(turn.stock):
            state, _, luck = run_play_on(table, cap, line, order)
            won.append(state[3])
            lucks.append(luck)
            assert state[2] == 0
            assert bool(state[3]) == play_by_table(variant, table, cap, line, order)
        # Over all orders luck cancels out, so that the policy's value stays what it is.
        assert np.mean(lucks) == pytest.approx(0, abs=1e-6)
        as_played += float(np.var(won))
        adjusted += float(np.var(np.array(won) - np.array(lucks)))
    assert adjusted < as_played / 2  # what it is for


@pytest.mark.covered
@pytest.mark.small
def test_playing_on_stops_where_few_cards_are_unseen(draw_turn: DrawTurn) -> None:
    rules = SOLITAIRE["alternative"]
    for number in range(20):
        turn = draw_turn(rules, Random(4, number), 4, 9)
        table = solved(rules, turn)
        few = 40
        state, unseen, luck = run_play_on(table, 4, turn.line[:2], turn.stock, few)
        product = int(np.prod(np.array(unseen) + 1))
        if state[2] == 0:
            assert state[3] in (0, 1)
            continue
        assert product <= few < product * 5
        assert unseen == counts(turn.stock[-state[2] :], rules.ranks)
        # Played on from there, all is as if it had not stopped.
        tables = table.tables
        drawn = np.array(turn.stock[::-1], np.int8) - 1
        rest_state, rest_unseen = np.array(state, np.int64), np.array(unseen, np.int64)
        rest = hidden_stock.play_on(
            tables, table.plan.base, table.values,
            drawn, rest_unseen, rest_state, 0,
        )  # fmt: skip
        whole, _, whole_luck = run_play_on(table, 4, turn.line[:2], turn.stock)
        assert rest_state[3] == whole[3]
        assert luck + rest == pytest.approx(whole_luck, abs=1e-9)


@pytest.mark.small
def test_sampled_worlds_are_the_streams_of_the_seed() -> None:
    cards = np.array([0, 0, 3, 5, 5, 5, 9], np.int8)
    worlds = deal_worlds(cards, 11, 3, 6)
    for index, world in enumerate(worlds):
        expected = cards.tolist()
        Random(11, 3 + index).shuffle(expected)
        assert world.tolist() == expected
    assert (deal_worlds(cards, 11, 5, 2) == worlds[2:4]).all()


@pytest.mark.small
def test_clairvoyant_wins_stop_at_the_budget_and_add_up() -> None:
    from solver.games.alchemy.known_stock import NODES, Search

    rules = SOLITAIRE["alternative"]
    tables = lines(rules)
    cards = np.array([0, 1, 1, 2, 4, 4, 6, 8, 9, 9], np.int8)
    caps, left = np.array([4, 3], np.int64), np.array([tables.number((2, 7)), tables.number((2, 7, 9))], np.int64)
    worlds = deal_worlds(cards, 1, 0, 60)

    def count(budgets: list[int]) -> tuple[list[int], int, int]:
        search = Search(tables)
        wins = np.zeros(2, np.int64)
        done = turn = 0
        while done < len(worlds):
            done += hidden_stock.clairvoyant_wins(
                tables, worlds[done:], caps, left,
                search.stack, search.memo, search.control, wins, budgets[turn % len(budgets)],
            )  # fmt: skip
            turn += 1
        return wins.tolist(), int(search.control[NODES]), turn

    wins, nodes, turns = count([1 << 40])
    assert turns == 1
    assert 0 < wins[1] < wins[0] <= 60
    sliced_wins, sliced_nodes, sliced_turns = count([1, 5, 17])
    assert (sliced_wins, sliced_nodes) == (wins, nodes)
    assert sliced_turns > 5
