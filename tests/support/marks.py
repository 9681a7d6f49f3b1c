"""Where tests run."""

from __future__ import annotations

import pytest

from solver.kernels.machine import OFF

in_python = pytest.mark.skipif(not OFF, reason="to compile it takes longer than to run it: with the JIT off alone")


def runs_nowhere(item: pytest.Item) -> bool:
    """Whether a test is left out with the JIT off, being of Python alone, and everywhere else, too."""
    marks = list(item.iter_markers())
    return in_python.mark in marks and any(mark.name in ("plain", "covered") for mark in marks)
