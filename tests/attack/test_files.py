"""Files that commands read, garbled: a few of those that `python -m tests.attack.files` reads by the thousand."""

from __future__ import annotations

from tests.attack.files import KINDS, attacked


def test_garbled_files_are_read_or_refused() -> None:
    told: list[tuple[str, str]] = []
    found = attacked(40, 7, lambda name, text: told.append((name, text)))
    assert not told
    for kind in KINDS:
        assert found[f"{kind} read"] > 0
        assert found[f"{kind} refused"] > 0
