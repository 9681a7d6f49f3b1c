"""Loads what all search processes need, once: they are forked from the process that imports this module.

That process has no threads, so that it can be forked. Kernels missing in the cache are compiled and loaded later,
as after any start.
"""

from contextlib import suppress

import athanor
from api import garbage, searches  # noqa: F401 - requests contain classes of `searches`
from api.search_process import Load, load

garbage.keep_loading()
for _name in athanor.games():
    with suppress(Exception):
        load(Load(_name))
