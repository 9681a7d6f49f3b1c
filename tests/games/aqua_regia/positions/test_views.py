"""What each seat of Aqua Regia sees: its own cards, and what was shown of the others'."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from solver.errors import RequestError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.position import KnownPosition
from solver.positions import parse_position, position_data
from tests.conftest import JIT
from tests.games.aqua_regia.cards.states import after, moves, position
from tests.games.aqua_regia.examples import KNOWN, SEEN
from tests.games.aqua_regia.positions.deals_and_views import dealt, seen
from tests.games.aqua_regia.random_play import play_randomly
from tests.games.aqua_regia.random_positions import random_position, random_table

pytestmark = [pytest.mark.small, pytest.mark.plain]


@pytest.mark.covered
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


@pytest.mark.covered
def test_what_everybody_saw_is_true_of_the_hands() -> None:
    """Reading a position checks `known` and `deal_passes` against the hands."""
    rng = random.Random(6)
    told: Counter[str] = Counter()
    for _ in range(150 if JIT else 15):
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
    assert not JIT or min(told["known"], told["tight"], told["loose"]) > 20


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
    from solver.limits import Control

    at = parse_position(SEEN)
    assert "analyze" in GAME.asks(parse_position(KNOWN))
    assert "analyze" not in GAME.asks(at)
    with pytest.raises(RequestError, match="the other hands are hidden"):
        GAME.analyze(at, Control())
    with pytest.raises(RequestError, match="a view cannot be played on"):
        GAME.play(at, GAME.legal_moves(at)[0])
