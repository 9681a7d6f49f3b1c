"""The progress of each game towards being ready, and the order in which games are made ready."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

_SHORTEST, _LONGEST = 1, 60  # seconds in Retry-After
_UNKNOWN_SECONDS = 15.0  # estimated time left for a game that has just begun to compile
_TOLD_FROM = 0.05  # the share done from which the time left can be estimated


class Stage(StrEnum):
    """A stage of a game on its way to being ready.

    A game is WAITING until the cache is searched for its kernels, and again while missing kernels wait to be
    compiled. It has FAILED if it could not be loaded or compiled.
    """

    WAITING = "waiting"
    COMPILING = "compiling"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one game: its stage, and the monotonic clock time when that began.

    `share` is the share of the game's kernels that are compiled, from 0 to 1. The kernels for hints are compiled
    first, and `hints` is True once they are loaded. `reason` says why loading or compiling failed; if compiling
    failed in a separate process, each search process compiles the kernels itself, which may succeed.
    """

    stage: Stage = Stage.WAITING
    since: float = field(default_factory=time.monotonic)
    share: float = 0.0
    reason: str = ""
    hints: bool = False

    @property
    def settled(self) -> bool:
        """Whether the game is ready or has failed."""
        return self.stage in (Stage.READY, Stage.FAILED)

    @property
    def ready(self) -> bool:
        """Whether questions about the game can be answered without waiting."""
        return self.stage is Stage.READY

    @property
    def seconds(self) -> float:
        """Seconds since the stage began."""
        return time.monotonic() - self.since

    @property
    def left(self) -> float:
        """Estimated seconds until the game is compiled; 0 if it is not being compiled."""
        if self.stage is not Stage.COMPILING:
            return 0.0
        if self.share < _TOLD_FROM:
            return max(_UNKNOWN_SECONDS - self.seconds, _UNKNOWN_SECONDS / 2)
        return self.seconds * (1 - self.share) / self.share

    def __str__(self) -> str:
        if self.stage is Stage.COMPILING:
            hints = "; hints are ready" if self.hints else ""
            return f"compiling, this once, {self.share:.0%} after {self.seconds:.0f} s{hints}"
        return f"{self.stage}, {self.reason}" if self.reason else str(self.stage)


class Readiness:
    """The progress of the games in `names`; a game with any other name counts as ready. Thread-safe."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._change = threading.Condition()
        self._found = {name: Progress() for name in names}
        self._order = list(self._found)  # the queue, next game first
        self._asked: set[str] = set()
        self._hear: Callable[[], None] = lambda: None

    def progress(self) -> dict[str, Progress]:
        """The progress of every game, in the order in which the games were given."""
        with self._change:
            return dict(self._found)

    def of(self, name: str) -> Progress:
        with self._change:
            return self._found.get(name) or Progress(Stage.READY)

    def answers(self, name: str, *, hint: bool) -> bool:
        """Whether questions about a game can be answered now: hints if `hint`, else any question."""
        with self._change:
            state = self._found.get(name)
            return state is None or state.settled or (hint and state.hints)

    def enter(self, name: str, stage: Stage, reason: str = "") -> None:
        """Record that a game has entered a stage. Once a game can give hints, it can in every later stage."""
        with self._change:
            done = stage is Stage.READY
            hints = done or self._found[name].hints
            self._found[name] = Progress(stage, share=float(done), reason=reason, hints=hints)
            self._change.notify_all()

    def hint(self, name: str) -> None:
        """Record that the kernels for a game's hints are loaded."""
        with self._change:
            self._found[name] = replace(self._found[name], hints=True)
            self._change.notify_all()

    def compiled(self, name: str, share: float) -> None:
        """Record the share of a game's kernels that is compiled."""
        with self._change:
            self._found[name] = replace(self._found[name], share=max(share, self._found[name].share))

    def ask_for(self, name: str) -> None:
        """Move a game to the front of the queue, since a request needs it."""
        with self._change:
            if name not in self._found:
                return
            self._order.remove(name)
            self._order.insert(0, name)
            self._asked.add(name)
        self._hear()

    def listen(self, hear: Callable[[], None]) -> None:
        """From now on, call `hear` whenever `ask_for` has moved a game to the front."""
        self._hear = hear

    def place(self, name: str) -> tuple[bool, int]:
        """Return the place of a game in the queue, as a key for sorting: False for a requested game, its index."""
        with self._change:
            return name not in self._asked, self._order.index(name)

    def settled(self) -> bool:
        """Whether every game is ready or has failed."""
        with self._change:
            return self._settled()

    def wait(self, seconds: float) -> bool:
        """Wait until every game is ready or has failed, at most `seconds`. Returns False after a timeout."""
        with self._change:
            return self._change.wait_for(self._settled, seconds)

    def wait_for(self, name: str, seconds: float, *, hint: bool = False, soon: bool = False) -> bool:
        """Wait at most `seconds` until a game or, with `hint`, its hints are ready. Returns whether they are.

        With `soon`, does not wait for what is not likely to be ready soon.
        """

        def over() -> bool:
            return self.answers(name, hint=hint) or (soon and not self._soon(name))

        with self._change:
            return self._change.wait_for(over, seconds) and self.answers(name, hint=hint)

    def retry_after(self, name: str, *, hint: bool = False) -> int:
        """Estimate the seconds until a game is ready, as a whole number from 1 to 60.

        For a `hint`, the estimate is about half, since the kernels for hints are compiled first.
        """
        with self._change:
            mine = self._found[name]
            left = mine.left
            if mine.stage is Stage.WAITING:
                # It starts when the first of the games being compiled is done, and takes as long as the slowest.
                begun = [other for other in self._found.values() if other.stage is Stage.COMPILING]
                left = min((other.left for other in begun), default=0.0)
                left += max((other.left + other.seconds for other in begun), default=0.0)
        return round(min(max((left / 2 if hint else left) + _SHORTEST, _SHORTEST), _LONGEST))

    def _soon(self, name: str) -> bool:
        stage = self._found[name].stage if name in self._found else Stage.READY
        compiling = any(other.stage is Stage.COMPILING for other in self._found.values())
        return stage is Stage.LOADING or (stage is Stage.WAITING and not compiling)

    def _settled(self) -> bool:
        return all(state.settled for state in self._found.values())
