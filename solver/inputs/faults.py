"""How a pydantic validator of ours says what is wrong: with the contract's code and path, and all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from pydantic_core import PydanticCustomError

from solver.inputs.errors import MOST_FAULTS, Fault


def fault(code: str, message: str, path: str = "") -> PydanticCustomError:
    """An error to raise inside a validator; `path` is seen from the value being validated."""
    return PydanticCustomError(code, "{message}", {"message": message, "path": path})


def refusal(faults: Iterable[Fault]) -> PydanticCustomError:
    """One error to raise inside a validator that tells of all these faults, at least one."""
    first, *others = islice(dict.fromkeys(faults), MOST_FAULTS)
    context = {"message": first.message, "path": first.path, "others": others}
    return PydanticCustomError(first.code, "{message}", context)


def refuse(faults: Iterable[Fault]) -> None:
    """Raise one error that tells of all these faults, if there are any."""
    found = list(faults)
    if found:
        raise refusal(found)


def faults_in(error: PydanticCustomError) -> Iterator[Fault]:
    """The faults that an error of `fault` or `refuse` tells of."""
    context = error.context or {}
    yield Fault(error.type, context["message"], context["path"])
    yield from context.get("others", ())


def all_of(*checks: Callable[[], object], then: Iterable[Callable[[], object]] = ()) -> None:
    """Make every check, each of which may raise a fault, and raise what all of them found.

    The checks of `then` count on every card being there and in one place; they are not made where one is not.
    """
    found: list[Fault] = []

    def make(several: Iterable[Callable[[], object]]) -> None:
        for check in several:
            try:
                check()
            except PydanticCustomError as error:
                found.extend(faults_in(error))

    make(checks)
    if not any(fault.code in ("illegal_card", "duplicate_card") for fault in found):
        make(then)
    refuse(found)
