"""The King × Alchemy reference against positions worked out by hand from the rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.king.random_positions import data_of, random_deck, random_position
from tests.reference import king as ref
from tests.reference.king import State
from tests.reference.king_deck import HOUSE, Card, Deck, deck_of, index


def state(hands: list[str], leader: int = 0, trick: str = "", won: list[str] | None = None) -> State:
    """A house position; cards as text, separated by blanks."""
    position: dict[str, Any] = {"deck": "house", "leader": leader, "trick": trick.split()}
    position["hands"] = [hand.split() for hand in hands]
    if won is not None:
        position["won"] = [pile.split() for pile in won]
    return ref.load(position)[1]


def moves(now: State) -> list[str]:
    return [ref.text(HOUSE, move) for move in ref.legal(HOUSE, now)]


def play(now: State, *texts: str) -> State:
    for text in texts:
        now = ref.play(HOUSE, now, ref.legal(HOUSE, now)[moves(now).index(text)])
    return now


def values(now: State, model: str, player: int | None = None) -> dict[str, ref.Value]:
    return {ref.text(HOUSE, move): worth for move, worth in ref.values(HOUSE, now, model, player).items()}


def judged(trick: str) -> tuple[str, str | None]:
    """The card that wins, and the bottom's."""
    played = state([""] * len(trick.split()), trick=trick).trick
    low = ref.bottom(HOUSE, played)
    return ref.text(HOUSE, ref.winner(HOUSE, played)), low and ref.text(HOUSE, low)


def takings(trick: str) -> list[str]:
    return moves(state([""] * len(trick.split()), trick=trick))


def cards(text: str) -> frozenset[int]:
    return frozenset(index(HOUSE, code) for code in text.split())


def codes(pile: frozenset[int]) -> str:
    return " ".join(HOUSE[card].code for card in sorted(pile))


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


# ----------------------------------------------------------------------------------------- scores


def test_a_recipe_needs_all_its_ingredients_beside_it() -> None:
    assert ref.bonus(HOUSE, cards("F11 F10 W7")) == 7  # Electrum: Gold and Silver
    assert ref.bonus(HOUSE, cards("F11 F10")) == 0
    assert ref.bonus(HOUSE, cards("F10 W7")) == 0
    assert ref.scores(HOUSE, state([""] * 3, won=["F11 F10 W7", "E1", ""])) == (0 + 2 + 1 + 7, 3, 0)


def test_a_card_serves_once() -> None:
    # Electrum (7) and Amalgam (Quicksilver, Silver, Tin: 8) both want Silver: one of two, or both with E10
    pile = "F11 F10 E9 W2 W4 W7"
    assert ref.bonus(HOUSE, cards(pile)) == 8
    assert ref.bonus(HOUSE, cards(pile + " E10")) == 15


def test_a_carrier_is_a_carrier_or_an_ingredient() -> None:
    # T1, Gunpowder (9): Calcination, Saltpetre, Sulfur. F3, itself Calcination, makes Red Calx (5): Iron, Vitriol
    pile = "T1 F3 F4 F1 F5 W5"
    assert ref.bonus(HOUSE, cards(pile)) == 9
    assert ref.bonus(HOUSE, cards(pile + " E6")) == 14  # another Calcination serves Gunpowder


def test_two_smaller_works_can_beat_the_largest() -> None:
    # Quicksilver W2 serves Philosophical Mercury (E11: Antimony, Iron: 9) or Corrosive Sublimate (A3: Salt: 5);
    # W8, the Antimony, serves Flowers of Antimony (F9: Salt: 5) as well. With one Salt, 9 is best; two make 10.
    pile = "E11 A3 F9 W2 W8 F5 W1"
    assert ref.bonus(HOUSE, cards(pile)) == 9
    assert ref.bonus(HOUSE, cards(pile + " E4")) == 10


def test_a_recipe_may_need_one_thing_twice() -> None:
    deck = (
        Card("X", "F", 1, 0, None, 5, ("Salt", "Salt")),
        Card("Y", "F", 2, 0, "Salt"),
        Card("Z", "F", 3, 0, "Salt"),
    )
    assert ref.bonus(deck, frozenset({0, 1})) == 0
    assert ref.bonus(deck, frozenset({0, 1, 2})) == 5


def test_a_carrier_does_not_serve_itself() -> None:
    deck = (Card("X", "F", 1, 0, "Salt", 5, ("Salt",)), Card("Y", "F", 2, 0, "Salt", 3, ("Salt",)))
    assert ref.bonus(deck, frozenset({0})) == 0
    assert ref.bonus(deck, frozenset({0, 1})) == 5  # either may be made, not both


# ------------------------------------------------------------------------------------ values, by hand


def test_the_last_trick_without_a_choice() -> None:
    # W1 and E1 don't follow; F5 takes both, three points each, its own two
    now = state(["F5", "W1", "E1"])
    assert values(now, "paranoid") == {"F5": 8}
    assert values(now, "ally", 1) == {"F5": 0}
    assert ref.value(HOUSE, now, "maxn") == (8, 0, 0)


def test_what_was_won_counts_and_compounds() -> None:
    # seat 0 has Conjunction and Gold; F8 wins the trick and takes the Silver W7: 7 for Electrum
    now = state(["F8", "W7", "F7"], won=["F11 F10", "", "A1"])
    assert values(now, "maxn") == {"F8": (1 + 1 + 1 + 2 + 7, 0, 3)}


def test_taking_the_ingredient_beats_taking_points() -> None:
    # F9 has won and takes two of W2 (3 points), E1 (3), W7 (Silver: 1, and Electrum), and gives the third
    now = state([""] * 4, trick="F9 F1 W7 E1", won=["F11 F10", "", "", ""])
    assert values(now, "paranoid") == {
        "take F1 W7 give E1": 0 + 3 + 1 + 2 + 7,
        "take F1 E1 give W7": 0 + 3 + 3 + 2,
        "take W7 E1 give F1": 0 + 1 + 3 + 2 + 7,
    }


def test_what_is_given_can_matter_to_its_receiver() -> None:
    # seat 1, the bottom, has Conjunction and Gold: the Silver W7 given makes its Electrum, E10 too
    now = state([""] * 4, trick="F6 F2 W7 A7", won=["", "F11 F10", "", ""])
    assert values(now, "maxn") == {"take F2 give W7": (4, 10, 0, 0), "take F2 give A7": (4, 3, 0, 0)}
    assert ref.value(HOUSE, now, "maxn") == (4, 3, 0, 0)  # a tie for seat 0: the least for the others
    assert values(now, "paranoid", 1) == {"take F2 give W7": 10, "take F2 give A7": 3}
    assert ref.value(HOUSE, now, "paranoid", 1) == 3
    assert ref.value(HOUSE, now, "ally", 1) == 10
    assert [ref.text(HOUSE, move) for move in ref.optimal(HOUSE, now, "ally", 1)] == ["take F2 give W7"]


def test_maxn_takes_the_first_of_equal_moves() -> None:
    # E8 and A8 are 1 point each to the bottom, whichever is given
    now = state([""] * 4, trick="F7 F2 E8 A8")
    assert values(now, "maxn") == {"take F2 give E8": (4, 1, 0, 0), "take F2 give A8": (4, 1, 0, 0)}
    assert len(ref.optimal(HOUSE, now, "maxn")) == 2


def test_the_order_of_two_leads_matters() -> None:
    # F1 led: F2 must take it with W11 too high: F2 (3) + F1 (3); seat 0 is the bottom and is given A11, worth 0.
    # A11 then A10: nothing. F3 first: F3 beats F2 and takes it (1 + 3), then F1 is led alone: its own 3.
    now = state(["F1 F3", "F2 W11", "A10 A11"])
    # F1: seat 1 takes F1, gives A10 (2) or A11 (0): seat 2 is against seat 0 and plays A11.
    # Then W11 is led: F3 and A10 fall; seat 1 takes two lower ones.
    # F3: seat 1 plays F2, seat 2 a card above 3: F3 takes F2. F1 then keeps itself: 1 + 3 + 3.
    assert values(now, "paranoid") == {"F1": 0, "F3": 7}
    # with help F1 brings A10, 2 points, and no more; F3 still brings 7
    assert values(now, "ally") == {"F1": 2, "F3": 7}


def test_a_finished_round_has_its_score() -> None:
    now = state(["", "", ""], won=["F11 F10 W7", "E1", ""])
    assert ref.over(now)
    assert ref.legal(HOUSE, now) == []
    assert ref.value(HOUSE, now, "maxn") == (10, 3, 0)
    assert ref.value(HOUSE, now, "paranoid", 1) == 3


# --------------------------------------------------------------------------------------------- laws


def random_state(rng: random.Random, **wanted: Any) -> tuple[Deck, State]:
    deck = random_deck(rng) if rng.random() < 0.4 else None
    heavy = rng.choice((None, "dancer", "trump"))
    return ref.load(random_position(rng, deck=deck, heavy=heavy, **wanted))


def test_positions_round_trip() -> None:
    rng = random.Random(1)
    met = set()
    for _ in range(400):
        deck = random_deck(rng) if rng.random() < 0.3 else None
        position = random_position(rng, deck=deck)
        pack, now = ref.load(position)
        assert data_of(pack, now, deck, keep_won="won" in position) == position
        assert (deck is None) == (pack == HOUSE)
        met.add((len(now.hands), ref.to_move(pack, now), len(now.trick)))
    assert len(met) == 3 * 4 + 4 * 5 + 5 * 6  # every seat, with no card played to all


def test_random_decks_have_what_a_deck_has() -> None:
    rng = random.Random(2)
    for _ in range(50):
        deck = deck_of(random_deck(rng))
        assert len({card.code for card in deck}) == len(deck) == 50
        assert sum(len(card.suit) == 1 for card in deck) == 44
        assert len({(card.suit, card.number) for card in deck}) == 50
        provided = {card.provides for card in deck}
        assert all(need in provided for card in deck for need in card.needs)


def test_cards_are_played_once_and_piles_only_grow() -> None:
    rng = random.Random(3)
    for _ in range(300):
        deck, now = random_state(rng, cards=5)
        while not ref.over(now):
            in_play = _cards(now)
            move = rng.choice(ref.legal(deck, now))
            after = ref.play(deck, now, move)
            assert all(old <= new for old, new in zip(now.won, after.won, strict=True))
            if isinstance(move, ref.Played):
                assert _cards(after) == in_play
            else:
                kept = 1 + len(move.taken) + (move.given is not None)
                assert len(_cards(after)) == len(in_play) - len(now.trick) + kept
                assert sum(map(len, after.won)) == sum(map(len, now.won)) + kept
            now = after


def _cards(now: State) -> frozenset[int]:
    lists = [*now.hands, *now.won, {played.card for played in now.trick}]
    assert sum(map(len, lists)) == len(frozenset().union(*lists))
    return frozenset().union(*lists)


def test_paranoid_at_most_maxn_at_most_ally() -> None:
    """Provable: a `maxn` seat never gets less than it can force."""
    rng = random.Random(4)
    for _ in range(60):
        deck, now = random_state(rng, cards=rng.randint(1, 2))
        everybody = ref.value(deck, now, "maxn")
        assert isinstance(everybody, tuple)
        for seat in range(len(now.hands)):
            low, high = (ref.value(deck, now, model, seat) for model in ("paranoid", "ally"))
            assert isinstance(low, int)
            assert isinstance(high, int)
            assert low <= everybody[seat] <= high


def test_seats_can_be_turned() -> None:
    rng = random.Random(5)
    for _ in range(40):
        deck, now = random_state(rng, cards=2)
        seats = len(now.hands)
        turned = now._replace(
            hands=(*now.hands[1:], now.hands[0]),
            won=(*now.won[1:], now.won[0]),
            leader=(now.leader - 1) % seats,
        )
        for model in ("paranoid", "ally"):
            assert ref.values(deck, now, model) == ref.values(deck, turned, model)
        assert ref.count_lines(deck, now, 4) == ref.count_lines(deck, turned, 4)
