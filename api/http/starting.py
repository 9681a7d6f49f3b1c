"""Requests for games that are not ready yet."""

from __future__ import annotations

from collections.abc import Iterable

from api.http.errors import StartingError
from api.scheduling.pool import stand_back
from api.starting.readiness import Readiness

_PATIENCE_SECONDS = 15.0  # a game that is about to be ready is waited for: to load one takes a second or two


def require(readiness: Readiness, games: Iterable[str], *, hint: bool = False) -> None:
    """See that these games are ready, for a `hint` or for any question. Those that are not are made ready first.

    Raises StartingError for one that is not. A game that cannot be made ready is not refused here: some questions
    it may be able to answer.
    """
    unready = [name for name in games if not readiness.of(name).answers(hint=hint)]
    for name in reversed(unready):
        readiness.ask_for(name)
    if unready:
        stand_back()
    for name in unready:
        readiness.wait_for(name, _PATIENCE_SECONDS, hint=hint)
    for name in unready:
        found = readiness.of(name)
        if not found.answers(hint=hint):
            seconds = readiness.retry_after(name, hint=hint)
            raise StartingError(f"{name} is not ready yet ({found}); try again in {seconds} s", seconds)
