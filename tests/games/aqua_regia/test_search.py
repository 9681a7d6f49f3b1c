"""Aqua Regia's search: every value against the slow reference, whatever parts are on and wherever it stops."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest

from solver.games.aqua_regia import analyze, fast_rules
from solver.games.aqua_regia.fast_rules import ALL_SWITCHES, MODELS, deal_of
from solver.games.aqua_regia.position import AquaAnalysis, Round
from solver.games.aqua_regia.rules import legal_moves, play
from solver.games.aqua_regia.search import PROVERS, search
from solver.limits import Control, Limit
from solver.search import winner_search
from solver.search.winner_search import OutcomeProver
from tests.games.aqua_regia.deals import ending
from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference import aqua as reference
from tests.support.amounts import Amount
from tests.support.proved import Proved
from tests.support.search_checks import Slow, cancelled, check_memory, text_of, within
from tests.support.timing import LATE

# Against the reference, under the three models. -----------------------------------------------------------------

PROVED = Proved("aqua_values")

RULES = ("reactivity_one_follows_single",)


def analyzed(position: Round, model: str, player: int, switches: int) -> AquaAnalysis:
    """The analysis by a search with some of its parts."""
    with patch.object(fast_rules, "ALL_SWITCHES", switches):
        return analyze.analyze(position, Control(), model=model, player=player)


def small(rng: random.Random, cards: int, rules: Sequence[str] = ()) -> dict[str, Any]:
    """A position that the reference can solve: few cards, a short stock, a small discard pile."""
    while True:
        deck = random_table(rng) if rng.random() < 0.5 else None
        players = rng.choice((2, 2, 3, 3, 4, 5))
        try:
            data = random_position(
                rng,
                players=players,
                cards=rng.randint(players, max(players, cards)),
                stock=rng.choice((0, 0, 1, 2, 3)),
                deck=deck,
                rules=rules,
            )
        except ValueError:  # too few cards in the deck
            continue
        data["discard"] = data["discard"][: rng.choice((0, 3, 6))]
        return data


def check(data: dict[str, Any], model: str, player: int, parts: tuple[int, ...]) -> None:
    """Values, best moves, their order, and a line that ends in the value, whatever parts of the search are on."""
    table, now = reference.load(data)
    position = Round.model_validate(data)
    for switches in parts:
        answer = analyzed(position, model, player, switches)
        about = f"{model} {player} {data}"
        worths = [(entry.move, entry.value) for entry in answer.moves]
        value = answer.value

        def check_by_reference(worths: list[Any] = worths, value: Any = value, about: str = about) -> None:
            values = reference.values(table, now, model, player)
            assert dict(worths) == {reference.text(table, move): worth for move, worth in values.items()}, about
            assert value == reference.value(table, now, model, player), about
            best = [reference.text(table, move) for move in reference.optimal(table, now, model, player)]
            assert [move for move, _ in worths[: len(best)]] == best, about

        PROVED.check(about, repr((worths, value)), check_by_reference)
        assert answer.bounds == (value, value)
        assert answer.exact
        assert all(entry.exact and entry.estimate is None for entry in answer.moves)
        assert answer.best == worths[0][0]
        end = replay(table, now, answer.line)
        assert reference.over(end), about
        scores = reference.scores(end)
        assert value == (scores if model == "maxn" else scores[player]), about


def replay(table: reference.Table, now: reference.State, line: tuple[str, ...]) -> reference.State:
    """The state after a line of legal moves."""
    for text in line:
        moves = {reference.text(table, move): move for move in reference.legal(table, now)}
        now = reference.play(table, now, moves[text])
    return now


def sweep(seed: int, cards: int, count: int, rules: Sequence[str] = ()) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        data = small(rng, cards, rules)
        for model in MODELS:
            check(data, model, rng.randrange(len(data["hands"])), (0, ALL_SWITCHES))


@pytest.mark.small
def test_tiny_positions(amount: Amount) -> None:
    sweep(1, 4, amount(60))


@pytest.mark.covered
@pytest.mark.small
def test_tiny_positions_where_two_of_reactivity_one_may_follow_one(amount: Amount) -> None:
    sweep(5, 5, amount(60), RULES)


@pytest.mark.slow
def test_hundreds_of_small_positions() -> None:
    sweep(3, 4, 250)
    sweep(4, 6, 120)
    PROVED.check_record()


@pytest.mark.covered
@pytest.mark.small
def test_the_first_move_counts_for_a_seat_that_cannot_win() -> None:
    """Seat 0 must choose which of the others wins: under maxn it plays the first of its moves."""
    rng = random.Random(6)
    seen = 0
    while seen < 3:
        data = small(rng, 5)
        table, now = reference.load(data)
        if len(data["hands"]) < 3:
            continue
        found = reference.values(table, now, "maxn")
        winners = set(found.values())
        if len(winners) < 2 or any(isinstance(worth, tuple) and worth[now.turn] for worth in winners):
            continue
        seen += 1
        check(data, "maxn", 0, (0, ALL_SWITCHES))
        answer = analyze.analyze(Round.model_validate(data), Control(), model="maxn")
        assert answer.best == reference.text(table, next(iter(found)))


# Parts of the search on and off, its table, its limits. ---------------------------------------------------------

SIZES = [(2, 10, 0), (2, 12, 0), (2, 8, 2), (3, 12, 0), (3, 9, 2), (4, 12, 0), (5, 10, 0)]


def endings(seed: int, count: int) -> list[Round]:
    rng = random.Random(seed)
    return [ending(rng, *rng.choice(SIZES), field=None) for _ in range(count)]


def values(position: Round, model: str, player: int, switches: int) -> dict[str, Any]:
    answer = analyzed(position, model, player, switches)
    assert answer.exact
    return {entry.move: entry.value for entry in answer.moves}


@pytest.mark.parametrize("model", MODELS)
def test_with_and_without_runs(model: str) -> None:
    rng = random.Random(1)
    for position in endings(2, 8):
        player = rng.randrange(position.players)
        assert values(position, model, player, ALL_SWITCHES) == values(position, model, player, 0)


def test_two_players_want_the_opposite() -> None:
    """With two seats paranoid play and maxn are one game, seen from either side."""
    for position in [p for p in endings(3, 30) if p.players == 2][:8]:
        mine = values(position, "paranoid", 0, ALL_SWITCHES)
        assert {move: 1 - value for move, value in mine.items()} == values(position, "paranoid", 1, ALL_SWITCHES)
        assert {move: (value, 1 - value) for move, value in mine.items()} == values(
            position, "maxn", 0, ALL_SWITCHES
        )


def test_a_floor_is_no_higher_than_the_value_and_a_ceiling_no_lower() -> None:
    for position in endings(4, 10):
        everybody = values(position, "maxn", 0, ALL_SWITCHES)
        for seat in range(position.players):
            low = values(position, "paranoid", seat, ALL_SWITCHES)
            high = values(position, "ally", seat, ALL_SWITCHES)
            assert all(low[move] <= scores[seat] <= high[move] for move, scores in everybody.items())


def answer_text(position: Round, model: str, player: int, control: Control | None = None) -> str:
    return text_of(analyze.analyze(position, control or Control(), model=model, player=player))


def test_what_was_asked_before_changes_nothing_not_even_the_nodes() -> None:
    questions = [(position, model, 0) for position in endings(5, 5) for model in MODELS]
    check_memory(questions, lambda question: answer_text(*question), PROVERS.clear)


def test_a_tiny_table_gives_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    position = ending(random.Random(6), 2, 12)
    usual = values(position, "paranoid", 0, ALL_SWITCHES)
    with PROVERS.lend() as prover:
        monkeypatch.setattr(prover, "table", prover.table[: 16 * winner_search.BUCKET])
    assert values(position, "paranoid", 0, ALL_SWITCHES) == usual


def test_generations_wrap() -> None:
    small = OutcomeProver(search(), 1)
    assert small.table.nbytes <= 1 << 20
    small._generation = winner_search.GENERATIONS - 1
    small.table[:] = -1
    position = ending(random.Random(7), 2, 4)
    deal = deal_of(position.metals, position.state, "paranoid")
    small.take(deal)
    assert small._generation == 1
    assert not small.table.any()


def test_slices_of_any_size_walk_the_same_nodes() -> None:
    for position in endings(8, 6):
        for model in MODELS:
            assert answer_text(position, model, 1, Slow()) == answer_text(position, model, 1)


@pytest.mark.parametrize("model", MODELS)
def test_a_node_limit_ends_with_bounds_that_hold(model: str) -> None:
    for position in [ending(random.Random(seed), 3, 12, 2, field=None) for seed in range(3)]:
        exact = analyze.analyze(position, Control(), model=model)
        wanted = {entry.move: entry.value for entry in exact.moves}
        assert exact.exact
        for limit in (1, 50, 500, 5_000, 50_000):
            answer = analyze.analyze(position, Control(Limit(nodes=limit)), model=model)
            assert answer.nodes <= limit + 200
            assert answer.best == answer.moves[0].move
            assert {entry.move for entry in answer.moves} == set(wanted)
            assert answer.bounds is not None
            assert within(answer.bounds[0], exact.value, answer.bounds[1])
            assert answer.line[0] == answer.best
            for entry in answer.moves:
                assert within(entry.bounds[0], wanted[entry.move], entry.bounds[1])
                assert entry.exact is (entry.value is not None)
                assert entry.estimate is None or entry.value is None


@pytest.mark.parametrize("model", MODELS)
def test_a_forced_move_is_worth_what_its_position_is(model: str) -> None:
    forced = settled = 0
    for position in endings(13, 120):
        for limit in (1, 30, 300):
            answer = analyze.analyze(position, Control(Limit(nodes=limit)), model=model)
            if len(answer.moves) == 1:
                forced += 1
                settled += answer.value is not None
                assert (answer.moves[0].value, answer.moves[0].bounds) == (answer.value, answer.bounds)
        if len(answer.moves) == 1 and answer.exact:
            exact = analyze.analyze(position, Control(), model=model)
            assert (answer.value, answer.moves[0].value) == (exact.value, exact.value)
    assert forced > settled > 20


@pytest.mark.parametrize("model", ["paranoid", "maxn"])
def test_a_whole_deal_gets_a_move_and_its_chance_by_the_limit(model: str) -> None:
    position = ending(random.Random(9), 4, 40, 24)
    analyze.analyze(position, Control(Limit(seconds=0.05)), model=model)  # the memory of this thread
    for limit in (Limit(seconds=0.001), Limit(seconds=0.05), Limit(nodes=50_000)):
        control = Control(limit)
        answer = analyze.analyze(position, control, model=model)
        assert limit.seconds is None or control.seconds < limit.seconds + LATE
        assert not answer.exact
        assert answer.value is None
        assert answer.line == (answer.best,)
        if limit.nodes:
            assert answer.moves[0].estimate is not None
            assert all(entry.estimate is None or 0 <= entry.estimate <= 1 for entry in answer.moves)


def test_the_tree_search_finds_the_winning_move() -> None:
    """Where one move alone wins, the games that are played tell so, though nothing is proved."""
    rng = random.Random(10)
    right = seen = 0
    while seen < 12:
        position = ending(rng, 2, 8, field=None)
        exact = analyze.analyze(position, Control())
        winning = [entry.move for entry in exact.moves if entry.value == 1]
        if len(winning) != 1 or len(exact.moves) < 3:
            continue
        seen += 1
        right += estimated_best(position) == winning[0]
    assert right >= 10


def estimated_best(position: Round) -> str:
    """The move that the tree search alone would choose."""
    from solver.games.aqua_regia.analyze import chances
    from solver.games.aqua_regia.rules import text_of
    from solver.games.aqua_regia.search import Outcomes

    prover = OutcomeProver(search(), 1)
    outcomes = Outcomes(prover, position.metals, position.state, "paranoid", Control(Limit(nodes=60_000)))
    found = chances(outcomes, outcomes.legal(outcomes.start), position.seat_to_move)
    return text_of(position.metals, outcomes.move(max(found, key=lambda move: found[move].games)))


def test_a_cancel_is_heard() -> None:
    answer = analyze.analyze(ending(random.Random(11), 2, 20), cancelled())
    assert not answer.exact
    assert answer.nodes == 0
    assert answer.best is not None


def test_a_game_that_is_over_has_its_value_and_no_moves() -> None:
    position = ending(random.Random(12), 3, 3, field=3)
    deck, state = position.metals, position.state
    after = play(deck, state, legal_moves(deck, state)[0])
    assert after.winner == 0
    over = position.model_copy(update={"hands": ((), *position.hands[1:])})
    for model, value in (("paranoid", 1), ("ally", 1), ("maxn", (1, 0, 0))):
        answer = analyze.analyze(over, Control(), model=model, player=0)
        assert answer.value == value
        assert answer.moves == ()
        assert answer.best is None
        assert answer.exact
