"""Kirin's search: its parts on and off, limits, and proofs that forget who has played what: the values stay."""

from __future__ import annotations

import random
from functools import partial
from itertools import combinations, product

import pytest

from solver.common import mask, members
from solver.games.kirin import analyze, fast_rules
from solver.games.kirin.deck import COLOURS, NUMBERS
from solver.games.kirin.fast_rules import (
    ALL_SWITCHES,
    EQUIVALENT,
    FORGET,
    TRUMPS,
    deal_words,
)
from solver.games.kirin.position import Round
from solver.games.kirin.rules import NOTHING, Order, State
from solver.games.kirin.search import PROOFS, PROVERS, last_tricks, player_score, search
from solver.kernels.words import Words
from solver.limits import Control, Limit
from solver.search.score_search import Parts, ScoreProver
from solver.search.trick_rules import FINISHED, NEAR_WORDS, NO, SWITCHES
from tests.conftest import JIT
from tests.games.kirin.deals import full_deal, position_of, random_state, referred
from tests.reference import kirin as reference
from tests.support.amounts import Amount
from tests.support.kinds import of_kind
from tests.support.marks import in_python
from tests.support.search_checks import Slow, cancelled, check_bounds, check_memory, text_of, within
from tests.support.timing import LATE

PLAIN = 0
EACH = [1 << bit for bit in range(ALL_SWITCHES.bit_length()) if ALL_SWITCHES >> bit & 1]


def values(
    position: Round, player: int, *, allies: bool, switches: int, prover: ScoreProver | None = None
) -> dict[int, tuple[int, int]]:
    with PROVERS.lend() as lent:
        colour = position.colours[player]
        search = player_score(prover or lent, position.state, colour, player, allies=allies, control=Control())
        search.deal[SWITCHES] &= switches
        return search.moves()


def endings(seed: int, cards: int, count: int) -> list[tuple[Round, int, bool]]:
    rng = random.Random(seed)
    return [
        (position_of(*random_state(rng, cards, heavy=rng.random() < 0.5)), rng.randrange(4), rng.random() < 0.3)
        for _ in range(count)
    ]


@pytest.mark.parametrize(("cards", "count"), [(3, 200), (4, 100), (5, 30)])
def test_each_part_alone_and_all_but_it(cards: int, count: int) -> None:
    for position, player, allies in endings(cards, cards, count):
        plain = values(position, player, allies=allies, switches=PLAIN)
        for switches in (ALL_SWITCHES, *EACH, *(ALL_SWITCHES & ~switch for switch in EACH)):
            found = values(position, player, allies=allies, switches=switches)
            assert found == plain, (f"{switches:b}", position)


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


def answer_text(position: Round, model: str, player: int, control: Control | None = None) -> str:
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
    for position, player, _ in endings(41, 6, 2):
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
    assert EQUIVALENT in EACH
    assert len(EACH) == 9


def searched(position: Round, player: int, first: int, switches: int) -> tuple[dict[int, object], Words]:
    """The values, and the words of the deal; proofs that forget are tried from `first` tricks on."""
    with PROVERS.lend() as prover:
        colour = position.colours[player]
        search = player_score(prover, position.state, colour, player, allies=False, control=Control())
        search.deal[SWITCHES] &= switches
        search.deal[fast_rules.FORGET_FROM] = first
        return dict(search.moves()), search.deal


def proofs(deal: Words) -> int:
    """How many trials ended with a proof."""
    trials = deal[fast_rules.TRIALS : fast_rules.FRAMES].reshape(-1, fast_rules.TRIAL_WORDS)
    ever = PROOFS + 2 * fast_rules.SUBSETS
    return int(trials[:, PROOFS:ever:2].sum())


@pytest.mark.parametrize(
    ("cards", "count", "first"), [(4, 600, 2), (5, 400, 2), (5, 200, 4), (6, 60, 3), (7, 20, 5)]
)
def test_values_stay(cards: int, count: int, first: int) -> None:
    rng = random.Random(cards * 10 + first)
    found = 0
    for _ in range(count):
        position = position_of(*random_state(rng, cards, heavy=rng.random() < 0.5))
        player = rng.randrange(4)
        without, _ = searched(position, player, first, ALL_SWITCHES & ~FORGET)
        off = rng.choice([0, 0, *EACH]) & ~FORGET
        values, deal = searched(position, player, first, ALL_SWITCHES & ~off)
        assert values == without
        found += proofs(deal)
    assert found >= 20


def hands_left(hand: int, cards: int, known: int) -> list[int]:
    """Every choice of so many cards of a hand that has exactly `known` of its trumps."""
    rest = [1 << card for card in range(36) if hand & ~TRUMPS & 1 << card]
    return [known | sum(chosen) for chosen in combinations(rest, cards - known.bit_count())]


def reached(hands: tuple[int, ...], position: Round, player: int) -> int:
    """The player's points from a boundary on, by the reference."""
    cards = tuple(referred(members(hand)) for hand in hands)
    now = reference.State(cards, position.leader, position.direction)
    return of_kind(int, reference.value(now, [card[0] for card in position.declared], "paranoid", player))


Boundary = tuple[Round, int, Words, int, list[list[int]]]


def boundary(rng: random.Random, tricks: int) -> Boundary:
    """A position, and a boundary two tricks below it of which a proof knows some hands.

    The position, its player, the words of the deal, the live cards as the proof sees them, and every seat's hands
    that it serves.
    """
    position = position_of(*random_state(rng, tricks + 2, heavy=rng.random() < 0.4, played=0))
    player, forgets = rng.randrange(4), rng.randrange(1, 8)
    deal = deal_words(position.state, player, position.colours[player], allies=False)
    live = 0
    forgotten = 0
    possible: list[list[int]] = []
    for seat in range(4):
        dealt = int(deal[fast_rules.HANDS + seat])
        hand = sum(1 << card for card in rng.sample([card for card in range(36) if dealt & 1 << card], tricks))
        live |= hand
        if seat != player and forgets >> ((seat - player) % 4 - 1) & 1:
            forgotten |= dealt & ~TRUMPS
            possible.append(hands_left(dealt, tricks, hand & TRUMPS))
        else:
            possible.append([hand])
    deal[fast_rules.FORGETS], deal[fast_rules.FORGOTTEN], deal[fast_rules.FORGET_LIMIT] = (
        forgets,
        forgotten,
        1 << 40,
    )
    return position, player, deal, live | forgotten, possible


def proved(position: Round, deal: Words, live: int, need: int) -> int:
    """The answer of a trial, asked as if nothing had been asked before."""
    return trial(deal, live, position.state.leader, position.state.rules.direction, need)


def trial(deal: Words, live: int, leader: int, direction: int, need: int) -> int:
    """The same from any leader and direction."""
    fresh = deal.copy()
    with PROVERS.lend() as prover:
        prover.take(fresh)
        answer = int(last_tricks().forgetful(fresh, prover.table, live, leader, direction, need))
    deal[FINISHED] = fresh[FINISHED]
    return answer


@in_python
@pytest.mark.small
@pytest.mark.parametrize(("tricks", "count"), [(2, 200), (3, 30)])
def test_a_proof_holds_for_every_hand_that_may_be_left(tricks: int, count: int, amount: Amount) -> None:
    rng = random.Random(tricks)
    found = 0
    while found < amount(count):
        position, player, deal, live, possible = boundary(rng, tricks)
        need = rng.randrange(1, tricks + 1)
        if proved(position, deal, live, need) == NO:
            continue
        found += 1
        every = list(product(*possible))
        for hands in rng.sample(every, min(len(every), 30)):
            assert reached(hands, position, player) >= need


@in_python
@pytest.mark.small
@pytest.mark.parametrize(
    ("player", "leader", "forgets", "colour", "need", "hands"),
    [
        (0, 0, 0b001, "B", 1, ["D1 S2", "G2 D3 B6 S6", "D4 D6", "B4 G6"]),
        (3, 2, 0b101, "D", 1, ["G1 D2 B3 G5", "D5 S6", "S4 S5 D6", "D1 GT"]),
        (3, 3, 0b001, "D", 2, ["B2 D4 D5", "B- D3", "S3 B4", "B3 BT"]),
    ],
)
def test_what_stands_for_other_cards_stays_in_hand(
    player: int, leader: int, forgets: int, colour: str, need: int, hands: list[str]
) -> None:
    """Descending: the player wins both tricks only if a forgotten hand is without the card that was looked at."""
    cards = [[NUMBERS[card] for card in hand.split()] for hand in hands]
    first, second, third, fourth = map(mask, cards)
    state = State(Order(1), (first, second, third, fourth), leader, (), NOTHING)
    deal = deal_words(state, player, COLOURS.index(colour), allies=False)
    forgotten = [(player + other) % 4 for other in range(1, 4) if forgets >> (other - 1) & 1]
    live = sum(int(deal[fast_rules.HANDS + seat]) for seat in range(4))
    deal[fast_rules.FORGETS], deal[fast_rules.FORGET_LIMIT] = forgets, 1 << 40
    deal[fast_rules.FORGOTTEN] = sum(int(deal[fast_rules.HANDS + seat]) for seat in forgotten) & ~TRUMPS
    assert trial(deal, live, leader, 1, need) == NO
    worth = []
    for left in product(*(combinations(held, 2) for held in cards)):
        now = reference.State(tuple(map(referred, left)), leader, reference.DOWN)
        value = of_kind(int, reference.value(now, [colour] * 4, "paranoid", player))
        worth.append(value)
    assert min(worth) < need <= max(worth)


@in_python
@pytest.mark.small
@pytest.mark.parametrize(("tricks", "count"), [(2, 150), (3, 60), (4, 40)])
def test_a_representative_does_what_all_do(tricks: int, count: int) -> None:
    """A trial that looks at every card a forgotten seat may play ends the same, in more nodes."""
    rng = random.Random(tricks)
    less = 0
    for _ in range(count):
        position, _, deal, live, _ = boundary(rng, tricks)
        need = rng.randrange(1, tricks + 1)
        nodes_of = []
        answers = []
        for switches in (ALL_SWITCHES, ALL_SWITCHES & ~EQUIVALENT):
            deal[SWITCHES], deal[FINISHED] = switches, 0
            answers.append(proved(position, deal, live, need))
            nodes_of.append(int(deal[FINISHED]))
        assert answers[0] == answers[1]
        less += nodes_of[0] < nodes_of[1]
    assert less >= 3
