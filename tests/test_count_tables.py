"""The committed move-count tables are what the references count."""

from __future__ import annotations

from tests import count_tables


def test_tables_are_what_the_references_count() -> None:
    for name, text in count_tables.files():
        assert (count_tables.FOLDER / name).read_text(encoding="utf-8") == text, name
