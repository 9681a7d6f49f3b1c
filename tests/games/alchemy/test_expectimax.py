"""The exact chance to win with a hidden stock against the reference's; the composition DP against its formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, pairwise, permutations

import numpy as np
import pytest

from solver.common import Random
from solver.games.alchemy import expectimax
from solver.games.alchemy import hidden_stock as alchemy_hidden_stock
from solver.games.alchemy.expectimax import Composition, Expectimax, hidden_stock
from solver.games.alchemy.fast_rules import deal_worlds, lines
from solver.games.alchemy.hidden_stock import evaluate
from solver.games.alchemy.position import SolitaireHintMove
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant, solitaire_moves
from solver.limits import Control
from tests.games.alchemy.turns import EACH_READING
from tests.reference import alchemy as ref
from tests.support.amounts import Amount

DrawTurn = Callable[[Variant, Random, int, int], Turn]


def counts(cards: tuple[int, ...], ranks: int) -> list[int]:
    return [cards.count(rank) for rank in range(1, ranks + 1)]


def narrow(turn: Turn, random: Random) -> Turn:
    """The same turn with a stock of few ranks, so that equal cards are drawn one after the other."""
    few = [turn.stock[random.below(len(turn.stock))] for _ in range(3)]
    return Turn(turn.cap, turn.line, turn.hand, tuple(few[random.below(3)] for _ in turn.stock))


@pytest.mark.covered
@EACH_READING
@pytest.mark.small
def test_every_move_has_the_references_chance(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(1)
    between = 0
    for case in range(amount(160)):
        cap = variant.shortest + case % (variant.caps)
        # Of few ranks the reference can take more cards: the chances lie nearer to 1, where a search cuts off.
        few = case % 3 == 0
        turn = draw_turn(variant, random, cap, 1 + random.below((9 if few else 6) if cap < 6 else 4))
        if few:
            turn = narrow(turn, random)
        assert turn.hand is not None
        expected = ref.win_probability(variant.name, cap, turn.line, turn.hand, turn.stock, variant.shortest - 1)
        judged = evaluate(hidden_stock(variant, turn, turn.stock, 0), Control())
        found: dict[ref.Move, SolitaireHintMove] = {
            (option.move.kind, option.move.used): chance for option, chance in judged.moves
        }
        assert set(found) == set(expected)
        for move, chance in expected.items():
            assert found[move].win_probability == pytest.approx(float(chance), abs=1e-9)
            assert found[move].exact
            assert found[move].stderr == 0
            between += 0 < chance < 1
        order = [chance.win_probability for _, chance in judged.moves]
        assert all(first > second - 1e-9 for first, second in pairwise(order))
    assert between >= amount(30)


@pytest.mark.small
def test_slices_and_a_growing_memo_change_nothing(
    variant: Variant, draw_turn: DrawTurn, amount: Amount, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(2)
    grown = 0
    for case in range(amount(60)):
        cap = variant.shortest + case % (variant.caps)
        turn = draw_turn(variant, random, cap, 5)
        unseen = counts(turn.stock, variant.ranks)
        line = lines(variant).number(turn.line[:-1])
        whole = Expectimax(variant, unseen)
        whole.enter(cap, line)
        assert whole.step(1 << 40)[0]
        with monkeypatch.context() as patched:
            patched.setattr(expectimax, "_FIRST_SLOTS", 32)  # half of it must hold a whole stack
            sliced = Expectimax(variant, unseen)
        sliced.enter(cap, line)
        slots = len(sliced.keys)
        nodes = turns = 0
        finished = False
        while not finished:
            finished, spent = sliced.step(1 + turns % 3)
            assert spent <= 1 + turns % 3
            nodes += spent
            turns += 1
        assert sliced.value == whole.value
        assert nodes == int(whole.control[1])
        grown += len(sliced.keys) > slots
    assert grown > 0


@pytest.mark.small
def test_a_full_memo_is_an_error_not_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SOLITAIRE["alternative"]
    monkeypatch.setattr(expectimax, "_FIRST_SLOTS", 64)
    monkeypatch.setattr(expectimax, "MOST_SLOTS", 256)
    search = Expectimax(rules, [1] * rules.ranks)
    search.enter(4, lines(rules).number((1, 2, 3)))

    def finish() -> None:
        while not search.step(1000)[0]:
            pass

    with pytest.raises(MemoryError):
        finish()


@pytest.mark.small
def test_questions_share_the_memo(draw_turn: DrawTurn) -> None:
    rules = SOLITAIRE["alternative"]
    random = Random(3)
    turn = draw_turn(rules, random, 4, 7)
    unseen = counts(turn.stock, rules.ranks)
    tables = lines(rules)
    shared = Expectimax(rules, unseen)
    wanted = [(4, turn.line[:n]) for n in range(1, 5)] + [(3, turn.line[:2]), (3, turn.line[1:4])]
    for cap, line in wanted:
        shared.enter(cap, tables.number(line))
        assert shared.step(1 << 40)[0]
        alone = Expectimax(rules, unseen)
        alone.enter(cap, tables.number(line))
        assert alone.step(1 << 40)[0]
        assert shared.value == pytest.approx(alone.value, abs=1e-12)
    before = int(shared.control[1])
    shared.enter(4, tables.number(turn.line[:1]))
    assert shared.step(1 << 40) == (True, 1)
    assert int(shared.control[1]) == before + 1


@pytest.mark.small
def test_given_up_when_the_memo_is_full_an_estimate_is_made(
    draw_turn: DrawTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = SOLITAIRE["alternative"]
    turn = draw_turn(rules, Random(4), 4, 8)
    monkeypatch.setattr(expectimax, "_FIRST_SLOTS", 64)
    monkeypatch.setattr(expectimax, "MOST_SLOTS", 256)
    monkeypatch.setattr(alchemy_hidden_stock, "_CHEAP_TABLE", 0)  # no games that end in an expectimax of their own
    judged = evaluate(hidden_stock(rules, turn, turn.stock, 0), Control(), 20)
    assert judged.method == "composition DP, sampled games"
    assert judged.worlds > 0


# Composition DP, and games played by its table. -----------------------------------------------------------------

Line = tuple[int, ...]


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
@pytest.mark.parametrize(("cap", "stock", "stride"), [(3, 7, 1), (4, 5, 1), (4, 14, 31)])
def test_every_layer_is_the_formulas(
    variant: Variant, draw_turn: DrawTurn, cap: int, stock: int, stride: int
) -> None:
    # A long stock is looked at here and there: the formula in Python is slow.
    if stock > 10 and variant.name == "solo":
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
    luck = alchemy_hidden_stock.play_on(
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
        rest = alchemy_hidden_stock.play_on(
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
            done += alchemy_hidden_stock.clairvoyant_wins(
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
