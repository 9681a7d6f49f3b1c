"""Which game is compiled first when somebody waits for one."""

from __future__ import annotations

from tests.api.starting.games import SECONDS, Compiler, Games, stages, started, until


def test_a_game_that_is_asked_for_does_not_wait_for_those_that_are_not(games: Games, compiler: Compiler) -> None:
    compiler.quick = {"zero"}
    readiness = started("zero one two three", compiler, compilers=2)
    until(lambda: len(compiler.began) == 3)
    readiness.ask_for("three")
    until(lambda: len(compiler.began) == 4)
    assert (compiler.began[3], compiler.pairs) == ("three", ["zero", "three"])
    until(lambda: stages(readiness) == ["ready", "waiting", "waiting", "compiling"])
    readiness.ask_for("one")  # two who wait take no game from each other
    assert len(compiler.began) == 4
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready"] * 4
    assert not games.compiled_here
