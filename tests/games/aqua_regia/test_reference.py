"""The Aqua Regia reference: tricks and values worked out by hand from the rules, and what holds in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference import aqua as ref
from tests.reference.aqua import HOUSE, State


def state(hands: list[str], turn: int = 0, **more: Any) -> State:
    """A house position; cards as text, separated by blanks."""
    lists = {key: value.split() for key, value in more.items() if key in ("table", "stock", "discard")}
    position = {"deck": "house", "field": "water", "hands": [hand.split() for hand in hands], "turn": turn}
    return ref.load({**position, **more, **lists})[1]


def moves(now: State) -> list[str]:
    return [ref.text(HOUSE, move) for move in ref.legal(HOUSE, now)]


def play(now: State, *texts: str) -> State:
    for text in texts:
        now = ref.play(HOUSE, now, ref.legal(HOUSE, now)[moves(now).index(text)])
    return now


def values(now: State, model: str, player: int | None = None) -> dict[str, ref.Value]:
    return {ref.text(HOUSE, move): worth for move, worth in ref.values(HOUSE, now, model, player).items()}


def symbols(cards: tuple[int, ...]) -> str:
    return " ".join(HOUSE.symbols[card] for card in cards)


# ---------------------------------------------------------------------------------------- leading
def test_leads_are_single_at_reactivity_1_and_several_at_2() -> None:
    # in water: Li reacts with 3, Ca with 2, Mg with 1, Zn not at all
    now = state(["Mg Li Ca Mg Li Ca Li Zn", "Au"])
    assert moves(now) == ["Li", "Li Li", "Li Li Li", "Ca", "Ca Ca", "Mg"]


def test_the_dealer_who_can_lead_must() -> None:
    assert "pass" not in moves(state(["Li", "K"]))


def test_a_dealer_who_cannot_lead_passes_the_deal_without_drawing() -> None:
    now = state(["Au", "Pt", "Li", "K"], stock="Li")
    assert (now.turn, now.field, symbols(now.stock)) == (2, 0, "Li")
    assert [symbols(hand) for hand in now.hands] == ["Au", "Pt", "Li", "K"]


def test_the_deal_goes_round_past_the_last_seat() -> None:
    assert state(["K", "Pt", "Au"], turn=1).turn == 0


def test_the_field_changes_when_nobody_can_lead_and_the_first_dealer_tries_again() -> None:
    # Fe, Al: nothing in water; in vapor Al can be led, and Fe too; seat 2 is asked first again
    assert state(["Al", "Al", "Fe"], turn=2)[1:3] == (2, 1)
    # Sn only in acid and aqua regia, two steps on; the first dealer, not the left neighbour, leads there
    assert state(["Au", "Sn", "Sn"], turn=1)[1:3] == (1, 2)
    # gold waits for aqua regia: seat 0 tries first there
    assert state(["Pt", "Au"], turn=1, field="water")[1:3] == (1, 3)


def test_the_field_changes_in_the_order_in_force() -> None:
    assert state(["Sn", "Au"], reversed=True)[1:3] == (0, 3)  # water, then aqua regia
    assert state(["Ag", "Zn"], turn=0, field="vapor", reversed=False)[1:3] == (1, 1)
    assert state(["Cu", "Ag"], turn=1, field="vapor", reversed=True)[1:3] == (1, 3)  # by way of water


# -------------------------------------------------------------------------------------- following
def test_following_takes_as_many_or_one_more_of_a_stronger_metal() -> None:
    # in acid: Al Zn Fe 2, Pb Hg 1
    now = state(["Mg Al Al Zn Zn Zn Fe Pb Hg Hg", "Au"], field="acid", table="Al", owner=1)
    assert moves(now) == ["Zn", "Zn Zn", "Fe", "Pb", "Hg", "pass"]
    now = state(["K Zn Zn Zn Zn Fe Hg Hg", "Au"], field="acid", table="Al Al", owner=1)
    assert moves(now) == ["Zn Zn", "Zn Zn Zn", "pass"]
    now = state(["K Zn Zn Zn Zn Fe Hg Hg", "Au"], field="acid", table="Al Al Al", owner=1)
    assert moves(now) == ["Zn Zn Zn", "Zn Zn Zn Zn", "pass"]


def test_four_are_followed_by_four() -> None:
    now = state(["K Ca Ca Ca Ca Na Na Na", "Au"], table="Li Li Li Li", owner=1)
    assert moves(now) == ["Ca Ca Ca Ca", "pass"]


def test_going_from_one_card_to_two_asks_for_reactivity_2() -> None:
    now = state(["Mg Mg", "Au"], table="Li", owner=1)  # Mg reacts with 1 in water
    assert moves(now) == ["Mg", "pass"]


def test_no_reaction_no_play() -> None:
    assert moves(state(["Au Zn", "Au"], table="Li", owner=1)) == ["pass"]


def test_the_play_on_top_is_what_must_be_beaten() -> None:
    now = state(["K K Na Na", "Au", "Pt"], table="Li Ca", owner=2)
    assert moves(now) == ["Na", "Na Na", "pass"]
    after = play(now, "Na Na")
    assert after.plays == ((0, 1), (2, 1), (3, 2))
    assert (after.owner, after.turn) == (0, 1)


def test_more_than_four_copies_still_go_out_by_four() -> None:
    table = HOUSE._replace(copies=6)
    now = State(hands=((0,) * 6, (3,)), turn=0)
    assert [move[1] for move in ref.legal(table, now)] == [1, 2, 3, 4]


# ----------------------------------------------------------------------------------------- passing
def test_a_pass_draws_one_card() -> None:
    now = play(state(["Li", "Au", "Pt"], turn=1, table="Ca", owner=0, stock="K Na"), "pass")
    assert [symbols(hand) for hand in now.hands] == ["Li", "K Au", "Pt"]
    assert symbols(now.stock) == "Na"
    assert now.turn == 2


def test_a_pass_from_an_empty_stock_draws_nothing() -> None:
    now = play(state(["Li", "Au", "Pt"], turn=1, table="Ca", owner=0), "pass")
    assert [symbols(hand) for hand in now.hands] == ["Li", "Au", "Pt"]


def test_a_pass_is_not_final() -> None:
    now = state(["Na Cu", "K Cu", "Ca Cu"], turn=1, table="Li", owner=0)
    now = play(now, "pass", "Ca", "pass")
    assert now.turn == 1
    assert moves(now) == ["pass"]  # K does not beat Ca
    now = play(state(["Li", "Na Cu", "Ca Cu"], turn=1, table="Li", owner=0), "pass", "Ca", "pass", "Na")
    assert now.owner == 1


def test_precipitation_knows_the_drawn_card_and_may_discard_it() -> None:
    now = state(["Zn", "Ag", "Pt"], turn=1, table="Al", owner=2, field="vapor", stock="K", discard="Pb Li Au Zn")
    # K is drawn, to be thrown away for Zn, Pb or Au; Ag for Au alone
    assert moves(now) == ["pass", "pass K>Zn", "pass K>Pb", "pass K>Au", "pass Ag>Au"]
    after = play(now, "pass K>Pb")
    assert symbols(after.hands[1]) == "Pb Ag"
    assert symbols(after.discard) == "Li K Al Zn Au"  # it was the last pass: Al has left the field since


def test_no_precipitation_without_a_stronger_card_in_the_pile() -> None:
    assert moves(state(["Zn", "Ag"], turn=1, table="Li", owner=0, discard="Ag Cu")) == ["pass"]


def test_a_metal_with_all_four_in_the_pile_cannot_be_taken() -> None:
    now = state(["Zn", "Ag"], turn=1, table="Li", owner=0, discard="Pt Pt Pt Pt Au Au Au")
    assert moves(now) == ["pass", "pass Ag>Au"]
    # with three of each metal in the deck, three are all
    table = HOUSE._replace(copies=3)
    now = now._replace(discard=tuple(sorted([14] * 2 + [15] * 3)))
    assert [ref.text(table, move) for move in ref.legal(table, now)] == ["pass", "pass Ag>Pt"]


def test_cards_on_the_field_are_not_in_the_pile_yet() -> None:
    # the last pass of the trick: it could take K, Ca or Na if the field were cleared before
    now = state(["Mg", "Li Zn"], turn=1, table="K Ca Na", owner=0)
    assert moves(now) == ["pass"]
    after = play(now, "pass")
    assert symbols(after.discard) == "K Ca Na"


def test_moves_are_in_canonical_order() -> None:
    now = state(["Mg Ca Ca Na", "Ag"], table="K", owner=1, discard="Al Na Mg")
    assert moves(now) == [
        *("Ca", "Ca Ca", "Na", "Na Na", "Mg")[:3],
        "Mg",
        "pass",
        *("pass Ca>Na", "pass Ca>Mg", "pass Ca>Al", "pass Na>Mg", "pass Na>Al", "pass Mg>Al"),
    ]


def test_a_move_that_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="Na is not legal"):
        ref.play(HOUSE, state(["Li Li", "K"]), ref.Play(3, 1))


# ------------------------------------------------------------------------------------ the trick's end
def test_all_others_pass_and_the_last_player_deals_in_the_next_field() -> None:
    now = state(["Na Zn", "K", "Zn"], turn=0, table="Li", owner=2)
    after = play(now, "Na", "pass", "pass")
    assert (after.turn, after.field, after.owner, after.plays) == (0, 1, None, ())
    assert symbols(after.discard) == "Li Na"
    assert moves(after) == ["Zn"]


def test_passes_are_counted_from_the_last_play() -> None:
    now = state(["K Cu", "Ca Cu", "Na K"], turn=1, table="Li", owner=0)
    after = play(now, "pass", "Na", "pass")
    assert after.plays  # seat 1 passed before seat 2 played, and is asked again
    assert after.turn == 1
    after = play(after, "pass")
    assert (after.plays, after.turn) == ((), 2)


def test_the_new_dealer_who_cannot_lead_passes_the_deal() -> None:
    now = state(["Na Cu", "Ag", "Zn"], turn=0, table="Li", owner=2)
    after = play(now, "Na", "pass", "pass")
    assert (after.turn, after.field) == (2, 1)  # in vapor only Zn can be led


def test_four_at_once_flip_the_order_until_the_next_four() -> None:
    now = state(["Li Li Li Li Zn", "Na Na Na Na Zn", "Zn"])
    once = play(now, "Li Li Li Li")
    assert once.reverse
    assert play(once, "pass", "pass").field == 3  # water to aqua regia
    twice = play(once, "Na Na Na Na")
    assert not twice.reverse
    assert play(twice, "pass", "pass").field == 1


def test_the_order_stays_flipped_over_tricks() -> None:
    now = state(["Li Li Li Li Zn Zn Au", "Na Cu", "Na Au"])
    now = play(now, "Li Li Li Li", "pass", "pass")
    assert now.field == 3
    now = play(now, "Zn", "pass", "pass")
    assert now.field == 2


def test_three_do_not_flip_it() -> None:
    assert not play(state(["Li Li Li Li", "Na"]), "Li Li Li").reverse


def test_the_first_without_cards_wins_at_once() -> None:
    now = play(state(["Li", "K", "Ca"]), "Li")
    assert ref.over(now)
    assert moves(now) == []
    assert ref.scores(now) == (1, 0, 0)
    assert ref.value(HOUSE, now, "maxn") == (1, 0, 0)
    assert ref.value(HOUSE, now, "paranoid", 0) == 1


# Values. --------------------------------------------------------------------------------------------------------


def test_going_out_now_wins() -> None:
    assert values(state(["Li", "K"]), "paranoid") == {"Li": 1}
    assert values(state(["Li", "K"]), "paranoid", 1) == {"Li": 0}


def test_the_unanswerable_lead_wins_and_the_other_loses() -> None:
    # in water Mg cannot be beaten by Na: the pass puts the field to vapor, where Li goes out. Li is beaten by Na.
    now = state(["Li Mg", "Na"])
    assert values(now, "paranoid") == {"Li": 0, "Mg": 1}
    assert values(now, "ally") == {"Li": 1, "Mg": 1}  # with help Na is kept
    assert values(now, "maxn") == {"Li": (0, 1), "Mg": (1, 0)}


def test_values_of_another_player() -> None:
    # seat 2 holds Ca: too weak for Mg, enough for Li
    now = state(["Li Mg", "Au Au", "Ca"])
    assert values(now, "paranoid", 2) == {"Li": 1, "Mg": 0}
    assert ref.value(HOUSE, now, "paranoid", 2) == 0
    assert ref.value(HOUSE, now, "ally", 2) == 1
    assert values(now, "paranoid", 1) == {"Li": 0, "Mg": 0}
    assert values(now, "maxn") == {"Li": (0, 0, 1), "Mg": (1, 0, 0)}


def test_maxn_takes_the_first_of_equal_moves() -> None:
    # seat 1 goes out on top of K, seat 2 on top of Mg: seat 0 has nothing to choose between, and leads K
    now = state(["K Mg", "Ca", "Zn"], field="vapor")
    assert values(now, "maxn") == {"K": (0, 1, 0), "Mg": (0, 0, 1)}
    assert ref.value(HOUSE, now, "maxn") == (0, 1, 0)
    assert [move[0] for move in ref.optimal(HOUSE, now, "maxn")] == [1, 4]


def test_optimal_lists_every_move_that_ties() -> None:
    now = state(["Li K Zn Zn", "Mg"])  # both leads are beaten at once
    assert values(now, "paranoid") == {"Li": 0, "K": 0}
    assert [move[0] for move in ref.optimal(HOUSE, now, "paranoid")] == [0, 1]
    assert [move[0] for move in ref.optimal(HOUSE, state(["Li Mg", "Na"]), "paranoid")] == [4]
    # for seat 1, seat 0 does its worst or its best
    assert [move[0] for move in ref.optimal(HOUSE, state(["Li Mg", "Na"]), "paranoid", 1)] == [4]
    assert [move[0] for move in ref.optimal(HOUSE, state(["Li Mg", "Na"]), "ally", 1)] == [0]


# What holds in every game. --------------------------------------------------------------------------------------


def random_state(rng: random.Random, cards: int | None = None) -> tuple[ref.Table, State]:
    deck = random_table(rng) if rng.random() < 0.3 else None
    while True:
        try:
            return ref.load(random_position(rng, deck=deck, cards=cards))
        except ValueError:  # a table too small for the players
            deck = None


def test_every_game_ends_and_the_measure_never_grows() -> None:
    rng = random.Random(1)
    met = set()
    for _ in range(2000):
        table, now = random_state(rng)
        every = sorted([*sum(now.hands, ()), *now.stock, *now.discard, *on_field(now)])
        while not ref.over(now):
            move = rng.choice(ref.legal(table, now))
            before = measure(now)
            drawing = bool(now.stock) or isinstance(move, ref.Play)
            met.add((len(now.hands), now.field, now.reverse, bool(now.plays), type(move).__name__, drawing))
            now = ref.play(table, now, move)
            assert measure(now) < before if drawing else measure(now) == before
            assert sorted([*sum(now.hands, ()), *now.stock, *now.discard, *on_field(now)]) == every
            assert now.owner != now.turn
    assert len(met) == 4 * 4 * 2 * 4  # players, fields, orders; a lead, a follow, a pass with and without a draw


def measure(now: State) -> int:
    return 2 * len(now.stock) + sum(map(len, now.hands))


def on_field(now: State) -> list[int]:
    return [play.metal for play in now.plays for _ in range(play.many)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_deals_end(players: int) -> None:
    rng = random.Random(players)
    for _ in range(20):
        deal = random_position(rng, players=players, cards=10 * players, climbing=False, crowded=False, stock=64)
        table, now = ref.load(deal)
        while not ref.over(now):
            before = measure(now)
            now = ref.play(table, now, rng.choice(ref.legal(table, now)))
            assert measure(now) <= before


def test_paranoid_at_most_maxn_at_most_ally() -> None:
    """Provable: a `maxn` seat never gets less than it can force."""
    rng = random.Random(2)
    for _ in range(60):
        table, now = random_state(rng, cards=5)
        everybody = ref.value(table, now, "maxn")
        assert isinstance(everybody, tuple)
        assert sum(everybody) == 1
        for seat in range(len(now.hands)):
            low, high = (ref.value(table, now, model, seat) for model in ("paranoid", "ally"))
            assert isinstance(low, int)
            assert isinstance(high, int)
            assert low <= everybody[seat] <= high


def test_seats_can_be_turned() -> None:
    rng = random.Random(3)
    for _ in range(40):
        table, now = random_state(rng, cards=5)
        seats = len(now.hands)
        turned = now._replace(
            hands=(*now.hands[1:], now.hands[0]),
            turn=(now.turn - 1) % seats,
            owner=None if now.owner is None else (now.owner - 1) % seats,
        )
        for model in ("paranoid", "ally"):
            assert ref.values(table, now, model) == ref.values(table, turned, model)
        assert ref.count_lines(table, now, 3) == ref.count_lines(table, turned, 3)
