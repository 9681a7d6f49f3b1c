"""The kinds of a kernel's arguments, for which its machine code is specialized, and the check that they fit.

Every integer is taken as an int64, and every floating-point number as a float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from types import FunctionType
from typing import Any

import numpy as np

INTEGER, FLOAT, BOOLEAN = "int64", "float64", "bool"

# The flags of a NumPy array that are compiled in: C and Fortran order, aligned, writeable.
C_ORDER, FORTRAN_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400
_FLAGS = C_ORDER | FORTRAN_ORDER | ALIGNED | WRITEABLE

_NUMBERS: dict[type, str] = {
    **dict.fromkeys((int, np.int8, np.int16, np.int32, np.int64), INTEGER),
    **dict.fromkeys((np.uint8, np.uint16, np.uint32, np.uint64), INTEGER),
    **dict.fromkeys((float, np.float32, np.float64), FLOAT),
    **dict.fromkeys((bool, np.bool_), BOOLEAN),
}
_ndarray = np.ndarray


def kind(value: Any) -> Any:
    """Return the kind of an argument: a string for a number, a tuple for an array or a tuple.

    The kind of an array is its dtype, number of dimensions and flags; that of a tuple is its class and the kinds
    of its fields. Raises TypeError for other types.
    """
    of = type(value)
    if of is _ndarray:
        return value.dtype, value.ndim, value.flags.num & _FLAGS
    number = _NUMBERS.get(of)
    if number is not None:
        return number
    if isinstance(value, tuple):
        return (of, *map(kind, value))
    if isinstance(value, _ndarray):
        return value.dtype, value.ndim, value.flags.num & _FLAGS
    raise TypeError(f"a kernel takes numbers, arrays and tuples of them, not {of.__name__}")


def order(flags: int) -> str:
    """Return the memory layout of an array as Numba's letter: C, F or A."""
    return "C" if flags & C_ORDER else "F" if flags & FORTRAN_ORDER else "A"


def text(kind: Any) -> str:
    """Return an argument's kind (see `kind`) as text that is the same in every process."""
    if isinstance(kind, str):
        return kind
    first, *rest = kind
    if isinstance(first, type):
        fields = getattr(first, "_fields", ())
        return f"{first.__module__}.{first.__qualname__}{fields}({', '.join(map(text, rest))})"
    dimensions, flags = rest
    dtype = first.str if first.names is None else f"{first!r}{first.fields!r}"
    return f"{dtype}{dimensions}{order(flags)}{'' if flags & WRITEABLE else 'r'}{'' if flags & ALIGNED else 'u'}"


def guarded(
    python: FunctionType, kinds: tuple[Any, ...], run: Callable[..., Any], other: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a function that calls `run` if its arguments certainly have these kinds, and `other` otherwise.

    It has the parameters and defaults of `python`. It runs in every call of a kernel, so it is generated for these
    kinds: computing the kind of each argument would take three times as long.
    """
    names = python.__code__.co_varnames[: python.__code__.co_argcount]
    known: dict[str, Any] = {"_run": run, "_other": other, "_type": type, "_numbers": _NUMBERS, "_array": _ndarray}
    numbers = count()

    def constant(value: Any) -> str:
        name = f"_{next(numbers)}"
        known[name] = value
        return name

    def conditions(place: str, kind: Any) -> Iterator[str]:
        if isinstance(kind, str):
            usual = {INTEGER: int, FLOAT: float, BOOLEAN: bool}[kind]
            yield f"(_type({place}) is {constant(usual)} or _numbers.get(_type({place})) == {kind!r})"
            return
        first, *rest = kind
        if isinstance(first, type):
            yield f"_type({place}) is {constant(first)} and len({place}) == {len(rest)}"
            for index, field in enumerate(rest):
                yield from conditions(f"{place}[{index}]", field)
            return
        dimensions, flags = rest
        yield f"_type({place}) is _array and {place}.dtype is {constant(first)} and {place}.ndim == {dimensions}"
        yield f"{place}.flags.num & {_FLAGS} == {flags}"

    tests = " and ".join(test for pair in zip(names, kinds, strict=True) for test in conditions(*pair)) or "True"
    given = ", ".join(names)
    made: Callable[..., Any] = eval(f"lambda {given}: _run({given}) if {tests} else _other({given})", known)
    made.__defaults__ = python.__defaults__
    return made
