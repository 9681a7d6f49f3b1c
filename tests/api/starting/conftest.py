"""Games and a compiler that are none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.starting.games import Compiler, Games


@pytest.fixture
def games() -> Games:
    return Games()


@pytest.fixture
def compiler(games: Games) -> Iterator[Compiler]:
    compiler = Compiler(games)
    yield compiler
    compiler.end()
