"""Models of positions: what is worked out once is kept, and never outlives a change of what it was made from."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from functools import cached_property

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from solver.tricks.positions import Model, check_entries, check_seat, places, refuse_doubles, spread, without

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
