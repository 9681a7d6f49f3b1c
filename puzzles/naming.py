"""Titles of puzzles that are made: two words that name a puzzle and say nothing about its solution."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from solver.language import joined

CREATURES = (
    "Badger", "Bear", "Bee", "Boar", "Carp", "Cat", "Crane", "Cricket", "Crow", "Deer", "Dove", "Eagle", "Firefly",
    "Fox", "Frog", "Hare", "Heron", "Horse", "Lark", "Lion", "Moth", "Otter", "Owl", "Peacock", "Salamander",
    "Snail", "Snake", "Spider", "Squirrel", "Swan", "Tortoise", "Wolf",
)  # fmt: skip
THINGS = (
    "Anchor", "Bell", "Bridge", "Broom", "Candle", "Clock", "Comb", "Cup", "Drum", "Fan", "Flute", "Gate",
    "Hourglass", "Kettle", "Kite", "Ladder", "Lantern", "Letter", "Mirror", "Mortar", "Needle", "Purse", "Ring",
    "Rope", "Sail", "Scales", "Shoe", "Spoon", "Stove", "Umbrella", "Well", "Window",
)  # fmt: skip


def name_of(symmetry: str, taken: Collection[str] = ()) -> str:
    """Return the title of a puzzle, given the key that it shares with symmetric ones.

    It is none of those that are `taken`, as long as there are others.
    """
    first = int.from_bytes(sha256(symmetry.encode()).digest()[:8], "big")
    count = len(CREATURES) * len(THINGS)
    for step in range(count):
        creature, thing = divmod((first + step) % count, len(THINGS))
        title = joined(CREATURES[creature], THINGS[thing])
        if title not in taken:
            break
    return title
