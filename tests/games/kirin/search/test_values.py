"""Every move's value of random small positions of kirin, against the slow reference, under the three models."""

from __future__ import annotations

import random

import pytest

from solver.games.kirin import analyze
from solver.games.kirin.deck import name
from solver.games.kirin.position import DeclarePosition
from solver.limits import Control
from tests.games.kirin.deals import letters, position_of, random_state
from tests.games.kirin.search.lines import check_line
from tests.reference import kirin as reference
from tests.support.proved import Proved

PROVED = Proved("kirin_values")
MODELS = ("paranoid", "ally", "maxn")


def check(now: reference.State, declared: tuple[int, ...], model: str, player: int) -> None:
    """Values, best moves, their order, and a line that ends in the value."""
    position = position_of(now, declared)
    answer = analyze.analyze(position, Control(), model=model, player=player)
    colours = letters(declared)
    about = f"{model} {player} {position.model_dump_json()}"
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
        for model in MODELS:
            check(now, declared, model, rng.randrange(4))
        if index % 100 == 99:
            reference._one_player.cache_clear()
            reference._maxn.cache_clear()


@pytest.mark.small
def test_a_led_kirin_that_asks_only_for_kirin() -> None:
    sweep(5, [1, 2, 2, 2], 150, only_kirin=True)
    sweep(6, [3], 12, only_kirin=True)


@pytest.mark.covered
@pytest.mark.small
def test_small_positions() -> None:
    sweep(1, [1, 2, 2, 2], 300)
    sweep(2, [3], 25)


@pytest.mark.slow
def test_five_thousand_small_positions() -> None:
    sweep(3, [1, 2, 2, 2], 4700)
    sweep(4, [3], 300)
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
            check(now, declared, model, rng.randrange(4))


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
    position = DeclarePosition(
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
        after = position.after(reference.number(entry.move))
        whole = analyze.analyze(after, Control(), model=model, player=1)
        assert whole.value == entry.value
    assert answer.value == answer.moves[0].value
    assert answer.line[0] == answer.best
    assert len(answer.line) == 1 + 32
