"""Positions of games of tricks: what they keep once it is worked out, and their histories."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from solver import registry
from solver.common import Random, mask, members
from solver.errors import PositionError, RequestError
from solver.games.aqua_regia import keys as aqua_regia
from solver.games.aqua_regia.text import INFERRED
from solver.positions import parse_position, parse_record, position_data, text_of
from solver.tricks.plain import State
from solver.tricks.positions import (
    Model,
    Past,
    ShowOut,
    check_deal_exists,
    check_entries,
    check_seat,
    places,
    refuse_doubles,
    replay,
    spread,
    without,
)
from solver.tricks.rules import Trick
from tests.support.games import AGAINST_OTHERS
from tests.tricks.toy import Toy, whole_round

COUNTS: Counter[str] = Counter()


class Sum(Model):
    numbers: tuple[int, ...]
    name: str = ""

    @cached_property
    def total(self) -> int:
        COUNTS["total"] += 1
        return sum(self.numbers)


def test_what_is_worked_out_is_kept() -> None:
    COUNTS.clear()
    model = Sum(numbers=(1, 2))
    assert (model.total, model.total) == (3, 3)
    assert COUNTS["total"] == 1


def test_a_copy_with_other_fields_works_it_out_anew() -> None:
    model = Sum(numbers=(1, 2))
    assert model.total == 3
    changed = model.model_copy(update={"numbers": (4, 5)})
    assert (changed.total, model.total) == (9, 3)
    assert model.model_copy(update={"name": "x"}).total == 3
    assert model.model_copy().total == copy.copy(model).total == copy.deepcopy(model).total == 3


def test_what_is_worked_out_is_no_part_of_the_value() -> None:
    fresh, used = Sum(numbers=(1, 2)), Sum(numbers=(1, 2))
    assert used.total == 3
    assert fresh == used
    assert hash(fresh) == hash(used)
    assert repr(fresh) == repr(used)
    assert fresh.model_dump() == used.model_dump() == {"numbers": (1, 2), "name": ""}
    union: TypeAdapter[object] = TypeAdapter(int | Sum | list[Sum])
    assert union.dump_json(used) == union.dump_json(fresh) == used.model_dump_json().encode()
    assert union.dump_python([used]) == [fresh.model_dump()]


def test_pickles_do_not_take_it_along() -> None:
    used = Sum(numbers=(1, 2))
    assert used.total == 3
    assert pickle.dumps(used) == pickle.dumps(Sum(numbers=(1, 2)))
    COUNTS.clear()
    again = pickle.loads(pickle.dumps(used))
    assert again == used
    assert again.total == 3
    assert COUNTS["total"] == 1


def test_models_are_closed_and_frozen() -> None:
    with pytest.raises(ValidationError):
        Sum(numbers=(), other=1)  # type: ignore[call-arg]
    with pytest.raises(ValidationError):
        Sum(numbers=()).name = "y"  # type: ignore[misc]


def message(fault: pytest.ExceptionInfo[PydanticCustomError]) -> tuple[str, str, str]:
    context = fault.value.context
    assert context is not None
    return fault.value.type, context["path"], context["message"]


def test_a_card_in_two_places_is_named_with_both() -> None:
    where = [*spread("hands", [["a", "b"], ["c"]]), *places("trick", ["b"])]
    with pytest.raises(PydanticCustomError) as found:
        refuse_doubles(where)
    assert message(found) == ("duplicate_card", "trick[0]", "b is in hands[0][1] already")
    refuse_doubles(where[:-1])
    with pytest.raises(PydanticCustomError) as found:
        refuse_doubles(places("cards", [7, 7]), lambda card: f"number {card}")
    assert message(found) == ("duplicate_card", "cards[1]", "number 7 is in cards[0] already")


def test_seats_and_entries() -> None:
    check_seat(2, 3, "leader")
    check_entries([1, 2, 3], 3, "won")
    with pytest.raises(PydanticCustomError) as found:
        check_seat(3, 3, "leader")
    assert message(found) == ("out_of_range", "leader", "there is no seat 3; seats are 0 to 2")
    with pytest.raises(PydanticCustomError) as found:
        check_entries([1], 3, "won")
    assert message(found) == ("wrong_size", "won", "there are 3 players, but won has 1 entry")


def test_a_card_put_down_leaves_its_hand_alone() -> None:
    assert without((("a", "b"), ("a",)), 0, "a") == (("b",), ("a",))


# ----------------------------------------------------------------------------------------------------
# What positions keep once it is worked out: as good as afresh after moves, copies and pickles.


GAMES = AGAINST_OTHERS


def kept_by(kind: type[BaseModel]) -> list[str]:
    """The names of what a kind of position keeps."""
    return [name for name in dir(kind) if isinstance(getattr(kind, name, None), cached_property)]


def played(name: str, seed: int, moves: int) -> BaseModel:
    """A position after random moves, everything that it keeps worked out on the way."""
    game, random = registry.game(name), Random(seed)
    position = game.deal(seed)
    for _ in range(moves):
        legal = game.legal_moves(position)
        if not legal:
            break
        values_of(position)
        position = game.play(position, legal[random.below(len(legal))])
    return position


def values_of(position: BaseModel) -> dict[str, Any]:
    return {name: getattr(position, name) for name in kept_by(type(position))}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_kept_is_as_good_as_afresh(name: str) -> None:
    for seed in range(12):
        known = played(name, seed, 3 * seed)
        try:
            views = [registry.game(name).view(known, seat) for seat in range(3)]
        except RequestError:  # the game is over
            continue
        for position in (known, *views):
            fresh = parse_position(position_data(position))
            assert "past" in values_of(position) or name == "aqua-regia"
            assert position == fresh
            assert values_of(position) == values_of(fresh) == values_of(pickle.loads(pickle.dumps(position)))
            assert position == fresh == pickle.loads(pickle.dumps(position))
            assert hash(position) == hash(fresh)
            assert values_of(position.model_copy()) == values_of(fresh)


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_copy_forgets_what_was_kept(name: str) -> None:
    """A copy with fewer tricks told works out its past from those."""
    view = registry.game(name).view(played(name, 5, 20), 0)
    told = view.history  # type: ignore[attr-defined]
    assert told
    values_of(view)
    changed = view.model_copy(update={"history": ()})
    assert not changed.__dict__.keys() & set(kept_by(type(view)))
    assert set(kept_by(type(view))) <= {*view.__dict__}
    assert changed != view


def steps_of(position: Any) -> int:
    """The number of finished tricks in a position's history; in Aqua Regia, of its moves."""
    return sum(len(getattr(trick, "moves", "1")) for trick in position.history or ())


def data_given(position: BaseModel) -> dict[str, Any]:
    """A position as data, without what follows from its history."""
    inferred = INFERRED if steps_of(position) else ()
    data = {key: value for key, value in position_data(position).items() if key not in inferred}
    return data if data["game"] == "kirin" else data | {"players": position.players}  # type: ignore[attr-defined]


def data_remembered(position: BaseModel) -> dict[str, Any]:
    """The position as data, but with the last two tricks alone."""
    data = position_data(position)
    return data | {"history": data.get("history", [])[-2:], "gone": []}


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by an entry for each finished trick (in Aqua Regia, for each move) that is replayed."""
    found: list[object] = []

    def count(kind: type, name: str) -> None:
        inner = getattr(kind, name)

        def counted(self: object, *arguments: object) -> object:
            found.append(arguments)
            return inner(self, *arguments)

        monkeypatch.setattr(kind, name, counted)

    count(Past, "after")
    count(aqua_regia.Replay, "move")
    return found


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spelled", [text_of, position_data, data_given, data_remembered])
def test_each_trick_is_replayed_once(name: str, spelled: Callable[[BaseModel], Any], steps: list[object]) -> None:
    """To read a position, and for its moves, its description, and what a hint asks of a view."""
    game = registry.game(name)
    if spelled is data_remembered and "gone" not in game.notation.values:
        pytest.skip("nobody says what is gone in this game, with the last tricks alone")
    for moves in range(4, 31, 5):
        known: Any = played(name, 3, moves)
        views = [game.view(known, seat) for seat in range(2)] if game.legal_moves(known) else []
        for position in views if spelled is data_remembered else (known, *views):
            sent = spelled(position)
            steps.clear()
            read: Any = parse_position(sent)
            game.legal_moves(read)
            game.describe(read)
            for seat in range(read.players) if "hand" in read.model_fields_set and name != "aqua-regia" else ():
                assert read.excluded(seat) >= 0
            most = steps_of(read)
            if name == "kirin" and spelled is data_remembered:  # the first trick may have had either direction
                most *= 2
            assert steps_of(read) <= len(steps) <= most
            assert spelled is data_remembered or steps_of(read) == steps_of(position)


def test_each_trick_of_a_record_is_replayed_once(steps: list[object]) -> None:
    end: Any = played("kirin", 3, 99)
    round_ = {key: position_data(end)[key] for key in ("declared", "history")}
    for record in ({"game": "kirin", "rounds": [round_, round_]}, {"game": "kirin", "rounds": [round_]}):
        read: Any = parse_record(record)
        text = text_of(read)
        steps.clear()
        assert parse_record(record) == read
        assert len(steps) == 8 * len(read.rounds)
        steps.clear()
        assert parse_record(text) == read
        assert len(steps) == 8 * len(read.rounds)


def test_a_replay_is_kept_only_by_the_position_that_it_is_of() -> None:
    """The players as the totals have them are not those of the hands, which count."""
    view = registry.game("king").view(played("king", 3, 12), 0)
    data = position_data(view)
    assert parse_position(data) == view
    with pytest.raises(PositionError) as found:
        parse_position(data | {"totals": [0, 0, 0]})
    assert [fault.path for fault in found.value.faults] == ["totals"]


# ----------------------------------------------------------------------------------------------------
# Histories of a toy game: legal ones pass and tell who is void, revokes are found; Hall's theorem.


CHOICES = st.lists(st.integers(0, 100), min_size=60, max_size=60)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Toy, list[int], list[Trick[int]]]:
    """Rules, full hands, and the tricks of a round played from them."""
    seats = draw(st.integers(2, 5))
    rules = Toy(seats, draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.booleans()), draw(st.booleans()))
    size = len(rules.deck) // seats
    assume(size)
    cards = draw(st.permutations(range(len(rules.deck))))
    hands = [mask(cards[size * seat : size * (seat + 1)]) for seat in range(seats)]
    tricks = whole_round(rules, hands, draw(CHOICES))
    return rules, hands, [Trick(leader, plays, f"history[{n}].cards") for n, (leader, plays) in enumerate(tricks)]


def start(rules: Toy) -> Past[int, Toy]:
    return Past(rules, 0, (0,) * rules.seats)


@given(rounds(), st.integers(0, 40))
def test_what_is_played_by_the_rules_is_replayed(
    played: tuple[Toy, list[int], list[Trick[int]]], cut: int
) -> None:
    rules, hands, tricks = played
    past = replay(start(rules), tricks[:cut]).end
    left = list(hands)
    for trick in tricks[:cut]:
        for seat, card, _ in trick.by_seat(rules.seats):
            left[seat] &= ~(1 << card)
    assert sum(past.won) == mask(card for trick in tricks[:cut] for card in trick.plays)
    assert past.leader == (tricks[cut].leader if cut < len(tricks) else past.leader)
    for seat, hand in enumerate(left):
        assert not past.excluded(seat) & hand
        past.check_may_hold(seat, members(hand), lambda: "in hand")
    unseen = sum(left[1:])
    check_deal_exists(past, unseen, {seat: left[seat].bit_count() for seat in range(1, rules.seats)})


@given(rounds())
def test_voids_are_those_of_the_suits_not_followed_or_not_led(
    played: tuple[Toy, list[int], list[Trick[int]]],
) -> None:
    rules, _, tricks = played
    past = replay(start(rules), tricks).end
    voids = [0] * rules.seats
    for trick in tricks:
        if rules.last and rules.suit(trick.plays[0]) == 0:
            voids[trick.leader] |= rules.all_cards & ~rules.of_suit(0)
        for seat, card, _ in trick.by_seat(rules.seats):
            if rules.suit(card) != rules.suit(trick.plays[0]):
                voids[seat] |= rules.of_suit(rules.suit(trick.plays[0]))
    assert [past.excluded(seat) for seat in range(rules.seats)] == voids


@given(rounds(), st.integers(0, 40), st.integers(0, 4), st.integers(0, 4))
def test_two_cards_changed_about_are_a_revoke_or_another_history(
    played: tuple[Toy, list[int], list[Trick[int]]], which: int, seat: int, other: int
) -> None:
    """Cards of one seat changed about between two tricks: refused just where a card then fails to follow."""
    rules, hands, tricks = played
    first, second = which % len(tricks), (which + 1 + other) % len(tricks)
    seat %= rules.seats
    changed = [list(trick.plays) for trick in tricks]
    at = [(seat - trick.leader) % rules.seats for trick in tricks]
    changed[first][at[first]], changed[second][at[second]] = changed[second][at[second]], changed[first][at[first]]
    again = [Trick(trick.leader, tuple(plays), trick.path) for trick, plays in zip(tricks, changed, strict=True)]
    left, legal = list(hands), True
    for trick in again:
        for place, (player, card, _) in enumerate(trick.by_seat(rules.seats)):
            legal &= bool(rules.playable(left[player], trick.plays[:place]) >> card & 1)
            left[player] &= ~(1 << card)
        place_won = rules.winner(trick.plays)
        assert place_won is not None
        following = again[again.index(trick) + 1 :]
        legal &= not following or following[0].leader == (trick.leader + place_won) % rules.seats
    if legal:
        assert replay(start(rules), again).end
    else:
        with pytest.raises(PydanticCustomError):
            _ = replay(start(rules), again).end


def said(error: PydanticCustomError) -> tuple[str, str]:
    """The path and the message of a fault."""
    context = error.context or {}
    return context["path"], context["message"]


def test_messages_name_the_play_and_the_card_that_had_to_follow() -> None:
    rules = Toy(3, 2, 3)
    first = Trick(0, (0, 3, 1), "history[0].cards")  # seat 1 plays b0 to a0
    past = replay(start(rules), [first]).end.with_plays(Trick(2, (4, 5), "trick"))
    with pytest.raises(PydanticCustomError) as found:
        past.check_may_hold(1, [2], lambda: "in hand")
    assert said(found.value) == ("history[0].cards[1]", "seat 1 could not play b0 to a0: a2 in hand had to follow")
    with pytest.raises(PydanticCustomError) as found:
        _ = replay(start(rules), [first, Trick(0, (5, 4, 2), "history[1].cards")]).end
    assert said(found.value) == ("history[1].leader", "seat 2 leads trick 2, not seat 0")
    with pytest.raises(PydanticCustomError) as found:
        _ = replay(start(rules), [Trick(0, (0, 3), "history[0].cards")]).end
    assert said(found.value) == ("history[0].cards", "a trick has 3 cards, not 2")


@given(
    st.lists(st.integers(0, 63), min_size=1, max_size=3),
    st.lists(st.integers(0, 4), min_size=3, max_size=3),
    st.integers(0, 63),
)
def test_halls_theorem_agrees_with_trying_every_deal(excluded: list[int], sizes: list[int], unseen: int) -> None:
    rules = Toy(4, 2, 3)
    show_outs = tuple(
        ShowOut(seat, 0, 0, cards, rules, f"trick[{seat}]") for seat, cards in enumerate(excluded, 1) if cards
    )
    past = Past(rules, 0, (0,) * 4, 0, show_outs)
    counts = {seat: sizes[seat - 1] for seat in range(1, 1 + len(excluded))}

    def can_deal(seats: list[int], left: int) -> bool:
        if not seats:
            return True
        allowed = list(members(left & ~past.excluded(seats[0])))
        return any(can_deal(seats[1:], left & ~mask(hand)) for hand in combinations(allowed, counts[seats[0]]))

    if can_deal(list(counts), unseen):
        check_deal_exists(past, unseen, counts)
    else:
        with pytest.raises(PydanticCustomError) as found:
            check_deal_exists(past, unseen, counts)
        assert found.value.type == "conflict"


def test_a_card_played_later_is_held_against_an_earlier_play() -> None:
    rules = Toy(3, 2, 3)
    past = replay(start(rules), [Trick(0, (0, 3, 1), "history[0].cards")]).end
    with pytest.raises(PydanticCustomError) as found:
        past.with_plays(Trick(2, (4, 5, 2), "trick"))
    message = "seat 1 could not play b0 to a0: a2 (later trick[2]) had to follow"
    assert said(found.value) == ("history[0].cards[1]", message)


@dataclass(frozen=True)
class Turning(Toy):
    """Trumps come and go from trick to trick, and a trick without the suit led but for the lead is nobody's."""

    def winner(self, trick: Sequence[int]) -> int | None:
        alone = sum(self.suit(card) == self.suit(trick[0]) for card in trick) == 1
        return None if alone else super().winner(trick)

    def after(self, trick: Sequence[int]) -> Turning:
        return replace(self, trumps=not self.trumps)


@given(rounds())
def test_rules_that_tricks_change_and_tricks_that_nobody_takes(
    played: tuple[Toy, list[int], list[Trick[int]]],
) -> None:
    toy, hands, _ = played
    rules = Turning(toy.seats, toy.suits, toy.ranks, toy.trumps)
    now = State(rules, tuple(hands), 0, (), (0,) * toy.seats)
    past: Past[int, Turning] = Past(rules, 0, (0,) * toy.seats)
    for number in range(rules.hand_size):
        leader, plays = now.leader, []
        for _ in range(toy.seats):
            plays.append(now.moves()[0])
            now = now.after(plays[-1])
        past = replay(past, [Trick(leader, tuple(plays), f"history[{number}].cards")]).end
        assert past.rules == now.rules
        assert past.rules.trumps == (toy.trumps != (number % 2 == 0))
        assert (past.leader, past.won) == (now.leader, now.won)
        assert sum(past.won) + past.discarded == sum(hands) - sum(now.hands)
