"""King × Alchemy's search: its parts on and off, limits, ways, Monte-Carlo trees."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import pytest

import athanor
from solver.games.king import analyze
from solver.games.king.analyze import (
    PROVERS,
    MaxnScores,
    Means,
    PlayerScore,
    Ways,
    estimates,
    means_of,
    sampled,
    search,
    tree_of,
)
from solver.games.king.deck import KIND
from solver.games.king.fast_rules import (
    ALL_SWITCHES,
    PROBE_NODES,
    PROBE_TRICKS,
    deal_words,
    move_of,
    node_words,
    round_words,
)
from solver.games.king.position import Round
from solver.games.king.rules import Move, State, legal_moves, play
from solver.limits import Control, Limit, Progress
from solver.positions import parse_position
from solver.search import fail_soft
from solver.search.fail_soft import GENERATIONS, FailSoftProver
from solver.search.trick_rules import SWITCHES
from solver.tricks.analysis import MODELS
from tests.games.king.random_positions import random_deck, random_position
from tests.games.king.rounds import position_of, round_at
from tests.page.support import ENDINGS
from tests.support.kinds import of_kind
from tests.support.search_checks import Slow, cancelled, check_bounds, check_memory, text_of, within
from tests.support.timing import LATE

EACH = [1 << bit for bit in range(ALL_SWITCHES.bit_length()) if ALL_SWITCHES >> bit & 1]
SOME = (ALL_SWITCHES, *EACH, *(ALL_SWITCHES & ~switch for switch in EACH))
SIZES = {3: 4, 4: 3, 5: 2}  # cards a hand by players


def ending(rng: random.Random, players: int, cards: int, *, deck: dict[str, Any] | None = None) -> Round:
    heavy = rng.choice((None, "trump", "dancer"))
    position = parse_position(random_position(rng, players=players, cards=cards, heavy=heavy, deck=deck))
    assert isinstance(position, Round)
    return position


def values(
    position: Round, player: int, *, allies: bool, switches: int, prover: FailSoftProver | None = None
) -> dict[Move, tuple[int, int]]:
    with PROVERS.lend() as lent:
        search = PlayerScore(prover or lent, position.state, player, allies=allies, control=Control())
        search.deal[SWITCHES] &= switches
        return search.moves()


def everybody(position: Round, switches: int = ALL_SWITCHES) -> dict[Move, tuple[int, ...] | None]:
    with PROVERS.lend() as prover:
        search = MaxnScores(prover, position.state, Control())
        search.deal[SWITCHES] &= switches
        return search.moves()


@pytest.mark.parametrize("strange", [False, True])
def test_each_part_alone_and_all_but_it(strange: bool, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"parts {strange}")
    for _ in range(amount(40)):
        players = rng.randint(3, 5)
        deck = random_deck(rng) if strange else None
        position = ending(rng, players, rng.randint(1, SIZES[players]), deck=deck)
        player = rng.randrange(players)
        allies = rng.random() < 0.4
        plain = values(position, player, allies=allies, switches=0)
        for switches in SOME:
            assert values(position, player, allies=allies, switches=switches) == plain, (f"{switches:b}", position)


def test_each_part_of_maxn(amount: Callable[[int], int]) -> None:
    rng = random.Random("maxn parts")
    for _ in range(amount(25)):
        players = rng.randint(3, 5)
        position = ending(rng, players, rng.randint(1, {3: 3, 4: 3, 5: 2}[players]))
        plain = everybody(position, 0)
        for switches in SOME:
            assert everybody(position, switches) == plain, (f"{switches:b}", position)


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
            usual.deal[PROBE_NODES] = 0
            rounds = PlayerScore(prover, position.state, player, allies=False, control=control)
            rounds.deal[PROBE_NODES] = rng.choice((1, 2, 5, 20))
            rounds.deal[PROBE_TRICKS] = rng.randint(1, 3)
            assert rounds.moves() == usual.moves()
        more += control.nodes != plain.nodes
    assert more > 5


def test_switch_bits_do_not_overlap() -> None:
    assert len(EACH) == 14


def answer_text(position: Round, model: str, player: int, control: Control | None = None) -> str:
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


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_short_questions_find_the_line_that_long_ones_find(
    model: str, amount: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(23)
    for _ in range(amount(60)):
        players = rng.randint(3, 5)
        deck = random_deck(rng) if rng.random() < 0.5 else None
        state = ending(rng, players, rng.randint(1, SIZES[players]), deck=deck).state
        if state.over:
            continue
        player, move = rng.randrange(players), rng.choice(legal_moves(state))
        lines: list[list[Move]] = []
        for slices in (1000, rng.randint(1, 40), 0):
            with PROVERS.lend() as prover, monkeypatch.context() as patch:
                patch.setattr("solver.limits._FIRST_SLICE", slices or 1000)
                if not slices:
                    patch.setattr(PlayerScore, "_quick_line", lambda search, worth: ([], search._ways._listed()))
                search = PlayerScore(prover, state, player, allies=model == "ally", control=Control())
                score, _ = search.moves()[move]
                lines.append(search.line(move, score))
        assert lines[0] == lines[1] == lines[2]
        now = play(state, move)
        for one in lines[0]:
            assert one in legal_moves(now)
            now = play(now, one)
        assert now.over


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


def whole_round(players: int) -> Round:
    cards = {3: 14, 4: 11, 5: 9}[players]
    data = random_position(random.Random(players), players=players, cards=cards, played=0, brewing=False)
    return of_kind(Round, parse_position(data))


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
    assert isinstance(position, Round)
    answer = analyze.analyze(position, Control(), model=model, player=0)
    assert answer.value == ((10, 1, 0) if model == "maxn" else 10)
    assert answer.moves == ()
    assert answer.line == ()
    assert answer.best is None
    assert answer.exact


PLAYERS = (3, 4, 5)


def games(state: State, model: str, nodes: int) -> Means:
    return sampled(state, state.to_move, model, Control(Limit(nodes=nodes)))


@pytest.mark.small
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_question_gets_the_same_games(model: str, players: int) -> None:
    state = round_at(random.Random(players), players, 3)
    found = games(state, model, 2_000)
    assert found
    assert games(state, model, 2_000) == found
    tree = tree_of(state, state.to_move, model)
    for _ in range(200):
        tree.step(10)
    assert means_of(state, tree) == found
    assert set(found) <= set(legal_moves(state))


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("players", PLAYERS)
def test_means_are_within_what_can_happen(players: int) -> None:
    rng = random.Random(players)
    for cards in (1, 2, 3):
        state = round_at(rng, players, cards)
        for move, means in games(state, "ally", 3_000).items():
            assert move in legal_moves(state)
            after = play(state, move)
            for seat in range(players):
                with PROVERS.lend() as prover:
                    search = PlayerScore(prover, after, seat, allies=True, control=Control())
                    low, high = search.widest(after)
                assert low <= means[seat] <= high


@pytest.mark.small
def test_every_move_is_tried_takings_and_names_too(amount: Callable[[int], int]) -> None:
    rng = random.Random(5)
    for _ in range(amount(20)):
        state = round_at(rng, 4, 2)
        for _ in range(rng.randrange(5)):
            state = play(state, rng.choice(legal_moves(state)))
        assert set(games(state, "maxn", 5_000)) == set(legal_moves(state))


def losses(model: str, players: int, cards: int, count: int) -> tuple[int, float]:
    """Points lost in all by the sampled moves, and by random ones on the average, to the seat that leads."""
    rng = random.Random(f"{model} {players}")
    lost, random_lost = 0, 0.0
    for _ in range(count):
        state = round_at(rng, players, cards)
        seat = state.to_move
        with PROVERS.lend() as prover:
            if model == "maxn":
                everybody = MaxnScores(prover, state, Control()).moves()
                values = {move: (scores or ())[seat] for move, scores in everybody.items()}
            else:
                search = PlayerScore(prover, state, seat, allies=model == "ally", control=Control())
                values = {move: low for move, (low, _) in search.moves().items()}
        found = games(state, model, 300_000)
        lost += max(values.values()) - values[max(values, key=lambda move: found[move][seat])]
        random_lost += max(values.values()) - sum(values.values()) / len(values)
    return lost, random_lost


@pytest.mark.parametrize(
    ("model", "players", "cards"), [("paranoid", 3, 5), ("paranoid", 4, 4), ("ally", 3, 4), ("maxn", 3, 4)]
)
def test_it_loses_a_third_of_what_chance_loses_at_most(model: str, players: int, cards: int) -> None:
    lost, random_lost = losses(model, players, cards, 15)
    assert random_lost > 0
    assert lost <= random_lost / 3


def test_what_is_proved_bounds_and_corrects_estimates() -> None:
    state = round_at(random.Random(1), 3, 3)
    one, two, three = legal_moves(state)[:3]
    means: Means = {one: (7.6, 1.0, 2.0), two: (6.1, 3.0, 2.0)}

    def found(seat: int, *bounds: tuple[int, int]) -> list[float | None]:
        return list(estimates(means, seat, dict(zip((one, two, three), bounds, strict=False))).values())

    assert found(0, (0, 20), (0, 20)) == [8, 6]
    assert found(1, (0, 20), (0, 20)) == [1, 3]
    assert found(0, (9, 20), (0, 20)) == [9, 8]
    assert found(0, (0, 5), (0, 20)) == [5, 4]
    assert found(0, (0, 20), (2, 2)) == [4, 2]
    assert found(0, (7, 9), (1, 1), (3, 5)) == [7, 1, None]
    assert estimates({}, 0, {one: (3, 5)}) == {one: None}


@pytest.mark.parametrize("model", MODELS)
def test_a_whole_round_gets_its_best_looking_move(model: str) -> None:
    state = round_at(random.Random(2), 3, 14)
    control = Control(Limit(nodes=200_000))
    answer = analyze.analyze(position_of(state), control, model=model)
    assert not answer.exact
    assert len(answer.moves) == len(legal_moves(state))
    assert answer.nodes <= 200_000
    assert answer.line == (answer.best,)
    again = analyze.analyze(position_of(state), Control(Limit(nodes=200_000)), model=model)
    assert again.moves == answer.moves


def test_moves_that_are_solved_are_told_before_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_SLICE", 5)
    seen: list[Progress] = []
    position = athanor.play(ENDINGS["king"], "take -")
    found = athanor.analyze(position, model="maxn", progress=seen.append)
    values = {one.move: one.bounds for one in found.moves}
    told = [step.moves or () for step in seen]
    assert any(0 < len(moves) < len(values) for moves in told)
    assert all(cast(Any, one.bounds) == values[one.move] for moves in told for one in moves)


@pytest.mark.small
def test_moves_are_the_rules_with_the_same_words_after_them(amount: Callable[[int], int]) -> None:
    rng = random.Random("ways")
    for number in range(amount(40)):
        state = round_at(rng, rng.randint(3, 5), 3, KIND.read(random_deck(rng)) if number % 2 else None)
        deal = deal_words(state, rng.randrange(state.players), allies=False)
        ways = Ways(deal)
        count = ways.of(state)
        while not state.over:
            moves = legal_moves(state)
            assert [move_of(state, code) for code in ways.codes[:count].tolist()] == moves
            for place, move in enumerate(moves):
                after = play(state, move)
                assert ways.nodes[place].tolist() == node_words(after, deal).tolist()
                assert ways.rounds[place + 1].tolist() == round_words(after, deal).tolist()
            place = rng.randrange(count)
            state = play(state, moves[place])
            count = ways.after(place)
        assert count == 0
