"""Kirin's positions, views and records: what is read, what is refused with code, path and words, and scores."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from pydantic import BaseModel

from solver.common import mask
from solver.errors import PositionError
from solver.games.kirin import GAME
from solver.games.kirin.deck import COLOURS, RANKS, name
from solver.games.kirin.moves import deal, play, view
from solver.games.kirin.position import KirinScore, Round, number_of, numbers
from solver.games.kirin.rules import NOTHING, Order, State
from solver.language import speaking, voiced
from solver.positions import parse_position, parse_record, position_data
from solver.tricks.moves import legal_moves
from tests.games.kirin import data
from tests.games.kirin.examples import BEFORE, BEFORE_SEEN, ENDING, NINES, SEEN, change, refused
from tests.reference import kirin as ref
from tests.support import count_tables
from tests.support.kinds import of_kind
from tests.support.mangling import check_positions


def held(cards: str) -> int:
    return mask(numbers(cards.split()))


def test_what_is_read() -> None:
    known = of_kind(Round, parse_position(ENDING))
    assert known.state == State(
        Order(), tuple(map(held, ("G1", "D4 S6", "G2 G5", "B1 B+"))), 0, (number_of("S3"),), NOTHING
    )
    assert known.colours == (0, 1, 2, 3)
    assert known.points == (0, 0, 0, 0)
    assert known.seat_to_move == 1
    before = of_kind(Round, parse_position(BEFORE))
    assert before.aside == (None,) * 4
    assert before.choosing
    assert parse_position(change(BEFORE, declared=[None, "", None, ""])) == before
    seen = of_kind(Round, parse_position(SEEN))
    assert seen.past.excluded(0) == seen.past.excluded(1) == held("D4 D5 D6 DT D+ D-")
    assert seen.past.excluded(2) == seen.past.excluded(3) == 0
    assert seen.past.won == (0, 0, 0, held("D5 S2 S3 G1"))
    assert of_kind(Round, parse_position(BEFORE_SEEN)).choosing


@pytest.mark.parametrize("data", [ENDING, BEFORE, SEEN, BEFORE_SEEN])
def test_a_position_is_read_back_from_its_data(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert parse_position(position_data(position)) == position


def test_won_may_be_incomplete_and_scores() -> None:
    known = of_kind(Round, parse_position(change(ENDING, won=[["D2", "S5"], [], ["BT"], []])))
    assert known.points == (1, 0, 1, 0)
    assert known.state.won == (held("D2 S5"), 0, held("BT"), 0)


KNOWN_FAULTS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"trick": ["S7"]}, "illegal_card", "trick[0]", "'S7'"),
    ({"declared": ["D1", "S1", "B6", "Z+"]}, "illegal_card", "declared[3]", "'Z+'"),
    ({"trick": [3]}, "wrong_type", "trick[0]", "text is expected"),
    ({"colour": "D"}, "unknown_key", "colour", "'colour'"),
    ({"seat": 1}, "unknown_key", "seat", "seat"),  # declared and trick belong to an all-known position
    ({"declared": None}, "missing_key", "declared", "declared"),
    ({"direction": None}, "missing_key", "direction", "direction"),
    ({"direction": "up"}, "unknown_value", "direction", "ascending"),
    ({"leader": 4}, "out_of_range", "leader", "4"),
    ({"leader": -1}, "out_of_range", "leader", "0"),
    ({"leader": True}, "wrong_type", "leader", "a whole number is expected, not true"),
    ({"hands": [[], [], []]}, "wrong_size", "hands", "4"),
    ({"declared": ["D1", "S1", "B6"]}, "wrong_size", "declared", "4"),
    ({"trick": ["S3", "D6", "G6", "B6"]}, "wrong_size", "trick", "3"),
    # a card in two places
    ({"hands": [["G1"], ["D4", "S6"], ["G2", "D4"], ["B1", "B+"]]}, "duplicate_card", "hands[2][1]",
     "D4 is in hands[1][0]"),
    ({"declared": ["D1", "S1", "B6", "S3"]}, "duplicate_card", "trick[0]", "S3 is in declared[3]"),
    ({"declared": ["D1", "S1", "D1", "G6"]}, "duplicate_card", "declared[2]", "D1 is in declared[0]"),
    ({"won": [["G1"], [], [], []]}, "duplicate_card", "won[0][0]", "G1 is in hands[0][0]"),
    # hands that do not fit the trick
    ({"hands": [["G1", "G3"], ["D4", "S6"], ["G2", "G5"], ["B1", "B+"]]}, "wrong_size", "hands[0]",
     "seat 0 has 2 cards; judging by the other hands it should have 1, with one of its cards on the table"),
    ({"hands": [["G1"], ["D4", "S6"], ["G2"], ["B1", "B+"]]}, "wrong_size", "hands[2]",
     "seat 2 has 1 card; judging by the other hands it should have 2"),
    ({"leader": 2}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    ({"trick": []}, "wrong_size", "hands[0]", "seat 0 has 1 card"),
    ({"hands": [[], [], [], []]}, "wrong_size", "hands[1]",
     "seat 1 has 0 cards; judging by the other hands it should have 1"),
    # a follower who had to follow and did not
    ({"trick": ["S3", "S6"], "hands": [["G1"], ["D4"], ["G2", "G5"], ["B1", "B+"]]}, "illegal_play", "trick[1]",
     "seat 1 could not play S6 to S3 (ascending): D4 in hands[1] had to follow"),
    ({"trick": ["S3", "S6"], "hands": [["G1"], ["D+"], ["G2", "G5"], ["B1", "B+"]]}, "illegal_play", "trick[1]",
     "D+ in hands[1]"),
    ({"trick": ["S3", "D4", "D6"], "hands": [["G1"], ["S6"], ["B2"], ["B1", "B+"]], "direction": "descending"},
     "illegal_play", "trick[2]", "seat 2 could not play D6 to S3 (descending): B2 in hands[2] had to follow"),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "code", "path", "words"), KNOWN_FAULTS)
def test_faults_of_known_positions(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(ENDING, **keys), code, path, words)


def test_the_direction_says_who_had_to_follow() -> None:
    # D4 need not be played to S3 when the order is descending
    hands = [["G1"], ["D4"], ["BT", "G5"], ["B1", "B+"]]
    data = change(ENDING, trick=["S3", "S6"], hands=hands)
    assert isinstance(parse_position(data | {"direction": "descending"}), Round)
    refused(data, "illegal_play", "trick[1]", "D4 in hands[1]")


def test_nine_cards_are_too_many_once_one_is_set_aside() -> None:
    # four hands of nine and four cards set aside cannot all be different
    refused(change(ENDING, trick=[], hands=NINES), "duplicate_card", "declared[0]", "D1 is in hands[0][0]")


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hands": [NINES[0][:8], *NINES[1:]]}, "wrong_size", "hands[0]", "a hand has 9"),
        ({"declared": ["D1", None, None, None]}, "duplicate_card", "declared[0]", "D1 is in hands[0][0]"),
        ({"declared": [None, "S1", None, None]}, "duplicate_card", "declared[1]", "S1"),
        ({"hands": [NINES[0][1:], *NINES[1:]], "declared": ["D1", None, None, None]}, "conflict", "seat",
         "seat 0 is to set a card aside, but has already set aside D1"),
        ({"hands": [NINES[0], NINES[1][2:], *NINES[2:]], "declared": [None, "S1", None, None]}, "wrong_size",
         "hands[1]", "seat 1 has 7 cards; after setting one aside a hand has 8"),
        ({"declared": [None, None]}, "wrong_size", "declared", "4"),
        ({"declared": ["", "", "", "S9"]}, "illegal_card", "declared[3]", "'S9'"),
        ({"declared": ["", "", "", 0]}, "wrong_type", "declared[3]", "text is expected"),
        ({"seat": 5}, "out_of_range", "seat", "0 to 3 is expected"),
        ({"leader": None}, "missing_key", "leader", "leader"),
        ({"direction": "ascending"}, "unknown_key", "direction", "direction"),
    ],
)  # fmt: skip
def test_faults_before_the_round(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(BEFORE, **keys), code, path, words)


ROUND = {"declared": ["D1", "S1", "B1", "G1"], "won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][1:]]}


@pytest.mark.parametrize(
    ("data", "code", "path", "words"),
    [
        ({"rounds": []}, "wrong_size", "rounds", "1"),
        ({"rounds": [ROUND] * 4}, "wrong_size", "rounds", "3"),
        ({"rounds": [{"declared": ROUND["declared"]}]}, "missing_key", "rounds[0].won", "won"),
        ({"rounds": [ROUND | {"history": []}]}, "conflict", "rounds[0].history", "not both"),
        ({"rounds": [{"declared": ROUND["declared"], "history": []}]}, "wrong_size", "rounds[0].history", "8"),
        ({"rounds": [ROUND | {"declared": ["D1", "S1", "B1", "G2"]}]}, "duplicate_card", "rounds[0].won[3][0]",
         "G2 is in declared[3]"),
        ({"rounds": [ROUND | {"won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][2:]]}]}, "wrong_size",
         "rounds[0].won[3]", "7 cards"),
        ({"rounds": [ROUND | {"won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][5:]]}]}, "missing_card",
         "rounds[0].won", "nobody has G2 G3 G4 G5"),
        ({"rounds": [ROUND], "declared_counts": 1}, "wrong_type", "declared_counts",
         "true or false is expected, not 1"),
        ({"rounds": [ROUND], "piles": []}, "unknown_key", "piles", "piles"),
    ],
)  # fmt: skip
def test_faults_of_records(data: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_record({"game": "kirin"} | data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hand": [*SEEN["hand"][:6], "G1"]}, "duplicate_card", "history[0].cards[2]", "G1 is in hand[6]"),
        ({"declared": "S3"}, "duplicate_card", "history[0].cards[0]", "S3 is in declared"),
        ({"trick": ["S1"]}, "duplicate_card", "trick[0]", "S1 is in hand[0]"),
        ({"declared": None}, "missing_key", "declared", "declared"),
        ({"leader": 2}, "conflict", "leader", "seat 3 leads now, not seat 2"),
        ({"direction": "descending"}, "conflict", "direction", "the direction is ascending, not descending"),
        ({"won": [[], [], [], []]}, "missing_card", "won[3]", "according to the history, seat 3 has also won"),
        ({"history": [{"leader": 2, "cards": ["S3", "D5", "G1"]}]}, "wrong_size", "history[0].cards", "4"),
        ({"history": [{"leader": 2}]}, "missing_key", "history[0].cards", "cards"),
        # one's own forced play: D4 had to be played to S3
        ({"hand": ["D4", *SEEN["hand"][1:]]}, "illegal_play", "history[0].cards[2]",
         "seat 0 could not play G1 to S3 (ascending): D4 in hand had to follow"),
        # another's: seat 1 played S2 to S3, and now D6 to BT
        ({"trick": ["BT", "ST", "D6"], "hand": SEEN["hand"][:6]}, "illegal_play", "history[0].cards[3]",
         "D6 (later trick[2]) had to follow"),
    ],
)  # fmt: skip
def test_faults_of_views(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(SEEN, **keys), code, path, words)


def test_faults_call_seats_by_their_names() -> None:
    with speaking(voiced("en", ["", "Left", "Across", "Right"])):
        words = "according to the history, Right leads now, not Across"
        refused(change(SEEN, leader=2), "conflict", "leader", words)
        refused(
            change(SEEN, hand=["D4", *SEEN["hand"][1:]]),
            "illegal_play",
            "history[0].cards[2]",
            "you could not play G1 to S3",
        )
    with speaking(voiced("ja", ["", "左の人", "向かいの人", "右の人"])):
        refused(change(SEEN, leader=2), "conflict", "leader", "今リードするのは右の人で、向かいの人ではありません")


def test_leaders_follow_from_winners_and_directions_from_kirin() -> None:
    # D- turns the order to descending; then the 1 beats the 6, and G1 wins the second trick
    history = [{"leader": 0, "cards": ["S3", "D-", "G1", "S2"]}, {"leader": 0, "cards": ["S6", "B5", "G6", "B1"]}]
    data = change(
        SEEN, seat=1, hand=["D1", "D2", "D3", "D4", "D5", "D6"], declared="ST", leader=3, history=history
    )
    seen = of_kind(Round, parse_position(data))
    assert (seen.past.leader, seen.past.rules.direction) == (3, 1)
    refused(change(data, leader=1), "conflict", "leader", "seat 3 leads now")
    wrong = [history[0], history[1] | {"leader": 1}]
    refused(change(data, history=wrong), "conflict", "history[1].leader", "seat 0 leads trick 2, not seat 1")


@pytest.mark.parametrize(
    ("trick", "found"),
    [
        ("", None),
        ("S2,G4", None),
        ("S2,S+", None),  # it is ascending
        ("S2,S-", "descending"),
        ("S2,S-,D+", None),  # the stronger colour decides
        ("S2,S-,B+", "descending"),
        ("S2,S-,S+", None),  # both of the strongest colour change nothing
    ],
)
def test_the_direction_that_a_trick_so_far_leads_to_is_said(trick: str, found: str | None) -> None:
    leader = (4 - len(trick.split(","))) % 4 if trick else 0
    text = f"kirin seat=0 hand=D2,S3,S5,B2,B4,B6,G1,G6 declared=D4 leader={leader} trick={trick}"
    derived = of_kind(Round, parse_position(text)).derived
    assert derived is not None
    assert derived["direction"] == "ascending"
    assert derived.get("next_direction") == found


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
    assert isinstance(position, Round)
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
    again = of_kind(Round, parse_position(without))
    assert again.state == position.state


def test_a_revoke_in_a_random_round_is_found() -> None:
    """A card swapped between one's hand and an earlier non-following play of one's own shows it."""
    rng = random.Random(24)
    found = 0
    for number in range(60):
        position: BaseModel = deal(8, number=number)
        for _ in range(rng.randrange(4, 24)):
            position = play(position, rng.choice(legal_moves(position)))
        assert isinstance(position, Round)
        for seat in range(4):
            seen = of_kind(Round, view(position, seat))
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


ROUNDS = [
    # seat 0 has the D but D1 for eight points, seat 1 all S, …
    {"declared": ["D1", "S1", "B1", "G1"], "won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][1:]]},
    # seats 0 and 1 both collect D; seat 2 has taken everything
    {
        "declared": ["D1", "D2", "S1", "G1"],
        "won": [[], [], [*NINES[0][2:], *NINES[1][1:], *NINES[2], *NINES[3][1:]], []],
    },
    # two tricks of four kirin: their cards are nobody's
    {
        "declared": ["D1", "S1", "B1", "G1"],
        "won": [
            ["D2", "D3", "D4", "D5", "D6", "DT", "S2", "S3"],
            ["S4", "S5", "S6", "ST"],
            ["B2", "B3", "B4", "B5"],
            ["B6", "BT", "G2", "G3", "G4", "G5", "G6", "GT"],
        ],
    },
]


def score(*rounds: dict[str, Any], **keys: Any) -> KirinScore:
    return of_kind(KirinScore, GAME.score(parse_record({"game": "kirin", "rounds": list(rounds)} | keys)))


def test_rounds_and_a_match() -> None:
    match = score(*ROUNDS)
    assert match.rounds == ((8, 8, 8, 8), (0, 0, 8, 0), (6, 4, 4, 6))
    assert match.totals == (14, 12, 20, 14)
    assert match.winners == (2,)
    assert match.finished


def test_no_winner_before_the_third_round() -> None:
    part = score(ROUNDS[2], ROUNDS[1])
    assert part.totals == (6, 4, 12, 6)
    assert part.winners is None
    assert not part.finished


def test_ties_share() -> None:
    assert score(ROUNDS[2], ROUNDS[2], ROUNDS[0]).winners == (0, 3)
    assert score(ROUNDS[0], ROUNDS[0], ROUNDS[0]).winners == (0, 1, 2, 3)


def test_the_declared_card_counts_by_option() -> None:
    match = score(*ROUNDS, declared_counts=True)
    assert match.rounds == ((9, 9, 9, 9), (1, 1, 9, 1), (7, 5, 5, 7))
    assert match.totals == (17, 15, 23, 17)
    assert match.winners == (2,)


@pytest.mark.parametrize("seed", data.PLAYTHROUGHS)
def test_playthroughs_are_as_recorded(seed: int) -> None:
    recorded = (data.FOLDER / f"playthrough-{seed}.txt").read_text(encoding="utf-8")
    assert data.playthrough(seed) == recorded


def test_move_counts_are_as_recorded() -> None:
    assert data.counts_text() == (data.FOLDER / "counts.json").read_text(encoding="utf-8")


def test_the_reference_counts_the_same_moves() -> None:
    rows = json.loads((data.FOLDER / "counts.json").read_text(encoding="utf-8"))
    assert len(rows) == 7
    for row in rows:
        hands, trick = ([" ".join(hand) for hand in row["position"]["hands"]], row["position"].get("trick", []))
        slow = ref.state(hands, row["position"]["leader"], row["position"]["direction"], " ".join(trick))
        found = count_tables.counts(slow, ref.over, lambda now: [ref.play(now, card) for card in ref.legal(now)])
        assert found == row["lines"]


JUNK: list[Any] = [
    *(None, 0, 3, 4, -1, 2.5, True, "", "D6", "X9", "S+", [], ["D6"], [[]], {}, {"leader": 0}, "ascending"),
    *(colour + rank for colour in COLOURS for rank in RANKS),
]


def test_mangled_positions_are_read_or_refused() -> None:
    rng = random.Random(31)
    position: Any = GAME.deal(2)
    for _ in range(14):
        position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
    starts = [ENDING, BEFORE, SEEN, BEFORE_SEEN, position_data(position), position_data(GAME.view(position, 1))]
    assert set(check_positions(GAME, starts, rng, JUNK, 1500)) == {
        "illegal_card", "duplicate_card", "wrong_size", "unknown_key", "missing_key", "wrong_type", "out_of_range",
        "unknown_value", "conflict", "illegal_play",
    }  # fmt: skip


DEALT = ["D3", "DT", "S2", "S3", "S6", "B3", "B+", "G-", "G1"]


@pytest.mark.parametrize(("key", "value"), [("voids", {"2": ["B"]}), ("gone", ["D1"])])
def test_what_is_remembered_is_never_ignored(key: str, value: Any) -> None:
    """Beside a hand that is too large, that is told; the cards dealt say no number of tricks to remember."""
    view = {"game": "kirin", "seat": 0, "declared": "G1", "leader": 0, "trick": [], "history": [], key: value}
    with pytest.raises(PositionError) as too_large:
        parse_position({**view, "hand": [*DEALT[:-1], "S4"]})
    assert (too_large.value.code, too_large.value.path) == ("wrong_size", "hand")
    with pytest.raises(PositionError) as other:
        parse_position({**view, "dealt": DEALT})
    assert (other.value.code, other.value.path) == ("unknown_key", key)
