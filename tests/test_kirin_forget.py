"""Proofs that forget who has played what: each holds for every hand that was forgotten, and no value changes."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from solver.games.kirin import kernel, kernel_forget, nodes
from solver.games.kirin.guarantee import Guarantee
from solver.games.kirin.order import DECK, TRUMPS
from solver.games.kirin.positions import KnownPosition
from solver.search.drive import Control
from solver.search.trick import NO, Words
from tests.kirin_deals import position_of, random_state
from tests.reference import kirin as reference


def searched(position: KnownPosition, player: int, first: int, switches: int) -> tuple[dict[int, object], Words]:
    """The values, and the words of the deal; proofs that forget are tried from `first` tricks on."""
    search = Guarantee(
        position.state, position.colours[player], player, allies=False, control=Control(), switches=switches
    )
    search._deal[kernel.FORGET_FROM] = first
    return dict(search.moves(search.start)), search._deal


def proofs(deal: Words) -> int:
    """How many trials ended with a proof."""
    trials = deal[kernel.TRIALS : kernel.FRAMES].reshape(-1, kernel.TRIAL_WORDS)
    return int(trials[:, kernel_forget.PROOFS :: 2].sum())


@pytest.mark.parametrize(
    ("cards", "count", "first"), [(4, 600, 2), (5, 400, 2), (5, 200, 4), (6, 60, 3), (7, 20, 5)]
)
def test_values_stay(cards: int, count: int, first: int) -> None:
    rng = random.Random(cards * 10 + first)
    found = 0
    for _ in range(count):
        position = position_of(*random_state(rng, cards, heavy=rng.random() < 0.5))
        player = rng.randrange(4)
        without, _ = searched(position, player, first, nodes.ALL_SWITCHES & ~kernel_forget.FORGET)
        off = rng.choice([0, 0, *(1 << bit for bit in range(11))]) & ~kernel_forget.FORGET
        values, deal = searched(position, player, first, nodes.ALL_SWITCHES & ~off)
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


@pytest.mark.small
@pytest.mark.parametrize(("tricks", "count"), [(2, 40), (3, 10)])
def test_a_proof_holds_for_every_hand_that_may_be_left(tricks: int, count: int) -> None:
    """Boundaries of which a proof knows the hands of some seats, and of the others what they were dealt."""
    rng = random.Random(tricks)
    forgetful = nodes.kernels().rules["forgetful"]
    proved = 0
    while proved < count:
        position = position_of(*random_state(rng, tricks + 2, heavy=rng.random() < 0.4, played=0))
        player, forgets = rng.randrange(4), rng.randrange(1, 8)
        deal = nodes.deal_words(position.state, player, position.colours[player], allies=False)
        nodes.prover().take(deal)
        live = 0
        forgotten = 0
        possible: list[list[int]] = []
        for seat in range(4):
            dealt = int(deal[kernel.HANDS + seat])
            hand = sum(1 << card for card in rng.sample([card for card in range(36) if dealt & 1 << card], tricks))
            live |= hand
            if seat != player and forgets >> ((seat - player) % 4 - 1) & 1:
                forgotten |= dealt & ~TRUMPS
                possible.append(hands_left(dealt, tricks, hand & TRUMPS))
            else:
                possible.append([hand])
        deal[kernel.FORGETS], deal[kernel.FORGOTTEN], deal[kernel.FORGET_LIMIT] = forgets, forgotten, 1 << 40
        where = position.state.leader, position.state.direction
        need = rng.randrange(1, tricks + 1)
        if forgetful(deal, nodes.prover().table, live | forgotten, *where, need) == NO:
            continue
        proved += 1
        every = list(product(*possible))
        for hands in rng.sample(every, min(len(every), 30)):
            assert reached(hands, position, player) >= need
