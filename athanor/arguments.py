"""`checked`, which checks the arguments of public functions by their annotations, as strictly as JSON is read."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from inspect import Signature

    from pydantic import TypeAdapter

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
_END = object()

_MOST_THREADS = 1024  # that one analysis may use
# Types that annotations name but their modules import only for type checkers. Others are read by the function.
_LATER = {
    "Limit": "solver.limits",
    "Others": "solver.common",
    "ProgressCallback": "solver.limits",
    "Puzzle": "puzzles.format",
    "PuzzleFile": "puzzles.format",
    "Saved": "athanor.sessions",
}


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with a check of its arguments, which raises RequestError, and names the wrong one."""

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        signature, kinds = _kinds_of(function)
        bound = signature.bind(*given, **named)
        for name, value in bound.arguments.items():
            if name in kinds:
                bound.arguments[name] = _argument(name, value, kinds[name])
        return function(*bound.args, **bound.kwargs)

    return call


def _argument(name: str, value: object, kind: TypeAdapter[Any]) -> object:
    """Check an argument and return it. The entries of an iterable are checked when the function reads them."""
    from solver.errors import RequestError
    from solver.findings import check_whole, validated

    def checked(read: Callable[[object], T], data: object) -> T:
        try:
            return validated(read, data, RequestError)
        except RequestError as error:
            raise error.under(name) from None

    found = checked(partial(kind.validate_python, strict=True), value)
    if name in (bounds := _bounds()):
        check_whole(value, name, *bounds[name])
    if type(found).__name__ != "ValidatorIterator":
        return value
    return iter(partial(checked, lambda end: next(found, end), _END), _END)


@cache
def _bounds() -> Mapping[str, tuple[int, int | None]]:
    """Return the least and the largest whole number for arguments that have the same bounds everywhere."""
    from solver.common import EXACT, SEEDS

    least = dict.fromkeys(("best", "count", "deals", "jobs", "most", "players"), 1)
    least |= dict.fromkeys(("player", "seat", "worlds"), 0)
    return {
        **{name: (low, EXACT - 1) for name, low in least.items()},
        **dict.fromkeys(("seed", "number"), (0, SEEDS - 1)),
        "threads": (1, _MOST_THREADS),
    }


@cache
def _kinds_of(function: Callable[..., Any]) -> tuple[Signature, dict[str, TypeAdapter[Any]]]:
    """Return the signature of a function, and what checks each of its arguments."""
    from inspect import Parameter, signature

    found = signature(function)
    kinds = {
        name: _adapter(eval(parameter.annotation, {}, _Names(function)))
        for name, parameter in found.parameters.items()
        if parameter.kind is not Parameter.VAR_KEYWORD
    }
    return found, kinds


def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import BaseModel, ConfigDict, TypeAdapter

    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return TypeAdapter(kind)  # it has a configuration of its own
    return TypeAdapter(kind, config=ConfigDict(arbitrary_types_allowed=True))


class _Names(Mapping[str, Any]):
    """What the names in a function's annotations mean; `Any` for a type that the function reads by itself."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._known: Mapping[str, Any] = function.__globals__

    def __getitem__(self, name: str) -> Any:
        if name in _LATER:
            return getattr(import_module(_LATER[name]), name)
        if name in self._known:
            return self._known[name]
        return getattr(builtins, name, Any)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
