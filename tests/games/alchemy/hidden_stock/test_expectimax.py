"""The exact chance to win with a hidden stock, against the reference's fractions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from solver.common import Random
from solver.games.alchemy import expectimax
from solver.games.alchemy import hidden_stock as alchemy_hidden_stock
from solver.games.alchemy.expectimax import Expectimax, hidden_stock
from solver.games.alchemy.fast_rules import lines
from solver.games.alchemy.hidden_stock import evaluate
from solver.games.alchemy.position import SolitaireHintMove
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant
from solver.limits import Control
from tests.games.alchemy.readings import EACH_READING
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
    for case in range(amount(320)):
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
