"""Loads what `api.preloading` does, but of one game: for tests that end the fork server again and again."""

import os

os.setsid()

from api import endpoints, garbage, searches  # noqa: E402, F401 - requests contain what these define
from api.search_process import COMPILES, load  # noqa: E402

garbage.keep_loading()
load("alchemy", compile=COMPILES in os.environ)
