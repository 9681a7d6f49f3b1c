"""From a file of puzzles to values that somebody else can check: every game that makes puzzles."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzles import check_proof
from tests.journeys.people import Person
from tests.journeys.table import QUESTIONS, REFUSED

pytestmark = pytest.mark.slow

CHECKER = Path(check_proof.__file__)


def spoiled(value: re.Match[str]) -> str:
    """Another value than the true one."""
    return "value = " + {'"won"': '"lost"', '"lost"': '"won"'}.get(value[1], "99")


@pytest.mark.parametrize(("game", "ask"), QUESTIONS)
def test_from_a_file_to_a_certificate(person: Person, game: str, ask: str) -> None:
    """A file with a puzzle, and the same puzzle with a wrong value: both certificates prove the true one."""
    question = ["--ask", ask] if ask else []
    person.gets("generate", game, *question, "--out", "new.toml", "--count", 1, "--jobs", 1, "--nodes", 20_000)
    new = (person.folder / "new.toml").read_text(encoding="utf-8")
    wrong = re.sub(r'value = (-?\d+|"\w+")(, winnable = \w+)?', spoiled, new.replace('id = "', 'id = "wrong-'))
    person.keeps("file.toml", f"{new}\n{wrong}")
    solved = person.types("solve", "file.toml", "--proofs", "proofs", "--jobs", 1, code=1)
    assert "1 confirmed, 1 refuted" in solved.stdout.replace(" and", ",")

    refusal = REFUSED["certificate"].get(f"{game} {ask}".strip())
    certificates = sorted((person.folder / "proofs").iterdir())
    if refusal is not None:
        assert refusal in solved.stderr
        assert not certificates
        return
    # Who checks them has the checker alone, and a Python without anything else.
    checker = person.folder / "checker"
    checker.mkdir()
    shutil.copy(CHECKER, checker)
    shutil.copytree(CHECKER.with_name("plain"), checker / "plain")
    command = [sys.executable, "-I", "-S", *map(str, [checker / CHECKER.name, *certificates])]
    checked = subprocess.run(command, capture_output=True, text=True, check=True, cwd=person.folder)
    assert len(certificates) == len(re.findall(r": proved \(\d+ nodes\)", checked.stdout)) == 2
