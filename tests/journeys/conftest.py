"""What the journeys share: the example's package, installed once, and somebody who walks."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver import registry
from tests.journeys.people import Person
from tests.journeys.table import EXAMPLE
from tests.support import guests


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of the packages that commands have besides: the example's, unless it is installed anyway."""
    return [] if EXAMPLE in registry.names() else guests.install_example(tmp_path_factory.mktemp(EXAMPLE))


@pytest.fixture
def person(tmp_path: Path, installed: list[Path]) -> Person:
    return Person(tmp_path, installed)
