"""What is remembered of built-in functions is what Numba finds out by itself, and nobody else is concerned."""

from __future__ import annotations

import operator
from typing import Any

import numba
import pytest
from numba import types
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

from solver.kernels.compiling.inference import remembering

ARRAY = types.Array(types.int64, 1, "C")
CALLS = [
    (operator.add, (types.int64, types.int64)),
    (operator.add, (types.int64, types.float64)),
    (operator.lshift, (types.int64, types.literal(3))),
    (operator.and_, (types.boolean, types.int64)),
    (operator.lt, (types.int64, types.literal(3))),
    (operator.add, (ARRAY, ARRAY)),
    (operator.getitem, (ARRAY, types.int64)),
    (operator.setitem, (ARRAY, types.int64, types.int64)),
    (min, (types.int64, types.int64)),
    (len, (ARRAY,)),
]

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


def call_type(function: Any, args: tuple[Any, ...]) -> Any:
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(function).get_call_type(context, args, {})


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The functions whose implementations Numba has tried."""
    found: list[Any] = []
    tries = types.BaseFunction.get_call_type

    def counted(function: Any, *args: Any) -> Any:
        found.append(function)
        return tries(function, *args)

    monkeypatch.setattr(types.BaseFunction, "get_call_type", counted)
    return found


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_what_is_remembered_is_what_numba_says(function: Any, args: tuple[Any, ...], tried: list[Any]) -> None:
    with ConfigStack().enter(Flags()):
        expected = call_type(function, args)
        with remembering():
            first = call_type(function, args)
            tried.clear()
            assert call_type(function, args) is first
            assert not tried
    assert first == expected


def test_under_other_switches_nothing_is_remembered(tried: list[Any]) -> None:
    other = Flags()
    other.boundscheck = True
    with remembering():
        for flags in (Flags(), other):
            with ConfigStack().enter(flags):
                call_type(operator.add, (types.int64, types.float32))
    assert len(tried) == 2


def test_what_has_no_implementation_is_refused_each_time(tried: list[Any]) -> None:
    with ConfigStack().enter(Flags()), remembering():
        for _ in range(2):
            with pytest.raises(numba.TypingError):
                call_type(operator.lshift, (types.float64, types.float64))
    assert len(tried) == 2


def test_numba_is_left_as_it_was() -> None:
    with remembering():
        with pytest.raises(ZeroDivisionError), remembering():
            _ = 1 / 0
        assert "get_call_type" in vars(types.Function)
    assert "get_call_type" not in vars(types.Function)
