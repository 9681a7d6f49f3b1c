"""The parts of King × Alchemy's search on and off, limits and deadlines: the values stay, and the answers."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from solver.games.king import analyze
from solver.games.king.analyze import MaxnScores
from solver.games.king.fast_rules import ALL_SWITCHES, PROBE_NODES, PROBE_TRICKS
from solver.games.king.position import KnownPosition
from solver.games.king.rules import Move
from solver.games.king.search import PROVERS, PlayerScore, search
from solver.limits import Control, Limit
from solver.positions import parse_position
from solver.search import fail_soft
from solver.search.fail_soft import GENERATIONS, FailSoftProver
from solver.tricks.analysis import MODELS
from tests.games.king.random_positions import random_deck, random_position
from tests.support.search_checks import Slow, cancelled, check_bounds, check_memory, text_of, within
from tests.support.timing import LATE

SWITCHES = [1 << bit for bit in range(ALL_SWITCHES.bit_length()) if ALL_SWITCHES >> bit & 1]
SIZES = {3: 4, 4: 3, 5: 2}  # cards a hand by players


def ending(rng: random.Random, players: int, cards: int, *, deck: dict[str, Any] | None = None) -> KnownPosition:
    heavy = rng.choice((None, "trump", "dancer"))
    position = parse_position(random_position(rng, players=players, cards=cards, heavy=heavy, deck=deck))
    assert isinstance(position, KnownPosition)
    return position


def values(
    position: KnownPosition,
    player: int,
    *,
    allies: bool,
    switches: int,
    prover: FailSoftProver | None = None,
) -> dict[Move, tuple[int, int]]:
    with PROVERS.lend() as lent:
        return PlayerScore(
            prover or lent, position.state, player, allies=allies, control=Control(), switches=switches
        ).moves()


def everybody(position: KnownPosition, switches: int = ALL_SWITCHES) -> dict[Move, tuple[int, ...] | None]:
    with PROVERS.lend() as prover:
        return MaxnScores(prover, position.state, Control(), switches=switches).moves()


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("strange", [False, True])
def test_each_part_alone_and_all_but_it(switch: int, strange: bool, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"parts {strange}")
    for _ in range(amount(40)):
        players = rng.randint(3, 5)
        deck = random_deck(rng) if strange else None
        position = ending(rng, players, rng.randint(1, SIZES[players]), deck=deck)
        player = rng.randrange(players)
        allies = rng.random() < 0.4
        plain = values(position, player, allies=allies, switches=0)
        assert values(position, player, allies=allies, switches=switch) == plain
        assert values(position, player, allies=allies, switches=ALL_SWITCHES & ~switch) == plain
        assert values(position, player, allies=allies, switches=ALL_SWITCHES) == plain


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_part_of_maxn(switch: int, amount: Callable[[int], int]) -> None:
    rng = random.Random("maxn parts")
    for _ in range(amount(25)):
        players = rng.randint(3, 5)
        position = ending(rng, players, rng.randint(1, {3: 3, 4: 3, 5: 2}[players]))
        plain = everybody(position, 0)
        for switches in (switch, ALL_SWITCHES & ~switch, ALL_SWITCHES):
            assert everybody(position, switches) == plain


def test_moves_tried_in_rounds_of_few_nodes(amount: Callable[[int], int]) -> None:
    rng = random.Random("rounds")
    more = 0
    for _ in range(amount(40)):
        players = rng.randint(3, 5)
        position = ending(rng, players, SIZES[players])
        player = rng.randrange(players)
        plain = Control()
        control = Control()
        with PROVERS.lend() as prover:
            usual = PlayerScore(prover, position.state, player, allies=False, control=plain)
            usual._deal[PROBE_NODES] = 0
            rounds = PlayerScore(prover, position.state, player, allies=False, control=control)
            rounds._deal[PROBE_NODES] = rng.choice((1, 2, 5, 20))
            rounds._deal[PROBE_TRICKS] = rng.randint(1, 3)
            assert rounds.moves() == usual.moves()
        more += control.nodes != plain.nodes
    assert more > 5


def test_switch_bits_do_not_overlap() -> None:
    assert sum(SWITCHES) == ALL_SWITCHES
    assert len(SWITCHES) == 15


def answer_text(position: KnownPosition, model: str, player: int, control: Control | None = None) -> str:
    return text_of(analyze.analyze(position, control or Control(), model=model, player=player))


def test_what_was_asked_before_changes_nothing_not_even_the_nodes() -> None:
    rng = random.Random(21)
    questions = [
        (ending(rng, players, SIZES[players]), model, rng.randrange(players))
        for players in (3, 4, 5)
        for model in MODELS
    ]
    check_memory(questions, lambda question: answer_text(*question), PROVERS.clear)


def test_two_searches_take_turns() -> None:
    rng = random.Random(22)
    positions = [ending(rng, 3, 3), ending(rng, 4, 3)]
    alone = [values(position, 0, allies=False, switches=ALL_SWITCHES) for position in positions]
    with PROVERS.lend() as prover:
        one, two = (
            PlayerScore(prover, position.state, 0, allies=False, control=Control()) for position in positions
        )
        together = MaxnScores(prover, positions[0].state, Control())
        assert [two.moves(), one.moves()] == alone[::-1]
        assert together.moves() == everybody(positions[0])


def test_a_tiny_table_gives_the_same_values() -> None:
    rng = random.Random(23)
    for allies in (False, True):
        position = ending(rng, 3, 4)
        usual = values(position, 0, allies=allies, switches=ALL_SWITCHES)
        prover = FailSoftProver(search(), 1)
        assert len(prover.table) == 1 << 17
        prover.table = prover.table[: 2 * fail_soft.BUCKET]
        assert values(position, 0, allies=allies, switches=ALL_SWITCHES, prover=prover) == usual


def test_generations_wrap() -> None:
    prover = FailSoftProver(search(), 1)
    prover._generation = GENERATIONS - 1
    prover.table[:] = -1
    prover.take(prover.deal.copy())
    assert prover._generation == 1
    assert not prover.table.any()


def test_slices_of_any_size_walk_the_same_nodes() -> None:
    rng = random.Random(31)
    for players in (3, 4, 5):
        position = ending(rng, players, SIZES[players] - 1)
        for model in MODELS:
            assert answer_text(position, model, 0, Slow()) == answer_text(position, model, 0)


def test_a_node_limit_ends_with_proved_bounds_that_tighten() -> None:
    rng = random.Random(41)
    for players, cards in ((3, 5), (4, 4), (5, 3)):
        position = ending(rng, players, cards)
        for model in MODELS:
            check_bounds(
                partial(analyze.analyze, position, model=model),
                (1, 50, 500, 5_000, 50_000, 3_000_000),
                tighten=model != "maxn",
            )


def whole_round(players: int) -> KnownPosition:
    cards = {3: 14, 4: 11, 5: 9}[players]
    data = random_position(random.Random(players), players=players, cards=cards, played=0, brewing=False)
    position = parse_position(data)
    assert isinstance(position, KnownPosition)
    return position


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_millisecond_is_kept(model: str, players: int) -> None:
    analyze.warm()
    control = Control(Limit(seconds=0.001))
    answer = analyze.analyze(whole_round(players), control, model=model)
    assert control.seconds < LATE
    assert not answer.exact
    assert len(answer.moves) >= 9
    assert answer.line[0] == answer.best
    assert answer.bounds is not None
    assert within(answer.bounds[0], answer.bounds[1], answer.bounds[1])


@pytest.mark.parametrize("model", MODELS)
def test_a_cancel_is_heard(model: str) -> None:
    answer = analyze.analyze(whole_round(4), cancelled(), model=model)
    assert not answer.exact
    assert answer.nodes == 0


@pytest.mark.parametrize("model", MODELS)
def test_a_finished_round_has_its_value_and_no_moves(model: str) -> None:
    position = parse_position(
        {
            "game": "king",
            "deck": "house",
            "leader": 1,
            "trick": [],
            "hands": [[], [], []],
            "won": [["F10", "W7", "F11"], ["T1"], []],
        }
    )
    assert isinstance(position, KnownPosition)
    answer = analyze.analyze(position, Control(), model=model, player=0)
    assert answer.value == ((10, 1, 0) if model == "maxn" else 10)
    assert answer.moves == ()
    assert answer.line == ()
    assert answer.best is None
    assert answer.exact
