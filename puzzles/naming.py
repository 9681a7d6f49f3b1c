"""Titles of puzzles that are made: what lies open to the player, and so nothing of the solution."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from solver.language import joined


def title_of(caption: Sequence[str], taken: Collection[str] = ()) -> str:
    """Return a title with this caption (see `Composer.caption`), numbered if it is one of those `taken`."""
    title = joined(*filter(None, caption))
    numbered = (joined(title, str(number)) for number in count(2))
    return title if title not in taken else next(other for other in numbered if other not in taken)
