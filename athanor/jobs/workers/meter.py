"""What the jobs of each client take of the processor, for those who hold clients to limits."""

from __future__ import annotations

from collections import Counter

from athanor.jobs.storage.store import Store


class Meter:
    """Tells what was used since it was last asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, float] | None = None

    def read(self) -> dict[str, float]:
        """The seconds of processor time by client; none the first time. Raises JobError.

        A unit counts when it is done, wherever that was. What was killed on the way counts for nobody.
        """
        now = self._store.cpu()
        used: Counter[str] = Counter()
        if self._known is not None:
            for job, (client, seconds) in now.items():
                used[client] += seconds - self._known.get(job, 0.0)  # type: ignore[assignment]
        self._known = {job: seconds for job, (_, seconds) in now.items()}
        return {client: seconds for client, seconds in used.items() if seconds > 0}
