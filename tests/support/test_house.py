"""The house of the tests itself."""

from __future__ import annotations

import re

from tests.support.places import ROOT

_FROM_A_TEST = re.compile(r"^\s*from tests\.(?:\w+\.)*test_\w+ import", re.M)


def test_no_test_imports_from_a_test() -> None:
    """What two files of tests need stands in a file of its own: else one cannot be moved without the other."""
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("*.py")
        if _FROM_A_TEST.search(path.read_text(encoding="utf-8"))
    ]
    assert not found
