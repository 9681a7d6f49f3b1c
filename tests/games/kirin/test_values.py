"""Kirin's values under the three models, against the slow reference, and by laws that hold at any size."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import athanor
from solver.answers import Analysis
from solver.games.kirin import analyze
from solver.games.kirin.deck import NUMBERS
from solver.games.kirin.position import Round
from solver.limits import Control, Limit, Progress
from solver.positions import position_data, text_of
from tests.games.kirin.deals import full_deal, letters, position_of, random_state
from tests.reference import kirin as reference
from tests.reference.kirin import name
from tests.support.proved import Proved
from tests.support.search_checks import within

PROVED = Proved("kirin_values")
MODELS = ("paranoid", "ally", "maxn")


def check(position: Round, now: reference.State, model: str, player: int) -> None:
    """Values, best moves, their order, and a line that ends in the value; `now` is the reference's position."""
    answer = analyze.analyze(position, Control(), model=model, player=player)
    colours = [card[0] for card in position.declared]
    about = f"{model} {player} {text_of(position)}"
    worths = [(entry.move, entry.value) for entry in answer.moves]

    def check_by_reference() -> None:
        wanted = {name(card): value for card, value in reference.values(now, colours, model, player).items()}
        assert dict(worths) == wanted, about
        assert answer.value == reference.value(now, colours, model, player), about
        best = [name(card) for card in reference.optimal(now, colours, model, player)]
        assert [move for move, _ in worths[: len(best)]] == best, about

    PROVED.check(about, repr((worths, answer.value)), check_by_reference)
    assert answer.exact
    assert answer.bounds == (answer.value, answer.value)
    assert answer.best == (worths[0][0] if worths else None)
    check_line(now, colours, answer, player)


def sweep(seed: int, cards: list[int], count: int, *, only_kirin: bool = False) -> None:
    rng = random.Random(seed)
    for index in range(count):
        size, heavy = rng.choice(cards), rng.random() < 0.3
        now, declared = random_state(rng, size, heavy=heavy or only_kirin, only_kirin=only_kirin)
        position = position_of(now, declared)
        for model in MODELS:
            check(position, now, model, rng.randrange(4))
        if index % 100 == 99:
            reference._one_player.cache_clear()
            reference._maxn.cache_clear()


@pytest.mark.small
def test_a_led_kirin_that_asks_only_for_kirin(amount: Callable[[int], int]) -> None:
    sweep(5, [1, 2, 2, 2], amount(150), only_kirin=True)
    sweep(6, [3], amount(12), only_kirin=True)


@pytest.mark.covered
@pytest.mark.small
def test_small_positions() -> None:
    sweep(1, [1, 2, 2, 2], 300)
    sweep(2, [3], 25)


@pytest.mark.slow
def test_hundreds_of_small_positions() -> None:
    sweep(3, [1, 2, 2, 2], 600)
    sweep(4, [3], 60)
    PROVED.check_record()


@pytest.mark.parametrize("model", MODELS)
def test_after_an_all_kirin_trick(model: str) -> None:
    rng = random.Random(5)
    seen = 0
    while seen < 20:
        now, declared = random_state(rng, 3, heavy=True, played=0)
        lead = [card for card in reference.legal(now) if reference.is_kirin(card)]
        for _ in range(4):
            lead = [card for card in reference.legal(now) if reference.is_kirin(card)]
            if not lead:
                break
            now = reference.play(now, rng.choice(lead))
        if lead:
            seen += 1
            check(position_of(now, declared), now, model, rng.randrange(4))


def test_a_finished_round_has_its_value_and_no_moves() -> None:
    now, declared = random_state(random.Random(6), 1, played=0)
    while not reference.over(now):
        now = reference.play(now, reference.legal(now)[0])
    for model in MODELS:
        answer = analyze.analyze(position_of(now, declared), Control(), model=model, player=2)
        scores = reference.scores(now, letters(declared))
        assert answer.value == (scores if model == "maxn" else scores[2])
        assert answer.moves == ()
        assert answer.best is None
        assert answer.exact


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_declaring_is_the_best_of_the_rounds_that_follow(model: str) -> None:
    rng = random.Random(7)
    deck = list(range(36))
    rng.shuffle(deck)
    hands = [sorted(deck[9 * seat : 9 * seat + 9]) for seat in range(4)]
    asides = [hands[seat].pop(rng.randrange(9)) if seat != 1 else None for seat in range(4)]
    position = Round(
        game="kirin",
        seat=1,
        leader=3,
        hands=tuple(tuple(map(name, hand)) for hand in hands),
        declared=tuple(None if card is None else name(card) for card in asides),
    )
    answer = analyze.analyze(position, Control(), model=model)
    assert answer.exact
    assert len(answer.moves) == 9
    for entry in answer.moves:
        after = position.after_choice(NUMBERS[entry.move])
        whole = analyze.analyze(after, Control(), model=model, player=1)
        assert whole.value == entry.value
    assert answer.value == answer.moves[0].value
    assert answer.line[0] == answer.best
    assert len(answer.line) == 1 + 32


def rotated(position: Round, by: int) -> Round:
    def turn(items: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(items[(seat - by) % 4] for seat in range(4))

    return position.model_copy(
        update={
            "leader": (position.leader + by) % 4,
            "hands": turn(position.hands),
            "declared": turn((*position.declared,)),
            "won": turn(position.won),
        }
    )


@pytest.mark.parametrize("model", ["paranoid", "ally", "maxn"])
def test_seats_may_be_rotated(model: str) -> None:
    rng = random.Random(1)
    for _ in range(10):
        position = position_of(*random_state(rng, 5))
        player = rng.randrange(4)
        by = rng.randrange(1, 4)
        one = analyze.analyze(position, Control(), model=model, player=player)
        other = analyze.analyze(rotated(position, by), Control(), model=model, player=(player + by) % 4)
        if model == "maxn":
            for mine, theirs in zip(one.moves, other.moves, strict=True):
                assert mine.move == theirs.move
                assert isinstance(mine.value, tuple)
                assert isinstance(theirs.value, tuple)
                assert theirs.value == tuple(mine.value[(seat - by) % 4] for seat in range(4))
        else:
            assert [(entry.move, entry.value) for entry in one.moves] == [
                (entry.move, entry.value) for entry in other.moves
            ]
            assert one.line == other.line


def test_paranoid_maxn_ally_in_this_order() -> None:
    """Provable for every seat at every node, however ties are broken.

    Whatever the others do, a seat that plays for its own score at each of its turns gets no less than against
    the worst they could do, and nobody gets more than with everybody's help.
    """
    rng = random.Random(2)
    for _ in range(12):
        position = position_of(*random_state(rng, 5))
        middle = analyze.analyze(position, Control(), model="maxn")
        for seat in range(4):
            low = analyze.analyze(position, Control(), model="paranoid", player=seat)
            high = analyze.analyze(position, Control(), model="ally", player=seat)
            assert isinstance(middle.value, tuple)
            assert low.value <= middle.value[seat] <= high.value  # type: ignore[operator]
            lows = {entry.move: entry.value for entry in low.moves}
            highs = {entry.move: entry.value for entry in high.moves}
            for entry in middle.moves:
                assert lows[entry.move] <= entry.value[seat] <= highs[entry.move]  # type: ignore[operator,index]


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_lines_of_whole_rounds(model: str) -> None:
    rng = random.Random(3)
    for _ in range(6):
        position = full_deal(rng)
        declared = tuple(map(reference.number, position.declared))
        now = reference.state([" ".join(hand) for hand in position.hands], position.leader)
        answer = analyze.analyze(position, Control(), model=model)
        assert answer.exact
        assert answer.to_move == position.leader
        assert len(answer.line) == 32
        check_line(now, letters(declared), answer, position.leader)
        assert answer.line[0] == answer.best


def test_a_line_of_maxn_with_six_cards() -> None:
    position = full_deal(random.Random(4), 6)
    declared = tuple(map(reference.number, position.declared))
    now = reference.state([" ".join(hand) for hand in position.hands], position.leader)
    answer = analyze.analyze(position, Control(), model="maxn")
    assert answer.exact
    check_line(now, letters(declared), answer, position.leader)


def test_states_that_cannot_be_reached_are_not_looked_at() -> None:
    for seed in range(3):
        memo = analyze.Memo(full_deal(random.Random(seed), 5).state, (0, 1, 2, 3))
        whole = sum(memo._states(level) for level in range(1, 5))
        full, states = memo.step(10 * whole)
        while not full:
            full, more = memo.step(10 * whole)
            states += more
        assert states < 0.7 * whole


def check_line(now: reference.State, colours: list[str], answer: Analysis, player: int) -> None:
    """The line is legal, goes to the end, and leaves the value in the piles."""
    for move in answer.line:
        now = reference.play(now, reference.number(move))
    assert reference.over(now)
    scores = reference.scores(now, colours)
    assert answer.value == (scores if answer.model == "maxn" else scores[player])


def answer(position: Round, limit: Limit | None = None) -> dict[str, Any]:
    found = analyze.analyze(position, Control(limit), model="maxn").to_dict()
    del found["nodes"], found["seconds"]
    return found


@pytest.mark.small
@pytest.mark.parametrize("megabytes", [0.001, 0.01])
def test_a_memo_that_is_too_large_is_taken_apart(megabytes: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("parts")
    positions = [position_of(*random_state(rng, rng.choice((3, 4)), heavy=number % 2 == 0)) for number in range(5)]
    expected = [answer(position) for position in positions]
    monkeypatch.setattr(analyze, "memo_megabytes", lambda: megabytes)
    assert [answer(position) for position in positions] == expected
    assert all(found["exact"] for found in expected)


def test_a_limit_leaves_bounds_and_the_cards_that_were_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("limits")
    position = position_of(*random_state(rng, 5, heavy=False))
    truth = {move["move"]: move["value"] for move in answer(position)["moves"]}
    monkeypatch.setattr(analyze, "memo_megabytes", lambda: 0.1)
    solved = set()
    for nodes in (100, 3_000, 30_000, 100_000, 300_000, 1_000_000):
        found = answer(position, Limit(nodes=nodes))
        for move in found["moves"]:
            low, high = move["bounds"]
            value = truth[move["move"]]
            assert within(tuple(low), tuple(value), tuple(high))
        solved.add(sum(move["exact"] for move in found["moves"]))
    assert len(solved) > 1
    assert max(solved) == len(truth)


@pytest.mark.parametrize(
    ("model", "nodes", "counts"), [("paranoid", 3_000, False), ("paranoid", 3_000, True), ("maxn", 20_000, True)]
)
def test_bounds_are_told_while_they_tighten(
    monkeypatch: pytest.MonkeyPatch, model: str, nodes: int, counts: bool
) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    seen: list[Progress] = []
    deal = position_data(athanor.deal("kirin", seed=2)) | {"rules": {"declared_counts": counts}}
    found = athanor.analyze(deal, model=model, nodes=nodes, progress=seen.append)
    told: list[dict[str, Any]] = [{one.move: one.bounds for one in step.moves} for step in seen if step.moves]
    final: dict[str, Any] = {move.move: move.bounds for move in found.moves}
    if model == "maxn":
        assert told[-1] != told[0]
        pairs = list(pairwise([*told, final]))
    else:
        assert told[-1] == final
        assert all(int(counts) <= low for bounds in told for low, _ in bounds.values())
        pairs = [(bounds, final) for bounds in told]
    for wide, narrow in pairs:
        for move, (low, high) in narrow.items():
            assert within(wide[move][0], low, wide[move][1])
            assert within(wide[move][0], high, wide[move][1])
