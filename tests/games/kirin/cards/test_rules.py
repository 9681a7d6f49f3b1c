"""Kirin's rules, case by case, worked by hand from the rulebook: the rules proper and the reference alike."""

from __future__ import annotations

import pytest

from solver.common import mask, members
from solver.games.kirin import rules
from solver.games.kirin.deck import ASCENDING, CARDS, DESCENDING, card_of, name, names
from solver.games.kirin.rules import NOTHING, Order, State
from tests.reference import kirin as ref

UP, DOWN = "ascending", "descending"
DECK_TEXT = (
    "D1 D2 D3 D4 D5 D6 DT D+ D- S1 S2 S3 S4 S5 S6 ST S+ S- B1 B2 B3 B4 B5 B6 BT B+ B- G1 G2 G3 G4 G5 G6 GT G+ G-"
)
DECK = DECK_TEXT.split()


def cards(text: str) -> list[int]:
    found = [card_of(word) for word in text.split()]
    assert None not in found
    return [card for card in found if card is not None]


def direction_of(word: str) -> int:
    return {UP: ASCENDING, DOWN: DESCENDING}[word]


def test_the_deck() -> None:
    assert names(range(CARDS)) == DECK == ref.DECK
    assert [card_of(text) for text in DECK] == list(range(36))
    assert [card_of(text) for text in ("D7", "d6", "D", "", "D10", "X", "6D", " D6")] == [None] * 8
    assert names(members(mask([35, 0, 8]))) == ["D1", "D-", "G-"]


# What must be played to a standard, from a hand of all the other cards.
QUALIFYING = [
    # stronger colour and higher rank, and kirin of stronger colours
    ("S3", UP, "D4 D5 D6 DT D+ D-"),
    ("S3", DOWN, "B1 B2 BT B+ B- G1 G2 GT G+ G-"),
    ("B5", UP, "D6 DT D+ D- S6 ST S+ S-"),
    # the lowest rank: everything of a stronger colour but that rank
    ("G1", UP, "D2 D3 D4 D5 D6 DT D+ D- S2 S3 S4 S5 S6 ST S+ S- B2 B3 B4 B5 B6 BT B+ B-"),
    ("D6", DOWN, "S1 S2 S3 S4 S5 ST S+ S- B1 B2 B3 B4 B5 BT B+ B- G1 G2 G3 G4 G5 GT G+ G-"),
    # the highest number: only the trumps, and kirin
    ("S6", UP, "DT D+ D-"),
    ("B1", DOWN, "GT G+ G-"),
    # a trump: only kirin
    ("BT", UP, "D+ D- S+ S-"),
    ("ST", DOWN, "B+ B- G+ G-"),
    # a kirin (ruling): every card of a stronger colour, whichever kirin it is
    ("S+", UP, "D1 D2 D3 D4 D5 D6 DT D+ D-"),
    ("S-", UP, "D1 D2 D3 D4 D5 D6 DT D+ D-"),
    ("B-", DOWN, "G1 G2 G3 G4 G5 G6 GT G+ G-"),
    # the strongest colour: nothing
    ("D1", UP, ""),
    ("DT", UP, ""),
    ("D+", UP, ""),
    ("G6", DOWN, ""),
    ("G-", DOWN, ""),
]


@pytest.mark.parametrize(("standard", "direction", "expected"), QUALIFYING)
def test_qualifying_cards(standard: str, direction: str, expected: str) -> None:
    everything = (1 << CARDS) - 1
    [lead] = cards(standard)
    assert names(members(rules.qualifying(everything, lead, direction_of(direction)))) == expected.split()
    assert [card for card in DECK if ref.qualifies(ref.number(card), lead, direction)] == expected.split()


# A follower's hand, and what of it may be played.
FOLLOWING = [
    ("S3", UP, "D3 D4 S6 B1", "D4"),  # an equal rank does not qualify, nor does the standard's own colour
    ("S3", UP, "D3 S6 BT G+", "D3 S6 BT G+"),  # none qualifies: anything, kirin of weak colours too
    ("S3", UP, "D6 D+ S1", "D6 D+"),  # free choice among those that qualify
    ("ST", UP, "DT D6 D- B1", "D-"),  # to a trump only kirin; a trump of a stronger colour does not qualify
    ("ST", UP, "DT D6 B+", "D6 DT B+"),
    ("ST", DOWN, "DT D6 B+", "B+"),
    ("S+", UP, "D1 S6 G5", "D1"),
    ("D+", UP, "D- D6 ST", "D6 D- ST"),
]


@pytest.mark.parametrize(("standard", "direction", "hand", "expected"), FOLLOWING)
def test_followers(standard: str, direction: str, hand: str, expected: str) -> None:
    state = State(Order(direction_of(direction)), (0, mask(cards(hand)), 0, 0), 0, tuple(cards(standard)), NOTHING)
    assert names(state.moves()) == expected.split()
    slow = ref.state(["", hand, "", ""], 0, direction, standard)
    assert [name(card) for card in ref.legal(slow)] == expected.split()


def test_only_the_standard_binds_not_the_cards_after_it() -> None:
    # D4 beats S3 already; D5 must follow S3 all the same, and would not have to follow D4
    state = State(Order(), (0, 0, mask(cards("D5 G1")), 0), 0, tuple(cards("S3 D4")), NOTHING)
    assert names(state.moves()) == ["D5"]


def test_the_leader_plays_anything() -> None:
    state = State(Order(), (mask(cards("G1 D+ DT")), 0, 0, 0), 0, (), NOTHING)
    assert names(state.moves()) == ["DT", "D+", "G1"]


# Trick, direction, the place of the winning card (None: nobody), the direction after it.
TRICKS = [
    # rank first, whatever the colour; a card that did not qualify can win
    ("D5 S4 B1 G6", UP, 3, UP),
    ("D5 S4 B1 G6", DOWN, 2, DOWN),
    # equal ranks: the stronger colour
    ("S3 D3 B3 G3", UP, 1, UP),
    ("S3 D3 B3 G3", DOWN, 3, DOWN),
    ("B2 G6 D1 S6", UP, 3, UP),
    # a trump is the highest either way, and trumps tie like any rank
    ("S6 B1 G5 DT", UP, 3, UP),
    ("S6 B1 G5 DT", DOWN, 3, DOWN),
    ("GT BT ST D6", UP, 2, UP),
    ("GT BT ST D6", DOWN, 0, DOWN),
    ("DT ST BT GT", UP, 0, UP),
    ("DT ST BT GT", DOWN, 3, DOWN),
    # a kirin loses to every ranked card (ruling): the weakest wins beside three kirin
    ("D+ G1 S- B+", UP, 1, UP),
    ("G- D6 S+ B+", DOWN, 1, DOWN),
    # one kirin: its direction, changed or not
    ("S3 S+ B1 G2", UP, 0, UP),
    ("S3 S- B1 G2", UP, 0, DOWN),
    ("S3 S+ B1 G2", DOWN, 2, UP),
    # several: the strongest colour's, by the direction of the trick
    ("S3 S- D+ G2", UP, 0, UP),
    ("S3 S- D+ G2", DOWN, 3, DOWN),
    ("G5 B- D- G+", UP, 0, DOWN),
    # both of the strongest colour cancel, whatever else was played
    ("D+ S1 D- B2", UP, 3, UP),
    ("D+ S- D- B2", UP, 3, UP),
    ("D+ G- D- G+", DOWN, None, DOWN),
    # both of a weaker colour do not matter
    ("S+ D- S- B2", UP, 3, DOWN),
    # four kirin: nobody wins, and the direction turns as ever
    ("S+ D- B+ G+", UP, None, DOWN),
    ("S+ D- B+ G+", DOWN, None, UP),
    ("D+ S- B- G-", UP, None, UP),
    ("S+ S- B+ B-", UP, None, UP),
    ("S+ S- B+ B-", DOWN, None, DOWN),
    ("S+ S- D- B-", UP, None, DOWN),
]


@pytest.mark.parametrize(("trick", "direction", "place", "after"), TRICKS)
@pytest.mark.parametrize("leader", [0, 3])
def test_tricks(trick: str, direction: str, place: int | None, after: str, leader: int) -> None:
    played = cards(trick)
    assert rules.winner(played, direction_of(direction)) == place
    assert rules.direction_after(played, direction_of(direction)) == direction_of(after)
    seat = None if place is None else (leader + place) % 4
    assert ref.winner(played, leader, direction) == seat
    assert ref.next_direction(played, direction) == after


def test_the_winner_takes_all_four_and_leads() -> None:
    hands = ["", "", "B2", "D1"]  # seat 3 led S4, seat 0 played G6, seat 1 D5
    state = State(Order(), (0, 0, mask(cards("B2 S1")), mask(cards("D1"))), 3, tuple(cards("S4 G6 D5")), NOTHING)
    after = state.after(cards("B2")[0])
    assert (after.leader, after.rules.direction, after.trick) == (0, ASCENDING, ())
    assert [names(members(pile)) for pile in after.won] == [["D5", "S4", "B2", "G6"], [], [], []]
    assert names(members(after.hands[2])) == ["S1"]
    slow = ref.play(ref.state([*hands[:2], "B2 S1", "D1"], 3, UP, "S4 G6 D5"), ref.number("B2"))
    assert (slow.leader, slow.won[0]) == (0, frozenset(cards("S4 G6 D5 B2")))


def test_four_kirin_are_discarded_and_the_same_seat_leads_again() -> None:
    hands = mask(cards("S1")), mask(cards("S2")), mask(cards("B- S3")), mask(cards("S4"))
    state = State(Order(), hands, 3, tuple(cards("G- G+ B+")), NOTHING)
    after = state.after(cards("B-")[0])
    assert (after.leader, after.to_move, after.rules.direction) == (3, 3, ASCENDING)  # B+ and B- cancel
    assert after.won == (0, 0, 0, 0)
    slow = ref.play(ref.state(["S1", "S2", "B- S3", "S4"], 3, UP, "G- G+ B+"), ref.number("B-"))
    assert (slow.leader, slow.direction, slow.won) == (3, UP, (frozenset(),) * 4)


def test_points_count_kirin_and_no_other_colour() -> None:
    piles = [mask(cards(text)) for text in ("D1 D+ D- S1", "S1 ST S6", "", "G2 B2 D2 S2")]
    assert rules.points(piles, [0, 0, 1, 3]) == (3, 0, 0, 1)
    assert rules.points(piles, [1, 1, 1, 0]) == (1, 3, 0, 1)


def test_no_move_once_the_hands_are_empty() -> None:
    assert State(Order(), NOTHING, 2, (), NOTHING).over
    assert State(Order(), NOTHING, 2, (), NOTHING).moves() == []
