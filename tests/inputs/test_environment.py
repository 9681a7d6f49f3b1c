"""What users set in the environment is read strictly, and refused by its name."""

from __future__ import annotations

import os

import pytest

from solver.errors import RequestError, whole_number
from solver.search.team import search_threads


def test_a_number_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATHANOR_X", raising=False)
    assert whole_number("ATHANOR_X", 1, 9) is None
    monkeypatch.setenv("ATHANOR_X", "9")
    assert whole_number("ATHANOR_X", 1, 9) == 9


@pytest.mark.parametrize("text", ["", "junk", "0", "-1", "1.5", "²", "1000001", "9" * 5000, " 1"])
def test_threads_that_are_no_number(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ATHANOR_THREADS", text)
    with pytest.raises(RequestError, match="ATHANOR_THREADS must be a number from 1 to 1000000, not ") as found:
        search_threads()
    assert len(found.value.message) < 120


def test_threads_are_no_more_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_THREADS", "1")
    assert search_threads() == 1
    monkeypatch.setenv("ATHANOR_THREADS", "64")
    assert search_threads() == (os.cpu_count() or 1)
