"""How games are made ready: what comes first, what is compiled where, and what fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from api.starting import warming
from api.starting.readiness import Readiness, Stage
from api.starting.warming import Warming
from api.starting.watching import AbsentError

SECONDS = 30.0  # that any of this may take on a loaded machine


class Games:
    """Games in place of the real ones. `kept` are those that the cache holds; `broken` cannot be made ready."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self.hints: set[str] = set()
        self.broken: set[str] = set()
        self.compiled_here: list[str] = []

    def warm(self, name: str, hints: bool) -> None:
        if hints and name in self.hints:
            return
        if name in self.broken:
            raise RuntimeError("no good")
        if name not in self.kept:
            if loading.is_set():
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

    def compile(
        self, name: str, tell: Callable[[float], None], hints: Callable[[], None], *, pair: bool = False
    ) -> str:
        self.began.append(name)
        self.pairs += [name] if pair else []
        tell(0.5)
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


loading = threading.Event()


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Games:
    games = Games()

    class Game:
        def __init__(self, name: str) -> None:
            self.name = name

        def warm(self, *, hints: bool = False) -> None:
            games.warm(self.name, hints)

    class Loading:
        def __enter__(self) -> None:
            loading.set()

        def __exit__(self, *_: object) -> None:
            loading.clear()

    monkeypatch.setattr(warming, "loading_only", Loading)
    monkeypatch.setattr("athanor.game", Game)
    return games


@pytest.fixture
def compiler(games: Games) -> Iterator[Compiler]:
    compiler = Compiler(games)
    yield compiler
    compiler.end()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def started(names: str, compiler: Compiler, compilers: int = 1) -> Readiness:
    readiness = Readiness(names.split())
    Warming(readiness, compilers, compiler).start()
    return readiness


def stages(readiness: Readiness) -> list[str]:
    return [str(found.stage) for found in readiness.progress().values()]


def test_what_the_cache_holds_is_loaded_and_nothing_is_compiled(games: Games, compiler: Compiler) -> None:
    games.kept |= {"one", "two"}
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready", "ready"]
    assert not compiler.began
    assert not games.compiled_here


def test_what_waits_for_a_game_to_be_there_is_called_before_it_is_ready(games: Games, compiler: Compiler) -> None:
    games.kept |= {"one", "two"}
    readiness = Readiness(["one", "two"])
    seen: list[list[str]] = []
    Warming(readiness, 1, compiler, loaded=lambda: seen.append(stages(readiness))).start()
    assert readiness.wait(SECONDS)
    assert seen == [["loading", "waiting"], ["ready", "loading"]]


def test_what_is_missing_is_compiled_elsewhere_then_loaded(games: Games, compiler: Compiler) -> None:
    games.kept.add("two")
    readiness = started("one two three", compiler)
    until(lambda: readiness.of("two").settled and len(compiler.began) == 1)
    assert stages(readiness) == ["compiling", "ready", "waiting"]
    assert readiness.of("one").share == 0.5
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert compiler.began == ["one", "three"]
    assert not games.compiled_here


def test_hints_are_ready_while_the_rest_compiles(games: Games, compiler: Compiler) -> None:
    games.hints |= {"one", "two"}
    readiness = started("one two", compiler)
    until(lambda: readiness.of("one").hints)
    assert stages(readiness) == ["compiling", "waiting"]
    assert not readiness.of("one").answers(hint=False)
    assert not readiness.of("two").answers(hint=True)
    readiness.ask_for("two")  # and stay so when it is left for later
    until(lambda: readiness.of("two").hints)
    assert readiness.of("one").stage is Stage.WAITING
    assert readiness.of("one").hints
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert not games.compiled_here


def test_hints_that_were_not_kept_are_not_ready(compiler: Compiler) -> None:
    readiness = started("one", compiler)
    until(lambda: readiness.of("one").share == 0.5)
    assert not readiness.of("one").hints
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert readiness.of("one").hints


def test_the_first_game_has_two_processes_to_itself(compiler: Compiler) -> None:
    readiness = started("one two three", compiler, compilers=2)
    until(lambda: stages(readiness) == ["compiling", "waiting", "waiting"])
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert (compiler.began[0], compiler.pairs) == ("one", ["one"])


def test_several_compile_at_once_and_those_asked_for_come_first(compiler: Compiler) -> None:
    compiler.quick = {"zero"}
    readiness = started("zero one two three four five", compiler, compilers=2)
    until(lambda: len(compiler.began) == 3 and stages(readiness).count("waiting") == 3)
    readiness.ask_for("four")
    readiness.ask_for("five")
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert sorted(compiler.began[1:3]) == ["one", "two"]
    assert compiler.began.index("three") > compiler.began.index("five")


@pytest.mark.parametrize("fault", ["", "its process was ended by SIGKILL"])
def test_what_a_process_fails_at_is_compiled_here(games: Games, compiler: Compiler, fault: str) -> None:
    compiler.fault, compiler.keeps = fault, False
    compiler.go_on.set()
    readiness = started("one", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready"]
    assert games.compiled_here == ["one"]


def test_where_nothing_can_be_kept_no_process_is_started(
    games: Games, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "_can_keep", lambda: False)
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert games.compiled_here == ["one", "two"]
    assert not compiler.began


def test_a_broken_game_fails_with_its_reason_and_keeps_no_other_away(games: Games, compiler: Compiler) -> None:
    games.broken.add("one")
    games.kept.add("two")
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["failed", "ready"]
    assert readiness.of("one").reason == "RuntimeError: no good"


def test_a_stop_ends_what_compiles(compiler: Compiler) -> None:
    readiness = Readiness(["one", "two"])
    found = Warming(readiness, 1, compiler)
    found.start()
    until(lambda: compiler.began == ["one"])
    found.stop()
    assert compiler.ended
    time.sleep(0.05)
    assert compiler.began == ["one"]
