"""Small questions about every game, asked where nothing may be compiled: run as a script it prints the answers.

It is also run outside the checkout, by a Python that has Athanor from a wheel, so it knows nothing of the tests.
"""

from __future__ import annotations

import json
from typing import Any

import athanor
from api.compiling import loading_only
from solver import registry

NODES = 2_000


def answers() -> dict[str, Any]:
    """What is answered, without times. Raises AbsentError if a kernel would have to be compiled."""
    found: dict[str, Any] = {}
    for game in filter(registry.is_own, registry.names()):
        with loading_only():
            position = athanor.deal(game, seed=1)
            analysis = athanor.analyze(position, nodes=NODES)
            hint = athanor.hint(athanor.view(position, seat=0), nodes=NODES)
        found[game] = [_timeless(answer.model_dump(mode="json")) for answer in (analysis, hint)]
    with loading_only():
        found["compound"] = _timeless(
            athanor.compound({"game": "king", "deck": "house", "cards": ["F10", "W7", "F11"]}).model_dump(
                mode="json"
            )
        )
    return found


def _timeless(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {name: _timeless(part) for name, part in answer.items() if "seconds" not in name}
    return [_timeless(part) for part in answer] if isinstance(answer, list) else answer


if __name__ == "__main__":
    print(json.dumps({"from": athanor.__file__, "answers": answers()}))
