"""Kirin at the table: deals, setting aside, moves and their errors, what each seat sees, positions as text."""

from __future__ import annotations

from typing import Any

import pytest

from solver.common import SEEDS, Random
from solver.errors import MoveError, RequestError
from solver.games.kirin import GAME
from solver.games.kirin.deck import CARDS, NUMBERS
from solver.games.kirin.moves import KirinRecord
from solver.games.kirin.position import KirinScore, Round
from solver.limits import Control
from solver.positions import parse_position, parse_record, position_data
from solver.registry import game
from solver.rounds_in_play import playing_of
from tests.games.kirin.examples import BEFORE, BEFORE_SEEN, ENDING, NINES, SEEN, change
from tests.support.kinds import of_kind


def test_the_registry_has_kirin() -> None:
    assert game("kirin") is GAME
    assert GAME.models == ("paranoid", "ally", "maxn")


# ------------------------------------------------------------------------------------------------- deals


def test_a_seed_is_the_same_deal_for_ever() -> None:
    first = of_kind(Round, GAME.deal(1))
    assert [" ".join(hand) for hand in first.hands] == DEAL_1_HANDS
    assert first.declared == DEAL_1_DECLARED
    assert (first.leader, first.direction, first.trick, first.history) == (0, "ascending", (), ())
    last = of_kind(Round, GAME.deal(SEEDS - 1, number=SEEDS - 1, variant="undeclared"))
    assert " ".join(last.hands[3]) == LAST_DEAL_HAND


DEAL_1_HANDS = [
    "D2 S3 S5 S- B2 B4 B6 G+",
    "D1 D3 DT S1 S4 G3 G4 G5",
    "D- S+ B3 B+ G1 G2 GT G-",
    "D5 D6 S2 S6 B1 B5 BT B-",
]
DEAL_1_DECLARED = ("D4", "D+", "G6", "ST")
LAST_DEAL_HAND = "D4 S1 S+ B1 B2 B4 B6 B+ G-"


def test_deals_have_every_card_once_and_differ() -> None:
    seen = set()
    for number_ in range(50):
        position = of_kind(Round, GAME.deal(3, number=number_))
        cards = [*position.declared, *(card for hand in position.hands for card in hand)]
        assert len(set(cards)) == CARDS
        assert [len(hand) for hand in position.hands] == [8] * 4
        assert parse_position(position_data(position)) == position
        seen.add(position.hands)
    assert len(seen) == 50


def test_the_variants_share_the_hands() -> None:
    before, after = (
        of_kind(Round, GAME.deal(4, number=2, variant=variant)) for variant in ("undeclared", "declared")
    )
    assert before.choosing
    assert not after.choosing
    for seat in range(4):
        assert {*after.hands[seat], after.declared[seat]} == set(before.hands[seat])
    assert parse_position(position_data(before)) == before


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [({"players": 3}, "out_of_range", "players"), ({"variant": "duel"}, "unknown_value", "variant")],
)
def test_deals_that_there_are_not(keys: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.deal(1, **keys)
    assert (found.value.code, found.value.path) == (code, path)


# ------------------------------------------------------------------------------------------------- moves


def test_moves_are_cards_in_canonical_order() -> None:
    position = parse_position(
        change(ENDING, trick=["S3"], hands=[["G1"], ["D+", "D4"], ["G2", "G5"], ["B1", "B+"]])
    )
    moves = GAME.legal_moves(position)
    assert [GAME.format_move(position, move) for move in moves] == ["D4", "D+"]
    assert GAME.parse_move(position, " D+ ") == NUMBERS["D+"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("S6", "S6 may not be played to S3: seat 1 must follow with D4"),
        ("G5", "seat 1 does not hold G5"),
        ("D7", "'D7' is not a card"),
        ("", "'' is not a card"),
    ],
)
def test_moves_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(ENDING), text)
    assert found.value.code == "illegal_move"
    assert words in found.value.message


def test_moves_after_the_end_and_out_of_turn() -> None:
    over = parse_position(change(ENDING, trick=[], hands=[[], [], [], []]))
    with pytest.raises(MoveError, match="the round is over"):
        GAME.parse_move(over, "D4")
    with pytest.raises(MoveError, match="seat 3 is to move, not seat 0"):
        GAME.parse_move(parse_position(SEEN), "S1")
    with pytest.raises(MoveError, match="S6 may not be played"):
        GAME.play(parse_position(ENDING), NUMBERS["S6"])


def test_own_moves_in_a_view() -> None:
    assert GAME.legal_moves(parse_position(SEEN)) == []  # seat 3 is to move
    led = parse_position(change(SEEN, trick=["G5"]))
    assert [GAME.format_move(led, move) for move in GAME.legal_moves(led)] == [
        "S1",
        "S5",
        "B1",
        "B2",
        "G2",
        "G3",
        "G4",
    ]
    forced = parse_position(change(SEEN, trick=["B3"]))
    assert [GAME.format_move(forced, move) for move in GAME.legal_moves(forced)] == ["S5"]
    assert len(GAME.legal_moves(parse_position(BEFORE_SEEN))) == 9


def test_setting_cards_aside_seat_by_seat() -> None:
    position = parse_position(change(BEFORE, seat=2))
    for seat, text in ((2, "B+"), (3, "G1"), (0, "D6"), (1, "ST")):
        assert isinstance(position, Round)
        assert position.choosing
        assert position.seat == seat
        assert len(GAME.legal_moves(position)) == 9
        with pytest.raises(MoveError, match=f"seat {seat} does not hold"):
            GAME.parse_move(position, NINES[(seat + 1) % 4][0])
        position = GAME.play(position, GAME.parse_move(position, text))
        assert parse_position(position_data(position)) == position
    assert isinstance(position, Round)
    assert position.declared == ("D6", "ST", "B+", "G1")
    assert position.hands[0] == ("D1", "D2", "D3", "D4", "D5", "DT", "D+", "D-")
    assert (position.leader, position.direction, position.history) == (2, "ascending", ())


def test_a_trick_is_taken_and_the_order_turns() -> None:
    # G5 wins against S3, B1 and the kirin, and D- turns the order
    position = parse_position(
        change(ENDING, hands=[["G1"], ["D-", "S6"], ["G2", "G5"], ["B1", "B+"]], won=[["D2"], [], [], []])
    )
    for text in ("D-", "G5", "B1"):
        position = GAME.play(position, GAME.parse_move(position, text))
    assert isinstance(position, Round)
    assert (position.leader, position.direction, position.trick) == (2, "descending", ())
    assert position.won == (("D2",), (), ("D-", "S3", "B1", "G5"), ())
    assert position.history is None  # how it came to this is not known


def test_four_kirin_at_the_table() -> None:
    position = parse_position(
        change(ENDING, trick=[], leader=3, hands=[["D6", "S+"], ["D5", "S-"], ["D4", "B-"], ["D3", "G+"]])
    )
    position = GAME.play(position, NUMBERS["G+"])
    assert GAME.legal_moves(position) == [NUMBERS["D6"], NUMBERS["S+"]]
    for text in ("S+", "S-", "B-"):
        position = GAME.play(position, GAME.parse_move(position, text))
    assert isinstance(position, Round)
    assert (position.leader, position.direction) == (3, "ascending")
    assert position.won == ((), (), (), ())
    assert ("Seat 3", "D3   (collects G, Black Tortoise (set aside: G6); 0 points so far; leads; to move)") in (
        GAME.describe(position)
    )


def test_whole_rounds() -> None:
    """What is played by the rules is read back; a view knows no more and no less than it should; rounds score."""
    random = Random(9)
    for number_ in range(25):
        position: Any = GAME.deal(9, number=number_, variant="undeclared")
        plies = 0
        while moves := GAME.legal_moves(position):
            position = GAME.play(position, moves[random.below(len(moves))])
            plies += 1
            if random.below(3) == 0:
                assert parse_position(position_data(position)) == position
            if plies >= 4:
                _check_view(position, random.below(4), read=random.below(3) == 0)
        assert plies == CARDS
        assert len(position.history) == 8
        assert sum(map(len, position.won)) % 4 == 0
        told = {"declared": position.declared, "history": position_data(position)["history"]}
        score = of_kind(KirinScore, GAME.score(parse_record({"game": "kirin", "rounds": [told]})))
        assert score.rounds == (position.points,)
        piles = {"declared": position.declared, "won": position.won}
        assert GAME.score(parse_record({"game": "kirin", "rounds": [piles]})) == score


def _check_view(position: Round, seat: int, *, read: bool) -> None:
    seen, state = GAME.view(position, seat), position.state
    assert isinstance(seen, Round)
    assert set(position_data(seen)) <= {"game", "seat", "hand", "declared", "leader", "trick", "history"}
    assert GAME.view(seen, seat) == seen
    assert not read or parse_position(position_data(seen)) == seen
    assert (seen.hand, seen.declared) == (position.hands[seat], position.declared[seat])
    assert (seen.past.rules.direction, seen.past.won) == (state.rules.direction, state.won)
    assert GAME.legal_moves(seen) == (GAME.legal_moves(position) if seat == position.seat_to_move else [])
    for other, hand in enumerate(state.hands):
        assert hand & seen.past.excluded(other) == 0
        assert hand.bit_count() == seen.count(other)
        assert other == seat or hand & ~seen.unseen == 0


def test_views_before_and_between_setting_aside() -> None:
    before = GAME.view(parse_position(BEFORE), 3)
    assert before == Round(game="kirin", seat=3, leader=2, hand=tuple(NINES[3]))
    after = GAME.view(GAME.play(parse_position(BEFORE), NUMBERS["D6"]), 0)
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
    for words in ("declared_counts", "a kirin has no rank", "led kirin", "share the win", "leads the first trick"):
        assert words in text


def test_the_record_of_a_round_in_play_keeps_its_options() -> None:
    options = {"declared_counts": True, "led_kirin_asks_only_kirin": True}
    table = playing_of(GAME).opening(3, number=0, players=None, variant="declared", before=[], rules=options)
    while table.to_move is not None:
        table = table.play(table.moves()[0])
    record = playing_of(GAME).record([table])
    assert isinstance(record, KirinRecord)
    assert record.declared_counts
    assert record.rounds[0].rules is not None
    assert record.rounds[0].rules.on == ("led_kirin_asks_only_kirin",)
