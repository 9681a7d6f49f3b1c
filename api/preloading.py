"""What the processes that search have in common, loaded once: they are forked from the one that imports this.

It has no threads, so that it can be forked. What the cache lacks is compiled and loaded later, as after any start.
"""

from contextlib import suppress

import athanor
from api import garbage, searches  # what is asked for is of the latter's classes # noqa: F401
from api.search_process import Load, load

garbage.keep_loading()
for _name in athanor.games():
    with suppress(Exception):
        load(Load(_name))
