"""How games are made ready: what comes first, what is compiled where, and what fails."""

from __future__ import annotations

import time

import pytest

from api import starting
from api.readiness import Readiness, Stage
from api.starting import Warming
from tests.api.starting.games import SECONDS, Compiler, Games, stages, started, until


def test_what_the_cache_holds_is_loaded_and_nothing_is_compiled(games: Games, compiler: Compiler) -> None:
    games.kept |= {"one", "two"}
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready", "ready"]
    assert not compiler.began
    assert not games.compiled_here


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
    compiler.hints |= {"one", "two"}
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


def test_hints_that_were_kept_are_ready_before_anything_is_compiled(games: Games, compiler: Compiler) -> None:
    games.hints.add("two")
    readiness = started("one two", compiler)
    until(lambda: readiness.of("two").hints and stages(readiness) == ["compiling", "waiting"])
    assert not readiness.of("one").hints
    compiler.go_on.set()
    assert readiness.wait(SECONDS)


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
    monkeypatch.setattr(starting, "_can_keep", lambda: False)
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
    found = Warming(readiness, 1, compiler.games.load, compiler)
    found.start()
    until(lambda: compiler.began == ["one"])
    found.stop()
    assert compiler.ended
    time.sleep(0.05)
    assert compiler.began == ["one"]
