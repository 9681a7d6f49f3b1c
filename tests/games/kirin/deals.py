"""Random kirin positions for tests, from the reference's side and the solver's, and what a seat sees of them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from solver.common import Random
from solver.games.kirin import GAME, deck
from solver.games.kirin.position import Round
from solver.games.kirin.rules import KirinReadings
from tests.reference import kirin as reference
from tests.reference.kirin import name
from tests.support import rounds
from tests.support.kinds import of_kind


def random_state(
    rng: random.Random, cards: int, *, heavy: bool = False, played: int | None = None, only_kirin: bool = False
) -> tuple[reference.State, tuple[int, ...]]:
    """A state with `cards` cards a hand at its last boundary, and the four declared cards.

    `heavy`: with as many kirin as fit. `played` cards are on the table, by default 0 to 3. Part of the other
    cards lies in the piles.
    """
    deck = list(range(36))
    rng.shuffle(deck)
    if heavy:
        kirin = [card for card in deck if reference.is_kirin(card)]
        deck = kirin + [card for card in deck if card not in kirin]
        front, back = deck[: 4 * cards], deck[4 * cards :]
        rng.shuffle(front)
        rng.shuffle(back)
        deck = front + back
    hands = tuple(frozenset(deck[cards * seat : cards * (seat + 1)]) for seat in range(4))
    rest = deck[4 * cards :]
    won: list[set[int]] = [set(), set(), set(), set()]
    for card in rest[4:]:
        if rng.random() < 0.6:
            won[rng.randrange(4)].add(card)
    now = reference.State(
        hands,
        rng.randrange(4),
        rng.choice([reference.UP, reference.DOWN]),
        (),
        tuple(map(frozenset, won)),
        only_kirin,
    )
    for _ in range(rng.randrange(4) if played is None else played):
        now = reference.play(now, rng.choice(reference.legal(now)))
    return now, tuple(rest[:4])


def position_of(now: reference.State, declared: tuple[int, ...]) -> Round:
    """The solver's position of a reference state."""

    def names(cards: Iterable[int]) -> tuple[str, ...]:
        return tuple(name(card) for card in sorted(cards))

    return Round(
        game="kirin",
        direction=now.direction,
        leader=now.leader,
        trick=tuple(map(name, now.trick)),
        hands=tuple(map(names, now.hands)),
        declared=tuple(map(name, declared)),
        won=tuple(map(names, now.won)),
        rules=KirinReadings(led_kirin_asks_only_kirin=True) if now.only_kirin else None,
    )


def referred(cards: Iterable[int]) -> frozenset[int]:
    """The reference's numbers of the solver's cards."""
    return frozenset(reference.number(deck.name(card)) for card in cards)


def letters(declared: tuple[int, ...]) -> list[str]:
    """The declared colours as the reference has them."""
    return [name(card)[0] for card in declared]


def full_deal(rng: random.Random, cards: int = 8) -> Round:
    """A round about to start, cut to `cards` cards a hand."""
    deck = list(range(36))
    rng.shuffle(deck)
    hands = [deck[9 * seat : 9 * seat + 9] for seat in range(4)]
    declared = tuple(hand.pop() for hand in hands)
    now = reference.State(tuple(frozenset(hand[:cards]) for hand in hands), rng.randrange(4), reference.UP)
    return position_of(now, declared)


def played(seed: int, cards: int) -> Round:
    """A round in which `cards` random cards have been played."""
    return of_kind(Round, rounds.played(rounds.Case("kirin", None, None), seed, cards))


def seen_by(position: Round, seat: int) -> Round:
    return of_kind(Round, GAME.view(position, seat))


def to_move(seed: int, cards: int) -> Round:
    """What the seat to move sees then."""
    position = played(seed, cards)
    return seen_by(position, position.seat_to_move)


def late_view(seed: int, tricks: int) -> Round:
    """A view of the seat to move after so many tricks, played at random."""
    random = Random(6, seed)
    position: Any = GAME.deal(seed)
    while len(position.history or ()) < tricks:
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
    assert isinstance(position, Round)
    return of_kind(Round, GAME.view(position, position.seat_to_move))
