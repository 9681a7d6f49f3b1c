"""Histories of Aqua Regia: written by play, read back with what lay there then, refused where they can't be."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.errors import PositionError
from solver.games.aqua_regia import GAME, rules
from solver.games.aqua_regia import text as aqua_regia_text
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.position import KnownPosition, Step, Stuck, View, played
from solver.positions import parse_position, position_data, text_of
from tests.games.aqua_regia.examples import change
from tests.games.aqua_regia.positions.histories import SEEN
from tests.games.aqua_regia.random_play import play_randomly
from tests.games.aqua_regia.random_positions import random_position, random_table

pytestmark = [pytest.mark.small, pytest.mark.plain]

TRICK = SEEN["history"][0]


def starts() -> Any:
    """Positions to play from: deals of the house deck, and of random tables, with cards out of play."""
    rng = random.Random(8)
    for number in range(4):
        yield GAME.deal(8, number=number, players=2 + number)
    for _ in range(8):
        deck = random_table(rng, 8, 4)
        data = random_position(rng, deck=deck, players=rng.randint(2, 4), cards=12, stock=6, climbing=False)
        yield parse_position(data)


@pytest.mark.covered
def test_play_writes_what_is_read_back() -> None:
    """The state before each step is the state that was there, passed-on deals included."""
    rng = random.Random(3)
    stuck = steps = 0
    for start in starts():
        before: list[Any] = []
        for at in play_randomly(start, rng):
            if at.state.winner is not None:
                break
            before.append(at.state)
            if rng.random() < 0.6:
                continue
            assert parse_position(position_data(at)) == at
            view = GAME.view(at, rng.randrange(at.players))
            assert isinstance(view, View)
            assert parse_position(position_data(view)) == view
            found = view.steps
            moves = [step for step in found if isinstance(step, Step)]
            assert len(moves) == len(before) - 1
            for step, state in zip(moves, before[:-1], strict=True):
                assert (step.seat, step.field, step.discard) == (state.turn, state.field, state.discard)
                assert step.following == rules.next_field(state.field, state.reversed)
                assert step.top == (rules.runs(state.table)[-1] if state.table else None)
                assert step.draws == (isinstance(step.move, rules.Pass) and bool(state.stock))
            index = 0
            for seen in found:
                if isinstance(seen, Stuck):
                    assert not rules.can_lead(at.metals, before[index].hands[seen.seat], seen.field)
                    stuck += 1
                index += isinstance(seen, Step)
            steps += len(moves)
    assert stuck > 50
    assert steps > 1000


def test_a_history_that_is_not_told_begins_with_the_next_trick() -> None:
    rng = random.Random(4)
    data = random_position(rng, players=3, cards=15, stock=10, climbing=True)
    start = parse_position(data)
    assert isinstance(start, KnownPosition)
    states = list(play_randomly(start, rng))
    assert states[0].history is None
    begun = next(at for at in states if at.history)
    assert [trick.moves for trick in begun.history] == [begun.history[0].moves]
    assert FIELDS.index(begun.history[0].field) == states[states.index(begun) - 1].state.field
    assert all(at.history is None for at in states[: states.index(begun)])


def test_what_is_read() -> None:
    view = parse_position(SEEN)
    assert isinstance(view, View)
    first, second, third, _fourth, *rest = view.steps
    assert isinstance(third, Step)
    assert isinstance(second, Step)
    assert isinstance(first, Step)
    assert (first.seat, second.seat, third.seat) == (2, 0, 1)
    li, k, na = (view.metals.index[symbol] for symbol in ("Li", "K", "Na"))
    assert third.move == rules.Pass(li, k)
    assert third.top == rules.Play(na, 1)
    assert third.draws
    assert sum(third.discard) == 1
    assert third.discard[k] == 1
    assert rest == []


@pytest.mark.parametrize(
    ("keys", "path", "words"),
    [
        ({"history": [TRICK | {"field": "vapour"}]}, "history[0].field", "vapor"),
        ({"history": [TRICK | {"moves": []}]}, "history[0].moves", ""),
        ({"history": [TRICK | {"moves": ["Li", "Xx"]}]}, "history[0].moves[1]", "'Xx' is not a metal"),
        ({"history": [TRICK | {"leader": 3}]}, "history[0].leader", "no seat 3"),
        ({"history": [TRICK | {"moves": ["pass", "Na"]}]}, "history[0].moves[0]", "leads and can't pass"),
        (
            {"history": [TRICK | {"moves": ["Na", "Li", "pass", "pass"]}]},
            "history[0].moves[1]",
            "can't be played on Na",
        ),
        ({"history": [TRICK | {"moves": ["Au"]}]}, "history[0].moves[0]", "Au can't be played in water"),
        ({"history": [TRICK | {"moves": ["Li", "Na", "pass K>Li", "pass"]}]}, "history[0].moves[2]", "stronger"),
        ({"history": [TRICK | {"moves": ["Li", "Na", "pass", "pass", "pass"]}]}, "history[0].moves[4]", "over"),
        ({"history": [TRICK, TRICK]}, "history[1].stock_count", "3 cards then"),
        ({"history": [TRICK | {"moves": ["Li", "Na"]}, TRICK]}, "history[0].moves", "not over"),
        ({"history": [TRICK | {"stock_count": 6}]}, "history", "has 4 cards now, not 3"),
        (
            {"history": [TRICK | {"moves": ["Li", "Na", "pass Li>K"]}], "stock_count": 4},
            "field",
            "according to the history",
        ),
        ({"turn": 2, "seat": 2, "counts": [2, 3, 2], "field": "water"}, "", ""),
        ({"known": None}, "known", "seat 1 has taken K"),
        ({"known": [[], [], []]}, "known[1]", "seat 1 has taken K"),
        ({"discard": ["Li", "Na"]}, "history[0].moves[2]", "lacks cards"),
        ({"discard": ["Li", "Li", "Na", "K", "K", "K"]}, "history[0].moves[2]", "K can't have been taken"),
        ({"counts": [2, 1, 2]}, "history[0].moves[2]", "no card left"),
        ({"history": [], "table": ["Li"], "owner": 2}, "history", "no trick"),
        (
            {
                "history": [TRICK | {"moves": ["Li", "Na", "pass", "pass"]}],
                "counts": [2, 2, 2],
                "known": [[], ["Au", "Pt"], []],
            },
            "known[1]",
            "seat 1 held 1 card when",
        ),
    ],
)  # fmt: skip
def test_histories_that_are_refused(keys: dict[str, Any], path: str, words: str) -> None:
    data = change(SEEN, **keys)
    if (
        not path
    ):  # the field changed three times more, nobody being able to lead: unlikely, but nothing is against it
        assert isinstance(parse_position(data), View)
        return
    with pytest.raises(PositionError) as found:
        parse_position(data)
    assert found.value.path == path
    assert words in found.value.message


def test_a_long_history_is_written_in_a_few_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was played through from its first move for each trick, which took longer than many a search."""
    dealt = GAME.deal(8, players=4)
    assert isinstance(dealt, KnownPosition)
    position = [*play_randomly(dealt, random.Random(1))][-2]
    goes: list[int] = []

    def counted(*arguments: Any) -> Any:
        goes.append(len(arguments))
        return played(*arguments)

    monkeypatch.setattr(aqua_regia_text, "played", counted)
    text = text_of(position)
    tricks = len(position_data(position)["history"])
    assert tricks > 5
    assert len(goes) <= 3
    assert position_data(parse_position(text)) == position_data(position)


def test_the_unseen_cards_of_a_view_are_counted_once() -> None:
    """With 11,682 cards it took 2.5 s to count them for each metal."""
    view = GAME.view(GAME.deal(8, players=4), 0)
    assert isinstance(view, View)
    assert view.unseen is view.unseen
