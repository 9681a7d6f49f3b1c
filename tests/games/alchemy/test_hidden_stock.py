"""Hints for a hidden stock: estimates against the truth, the clairvoyant's share, limits, reasons and causes."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import athanor
from solver import limits, registry
from solver.common import Random
from solver.games.alchemy import hidden_stock as alchemy_hidden_stock
from solver.games.alchemy.expectimax import HiddenStock, hidden_stock, static_table
from solver.games.alchemy.hidden_stock import NEXT_TURN, NextTurn, Scene, evaluate, next_turn, noted
from solver.games.alchemy.moves import deal, view
from solver.games.alchemy.position import Round, SolitaireHint
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant
from solver.hints.causes import behind
from solver.hints.ranking import Margin
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.alchemy.turns import EACH_READING, view_of
from tests.reference import alchemy as ref
from tests.support.amounts import Amount
from tests.support.timing import LATE

DrawTurn = Callable[[Variant, Random, int, int], Turn]

GAME = registry.game("alchemy")


def ask(position: Round, limit: Limit | None = None, **options: Any) -> SolitaireHint:
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
    for number in range(5):
        turn = draw_turn(variant, Random(1, number), cap, stock)
        truth = dict(evaluate(hidden_stock(variant, turn, turn.stock, 0), Control()).moves)
        assert all(c.exact for c in truth.values())
        with monkeypatch.context() as patched:
            patched.setattr(alchemy_hidden_stock, "_EXACT_PRODUCT", 0)
            judged = evaluate(
                hidden_stock(variant, turn, turn.stock, number),
                Control(),
                alchemy_hidden_stock.WORLDS,
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
    assert isinstance(position, Round)
    answers = []
    for first, seconds in ((500, 0.01), (7, 0.0005), (50_000, 0.1)):
        monkeypatch.setattr(limits, "_FIRST_SLICE", first)
        monkeypatch.setattr(limits, "SLICE_SECONDS", seconds)
        answers.append(without_times(ask(position, Limit(nodes=nodes), seed=5, worlds=60)))
    assert answers[0] == answers[1] == answers[2]


def test_the_seed_and_the_number_of_worlds_are_heeded() -> None:
    position = view(deal(3, number=4, variant="alternative"), 0)
    assert isinstance(position, Round)
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
        assert isinstance(position, Round)
        begin = time.monotonic()
        answer = ask(position, Limit(seconds=seconds))
        # Loaded machines stop a process for a while; a search that forgot its deadline takes seconds.
        assert time.monotonic() - begin < seconds + LATE
        assert [
            m.move for m in answer.moves if 0 <= m.win_probability <= 1 and (m.stderr is None or m.stderr >= 0)
        ]
        assert {m.move for m in answer.moves} == {str(move) for move in GAME.legal_moves(position)}
        assert answer.best == answer.moves[0].move


@pytest.mark.covered
@pytest.mark.small
def test_a_deadline_that_has_passed_still_names_a_move() -> None:
    rules = SOLITAIRE["alternative"]
    static_table(rules)
    for stock in (4, 20):
        position = view(deal(2, variant="alternative"), 0)
        assert isinstance(position, Round)
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
        assert isinstance(position, Round)
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


# What is behind the lead of a move, and what the next turn is worth. --------------------------------------------

ENDING = "2,8,8,4,4,A,3,4,5,3,4,6,10,5,10,7,3,2,2,2,8,A,8,9,10,A"

MATCHES = f"alchemy alternative line=A,3,9,7 hand=7 discarded={ENDING}"

KEPT = "alchemy alternative line=3,6,10,A hand=A discarded=2,3,6,2,9,2,7,8,10,4,5,3,7,7,8,9,4,7,10,6,5,A,6,9,4,4"

STOCK = "alchemy alternative line=4,9,5,2 hand=6 discarded=10,2,4,7,3,6,8,2,6,A,5,3,5,9,6,10,A,10,7,7,9,8"

# 9+2+6=7+10 leads by 3%, half by the next hand and half by the card more that it takes.
MANY = "alchemy alternative line=2,6,7,10 hand=9 discarded=8,A,8,9,6,A,A,9,3,5,7,3,2,10,4,8,7,7,5,8,4,9"


def stock_of(position: str) -> HiddenStock:
    parsed = parse_position(position)
    assert isinstance(parsed, Round)
    return hidden_stock(parsed.solitaire, parsed.turn, parsed.unseen_ranks, 0)


@pytest.mark.parametrize(
    ("position", "code", "reason"),
    [
        (MATCHES, "finds_match", "The next card finds a match in every deal after 7=7, in 87% after 7+3=A+9."),
        (
            KEPT,
            "keeps_card",
            "A+3+6=10 keeps the A: the next match uses it in 82% of deals, in 10% after A=A.",
        ),
        (STOCK, "draws_more", "6+2+5=4+9 uses more line cards than 6=2+4, so the stock shrinks by 2 more."),
        (
            MANY,
            "sheds_card",
            "9+7=6+10 leaves the 2, and is worse mainly when the next match does not use it (25% of deals).",
        ),
    ],
)
def test_the_cause_of_a_lead(position: str, code: str, reason: str) -> None:
    found = athanor.hint(position, nodes=3_000_000)
    assert code in {cause.code for cause in found.causes}
    assert reason in found.reason


def test_no_cause_where_moves_are_equal() -> None:
    found = athanor.hint("alchemy alternative line=A,A,2,2 hand=2", nodes=300_000)
    assert found.sure == "close"
    assert "too close to call" in found.reason
    assert [cause.code for cause in found.causes] == ["close"]


@pytest.mark.small
def test_a_planted_cause_is_found_and_an_absent_one_is_not() -> None:
    stock = stock_of(MATCHES)
    options = {str(option.move): option for option in stock.options()}
    best, second = options["7=7"], options["7+3=A+9"]
    chance = np.random.default_rng(2)
    matched = chance.random(2000) < 0.6
    used = np.zeros((2000, stock.tables.ranks), np.int64)
    hands = chance.integers(0, stock.tables.ranks, 2000)
    other = NextTurn(np.full(2000, 0.5), hands, np.zeros(2000, np.bool_), used)
    for places, wanted in ((matched, True), (chance.permutation(matched), False)):
        worth = np.where(places, 0.9, 0.5)
        turns = {0: NextTurn(worth, hands, matched, used), 1: other}
        scene = Scene(stock, best, second, turns[0], other)
        lead = Margin(0, 1, float(worth.mean()) - 0.5, 0.0)
        found = behind(NEXT_TURN, lambda *_, scene=scene: scene, noted(turns), lead)
        assert ("finds_match" in {told.cause.code for told in found}) == wanted


HARD = "alchemy alternative line=10,10,2,3 hand=4 discarded=6,5,A,A,9,10,6,9,9,A,10,6,8,3,5,8,3,7,8,4,5,7,4,2,9,6"


@pytest.mark.small
def test_over_all_stocks_the_next_turn_is_worth_what_the_move_is() -> None:
    stock = stock_of(f"{HARD},2,7,A")
    found = evaluate(stock, Control())
    assert found.judge is not None
    assert 0 < found.moves[0].found.win_probability < 1
    worlds = np.array(list(permutations(stock.cards.tolist())), np.int8)
    for option, chance in found.moves:
        turn = next_turn(stock, option, worlds, found.judge)
        assert turn.worth.mean() == pytest.approx(chance.win_probability)
        assert (turn.used.sum(axis=1)[turn.matched] > 0).all()
        assert (turn.used[~turn.matched] == 0).all()


@pytest.mark.small
def test_with_fewer_cards_the_stock_ends_earlier() -> None:
    stock = stock_of(f"{HARD},2,7,A")
    found = evaluate(stock, Control())
    assert found.judge is not None
    worlds = np.array(list(permutations(stock.cards.tolist())), np.int8)
    for option in stock.options():
        refill = option.cap - int(stock.tables.size[option.line])
        worth = [
            next_turn(stock, option, worlds, found.judge, fewer=fewer).worth.mean()
            for fewer in range(worlds.shape[1] - refill)
        ]
        assert worth[0] < 1
        assert worth[-1] == 1


# An estimate from one sampled game has no error that was measured, and says so. ---------------------------------

SOLO = "alchemy solo line=4,7,K,2,9,A hand=6"

RACE = "alchemy duel totals=60,70 line=A,2,3,4,6,9 hand=7 opponent_hand=5 pile=A,A,A opponent_pile=K"


@pytest.mark.parametrize(("position", "options"), [(SOLO, {"nodes": 1}), (RACE, {"worlds": 1})])
def test_the_error_of_one_game_is_unknown(position: str, options: dict[str, Any]) -> None:
    found: Any = athanor.hint(position, **options)
    assert found.worlds == 1
    assert {move.stderr for move in found.moves} == {None}


@pytest.mark.parametrize(("position", "options"), [(SOLO, {"nodes": 1000}), (RACE, {"worlds": 2})])
def test_that_of_two_games_is_measured(position: str, options: dict[str, Any]) -> None:
    found: Any = athanor.hint(position, **options)
    assert found.worlds == 2
    assert all(move.stderr > 0 for move in found.moves)


def test_nor_is_that_of_what_another_move_loses() -> None:
    found: Any = athanor.hint(SOLO, nodes=1)
    assert found.gap(found.best) == (0, 0)
    assert found.gap(found.moves[-1].move)[1] is None
