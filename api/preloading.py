"""Loads what all search processes need, once: they are forked from the process that imports this module.

That process has no threads, so that it can be forked. Of a game with kernels missing in the cache, only its hints
are loaded if possible, and it is made ready later (`api.game_loading`), unless this process is to compile it.
"""

import os
from contextlib import suppress

os.setsid()  # what ends the service is the service's to handle: Ctrl-C, and SIGTERM to its process group

import athanor  # noqa: E402
from api import endpoints, garbage, searches  # noqa: E402, F401 - requests contain what these define
from api.compiling import AbsentError  # noqa: E402
from api.search_process import COMPILES, load  # noqa: E402

garbage.keep_loading()
for _name in athanor.games():
    with suppress(Exception):
        try:
            load(_name, compile=COMPILES in os.environ)
        except AbsentError:
            load(_name, hints=True)
