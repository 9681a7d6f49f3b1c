"""Where tests of training run."""

from __future__ import annotations

import pytest

from solver.kernels.switches import OFF

in_python = pytest.mark.skipif(not OFF, reason="to compile what plays rounds takes half a minute")
