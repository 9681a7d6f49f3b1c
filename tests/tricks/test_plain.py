"""The ready-made plain game, with the toy game: what users send, every move of random rounds, views, records."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from solver.codec import NotationReader
from solver.common import mask
from solver.errors import MoveError, PositionError, RequestError
from solver.rounds_in_play import playing_of
from solver.tricks import moves, plain
from solver.tricks.plain import describe, points
from solver.validation import fault, validated
from tests.tricks.toy import ADAPTER, GAME, Record, Round, Toy, ToyFields, deal, toy

CHOICES = st.lists(st.integers(0, 1000), min_size=80, max_size=80)


def read(data: object) -> Round:
    return validated(ADAPTER.validate_python, data)


def error_of(data: object, **changes: object) -> tuple[str, str, str]:
    assert isinstance(data, dict)
    with pytest.raises(PositionError) as found:
        read({**data, **changes})
    return found.value.code, found.value.path, found.value.message


@st.composite
def deals(draw: st.DrawFn) -> Round:
    seats, suits = draw(st.integers(2, 5)), draw(st.integers(2, 4))
    ranks = draw(st.integers(3, 6))
    rules = toy(seats, suits, ranks, draw(st.booleans()), draw(st.booleans()))
    seed = draw(st.integers(0, 1000))
    told = {"seats": seats, "suits": suits, "ranks": ranks, "trumps": rules.trumps, "last": rules.last}
    return plain.deal(Round, rules, seed, **told)


@settings(max_examples=12)
@given(deals(), CHOICES)
def test_random_rounds_and_what_each_seat_sees_of_them(position: Round, choices: list[int]) -> None:
    rules = position.trick_rules
    state = position.state
    hands, trick, won, leader = list(position.hand_masks), [], [0] * rules.seats, 0  # type: ignore[var-annotated]
    undealt = rules.all_cards - sum(hands)
    for choice in choices:
        seat = (leader + len(trick)) % rules.seats
        legal = [card for card in range(len(rules.deck)) if rules.playable(hands[seat], trick) >> card & 1]
        assert list(GAME.legal_moves(position)) == legal == state.moves()
        assert position.state == state
        assert (state.to_move, points(state)) == (position.seat_to_move, position.points)
        assert (position.hand_masks, list(position.plays), position.past.won) == (tuple(hands), trick, tuple(won))
        assert read(position.model_dump(mode="json")) == position
        for viewer in range(rules.seats):
            view = plain.view(position, viewer)
            assert read(view.model_dump(mode="json")) == view
            assert view.unseen == sum(hands) - hands[viewer] + undealt
            assert [view.count(other) for other in range(rules.seats)] == [hand.bit_count() for hand in hands]
            assert not any(hands[other] & view.past.excluded(other) for other in range(rules.seats))
            assert list(GAME.legal_moves(view)) == (legal if viewer == seat else [])
            assert describe(view)
        assert describe(position)
        if not legal:
            break
        card = legal[choice % len(legal)]
        text = GAME.format_move(position, card)
        assert GAME.parse_move(position, f" {text} ") == card
        position = plain.play(position, card)  # type: ignore[assignment]
        state = state.after(card)
        hands[seat] &= ~(1 << card)
        trick.append(card)
        if len(trick) == rules.seats:
            place = rules.winner(trick)
            assert place is not None
            leader = (leader + place) % rules.seats
            won[leader] |= mask(trick)
            trick = []
    assert not any(hands)


@given(deals(), CHOICES, st.integers(0, 79))
def test_what_is_kept_never_outlives_a_change(position: Round, choices: list[int], stop: int) -> None:
    """Positions that were played on are as good as fresh ones, also after a pickle and after a changed field."""
    for choice in choices[:stop]:
        legal = GAME.legal_moves(position)
        if not legal:
            break
        assert position.past
        position = plain.play(position, legal[choice % len(legal)])  # type: ignore[assignment]
    fresh = read(position.model_dump(mode="json"))
    copied = pickle.loads(pickle.dumps(position))
    assert position.past == fresh.past == copied.past
    assert position == fresh == copied
    assert hash(position) == hash(fresh) == hash(copied)
    view = plain.view(position, 0)
    if len(view.tricks) > 1 and view.past.show_outs:
        untold = view.model_copy(update={"history": (), "leader": 0, "trick": ()})
        assert (untold.past.show_outs, untold.tricks, untold.past.won) == ((), (), (0,) * position.players)


def three() -> dict[str, Any]:
    """Three seats, two suits of three, seat 0 has led a1."""
    return {
        "game": "toy",
        "seats": 3,
        "suits": 2,
        "ranks": 3,
        "leader": 0,
        "trick": ["a1"],
        "hands": [["b0"], ["a2", "b1"], ["a0", "b2"]],
    }


def seen() -> dict[str, Any]:
    data = three()
    del data["hands"]
    return {**data, "trick": [], "leader": 2, "seat": 0, "hand": ["b0"], "history": [HISTORY]}


HISTORY = {"leader": 0, "cards": ["a1", "b1", "a2"]}  # seat 1 shows that it has no a


def test_what_users_get_wrong_is_named() -> None:
    known, view = three(), seen()
    assert read(known).viewer is None
    assert read(view).viewer == 0
    assert error_of(known, trick=["a9"]) == (
        "illegal_card",
        "trick[0]",
        "'a9' is not a card; cards are like a0 and b2",
    )
    assert error_of(known, hands=[["b0"], ["x", "b1"], []])[:2] == ("illegal_card", "hands[1][0]")
    assert error_of(known, won=[["?"], [], []])[:2] == ("illegal_card", "won[0][0]")
    assert error_of(known, hands=[["a1"], ["a2", "b1"], ["a0", "b2"]]) == (
        "duplicate_card",
        "trick[0]",
        "a1 is in hands[0][0] already",
    )
    assert error_of(known, leader=3) == ("out_of_range", "leader", "there is no seat 3; seats are 0 to 2")
    assert error_of(known, hands=[["b0"]])[:2] == ("wrong_size", "hands")
    assert error_of(known, won=[[]])[:2] == ("wrong_size", "won")
    assert error_of(known, trick=["a1", "a2", "a0"])[:2] == ("wrong_size", "trick")
    assert error_of(known, hands=[["b0"], ["a2"], ["a0", "b2"]]) == (
        "wrong_size",
        "hands[1]",
        "seat 1 has 1 card; judging by the other hands it should have 2",
    )
    assert error_of(known, hands=[["b0"], ["a2", "b1"], ["a0", "b2"]], history=[HISTORY])[:2] == (
        "duplicate_card",
        "history[0].cards[0]",
    )
    assert error_of(known, history=[{"leader": 3, "cards": []}])[:2] == ("out_of_range", "history[0].leader")
    assert error_of(known, extra=1)[:2] == ("unknown_key", "extra")
    assert error_of(view, seat=3)[:2] == ("out_of_range", "seat")
    assert error_of(view, hand=["b0", "b2"])[:2] == ("wrong_size", "hand")
    assert error_of(view, leader=1) == (
        "conflict",
        "leader",
        "according to the history, seat 2 leads now, not seat 1",
    )
    assert error_of(view, history=[HISTORY, HISTORY, HISTORY])[:2] == ("wrong_size", "history")
    assert error_of(view, seat=1, hand=["a0"]) == (
        "illegal_play",
        "history[0].cards[1]",
        "seat 1 could not play b1 to a1: a0 in hand had to follow",
    )
    past = {**three(), "trick": [], "leader": 2, "history": [HISTORY], "hands": [["b0"], ["a0"], ["b2"]]}
    assert error_of(past)[:2] == ("illegal_play", "history[0].cards[1]")
    right = {**past, "hands": [["a0"], ["b0"], ["b2"]]}
    assert read(right).viewer is None
    assert error_of(right, won=[["a1"], [], []]) == (
        "conflict",
        "won[0][0]",
        "according to the history, seat 0 has not won a1",
    )
    assert read({**right, "won": [[], [], ["a1"]]}).past.won == (0, 0, 0b10110)


def test_moves_that_are_not_legal_say_why() -> None:
    position = read(three())
    view = read({**seen(), "history": [], "hand": ["b0", "b2"], "leader": 1})

    def why(position: Round, text: str) -> str:
        with pytest.raises(MoveError) as found:
            GAME.parse_move(position, text)
        assert found.value.code == "illegal_move"
        return found.value.message

    assert why(position, "zz") == "'zz' is not a card; cards are like a0 and b2"
    assert why(position, "b0") == "seat 1 does not hold b0"
    assert why(position, "b1") == "b1 may not be played to a1: seat 1 must follow with a2"
    assert why(view, "b0") == "seat 1 is to move, not seat 0"
    over = {**three(), "trick": [], "hands": [[], [], []]}
    assert why(read(over), "b0") == "the round is over"
    leading = {
        **three(),
        "trick": [],
        "last": True,
        "leader": 1,
        "hands": [["b0", "a1"], ["a2", "b1"], ["a0", "b2"]],
    }
    assert why(read(leading), "a2") == "a2 may not be led: seat 1 must lead b1"


def test_a_lead_shows_what_is_not_in_the_hand_where_the_rules_restrict_leads() -> None:
    told = {**seen(), "last": True, "hand": ["a0"], "history": [{"leader": 0, "cards": ["a1", "b0", "a2"]}]}
    follower = Round.model_validate({**told, "seat": 1, "hand": ["b1"]})
    assert moves.possible(follower) == ["b2"]  # seat 0 has a0
    assert error_of(told, hand=["b1"]) == (
        "illegal_play",
        "history[0].cards[0]",
        "seat 0 could not lead a1: b1 in hand could be led",
    )
    assert error_of(told, seat=1, hand=["b1"], trick=["a0"]) == (
        "conflict",
        "history",
        "no deal agrees with this: seat 0 must hold 1 card, but after these plays only these unseen cards can be "
        "there: none; the plays: a1 (history[0].cards[0])",
    )
    first = Round.model_validate({**told, "history": [], "leader": 1, "hand": ["a0", "a1"]})
    assert moves.possible(first) == ["b0", "b1", "b2"]  # nobody can hold a2 and nothing else


def test_questions_that_cannot_be_asked() -> None:
    position, view = read(three()), read(seen())

    def refused(ask: Any, *arguments: Any) -> tuple[str, str]:
        with pytest.raises(RequestError) as found:
            ask(*arguments)
        return found.value.code, found.value.path

    assert plain.as_known(position) is position
    assert moves.as_view(view) is view
    assert (moves.asks(view), "analyze" in moves.asks(position)) == (frozenset({"hint"}), True)
    assert refused(plain.as_known, view) == ("hidden_cards", "hand")
    assert refused(moves.as_view, position) == ("all_known", "hands")
    assert refused(plain.play, view, 0) == ("hidden_cards", "hand")
    assert refused(plain.view, position, 3) == ("out_of_range", "seat")
    assert refused(plain.view, view, 1) == ("hidden_cards", "seat")
    assert plain.view(view, 0) is view
    assert plain.view(position, 0)  # all hands are whole: nothing was played before
    later = read({**three(), "hands": [[], ["a2"], ["a0"]]})
    assert refused(plain.view, later, 0) == ("missing_key", "history")
    longer = {
        "game": "toy",
        "seats": 2,
        "suits": 1,
        "ranks": 5,
        "leader": 0,
        "hands": [["a0", "a1"], ["a2", "a3"]],
    }
    assert plain.view(read(longer), 0)
    assert refused(plain.view, read({**longer, "won": [["a4"], []]}), 0) == ("missing_key", "history")
    assert refused(lambda: GAME.deal(0, players=6)) == ("out_of_range", "players")
    assert refused(lambda: deal(0, variant="x")) == ("unknown_value", "variant")


def test_deals_are_the_same_for_ever_and_differ() -> None:
    assert deal(3) == deal(3)
    assert deal(3, number=1) != deal(3) != deal(4)
    position = deal(3, players=4)
    assert [hand.bit_count() for hand in position.hand_masks] == [3] * 4
    assert sum(position.hand_masks) == position.trick_rules.all_cards


def test_a_match_is_played_and_scored() -> None:
    """Through the face alone, as `athanor play` does."""
    assert not [
        fault for fault in GAME.missing() if not any(room in fault for room in (".analyze", ".search", ".hint"))
    ]
    rounds: list[Any] = []
    while not rounds or not playing_of(GAME).finished(rounds):
        now = playing_of(GAME).opening(7, number=len(rounds), players=None, variant="trumps", before=rounds)
        assert now.to_move == len(rounds)
        told = []
        while now.to_move is not None:
            move = now.moves()[-1]
            assert now.move_of(move) == move
            told.append(now.announcement(move))
            now = now.play(move)
        assert sum("the trick goes to" in text for text in told) == 4
        rounds.append(now)
    record = playing_of(GAME).record(rounds)
    assert isinstance(record, Record)
    answer = GAME.score(record)
    data = answer.to_dict()
    assert data["finished"]
    assert [sum(scores) for scores in data["rounds"]] == [4, 4]
    assert data["rounds"][0] == list(rounds[0].position.points)
    assert data["winners"] == [s for s in range(3) if data["totals"][s] == max(data["totals"])]
    assert GAME.score(record.model_copy(update={"rounds": record.rounds[:1]})).to_dict()["winners"] is None


def test_records_are_checked() -> None:
    adapter = TypeAdapter(Record)
    whole = {"game": "toy", "seats": 2, "suits": 1, "ranks": 4}

    def refused(rounds: list[Any]) -> tuple[str, str]:
        with pytest.raises(PositionError) as found:
            validated(adapter.validate_python, {**whole, "rounds": rounds})
        return found.value.code, found.value.path

    good = {"won": [["a0", "a1", "a2", "a3"], []]}
    assert validated(adapter.validate_python, {**whole, "rounds": [good]}).rounds
    assert refused([good] * 3) == ("wrong_size", "rounds")
    assert refused([{"won": [[]]}]) == ("wrong_size", "rounds[0].won")
    assert refused([{"won": [["a0", "a1"], []]}]) == ("wrong_size", "rounds[0].won")
    assert refused([{"won": [["a0", "a1", "a2"], ["a3"]]}]) == ("wrong_size", "rounds[0].won[0]")
    assert refused([{"won": [["a0", "a1"], ["a0", "a3"]]}]) == ("duplicate_card", "rounds[0].won[1][0]")
    assert refused([{"won": [["a0", "x"], ["a0", "a3"]]}]) == ("illegal_card", "rounds[0].won[0][1]")


# ----------------------------------------------------------------------------------------------------
# A game's own errors are for its author to see, not for the user to mend.


WITH_NOTATION: TypeAdapter[Round] = TypeAdapter(Annotated[Round, NotationReader(plain.notation(GAME), Round)])


def broken(error: Exception) -> Callable[..., Any]:
    def fail(*_arguments: object) -> Any:
        raise error

    return fail


@pytest.mark.parametrize("adapter", [ADAPTER, WITH_NOTATION])
@pytest.mark.parametrize("error", [KeyError("x"), AttributeError("x"), ValueError("x"), AssertionError("x")])
@pytest.mark.parametrize("part", ["trick_rules", "winner", "playable", "after"])
def test_an_error_in_a_games_rules_is_seen(
    adapter: Any, error: Exception, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = broken(error)
    if part == "trick_rules":
        monkeypatch.setattr(ToyFields, part, property(fail))
    else:
        monkeypatch.setattr(Toy, part, fail)
    with pytest.raises((type(error), RuntimeError)) as found:
        validated(adapter.validate_python, seen())
    assert error in (found.value, found.value.__cause__)
    if isinstance(error, ValueError | AssertionError):
        expected = f"a check of toy failed: {type(error).__name__}: x; to refuse the input, it must raise"
        assert str(found.value).startswith(expected) or found.value is error


def test_rules_that_refuse_fields_blame_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = broken(fault("out_of_range", "too many suits", "suits"))
    monkeypatch.setattr(ToyFields, "trick_rules", property(refusing))
    for wrong, code in (({}, "out_of_range"), ({"suits": "x"}, "wrong_type")):
        with pytest.raises(PositionError) as found:
            validated(WITH_NOTATION.validate_python, seen() | wrong)
        assert (found.value.code, found.value.path) == (code, "suits")
