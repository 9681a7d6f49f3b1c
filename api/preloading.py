"""Loads what all search processes need, once: they are forked from the process that imports this module.

That process has no threads, so that it can be forked. A game with kernels missing in the cache is skipped here
and made ready later (`api.starting`).
"""

import os
from contextlib import suppress

import athanor
from api import garbage, searches  # noqa: F401 - requests contain classes of `searches`
from api.search_process import load

os.setsid()  # what ends the service is the service's to handle: Ctrl-C, and SIGTERM to its process group
garbage.keep_loading()
for _name in athanor.games():
    with suppress(Exception):
        load(_name)
