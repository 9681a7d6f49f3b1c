"""Prepares, soon after the service has started, what takes long when it is first asked for."""

from __future__ import annotations

import time
from collections.abc import Callable

from api.config import Config
from api.page import files
from api.routes_games import collection_pieces


def read_ahead(config: Config, wait: Callable[[float], bool]) -> None:
    """Read the page's files and the collection of puzzles, in small pieces.

    Those who ask for something meanwhile need the interpreter too, so nine tenths of the time are pauses. `wait`
    waits for so many seconds, and says whether to stop.
    """
    pieces: list[Callable[[], object]] = [files.worker, *collection_pieces(config)]
    for work in pieces:
        began = time.thread_time()
        work()
        if wait(9 * (time.thread_time() - began)):
            return
