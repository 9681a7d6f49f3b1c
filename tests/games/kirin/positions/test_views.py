"""What each seat of kirin sees, what may be asked of it, and positions as text."""

from __future__ import annotations

from typing import Any

import pytest

from solver.common import Random
from solver.errors import RequestError
from solver.games.kirin import GAME
from solver.games.kirin.position import DeclareView, KnownPosition, View
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.games.kirin.examples import BEFORE, BEFORE_SEEN, ENDING, NINES, SEEN, change

pytestmark = pytest.mark.small


def test_a_view_hides_the_other_hands() -> None:
    position = GAME.deal(1)
    for _ in range(6):
        position = GAME.play(position, GAME.legal_moves(position)[0])
    assert isinstance(position, KnownPosition)
    for seat in range(4):
        seen = GAME.view(position, seat)
        assert isinstance(seen, View)
        assert set(position_data(seen)) == {"game", "seat", "hand", "declared", "leader", "trick", "history"}
        assert seen.hand == position.hands[seat]
        assert seen.declared == position.declared[seat]
        assert seen.past.rules.direction == position.state.rules.direction
        assert seen.past.won == position.state.won
        mine = GAME.legal_moves(position) if seat == position.seat_to_move else []
        assert GAME.legal_moves(seen) == mine
        assert GAME.view(seen, seat) == seen


@pytest.mark.covered
def test_the_cards_that_a_view_excludes_are_not_in_the_hands() -> None:
    random = Random(10)
    for number_ in range(20):
        position = GAME.deal(10, number=number_)
        while moves := GAME.legal_moves(position):
            position = GAME.play(position, moves[random.below(len(moves))])
            seen = GAME.view(position, 0)
            assert isinstance(seen, View)
            assert isinstance(position, KnownPosition)
            for seat, hand in enumerate(position.state.hands):
                assert hand & seen.past.excluded(seat) == 0
                assert hand.bit_count() == seen.count(seat)
                assert seat == 0 or hand & ~seen.unseen == 0


def test_views_before_and_between_setting_aside() -> None:
    before = GAME.view(parse_position(BEFORE), 3)
    assert before == DeclareView(game="kirin", seat=3, leader=2, hand=tuple(NINES[3]))
    after = GAME.view(GAME.play(parse_position(BEFORE), 5), 0)  # sets D6 aside
    assert after == parse_position(
        {"game": "kirin", "seat": 0, "leader": 2, "declared": "D6", "hand": [c for c in NINES[0] if c != "D6"]}
    )


@pytest.mark.parametrize(
    ("data", "seat", "code", "path"),
    [
        (ENDING, 0, "missing_key", "history"),
        (ENDING, 4, "out_of_range", "seat"),
        (SEEN, 1, "hidden_cards", "seat"),
    ],
)
def test_views_that_there_are_not(data: dict[str, Any], seat: int, code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.view(parse_position(data), seat)
    assert (found.value.code, found.value.path) == (code, path)


@pytest.mark.parametrize("data", [SEEN, BEFORE_SEEN])
def test_what_hidden_cards_forbid(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert "analyze" not in GAME.asks(position)
    with pytest.raises(RequestError) as found:
        GAME.play(position, 0)
    assert found.value.code == "hidden_cards"
    with pytest.raises(RequestError) as found:
        GAME.analyze(position, Control())
    assert found.value.code == "hidden_cards"


def test_what_known_positions_can_be_asked() -> None:
    for data in (ENDING, BEFORE):
        assert GAME.asks(parse_position(data)) == {"analyze", "best-move", "value"}


def test_positions_as_text() -> None:
    assert GAME.describe(parse_position(change(ENDING, won=[["D2"], [], ["BT", "B2"], []]))) == [
        ("Direction", "ascending (D > S > B > G, 6 > … > 1)"),
        ("Seat 0", "G1   (collects D, Azure Dragon (set aside: D1); 1 point so far; leads)"),
        ("Seat 1", "D4 S6   (collects S, Vermilion Bird (set aside: S1); 0 points so far; to move)"),
        ("Seat 2", "G2 G5   (collects B, White Tiger (set aside: B6); 2 points so far)"),
        ("Seat 3", "B1 B+   (collects G, Black Tortoise (set aside: G6); 0 points so far)"),
        ("Trick", "seat 0 S3"),
    ]
    assert GAME.describe(parse_position(change(SEEN, trick=["B3"]))) == [
        ("You", "seat 0; collects D, Azure Dragon (set aside: D1)"),
        ("Hand", "S1 S5 B1 B2 G2 G3 G4"),
        ("Direction", "ascending (D > S > B > G, 6 > … > 1)"),
        ("Trick", "seat 3 B3"),
        ("Tricks", "1 of 8 played"),
        ("Last trick", "seat 2 S3, seat 3 D5, seat 0 G1, seat 1 S2; seat 3 took it"),
        ("Seat 3 won", "D5 S2 S3 G1"),
        ("Unseen", "D2 D3 D4 D6 DT D+ D- S4 S6 ST S+ S- B4 B5 B6 BT B+ B- G5 G6 GT G+ G-"),
    ]
    assert GAME.describe(parse_position(BEFORE_SEEN)) == [
        ("You", "seat 2; to set a card aside"),
        ("Hand", "S1 S2 S3 S4 S5 S6 ST S+ S-"),
        ("Leader", "seat 0"),
    ]


def test_the_rules_name_every_ruling() -> None:
    text = GAME.rules()
    assert text.count("**Ruling") == 6
    for words in ("declared_counts", "a kirin has no rank", "led kirin", "share the win", "`leader`"):
        assert words in text
