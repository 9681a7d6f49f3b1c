"""The deals that agree with a view, at random points of rounds of every game, checked by the rules alone."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from pydantic import BaseModel

import athanor
from solver.positions import position_data, text_of

GAMES: dict[str, dict[str, Any]] = {
    "kirin": {},
    "king": {"players": 3},
    "king-5": {"players": 5},
    "aqua-regia": {"players": 4},
    "solo": {"variant": "solo"},
    "alternative": {"variant": "alternative"},
}
DEALS = 5  # of each view


def dealt(name: str, seed: int) -> Any:
    game = {"solo": "alchemy", "alternative": "alchemy"}.get(name, name.removesuffix("-5"))
    return athanor.deal(game, seed=seed, **GAMES[name])


def points(name: str, seed: int) -> list[tuple[Any, list[str]]]:
    """Positions of a round of random moves, each with the moves up to there: the first, some between, the last."""
    rng = random.Random(f"{name} {seed}")
    position, made = dealt(name, seed), list[str]()
    found = [(position, made)]
    while athanor.to_move(position) is not None:
        move = rng.choice(athanor.legal_moves(position))
        position, made = athanor.play(position, move), [*made, move]
        if athanor.to_move(position) is not None:
            found.append((position, made))
    return [found[0], *rng.sample(found[1:-1], min(4, len(found) - 2)), found[-1]]


def all_cards(position: BaseModel) -> Counter[str]:
    """Every card that a view may hide, wherever it lies in a position with all cards known."""
    data = position_data(position)
    places = [*data.get("hands", []), data.get("stock", []), data.get("declared", [])]
    return Counter(card for place in places for card in place)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_deals_agree_with_the_view(name: str, seed: int) -> None:
    for position, _ in points(name, seed):
        data = position_data(position)
        for seat in range(len(data.get("hands", [0]))):
            view = athanor.view(position, seat)
            for world in athanor.worlds(view, DEALS, seed=seed):
                assert text_of(athanor.view(world, seat)) == text_of(view)
                assert all_cards(world) == all_cards(position)
                laid = position_data(world)
                for key in data.keys() - {"hands", "stock", "declared"}:
                    assert laid[key] == data[key], key
                assert list(map(len, laid.get("hands", []))) == list(map(len, data.get("hands", [])))
                assert len(laid.get("stock", [])) == len(data.get("stock", []))


def rewound(name: str, seed: int, world: Any, position: Any) -> Any:
    """The start of the round in which a deal of a trick game would have lain: every card back in its hand."""
    start, now, end = (position_data(one) for one in (dealt(name, seed), world, position))
    hands = []
    for seat, hand in enumerate(now["hands"]):
        played = Counter(start["hands"][seat]) - Counter(end["hands"][seat])
        hands.append([*hand, *played.elements()])
    hidden = {key: now[key] for key in ("declared",) if key in now}
    return athanor.parse({**start, "hands": hands, **hidden})


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", ["kirin", "king", "king-5"])
def test_what_was_played_is_legal_in_every_deal(name: str, seed: int) -> None:
    """Who did not follow holds no such card: played by the rules from the first card on, the deal comes about."""
    for position, made in points(name, seed):
        for seat in range(len(position.hands)):
            for world in athanor.worlds(athanor.view(position, seat), DEALS, seed=seed):
                assert text_of(athanor.play(rewound(name, seed, world, position), made)) == text_of(world)


def test_few_deals_are_all_told_and_many_are_drawn_by_the_seed() -> None:
    position = athanor.deal("kirin", seed=4)
    for _ in range(28):
        position = athanor.play(position, athanor.legal_moves(position)[0])
    view = athanor.view(position, 0)
    every = {text_of(world) for world in athanor.worlds(view, 100_000)}
    assert text_of(position) in every
    assert {text_of(world) for world in athanor.worlds(view, len(every), seed=9)} == every
    early = athanor.view(athanor.deal("kirin", seed=4), 0)
    one, again, other = (text_of(athanor.worlds(early, seed=seed)[0]) for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize(
    "line",
    [
        text_of(athanor.deal("king", seed=1)),
        "alchemy duel line=2,4,6,9,J,K hand=7 opponent_hand=5",
        "alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q,3,8",
    ],
)
def test_where_nothing_is_hidden_nothing_is_dealt(line: str) -> None:
    with pytest.raises(athanor.RequestError, match=r"is known|no card is hidden"):
        athanor.worlds(line)


def test_a_pick_and_a_card_set_aside_can_be_played_in_their_deals() -> None:
    for view in (
        athanor.view(athanor.deal("king", seed=3, variant="unpicked"), 2),
        athanor.parse("kirin seat=0 hand=D2,S3,S5,S-,B2,B4,B6,G+,D4 leader=0"),
    ):
        world = athanor.worlds(view)[0]
        seat: Any = athanor.to_move(world)
        move = athanor.legal_moves(world)[0]
        assert athanor.to_move(athanor.play(world, move)) == (seat + 1) % len(world.hands)
