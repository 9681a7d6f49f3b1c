"""Games and compilers that are none, to see what is made ready when."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from api.compiling import AbsentError
from api.readiness import Readiness
from api.starting import Warming

SECONDS = 30.0  # that any of this may take on a loaded machine


class Games:
    """Games in place of the real ones. `kept` are those that the cache holds; `broken` cannot be made ready."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self.hints: set[str] = set()
        self.broken: set[str] = set()
        self.compiled_here: list[str] = []

    def load(self, name: str, *, hints: bool = False, compile: bool = False) -> None:
        if hints and name in self.hints:
            return
        if name in self.broken:
            raise RuntimeError("no good")
        if name not in self.kept:
            if not compile:
                raise AbsentError(name)
            self.compiled_here.append(name)
            self.kept.add(name)


class Compiler:
    """Processes that never are: a game compiles until `go_on` is set."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.began: list[str] = []
        self.fault = ""
        self.keeps = True
        self.pairs: list[str] = []
        self.quick: set[str] = set()
        self.go_on = threading.Event()
        self.ended = False
        self.left: set[str] = set()
        self.hints: set[str] = set()  # games of which it keeps what hints need

    def compile(
        self, name: str, tell: Callable[[float], None], hints: Callable[[], None], *, pair: bool = False
    ) -> str:
        self.began.append(name)
        self.pairs += [name] if pair else []
        tell(0.5)
        self.games.hints |= self.hints & {name}
        hints()
        until(lambda: name in self.quick | self.left or self.go_on.is_set())
        if name in self.left:
            self.left.discard(name)
            return "its process was ended"
        if self.keeps and not self.fault:
            self.games.kept.add(name)
        return self.fault

    def leave(self, name: str) -> None:
        self.left.add(name)

    def end(self) -> None:
        self.ended = True
        self.go_on.set()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def started(names: str, compiler: Compiler, compilers: int = 1) -> Readiness:
    readiness = Readiness(names.split())
    Warming(readiness, compilers, compiler.games.load, compiler).start()
    return readiness


def stages(readiness: Readiness) -> list[str]:
    return [str(found.stage) for found in readiness.progress().values()]
