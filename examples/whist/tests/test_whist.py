"""Every move's value against Bo Haglund's DDS (by way of endplay) and the plain rules; hints against chance."""

from __future__ import annotations

import random
from functools import cache

import pytest
from endplay.dds import solve_board
from endplay.types import Deal, Denom, Player

from solver.common import members
from solver.limits import Control, Limit
from solver.search.checks import check_rules
from solver.tricks import plain
from solver.tricks.moves import legal_moves, parse_move
from solver.tricks.plain import State, points
from whist.position import Round, deal
from whist.rules import DECK, SEATS, SUITS
from whist.search import RULES, analyze, encode, hint


def ending(rng: random.Random, cards: int) -> Round:
    """An ending with `cards` cards per hand, at any point of its first trick, with any trumps or none."""
    dealt = rng.sample(range(len(DECK)), SEATS * cards)
    hands = [[DECK[card] for card in dealt[seat::SEATS]] for seat in range(SEATS)]
    fields = {"game": "whist", "trump": rng.choice([None, *SUITS]), "leader": rng.randrange(SEATS), "hands": hands}
    now: plain.Round = Round.model_validate(fields)
    for _ in range(rng.randrange(SEATS)):
        now = plain.play(now, rng.choice(legal_moves(now)))
    assert isinstance(now, Round)
    return now


def by_dds(now: Round) -> dict[str, int]:
    """The tricks that the side of the seat to move still wins after each of its cards, according to DDS."""
    hands = list(now.hand_masks)
    for place, card in enumerate(now.plays):
        hands[(now.leader + place) % SEATS] |= 1 << card
    texts = [
        ".".join("".join(DECK[card][1] for card in members(hand) if DECK[card][0] == suit) for suit in "SHDC")
        for hand in hands
    ]
    board = Deal("N:" + " ".join(texts), first=Player(now.leader))
    board.trump = Denom.find(now.trump) if now.trump else Denom.nt
    for text in now.trick:
        board.play(text)
    return {card.suit.name[0].upper() + card.rank.name[1]: tricks for card, tricks in solve_board(board)}


def values(now: Round, model: str = "paranoid", player: int | None = None) -> dict[str, object]:
    return {entry.move: entry.value for entry in analyze(now, Control(), model=model, player=player).moves}


@pytest.mark.parametrize("cards", range(2, 9))
def test_every_move_is_worth_what_dds_says(cards: int) -> None:
    rng = random.Random(cards)
    for number in range(40):
        now = ending(rng, cards)
        assert values(now) == by_dds(now), now
        if number < 2 * SEATS:
            encoded = encode(now.state, number % SEATS, number < SEATS)
            check_rules(RULES, encoded.deal, encoded.start, games=1)


@cache
def best(state: State, player: int, model: str) -> int:
    """The tricks that a player's side wins with best play, by the plain rules."""
    ways = [best(state.after(card), player, model) for card in state.moves()] or [points(state)[player]]
    return max(ways) if model == "ally" or (state.to_move - player) % 2 == 0 else min(ways)


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_small_endings_are_worth_what_the_plain_rules_say(model: str) -> None:
    rng = random.Random(1)
    for cards in [1, 2, 3] * 15:
        now, player = ending(rng, cards), rng.randrange(SEATS)
        expected = {DECK[card]: best(now.state.after(card), player, model) for card in now.state.moves()}
        assert values(now, model=model, player=player) == expected


def test_hints_win_more_tricks_than_chance() -> None:
    rng, won = random.Random(2), 0
    for number in range(4):
        now: plain.Round = deal(1, number=number)
        while moves := legal_moves(now):
            card = rng.choice(moves)
            if (now.seat_to_move + number) % 2:
                view = plain.view(now, now.seat_to_move)
                card = parse_move(view, str(hint(view, Control(Limit(nodes=200))).best))
            now = plain.play(now, card)
        won += now.points[1 - number % 2]
    assert won / 4 > 4.5
