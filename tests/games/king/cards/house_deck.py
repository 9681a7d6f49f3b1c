"""The data of the deck that is shipped, to be changed by tests."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

TEXT = resources.files("solver.games.king").joinpath("decks", "king-house.toml").read_text(encoding="utf-8")


def data() -> dict[str, Any]:
    return tomllib.loads(TEXT)
