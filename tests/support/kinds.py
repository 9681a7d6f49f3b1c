"""Values of one kind, for tests that go on with what only this kind has."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def of_kind(kind: type[T], found: object) -> T:
    """The value itself, which must be of this kind."""
    assert isinstance(found, kind), found
    return found
