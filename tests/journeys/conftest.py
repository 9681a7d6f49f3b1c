"""What the journeys share: the example's package, installed once, and somebody who walks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from solver import registry
from tests.journeys.people import BRIEFLY, Person, serving
from tests.journeys.starting import Starter
from tests.page.conftest import visit, windows
from tests.support import guests

__all__ = ["visit", "windows"]  # fixtures


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of the packages that commands have besides: the examples', unless they are installed anyway."""
    lacking = [name for name in guests.EXAMPLES if name not in registry.names()]
    return guests.name_examples(tmp_path_factory.mktemp("examples"), lacking)


@pytest.fixture(scope="session")
def starter(installed: list[Path]) -> Iterator[Starter]:
    starter = Starter(installed)
    yield starter
    starter.stop()


@pytest.fixture
def person(tmp_path: Path, installed: list[Path], starter: Starter) -> Person:
    return Person(tmp_path, installed, starter)


@pytest.fixture(scope="package")
def site(browser: object, installed: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that somebody has started who thinks briefly; without a browser none is."""
    operator = Person(tmp_path_factory.mktemp("operator"), installed)
    with serving(operator, **BRIEFLY) as address:
        yield address
