"""Finished tricks in kirin's positions and views: what follows from them, and what contradicts them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pydantic import BaseModel

from solver.errors import PositionError
from solver.games.kirin.deck import name
from solver.games.kirin.moves import deal, legal_moves, play, view
from solver.games.kirin.position import KnownPosition, View
from solver.positions import parse_position, position_data
from tests.games.kirin.examples import SEEN, change, refused


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hand": [*SEEN["hand"][:6], "G1"]}, "duplicate_card", "history[0].cards[2]", "G1 is in hand[6]"),
        ({"declared": "S3"}, "duplicate_card", "history[0].cards[0]", "S3 is in declared"),
        ({"trick": ["S1"]}, "duplicate_card", "trick[0]", "S1 is in hand[0]"),
        ({"declared": None}, "missing_key", "declared", "declared"),
        ({"leader": 2}, "conflict", "leader", "seat 3 leads now, not seat 2"),
        ({"direction": "descending"}, "conflict", "direction", "the direction is ascending, not descending"),
        ({"won": [[], [], [], []]}, "conflict", "won[3]", "according to the history, seat 3 has won"),
        (
            {"history": [{"leader": 2, "cards": ["S3", "D5", "G1"]}]},
            "wrong_size",
            "history[0].cards",
            "4",
        ),
        ({"history": [{"leader": 2}]}, "missing_key", "history[0].cards", "cards"),
        # one's own forced play: D4 had to be played to S3
        (
            {"hand": ["D4", *SEEN["hand"][1:]]},
            "illegal_play",
            "history[0].cards[2]",
            "seat 0 could not play G1 to S3 (ascending): D4 in hand had to follow",
        ),
        # another's: seat 1 played S2 to S3, and now D6 to BT
        (
            {"trick": ["BT", "ST", "D6"], "hand": SEEN["hand"][:6]},
            "illegal_play",
            "history[0].cards[3]",
            "D6 (later trick[2]) had to follow",
        ),
    ],
)
def test_faults_of_views(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(SEEN, **keys), code, path, words)


def test_leaders_follow_from_winners_and_directions_from_kirin() -> None:
    # D- turns the order to descending; then the 1 beats the 6, and G1 wins the second trick
    history = [
        {"leader": 0, "cards": ["S3", "D-", "G1", "S2"]},
        {"leader": 0, "cards": ["S6", "B5", "G6", "B1"]},
    ]
    data = change(
        SEEN, seat=1, hand=["D1", "D2", "D3", "D4", "D5", "D6"], declared="ST", leader=3, history=history
    )
    seen = parse_position(data)
    assert isinstance(seen, View)
    assert (seen.past.leader, seen.past.rules.direction) == (3, 1)
    refused(change(data, leader=1), "conflict", "leader", "seat 3 leads now")
    wrong = [history[0], history[1] | {"leader": 1}]
    refused(change(data, history=wrong), "conflict", "history[1].leader", "seat 0 leads trick 2, not seat 1")


def test_a_view_that_no_deal_agrees_with() -> None:
    # To G1 (ascending) the others played G2 G3 G4: they hold no D, S or B but the three ones
    history = [{"leader": 0, "cards": ["G1", "G2", "G3", "G4"]}]
    hand = ["G5", "G6", "GT", "G+", "G-", "B1", "S1"]
    data = change(SEEN, seat=0, hand=hand, declared="D1", leader=3, history=history)
    # ... and these, with the other Gs, are in sight
    refused(data, "conflict", "history", "no deal agrees with this: seat 1 must hold 7 cards")
    refused(data, "conflict", "history", "the plays: G2 to G1 (history[0].cards[1])")


def test_a_known_position_with_its_history() -> None:
    start = deal(5)
    position: BaseModel = start
    for _ in range(8):
        position = play(position, legal_moves(position)[0])
    assert isinstance(position, KnownPosition)
    assert position.history is not None
    assert len(position.history) == 2
    data = position_data(position)
    assert parse_position(data) == position
    other = "descending" if position.direction == "ascending" else "ascending"
    refused(data | {"direction": other}, "conflict", "direction", position.direction)
    refused(data | {"leader": (position.leader + 1) % 4}, "conflict", "leader", f"seat {position.leader} leads")
    piles = [list(pile) for pile in position.won]
    taker = next(seat for seat, pile in enumerate(piles) if pile)
    other_seat = (taker + 1) % 4
    piles[other_seat].append(piles[taker].pop())
    path = f"won[{other_seat}][{len(piles[other_seat]) - 1}]"
    refused(data | {"won": piles}, "conflict", path, f"seat {other_seat} has not won")
    without = {key: value for key, value in data.items() if key != "won"}
    again = parse_position(without)
    assert isinstance(again, KnownPosition)
    assert again.state == position.state


def test_every_view_of_random_rounds_is_consistent() -> None:
    """Whatever is played by the rules is accepted: views and known positions of whole rounds."""
    rng = random.Random(23)
    for number in range(25):
        position: BaseModel = deal(7, number=number)
        while moves := legal_moves(position):
            position = play(position, rng.choice(moves))
            if rng.random() < 0.3:
                assert parse_position(position_data(position)) == position
                seen = view(position, rng.randrange(4))
                assert parse_position(position_data(seen)) == seen


def test_a_revoke_in_a_random_round_is_found() -> None:
    """A card swapped between one's hand and an earlier non-following play of one's own shows it."""
    rng = random.Random(24)
    found = 0
    for number in range(60):
        position: BaseModel = deal(8, number=number)
        for _ in range(rng.randrange(4, 24)):
            position = play(position, rng.choice(legal_moves(position)))
        assert isinstance(position, KnownPosition)
        for seat in range(4):
            seen = view(position, seat)
            assert isinstance(seen, View)
            excluded = seen.past.excluded(seat)
            for card in (card for card in range(36) if excluded >> card & 1 and seen.unseen >> card & 1):
                found += 1
                data = position_data(seen)
                if data["hand"]:
                    data["hand"][0] = name(card)
                    with pytest.raises(PositionError) as error:
                        parse_position(data)
                    assert error.value.code in ("illegal_play", "conflict")
                break
    assert found > 20
