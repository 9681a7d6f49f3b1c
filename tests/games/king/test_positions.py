"""King × Alchemy's positions, views and records: what is read, and what is refused with code, path and words."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from solver.common import mask
from solver.errors import PositionError, RequestError
from solver.games.king import GAME
from solver.games.king.deck import KIND
from solver.games.king.moves import legal_moves
from solver.games.king.position import CardSet, Round
from solver.positions import parse_position, parse_record, position_data
from tests.games.king.examples import (
    BEFORE,
    BEFORE_SEEN,
    CODES,
    DECK,
    ENDING,
    FULL,
    ROUND,
    SEEN,
    TWELVES,
    change,
    refused,
)
from tests.games.king.random_positions import random_deck, random_position
from tests.support.kinds import of_kind
from tests.support.mangling import check_positions, check_refusals, mangle


def cards(text: str) -> int:
    return mask(DECK.index[code] for code in text.split())


def test_what_is_read() -> None:
    known = of_kind(Round, parse_position(ENDING))
    assert known.state.hands == (cards("W1"), cards("F9 D"), cards("E2 A5"))
    assert known.state.won == (0, 0, 0)
    assert known.seat_to_move == known.state.to_move == 1
    full = of_kind(Round, parse_position(FULL))
    assert full.seat_to_move == full.state.to_move == 0
    before = of_kind(Round, parse_position(BEFORE))
    assert before.picked == ((),) * 4
    seen = of_kind(Round, parse_position(SEEN))
    assert [seen.past.excluded(seat) for seat in range(4)] == [0, *[DECK.of_suit[0]] * 3]
    assert seen.unseen == mask(range(50)) & ~cards("W2 W3 E3 E4 A4 A5 T5 D") & ~(2**12 - 1)
    assert [seen.count(seat) for seat in range(4)] == [10] * 4
    assert seen.past.discarded == cards("W3 E4 A5")
    asked = of_kind(Round, parse_position(BEFORE_SEEN))
    assert asked.players == 4
    some = of_kind(CardSet, parse_position({"game": "king", "deck": "house", "cards": ["F11", "F10", "W7"]}))
    assert mask(some.numbers) == cards("F11 F10 W7")


@pytest.mark.parametrize("data", [ENDING, FULL, BEFORE, SEEN, BEFORE_SEEN])
def test_a_position_is_read_back_from_its_data(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert parse_position(position_data(position)) == position


def test_a_finished_round_is_a_position() -> None:
    over = parse_position(change(ENDING, trick=[], hands=[[], [], []]))
    assert legal_moves(over) == []


KNOWN_FAULTS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"trick": ["F12"]}, "illegal_card", "trick[0]", "'F12' is not a card of the deck house"),
    ({"trick": ["D"]}, "illegal_card", "trick[0]", "D:F, D:W, D:E, D:A"),
    ({"trick": ["D:Q"]}, "illegal_card", "trick[0]", "'D:Q' names no suit"),
    ({"trick": ["F7:W"]}, "illegal_card", "trick[0]", "F7 has its own suit"),
    ({"trick": [7]}, "wrong_type", "trick[0]", "text is expected"),
    ({"hands": [["W1"], ["F9", "D:F"], ["E2", "A5"]]}, "illegal_card", "hands[1][1]",
     "in a hand or a pile it is D"),
    ({"won": [["Z9"], [], []]}, "illegal_card", "won[0][0]", "'Z9'"),
    ({"removed": ["Z9"]}, "illegal_card", "removed[0]", "'Z9'"),
    ({"colour": "D"}, "unknown_key", "colour", "'colour'"),
    ({"seat": 1}, "unknown_key", "seat", "seat"),
    ({"hands": None}, "missing_key", "hands", "hands"),
    ({"leader": 3}, "out_of_range", "leader", "seats are 0 to 2"),
    ({"leader": 5}, "out_of_range", "leader", "5"),
    ({"leader": True}, "wrong_type", "leader", "a whole number is expected, not true"),
    ({"hands": [["W1"], ["F9", "D"]]}, "wrong_size", "hands", "3"),
    ({"hands": [["W1"]] * 6}, "wrong_size", "hands", "5"),
    ({"won": [[], []]}, "wrong_size", "won", "3 players, but won has 2"),
    ({"removed": ["F1"]}, "wrong_size", "removed", "with 3 players 5 cards are removed, not 1"),
    ({"trick": ["F7", "F8", "F10", "F11"]}, "wrong_size", "trick", "at most 3"),
    # a card in two places
    ({"hands": [["W1"], ["F9", "D"], ["E2", "W1"]]}, "duplicate_card", "hands[2][1]", "W1 is in hands[0][0]"),
    ({"trick": ["F9"]}, "duplicate_card", "trick[0]", "F9 is in hands[1][0]"),
    ({"trick": ["D:W"]}, "duplicate_card", "trick[0]", "D is in hands[1][1]"),
    ({"won": [[], ["F7"], []]}, "duplicate_card", "won[1][0]", "F7 is in trick[0]"),
    ({"won": [["T1"], ["T1"], []]}, "duplicate_card", "won[1][0]", "T1 is in won[0][0]"),
    ({"removed": ["T1", "T2", "T3", "T4", "A5"]}, "duplicate_card", "removed[4]", "A5 is in hands[2][1]"),
    # hands that do not fit the trick
    ({"hands": [["W1", "W2"], ["F9", "D"], ["E2", "A5"]]}, "wrong_size", "hands[0]",
     "seat 0 has 2 cards; judging by the other hands it should have 1, with one of its cards on the table"),
    ({"hands": [["W1"], ["F9"], ["E2", "A5"]]}, "wrong_size", "hands[1]", "seat 1 has 1 card"),
    ({"leader": 1}, "wrong_size", "hands[1]", "seat 1 has 2 cards; judging by the other hands it should have 0"),
    ({"trick": []}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    ({"trick": ["F7", "F8", "F10"]}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    ({"hands": [[], [], []]}, "wrong_size", "hands[1]",
     "seat 1 has 0 cards; judging by the other hands it should have 1"),
    # a follower who had to follow and did not
    ({"trick": ["F7", "W9"], "hands": [["W1"], ["F9"], ["E2", "A5"]]}, "illegal_play", "trick[1]",
     "seat 1 could not play W9 to Fire: F9 in hands[1] had to follow"),
    ({"trick": ["F7", "D:W"], "hands": [["W1"], ["F9"], ["E2", "A5"]]}, "illegal_play", "trick[1]",
     "seat 1 could not play D:W to Fire: F9 in hands[1]"),
    ({"trick": ["D:E", "T1", "A5"], "hands": [["W1"], ["F9"], ["E2"]]}, "illegal_play", "trick[2]",
     "seat 2 could not play A5 to Earth: E2 in hands[2]"),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "code", "path", "words"), KNOWN_FAULTS)
def test_faults_of_known_positions(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(ENDING, **keys), code, path, words)


@pytest.mark.parametrize("trick", [["F7", "T1"], ["F7", "D:F"], ["T2", "W9"], ["T2", "D:W"], ["W7", "A9"]])
def test_plays_that_a_holder_of_fire_may_make(trick: list[str]) -> None:
    position = parse_position(change(ENDING, trick=trick, hands=[["W1"], ["F9"], ["E2", "A5"]]))
    assert isinstance(position, Round)


def test_a_pick_that_contradicts_the_piles_is_refused() -> None:
    deal = GAME.deal(3, players=3)
    played = deal
    for _ in range(4):  # a whole trick, and its cards taken
        played = GAME.play(played, GAME.legal_moves(played)[0])
    for position in (deal, played, GAME.view(deal, 1), GAME.view(played, 1)):
        data = position_data(position)
        picks = [pile[0] for pile in position_data(deal)["won"]]
        assert parse_position(data | {"pick": picks}) == position
        others = [[picks[1], picks[0], picks[2]], [*picks[:2], data["removed"][0] if "removed" in data else "F1"]]
        for wrong, path in zip(others, ("pick[0]", "pick[2]"), strict=True):
            refused(data | {"pick": wrong}, "conflict", path, "did not pick")


def test_fifteen_cards_are_too_many_once_one_is_picked() -> None:
    hands = [CODES[15 * seat : 15 * seat + 15] for seat in range(3)]
    refused(change(ENDING, trick=[], hands=hands), "wrong_size", "hands[0]", "at most 14")


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hands": [TWELVES[0][:11], *TWELVES[1:]]}, "wrong_size", "hands[0]", "before its pick a hand has 12"),
        ({"hands": TWELVES[:3]}, "wrong_size", "hands[0]", "before its pick a hand has 15"),
        ({"won": [[], ["W2"], [], []]}, "duplicate_card", "won[1][0]", "W2 is in hands[1][0]"),
        ({"won": [[], []]}, "wrong_size", "won", "4 players"),
        ({"hands": [TWELVES[0][1:], *TWELVES[1:]], "won": [["F1"], [], [], []]}, "conflict", "seat",
         "seat 0 is to pick, but has already picked F1"),
        ({"hands": [TWELVES[0], TWELVES[1][2:], *TWELVES[2:]], "won": [[], ["W2"], [], []]}, "wrong_size",
         "hands[1]", "after its pick a hand has 11"),
        ({"hands": [TWELVES[0], TWELVES[1][2:], *TWELVES[2:]], "won": [[], ["W2", "W3"], [], []]}, "wrong_size",
         "won[1]", "seat 1 picks one card, not 2"),
        ({"removed": ["T5"]}, "wrong_size", "removed", "2 cards are removed, not 1"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"leader": 4}, "out_of_range", "leader", "seats are 0 to 3"),
        ({"stage": "take"}, "unknown_value", "stage", "pick"),
        ({"trick": []}, "unknown_key", "trick", "trick"),
    ],
)  # fmt: skip
def test_faults_before_the_round(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(BEFORE, **keys), code, path, words)


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hand": TWELVES[1][:11]}, "wrong_size", "hand", "12 of 4 players"),
        ({"hand": TWELVES[1][:10]}, "wrong_size", "removed", "with 5 players 0 cards are removed, not 2"),
        ({"removed": None}, "wrong_size", "removed", "2 cards are removed, not 0"),
        ({"removed": ["T5", "W5"]}, "duplicate_card", "removed[1]", "W5 is in hand[3]"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"won": [[], [], [], []]}, "unknown_key", "won", "won"),
    ],
)
def test_faults_of_views_before_the_round(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(BEFORE_SEEN, **keys), code, path, words)


WON = [["F1", "F2", "F3"], ["W1", "W2"], ["E1", "E2", *CODES[33:44]]]


@pytest.mark.parametrize(
    ("data", "code", "path", "words"),
    [
        ({"rounds": []}, "wrong_size", "rounds", "1"),
        ({"rounds": [{"won": WON}] * 4}, "wrong_size", "rounds", "3"),
        ({"rounds": [{"won": WON[:2]}]}, "wrong_size", "rounds[0].won", "3"),
        ({"rounds": [{"won": WON}, {"won": [*WON, ["T1"]]}]}, "wrong_size", "rounds[1].won",
         "round 1 had 3 players"),
        ({"rounds": [{"won": [["F1", "Z1"], *WON[1:]]}]}, "illegal_card", "rounds[0].won[0][1]", "'Z1'"),
        ({"rounds": [{"won": [["F1", "W1"], *WON[1:]]}]}, "duplicate_card", "rounds[0].won[1][0]", "W1 is in"),
        ({"rounds": [{"won": [[], *WON[1:]]}]}, "missing_card", "rounds[0].won[0]", "seat 0 has won the card"),
        ({"rounds": [{"won": [["F1"], ["W1"], ["E1"]]}]}, "wrong_size", "rounds[0].won",
         "3 players win 17 to 45 cards in a round, picks included, not 3"),
        ({"rounds": [{"won": [CODES[:30], CODES[30:44], CODES[44:]]}]}, "wrong_size", "rounds[0].won", "not 50"),
        ({"rounds": [{"won": WON, "history": []}]}, "unknown_key", "rounds[0].history", "history"),
        ({"deck": "mine", "rounds": [{"won": WON}]}, "unknown_deck", "deck", "'mine'"),
    ],
)  # fmt: skip
def test_faults_of_records(data: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_record({"game": "king", "deck": "house"} | data)
    assert (found.value.code, found.value.path) == (code, path), found.value.message
    assert words in found.value.message


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hand": [*TWELVES[0][2:], "E5"]}, "wrong_size", "hand",
         "11 cards; after the cards played it should have 10"),
        ({"hand": [*TWELVES[0][3:], "F2"]}, "duplicate_card", "won[0][1]", "F2 is in hand[9]"),
        ({"hand": [*TWELVES[0][3:], "F1"]}, "duplicate_card", "won[0][0]", "F1 is in hand[9]"),
        ({"hand": [*TWELVES[0][3:], "T5"]}, "duplicate_card", "removed[0]", "T5 is in hand[9]"),
        ({"removed": ["T5"]}, "wrong_size", "removed", "2 cards are removed, not 1"),
        ({"seat": 4}, "out_of_range", "seat", "seats are 0 to 3"),
        ({"leader": 4}, "out_of_range", "leader", "seats are 0 to 3"),
        ({"leader": 1}, "conflict", "leader", "seat 0 leads now, not seat 1"),
        ({"hands": []}, "unknown_key", "hands", "hands"),
        # piles that do not agree with the tricks
        ({"won": [["F2"], ["W2"], ["E3"], ["A4"]]}, "missing_card", "won[0]", "seat 0 has none"),
        ({"won": [["F1", "F2"], [], ["E3"], ["A4"]]}, "missing_card", "won[1]", "seat 1 has none"),
        ({"won": [["F1", "F2"], ["W2", "W4"], ["E3"], ["A4"]]}, "conflict", "won[1]", "seat 1 has 2: W2 W4"),
        ({"won": [["F1", "F2", "W3"], ["W2"], ["E3"], ["A4"]]}, "conflict", "won[0][2]", "seat 0 has not won W3"),
        ({"won": [["F1"], ["F2"], ["E3"], ["A4"]]}, "conflict", "won[1][0]", "seat 1 has not won F2"),
        # takings
        ({"history": [{"cards": ["F2", "W3", "E4", "A5"]}]}, "missing_key", "history[0].leader", "leader"),
        ({"history": [{"leader": 0, "cards": ["F2", "W3", "E4"]}]}, "wrong_size", "history[0].cards", "4 cards"),
        ({"taken": ["W3"]}, "illegal_taking", "history[0].taken[0]",
         "W3 may not be taken: its number is not below 2"),
        ({"taken": ["F2"]}, "illegal_taking", "history[0].taken[0]", "F2 won the trick and is kept"),
        ({"taken": ["W5"]}, "illegal_taking", "history[0].taken[0]", "W5 is not in the trick"),
        ({"taken": ["D:F"]}, "illegal_card", "history[0].taken[0]", "it is D"),
        ({"given": "W3"}, "illegal_taking", "history[0].given", "this trick has no bottom"),
        ({"given": "Q"}, "illegal_card", "history[0].given", "'Q'"),
        # the hand shows what had to be played
        ({"hand": [*TWELVES[0][3:], "A6"], "seat": 1}, "illegal_play", "history[0].cards[1]", "seat 1 could not"),
    ],
)  # fmt: skip
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
        ({"given": "F3"}, "given", "F3 is not among the cards left of the trick: F4"),
        ({"given": "F11"}, "given", "F11 is not among"),
    ],
)
def test_faults_of_takings(keys: dict[str, Any], path: str, words: str) -> None:
    left = [code for code in CODES if code not in TAKEN["cards"]]
    hands = [left[10 * seat : 10 * seat + 10] for seat in range(4)]
    picks = left[40:44]
    data: dict[str, Any] = {
        "game": "king", "deck": "house", "leader": 3, "hands": hands, "won": [[code] for code in picks],
    }  # fmt: skip
    known = of_kind(Round, parse_position(data | {"history": [TAKEN]}))
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
    known = of_kind(Round, parse_position(data))
    assert [known.past.excluded(seat) for seat in range(4)] == [0, *[DECK.of_suit[3]] * 3]
    swapped = [hands[1], hands[0], *hands[2:]]
    refused(
        data | {"hands": swapped}, "illegal_play", "history[0].cards[1]", "seat 1 could not play D:W to Wind: A1"
    )
    # by its own name it tells nothing
    free = data | {"history": [data["history"][0] | {"cards": ["A11", "D:A", "E11", "F1"], "given": "E11"}]}
    named = of_kind(Round, parse_position(free))
    assert named.past.excluded(1) == 0


def test_a_card_shown_later() -> None:
    hands = [CODES[33:42], CODES[11:20], [*CODES[22:31], "A10"], [*CODES[1:10], "E11"]]
    tricks = [{"leader": 0, "cards": ["F11", "W10", "E10", "W11"], "taken": ["W10", "E10"]}]
    data = {
        "game": "king", "deck": "house", "leader": 0, "trick": ["A11", "F1"], "hands": hands,
        "won": [["T1"], ["T2"], ["T3"], ["T4"]], "history": tricks,
    }  # fmt: skip
    refused(data, "illegal_play", "history[0].cards[1]", "F1 (later trick[1]) had to follow")


@pytest.mark.parametrize("size", [12, 13, 15])
@pytest.mark.parametrize(
    "more",
    [{"tricks": 3}, {"gone": ["E9"]}, {"voids": {"1": ["F"]}}, {"leader": 1, "trick": []}, {"trick": ["E9"]}],
)
def test_a_hand_too_large_is_what_is_wrong_with_half_a_memory(size: int, more: dict[str, Any]) -> None:
    hand = [*KIND.house.index][:size]
    refused(
        {"game": "king", "players": 4, "seat": 0, "hand": hand, **more}, "wrong_size", "hand",
        "a hand has at most 11 cards once one is picked",
    )  # fmt: skip


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
    refused(data, "conflict", "history", "the plays: A1 to Fire (history[0].cards[1]), A4 to Water")


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
    without = of_kind(Round, parse_position({key: value for key, value in data.items() if key != "won"}))
    for seat in range(4):
        picked = position.piles[seat] & ~without.piles[seat]
        assert picked.bit_count() == 1
    with pytest.raises(RequestError, match="the cards picked before the first trick"):
        GAME.view(without, 0)


JUNK: list[Any] = [
    *(None, 0, 3, 4, -1, 2.5, True, "", "F3", "X9", "D", "D:F", "F3:W", "take F1", "house"),
    *([], ["F3"], [[]], {}, {"leader": 0}, "pick", *CODES),
]


def test_mangled_positions_are_read_or_refused() -> None:
    rng = random.Random(31)
    starts: list[Any] = [ENDING, FULL, BEFORE, SEEN, BEFORE_SEEN]
    for players in (3, 5):
        position: Any = GAME.deal(2, players=players)
        for _ in range(22):
            position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
        starts += [position_data(position), position_data(GAME.view(position, 1))]
    assert set(check_positions(GAME, starts, rng, JUNK, 1500)) == {
        "illegal_card", "duplicate_card", "wrong_size", "unknown_key", "missing_key", "wrong_type", "out_of_range",
        "unknown_value", "conflict", "illegal_play", "illegal_taking", "missing_card", "unknown_deck",
    }  # fmt: skip


def test_mangled_decks_are_read_or_refused() -> None:
    rng = random.Random(32)
    junk = [*JUNK, "Salt", "material", "trump", 1000, "a\nb", "F 3"]
    refused, read = [], 0
    for _ in range(250):
        data = mangle(random_deck(rng), rng, junk)
        try:
            deck = KIND.read(data)
        except PositionError as error:
            refused.append(error)
            continue
        read += 1
        assert deck.rows()
        parse_position(random_position(rng, deck=data))
    check_refusals(refused)
    assert 10 < read < 240


def athanor(*arguments: str, stdin: object = None) -> Result:
    text = None if stdin is None else json.dumps(stdin)
    return CliRunner(env={"COLUMNS": "200"}).invoke(cli, list(arguments), input=text)


def test_a_score_with_what_was_made() -> None:
    record = {"game": "king", "deck": "house", "rounds": [ROUND]}
    shown = athanor("score", "-", stdin=record).stdout
    lines = [line.strip() for line in shown.splitlines()]
    assert "seat 2: 22 = 13 + 9: Gunpowder 9 (T1 of F3 A1 A4)" in lines
    assert json.loads(athanor("score", "-", "--json", stdin=record).stdout)["rounds"] == [[14, 27, 22]]


def test_kings_deals_positions_and_decks() -> None:
    dealt = json.loads(athanor("deal", "king", "--seed", "3", "--players", "5").stdout)
    assert [len(hand) for hand in dealt["hands"]] == [9] * 5
    pick = json.loads(athanor("deal", "king", "--seed", "3", "--variant", "unpicked", "--seat", "2").stdout)
    assert (pick["stage"], pick["seat"], len(pick["hand"])) == ("pick", 2, 12)
    shown = athanor("analyze", "-", "--nodes", "1", stdin=dealt)
    assert shown.exit_code == 0
    assert "Seat 4 won" in shown.stdout
    assert "not proved further" in shown.stdout
    for position, words in (
        (dealt | {"deck": "mine"}, "deck: there is no deck of king called 'mine'"),
        (pick, "the other hands are hidden"),
        (dealt | {"trick": ["F12"]}, "trick[0]: 'F12' is not a card"),
    ):
        refused = athanor("analyze", "-", stdin=position)
        assert refused.exit_code == 2
        assert words in refused.stderr


def test_a_hint_for_a_card_and_for_a_taking() -> None:
    view = json.loads(athanor("deal", "king", "--seed", "4", "--seat", "0").stdout)
    found = athanor("hint", "-", "--worlds", "20", "--full", stdin=view)
    assert (found.exit_code, found.stderr) == (0, "")
    for text in ("Best", "Why", "mean", "none: an estimate (sampled rounds"):
        assert text in found.stdout
    answer = json.loads(athanor("hint", "-", "--worlds", "20", "--json", stdin=view).stdout)
    assert answer["worlds"] == 20
    assert {move["move"] for move in answer["moves"]} >= set(view["hand"]) - {"D"}
    assert athanor("hint", "-", "--seconds", "0.01", stdin=view).exit_code == 2


@pytest.mark.parametrize(
    ("trick", "rules", "found"),
    [
        ("0:W10,T2,W7,W8", "", {"bottom": 2}),
        ("0:W10,T2,E7,E8", "", {"bottom": 0}),
        ("0:W10,T2,E7,E8", " rules=no_bottom_when_trumped", None),
        ("0:W10,T2,W7", "", None),  # not full
    ],
)
def test_who_gets_a_card_of_a_full_trick_is_said(trick: str, rules: str, found: object) -> None:
    hand = "hand=F2,F8,W4,W5,W6,E4,A3,A5,A10,T1"
    view = f"king seat=1 {hand} pick=A7,A11,W9,E2 removed=E9,E11 trick={trick}{rules}"
    assert of_kind(Round, parse_position(view)).derived == found
