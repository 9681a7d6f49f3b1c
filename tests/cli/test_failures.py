"""Every failure is one message on stderr and exit code 2."""

from __future__ import annotations

import pytest

from tests.cli.support import DUEL, FREE, WON, Run


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (["analyze", "-"], "not json", "<stdin>: this is neither JSON nor keys with their values"),
        (["analyze", "-"], "not:json", "<stdin>: the position is not JSON"),
        (["analyze", "-"], b"\xff\xfe\xff", "<stdin>: the position is not UTF-8"),
        (["analyze", "-"], "", "<stdin>: the position is empty"),
        (["analyze", "-"], "[" * 100_000, "<stdin>: the position is nested too deeply"),
        (["analyze", "-"], "[]", "<stdin>: "),
        (["analyze", "-"], FREE | {"line": ["A", "Z"]}, "<stdin>: line[1]: 'Z' is not a card"),
        (["analyze", "-"], FREE | {"game": "chess"}, "<stdin>: game: there is no game called 'chess'"),
        (["analyze", "-"], FREE | {"x": 1}, "<stdin>: x: unknown key 'x'"),
        (["analyze", "-"], {k: v for k, v in WON.items() if k != "stock"}, "<stdin>: stock: "),
        (["analyze", "-", "--model", "paranoid"], DUEL, "<stdin>: model: "),
        (["analyze", "-", "--player", "1"], DUEL, "<stdin>: player: "),
        (["analyze", "/does/not/exist.json"], None, "cannot read /does/not/exist.json: No such file"),
        (["analyze", "/"], None, "cannot read /: Is a directory"),
        (["analyze", "-", "--seconds", "nan"], DUEL, "--seconds"),
        (["analyze", "-", "--seconds", "inf"], DUEL, "--seconds"),
        (["analyze", "-", "--seconds", "0"], DUEL, "--seconds"),
        (["analyze", "-", "--nodes", "0"], DUEL, "--nodes"),
        (["analyze", "-", "--nodes", "9" * 30], DUEL, "--nodes"),
        (["analyze"], None, "FILE"),
        (["hint", "-", "--worlds", "-1"], DUEL, "--worlds"),
        (["hint", "-", "--worlds", "0"], DUEL, "worlds is from 1"),
        (["hint", "-"], FREE, "<stdin>: "),
        (["score", "-"], DUEL, "<stdin>: "),
        (["deal", "chess"], None, "chess"),
        (["deal", "alchemy", "--variant", "free"], None, "variant: 'free' cannot be dealt"),
        (["deal", "alchemy", "--players", "7"], None, "players: "),
        (["deal", "alchemy", "--seat", "4"], None, "seat: "),
        (["deal", "alchemy", "--seed", "-1"], None, "--seed"),
        (["rules", "chess"], None, "chess"),
        (["brew", "alchemy"], None, "No such command"),
        (["solve"], None, "PATH"),
        (["solve", "x", "--jobs", "0"], None, "--jobs"),
        (["winrate", "duel"], None, "duel"),
        (["winrate", "solo", "--plot", "plot.pdf"], None, ".png or .svg"),
        (["winrate", "solo", "--deals", "0"], None, "--deals"),
        (["serve", "--port", "70000"], None, "--port"),
    ],
)
def test_a_failure_is_one_message_and_exit_code_2(
    athanor: Run, args: list[str], stdin: object, message: str
) -> None:
    result = athanor(*args, stdin=stdin)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert sum(line.startswith("Error: ") for line in result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_a_bug_of_ours_is_a_message_too(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*args: object, **options: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("solver.games.alchemy.solving.analyze", faulty)
    result = athanor("analyze", "-", stdin=DUEL)
    assert result.exit_code == 2
    assert "internal error, ZeroDivisionError: oops" in result.stderr
    assert "Traceback" not in result.stderr
