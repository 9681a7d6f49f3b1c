"""What the benchmarks share: kernels are compiled before anything is timed."""

from __future__ import annotations

import pytest

from solver import registry


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    registry.game("alchemy").warm()
