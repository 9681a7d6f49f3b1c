"""Proofs that forget who has played what: each holds for every hand that was forgotten, and no value changes."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from solver.common import mask
from solver.games.kirin import fast_rules, last_tricks
from solver.games.kirin.deck import COLOURS, card_of
from solver.games.kirin.fast_rules import ALL_SWITCHES, DECK, EQUIVALENT, FORGET, TRUMPS
from solver.games.kirin.fast_rules import SWITCHES as ALL
from solver.games.kirin.position import KnownPosition
from solver.games.kirin.rules import NOTHING, Order, State
from solver.games.kirin.search import PROVERS, player_score, search_words
from solver.games.kirin.search import last_tricks as instance_last_tricks
from solver.kernels.words import Words
from solver.limits import Control
from solver.search.trick_rules import FINISHED, NO, SWITCHES
from tests.games.kirin.deals import position_of, random_state
from tests.reference import kirin as reference
from tests.support.amounts import Amount


def searched(position: KnownPosition, player: int, first: int, switches: int) -> tuple[dict[int, object], Words]:
    """The values, and the words of the deal; proofs that forget are tried from `first` tricks on."""
    with PROVERS.lend() as prover:
        search = player_score(
            prover,
            position.state,
            position.colours[player],
            player,
            allies=False,
            control=Control(),
            switches=switches,
        )
        search.deal[fast_rules.FORGET_FROM] = first
        return dict(search.moves()), search.deal


def proofs(deal: Words) -> int:
    """How many trials ended with a proof."""
    trials = deal[fast_rules.TRIALS : fast_rules.FRAMES].reshape(-1, fast_rules.TRIAL_WORDS)
    ever = last_tricks.PROOFS + 2 * fast_rules.SUBSETS
    return int(trials[:, last_tricks.PROOFS : ever : 2].sum())


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
        off = rng.choice([0, 0, *ALL.values()]) & ~FORGET
        values, deal = searched(position, player, first, ALL_SWITCHES & ~off)
        assert values == without
        found += proofs(deal)
    assert found >= 20


def hands_left(hand: int, cards: int, known: int) -> list[int]:
    """Every choice of so many cards of a hand that has exactly `known` of its trumps."""
    rest = [1 << card for card in range(36) if hand & ~TRUMPS & 1 << card]
    return [known | sum(chosen) for chosen in combinations(rest, cards - known.bit_count())]


def reached(hands: tuple[int, ...], position: KnownPosition, player: int) -> int:
    """The player's points from a boundary on, by the reference."""
    cards = tuple(frozenset(DECK[card] for card in range(36) if hand & 1 << card) for hand in hands)
    now = reference.State(cards, position.leader, position.direction)
    value = reference.value(now, [card[0] for card in position.declared], "paranoid", player)
    assert isinstance(value, int)
    return value


Boundary = tuple[KnownPosition, int, Words, int, list[list[int]]]


def boundary(rng: random.Random, tricks: int) -> Boundary:
    """A position, and a boundary two tricks below it of which a proof knows some hands.

    The position, its player, the words of the deal, the live cards as the proof sees them, and every seat's hands
    that it serves.
    """
    position = position_of(*random_state(rng, tricks + 2, heavy=rng.random() < 0.4, played=0))
    player, forgets = rng.randrange(4), rng.randrange(1, 8)
    deal = search_words(position.state, player, position.colours[player], allies=False)
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


def proved(position: KnownPosition, deal: Words, live: int, need: int) -> int:
    """The answer of a trial, asked as if nothing had been asked before."""
    return trial(deal, live, position.state.leader, position.state.rules.direction, need)


def trial(deal: Words, live: int, leader: int, direction: int, need: int) -> int:
    """The same from any leader and direction."""
    fresh = deal.copy()
    with PROVERS.lend() as prover:
        prover.take(fresh)
        answer = int(instance_last_tricks().forgetful(fresh, prover.table, live, leader, direction, need))
    deal[FINISHED] = fresh[FINISHED]
    return answer


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize(("tricks", "count"), [(2, 40), (3, 10)])
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
    cards = [[card for card in map(card_of, hand.split()) if card is not None] for hand in hands]
    first, second, third, fourth = map(mask, cards)
    state = State(Order(1), (first, second, third, fourth), leader, (), NOTHING)
    deal = search_words(state, player, COLOURS.index(colour), allies=False)
    forgotten = [(player + other) % 4 for other in range(1, 4) if forgets >> (other - 1) & 1]
    live = sum(int(deal[fast_rules.HANDS + seat]) for seat in range(4))
    deal[fast_rules.FORGETS], deal[fast_rules.FORGET_LIMIT] = forgets, 1 << 40
    deal[fast_rules.FORGOTTEN] = sum(int(deal[fast_rules.HANDS + seat]) for seat in forgotten) & ~TRUMPS
    assert trial(deal, live, leader, 1, need) == NO
    worth = []
    for left in product(*(combinations(held, 2) for held in cards)):
        now = reference.State(tuple(map(frozenset, left)), leader, reference.DOWN)
        value = reference.value(now, [colour] * 4, "paranoid", player)
        assert isinstance(value, int)
        worth.append(value)
    assert min(worth) < need <= max(worth)


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
