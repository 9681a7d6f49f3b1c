"""Games in progress that tests send."""

from __future__ import annotations

from typing import Any

from athanor.sessions import Saved, Session

KIRIN: dict[str, Any] = {"game": "kirin", "seed": 3, "seat": 2, "rounds": 1, "seconds": 0.05}


def ended(options: dict[str, Any]) -> dict[str, Any]:
    """A game of one round, played by the first legal move throughout."""
    session = Session(Saved(**options), forced=False)
    while not session.over:
        session.play(session.round.moves()[0])
    return session.saved.model_dump(mode="json", exclude_none=True)
