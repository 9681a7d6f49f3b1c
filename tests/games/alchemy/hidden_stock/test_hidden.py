"""Hints for a hidden stock: estimates against the truth, the clairvoyant's share, limits, and reasons."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from solver import limits, registry
from solver.common import Random
from solver.games.alchemy import hidden_stock as alchemy_hidden_stock
from solver.games.alchemy.expectimax import hidden_stock, static_table
from solver.games.alchemy.hidden_stock import evaluate
from solver.games.alchemy.moves import deal, view
from solver.games.alchemy.position import SolitaireHint, SolitairePosition
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.conftest import JIT
from tests.games.alchemy.readings import EACH_READING, view_of
from tests.reference import alchemy as ref
from tests.support.amounts import Amount
from tests.support.timing import LATE

DrawTurn = Callable[[Variant, Random, int, int], Turn]
GAME = registry.game("alchemy")


def ask(position: SolitairePosition, limit: Limit | None = None, **options: Any) -> SolitaireHint:
    answer = GAME.hint(position, Control(limit), **options)
    assert isinstance(answer, SolitaireHint)
    return answer


def without_times(answer: SolitaireHint) -> dict[str, Any]:
    return {key: value for key, value in answer.to_dict().items() if key not in ("seconds", "nodes")}


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize(("cap", "stock"), [(4, 11), (4, 8)])
def test_estimates_are_near_the_truth(
    cap: int, stock: int, variant: Variant, draw_turn: DrawTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    tolerance = 0.01
    squares: list[float] = []
    if not JIT:  # the truth itself takes minutes in plain Python; fewer games leave a rougher estimate
        if stock > 8:
            pytest.skip("a smaller stock does in plain Python")
        stock, tolerance = 7, 0.05
    for number in range(5 if JIT else 3):
        turn = draw_turn(variant, Random(1, number), cap, stock)
        truth = dict(evaluate(hidden_stock(variant, turn, turn.stock, 0), Control()).moves)
        assert all(c.exact for c in truth.values())
        with monkeypatch.context() as patched:
            patched.setattr(alchemy_hidden_stock, "_EXACT_PRODUCT", 0)
            judged = evaluate(
                hidden_stock(variant, turn, turn.stock, number),
                Control(),
                alchemy_hidden_stock.WORLDS if JIT else 1000,
            )
        if judged.method == "rules":
            assert all(option.lost for option, _ in judged.moves)
            continue
        assert judged.method == "composition DP, sampled games"
        assert set(truth) == {option for option, _ in judged.moves}
        for place, (option, found) in enumerate(judged.moves):
            error = found.win_probability - truth[option].win_probability
            # The best move's games are played as well as can be; the others' gaps to it are rougher.
            assert found.stderr is not None
            assert abs(error) <= (tolerance + 3 * found.stderr if place == 0 else 0.06)
            assert found.exact == option.lost
            assert found.stderr < 0.2
            squares.append(error**2)
        chosen = truth[judged.moves[0].option].win_probability
        assert chosen >= max(c.win_probability for c in truth.values()) - tolerance
    assert squares
    assert sum(squares) / len(squares) < tolerance**2


@EACH_READING
@pytest.mark.small
def test_all_orders_give_the_clairvoyants_share(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(2)
    apart = 0
    # The first turn is one in which seeing the stock helps.
    turns = [Turn(4, (9, 9, 8, 1), 3, (4, 2, 5, 10, 1))] if variant.name == "alternative" else []
    turns += [
        draw_turn(variant, random, variant.shortest + case % min(3, variant.caps), 2 + random.below(4))
        for case in range(amount(40))
    ]
    for turn in turns:
        assert turn.hand is not None
        expected = ref.clairvoyant(variant.name, turn.cap, turn.line, turn.hand, turn.stock, variant.shortest - 1)
        answer = ask(view_of(variant, turn))
        for entry in answer.moves:
            move = GAME.parse_move(view_of(variant, turn), entry.move)
            share: Fraction = expected[move.kind, move.used]
            assert entry.clairvoyant == pytest.approx(float(share), abs=1e-12)
            assert entry.clairvoyant is not None
            assert entry.clairvoyant >= entry.win_probability - 1e-12
            apart += entry.clairvoyant > entry.win_probability + 1e-9
    if variant == SOLITAIRE["alternative"]:
        assert apart > 0


@pytest.mark.parametrize("nodes", [2_000, 60_000, 400_000, 3_000_000])
def test_a_node_limit_gives_the_same_answer_however_it_is_sliced(
    nodes: int, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = view(deal(3, number=4, variant=variant.name), 0)
    assert isinstance(position, SolitairePosition)
    answers = []
    for first, seconds in ((500, 0.01), (7, 0.0005), (50_000, 0.1)):
        monkeypatch.setattr(limits, "_FIRST_SLICE", first)
        monkeypatch.setattr(limits, "SLICE_SECONDS", seconds)
        answers.append(without_times(ask(position, Limit(nodes=nodes), seed=5, worlds=60)))
    assert answers[0] == answers[1] == answers[2]


def test_the_seed_and_the_number_of_worlds_are_heeded() -> None:
    position = view(deal(3, number=4, variant="alternative"), 0)
    assert isinstance(position, SolitairePosition)
    limit = Limit(nodes=3_000_000)
    first, again, other = (ask(position, limit, seed=seed, worlds=40) for seed in (1, 1, 2))
    assert without_times(first) == without_times(again)
    assert first.worlds == 40
    assert first.seed == 1
    assert [m.win_probability for m in first.moves] != [m.win_probability for m in other.moves]


@pytest.mark.parametrize("seconds", [0.001, 0.005, 0.05])
def test_deadlines_always_give_an_answer(seconds: float, variant: Variant) -> None:
    static_table(variant)
    for number in range(4):
        position = view(deal(9, number=number, variant=variant.name), 0)
        assert isinstance(position, SolitairePosition)
        begin = time.monotonic()
        answer = ask(position, Limit(seconds=seconds))
        # Loaded machines stop a process for a while; a search that forgot its deadline takes seconds.
        assert time.monotonic() - begin < seconds + LATE
        assert [
            m.move for m in answer.moves if 0 <= m.win_probability <= 1 and (m.stderr is None or m.stderr >= 0)
        ]
        assert {m.move for m in answer.moves} == {str(move) for move in GAME.legal_moves(position)}
        assert answer.best == answer.moves[0].move


@pytest.mark.small
def test_a_deadline_that_has_passed_still_names_a_move() -> None:
    rules = SOLITAIRE["alternative"]
    static_table(rules)
    for stock in (4, 20):
        position = view(deal(2, variant="alternative"), 0)
        assert isinstance(position, SolitairePosition)
        few = position.model_copy(
            update={"unseen": position.unseen or ("A", "2", "3", "4", "5", "6", "7")[:stock]}
        )
        answer = ask(few, Limit(seconds=1e-9))
        assert answer.best in [str(move) for move in GAME.legal_moves(few)]
        assert not answer.exact
        assert answer.worlds == 0
        assert all(m.clairvoyant is None for m in answer.moves)


def check_reason(answer: SolitaireHint) -> str:
    """What the reason and its causes say is so. Returns the code of the first cause."""
    moves = answer.moves
    top = moves[0].win_probability
    first = answer.causes[0] if answer.causes else None
    code = "" if first is None else first.code
    assert (code == "all_lost") == all(m.exact and m.win_probability == 0 for m in moves)
    if code == "all_lost":
        return code
    assert (answer.sure == "only") == (code == "only") == (len(moves) == 1)
    ties = tuple(m.move for m in moves if m.exact and top - m.win_probability < 1e-9)
    assert (code == "equal") == (moves[0].exact and len(ties) > 1)
    if first is not None and code == "equal":
        assert first.moves == ties
        assert first.share == pytest.approx(top)
    if first is not None and code == "sure_win":
        assert top > 1 - 1e-9
        assert first.other_share == pytest.approx(moves[1].win_probability)
    if answer.sure in ("clear", "slight"):
        assert (top - moves[1].win_probability >= 0.02) == (answer.sure == "clear")
    return code


@pytest.mark.small
def test_reasons_claim_nothing_false(variant: Variant, draw_turn: DrawTurn, amount: Amount) -> None:
    random = Random(4)
    seen = set()
    for case in range(amount(250)):
        cap = variant.shortest + case % min(3, variant.caps)
        seen.add(check_reason(ask(view_of(variant, draw_turn(variant, random, cap, 1 + random.below(5))))))
    if amount(100) == 100:
        assert {"only", "equal", "all_lost"} <= seen


def test_reasons_of_estimates_claim_nothing_false(variant: Variant) -> None:
    for number in range(6):
        position = view(deal(5, number=number, variant=variant.name), 0)
        assert isinstance(position, SolitairePosition)
        check_reason(ask(position, Limit(nodes=200_000), worlds=50))


@pytest.mark.small
def test_a_known_stock_is_answered_by_search(draw_turn: DrawTurn, amount: Amount) -> None:
    rules = SOLITAIRE["alternative"]
    random = Random(5)
    for case in range(amount(150)):
        turn = draw_turn(rules, random, 3 + case % 2, 1 + random.below(10))
        known = view_of(rules, turn).model_copy(update={"unseen": None, "stock": view_of(rules, turn).unseen})
        answer = ask(known)
        analysis = GAME.analyze(known, Control())
        assert answer.exact
        assert answer.best == analysis.best
        for entry, value in zip(answer.moves, analysis.moves, strict=True):
            assert entry.move == value.move
            assert entry.win_probability == entry.clairvoyant == float(value.value == "won")
        losing = sum(m.win_probability == 0 for m in answer.moves)
        codes = [cause.code for cause in answer.causes]
        if len(answer.moves) == 1:
            assert codes == ["only"]
        elif losing == len(answer.moves):
            assert codes == ["all_lost"]
        elif losing == 0:
            assert codes == ["all_win"]
        else:
            assert codes == ["only_win" if losing == len(answer.moves) - 1 else "winning"]


@pytest.mark.small
def test_the_game_is_over_or_as_good_as_won() -> None:
    over = parse_position({"game": "alchemy", "variant": "solo", "cap": 4, "line": ["2"], "stock": []})
    answer = GAME.hint(over, Control())
    assert (answer.best, answer.moves, answer.reason) == (None, (), "The stock is empty: the game is won.")
    for stock in ("stock", "unseen"):
        last = {
            "game": "alchemy",
            "variant": "alternative",
            "cap": 3,
            "line": ["2", "4", "6"],
            "hand": "9",
            stock: [],
        }
        answer = GAME.hint(parse_position(last), Control())
        assert answer.exact
        assert [m.win_probability for m in answer.moves] == [1.0, 1.0, 1.0]
        assert answer.reason == "The last card is drawn: every move wins."
