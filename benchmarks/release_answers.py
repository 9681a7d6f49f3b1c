"""Answers hints with whichever Athanor Python finds, one line of JSON each; run by `benchmarks.release`.

It is the only module of this release that runs in the other release's process, so it needs no more than `import
athanor`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to a line: the file of Athanor once the game is ready, the best move as text, or an error."""
    import athanor

    if "game" in asked:
        athanor.game(asked["game"]).warm()
        return {"file": athanor.__file__}
    try:
        found = athanor.hint(asked["view"], seconds=asked["seconds"], nodes=asked["nodes"], seed=asked["seed"])
    except athanor.AthanorError as error:
        return {"error": str(error)}
    return {"best": found.best}


def main() -> None:
    """Answer line after line. Other output to standard output is redirected to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
