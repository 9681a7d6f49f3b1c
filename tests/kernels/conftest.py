"""What tests of kernels share."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.kernels import cache
from tests.kernels.caching import Places


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Caches of the test's own."""
    made = Places(tmp_path)
    monkeypatch.setattr(cache, "roots", lambda: made.roots)
    return made
