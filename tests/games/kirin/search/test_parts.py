"""The parts of kirin's search on and off, alone and together: the values stay, and so does every answer."""

from __future__ import annotations

import random
from functools import partial

import pytest

from solver.games.kirin import analyze
from solver.games.kirin.bounds import told_apart
from solver.games.kirin.fast_rules import ALL_SWITCHES, EQUIVALENT, INNER, to_inner
from solver.games.kirin.position import KnownPosition
from solver.games.kirin.search import PROVERS, player_score, search
from solver.limits import Control, Limit
from solver.search.score_search import Parts, ScoreProver
from solver.search.trick_rules import NEAR_WORDS
from tests.conftest import JIT
from tests.games.kirin.deals import full_deal, position_of, random_state
from tests.reference import kirin as reference
from tests.support.search_checks import Slow, cancelled, check_bounds, check_memory, text_of, within
from tests.support.timing import LATE

PLAIN = 0
SWITCHES = [1 << bit for bit in range(ALL_SWITCHES.bit_length()) if ALL_SWITCHES >> bit & 1]


def values(
    position: KnownPosition,
    player: int,
    *,
    allies: bool,
    switches: int,
    prover: ScoreProver | None = None,
) -> dict[int, tuple[int, int]]:
    with PROVERS.lend() as lent:
        return player_score(
            prover or lent,
            position.state,
            position.colours[player],
            player,
            allies=allies,
            control=Control(),
            switches=switches,
        ).moves()


def endings(seed: int, cards: int, count: int) -> list[tuple[KnownPosition, int, bool]]:
    rng = random.Random(seed)
    return [
        (position_of(*random_state(rng, cards, heavy=rng.random() < 0.5)), rng.randrange(4), rng.random() < 0.3)
        for _ in range(count)
    ]


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_each_part_alone_and_all_but_it(switch: int, cards: int) -> None:
    for position, player, allies in endings(cards, cards, {3: 200, 4: 100, 5: 30}[cards]):
        plain = values(position, player, allies=allies, switches=PLAIN)
        assert values(position, player, allies=allies, switches=switch) == plain
        assert values(position, player, allies=allies, switches=ALL_SWITCHES & ~switch) == plain
        assert values(position, player, allies=allies, switches=ALL_SWITCHES) == plain


@pytest.mark.small
@pytest.mark.parametrize(
    "parts",
    [
        Parts(small=1),
        Parts(small=2, most_visits=3),
        Parts(small=3),
        Parts(small=2, most_visits=20),
        Parts(small=8),
        Parts(first_nodes=1, more_percent=10),
        Parts(first_nodes=20, more_percent=100),
    ],
)
def test_who_does_the_work_does_not_matter(parts: Parts) -> None:
    for position, player, allies in endings(11, 5, 12) + endings(12, 6, 4) if JIT else endings(11, 4, 3):
        usual = values(position, player, allies=allies, switches=ALL_SWITCHES)
        prover = ScoreProver(search(), 1, parts=parts)
        assert values(position, player, allies=allies, switches=ALL_SWITCHES, prover=prover) == usual


def answer_text(position: KnownPosition, model: str, player: int, control: Control | None = None) -> str:
    return text_of(analyze.analyze(position, control or Control(), model=model, player=player))


def test_what_was_asked_before_changes_nothing_not_even_the_nodes() -> None:
    questions = [
        (position, model, player)
        for position, player, _ in endings(21, 5, 6) + endings(22, 6, 2)
        for model in ("paranoid", "ally")
    ]
    check_memory(questions, lambda question: answer_text(*question), PROVERS.clear)


def test_a_tiny_table_gives_the_same_values() -> None:
    rng = random.Random(23)
    position = full_deal(rng, 6)
    usual = values(position, 0, allies=False, switches=ALL_SWITCHES)
    prover = ScoreProver(search(), 1)
    assert len(prover.table) == NEAR_WORDS + (1 << 17)
    prover.table = prover.table[: NEAR_WORDS + 1024]
    assert values(position, 0, allies=False, switches=ALL_SWITCHES, prover=prover) == usual


def test_generations_wrap() -> None:
    prover = ScoreProver(search(), 1)
    prover._generation = prover._generations - 1
    prover.table[:] = -1
    prover.take(prover.deal.copy())
    assert prover._generation == 1
    assert not prover.table.any()


def test_slices_of_any_size_walk_the_same_nodes() -> None:
    for position, player, _ in endings(31, 5, 5) + endings(32, 6, 1):
        assert answer_text(position, "paranoid", player, Slow()) == answer_text(position, "paranoid", player)


ENDING = 60_000  # nodes: more than an ending of five tricks, which is searched whole, was ever seen to take


def test_a_node_limit_ends_with_proved_bounds_that_tighten() -> None:
    for position, player, _ in endings(41, 6, 3):
        for model in ("paranoid", "ally", "maxn"):
            check_bounds(
                partial(analyze.analyze, position, model=model, player=player),
                (1, 50, 500, 5_000, 50_000, 100_000, 2_000_000),
                tighten=model != "maxn",
                over=20 if model == "ally" else ENDING,
            )


@pytest.mark.parametrize("model", ["paranoid", "ally", "maxn"])
def test_a_millisecond_is_kept_and_its_bounds_hold(model: str) -> None:
    position = full_deal(random.Random(51))
    analyze.warm()
    control = Control(Limit(seconds=0.001))
    answer = analyze.analyze(position, control, model=model)
    assert control.seconds < LATE
    assert len(answer.moves) == 8
    if model != "maxn":
        exact = analyze.analyze(position, Control(), model=model)
        values = {entry.move: entry.value for entry in exact.moves}
        for entry in answer.moves:
            assert within(entry.bounds[0], values[entry.move], entry.bounds[1])


@pytest.mark.parametrize("deal", [225, 366, 909, 1439])
def test_points_that_the_directions_do_not_allow_are_not_searched_for(deal: int) -> None:
    """Tens of millions of nodes when a card was thought to be caught in one direction by a winner of the other."""
    rng = random.Random(3)
    for _ in range(deal):
        full_deal(rng)
    answer = analyze.analyze(full_deal(rng), Control(Limit(nodes=200_000)), model="ally")
    assert answer.exact


def test_a_cancel_is_heard() -> None:
    answer = analyze.analyze(full_deal(random.Random(52)), cancelled())
    assert not answer.exact
    assert answer.nodes == 0


def test_switch_bits_do_not_overlap() -> None:
    assert EQUIVALENT in SWITCHES
    assert sum(SWITCHES) == ALL_SWITCHES


def tells(other: int, one: int, two: int, direction: str) -> bool:
    """Whether a card of another hand stands in another relation to two cards, by the rules."""

    def relations(card: int) -> tuple[bool, ...]:
        return (
            reference.beats(card, other, direction),
            reference.beats(other, card, direction),
            reference.qualifies(card, other, direction),
            reference.qualifies(other, card, direction),
        )

    return relations(one) != relations(two)


def test_cards_that_no_other_tells_apart() -> None:
    rng = random.Random(61)
    same = 0
    for _ in range(20_000):
        one, two, *others = rng.sample(range(36), rng.choice([3, 4, 6, 10]))
        if reference.is_kirin(one) != reference.is_kirin(two):
            continue  # never compared
        directions = rng.choice([1, 2, 3])
        wanted = any(
            tells(other, one, two, direction)
            for bit, direction in enumerate((reference.UP, reference.DOWN))
            if directions >> bit & 1
            for other in others
        )
        low, high = sorted((INNER[one], INNER[two]))
        found = told_apart(high, low, to_inner(sum(1 << other for other in others)), directions)
        if reference.is_kirin(one):  # their direction and their place among kirin count as well
            assert found or not wanted
        else:
            assert found == wanted
        same += not found
    assert same > 500
