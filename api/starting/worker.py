"""The process that compiles one game into the cache: ``python -m api.starting.worker GAME [--hints-first]``.

With ``--hints GAME...`` it compiles what the hints of these games need, one game after the other, and no more:
`make run` does so while packages are still being installed.

Its standard input is a pipe that its parent holds open; when that closes, the parent is gone and the process ends
at once. It prints a line with the share of the kernels that it has begun to compile, whenever that grows, and one
when what hints need is compiled, if it began with that.
"""

from __future__ import annotations

import os
import sys
import threading

from api import garbage

HINTS_FIRST, HINTS_ONLY = "--hints-first", "--hints"
SHARE = "compiled "  # begins a line that tells a share
HINTS = "hints are compiled"  # such a line


def main(*names: str, hints_first: bool = False, hints_only: bool = False) -> None:
    """Compile the kernels of these games into the cache, those of hints first, or no others, if asked to."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    # Compiling makes much that stays and little garbage: looking for that by the usual rule takes a twentieth.
    garbage.keep_loading()
    from api.starting.watching import telling
    from solver import registry

    with telling(lambda share: print(f"{SHARE}{share:.4f}", flush=True)):
        for name in names:
            game = registry.game(name)
            if hints_first or hints_only:
                game.warm(hints=True)
                print(HINTS, flush=True)
            if not hints_only:
                game.warm(last_first=hints_first)


def _end_with_the_parent() -> None:
    # Not through sys.stdin, whose lock this thread would still hold when the process ends by itself.
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    asked = sys.argv[1:]
    main(
        *(word for word in asked if not word.startswith("-")),
        hints_first=HINTS_FIRST in asked,
        hints_only=HINTS_ONLY in asked,
    )
