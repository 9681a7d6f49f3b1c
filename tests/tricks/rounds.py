"""Rounds of the toy game of tricks, and its hints."""

from __future__ import annotations

import random

from solver.common.masks import mask, members
from solver.hints.sampled import Sampler
from solver.protocol.answers import Analysis, MoveValue
from solver.search.pool import Pool
from solver.search.tricks.score_prover import ScoreProver
from solver.tricks.analysis import Form
from solver.tricks.plain import positions, state
from solver.tricks.plain.analysis import PlainGame
from solver.tricks.plain.hint import plain_sampler
from solver.tricks.plain.state import State
from solver.tricks.player_score import Encoded
from tests.hints import toy_tricks
from tests.tricks.toy_game import KnownPosition, toy


def wide(card: int) -> int:
    """The number of a card where suits have eight cards instead of six."""
    return card // 6 * 8 + card % 6


def encode(now: State, player: int, _allies: bool) -> Encoded[int]:
    hands = tuple(mask(map(wide, members(hand))) for hand in now.hands)
    trick = tuple(map(wide, now.trick))
    deal, node = toy_tricks.encode(toy_tricks.Round(hands, now.leader, trick))
    one, two, three, four = state.points(now)
    won = two + four if player % 2 else one + three
    return Encoded(deal, node, won, {card: wide(card) for card in range(12)})


GAME = PlainGame[Analysis, State, int](
    form=Form("toy", Analysis, MoveValue, toy(4, 2, 6, False).name),
    seats=4,
    sides=(0, 1, 0, 1),
    legal_moves=state.legal_moves,
    play=state.play,
    to_move=state.to_move,
    points=state.points,
    encode=encode,
    provers=Pool(lambda megabytes: ScoreProver(toy_tricks.search(), megabytes)),
)


def hints(exact_tricks: int) -> Sampler[positions.View, int]:
    return plain_sampler(
        GAME, toy_tricks.search, KnownPosition, exact_tricks=exact_tricks, unit=("trick", "tricks")
    )


def played(seed: int, cards: int) -> KnownPosition:
    """A round of two suits of six cards in which so many random cards have been played."""
    fields = {"seats": 4, "suits": 2, "ranks": 6}
    position = positions.deal(KnownPosition, toy(4, 2, 6, False), seed, **fields)
    rng = random.Random(seed)
    for _ in range(cards):
        after = positions.play(position, rng.choice(positions.legal_moves(position)))
        assert isinstance(after, KnownPosition)
        position = after
    return position
