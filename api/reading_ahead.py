"""Reads, soon after the service has started, what requests need from files of the product.

Nobody has to wait for it then, and a service that runs while a new version is installed finds what it needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from api import openapi
from api.config import Config
from api.page import files, template
from api.routes_games import collection_pieces
from solver import decks, registry
from solver.language import LANGUAGES, speaking

_TEMPLATES = ("page.html", "signs.svg", "docs.html", "errors.html")


def read_ahead(config: Config, wait: Callable[[float], bool]) -> None:
    """Read everything in small pieces.

    Those who ask for something meanwhile need the interpreter too, so nine tenths of the time are pauses. `wait`
    waits for so many seconds, and says whether to stop.
    """
    pieces: list[Callable[[], object]] = [
        *(partial(template, name) for name in _TEMPLATES),
        *(partial(openapi.asset, name) for name in openapi.ASSETS),
        files.worker,
        *(partial(_read_texts, spoken) for spoken in LANGUAGES),
        *collection_pieces(config),
    ]
    for work in pieces:
        began = time.thread_time()
        work()
        if wait(9 * (time.thread_time() - began)):
            return


def _read_texts(spoken: str) -> None:
    """Read the manifest and the rules in a language, and the house decks."""
    with speaking(spoken):
        files.manifest(spoken)
        for name in registry.names():
            registry.game(name).rules()
    for kind in decks.kinds():
        _ = kind.house
