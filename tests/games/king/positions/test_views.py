"""What each seat of King × Alchemy sees, what the finished tricks tell, and what contradicts them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pydantic import BaseModel

from solver.common.control import Control
from solver.games.king import GAME
from solver.games.king.cards.rules import DEALT, REMOVED, TRICKS
from solver.games.king.positions.known import KnownPosition, View
from solver.games.king.positions.picks import PickPosition, PickView
from solver.inputs.errors import MoveError, RequestError
from solver.positions import parse_position, position_data
from tests.games.king.examples import (
    BEFORE,
    BEFORE_SEEN,
    CODES,
    DECK,
    ENDING,
    FULL,
    SEEN,
    TWELVES,
    change,
    refused,
)

pytestmark = pytest.mark.small

CARDS: dict[str, Any] = {"game": "king", "deck": "house", "cards": ["F11", "F10", "W7"]}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deals(players: int) -> None:
    before = GAME.deal(3, players=players, variant="unpicked")
    assert isinstance(before, PickPosition)
    assert [len(hand) for hand in before.hands] == [DEALT[players]] * players
    assert len(before.removed) == REMOVED[players]
    start = GAME.deal(3, players=players)
    assert isinstance(start, KnownPosition)
    assert [len(hand) for hand in start.hands] == [TRICKS[players]] * players
    assert [len(pile) for pile in start.won] == [1] * players
    assert start.removed == before.removed
    for hand, dealt, pile in zip(start.hands, before.hands, start.won, strict=True):
        assert sorted((*hand, *pile)) == sorted(dealt)
    assert start == GAME.deal(3, players=players, variant="picked")
    assert start != GAME.deal(3, players=players, number=1)


@pytest.mark.parametrize(
    ("keys", "path"), [({"players": 2}, "players"), ({"players": 6}, "players"), ({"variant": "x"}, "variant")]
)
def test_what_is_not_dealt(keys: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.deal(1, **keys)
    assert found.value.path == path


def test_every_view_of_random_rounds() -> None:
    """Whatever is played by the rules is accepted, and a view knows no more and no less than it should."""
    rng = random.Random(61)
    for number in range(9):
        position: BaseModel = GAME.deal(61, number=number, players=3 + number % 3, variant="unpicked")
        while moves := GAME.legal_moves(position):
            position = GAME.play(position, rng.choice(moves))
            if rng.random() < 0.8:
                continue
            assert parse_position(position_data(position)) == position
            for seat in range(position.players):  # type: ignore[attr-defined]
                if isinstance(position, KnownPosition):
                    _check_view(position, seat)


def _check_view(position: KnownPosition, seat: int) -> None:
    seen = GAME.view(position, seat)
    assert isinstance(seen, View)
    assert parse_position(position_data(seen)) == seen
    assert GAME.view(seen, seat) == seen
    state, past = position.state, seen.past
    assert (seen.hand_mask, seen.piles, seen.plays) == (state.hands[seat], state.won, state.trick)
    others = 0
    for other, hand in enumerate(state.hands):
        assert hand & past.excluded(other) == 0
        assert seen.count(other) == hand.bit_count()
        others |= 0 if other == seat else hand
    assert seen.unseen == others
    mine = GAME.legal_moves(position) if seat == position.seat_to_move else []
    assert GAME.legal_moves(seen) == mine


def test_what_is_shown_and_hidden() -> None:
    position = GAME.deal(1)
    for _ in range(7):
        position = GAME.play(position, GAME.legal_moves(position)[0])
    seen = GAME.view(position, 2)
    keys = {"game", "deck", "leader", "trick", "removed", "seat", "hand", "won", "history"}
    assert set(position_data(seen)) == keys


def test_a_view_of_a_round_that_was_typed_in() -> None:
    """Without a history a position that has every card and one won a seat is a round about to start."""
    data = position_data(GAME.deal(5))
    del data["history"], data["removed"]
    seen = GAME.view(parse_position(data), 1)
    assert isinstance(seen, View)
    assert seen.removed == tuple(sorted(GAME.deal(5).removed, key=DECK.index.__getitem__))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hand": TWELVES[0][3:]}, "wrong_size", "hand", "9 cards; after what was played it holds 10"),
        ({"hand": [*TWELVES[0][3:], "F2"]}, "duplicate_card", "won[0][1]", "F2 is in hand[9]"),
        ({"hand": [*TWELVES[0][3:], "F1"]}, "duplicate_card", "won[0][0]", "F1 is in hand[9]"),
        ({"hand": [*TWELVES[0][3:], "T5"]}, "duplicate_card", "removed[0]", "T5 is in hand[9]"),
        ({"removed": ["T5"]}, "wrong_size", "removed", "2 cards are removed, not 1"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"leader": 4}, "out_of_range", "leader", "seats are 0 to 3"),
        ({"leader": 1}, "conflict", "leader", "seat 0 leads now, not seat 1"),
        ({"won": None}, "missing_key", "won", "won"),
        ({"hands": []}, "unknown_key", "hands", "hands"),
        # piles that do not agree with the tricks
        ({"won": [["F1"], ["W2"], ["E3"], ["A4"]]}, "missing_card", "won[0]", "seat 0 has won F2 too"),
        ({"won": [["F2"], ["W2"], ["E3"], ["A4"]]}, "missing_card", "won[0]", "seat 0 has none"),
        ({"won": [["F1", "F2"], [], ["E3"], ["A4"]]}, "missing_card", "won[1]", "seat 1 has none"),
        ({"won": [["F1", "F2"], ["W2", "W4"], ["E3"], ["A4"]]}, "conflict", "won[1]", "seat 1 has 2: W2 W4"),
        ({"won": [["F1", "F2", "W3"], ["W2"], ["E3"], ["A4"]]}, "conflict", "won[0][2]", "seat 0 has not won W3"),
        ({"won": [["F1"], ["F2"], ["E3"], ["A4"]]}, "conflict", "won[1][0]", "seat 1 has not won F2"),
        # takings
        ({"history": [{"cards": ["F2", "W3", "E4", "A5"]}]}, "missing_key", "history[0].leader", "leader"),
        ({"history": [{"leader": 0, "cards": ["F2", "W3", "E4"]}]}, "wrong_size", "history[0].cards", "4 cards"),
        (
            {"taken": ["W3"]},
            "illegal_taking",
            "history[0].taken[0]",
            "W3 may not be taken: its number is not below 2",
        ),
        ({"taken": ["F2"]}, "illegal_taking", "history[0].taken[0]", "F2 won the trick and is kept"),
        ({"taken": ["W5"]}, "illegal_taking", "history[0].taken[0]", "W5 is not in the trick"),
        ({"taken": ["D:F"]}, "illegal_card", "history[0].taken[0]", "it is D"),
        ({"given": "W3"}, "illegal_taking", "history[0].given", "this trick has no bottom"),
        ({"given": "Q"}, "illegal_card", "history[0].given", "'Q'"),
        # the hand shows what had to be played
        ({"hand": [*TWELVES[0][3:], "A6"], "seat": 1}, "illegal_play", "history[0].cards[1]", "seat 1 could not"),
    ],
)
def test_faults_of_views(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    trick = {key: keys.pop(key) for key in ("taken", "given") if key in keys}
    if trick:
        keys["history"] = [SEEN["history"][0] | trick]
    refused(change(SEEN, **keys), code, path, words)


# Seat 3 won with F11: F3 and two of F4 F5 E1 are below; F3's player is the bottom.
TAKEN: dict[str, Any] = {"leader": 0, "cards": ["F4", "F3", "E1", "F11"], "taken": ["E1", "F3"], "given": "F4"}


@pytest.mark.parametrize(
    ("keys", "path", "words"),
    [
        ({"taken": ["F3"]}, "taken", "of F3 F4 E1 exactly 2 must be taken with F11, not 1"),
        ({"taken": ["F3", "F3"]}, "taken[1]", "F3 is taken twice"),
        ({"taken": ["F3", "F4", "E1"], "given": None}, "taken", "not 3"),
        ({"given": None}, "given", "one of F4 must be given to the player of F3, the bottom"),
        ({"given": "F3"}, "given", "F3 is not among the cards left of the trick: F4"),
        ({"given": "F11"}, "given", "F11 is not among"),
    ],
)
def test_faults_of_takings(keys: dict[str, Any], path: str, words: str) -> None:
    start = GAME.deal(1)
    assert isinstance(start, KnownPosition)
    left = [code for code in CODES if code not in TAKEN["cards"]]
    hands = [left[10 * seat : 10 * seat + 10] for seat in range(4)]
    picks = left[40:44]
    data: dict[str, Any] = {
        "game": "king", "deck": "house", "leader": 3, "hands": hands, "won": [[code] for code in picks],
    }  # fmt: skip
    known = parse_position(data | {"history": [TAKEN]})
    assert isinstance(known, KnownPosition)
    assert known.piles[3] == sum(1 << DECK.index[code] for code in ("F11", "F3", "E1", picks[3]))
    assert known.piles[1] == sum(1 << DECK.index[code] for code in ("F4", picks[1]))
    trick = {key: value for key, value in (TAKEN | keys).items() if value is not None}
    refused(data | {"history": [trick]}, "illegal_taking", f"history[0].{path}", words)


def test_a_dancer_by_another_name_tells_that_the_suit_is_out() -> None:
    hands = [CODES[33:43], CODES[11:21], CODES[22:32], CODES[1:11]]
    data: dict[str, Any] = {
        "game": "king", "deck": "house", "leader": 0, "hands": hands,
        "won": [["T1"], ["T2"], ["T3"], ["T4"]],
        "history": [{"leader": 0, "cards": ["A11", "D:W", "E11", "F1"], "taken": ["F1", "D"]}],
    }  # fmt: skip
    known = parse_position(data)
    assert isinstance(known, KnownPosition)
    assert [known.past.excluded(seat) for seat in range(4)] == [0, *[DECK.of_suit[3]] * 3]
    swapped = [hands[1], hands[0], *hands[2:]]
    refused(
        data | {"hands": swapped}, "illegal_play", "history[0].cards[1]", "seat 1 could not play D:W to Wind: A1"
    )
    # by its own name it tells nothing
    free = data | {"history": [data["history"][0] | {"cards": ["A11", "D:A", "E11", "F1"], "given": "E11"}]}
    named = parse_position(free)
    assert isinstance(named, KnownPosition)
    assert named.past.excluded(1) == 0


def test_a_card_shown_later() -> None:
    hands = [CODES[33:42], CODES[11:20], [*CODES[22:31], "A10"], [*CODES[1:10], "E11"]]
    tricks = [{"leader": 0, "cards": ["F11", "W10", "E10", "W11"], "taken": ["W10", "E10"]}]
    data = {
        "game": "king", "deck": "house", "leader": 0, "trick": ["A11", "F1"], "hands": hands,
        "won": [["T1"], ["T2"], ["T3"], ["T4"]], "history": tricks,
    }  # fmt: skip
    refused(data, "illegal_play", "history[0].cards[1]", "F1 (later trick[1]) had to follow")


def test_a_view_that_no_deal_agrees_with() -> None:
    # Nobody but seat 0 had Fire, Water or Earth: too few cards are left for three hands
    history = [
        {"leader": 0, "cards": ["F11", "A1", "A2", "A3"], "taken": ["A1", "A2"]},
        {"leader": 0, "cards": ["W11", "A4", "A5", "A6"], "taken": ["A4", "A5"]},
        {"leader": 0, "cards": ["E11", "A7", "A8", "A9"], "taken": ["A7", "A8"]},
    ]
    won = [["F11", "A1", "A2", "W11", "A4", "A5", "E11", "A7", "A8", "F10"], ["F9"], ["F8"], ["F7"]]
    data = change(SEEN, hand=CODES[11:19], won=won, history=history)
    refused(data, "conflict", "history", "no deal agrees with this: seat 1 must hold 8 cards")
    refused(data, "conflict", "history", "the plays that say so: A1 to Fire (history[0].cards[1]), A4 to Water")


def test_a_trick_that_no_deal_agrees_with() -> None:
    # Fire is led, and nobody else has any: the other ten are in no hand
    data = {
        "game": "king", "deck": "house", "seat": 0, "leader": 0, "trick": ["F11", "A1", "A2", "A3"],
        "hand": [*CODES[11:20], "E1"], "won": [["T1"], ["T2"], ["T3"], ["T4"]], "removed": ["T5", "D"],
    }  # fmt: skip
    refused(data, "conflict", "trick", "A1 to Fire (trick[1]), A2 to Fire (trick[2]), A3 to Fire (trick[3])")


def test_a_known_position_with_its_history() -> None:
    rng = random.Random(5)
    position: Any = GAME.deal(5)
    while position.history is None or len(position.history) < 3:
        position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
    data = position_data(position)
    assert parse_position(data) == position
    refused(
        data | {"leader": (position.leader + 1) % 4}, "conflict", "leader", f"seat {position.leader} leads now"
    )
    # piles may be left out: what was won in the tricks is known
    without = parse_position({key: value for key, value in data.items() if key != "won"})
    assert isinstance(without, KnownPosition)
    for seat in range(4):
        picked = position.piles[seat] & ~without.piles[seat]
        assert picked.bit_count() == 1
    with pytest.raises(RequestError, match="the cards picked before the first trick"):
        GAME.view(without, 0)


@pytest.mark.parametrize(
    ("data", "seat", "code", "path"),
    [
        (ENDING, 0, "missing_key", "history"),
        (ENDING, 3, "out_of_range", "seat"),
        (SEEN, 1, "hidden_cards", "seat"),
        (BEFORE_SEEN, 2, "hidden_cards", "seat"),
        (CARDS, 0, "not_offered", "cards"),
    ],
)
def test_views_that_there_are_not(data: dict[str, Any], seat: int, code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.view(parse_position(data), seat)
    assert (found.value.code, found.value.path) == (code, path)


def test_picking() -> None:
    position = parse_position(BEFORE)
    assert GAME.view(position, 1) == parse_position(BEFORE_SEEN)
    assert [GAME.format_move(position, move) for move in GAME.legal_moves(position)] == TWELVES[0]
    after: Any = GAME.play(position, GAME.parse_move(position, " F3 "))
    assert isinstance(after, PickPosition)
    assert (after.seat, after.picked, len(after.hands[0])) == (1, (("F3",), (), (), ()), 11)
    with pytest.raises(RequestError, match="waits for the others"):
        GAME.view(after, 0)
    assert isinstance(GAME.view(after, 2), PickView)
    for text in ("W2", "E3", "T4"):
        after = GAME.play(after, GAME.parse_move(after, text))
    assert isinstance(after, KnownPosition)
    assert after.won == (("F3",), ("W2",), ("E3",), ("T4",))
    assert (after.leader, after.history) == (2, ())


def test_picking_the_dancer() -> None:
    hand = [*TWELVES[1][:11], "D"]
    asked = parse_position(BEFORE_SEEN | {"hand": hand, "removed": ["T5", "T4"]})
    dancer = GAME.legal_moves(asked)[-1]
    assert GAME.format_move(asked, dancer) == "D"
    assert GAME.parse_move(asked, "D") == dancer
    with pytest.raises(MoveError, match="'D:F' is a card as it is played"):
        GAME.parse_move(asked, "D:F")


@pytest.mark.parametrize(
    ("data", "text", "words"),
    [
        (ENDING, "", "'' is no move"),
        (ENDING, "F9 D", "'F9 D' is no move"),
        (ENDING, "F12", "'F12' is no card of the deck house"),
        (ENDING, "D", "the Dancer is named a suit when it is played: D:F, D:W, D:E, D:A"),
        (ENDING, "D:W", "D:W may not be played to F7: seat 1 must follow with F9 or D:F"),
        (ENDING, "W1", "seat 1 does not hold W1"),
        (ENDING, "take F7", "nothing is to be taken: seat 1 is to play a card"),
        (FULL, "W1", "the trick is full: seat 0 takes, as in take E2 D"),
        (FULL, "take", "'take': say which cards are taken, or take -"),
        (FULL, "take E2 D give", "one card is given"),
        (FULL, "take E2 D give F7", "F7 is not among the cards left of the trick: none"),
        (FULL, "take E2", "of E2 D exactly 2 must be taken with F7, not 1"),
        (FULL, "take E2 D:F", "'D:F' is a card as it is played; in a hand or a pile it is D"),
        (FULL, "take -", "exactly 2 must be taken"),
        (FULL, "take E2 F7", "F7 won the trick and is kept"),
        (FULL, "take E2 E2", "E2 is taken twice"),
        (SEEN | {"seat": 0, "leader": 0}, "E1", "seat 0 does not hold E1"),
        (change(ENDING, trick=[], hands=[[], [], []]), "F1", "the round is over"),
        (BEFORE, "E1", "seat 0 does not hold E1"),
        (BEFORE, "take F1", "'take F1' is no card"),
        (CARDS, "F11", "a set of cards is not played"),
    ],
)
def test_moves_that_are_none(data: dict[str, Any], text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(data), text)
    assert words in found.value.message


@pytest.mark.parametrize("data", [SEEN, BEFORE_SEEN])
def test_what_hidden_cards_forbid(data: dict[str, Any]) -> None:
    position = parse_position(data)
    with pytest.raises(RequestError) as found:
        GAME.play(position, GAME.legal_moves(position)[0])
    assert found.value.code == "hidden_cards"
    with pytest.raises(RequestError) as found:
        GAME.analyze(position, Control())
    assert found.value.code == "hidden_cards"


def test_what_is_not_analyzed() -> None:
    assert GAME.asks(parse_position(ENDING)) >= {"analyze", "best-move", "value"}
    for data in (BEFORE, CARDS):
        with pytest.raises(RequestError) as found:
            GAME.analyze(parse_position(data), Control())
        assert found.value.code == "not_offered"


def test_positions_as_text() -> None:
    brewing = change(FULL, won=[["F11", "F10", "W7", "T1"], [], []])
    assert GAME.describe(parse_position(brewing)) == [
        ("Deck", "House deck"),
        ("Seat 0", "W1   (to move)"),
        ("Seat 1", "W9"),
        ("Seat 2", "A5"),
        ("Seat 0 won", "F10 F11 W7 T1   (4 points; makes Electrum +7 = 11)"),
        ("Trick", "seat 0 F7, seat 1 D:F, seat 2 E2; seat 0 wins and is to take"),
    ]
    rows = GAME.describe(parse_position(SEEN))
    assert ("Trick", "none yet; seat 0 leads") in rows
    assert ("Tricks", "1 of 11 played") in rows
    assert ("Seat 1 holds", "no F") in rows
    assert ("Removed", "T5 D") in rows
    assert GAME.describe(parse_position(BEFORE_SEEN))[1] == (
        "You",
        "seat 1 of 4; to pick a card, which is won outright",
    )
    picks = dict(GAME.describe(GAME.play(parse_position(BEFORE), GAME.legal_moves(parse_position(BEFORE))[0])))
    assert picks["Seat 0"].endswith("(has picked F1)")
    assert picks["Seat 1"].endswith("(has not picked yet; to pick now)")
    assert GAME.describe(parse_position(CARDS))[1] == ("Cards", "F10 F11 W7   (3 points; makes Electrum +7 = 10)")


def test_the_rules_name_every_ruling() -> None:
    text = GAME.rules()
    assert text.count("**Ruling") == 9  # and where the word is explained
    for words in ("never has to be played", "another suit", "trick is complete", "equal numbers", "is the bottom"):
        assert words in text
