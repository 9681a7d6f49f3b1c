"""Where files lie that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
PLAYTHROUGHS = ROOT / "tests" / "playthroughs"
COLLECTION = ROOT / "puzzles" / "collection"
