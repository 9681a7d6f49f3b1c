"""Games and a compiler that are none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from api.starting import warming
from tests.api.starting.games import Compiler, Games, loading


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Games:
    games = Games()

    class Game:
        def __init__(self, name: str) -> None:
            self.name = name

        def warm(self, *, hints: bool = False) -> None:
            games.warm(self.name, hints)

    class Loading:
        def __enter__(self) -> None:
            loading.only = True

        def __exit__(self, *_: object) -> None:
            loading.only = False

    monkeypatch.setattr(warming, "loading_only", Loading)
    monkeypatch.setattr("athanor.game", Game)
    return games


@pytest.fixture
def compiler(games: Games) -> Iterator[Compiler]:
    compiler = Compiler(games)
    yield compiler
    compiler.end()
