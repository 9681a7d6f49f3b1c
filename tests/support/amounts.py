"""The type of the fixture `amount`: how many of so many cases to test, fewer where the JIT is off."""

from __future__ import annotations

from collections.abc import Callable

Amount = Callable[[int], int]
