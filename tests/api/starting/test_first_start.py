"""What `make run` compiles while packages are still being installed, and which packages that takes."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import athanor
from api import compiling
from solver import registry
from tests.support import places


def test_of_several_games_what_hints_need_is_compiled_and_no_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warmed: list[tuple[str, dict[str, bool]]] = []
    monkeypatch.setattr(compiling, "_end_with_the_parent", lambda: None)
    monkeypatch.setattr(
        registry, "game", lambda name: SimpleNamespace(warm=lambda **asked: warmed.append((name, asked)))
    )
    compiling.main("one", "two", hints_only=True)
    assert warmed == [("one", {"hints": True}), ("two", {"hints": True})]
    assert capsys.readouterr().out.split("\n") == [compiling.HINTS, compiling.HINTS, ""]


def test_the_makefile_names_games_and_pinned_packages() -> None:
    makefile = (places.ROOT / "Makefile").read_text(encoding="utf-8")
    pinned = (places.ROOT / "requirements.txt").read_text(encoding="utf-8")
    packages = re.findall(r"^COMPILING := (.*)", makefile, re.MULTILINE)[0].split("|")
    assert set(packages) <= set(re.findall(r"^([\w-]+)==", pinned, re.MULTILINE))
    assert set(re.findall(r"^run: HINTS := (.*)", makefile, re.MULTILINE)[0].split()) == set(athanor.games())
    assert "--hints $(HINTS)" in makefile
    assert compiling.HINTS_ONLY == "--hints"
