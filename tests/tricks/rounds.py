"""Rounds of the toy game of tricks, and its hints."""

from __future__ import annotations

import random

from solver.common import mask, members
from solver.hints.ranking import Unit
from solver.hints.sampled import Sampler
from solver.tricks import plain
from solver.tricks.analysis import Encoded
from solver.tricks.plain import PlainSearch, State
from tests.hints import toy_tricks
from tests.tricks.toy_game import KnownPosition, toy


def wide(card: int) -> int:
    """The number of a card where suits have eight cards instead of six."""
    return card // 6 * 8 + card % 6


def encode(now: State, player: int, _allies: bool) -> Encoded[int]:
    hands = tuple(mask(map(wide, members(hand))) for hand in now.hands)
    trick = tuple(map(wide, now.trick))
    deal, node = toy_tricks.encode(toy_tricks.Round(hands, now.leader, trick))
    one, two, three, four = plain.points(now)
    won = two + four if player % 2 else one + three
    return Encoded(deal, node, won, {card: wide(card) for card in range(12)})


def hints(exact_tricks: int) -> Sampler[plain.View, int]:
    return PlainSearch(
        kind=KnownPosition,
        deal=lambda seed: played(seed, 0),
        encode=encode,
        rules=toy_tricks.search().rules,
        exact_tricks=exact_tricks,
        unit=Unit("{amount} trick", "{amount} tricks", 0.05),
    ).sampler


def played(seed: int, cards: int) -> KnownPosition:
    """A round of two suits of six cards in which so many random cards have been played."""
    fields = {"seats": 4, "suits": 2, "ranks": 6}
    position = plain.deal(KnownPosition, toy(4, 2, 6, False), seed, **fields)
    rng = random.Random(seed)
    for _ in range(cards):
        after = plain.play(position, rng.choice(plain.legal_moves(position)))
        assert isinstance(after, KnownPosition)
        position = after
    return position
