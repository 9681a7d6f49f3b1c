"""Aqua Regia at the table: deals, moves as text, why a move is refused, whole games, and what each seat sees."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.answers import AquaScore
from solver.games.aqua_regia.cards.deck import FIELDS
from solver.games.aqua_regia.cards.deck_data import house
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.inputs.errors import MoveError, RequestError
from solver.positions import parse_position, parse_record, position_data
from tests.games.aqua_regia.cards.states import after, moves, position
from tests.games.aqua_regia.examples import KNOWN, SEEN, change
from tests.games.aqua_regia.random_play import play_randomly
from tests.games.aqua_regia.random_positions import random_position, random_table

pytestmark = pytest.mark.small

# Never to change.
FIRST_DEAL = {
    "hands": [
        "K Ca Na Mg Mg Zn Zn Fe Fe Pb",
        "Li K Ca Na Al Ni Ag Pt Pt Pt",
        "Li K Na Fe Sn Pb Hg Au Au Au",
        "Li Na Mg Al Ni Sn Cu Ag Ag Au",
    ],
    "stock": "Fe Sn Cu K Li Mg Pt Sn Al Pb Cu Ni Pb Hg Ag Hg Al Cu Ca Ca Hg Ni Zn Zn",
}


def dealt(*arguments: Any, **keys: Any) -> KnownPosition:
    found = GAME.deal(*arguments, **keys)
    assert isinstance(found, KnownPosition)
    return found


def seen(at: KnownPosition, seat: int) -> View:
    found = GAME.view(at, seat)
    assert isinstance(found, View)
    return found


# ------------------------------------------------------------------------------------------------- deals


def test_a_seed_means_the_same_deal_for_ever() -> None:
    first = dealt(1)
    assert [" ".join(hand) for hand in first.hands] == FIRST_DEAL["hands"]
    assert " ".join(first.stock) == FIRST_DEAL["stock"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_have_every_card_once_and_differ(players: int) -> None:
    found = set()
    for number in range(30):
        at = dealt(3, number=number, players=players)
        assert [len(hand) for hand in at.hands] == [10] * players
        cards = Counter([*at.stock, *(card for hand in at.hands for card in hand)])
        assert cards == dict.fromkeys(house().index, 4)
        assert parse_position(position_data(at)) == at
        assert GAME.legal_moves(at)
        found.add(at.hands)
    assert len(found) == 30


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [
        ({"players": 1}, "out_of_range", "players"),
        ({"players": 6}, "out_of_range", "players"),
        ({"variant": "duel"}, "unknown_value", "variant"),
    ],
)
def test_deals_that_there_are_not(keys: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.deal(1, **keys)
    assert (found.value.code, found.value.path) == (code, path)


# ------------------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize("text", ["Fe Fe", " Fe  Fe ", "pass", "pass Fe>Pb", "pass Fe > Pb", "pass Li>K"])
def test_moves_are_read(text: str) -> None:
    at = parse_position(KNOWN | {"hands": [["Li", "Cu"], ["Au"], ["Fe", "Fe", "Li"]]} | {"known": None})
    move = GAME.parse_move(at, text)
    assert GAME.format_move(at, move).split() == text.replace(" > ", ">").split()
    assert move in GAME.legal_moves(at)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is no move; moves are like"),
        ("Qq", "'Qq' is no metal of the deck house"),
        ("Sn Fe", "cards played at once are of one metal"),
        ("pass Zn", "after pass comes nothing, or"),
        ("pass Zn>Pb>Au", "after pass comes nothing, or"),
        ("pass Zn>Qq", "'Qq' is no metal"),
        ("pass >", "'' is no metal"),
        ("Zn>Pb", "'Zn>Pb' is no metal"),
        ("Sn Sn Sn", "seat 2 does not hold 3 Sn"),
        ("Cu", "seat 2 does not hold 1 Cu"),
        ("Sn", "to 2 Zn are played 2 or 3 cards, not 1"),
        ("pass Cu>Pb", "seat 2 does not hold Cu"),
        ("pass Sn>K", "K is not stronger than Sn"),
        ("pass Fe>Cu", "there is no Cu in the discard pile"),
    ],
)
def test_moves_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(KNOWN), text)
    assert found.value.code == "illegal_move"
    assert words in found.value.message


@pytest.mark.parametrize(
    ("at", "text", "words"),
    [
        (position("Li", "K"), "pass", "seat 0 is the dealer: who can lead must"),
        (position("Li Au", "K"), "Au", "Au has reactivity 0 in water; 1 at once need 1 or more"),
        (position("Li Mg Mg", "K"), "Mg Mg", "Mg has reactivity 1 in water; 2 at once need 2 or more"),
        (position("Li K", "Na", table="Na", owner=1), "K", "K is not stronger than Na"),
        (
            position("Li", "Na", table="Na", owner=1, discard="Au Au Au Au"),
            "pass Li>Au",
            "all 4 Au are in the discard pile, so none may be taken",
        ),
        (after(position("Li", "Na"), "Li"), "pass", "the game is over: seat 0 has no cards left"),
        (parse_position(change(SEEN, turn=0)), "Fe Fe", "seat 0 is to move, not seat 2"),
        (parse_position(SEEN), "pass Fe>Pb", "the pass draws a card: make it (pass), then give the card as drawn"),
        (parse_position(SEEN | {"drawn": "Sn"}), "Sn Sn", "seat 2 has passed and drawn Sn"),
        (
            parse_position(change(SEEN, table=[], owner=None, field="water")),
            "Fe",
            "seat 2 has nothing to lead in water: the deal goes on to the left by itself",
        ),
    ],
)
def test_why_a_move_is_refused(at: Any, text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(at, text)
    assert words in found.value.message
    if isinstance(at, KnownPosition):
        with pytest.raises(MoveError):
            GAME.play(at, _unchecked(at, text))


def _unchecked(at: KnownPosition, text: str) -> Any:
    from solver.games.aqua_regia.cards.text import move_of

    return move_of(at.metals, text)


# ------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games(players: int) -> None:
    rng = random.Random(players)
    for number in range(4):
        for at in play_randomly(dealt(9, number=number, players=players), rng):
            cards = [*at.stock, *at.table, *at.discard, *(card for hand in at.hands for card in hand)]
            assert Counter(cards) == dict.fromkeys(house().index, 4)
            if GAME.legal_moves(at):
                assert parse_position(position_data(at)) == at
        record = parse_record({"game": "aqua-regia", "rounds": [{"hands": at.hands}]})
        score = GAME.score(record)
        assert isinstance(score, AquaScore)
        assert score.totals.index(1) == at.state.winner


def test_scores_of_a_match() -> None:
    rounds = [{"counts": [0, 3, 4]}, {"counts": [2, 0, 1]}, {"hands": [[], ["Li"], ["K", "Au"]]}]
    score = GAME.score(parse_record({"game": "aqua-regia", "rounds": rounds}))
    assert score.to_dict() == {
        "game": "aqua-regia",
        "rounds": [[1, 0, 0], [0, 1, 0], [1, 0, 0]],
        "totals": [2, 1, 0],
        "leaders": [0],
    }
    score = GAME.score(parse_record({"game": "aqua-regia", "rounds": rounds[:2]}))
    assert isinstance(score, AquaScore)
    assert score.leaders == (0, 1)


# ------------------------------------------------------------------------------------------------- views


def test_a_view_hides_the_other_hands_and_the_stock() -> None:
    rng = random.Random(4)
    for at in play_randomly(dealt(4), rng):
        if not GAME.legal_moves(at):
            break
        for seat in range(4):
            found = seen(at, seat)
            data = position_data(found)
            assert not {"hands", "stock"} & set(data)
            assert parse_position(data) == found
            assert found.hand == at.hands[seat]
            assert found.counts == tuple(map(len, at.hands))
            assert found.stock_count == len(at.stock)
            hidden = sum(found.hidden(other) for other in range(4) if other != seat) + found.stock_count
            assert sum(found.unseen) == hidden
            if seat != at.seat_to_move:
                assert moves_of(found) == []
            elif at.table and at.stock:
                assert moves_of(found) == [text for text in moves(at) if ">" not in text]
            else:
                assert moves_of(found) == moves(at)


def moves_of(at: Any) -> list[str]:
    return [GAME.format_move(at, move) for move in GAME.legal_moves(at)]


def test_a_drawn_card_asks_for_the_exchange() -> None:
    assert moves_of(parse_position(SEEN)) == ["Sn Sn", "pass"]
    drawn = parse_position(SEEN | {"drawn": "K"})
    assert moves_of(drawn) == ["pass", "pass K>Pb", "pass Fe>Pb", "pass Sn>Pb"]
    empty = parse_position(SEEN | {"stock_count": 0})
    assert moves_of(empty) == ["Sn Sn", "pass", "pass Fe>Pb", "pass Sn>Pb"]


def test_what_was_taken_is_known_until_it_is_shown() -> None:
    at = position("Li Zn", "K Na", "Ca Au", table="Mg", field="acid", owner=2, discard="Pb Cu", stock="Au")
    at = after(at, "pass Li>Pb")
    assert at.known == (("Pb",), (), ())
    assert seen(at, 1).known == at.known
    at = after(at, "pass Na>Cu")  # the trick is over, in aqua regia seat 2 leads
    assert at.known == (("Pb",), ("Cu",), ())
    at = after(at, "Ca", "Pb", "Cu")
    assert at.known is None
    assert seen(at, 0).known is None


def test_one_of_several_that_is_shown_may_be_the_known_one() -> None:
    at = position("Zn", "K K Na", "Ca Au", table="Li", owner=0, turn=1, known=[[], ["K"], []])
    assert after(at, "K").known is None  # the other K may be the one that was known; it is not known any more
    two = position("Zn", "K K Na", "Ca Au", table="Li", owner=0, turn=1, known=[[], ["K", "K"], []])
    assert after(two, "K").known == ((), ("K",), ())


def test_a_deal_passed_on_tells_of_the_hand() -> None:
    at = position("Au", "Pt Au", "Li K Zn", stock="Li Li K")
    at = after(at, "Li")  # seats 0 and 1 could not lead in water
    assert at.deal_passes is not None
    assert [(one.seat, one.field, one.most) for one in at.deal_passes] == [(0, "water", 0), (1, "water", 0)]
    at = after(at, "pass")  # seat 0 drew a card
    assert [one.most for one in at.deal_passes or ()] == [1, 0]
    assert "at most 1 can be played in water" in dict(GAME.describe(seen(at, 2)))["Seat 0"]
    at = after(at, "pass", "K", "pass")  # the trick is over, and in vapor seat 2 leads; seat 0 draws again
    assert [(one.seat, one.field, one.most) for one in at.deal_passes or ()] == [(0, "water", 2), (1, "water", 1)]
    data = position_data(at)
    assert parse_position(data) == at


def test_what_everybody_saw_is_true_of_the_hands() -> None:
    """Reading a position checks `known` and `deal_passes` against the hands."""
    rng = random.Random(6)
    told: Counter[str] = Counter()
    for _ in range(150):
        table = random_table(rng) if rng.random() < 0.5 else None
        if table is not None and len(table["metal"]) * table["copies"] < 15:
            continue
        start = parse_position(random_position(rng, deck=table, cards=15, players=rng.randint(2, 5)))
        assert isinstance(start, KnownPosition)
        for at in play_randomly(start, rng):
            if at.state.winner is not None:
                break
            assert parse_position(position_data(at)) == at
            told["known"] += at.known is not None
            row = at.metals.reactivity
            for one in at.deal_passes or ():
                lets = row[FIELDS.index(one.field)]
                playable = sum(lets[metal] > 0 for metal in at.metals.numbers(at.hands[one.seat]))
                assert playable <= one.most
                told["tight"] += playable == one.most
                told["loose"] += playable < one.most
    assert min(told["known"], told["tight"], told["loose"]) > 20


def test_views_that_there_are_not() -> None:
    over = after(position("Li", "Na"), "Li")
    for at, seat, code in (
        (over, 0, "game_over"),
        (parse_position(SEEN), 0, "hidden_cards"),
        (over, 2, "out_of_range"),
    ):
        with pytest.raises(RequestError) as found:
            GAME.view(at, seat)
        assert found.value.code == code
    assert GAME.view(parse_position(SEEN), 2) == parse_position(SEEN)


def test_questions_of_a_view() -> None:
    from solver.common.control import Control

    at = parse_position(SEEN)
    assert "analyze" in GAME.asks(parse_position(KNOWN))
    assert "analyze" not in GAME.asks(at)
    with pytest.raises(RequestError, match="the other hands are hidden"):
        GAME.analyze(at, Control())
    with pytest.raises(RequestError, match="a view is not played on from"):
        GAME.play(at, GAME.legal_moves(at)[0])


# ------------------------------------------------------------------------------------------- description


def test_a_known_position_is_described() -> None:
    assert GAME.describe(parse_position(KNOWN)) == [
        (
            "Field",
            "acid (order water > vapor > acid > aqua-regia); lets out Li K Ca Na Mg Al Zn Fe Ni Sn in multiples, "
            "Pb Cu Hg Ag singly",
        ),
        ("Trick", "Li < Zn Zn, the last by seat 1"),
        ("Seat 0", "Li Cu   (can play nothing)"),
        ("Seat 1", "Fe Fe Au   (played last)"),
        ("Seat 2", "Fe Sn Sn   (can play Sn Sn; to move)"),
        ("Stock", "Pb Li   (in draw order)"),
        ("Discard", "K×2 Pb"),
    ]


def test_a_view_is_described() -> None:
    rows = dict(GAME.describe(parse_position(SEEN | {"drawn": "Ag"})))
    assert rows["You"] == "seat 2 of 3"
    assert rows["Hand"] == "Fe Sn Sn and Ag, just drawn   (may exchange a card; to move)"
    assert rows["Seat 0"] == "2 cards"
    assert rows["Seat 1"] == "3 cards   (holds Au)"
    assert rows["Stock"] == "1 card"
    assert rows["Unseen"] == "Li×3 K×2 Ca×4 Na×4 Mg×4 Al×4 Zn×2 Fe×3 Ni×4 Sn×2 Pb×3 Cu×4 Hg×4 Ag×3 Pt×4 Au×3"


def test_what_happens_by_itself_is_described() -> None:
    rows = dict(GAME.describe(position("Au", "Pt", "Sn Sn", turn=1, discard="Li Li Li Li K")))
    assert rows["Field"].startswith("acid ")
    assert rows["Trick"] == "none yet; seat 2 is the dealer and leads"
    assert rows["Seat 2"] == "Sn Sn   (leads Sn, Sn Sn; to move)"
    assert rows["Stock"] == "empty"
    assert rows["Discard"] == "Li×4 K   (all of Li are there, so none of them may be taken)"
