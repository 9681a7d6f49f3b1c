"""What a thread keeps between questions: a search for each game, with a table of the size that is asked for."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

DEFAULT_MEGABYTES = 256

_local = threading.local()
S = TypeVar("S")


def table_megabytes() -> int:
    """The size of a search's table, one a thread: ATHANOR_TABLE_MB, from 1 to 65536; 256 by default."""
    text = os.environ.get("ATHANOR_TABLE_MB", "")
    return min(max(int(text), 1), 65536) if text.isdecimal() else DEFAULT_MEGABYTES


def of_this_thread(game: str, make: Callable[[], S]) -> S:
    """The search that this thread uses for a game, made on first use and again when the table's size changes."""
    kept: dict[str, tuple[int, S]] = _local.__dict__.setdefault("searches", {})
    size = table_megabytes()
    if game not in kept or kept[game][0] != size:
        kept.pop(game, None)
        kept[game] = (size, make())
    return kept[game][1]
