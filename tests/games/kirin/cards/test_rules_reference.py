"""The slow reference for kirin against values worked by hand, and the rules proper against the reference."""

from __future__ import annotations

import random

import pytest

from solver.common import mask
from solver.games.kirin import rules
from solver.games.kirin.deck import DIRECTIONS
from solver.games.kirin.rules import Order, State
from tests.reference import kirin as ref


def fast(slow: ref.State) -> State:
    """The reference's state as the rules' own."""
    hands, won = tuple(map(mask, slow.hands)), tuple(map(mask, slow.won))
    return State(Order(DIRECTIONS.index(slow.direction), slow.only_kirin), hands, slow.leader, slow.trick, won)


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
        assert moves == ref.legal(slow)
        assert quick.to_move == ref.to_move(slow)
        for move in moves:
            assert quick.after(move) == fast(ref.play(slow, move))
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
            slow, quick = ref.play(slow, move), quick.after(move)
            plays += 1
            assert quick == fast(slow)
        assert quick.over
        assert plays >= 32 - 3
        discarded += 32 - sum(pile.bit_count() for pile in quick.won)
        for declared in ("DSBG", "GGSD"):
            colours = ["DSBG".index(letter) for letter in declared]
            assert rules.points(quick.won, colours) == ref.scores(slow, declared)
    assert discarded > 0  # tricks of four kirin were met


# ------------------------------------------------------------------------------------ values, by hand


def test_a_last_trick_has_no_choice() -> None:
    # seat 0 leads D6 and takes D6 D1 S1 G2: two of its colour, and two that others wanted
    now = ref.state(["D6", "D1", "S1", "G2"])
    assert ref.values(now, "DDSG", "paranoid") == {ref.number("D6"): 2}
    assert ref.values(now, "DDSG", "ally", 3) == {ref.number("D6"): 0}
    assert ref.value(now, "DDSG", "maxn") == (2, 0, 0, 0)


def test_won_is_added_and_may_be_incomplete() -> None:
    now = ref.state(["D6", "D1", "S1", "G2"], won=["DT D2", "", "S6 S5 D3", ""])
    assert ref.value(now, "DDSG", "maxn") == (4, 0, 2, 0)
    assert ref.value(now, "DDSG", "ally", 2) == 2


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


def test_taking_the_trick_can_be_wrong() -> None:
    # Ascending, seat 0 collects D and leads with DT and B1 in hand. Seats 1 to 3 hold D6 S1, D5 S2, G1 G2.
    # DT first: nothing qualifies to D, so the others may keep their Ds: DT S1 S2 G1 is one point. B1 is led next;
    # D6 and D5 must follow, and D6 takes all.
    # B1 first: D6 must follow (S1 is of a stronger colour, but its rank is equal); seat 2 has D5 or S2. D6 wins,
    # S1 is led, and seat 0 has only DT: it takes D5 with it if seat 2 kept that. Against seat 0, seat 2 plays D5
    # at once: one point. With help: two.
    now = ref.state(["DT B1", "D6 S1", "D5 S2", "G1 G2"])
    dt, b1 = ref.number("DT"), ref.number("B1")
    assert ref.values(now, "DSBG", "paranoid") == {dt: 1, b1: 1}
    # with help: DT takes D6 and D5 at once (they may play them): 3 points; B1 gives D6 away
    assert ref.values(now, "DSBG", "ally") == {dt: 3, b1: 2}


def test_maxn_breaks_ties_by_the_total_of_the_others() -> None:
    # D1 is led, S2 and B3 followed; nothing qualifies to a D. Seat 3 collects G and will get nothing.
    # D2: B3 wins, a point for seat 2; D5 is led next, and S6 takes it with D3 and D4: nothing for anybody.
    # S6: seat 3 takes D1 S2 B3; D2 is led next, D5 takes it: nothing for anybody. So S6, though D2 comes first.
    now = ref.state(["D3", "D4", "D5", "D2 S6"], trick="D1 S2 B3")
    d2, s6 = ref.number("D2"), ref.number("S6")
    assert ref.values(now, "SSBG", "maxn") == {d2: (0, 0, 1, 0), s6: (0, 0, 0, 0)}
    assert ref.value(now, "SSBG", "maxn") == (0, 0, 0, 0)
    assert ref.optimal(now, "SSBG", "maxn") == [s6]


def test_maxn_ties_with_a_round_to_its_end() -> None:
    now = ref.state(["D1 D2", "S6 S5", "B1 B2", "B3 B4"])
    values = ref.values(now, "GSBD", "maxn")
    # the S cards win both tricks; seat 1 collects S: 2 points whatever is led, so the lead ties on everything
    assert values == {0: (0, 2, 0, 0), 1: (0, 2, 0, 0)}
    assert ref.optimal(now, "GSBD", "maxn") == [0, 1]


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
    for _ in range(40):
        now = random_state(rng, rng.randint(1, 3))
        declared = [rng.choice("DSBG") for _ in range(4)]
        everybody = ref.value(now, declared, "maxn")
        assert isinstance(everybody, tuple)
        for seat in range(4):
            low, high = (ref.value(now, declared, model, seat) for model in ("paranoid", "ally"))
            assert isinstance(low, int)
            assert isinstance(high, int)
            assert low <= everybody[seat] <= high
