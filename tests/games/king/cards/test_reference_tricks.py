"""Tricks of the King × Alchemy reference by the rules: what may be played, who wins, what is taken and given."""

from __future__ import annotations

import pytest

from tests.games.king.cards.reference_states import codes, judged, moves, play, state, takings
from tests.reference import king as ref
from tests.reference.king_deck import HOUSE, index

# ----------------------------------------------------------------------------------- playing a card


def test_the_leader_may_play_anything_and_names_a_dancer() -> None:
    now = state(["D A1 T1 F3", "F1 F2 F4 F5", "W1 W2 W3 W4"])
    assert moves(now) == ["F3", "A1", "T1", "D:F", "D:W", "D:E", "D:A"]


def test_followers_play_the_lead_suit_a_trump_or_the_dancer_named_so() -> None:
    now = state(["W1", "D T5 T1 F9 F3 A1", "E1"], trick="F7")
    assert moves(now) == ["F3", "F9", "T1", "T5", "D:F"]


def test_without_the_lead_suit_anything_goes() -> None:
    now = state(["W1", "D T5 W9 A1", "E1"], trick="F7")
    assert moves(now) == ["W9", "A1", "T5", "D:F", "D:W", "D:E", "D:A"]


def test_holding_the_dancer_is_not_holding_the_suit() -> None:
    assert moves(state(["W1", "D A1", "E1"], trick="F7"))[:1] == ["A1"]
    # nor are trumps a suit that must be followed with
    assert moves(state(["W1", "T2 A1", "E1"], trick="F7")) == ["A1", "T2"]


def test_a_led_dancer_has_the_suit_it_was_named() -> None:
    assert moves(state(["W1", "F3 E1 T2", "E1"], trick="D:E")) == ["E1", "T2"]
    assert moves(state(["W1", "F3 W4 T2", "E1"], trick="D:E")) == ["F3", "W4", "T2"]


def test_to_a_led_trump_anything_goes() -> None:
    now = state(["W1", "D T5 W9", "E1"], trick="T2")
    assert moves(now) == ["W9", "T5", "D:F", "D:W", "D:E", "D:A"]


# -------------------------------------------------------------------------------------- who wins


def test_the_highest_of_the_lead_suit_wins() -> None:
    assert judged("F3 F9 F5") == ("F9", "F3")
    assert judged("F3 W11 E11") == ("F3", None)  # nobody followed: no bottom


def test_the_highest_trump_wins() -> None:
    assert judged("F3 T1 F9 T4") == ("T4", "F3")
    assert judged("T2 F9 T4 W1") == ("T4", "T2")


def test_the_dancer_counts_as_the_suit_it_was_named() -> None:
    assert judged("F3 D:F F5") == ("D:F", "F3")
    assert judged("F3 D:W F5") == ("F5", "F3")  # another suit always loses
    assert judged("F9 D:F F8") == ("F9", "D:F")
    assert judged("D:E E5 E3") == ("D:E", "E3")
    assert judged("D:E W11 A11") == ("D:E", None)


def test_any_trump_lifts_the_dancer() -> None:
    assert judged("F9 T5 D:F") == ("D:F", "F9")
    assert judged("F9 T1 D:W") == ("D:W", "F9")  # whatever it was named
    assert judged("T5 D:W F1") == ("D:W", "T5")


def test_a_trump_after_the_dancer_lifts_it_too() -> None:
    assert judged("F9 D:F T1") == ("D:F", "F9")
    assert judged("D:F F9 T1") == ("D:F", "F9")


def test_on_equal_numbers_the_printed_card_is_above_the_dancer() -> None:
    assert judged("F6 D:F F1") == ("F6", "F1")
    assert judged("D:F F6 W1") == ("F6", "D:F")
    assert judged("F6 D:F F9") == ("F9", "D:F")  # and the Dancer is the lower


# ---------------------------------------------------------------------------------------- the bottom


def test_a_lifted_dancer_is_no_card_of_the_lead_suit() -> None:
    # led as Fire, lifted by T1: of Fire F9 alone is left, and it is the bottom
    assert judged("D:F T1 F9 F11") == ("D:F", "F9")
    assert judged("D:F T1 W9 A11") == ("D:F", None)  # no other card of Fire


def test_a_trump_wins_and_nobody_followed_then_the_leader_is_the_bottom() -> None:
    assert judged("F9 T1 W2") == ("T1", "F9")
    assert judged("F9 T1 D:W") == ("D:W", "F9")  # likewise when the Dancer wins by it


def test_with_a_trump_led_the_trumps_are_the_suit() -> None:
    assert judged("T1 F9 W2") == ("T1", None)
    assert judged("T4 T2 T3") == ("T4", "T2")
    assert judged("T3 D:F T2") == ("D:F", "T2")
    assert judged("T3 D:F W2") == ("D:F", "T3")


def test_trumps_on_a_suit_are_not_its_cards() -> None:
    assert judged("F3 T1 T2") == ("T2", "F3")


def test_the_bottom_is_the_lowest_also_among_higher_losers() -> None:
    assert judged("F5 F9 F3 W1 T1") == ("T1", "F3")


# ------------------------------------------------------------------------------- taking and giving


def test_two_cards_of_lower_number_of_any_suit_then_one_given() -> None:
    # F9 won; F3 is the bottom's. All of F3, W2, E5 are lower
    assert takings("F9 F3 W2 E5") == [
        "take F3 W2 give E5",
        "take F3 E5 give W2",
        "take W2 E5 give F3",
    ]


def test_trumps_and_dancers_are_taken_by_their_numbers() -> None:
    # D is 6, T4 is 4; the Dancer wins and takes what is below 6
    assert takings("F9 T4 D:W") == ["take T4 give F9"]
    assert takings("F7 D:F W9 E10") == ["take D give W9", "take D give E10"]
    assert takings("F5 D:F T3 F4") == [
        "take F4 F5 give T3",
        "take F4 T3 give F5",
        "take F5 T3 give F4",
    ]


def test_equal_numbers_are_not_lower() -> None:
    assert takings("F3 E3 W3") == ["take -"]  # nobody followed: nobody to give to
    assert takings("F6 D:F W6") == ["take - give W6", "take - give D"]


def test_a_trump_may_have_nothing_to_take_and_still_gives() -> None:
    assert takings("F9 T1 W2") == ["take - give F9", "take - give W2"]


def test_neither_is_declined() -> None:
    assert takings("F9 F3 W2") == ["take F3 W2"]  # both must be taken, and nothing is left to give
    assert takings("F9 F3 W10") == ["take F3 give W10"]
    assert takings("F9 W3 E2 A1") == ["take W3 E2", "take W3 A1", "take E2 A1"]  # no bottom


def test_five_players_leave_choices() -> None:
    found = takings("F9 F3 W2 E5 A10")
    assert found[:2] == ["take F3 W2 give E5", "take F3 W2 give A10"]
    assert len(found) == 3 * 2


def test_the_winner_keeps_its_card_gives_to_the_bottom_and_leads() -> None:
    now = state(["E1", "E2", "E3", "E4"], leader=2, trick="F3 W2 F9 A10")
    assert ref.to_move(HOUSE, now) == 0  # the third card, from seat 2 on
    after = play(now, "take F3 W2 give A10")
    assert [codes(pile) for pile in after.won] == ["F3 F9 W2", "", "A10", ""]
    assert (after.leader, after.trick) == (0, ())
    assert moves(after) == ["E1"]


def test_what_is_left_is_discarded() -> None:
    after = play(state([""] * 5, trick="F9 F3 W10 E10 A10"), "take F3 give E10")
    assert [codes(pile) for pile in after.won] == ["F3 F9", "E10", "", "", ""]
    assert ref.over(after)


def test_a_dancer_won_is_a_card_like_any_other() -> None:
    after = play(state([""] * 3, trick="F7 D:F F9"), "take F7 D")
    assert codes(after.won[2]) == "F7 F9 D"


def test_a_move_that_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="W1 is not legal"):
        ref.play(HOUSE, state(["", "F1 W1", "E1"], trick="F7"), ref.Played(index(HOUSE, "W1")))
