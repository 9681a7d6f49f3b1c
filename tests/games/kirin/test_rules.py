"""Kirin's rules and their slow reference: cases worked by hand from the rulebook, and the two compared."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from solver.common import mask
from solver.games.kirin import rules
from solver.games.kirin.deck import ASCENDING, CARDS, DESCENDING, DIRECTIONS, NUMBERS, TEXTS, members, name, names
from solver.games.kirin.fast_rules import deal_words, in_play, node_words, play
from solver.games.kirin.rules import NOTHING, Order, State
from solver.search.trick_rules import NEED
from tests.reference import kirin as ref
from tests.support.kinds import of_kind

UP, DOWN = "ascending", "descending"
DECK_TEXT = (
    "D1 D2 D3 D4 D5 D6 DT D+ D- S1 S2 S3 S4 S5 S6 ST S+ S- B1 B2 B3 B4 B5 B6 BT B+ B- G1 G2 G3 G4 G5 G6 GT G+ G-"
)
DECK = DECK_TEXT.split()


def cards(text: str) -> list[int]:
    return [NUMBERS[word] for word in text.split()]


def direction_of(word: str) -> int:
    return {UP: ASCENDING, DOWN: DESCENDING}[word]


def test_the_deck() -> None:
    assert [*TEXTS] == DECK == ref.DECK
    assert names(NUMBERS[text] for text in DECK) == DECK
    assert sorted(NUMBERS.values()) == list(range(CARDS))
    assert not NUMBERS.keys() & {"D7", "d6", "D", "", "D10", "X", "6D", " D6"}
    assert names(members(mask(cards("G- D1 D-")))) == ["D1", "D-", "G-"]


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
    [lead] = cards(standard)
    assert names(members(rules.qualifying(lead, direction_of(direction)))) == expected.split()
    led = ref.number(standard)
    assert [card for card in DECK if ref.qualifies(ref.number(card), led, direction)] == expected.split()


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
    assert list(map(ref.name, ref.legal(slow))) == expected.split()


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
    assert rules.Order(direction_of(direction)).winner(played) == place
    assert rules.direction_after(mask(played), direction_of(direction)) == direction_of(after)
    seat = None if place is None else (leader + place) % 4
    slow = list(map(ref.number, trick.split()))
    assert ref.winner(slow, leader, direction) == seat
    assert ref.next_direction(slow, direction) == after


def test_the_winner_takes_all_four_and_leads() -> None:
    hands = ["", "", "B2", "D1"]  # seat 3 led S4, seat 0 played G6, seat 1 D5
    state = State(Order(), (0, 0, mask(cards("B2 S1")), mask(cards("D1"))), 3, tuple(cards("S4 G6 D5")), NOTHING)
    after = state.after(cards("B2")[0])
    assert (after.leader, after.rules.direction, after.trick) == (0, ASCENDING, ())
    assert [names(members(pile)) for pile in after.won] == [["D5", "S4", "B2", "G6"], [], [], []]
    assert names(members(after.hands[2])) == ["S1"]
    slow = ref.play(ref.state([*hands[:2], "B2 S1", "D1"], 3, UP, "S4 G6 D5"), ref.number("B2"))
    assert (slow.leader, slow.won[0]) == (0, frozenset(map(ref.number, ("S4", "G6", "D5", "B2"))))


def test_four_kirin_are_discarded_and_the_same_seat_leads_again() -> None:
    hands = mask(cards("S1")), mask(cards("S2")), mask(cards("B- S3")), mask(cards("S4"))
    state = State(Order(), hands, 3, tuple(cards("G- G+ B+")), NOTHING)
    after = state.after(cards("B-")[0])
    assert (after.leader, after.to_move, after.rules.direction) == (3, 3, ASCENDING)  # B+ and B- cancel
    assert after.won == (0, 0, 0, 0)
    slow = ref.play(ref.state(["S1", "S2", "B- S3", "S4"], 3, UP, "G- G+ B+"), ref.number("B-"))
    assert (slow.leader, slow.direction, slow.won) == (3, UP, (frozenset(),) * 4)


def test_points_count_kirin_and_no_other_colour() -> None:
    piles = tuple(mask(cards(text)) for text in ("D1 D+ D- S1", "S1 ST S6", "", "G2 B2 D2 S2"))
    end = State(Order(), NOTHING, 0, (), piles)
    assert rules.points(end, [0, 0, 1, 3]) == (3, 0, 0, 1)
    assert rules.points(end, [1, 1, 1, 0]) == (1, 3, 0, 1)
    assert rules.points(end, [1, 1, 1, 0], counted=True) == (2, 4, 1, 2)
    counted = replace(end, rules=Order(declared_counts=True))
    assert rules.points(counted, [1, 1, 1, 0]) == rules.points(counted, [1, 1, 1, 0], counted=True) == (2, 4, 1, 2)


def test_no_move_once_the_hands_are_empty() -> None:
    assert State(Order(), NOTHING, 2, (), NOTHING).over
    assert State(Order(), NOTHING, 2, (), NOTHING).moves() == []


def fast(slow: ref.State) -> State:
    """The reference's state as the rules' own."""

    def ours(cards: Iterable[int]) -> tuple[int, ...]:
        return tuple(NUMBERS[ref.name(card)] for card in cards)

    hands, won = ([mask(ours(cards)) for cards in piles] for piles in (slow.hands, slow.won))
    order = Order(DIRECTIONS.index(slow.direction), slow.only_kirin)
    return State(order, tuple(hands), slow.leader, ours(slow.trick), tuple(won))


def random_state(rng: random.Random, size: int) -> ref.State:
    """Hands of `size` from the whole deck, kirin at times preferred; up to three cards on the table."""
    deck = list(range(36))
    if rng.random() < 0.3:
        deck.sort(key=lambda card: rng.random() + (card % 9 >= 7) * rng.random())
        deck.reverse()
    else:
        rng.shuffle(deck)
    dealt = deck[: 4 * size]
    rng.shuffle(dealt)
    hands = tuple(frozenset(dealt[seat * size : (seat + 1) * size]) for seat in range(4))
    state = ref.State(hands, rng.randrange(4), rng.choice([ref.UP, ref.DOWN]), only_kirin=rng.random() < 0.3)
    for _ in range(rng.randrange(4)):
        state = ref.play(state, rng.choice(ref.legal(state)))
    return state


def test_rules_agree_with_the_reference_on_random_positions() -> None:
    rng = random.Random(20)
    lengths = set()
    for _ in range(3000):
        slow = random_state(rng, rng.randint(1, 8))
        quick = fast(slow)
        lengths.add((quick.to_move, len(quick.trick), quick.rules.direction))
        moves = quick.moves()
        assert names(moves) == list(map(ref.name, ref.legal(slow)))
        assert quick.to_move == ref.to_move(slow)
        for move in moves:
            assert quick.after(move) == fast(ref.play(slow, ref.number(name(move))))
    assert len(lengths) == 4 * 4 * 2  # every seat, trick length and direction was met


def test_rules_agree_with_the_reference_on_whole_rounds() -> None:
    rng = random.Random(21)
    discarded = 0
    for _ in range(150):
        slow = random_state(rng, 8)
        quick = fast(slow)
        plays = 0
        while not ref.over(slow):
            moves = ref.legal(slow)
            kirin = [card for card in moves if ref.is_kirin(card)]
            move = rng.choice(kirin if kirin and rng.random() < 0.5 else moves)
            slow, quick = ref.play(slow, move), quick.after(NUMBERS[ref.name(move)])
            plays += 1
            assert quick == fast(slow)
        assert quick.over
        assert plays >= 32 - 3
        discarded += 32 - sum(pile.bit_count() for pile in quick.won)
        for declared in ("DSBG", "GGSD"):
            colours = ["DSBG".index(letter) for letter in declared]
            assert rules.points(quick, colours) == ref.scores(slow, declared)
    assert discarded > 0  # tricks of four kirin were met


def test_what_the_tricks_bring_adds_up_to_the_score() -> None:
    """The kernels' points are those of the slow rules, trick by trick, and no more than was left to be won."""
    rng = random.Random(22)
    for _ in range(100):
        state = fast(random_state(rng, rng.randint(1, 8)))
        player, colour = rng.randrange(4), rng.randrange(4)
        deal = deal_words(state, player, colour, allies=False)
        node = node_words(state, deal)
        scores, left = [rules.score(state, player, colour)], [in_play(deal, node, 0)]
        assert left[0] == rules.at_most(state, colour)
        while not state.over:
            card = rng.choice(state.moves())
            state = state.after(card)
            play(deal, node.copy(), 0, node, 0, card)
            scores.append(rules.score(state, player, colour))
            left.append(in_play(deal, node, 0))
            assert scores[0] - int(node[NEED]) == scores[-1]
        assert all(score + more >= scores[-1] for score, more in zip(scores, left, strict=True))
        assert left[-1] == rules.at_most(state, colour) == 0


D6_LED, WON = ["D6", "D1", "S1", "G2"], ["DT D2", "", "S6 S5 D3", ""]
VALUES: list[tuple[ref.State, str, str, int | None, dict[str, Any]]] = [
    # Seat 0 leads D6 and takes D6 D1 S1 G2: two of its colour, and two that others wanted
    (ref.state(D6_LED), "DDSG", "paranoid", None, {"D6": 2}),
    (ref.state(D6_LED), "DDSG", "ally", 3, {"D6": 0}),
    (ref.state(D6_LED), "DDSG", "maxn", None, {"D6": (2, 0, 0, 0)}),
    # What was won is added, and may be incomplete
    (ref.state(D6_LED, won=WON), "DDSG", "maxn", None, {"D6": (4, 0, 2, 0)}),
    (ref.state(D6_LED, won=WON), "DDSG", "ally", 2, {"D6": 2}),
    # Ascending, seat 0 collects D and leads. DT first: nothing qualifies to D, so the others may keep their Ds:
    # DT S1 S2 G1 is one point. B1 is led next; D6 and D5 must follow, and D6 takes all.
    # B1 first: D6 must follow (S1 is of a stronger colour, but its rank is equal); seat 2 has D5 or S2. D6 wins,
    # S1 is led, and seat 0 has only DT: it takes D5 with it if seat 2 kept that. Against seat 0, seat 2 plays D5
    # at once: one point. With help: two; and DT takes D6 and D5 at once (they may play them), three.
    (ref.state(["DT B1", "D6 S1", "D5 S2", "G1 G2"]), "DSBG", "paranoid", None, {"DT": 1, "B1": 1}),
    (ref.state(["DT B1", "D6 S1", "D5 S2", "G1 G2"]), "DSBG", "ally", None, {"DT": 3, "B1": 2}),
    # `maxn` breaks ties by the total of the others. D1 is led, S2 and B3 followed; nothing qualifies to a D. Seat
    # 3 collects G and will get nothing. D2: B3 wins, a point for seat 2; D5 is led next, and S6 takes it with D3
    # and D4: nothing for anybody. S6: seat 3 takes D1 S2 B3; D2 is led next, D5 takes it: nothing. So S6, not D2.
    (ref.state(["D3", "D4", "D5", "D2 S6"], trick="D1 S2 B3"), "SSBG", "maxn", None,
     {"S6": (0, 0, 0, 0), "D2": (0, 0, 1, 0)}),
    # The S cards win both tricks; seat 1 collects S: 2 points whatever is led, so the lead ties on everything
    (ref.state(["D1 D2", "S6 S5", "B1 B2", "B3 B4"]), "GSBD", "maxn", None,
     {"D1": (0, 2, 0, 0), "D2": (0, 2, 0, 0)}),
]  # fmt: skip


@pytest.mark.parametrize(("now", "declared", "model", "player", "expected"), VALUES)
def test_values_by_hand(
    now: ref.State, declared: str, model: str, player: int | None, expected: dict[str, Any]
) -> None:
    """The moves that are expected best come first, and all of them where they tie."""
    values = ref.values(now, declared, model, player)
    assert {ref.name(card): value for card, value in values.items()} == expected
    best = next(iter(expected.values()))
    assert ref.value(now, declared, model, player) == best
    assert [ref.name(card) for card in ref.optimal(now, declared, model, player)] == [
        move for move, value in expected.items() if value == best
    ]


def test_a_finished_round_has_its_points() -> None:
    now = ref.state(["", "", "", ""], won=["D1 D2", "", "", "G1"])
    assert ref.value(now, "DDSG", "maxn") == (2, 0, 0, 1)
    assert ref.values(now, "DDSG", "paranoid") == {}


def test_four_kirin_leave_the_points_to_nobody() -> None:
    # asc: seat 0 leads G-; all follow with kirin (S+, S-: both must qualify); nobody wins, then seat 0 leads again
    now = ref.state(["G- D1", "S+ B1", "S- B2", "D+ G1"])
    after = ref.play(ref.play(ref.play(ref.play(now, 35), 16), 17), 7)
    assert after.leader == 0
    assert after.direction == ref.UP  # D+ is of the strongest colour
    assert ref.scores(after, "GSSD") == (0, 0, 0, 0)


def test_setting_aside_decides_the_colour() -> None:
    # hands of two for brevity: seat 0 holds D6 and S1, the others are left with one card each
    hands = [frozenset(map(ref.number, text.split())) for text in ("D6 S1", "S2", "S3", "D1")]
    aside = [None, ref.number("G1"), ref.number("G2"), ref.number("G3")]
    # D6 set aside: S1 is led to S2, S3, D1: S3 wins; seat 0, collecting D, gets 0.
    # S1 set aside: D6 wins S2 and S3: 2 points.
    found = ref.declare_values(hands, 0, 0, aside, "paranoid")
    assert found == {ref.number("D6"): 0, ref.number("S1"): 2}
    assert ref.declare_values(hands, 0, 0, aside, "maxn") == {
        ref.number("D6"): (0, 0, 0, 0),
        ref.number("S1"): (2, 0, 0, 0),
    }


def test_setting_aside_one_after_the_other() -> None:
    hands = [frozenset(map(ref.number, text.split())) for text in ("D6 S1", "S2 G5", "S3", "D1")]
    aside = [None, None, ref.number("G2"), ref.number("G3")]
    # S1 set aside: seat 1 keeps S2 (2 points for seat 0: S2, S3) or G5 (1 point: S3).
    # D6 set aside: S1 led; S3 wins, or G5 does: nothing for seat 0 either way.
    assert ref.declare_values(hands, 0, 0, aside, "paranoid") == {ref.number("D6"): 0, ref.number("S1"): 1}
    assert ref.declare_values(hands, 0, 0, aside, "ally") == {ref.number("D6"): 0, ref.number("S1"): 2}
    with pytest.raises(ValueError, match="maxn"):
        ref.declare_values(hands, 0, 0, aside, "maxn")


def test_paranoid_at_most_maxn_at_most_ally() -> None:
    """Provable: a `maxn` seat plays for its own score, so it never gets less than it can force."""
    rng = random.Random(22)
    for _ in range(15):
        now = random_state(rng, rng.randint(1, 3))
        declared = [rng.choice("DSBG") for _ in range(4)]
        everybody = of_kind(tuple, ref.value(now, declared, "maxn"))
        for seat in range(4):
            low, high = (ref.value(now, declared, model, seat) for model in ("paranoid", "ally"))
            assert isinstance(low, int)
            assert isinstance(high, int)
            assert low <= everybody[seat] <= high
